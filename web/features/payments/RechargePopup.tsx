// The recharge popup: the order once more, the ways to pay, and the button that pays.
import { useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups.tsx';
import { Channels } from './Channels.tsx';
import { agreeOnCard, isCardFilled } from './card-pay.ts';
import { type Card, CardFields } from './CardFields.tsx';
import { useChosenChannel } from './chosen-channel.ts';
import type { OrderView } from './OrderSummary.tsx';
import { payOrder, type PayTarget, type PayEnd } from './pay-order.ts';
import { type ChannelPlace, useChannels } from './queries.ts';
import { RechargeBody, RechargeFoot } from './RechargeBody.tsx';
import { findOption, meansOf } from './rules.ts';

const NO_CARD: Card = { number: '', password: '' };
const NOTES = { page: 'recharge.opens', card: 'recharge.card_lead', balance: 'recharge.from_balance' } as const;

export type RechargePopupProps = {
  order: OrderView;
  place: ChannelPlace;
  target: PayTarget;
  /** Called after the popup has closed, when an order stands or the goods must be read again. */
  onEnd: (end: PayEnd, channelName: string) => void;
};

export function RechargePopup({ order, place, target, onEnd }: RechargePopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [isBusy, setBusy] = useState(false);
  const chosen = useChosenChannel();
  const channels = useChannels(place);
  const found = findOption(channels.data ?? [], chosen);
  const option = found?.sub ?? found?.option ?? null;
  // A channel with sub-channels is not a way to pay by itself.
  const isReady = option !== null && (found?.sub !== null || found.option.sub_payment.length === 0);
  const means = meansOf(option?.pay_path ?? '');
  const [card, setCard] = useState(NO_CARD);
  const [fault, setFault] = useState('');
  const change = (typed: Card) => {
    setCard(typed);
    setFault('');
  };
  const pay = async () => {
    setBusy(true);
    let cardInfo = '';
    if (means === 'card' && option) {
      const agreement = await agreeOnCard(card, target, order, option.pay_id);
      if (agreement.kind === 'refused') setFault(agreement.text);
      if (agreement.kind !== 'yes') return setBusy(false);
      cardInfo = agreement.cardInfo;
    }
    const end = await payOrder(target, option, cardInfo);
    setBusy(false);
    if (end.kind === 'stay') return;
    close();
    onEnd(end, option?.name ?? '');
  };
  return (
    <PopupSheet
      title={t('recharge.title')}
      isBusy={isBusy}
      isLight={false}
      foot={
        <RechargeFoot
          order={order}
          isBusy={isBusy}
          isReady={isReady && (means !== 'card' || isCardFilled(card))}
          onPay={() => void pay()}
        />
      }
    >
      <RechargeBody
        order={order}
        channels={<Channels name="recharge-way" place={place} hasCoupon={false} />}
        fields={means === 'card' && <CardFields card={card} fault={fault} onChange={change} />}
        note={t(NOTES[means])}
      />
    </PopupSheet>
  );
}
