// The recharge popup: the order once more, the methods, and the button that pays.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { CapLine } from '#web/features/payments/CapLine.tsx';
import { ProductBlock, TotalLine } from '#web/features/payments/OrderBlocks.tsx';
import { PayerLines, SummaryLines } from '#web/features/payments/OrderSummary.tsx';
import styles from '#web/features/payments/payments.module.css';
import { CheckoutFoot, CheckoutMethods } from './CheckoutParts.tsx';
import { type CheckoutInput, useCheckout } from './use-checkout.ts';

export type RechargePopupProps = CheckoutInput;

export function RechargePopup(props: RechargePopupProps) {
  useLanguage();
  const { close } = usePopup();
  const checkout = useCheckout({
    ...props,
    onEnd: (...end) => {
      close();
      props.onEnd(...end);
    },
  });
  const { order } = checkout;
  return (
    <PopupSheet
      title={t('recharge.title')}
      isBusy={checkout.isBusy}
      isLight={false}
      isSplit
      foot={<CheckoutFoot checkout={checkout} />}
    >
      <div className={styles.columns}>
        <div className={styles.stack}>
          <ProductBlock product={order.product} />
          <SummaryLines order={order} hasReceiver={false} />
          {/* On low screens the foot has room for the button alone. */}
          <div className={styles.low}>
            <PayerLines order={order} />
            <TotalLine order={order} />
            <CapLine market={checkout.market} price={checkout.priceToCap} />
          </div>
        </div>
        <CheckoutMethods checkout={checkout} />
      </div>
    </PopupSheet>
  );
}
