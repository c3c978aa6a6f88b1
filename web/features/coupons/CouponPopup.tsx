// The coupons of an order, from its line: use one, let go of the chosen one, claim what is there.
import { useState } from 'react';
import type { Coupon } from '#contracts/coupons.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { showToast } from '#web/platform/toast.ts';
import { chooseCoupon, dropCoupon, keyOfGoods, useCouponChoice } from './choice.ts';
import { CouponList } from './CouponList.tsx';
import { type CouponPlace, useClaim, useCoupons } from './queries.ts';
import { chosenOf } from './rules.ts';

export type CouponPopupProps = { place: CouponPlace };

export function CouponPopup({ place }: CouponPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [isHistory, setHistory] = useState(false);
  const about = keyOfGoods(place);
  const list = useCoupons(place);
  const { said } = useCouponChoice(about);
  const onClaim = useClaim();
  const onUse = ({ code, is_applicable: fits }: Coupon) => {
    // @source specification section 8: "unsupported coupon for item"
    if (!fits) return showToast(t('error.illegal_coupon'), 'bad');
    chooseCoupon(about, code);
    close();
  };
  const onCancel = () => {
    dropCoupon(about);
    close();
  };
  const chosen = chosenOf(list.data ?? [], said)?.code ?? '';
  return (
    <PopupSheet title={t(isHistory ? 'coupon.history' : 'coupon.title')}>
      <CouponList
        list={list}
        actions={{ chosen, onClaim, onUse, onCancel }}
        isHistory={isHistory}
        onHistory={setHistory}
      />
    </PopupSheet>
  );
}
