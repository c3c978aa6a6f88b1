// The coupon in the order: which one and what it takes off, or what there is to choose. A press opens the list.
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { openCoupons } from './open.ts';
import type { OrderCoupon } from './use-coupon.ts';
import styles from './coupons.module.css';

export type CouponLineProps = {
  coupon: OrderCoupon;
  /** Is true when the chosen payment method takes the coupon, and while none is chosen. */
  isTaken: boolean;
};

/** Nothing for players who have no coupon here. */
export function CouponLine({ coupon, isTaken }: CouponLineProps) {
  useLanguage();
  const { list, isExpected, place, fault, wanted, available, claimable } = coupon;
  if (list.isError) {
    return (
      <Note tone="bad">
        {t('coupon.load_error')} {tellFault(list.error)}{' '}
        <Button kind="quiet" onClick={() => void list.refetch()}>
          {t('goods.retry')}
        </Button>
      </Note>
    );
  }
  // The parts below must not move: no room for a line that does not come, and all of it for one that does.
  if (list.isLoading) return isExpected ? <Skeleton className={styles.lineBone} /> : null;
  if (!wanted && !fault && available + claimable === 0) return null;
  return (
    <div className={styles.area} data-coupon="">
      <button type="button" className={styles.line} aria-haspopup="dialog" onClick={() => openCoupons({ place })}>
        <Icon name="ticket" />
        <span className={styles.lineWords}>
          <b>{t('order.coupon')}</b>
          <LineText coupon={coupon} isTaken={isTaken} />
        </span>
        {coupon.chosen && isTaken && (
          <span className={styles.off}>
            <Money text={`−${coupon.chosen.off_shown}`} />
          </span>
        )}
        <Icon name="chevron-right" />
      </button>
      {fault && (
        <Note tone="wait">
          {t(fault.kind === 'refused' ? 'error.illegal_coupon' : 'coupon.price_error')}
          {fault.kind === 'unpriced' && (
            <>
              {' '}
              <Button kind="quiet" onClick={coupon.retry}>
                {t('goods.retry')}
              </Button>
            </>
          )}
        </Note>
      )}
    </div>
  );
}

function LineText({ coupon, isTaken }: CouponLineProps) {
  useLanguage();
  const { wanted, usable, claimable } = coupon;
  if (wanted) {
    return (
      <span>
        <bdi>{wanted.name_shown}</bdi>
        {!isTaken && <i>{` · ${t('coupon.channel_no')}`}</i>}
      </span>
    );
  }
  if (usable > 0) return <span>{t('coupon.count', { count: usable })}</span>;
  return <span>{claimable > 0 ? t('coupon.to_claim', { count: claimable }) : t('coupon.none_here')}</span>;
}
