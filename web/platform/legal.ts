// Finds the footer's links: by the game in use, else by the payment region, else by the brand. Pure.
import type { GameListItem } from '#contracts/games.ts';
import type { Region } from '#kernel/regions.ts';
import type { Brand } from './brand.ts';

export type Legal = {
  privacy: string;
  terms: string;
  /** Customer service: its address, and when it answers; empty for not told. */
  support: string;
  hours: string;
  notices: Brand['notices'];
};

/**
 * @param clientId the game in use, a sub-game's as well
 * @source specification section 2, "Footer": "with URLs from the game info or per-area defaults"
 */
export function readLegal(
  brand: Brand,
  games: readonly GameListItem[],
  clientId: string,
  region: Region | null,
): Legal {
  const game = gameOf(games, clientId);
  const area = region ? brand.areas[region] : undefined;
  const links = { ...brand.links, ...area?.links };
  return {
    privacy: game?.privacy_link || links.privacy,
    terms: game?.terms_link || links.terms,
    support: links.support ?? '',
    hours: area?.supportHours ?? brand.supportHours,
    notices: area?.notices ?? brand.notices,
  };
}

/** The game of a client id, also when it is that of a sub-game; undefined for none of this brand's. */
function gameOf(games: readonly GameListItem[], clientId: string): GameListItem | undefined {
  return games.find(
    (game) => game.client_id === clientId || Object.values(game.sub_game).some((sub) => sub.client_id === clientId),
  );
}

/**
 * The game in use: the one of the address, and none where that is not sold here; without a wish the one that is
 * remembered, else the one that the page came with.
 */
export function clientInUse(
  games: readonly GameListItem[],
  { asked, stored, assumed }: { asked: string | undefined; stored: unknown; assumed: string },
): string {
  if (asked) return gameOf(games, asked) ? asked : '';
  const kept = typeof stored === 'object' && stored !== null && 'client_id' in stored ? String(stored.client_id) : '';
  return gameOf(games, kept) ? kept : assumed;
}
