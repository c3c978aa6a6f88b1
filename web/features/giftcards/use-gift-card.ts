// Using a card that was looked at: asked once more, then turned into its goods, or paid with.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CardWorth } from '#contracts/giftcards.ts';
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { stepsFor, react } from '#web/platform/calls/reactions.ts';
import { track } from '#web/platform/visitor/track.ts';
import { confirmCard, type GiftPlace, type GiftReceiver } from './exchange.ts';

export type BuyableGoods = CardWorth['buys'][number];
export type Bought = { goods: BuyableGoods; cardInfo: string; kind: string };

type UseGiftCard = {
  place: GiftPlace;
  receiver: GiftReceiver | null;
  onChooseReceiver: () => void;
  onBuy: (bought: Bought) => Promise<boolean>;
  onOrder: (billingNo: string) => void;
  /** The card is spent. */
  onUsed: () => void;
};

export function useGiftCard({ place, receiver, onChooseReceiver, onBuy, onOrder, onUsed }: UseGiftCard) {
  const queries = useQueryClient();
  /** The product that is being paid, or the card's own goods. */
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState('');
  const used = () => {
    onUsed();
    for (const key of ['spent-cards', 'balances', 'history', 'goods'])
      void queries.invalidateQueries({ queryKey: [key] });
  };

  const take = async (cardInfo: string, worth: CardWorth) => {
    if (busy !== null) return;
    if (!receiver) return onChooseReceiver();
    // @source specification section 5: "Paying with a card needs confirm 'tip_recharge_confirm'"
    const isSure = await confirm({
      title: t('gift.confirm_title'),
      text: t('gift.tip_recharge_confirm', { worth: worth.price, product: worth.product_name, name: receiver.name }),
      cancel: t('account.cancel'),
      confirm: t('gift.confirm'),
    });
    if (!isSure) return;
    setBusy(worth.product_name);
    setFault('');
    const outcome = await confirmCard(cardInfo, place, receiver);
    setBusy(null);
    if (outcome.kind === 'ok' || (outcome.kind === 'code' && outcome.name === 'repeatOrder' && outcome.content)) {
      track('order_placed', { channel: place.kind });
      if (outcome.kind === 'ok') used();
      return onOrder(outcome.content?.billing_no ?? '');
    }
    if (outcome.kind === 'network') return setFault(t('network.failed'));
    // Outcomes that lead elsewhere (a login that is over, a game that is gone) do so; a mere message stands here.
    if (stepsFor(outcome.name).some((step) => step.do !== 'toast')) react(outcome);
    else setFault(outcome.msg || t('error.card_refused'));
  };

  const buy = async (cardInfo: string, worth: CardWorth, goods: BuyableGoods) => {
    if (busy !== null) return;
    if (!receiver) return onChooseReceiver();
    const text = t('recharge.tip_recharge_confirm', {
      worth: worth.price,
      product: goods.product_name,
      price: goods.price_shown,
    });
    const isSure = await confirm({
      title: t('recharge.card_confirm_title'),
      text: goods.rest_shown === '' ? text : `${text} ${t('gift.rest', { amount: goods.rest_shown })}`,
      cancel: t('account.cancel'),
      confirm: t('recharge.pay', { price: goods.price_shown }),
    });
    if (!isSure) return;
    setBusy(goods.product_id);
    setFault('');
    const isPaid = await onBuy({ goods, cardInfo, kind: place.kind });
    setBusy(null);
    if (isPaid) used();
  };

  return { busy, fault, take, buy, clear: () => setFault('') };
}
