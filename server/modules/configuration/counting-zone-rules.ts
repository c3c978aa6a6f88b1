// Says in which zone days, weeks and months of limits, events and offers begin. Pure.
import type { Brand, Game } from './configuration.ts';

/** Of the UTC calendar, as IANA names it. */
const UTC = 'Etc/UTC';

/**
 * Where the game keeps the accounts, brands count one account together, so they share the game's calendar; else the
 * brand's (decision 71).
 */
export function countingZone(
  brand: { readonly file: Pick<Brand['file'], 'accounts' | 'timeZone'> },
  game: { readonly file: Pick<Game['file'], 'timeZone'> },
): string {
  return brand.file.accounts === 'game' ? (game.file.timeZone ?? UTC) : brand.file.timeZone;
}
