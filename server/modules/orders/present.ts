// An order in the wire's own shape. Pure.
import type { BillingInfo } from '#contracts/orders.ts';
import type { Picture } from '#contracts/pictures.ts';
import type { Texts } from '#contracts/files.ts';
import { listIn, withTranslations } from '#kernel/languages.ts';
import { money } from '#kernel/money.ts';
import { type Display, formsFor } from '#server/modules/configuration/service.ts';
import { bonusAmountOf, isUnpaid, publicStatusOf } from './rules.ts';
import type { OrderRow } from './find-store.ts';
import type { SoldGift } from './store.ts';

/** Holds today's facts of a product; the order keeps the rest. */
export type ProductNow = {
  readonly picture: Picture | null;
  /** In all languages; undefined where it is gone. */
  readonly name: Texts | undefined;
  readonly gameName: Texts | undefined;
  readonly channelName: Texts | undefined;
  /** The name of a gift in the player's language, in its form for how many there are. */
  readonly nameOfGift: (sold: SoldGift) => string;
  /** The unit that a bundle's amount counts, in its plural forms; null for a pack, and for a product that is gone. */
  readonly unit: Texts | null;
};

/** @source specification section 3, "Billing info" */
export function toBillingInfo(order: OrderRow, display: Display, now: ProductNow): BillingInfo {
  const { picture, nameOfGift } = now;
  const { product } = order;
  const nameGifts = (gifts: readonly SoldGift[]) =>
    listIn(
      display.language,
      gifts.map((gift) => `+${display.count(gift.count)} ${nameOfGift(gift)}`),
    );
  const always = product.gifts.filter(({ isFirst }) => isFirst !== true);
  const { amount = 0 } = product;
  const unit = now.unit ? display.text(formsFor(now.unit, amount)) : product.unit;
  const content = [
    `${display.count(amount)} ${unit}`,
    ...always.map((gift) => `${display.count(gift.count)} ${nameOfGift(gift)}`),
  ];
  return {
    billing_no: order.billing_no,
    ...publicStatusOf(order),
    user_name: order.username,
    game_name: display.text(withTranslations(product.gameName, now.gameName)),
    game_server_name: order.server_name,
    role_name: order.role_name,
    product_name: display.text(withTranslations(product.name, now.name)),
    product_id: order.product_id,
    ...(order.replenish_id && { replenish_id: order.replenish_id }),
    client_id: order.client_id,
    art: product.art,
    ...(picture && { picture }),
    amount,
    bonus_amount: bonusAmountOf(product.gifts),
    bonus: nameGifts(always),
    ...(unit && amount > 0 && { content: listIn(display.language, content) }),
    first_bonus: nameGifts(product.gifts.filter(({ isFirst }) => isFirst === true)),
    promo_code: order.promo_code ?? '',
    off_shown: order.discount_minor > 0 ? display.money(money(order.discount_minor, order.currency)) : '',
    price_shown: display.money(money(order.amount_minor, order.currency)),
    ...toReduction(order, display),
    channel_name: display.text(withTranslations(order.channel_name, now.channelName)),
    url: isUnpaid(order.state) ? (order.pay_url ?? '') : '',
    is_declined: isUnpaid(order.state) && order.declined_at !== null,
    ...(isUnpaid(order.state) && order.left_at && { left_at: order.left_at.getTime() }),
    created_at: order.created_at.getTime(),
    paid_at: order.paid_at?.getTime() ?? 0,
    delivering_at: order.delivering_at?.getTime() ?? 0,
    delivered_at: order.delivered_at?.getTime() ?? 0,
    refunded_at: order.refunded_at?.getTime() ?? 0,
  };
}

function toReduction(
  { coupon_name: name, is_offer: isOffer }: OrderRow,
  display: Display,
): Pick<BillingInfo, 'reduction'> {
  return name ? { reduction: { kind: isOffer ? 'offer' : 'coupon', name: display.text(name) } } : {};
}
