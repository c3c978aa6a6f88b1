// /replenishGoods of both versions: one make-up payment, from the link to the unblocked account. No step bar.
import { useEffect, useState } from 'react';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { ReviewStanding } from '#web/features/orders/result/ReviewStanding.tsx';
import { ReplenishCard } from '#web/features/replenish/ReplenishCard.tsx';
import { ReplenishStanding } from '#web/features/replenish/ReplenishStanding.tsx';
import { useReplenish, useReplenishGame } from '#web/features/replenish/queries.ts';
import { isPageOver } from '#web/features/replenish/rules.ts';
import { paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { currentRegion } from '#web/platform/region.ts';
import {
  clearReplenish,
  keepReplenish,
  readReplenishFlow,
  type ReplenishKeys,
} from '#web/platform/visitor/replenish-flow.ts';
import { Link, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button, buttonClass } from '#web/ui/controls/Button.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { ErrorReplenish } from '../notices/error-replenish.tsx';
import { ReplenishCheckout } from './replenish-checkout.tsx';
import styles from './replenish-goods.module.css';

export function ReplenishGoods() {
  const search = useSearch();
  const user = useUser();
  const named = { replenish_id: search.replenish_id ?? '', rp_client_id: search.rp_client_id ?? '' };
  const isNamed = named.replenish_id !== '' || named.rp_client_id !== '';
  // Without keys it is the one that this browser had open a moment ago.
  const [kept] = useState(() => readReplenishFlow());
  const keys = isNamed ? named : kept;
  if (!keys) return <ErrorReplenish />;
  return user ? <OwnReplenish keys={keys} /> : <LoginFirst keys={keys} />;
}

function LoginFirst({ keys }: { keys: ReplenishKeys }) {
  useLanguage();
  const game = useReplenishGame(keys);
  const button = (
    <Button kind="pay" onClick={() => openLogin()}>
      {t('login.submit')}
    </Button>
  );
  const name = game.data?.name ?? '';
  return (
    <ShopPage isPlain hasFooter={false}>
      {game.isPending ? (
        <Loading />
      ) : (
        <VoidState
          level={1}
          art="st-empty"
          title={t('replenish.login_title')}
          text={name && t('replenish.login_text', { game: name })}
          action={button}
        />
      )}
    </ShopPage>
  );
}

function Loading() {
  return (
    <div className={styles.page} role="status" aria-busy="true" aria-label={t('replenish.loading')}>
      <Skeleton className={styles.bone} />
      <Skeleton className={styles.bone} />
    </div>
  );
}

function OwnReplenish({ keys }: { keys: ReplenishKeys }) {
  useLanguage();
  const query = useReplenish(keys, true);
  const [over, setOver] = useState('');
  const info = query.data;
  const id = info?.replenish_id ?? '';
  const isDone = info?.state === 'unblocked' || info?.state === 'returned' || info?.state === 'closed';
  useEffect(() => {
    if (isDone) clearReplenish();
    else keepReplenish(id);
  }, [id, isDone]);
  if (!info) {
    return (
      <ShopPage isPlain hasFooter={false}>
        <Loading />
      </ShopPage>
    );
  }
  const isOver = isPageOver(info, over === id);
  const isPayable = info.is_own && !isOver && (info.state === 'open' || info.state === 'paying');
  return (
    <ShopPage isPlain hasFooter={false} hasFoot={isPayable}>
      {isPayable ? (
        <div className={styles.page}>
          <div className={styles.stack}>
            <ReplenishCard info={info} onEnd={() => setOver(id)} />
            <Others info={info} />
          </div>
          <ReplenishCheckout info={info} onChanged={() => void query.refetch()} />
        </div>
      ) : (
        <Standing info={isOver ? { ...info, state: 'expired' } : info} />
      )}
    </ShopPage>
  );
}

function Standing({ info }: { info: ReplenishInfo }) {
  const { support } = readLegal(useBrand(), [], '', currentRegion());
  const game = readBoot().games.find(({ client_id }) => client_id === info.client_id);
  const contact = support && (
    <a className={buttonClass('pay')} href={support} target="_blank" rel="noopener noreferrer">
      {t('footer.support')}
    </a>
  );
  if (info.state === 'paid' && info.review_kind) {
    return <ReviewStanding kind={info.review_kind} billingNo={info.billing_no} action={contact} />;
  }
  return (
    <ReplenishStanding
      info={info}
      support={contact}
      openGame={
        game?.open_link && (
          <a className={buttonClass('pay')} href={game.open_link} rel="noreferrer">
            {t('result.open_game', { game: info.game_name })}
          </a>
        )
      }
      onSwitchAccount={() => void askSwitchAccount()}
    />
  );
}

/** Other open payments of the account in this game. */
function Others({ info }: { info: ReplenishInfo }) {
  const others = info.list.filter((one) => one.replenish_id !== info.replenish_id);
  if (others.length === 0) return null;
  return (
    <nav aria-labelledby="replenish-more">
      <h2 className={styles.heading} id="replenish-more">
        {t('replenish.more')}
      </h2>
      <ul className={styles.more}>
        {others.map((one) => (
          <li key={one.replenish_id}>
            <Link
              to={paths.replenishGoods}
              search={(search) => ({ ...search, replenish_id: one.replenish_id, rp_client_id: undefined })}
            >
              <span>{t('replenish.product')}</span>
              <Money text={one.amount_shown} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
