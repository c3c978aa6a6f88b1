// Variables that begin with REFILL_ and that nobody reads: a typing error there would leave a setting
// at its default without a word.
import { findNear } from '#kernel/near.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { parseScopedName } from '#server/platform/settings/scoped-settings.ts';
import { OTHER_SETTINGS, SETTINGS } from '#server/platform/settings/settings-table.ts';
import type { KnownOwner } from './known-settings.ts';

const PLAIN = [...Object.values(SETTINGS), ...OTHER_SETTINGS].flatMap(({ mayBeFile, name }) =>
  mayBeFile ? [name, `${name}_FILE`] : [name],
);

/**
 * @param names of all variables that are set
 * @param owners providers and logins, and the games that are applied
 * @param knowsGames false while no configuration could be read: then every game is taken for one
 */
export function checkNames(names: readonly string[], owners: readonly KnownOwner[], knowsGames: boolean): Finding[] {
  const scoped = owners.flatMap(({ owner, settings }) =>
    settings.flatMap((setting) => [
      ...(setting.isLiveOnly ? [] : [`REFILL_${owner}_DEMO_${setting.name}`]),
      `REFILL_${owner}_LIVE_${setting.name}`,
    ]),
  );
  const known = new Set([...PLAIN, ...scoped, ...scoped.map((name) => `${name}_FILE`)]);
  return names
    .filter((name) => name.startsWith('REFILL_') && !known.has(name))
    .flatMap((name) => {
      const parsed = parseScopedName(name);
      if (!knowsGames && parsed?.owner.startsWith('GAME_') && /^(?:URL|SECRETS)$/.test(parsed.name)) return [];
      return [{ name, reason: 'is no setting', remedy: suggest(name, known, owners) }];
    });
}

function suggest(name: string, known: ReadonlySet<string>, owners: readonly KnownOwner[]): string {
  const near = findNear(name, [...known]);
  if (near) return `did you mean ${near}?`;
  const parsed = parseScopedName(name);
  const owner = parsed && owners.find((one) => one.owner === parsed.owner);
  if (owner) return `${owner.title} has ${owner.settings.map((setting) => setting.name).join(', ')}`;
  if (parsed?.owner.startsWith('GAME_')) {
    const games = owners.filter((one) => one.owner.startsWith('GAME_')).map((one) => one.owner);
    const nearGame = findNear(parsed.owner, games);
    if (nearGame) return `did you mean ${name.replace(parsed.owner, nearGame)}?`;
    return `no game of that name is applied; there are ${games.join(', ') || 'none'}`;
  }
  const nearOwner =
    parsed &&
    findNear(
      parsed.owner,
      owners.map((one) => one.owner),
    );
  if (parsed && nearOwner) return `did you mean ${name.replace(parsed.owner, nearOwner)}?`;
  return 'unset it, or look the name up in docs/settings.md';
}
