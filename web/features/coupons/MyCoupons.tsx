// My: every coupon of the player in this shop.
import { useState } from 'react';
import type { Coupon, CouponGoods } from '#contracts/coupons.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { chooseCoupon } from './choice.ts';
import { CouponList } from './CouponList.tsx';
import { EVERYWHERE, useClaim, useCoupons } from './queries.ts';
import { goodsFrom } from './rules.ts';
import styles from './coupons.module.css';

export type MyCouponsProps = {
  /** `gp_id` of the game that the player is at: its goods come first. Empty: no game was chosen. */
  gpId: string;
  /** Leads to the goods, the first that the coupon can be used on; null: it can be used on nothing that is told. */
  onUse: (goods: CouponGoods | null) => void;
  /** Leads to the order that holds a coupon. */
  onShowOrder?: (billingNo: string) => void;
};

export function MyCoupons({ gpId, onUse, onShowOrder }: MyCouponsProps) {
  useLanguage();
  const { isVip } = useBrand();
  const [isHistory, setHistory] = useState(false);
  const region = currentRegion() ?? '';
  const list = useCoupons({ ...EVERYWHERE, region, country: useCountry() });
  const onClaim = useClaim();
  const use = (coupon: Coupon) => {
    // Of any goods that it works for: another one may be chosen there.
    chooseCoupon('', coupon.code);
    onUse(goodsFrom(coupon, gpId)[0] ?? null);
  };
  if (!isVip) return null;
  return (
    <section className={styles.section} aria-labelledby="my-coupons">
      <h2 className="voice" id="my-coupons">
        {t(isHistory ? 'coupon.history' : 'coupon.title')}
      </h2>
      <CouponList
        list={list}
        actions={{ chosen: '', gpId, onClaim, onUse: use, onCancel: () => undefined, onShowOrder }}
        isHistory={isHistory}
        onHistory={setHistory}
      />
    </section>
  );
}
