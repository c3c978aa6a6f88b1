// Paying by a prepaid card: what the card is worth is asked first, and nothing is taken before
// the player has agreed to it.
import { cardHashText, encodeCardInfo } from '#contracts/card-info.ts';
import { giftCardRoutes } from '#contracts/giftcards.ts';
import { call } from '#web/platform/calls/api.ts';
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import type { Card } from './CardFields.tsx';

/** `no`: the player thought better of it. `refused`: in words, to stand above the fields. */
export type CardAgreement = { kind: 'yes'; cardInfo: string } | { kind: 'no' } | { kind: 'refused'; text: string };

/** @source specification section 5: "the buy button stays disabled until both are filled" */
export function isCardFilled(card: Card): boolean {
  return card.number.trim() !== '' && card.password.trim() !== '';
}

/** @param payId the channel, for it decides which cards it takes */
export async function agreeOnCard(
  card: Card,
  target: PayTarget,
  order: OrderView,
  payId: string,
): Promise<CardAgreement> {
  const cardInfo = await writeCardInfo(card);
  const worth = await call(giftCardRoutes.check, { client_id: target.client_id, card_info: cardInfo, pay_id: payId });
  if (worth.kind === 'network') return { kind: 'refused', text: t('error.network') };
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

async function writeCardInfo({ number, password }: Card): Promise<string> {
  const [id, secret] = [number.trim(), password.trim()];
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(cardHashText(id, secret)));
  const hash = Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return encodeCardInfo(id, secret, hash);
}
