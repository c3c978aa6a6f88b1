// The parts of a checkout: the methods with what they ask for, and the button with the price. Sheet, panel
// and classic page lay them out.
import type { ReactNode } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { Note } from '#web/ui/Note.tsx';
import { CapLine } from '#web/features/payments/CapLine.tsx';
import { CountryLine } from '#web/features/payments/CountryLine.tsx';
import { MethodChooser } from '#web/features/payments/methods/MethodChooser.tsx';
import { nameOfChoice } from '#web/features/payments/methods/use-methods.ts';
import { TotalLine } from '#web/features/payments/OrderBlocks.tsx';
import { PayerLines } from '#web/features/payments/OrderSummary.tsx';
import styles from '#web/features/payments/payments.module.css';
import { CardFields } from './CardFields.tsx';
import { ConfirmationLines, ConsentLine } from './FinalConfirmation.tsx';
import type { Checkout } from './use-checkout.ts';

const NOTES = { page: 'recharge.opens', card: 'recharge.card_lead', balance: 'recharge.from_balance' } as const;

type CheckoutMethodsProps = {
  checkout: Checkout;
  /** The choice of a country; the sentence about the page's own unless given. */
  place?: ReactNode;
  /** On wide screens the usual ways stand beside the last one. */
  isOpenWide?: boolean;
};

export function CheckoutMethods({ checkout, place, isOpenWide = false }: CheckoutMethodsProps) {
  useLanguage();
  const { methods, list, tender, card, fault, changeCard, coupon, promo, used } = checkout;
  const fields = tender === 'card' && <CardFields card={card} fault={fault} onChange={changeCard} />;
  return (
    <div className={styles.stack}>
      {place === undefined ? <CountryLine /> : place}
      {coupon?.line({ isTaken: coupon.chosen === null || used !== null })}
      {promo?.line({ isBeside: used !== null })}
      <MethodChooser
        methods={methods}
        hasCoupon={(coupon?.usable ?? 0) > 0}
        isOpenWide={isOpenWide}
        isUnfolded={checkout.isUnfolded}
        onUnfold={checkout.unfold}
        fields={fields}
        ref={list}
      />
      {/* Of the chosen one alone: what is true of a provider's page is not so of a prepaid card. */}
      {methods.choice?.option && <p className={styles.safe}>{t(NOTES[tender])}</p>}
      {checkout.consent.confirmation && (
        <ConfirmationLines
          key={checkout.consent.orderShown}
          confirmation={checkout.consent.confirmation}
          order={checkout.order}
          onSeen={checkout.consent.onSeen}
        />
      )}
    </div>
  );
}

export type CheckoutFootProps = {
  checkout: Checkout;
  /** False where the page says it above. */
  hasPayer?: boolean;
};

/** Shows payer and receiver, the total, and the button that says the price, or first the part that is missing. */
export function CheckoutFoot({ checkout, hasPayer = true }: CheckoutFootProps) {
  const { order, consent } = checkout;
  return (
    <div className={styles.foot}>
      <div className={styles.sums}>
        {/* The confirmation says both. */}
        {hasPayer && !consent.confirmation && <PayerLines order={order} />}
        <TotalLine order={order} />
        <CapLine market={checkout.market} price={checkout.priceToCap} />
      </div>
      {consent.confirmation && (
        <ConsentLine
          confirmation={consent.confirmation}
          hasConsent={consent.hasConsent}
          onConsent={consent.setConsent}
        />
      )}
      {checkout.said && <Note tone={checkout.said.tone}>{checkout.said.text}</Note>}
      <MethodLine checkout={checkout} />
      <PayButton checkout={checkout} />
    </div>
  );
}

/** Right above the button, in the part that never scrolls: nobody pays by what is out of sight. */
function MethodLine({ checkout: { methods, isBusy, changeMethod } }: Pick<CheckoutFootProps, 'checkout'>) {
  useLanguage();
  const name = methods.choice?.option ? nameOfChoice(methods.choice) : '';
  if (name === '') return null;
  return (
    <p className={styles.by} data-paid-by="">
      <span>{t('order.method')}</span>
      <b>
        <bdi>{name}</bdi>
      </b>
      <button type="button" disabled={isBusy} onClick={changeMethod}>
        {t('recharge.change')}
        <span className="vh">: {t('order.method')}</span>
      </button>
    </p>
  );
}

const LABELS = {
  method: 'recharge.choose_first',
  card: 'recharge.fill_card',
  balance: 'recharge.balance_first',
  consent: 'confirm.first',
  look: 'confirm.first',
} as const;

function PayButton({ checkout }: Pick<CheckoutFootProps, 'checkout'>) {
  useLanguage();
  const { order, missing, isBusy, isPricing, methods, press } = checkout;
  const { price } = order;
  const label = () => {
    if (missing === null) return t('recharge.pay', { price });
    if (missing === 'second') return t('recharge.choose_second', { name: nameOfChoice(methods.choice), price });
    return t(LABELS[missing], { price });
  };
  return (
    // Not `disabled`: a press shows what is missing.
    <Button
      kind="pay"
      isWide
      isBusy={isBusy || isPricing}
      aria-disabled={missing !== null || undefined}
      onClick={press}
    >
      <MoneyIn text={label()} money={price} />
    </Button>
  );
}
