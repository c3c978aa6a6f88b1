// The game in use, and its page config: what frame and pages go by, not the game that the page came with.
import type { PageConfig } from '#contracts/games.ts';
import { currentRegion } from '#web/platform/region.ts';
import { useSearch } from '#web/platform/router/Router.tsx';
import { loadGameInfo } from './memory.ts';
import { useGames, usePageConfig } from './queries.ts';
import { chooseGame, type GameChoice } from './rules.ts';

/** That of the address, else the one remembered; null before the list is there, or where it is not sold. */
export function useGameInUse(): GameChoice | null {
  const { client_id: wanted } = useSearch();
  const games = useGames(currentRegion() ?? '');
  return chooseGame(games.data?.list ?? [], wanted, loadGameInfo().client_id);
}

/** Null while it loads: what another game has is never shown as this one's. */
export function useConfigInUse(): PageConfig | null {
  const clientId = useGameInUse()?.client_id ?? '';
  return usePageConfig(clientId, currentRegion() ?? '').data ?? null;
}
