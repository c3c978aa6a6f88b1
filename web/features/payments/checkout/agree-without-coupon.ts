// Paying without a coupon while there is one: asked first, for it is money left lying.
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';

/**
 * @param isRefused a coupon is chosen, and the way to pay does not take it
 * @source specification section 5: "If coupons are available but none is chosen or the channel does not allow one, a
 *   confirm 'tip_noUse_coupon' appears before paying"
 */
export function agreeWithoutCoupon({ price }: OrderView, isRefused: boolean): Promise<boolean> {
  return confirm({
    title: t('recharge.no_coupon_title'),
    text: t(isRefused ? 'recharge.coupon_not_with_method' : 'recharge.tip_noUse_coupon'),
    cancel: t('account.cancel'),
    confirm: t('recharge.pay', { price }),
  });
}
