// Paying by a prepaid card: what the card is worth is asked first, and nothing is taken before
// the player has agreed to it.
import { giftCardRoutes } from '#contracts/giftcards.ts';
import { call } from '#web/platform/calls/api.ts';
import { type TypedCard, writeCardInfo } from '#web/platform/calls/card-info.ts';
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';

/** `no`: the player thought better of it. `refused`: in words, to stand under the fields. */
export type CardAgreement = { kind: 'yes'; cardInfo: string } | { kind: 'no' } | { kind: 'refused'; text: string };

/** @param payId the channel, for it decides which cards it takes */
export async function agreeOnCard(
  card: TypedCard,
  target: PayTarget,
  order: OrderView,
  payId: string,
): Promise<CardAgreement> {
  const cardInfo = await writeCardInfo(card);
  const worth = await call(giftCardRoutes.check, { client_id: target.client_id, card_info: cardInfo, pay_id: payId });
  if (worth.kind === 'network') return { kind: 'refused', text: t('network.failed') };
  if (worth.kind === 'code') return { kind: 'refused', text: worth.msg || t('error.card_refused') };
  const hasRest = worth.content.price_minor > target.price_minor;
  const text = t('recharge.tip_recharge_confirm', {
    worth: worth.content.price,
    product: order.product?.title ?? '',
    price: order.price,
  });
  // @source specification section 5: "Paying with a card needs confirm 'tip_recharge_confirm'"
  const isAgreed = await confirm({
    title: t('recharge.card_confirm_title'),
    text: hasRest ? `${text} ${t('recharge.card_rest')}` : text,
    cancel: t('account.cancel'),
    confirm: t('recharge.pay', { price: order.price }),
  });
  return isAgreed ? { kind: 'yes', cardInfo } : { kind: 'no' };
}
