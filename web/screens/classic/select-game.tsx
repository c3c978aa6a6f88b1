// Step 1: which game. A game with editions opens them under itself.
import { Suspense, useEffect, useState } from 'react';
import { GameList } from '#web/features/games/list/GameList.tsx';
import { rememberGame } from '#web/features/games/memory.ts';
import { useGames } from '#web/features/games/queries.ts';
import { type GameChoice, isOtherClient, listChoices } from '#web/features/games/rules.ts';
import { changeDraft, loadDraft, NO_ROLE } from '#web/features/orders/unfinished/order-info.ts';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { createLater, whenIdle } from '#web/platform/lazy/later.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { setGameLost, useIsGameLost } from '#web/platform/lost-game.ts';
import { currentRegion, keptArea } from '#web/platform/region.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { ClassicPage, Unfinished } from './ClassicPage.tsx';
import styles from './classic.module.css';

/** Few links name a game that is not here. */
const LostGame = lazyPart(() => import('#web/features/games/list/LostGame.tsx').then((module) => module.LostGame));
/** Below the games, with room that is kept for it. */
const how = createLater(() => import('#web/features/layout/HowItWorks.tsx'));

export function SelectGame() {
  useLanguage();
  const navigate = useNavigate();
  const search = useSearch();
  const games = useGames(currentRegion() ?? '');
  const [draft] = useState(loadDraft);
  const current = search.client_id ?? draft?.clientId ?? '';
  useEffect(() => whenIdle(() => void import('./select-goods.tsx').catch(() => undefined)), []);

  const choose = async (game: GameChoice) => {
    const isOther = draft !== null && isOtherClient(draft.clientId, game.client_id);
    rememberGame(game.client_id);
    setGameLost(false);
    changeDraft({
      gameName: game.name,
      clientId: game.client_id,
      gameProductId: game.gp_id,
      region: currentRegion() ?? '',
      payUntil: 0,
      // @source specification section 4: "Changing game resets role and server when the client differs"
      ...(isOther && { ...NO_ROLE, goods: null, billing_no: '' }),
    });
    const isAsked = search.client_id === undefined || search.client_id === game.client_id;
    const role = isAsked ? {} : { area_id: undefined, server_id: undefined, role_id: undefined };
    await navigate({
      to: paths.selectGoods,
      search: (before) => ({
        ...before,
        ...role,
        ...keptArea(game.client_id),
        client_id: game.client_id,
        billing_no: undefined,
      }),
    });
  };

  const part = how.useModule();
  useEffect(() => whenIdle(how.warm), []);

  return (
    <ClassicPage title={t('game.choose')} hasHero hasFooter before={<Unfinished />}>
      <Games games={games} wanted={search.client_id} current={current} onChoose={(game) => void choose(game)} />
      <section className={styles.how}>{part && <part.HowItWorks />}</section>
    </ClassicPage>
  );
}

type GamesProps = {
  games: ReturnType<typeof useGames>;
  /** The game that the address names. */
  wanted: string | undefined;
  current: string;
  onChoose: (game: GameChoice) => void;
};

function Games({ games, wanted, current, onChoose }: GamesProps) {
  const isGone = useIsGameLost();
  const isLost = wanted !== undefined && !listChoices(games.data?.list ?? []).some((game) => game.client_id === wanted);
  const { data } = games;
  if (data)
    return (
      <div className={styles.stack}>
        {(isLost || isGone) && data.list.length > 0 && (
          <Suspense>
            <LostGame />
          </Suspense>
        )}
        <GameList games={data.list} current={current} onChoose={onChoose} hasArt />
      </div>
    );
  if (games.isError) {
    const retry = <Button onClick={() => void games.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('goods.error_title')} text={t('goods.error_text')} action={retry} />;
  }
  return (
    <div className={styles.stack} aria-busy="true" aria-label={t('shell.loading')} role="status">
      <Skeleton className={styles.bone} />
      <Skeleton className={styles.bone} />
      <Skeleton className={styles.bone} />
    </div>
  );
}
