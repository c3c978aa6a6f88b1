// My: every coupon of the player in this shop.
import { useState } from 'react';
import type { Coupon } from '#contracts/coupons.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { chooseCoupon } from './choice.ts';
import { CouponList } from './CouponList.tsx';
import { EVERYWHERE, useClaim, useCoupons } from './queries.ts';
import styles from './coupons.module.css';

/** @param onUse leads to the goods */
export function MyCoupons({ onUse }: { onUse: () => void }) {
  useLanguage();
  const { isVip } = useBrand();
  const [isHistory, setHistory] = useState(false);
  const list = useCoupons(EVERYWHERE);
  const onClaim = useClaim();
  const use = ({ code }: Coupon) => {
    // Of any goods that it works for: which, the player chooses next.
    chooseCoupon('', code);
    onUse();
  };
  if (!isVip) return null;
  return (
    <section className={styles.section} aria-labelledby="my-coupons">
      <h2 className="voice" id="my-coupons">
        {t(isHistory ? 'coupon.history' : 'coupon.title')}
      </h2>
      <CouponList
        list={list}
        actions={{ chosen: '', onClaim, onUse: use, onCancel: () => undefined }}
        isHistory={isHistory}
        onHistory={setHistory}
      />
    </section>
  );
}
