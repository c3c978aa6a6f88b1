// The list of coupons in its states, and behind a button what is used or expired. Popup and My show the same.
import type { Coupon } from '#contracts/coupons.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { type CouponActions, CouponCard } from './CouponCard.tsx';
import type { useCoupons } from './queries.ts';
import { partCoupons } from './rules.ts';
import styles from './coupons.module.css';

export type CouponListProps = {
  list: ReturnType<typeof useCoupons>;
  actions: CouponActions;
  /** The sub-view of what is over. @source specification section 2: "a history sub-view and back button" */
  isHistory: boolean;
  onHistory: (isHistory: boolean) => void;
};

export function CouponList({ list, actions, isHistory, onHistory }: CouponListProps) {
  useLanguage();
  if (list.isError && !list.data) {
    const retry = <Button onClick={() => void list.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('coupon.load_error')} text={tellFault(list.error)} action={retry} />;
  }
  if (!list.data) {
    return (
      <div className={styles.cards} role="status" aria-busy="true" aria-label={t('coupon.loading')}>
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
      </div>
    );
  }
  const { claim, avail, lock, history } = partCoupons(list.data);
  if (isHistory) {
    return (
      <div className={styles.list}>
        <Button kind="quiet" onClick={() => onHistory(false)}>
          <Icon name="back" />
          {t('coupon.back')}
        </Button>
        {history.length === 0 ? (
          <VoidState art="st-empty" title={t('coupon.history_empty')} />
        ) : (
          <Cards coupons={history} actions={actions} label={t('coupon.history')} />
        )}
      </div>
    );
  }
  const open = [...claim, ...avail, ...lock];
  return (
    <div className={styles.list}>
      {open.length === 0 ? (
        <VoidState art="st-empty" title={t('coupon.empty_title')} text={t('coupon.empty_text')} />
      ) : (
        <Cards coupons={open} actions={actions} label={t('coupon.title')} />
      )}
      <Button kind="quiet" onClick={() => onHistory(true)}>
        {t('coupon.history')}
      </Button>
    </div>
  );
}

function Cards({ coupons, actions, label }: { coupons: Coupon[]; actions: CouponActions; label: string }) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {coupons.map((coupon) => (
        <CouponCard key={coupon.code} coupon={coupon} actions={actions} />
      ))}
    </ul>
  );
}
