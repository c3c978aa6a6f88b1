// What a player can do about an order in each of its faces.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { MoneyIn } from '#web/ui/MoneyIn.tsx';
import { faceOf } from './stages.ts';
import styles from './orders.module.css';

export type ResultActionsProps = {
  order: BillingInfo;
  isChecking: boolean;
  onToPay: () => void;
  /** Asks the provider again. */
  onCheck: () => void;
  /** Reopens the recharge popup, to choose another way to pay or to pay again. */
  onRecharge: (how: 'change' | 'again') => void;
  onClose: () => void;
};

export function ResultActions({ order, isChecking, onToPay, onCheck, onRecharge, onClose }: ResultActionsProps) {
  useLanguage();
  const change = (
    <Button kind="quiet" isWide onClick={() => onRecharge('change')}>
      {t('result.change_recharge_way')}
    </Button>
  );
  // The provider's page of a refused try can be paid again; without one the recharge popup makes a new try.
  const again = () => (order.url ? onToPay() : onRecharge('again'));
  switch (faceOf(order)) {
    case 'pending':
      return (
        <div className={styles.foot}>
          <div className={order.url ? styles.two : undefined}>
            {order.url && <Button onClick={onToPay}>{t('result.to_pay')}</Button>}
            <Button kind="pay" isWide isBusy={isChecking} onClick={onCheck}>
              {t('result.recharge_done')}
            </Button>
          </div>
          {change}
        </div>
      );
    case 'declined':
    case 'fail':
      return (
        <div className={styles.foot}>
          <Button kind="pay" isWide onClick={again}>
            <MoneyIn text={t('result.recharge_continue', { price: order.price_shown })} money={order.price_shown} />
          </Button>
          {change}
        </div>
      );
    case 'success':
      return (
        <Button kind="pay" isWide onClick={onClose}>
          {t('result.success_done')}
        </Button>
      );
    default:
      return (
        <Button isWide onClick={onClose}>
          {t('result.close')}
        </Button>
      );
  }
}
