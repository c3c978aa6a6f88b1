// Choosing a way to pay and paying: what the button of step 3 needs to know and does.
import { useState } from 'react';
import { agreeOnCard, isCardFilled } from '#web/features/payments/card-pay.ts';
import type { Card } from '#web/features/payments/CardFields.tsx';
import { useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import { type PayEnd, type PayTarget, payOrder } from '#web/features/payments/pay-order.ts';
import { type ChannelPlace, useChannels } from '#web/features/payments/queries.ts';
import { findOption, meansOf } from '#web/features/payments/rules.ts';

const NO_CARD: Card = { number: '', password: '' };

export function useRecharge(place: ChannelPlace, order: OrderView) {
  const [isBusy, setBusy] = useState(false);
  const [card, setCard] = useState(NO_CARD);
  const [fault, setFault] = useState('');
  const found = findOption(useChannels(place).data ?? [], useChosenChannel());
  const option = found?.sub ?? found?.option ?? null;
  // A channel with sub-channels is not a way to pay by itself.
  const isWay = option !== null && (found?.sub !== null || found.option.sub_payment.length === 0);
  const means = meansOf(option?.pay_path ?? '');

  const pay = async (target: PayTarget): Promise<PayEnd> => {
    setBusy(true);
    try {
      let cardInfo = '';
      if (means === 'card' && option) {
        const agreement = await agreeOnCard(card, target, order, option.pay_id);
        if (agreement.kind === 'refused') setFault(agreement.text);
        if (agreement.kind !== 'yes') return { kind: 'stay' };
        cardInfo = agreement.cardInfo;
      }
      return await payOrder(target, option, cardInfo);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    means,
    option: isWay ? option : null,
    /** @source specification section 5: "disabled until a payment method is chosen", "until both are filled" */
    isReady: isWay && (means !== 'card' || isCardFilled(card)),
    card,
    fault,
    changeCard: (typed: Card) => {
      setCard(typed);
      setFault('');
    },
    pay,
  };
}
