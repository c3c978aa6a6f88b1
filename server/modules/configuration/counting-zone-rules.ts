// Says in which zone days, weeks and months of limits, events and offers begin. Pure.
import type { Brand, Game } from './configuration.ts';

/** UTC, by its IANA name. */
const UTC = 'Etc/UTC';

/**
 * Returns the game's zone where the game keeps the accounts, for brands count one account together then; else the
 * brand's (decision 71).
 */
export function countingZone(
  brand: { readonly file: Pick<Brand['file'], 'accounts' | 'timeZone'> },
  game: { readonly file: Pick<Game['file'], 'timeZone'> },
): string {
  return brand.file.accounts === 'game' ? (game.file.timeZone ?? UTC) : brand.file.timeZone;
}
