// One coupon: what it takes off, for what, until when, and what can be done with it.
import type { Coupon } from '#contracts/coupons.ts';
import { listIn } from '#kernel/languages.ts';
import { showTime, zoneOffset } from '#kernel/time.ts';
import { ClaimButton, CouponTicket } from '#web/platform/coupon/CouponTicket.tsx';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { goodsFrom } from './rules.ts';

export type CouponActions = {
  /** The code that the order has; empty for none. */
  chosen: string;
  /** Of the game whose goods are named first. */
  gpId?: string;
  onClaim: (coupon: Coupon) => Promise<void>;
  onUse: (coupon: Coupon) => void;
  onCancel: () => void;
  /** Leads to the order that holds a coupon; left out where orders are not shown. */
  onShowOrder?: ((billingNo: string) => void) | undefined;
};

/** A moment in the coupon's own calendar. @source specification section 9, "Time display" */
const showMoment = (epochMs: number, timeZone: string): string => showTime(epochMs, zoneOffset(epochMs, timeZone));

export function CouponCard({ coupon, actions }: { coupon: Coupon; actions: CouponActions }) {
  useLanguage();
  const { use_category: tab, discount_rate: rate, name_shown: name } = coupon;
  return (
    <CouponTicket
      rate={rate}
      name={name}
      isChosen={coupon.code === actions.chosen}
      isDull={tab === 'lock' || tab === 'history'}
      action={<Action coupon={coupon} actions={actions} />}
    >
      <Terms coupon={coupon} gpId={actions.gpId ?? ''} />
      <span>
        <Moment coupon={coupon} />
      </span>
    </CouponTicket>
  );
}

/** Our choice: two lines on a phone; the others are counted. */
const NAMED = 3;

/** Names the goods that it is for, where they are stated; else every bound that makes it less than everything. */
function Terms({ coupon, gpId }: { coupon: Coupon; gpId: string }) {
  const language = useLanguage();
  const least = Object.values(coupon.min_spend_shown);
  const goods = goodsFrom(coupon, gpId)
    .slice(0, NAMED)
    .map(({ name }) => name);
  const more = coupon.goods.length - goods.length;
  if (more > 0) goods.push(t('coupon.more_goods', { count: more }));
  return (
    <>
      {coupon.games_shown.length > 0 && (
        <span>{t('coupon.games', { games: listIn(language, coupon.games_shown) })}</span>
      )}
      {goods.length > 0 ? (
        <span>{t('coupon.for_goods', { goods: listIn(language, goods) })}</span>
      ) : (
        coupon.products.length > 0 && <span>{t('coupon.some_products')}</span>
      )}
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
      <span>
        {before}
        <bdi dir="ltr">{time}</bdi>
        {after}
      </span>
    );
  };
  if (tab === 'history') return coupon.is_used ? at('coupon.used_at', coupon.used_time) : at('coupon.expired_at', end);
  if (tab === 'lock' && coupon.billing_no !== '') return <span>{t('coupon.held')}</span>;
  return tab === 'lock' ? at('coupon.from', start) : at('coupon.until', end);
}

/** @source specification section 4: claim 'claimable', avail 'use' or 'cancel', lock 'usable_no', history */
function Action({ coupon, actions }: { coupon: Coupon; actions: CouponActions }) {
  useLanguage();
  const { onShowOrder } = actions;
  if (coupon.code === actions.chosen) return <Button onClick={actions.onCancel}>{t('coupon.cancel')}</Button>;
  switch (coupon.use_category) {
    case 'claim':
      return <ClaimButton onClaim={() => actions.onClaim(coupon)} />;
    case 'avail':
      return <Button onClick={() => actions.onUse(coupon)}>{t('coupon.use')}</Button>;
    case 'lock':
      if (coupon.billing_no !== '' && onShowOrder)
        return <Button onClick={() => onShowOrder(coupon.billing_no)}>{t('coupon.show_order')}</Button>;
      return <Chip tone="wait">{t('coupon.usable_no')}</Chip>;
    case 'history':
      return <Chip tone="plain">{t(coupon.is_used ? 'coupon.used' : 'coupon.expired')}</Chip>;
  }
}
