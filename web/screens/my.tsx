// My: who is logged in, their coupons, everything they bought, how they log in, and their data.
import { Suspense } from 'react';
import type { CouponGoods } from '#contracts/coupons.ts';
import { AccountCare } from '#web/features/accounts/my/AccountCare.tsx';
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { askFreshLogin } from '#web/features/accounts/login/ask-fresh-login.ts';
import { ProfileHead } from '#web/features/accounts/my/ProfileHead.tsx';
import { MyCoupons } from '#web/features/coupons/MyCoupons.tsx';
import { loadGameInfo } from '#web/features/games/memory.ts';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { gameOf } from '#web/features/orders/game-of.ts';
import { OrderHistory } from '#web/features/orders/history/OrderHistory.tsx';
import { BalanceCard } from '#web/features/payments/BalanceCard.tsx';
import { RealNameCard } from '#web/features/realname/RealNameCard.tsx';
import { SpendingCard } from '#web/features/spending/SpendingCard.tsx';
import { VipRow } from '#web/features/vip/VipRow.tsx';
import { type CarriedSearch, paths, resultPages } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { loadText } from '#web/platform/visitor/storage.ts';
import { Link, useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button, buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { chooseAhead, showChosen } from './lead-to-goods.ts';
import styles from './my.module.css';

const MyData = lazyPart(() => import('#web/features/privacy/MyData.tsx').then((module) => module.MyData));
const ErasureStatus = lazyPart(() =>
  import('#web/features/privacy/ErasureStatus.tsx').then((module) => module.ErasureStatus),
);

export function My() {
  useLanguage();
  const user = useUser();
  const navigate = useNavigate();
  const search = useSearch();
  const { version } = useBrand();
  if (!user) {
    const button = (
      <Button kind="pay" onClick={() => openLogin()}>
        {t('login.submit')}
      </Button>
    );
    return (
      <ShopPage isPlain>
        <VoidState level={1} art="st-empty" title={t('my.login_title')} text={t('my.login_text')} action={button} />
        {loadText('erasureNo') && (
          <Suspense fallback={null}>
            <ErasureStatus />
          </Suspense>
        )}
      </ShopPage>
    );
  }
  const { games, clientId } = readBoot();
  const gameHere = gameOf(games, search.client_id ?? (loadGameInfo().client_id || clientId));
  const toGoods = (goods: CouponGoods | null) => {
    const game = goods && games.find((one) => one.gp_id === goods.gp_id);
    if (game) {
      const { product_id: value, name: display, price_shown: price } = goods;
      chooseAhead({ game, goods: { value, display, price } });
    }
    const isOther = game && game !== gameHere;
    // Server and character belong to the old game.
    const keys = isOther
      ? { client_id: game.client_id, area_id: undefined, server_id: undefined, role_id: undefined }
      : {};
    const to = {
      to: paths.selectGoods,
      search: (before: CarriedSearch) => ({ ...before, billing_no: undefined, ...keys }),
    };
    void navigate(to).then(() => game && showChosen());
  };
  // The result belongs to the goods: from there another way to pay can be chosen.
  const showOrder = (billing_no: string) =>
    void navigate({ to: resultPages[version], search: (before) => ({ ...before, billing_no }) });
  const shopLink = (
    <Link className={buttonClass('pay')} to={paths.selectGoods}>
      {t('my.shop')}
    </Link>
  );
  return (
    <ShopPage isPlain>
      <div className={styles.columns}>
        <div className={styles.side}>
          <ProfileHead name={user.username} onSwitch={() => void askSwitchAccount()} />
          <VipRow />
          <RealNameCard />
          <BalanceCard />
        </div>
        <div className={styles.main}>
          <MyCoupons gpId={gameHere?.gp_id ?? ''} onUse={toGoods} onShowOrder={showOrder} />
          <OrderHistory shopLink={shopLink} onContinue={showOrder} />
        </div>
        <div className={styles.side}>
          <SpendingCard />
        </div>
        <div className={styles.care}>
          <div className={styles.side}>
            <AccountCare />
          </div>
          <div className={styles.side}>
            <Suspense fallback={null}>
              <MyData onStale={() => void askFreshLogin()} />
            </Suspense>
          </div>
        </div>
      </div>
    </ShopPage>
  );
}
