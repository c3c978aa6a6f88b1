// Event: who receives, and the events of the game in their tabs.
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { useEffect } from 'react';
import { seeEvents } from '#web/features/events/offer.ts';
import { EventsPart, kindsOf } from '#web/features/events/EventsPart.tsx';
import { openRoles } from '#web/features/games/open.ts';
import { usePageConfig } from '#web/features/games/queries.ts';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { refOf, useReceiver } from '#web/features/games/use-receiver.ts';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { Link, useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import styles from './activity.module.css';
import { NotOpen } from './notices/not-open.tsx';
import { OtherGame } from './other-game.tsx';

export function ActivityScreen() {
  useLanguage();
  const search = useSearch();
  const navigate = useNavigate();
  const user = useUser();
  const region = currentRegion() ?? '';
  const country = useCountry();
  const receiver = useReceiver(region, search, user !== null);
  const { game, role, isAreaRole } = receiver;
  const config = usePageConfig(game?.client_id ?? '', region);
  const kinds = kindsOf(config.data);
  useEffect(seeEvents, []);
  const chooseRole = () => {
    if (!game) return;
    openRoles({
      game,
      isAreaRole,
      current: role,
      first: { area: search.area_id ?? '', server: search.server_id ?? '' },
      onChoose: (next) => {
        receiver.choose(next);
        // The address named somebody else; a reload must not bring them back.
        const keys = { area_id: undefined, server_id: undefined, role_id: undefined };
        void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
      },
      onSwitchAccount: () => void askSwitchAccount(),
    });
  };
  const changeReceiver = () => {
    if (receiver.state === 'anonymous') openLogin();
    else if (receiver.state === 'failed') receiver.retry();
    else chooseRole();
  };
  if (receiver.isGameMissing) return <OtherGame />;
  if (config.isSuccess && kinds.length === 0) return <NotOpen />;
  return (
    <ShopPage isPlain>
      <div className={styles.page}>
        <h1 className="vh">{t('nav.event')}</h1>
        {user && <ReceiverCard game={game} role={role} state={receiver.state} onChange={changeReceiver} />}
        {config.data && (
          <EventsPart
            place={{ clientId: game?.client_id ?? '', region, country }}
            kinds={kinds}
            isLoggedIn={user !== null}
            receiver={role && { ...refOf(role), area_id: isAreaRole ? role.area_id : '' }}
            onLogin={() => openLogin()}
            onChooseReceiver={chooseRole}
          />
        )}
        <Link className={buttonClass('plain')} to={paths.selectGoods}>
          {t('events.shop')}
        </Link>
      </div>
    </ShopPage>
  );
}
