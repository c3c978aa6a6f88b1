// Pure decisions about logins by other identities: what the brand offers, what a link may do,
// where a player goes afterwards.
import { LOGIN_KINDS, type LoginKind } from '#contracts/logins.ts';
import type { GameId } from '#kernel/ids.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';

/** Shown in lists, mails and to the game: long enough for a full name. Our choice. */
const NAME_LENGTH = 60;

/**
 * A name to show, out of what a provider gave; never empty.
 * @param subject makes the made-up name the same every time
 */
export function displayName(name: string | null, subject: string): string {
  const clean = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    // Control characters, and the ones that turn the direction of the text around them.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return [...clean].slice(0, NAME_LENGTH).join('').trim() || `Player ${subject.slice(-4)}`;
}

/**
 * Returns the path that a player sees after a login without an opener: always one of ours, whatever was asked for.
 * @param secretKeys query keys that never stay in an address
 */
export function readReturnPath(asked: string | undefined, origin: string, secretKeys: readonly string[]): OwnPath {
  const address = asked?.startsWith('/') ? URL.parse(asked, origin) : null;
  if (!address || address.origin !== origin) return toOwnPath('/');
  for (const key of secretKeys) address.searchParams.delete(key);
  return toOwnPath(address.pathname + address.search);
}

/**
 * The user id in the game of a player whom an identity opens an account for: a game that signs players in by the same
 * company can tell from this who it is. `founder_of_identity` reads it. @see docs/logins.md
 */
export const foundedSuid = ({ provider, subject }: Way): string => `${provider}-${subject}`;

/** The game that a player's account is one of, where games keep the accounts; null for an account of the shop. */
export function gameOfWays(ways: readonly Way[]): GameId | null {
  const way = ways.find(({ provider }) => provider === 'game' || provider === 'game~beta');
  return (way?.subject.split('/')[0] ?? null) as GameId | null;
}

export type Way = { readonly provider: string; readonly subject: string };

/**
 * The identities a player sees: those of this game, where each game has accounts of its own.
 * @param providers provider column by kind
 * @param scope beginning of the subjects that count
 */
export function shownIdentities<One extends Way>(
  ways: readonly One[],
  providers: ReadonlyMap<LoginKind, string>,
  scope: string,
): { kind: LoginKind; way: One }[] {
  return LOGIN_KINDS.flatMap((kind) => {
    const way = ways.find((one) => one.provider === providers.get(kind) && one.subject.startsWith(scope));
    return way ? [{ kind, way }] : [];
  });
}

/**
 * Returns true when a login may be unlinked: another one that works here must remain.
 * @param ownProviders of passwords: the shop's or the game's
 */
export function mayUnlink(
  ways: readonly Way[],
  leaving: Way,
  providers: ReadonlyMap<LoginKind, string>,
  ownProviders: readonly string[],
): boolean {
  const usable = new Set([...providers.values(), ...ownProviders]);
  return ways.some((one) => one !== leaving && usable.has(one.provider));
}
