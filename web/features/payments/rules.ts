// Which channels a price may use, and when two presses are one order. Pure; prices are minor units.
import { type ChannelFacts, offeredSubs } from '#kernel/channel-rules.ts';
import { type Currency, isCurrency, parseDecimal } from '#kernel/money.ts';
import type { PaymentOption, SubPaymentOption } from '#contracts/payments.ts';

/**
 * Channels that only work on Apple's own devices, by `payway_id` and `channel_id`.
 * @source specification section 5: "The Apple Pay channel of one provider is hidden when the platform is not iOS";
 * 12101 is Adyen (section 3), "applepay" its payment method type (docs.adyen.com/payment-methods/apple-pay)
 */
const IOS_ONLY: readonly { payway_id: string; channel_id: string }[] = [{ payway_id: '12101', channel_id: 'applepay' }];

export type ChannelQuery = { price: string; currency: Currency; platform: 'android' | 'ios' | 'web' };

/** Converts an option of the wire for the shared rule. A bound that is no amount is none. */
function factsOf(option: SubPaymentOption, currency: Currency): ChannelFacts {
  const boundOf = (text: string) => parseDecimal(text, currency)?.amountMinor ?? null;
  return {
    hasIcon: option.icon !== '',
    isIosOnly: IOS_ONLY.some((one) => one.payway_id === option.payway_id && one.channel_id === option.channel_id),
    bounds: { min: boundOf(option.min_money), max: boundOf(option.max_money) },
  };
}

/**
 * The channels to show of one region, in order, each with the sub-channels to show.
 * A channel whose own bounds refuse the price stays when one of its sub-channels takes it.
 * @source specification section 5, "Payment channel listing"
 */
export function listChannels(options: readonly PaymentOption[], query: ChannelQuery): PaymentOption[] {
  const { currency, platform } = query;
  const price = parseDecimal(query.price, currency)?.amountMinor;
  if (price === undefined) return [];
  return options
    .flatMap((option) => {
      const read = (one: SubPaymentOption) => factsOf(one, currency);
      const subs = offeredSubs(read(option), option.sub_payment, read, { price, platform });
      return subs ? [{ ...option, sub_payment: subs }] : [];
    })
    .toSorted((a, b) => a.sort - b.sort);
}

export type ChannelRegion = { code: string; channels: PaymentOption[] };

/**
 * Regions with their channels; a region without channels is left out. The visitor's own
 * country comes first, GLOBAL last.
 * @source specification section 5: "Regions without channels are left out"
 */
export function listRegions(
  list: Readonly<Record<string, readonly PaymentOption[]>>,
  country: string,
  query: ChannelQuery,
): ChannelRegion[] {
  const rank = (code: string) => (code === country ? 0 : code === 'GLOBAL' ? 2 : 1);
  return Object.entries(list)
    .map(([code, options]) => ({ code, channels: listChannels(options, query) }))
    .filter((region) => region.channels.length > 0)
    .toSorted((a, b) => rank(a.code) - rank(b.code));
}

/**
 * How a way to pay takes the money: on a page of its provider, or here, from a prepaid card or the player's
 * balance. The latter open no window.
 * @source specification section 5: "Some payment ways are skipped by the common pay helper"
 */
export function tenderOf(payPath: string): 'page' | 'card' | 'balance' {
  return payPath === 'card_pay' ? 'card' : payPath === 'platform_pay' ? 'balance' : 'page';
}

/**
 * Returns true when a payment option takes a coupon that leaves this much to pay. While none is chosen nothing speaks
 * against it.
 * @param dueMinor minor units of `currency`
 * @source specification section 5: "the chosen channel has open_coupon"; its bounds hold for what is paid
 */
export function takesCoupon(option: SubPaymentOption | null, dueMinor: number, currency: string): boolean {
  return (option?.open_coupon ?? true) && takesDue(option, dueMinor, currency);
}

/**
 * Returns true when a payment option takes so little, as a promo code may leave. @param dueMinor minor units of
 * `currency`
 */
export function takesDue(option: SubPaymentOption | null, dueMinor: number, currency: string): boolean {
  if (!option) return true;
  const least = isCurrency(currency) ? parseDecimal(option.min_money, currency)?.amountMinor : undefined;
  return dueMinor >= (least ?? 0);
}

/** Everything that makes two presses of the pay button the same order. */
export type OrderDraft = {
  client_id: string;
  server_id: string;
  role_id: string;
  area_id: string;
  product_id: string;
  price_minor: number;
  channelKey: string;
  coupon_code: string;
  offer_code?: string;
  promo_code: string;
};

export type DraftKey = { fingerprint: string; key: string };

/**
 * The Idempotency-Key of a draft: the same one until something of the draft changes or an answer has settled it.
 * A retry after a lost answer therefore finds the order that was made, never makes a second one.
 * @param makeKey gives a new random key
 */
export function keyOfDraft(draft: OrderDraft, last: DraftKey | null, makeKey: () => string): DraftKey {
  const fingerprint = JSON.stringify(draft, Object.keys(draft).toSorted());
  return last?.fingerprint === fingerprint ? last : { fingerprint, key: makeKey() };
}
