// The inside of the recharge popup: the order once more, then the ways to pay. Also the inside of the choice of sub-channels.
import type { ReactNode } from 'react';
import type { PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { MoneyIn } from '#web/ui/MoneyIn.tsx';
import { ChannelRow } from './ChannelList.tsx';
import { CountryLine } from './CountryLine.tsx';
import { ProductBlock, TotalLine } from './OrderBlocks.tsx';
import { type OrderView, PayerLines, SummaryLines } from './OrderSummary.tsx';
import styles from './payments.module.css';

/** `extra` is room for the coupon; `channels` is the list of ways to pay, its skeleton or its message. */
export type RechargeBodyProps = {
  order: OrderView;
  extra?: ReactNode;
  channels: ReactNode;
  /** What the chosen way asks for, under the list. */
  fields?: ReactNode;
  /** How the chosen way takes the money. */
  note: string;
};

export function RechargeBody({ order, extra, channels, fields, note }: RechargeBodyProps) {
  return (
    <div className={styles.stack}>
      <ProductBlock product={order.product} />
      <SummaryLines order={order} />
      <CountryLine />
      {extra}
      {channels}
      {fields}
      <p className={styles.safe}>{note}</p>
    </div>
  );
}

export type RechargeFootProps = {
  order: OrderView;
  isBusy: boolean;
  /** Whether a way to pay is chosen. @source specification section 5: "disabled until a payment method is chosen" */
  isReady: boolean;
  onPay: () => void;
};

export function RechargeFoot({ order, isBusy, isReady, onPay }: RechargeFootProps) {
  useLanguage();
  return (
    <div className={styles.foot}>
      <PayerLines order={order} />
      <TotalLine order={order} />
      <Button kind="pay" isWide isBusy={isBusy} disabled={!isReady} onClick={onPay}>
        <MoneyIn text={t('recharge.pay', { price: order.price })} money={order.price} />
      </Button>
    </div>
  );
}

export type SubChannelsProps = { option: PaymentOption; chosen: string; onChoose: (sub: SubPaymentOption) => void };

/** The second choice, inside a channel that has several. @source specification section 2, "secondary payment channel" */
export function SubChannels({ option, chosen, onChoose }: SubChannelsProps) {
  useLanguage();
  return (
    <fieldset className={styles.ways}>
      <legend>{t('recharge.choose')}</legend>
      {option.sub_payment.map((sub) => (
        <ChannelRow
          key={sub.key}
          name="sub-way"
          option={{ ...sub, icon: sub.icon || option.icon }}
          isChosen={sub.key === chosen}
          note={sub.hint}
          hasCoupon={false}
          onChoose={() => onChoose(sub)}
        />
      ))}
    </fieldset>
  );
}
