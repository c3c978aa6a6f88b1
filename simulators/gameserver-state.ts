// Keeps the state of a game server: goods handed over by key, revoked goods, who was unblocked and verified.

import type { Journal } from './kit/journal.ts';

export type Grant = {
  /** The idempotency key, which is the order's number. */
  billing_no: string;
  game: string;
  client_id: string;
  user_id: string;
  server_id: string;
  area_id?: string;
  role_id: string;
  role_name: string;
  product_id: string;
  quantity: number;
  gifts: { id: string; name: string; count: number }[];
  paid: { amount: string; currency: string } | null;
  sandbox: boolean;
  receipt_id: string;
  /** ISO 8601. */
  granted_at: string;
  /** How often the same key came again. */
  repeated: number;
  revoked?: { reason: string; receipt_id: string; at: string };
  /** The shop wants this text back in `applied`. */
  recovery?: string;
  /** Fingerprint of the request, to notice a key that comes with other content. */
  print: string;
};

export type GameState = ReturnType<typeof openGameState>;

type FlagRow = { at: string; detail?: string; billing_no?: string; recovery?: string };
type Flag = 'unblocked' | 'verified' | 'refused' | 'blocked';

export function openGameState(journal: Journal) {
  const grants = journal.table<Grant>('grants');
  const flags = journal.table<FlagRow>('flags');
  const keyOf = (game: string, billingNo: string) => `${game}|${billingNo}`;
  return {
    findGrant: (game: string, billingNo: string) => grants.get(keyOf(game, billingNo)),
    saveGrant: (grant: Grant) => grants.put(keyOf(grant.game, grant.billing_no), grant),
    /** Newest first, at most `limit`; an absent filter matches all. */
    listGrants(
      filter: { game?: string; userId?: string; roleId?: string; billingNo?: string },
      limit: number,
    ): Grant[] {
      if (filter.game && filter.billingNo) return [grants.get(keyOf(filter.game, filter.billingNo)) ?? []].flat();
      return [...grants.values()]
        .filter(
          (grant) =>
            (!filter.game || grant.game === filter.game) &&
            (!filter.userId || grant.user_id === filter.userId || grant.role_name === filter.userId) &&
            (!filter.roleId || grant.role_id === filter.roleId) &&
            (!filter.billingNo || grant.billing_no === filter.billingNo),
        )
        .slice(-limit)
        .toReversed();
    },
    allGrants: () => grants.values(),
    countGrants: () => grants.size,
    hasFlag: (kind: Flag, game: string, id: string) => flags.get(`${kind}|${game}|${id}`),
    /** Ids of a game that have the flag. */
    listFlags: (kind: Flag, game: string): string[] =>
      [...flags.keys()]
        .filter((key) => key.startsWith(`${kind}|${game}|`))
        .map((key) => key.slice(kind.length + game.length + 2)),
    setFlag: (kind: Flag, game: string, id: string, at: string, more: Omit<FlagRow, 'at'> = {}) =>
      flags.put(`${kind}|${game}|${id}`, { at, ...more }),
    /** Unblocks that a shop can recover from, at or after `since` (epoch milliseconds). */
    listUnblocked: (game: string, since: number) =>
      [...flags.keys()].flatMap((key) => {
        const { at, billing_no, recovery } = flags.get(key) ?? { at: '' };
        return key.startsWith(`unblocked|${game}|`) && recovery && billing_no && Date.parse(at) >= since
          ? [{ billing_no, recovery }]
          : [];
      }),
    clearFlag: (kind: 'blocked' | 'refused', game: string, id: string) => flags.remove(`${kind}|${game}|${id}`),
  };
}
