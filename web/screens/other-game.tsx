// In place of a page whose game is not this brand's, or is no longer: the games to choose from. The page stays the same.
import { Suspense } from 'react';
import { rememberGame } from '#web/features/games/memory.ts';
import { useGames } from '#web/features/games/queries.ts';
import type { GameChoice } from '#web/features/games/rules.ts';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { setGameLost } from '#web/platform/lost-game.ts';
import { currentRegion } from '#web/platform/region.ts';
import { useNavigate } from '#web/platform/router/Router.tsx';

const NoGame = lazyPart(() => import('#web/features/games/list/NoGame.tsx').then((module) => module.NoGame));

export function OtherGame() {
  const navigate = useNavigate();
  const games = useGames(currentRegion() ?? '');
  const choose = (game: GameChoice) => {
    rememberGame(game.client_id);
    setGameLost(false);
    const keys = { client_id: game.client_id, area_id: undefined, server_id: undefined, role_id: undefined };
    void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
  };
  return (
    <ShopPage isPlain>
      <Suspense>
        <NoGame games={games.data?.list ?? []} onChoose={choose} />
      </Suspense>
    </ShopPage>
  );
}
