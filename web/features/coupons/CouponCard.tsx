// One coupon: what it takes off, for what, until when, and what can be done with it.
import { useState } from 'react';
import type { Coupon } from '#contracts/coupons.ts';
import { showTime, zoneOffset } from '#kernel/time.ts';
import { toBcp47 } from '#kernel/languages.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { showOff } from './rules.ts';
import styles from './coupons.module.css';

export type CouponActions = {
  /** The code that the order has; empty for none. */
  chosen: string;
  onClaim: (coupon: Coupon) => Promise<void>;
  onUse: (coupon: Coupon) => void;
  onCancel: () => void;
};

/** A moment in the coupon's own calendar. @source specification section 9, "Time display" */
const showMoment = (epochMs: number, timeZone: string): string => showTime(epochMs, zoneOffset(epochMs, timeZone));

export function CouponCard({ coupon, actions }: { coupon: Coupon; actions: CouponActions }) {
  const language = useLanguage();
  const { use_category: tab, discount_rate: rate } = coupon;
  return (
    <li className={styles.card} data-tab={tab} data-chosen={coupon.code === actions.chosen || undefined}>
      <span className={styles.rate}>
        <bdi>{t('coupon.off', { percent: showOff(rate, toBcp47(language)) })}</bdi>
      </span>
      <span className={styles.words}>
        <b>
          <bdi>{coupon.name_shown}</bdi>
        </b>
        <Terms coupon={coupon} />
        <span>
          <Moment coupon={coupon} />
        </span>
      </span>
      <span className={styles.act}>
        <Action coupon={coupon} actions={actions} />
      </span>
    </li>
  );
}

/** What it is for, where that is less than everything. */
function Terms({ coupon }: { coupon: Coupon }) {
  useLanguage();
  const least = Object.values(coupon.min_spend_shown);
  return (
    <>
      {coupon.games_shown.length > 0 && <span>{t('coupon.games', { games: coupon.games_shown.join(', ') })}</span>}
      {coupon.products.length > 0 && <span>{t('coupon.some_products')}</span>}
      {least.length > 0 && <span>{t('coupon.least', { amount: least.join(' / ') })}</span>}
    </>
  );
}

function Moment({ coupon }: { coupon: Coupon }) {
  useLanguage();
  const { use_category: tab, time_zone: zone, valid_start_time: start, valid_end_time: end } = coupon;
  const at = (id: 'coupon.until' | 'coupon.from' | 'coupon.used_at' | 'coupon.expired_at', moment: number) => {
    const time = showMoment(moment, zone);
    const [before = '', after = ''] = t(id, { time: '\u0000' }).split('\u0000');
    return (
      <>
        {before}
        <bdi dir="ltr">{time}</bdi>
        {after}
      </>
    );
  };
  if (tab === 'history') return coupon.is_used ? at('coupon.used_at', coupon.used_time) : at('coupon.expired_at', end);
  if (tab === 'lock' && coupon.billing_no !== '') return t('coupon.held');
  return tab === 'lock' ? at('coupon.from', start) : at('coupon.until', end);
}

/** @source specification section 4: claim 'claimable', avail 'use' or 'cancel', lock 'usable_no', history */
function Action({ coupon, actions }: { coupon: Coupon; actions: CouponActions }) {
  useLanguage();
  const [isBusy, setBusy] = useState(false);
  if (coupon.code === actions.chosen) return <Button onClick={actions.onCancel}>{t('coupon.cancel')}</Button>;
  switch (coupon.use_category) {
    case 'claim': {
      const claim = async () => {
        setBusy(true);
        await actions.onClaim(coupon);
        setBusy(false);
      };
      return (
        <Button kind="pay" isBusy={isBusy} onClick={() => void claim()}>
          {t('coupon.claimable')}
        </Button>
      );
    }
    case 'avail':
      return <Button onClick={() => actions.onUse(coupon)}>{t('coupon.use')}</Button>;
    case 'lock':
      return <Chip tone="wait">{t('coupon.usable_no')}</Chip>;
    case 'history':
      return <Chip tone="plain">{t(coupon.is_used ? 'coupon.used' : 'coupon.expired')}</Chip>;
  }
}
