// Brands, games and channels that the database has and the folder has not: a wrong mount and half a clone look like it,
// and so does a shop that was meant to be closed. Pure; store.ts counts the open orders.
import type { Finding } from './checks/finding-types.ts';
import type { ConfigurationFiles } from './configuration.ts';

/** Keys that the files have no more. */
export type Removals = {
  readonly brands: readonly string[];
  readonly games: readonly string[];
  /** Ids of channels. */
  readonly channels: readonly string[];
};

/** By id: orders of a game that are neither finished nor over; payments of a channel that may still come. */
export type OpenWork = { readonly games: ReadonlyMap<string, number>; readonly channels: ReadonlyMap<string, number> };

type Parts = Pick<ConfigurationFiles, 'brands' | 'games' | 'channels'>;

export function listRemovals(before: Parts, after: Parts): Removals {
  const goneOf = (was: ReadonlyMap<string, unknown>, is: ReadonlyMap<string, unknown>): string[] =>
    [...was.keys()].filter((key) => !is.has(key));
  const kept = new Set(after.channels.channels.map(({ id }) => id));
  return {
    brands: goneOf(before.brands, after.brands),
    games: goneOf(before.games, after.games),
    channels: [...new Set(before.channels.channels.map(({ id }) => id))].filter((id) => !kept.has(id)),
  };
}

const FLAG = 'or apply with --accept-removals';

/** A brand that goes closes a shop, a game with open orders leaves paid goods without a way: faults until accepted. */
export function explainRemovals({ brands, channels, games }: Removals, open: OpenWork): Finding[] {
  const finding = (level: Finding['level'], file: string, reason: string): Finding => ({ level, file, at: [], reason });
  return [
    ...brands.map((key) =>
      finding(
        'fault',
        `brands/${key}/brand.yaml`,
        `is gone, and with it the shop of ${key}; bring the folder back, ${FLAG}`,
      ),
    ),
    ...games.flatMap((id) => {
      const count = open.games.get(id) ?? 0;
      const reason =
        `is gone while ${count} of its orders are open: goods that were paid could not be delivered; bring the ` +
        `folder back until they are done, ${FLAG}`;
      return count > 0 ? [finding('fault', `games/${id}/game.yaml`, reason)] : [];
    }),
    ...channels.flatMap((id) => {
      const count = open.channels.get(id) ?? 0;
      const reason =
        `channel ${id} is gone while ${count} of its payments may still come; leave the settings of its provider ` +
        'until they are settled';
      return count > 0 ? [finding('warning', 'channels/channels.yaml', reason)] : [];
    }),
  ];
}
