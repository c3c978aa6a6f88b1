// The last look before a prepaid card pays outside of the checkout, where the area wants one.
import { useState } from 'react';
import { type Confirmation, CONFIRMATIONS } from '#contracts/confirmations.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import styles from '#web/features/payments/payments.module.css';
import { ConfirmationLines, ConsentLine } from './FinalConfirmation.tsx';

export type FinalPopupProps = { confirmation: Confirmation; order: OrderView; onAgree: () => void };

export function FinalPopup({ confirmation, order, onAgree }: FinalPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [hasConsent, setConsent] = useState(false);
  const isReady = hasConsent || !CONFIRMATIONS[confirmation.form].needsConsent;
  const foot = (
    <div className={styles.foot}>
      <ConsentLine confirmation={confirmation} hasConsent={hasConsent} onConsent={setConsent} />
      <Button
        kind="pay"
        isWide
        disabled={!isReady}
        onClick={() => {
          onAgree();
          close();
        }}
      >
        <MoneyIn text={t('recharge.pay', { price: order.price })} money={order.price} />
      </Button>
    </div>
  );
  return (
    <PopupSheet title={t('confirm.title')} isLight={false} foot={foot}>
      <ConfirmationLines confirmation={confirmation} order={order} />
    </PopupSheet>
  );
}
