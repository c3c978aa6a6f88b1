// Any address that is none of ours. @source specification section 2, "404 page"
// Behind the short address of a game stand the games that there are.
import { GameList } from '#web/features/games/list/GameList.tsx';
import { paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useNavigate, usePath } from '#web/platform/router/Router.tsx';
import { HomeLink, NoticePage } from './NoticePage.tsx';
import styles from './notices.module.css';

export function NotFound() {
  useLanguage();
  const navigate = useNavigate();
  const games = usePath().startsWith('/@') ? readBoot().games : [];
  const isGame = games.length > 0;
  return (
    <NoticePage
      art="st-notfound"
      title={t('not_found.title')}
      text={t('not_found.text')}
      action={<HomeLink kind={isGame ? 'plain' : 'pay'} />}
    >
      {isGame && (
        <section className={styles.instead}>
          <h2>{t('game.choose')}</h2>
          <GameList
            games={games}
            current=""
            onChoose={({ client_id }) =>
              void navigate({ to: paths.home, search: (before) => ({ ...before, client_id }) })
            }
          />
        </section>
      )}
    </NoticePage>
  );
}
