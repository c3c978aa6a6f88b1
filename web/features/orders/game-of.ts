// The game of an order among those that the page came with.
import type { GameListItem } from '#contracts/games.ts';

/** @param clientId of the game or of an edition of it */
export function gameOf(games: readonly GameListItem[], clientId: string): GameListItem | null {
  return (
    games.find(
      (one) => one.client_id === clientId || Object.values(one.sub_game).some((sub) => sub.client_id === clientId),
    ) ?? null
  );
}
