// The player's coupons in four tabs. @source specification section 2: "VIP centre tabs (rewards, coupons: claimable,
// usable, unavailable, history)"
import { useState } from 'react';
import type { Coupon, UseCategory } from '#contracts/coupons.ts';
import { showTime, zoneOffset } from '#kernel/time.ts';
import { ClaimButton, CouponTicket } from '#web/platform/coupon/CouponTicket.tsx';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/controls/Tabs.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { useClaim, useMyCoupons } from './queries.ts';
import styles from './vip.module.css';

const TABS = ['claim', 'avail', 'lock', 'history'] as const satisfies readonly UseCategory[];

export function VipCoupons() {
  useLanguage();
  const [tab, setTab] = useState<UseCategory>('claim');
  const tabs = TABS.map((key) => ({ key, label: t(`vip.coupons_${key}`) }));
  return (
    <Tabs label={t('vip.tab_coupons')} tabs={tabs} chosen={tab} onChoose={setTab}>
      <Coupons tab={tab} />
    </Tabs>
  );
}

function Coupons({ tab }: { tab: UseCategory }) {
  useLanguage();
  const list = useMyCoupons();
  const claim = useClaim();
  if (list.isError && !list.data) {
    const retry = <Button onClick={() => void list.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('vip.load_error')} text={tellFault(list.error)} action={retry} />;
  }
  if (!list.data) return <Skeleton className={styles.bone} />;
  const coupons = list.data.filter((coupon) => coupon.use_category === tab);
  if (coupons.length === 0) return <VoidState art="st-empty" title={t('vip.no_coupons')} />;
  return (
    <ul className={styles.coupons}>
      {coupons.map((coupon) => (
        <CouponTicket
          key={coupon.code}
          rate={coupon.discount_rate}
          name={coupon.name_shown}
          isDull={tab === 'lock' || tab === 'history'}
          action={tab === 'claim' && <ClaimButton onClaim={() => claim(coupon.code, coupon.name_shown)} />}
        >
          {momentOf(coupon)}
        </CouponTicket>
      ))}
    </ul>
  );
}

/** When it was used, else when it ends, in the brand's calendar. @source specification section 9, "Time display" */
function momentOf(coupon: Coupon): string {
  const { is_used: isUsed, used_time: used, valid_end_time: end, time_zone: zone, use_category: category } = coupon;
  const moment = isUsed ? used : end;
  const time = showTime(moment, zoneOffset(moment, zone));
  if (isUsed) return t('coupon.used_at', { time });
  return category === 'history' ? t('coupon.expired_at', { time }) : t('coupon.until', { time });
}
