// Payment channels a player may choose, and the call that starts a payment.
import Type, { type Static } from 'typebox';
import { CardInfo } from './card-info.ts';
import { BillingInfo } from './orders.ts';
import { ClientId, Platform, Text, params } from './envelope.ts';
import { route } from './route.ts';

const optionKeys = {
  payway_id: Type.String(),
  channel_id: Type.String(),
  /** `payway_id_channel_id`, unique in a list. */
  key: Type.String(),
  pay_id: Type.String(),
  name: Type.String(),
  icon: Type.String(),
  sort: Type.Integer(),
  min_money: Type.String(),
  max_money: Type.String(),
  /** The same bounds once more: the specification names both pairs. */
  min: Type.String(),
  max: Type.String(),
  /** Key of the method that it is a route of; empty for one that is chosen inside its channel. */
  method: Type.String(),
  /** JSON map of language to text, as the specification says; `hint` is the text for this request. */
  description: Type.String(),
  hint: Type.String(),
  open_coupon: Type.Boolean(),
  /** The pay call of this channel: a name of `payRoutes`. */
  pay_path: Type.String(),
};

/** @source specification section 3, "Payment option" */
export const SubPaymentOption = Type.Object(optionKeys);
export const PaymentOption = Type.Object({ ...optionKeys, sub_payment: Type.Array(SubPaymentOption) });
export type PaymentOption = Static<typeof PaymentOption>;
export type SubPaymentOption = Static<typeof SubPaymentOption>;

/**
 * The player chooses a method once, whoever moves the money. Ours beside the specification's list: it says how the page
 * folds that list.
 */
export const PaymentMethod = Type.Object({
  key: Type.String(),
  name: Type.String(),
  /** Addresses of pictures; `mark` is empty for none. */
  mark: Type.String(),
  networks: Type.Array(Type.String()),
  hint: Type.String(),
  /** `last`: what the player paid with before; `country`: usual here; `more`: all others. */
  group: Type.Enum(['last', 'country', 'more']),
  /** The device must be able to do this; empty for no demand. */
  device: Type.Enum(['', 'applePay', 'googlePay']),
  /**
   * Key of the option that it is paid by: the first in the operator's order whose provider
   * answers. Empty while none does.
   */
  option: Type.String(),
  /** Key of the second choice that the player made last time, where the option asks for one; else empty. */
  second: Type.String(),
});
export type PaymentMethod = Static<typeof PaymentMethod>;

/** @source specification section 7, "Pay payload" */
const payKeys = {
  client_id: ClientId,
  server_id: Text(64),
  role_id: Text(64),
  platform: Type.Optional(Platform),
  product_id: Type.String({ minLength: 1, maxLength: 64 }),
  /** A make-up payment in place of goods: it is for the account, whatever product and character say. */
  replenish_id: Type.Optional(Text(64)),
  domain_area: Type.Optional(Text(16)),
  game_channel_id: Type.Optional(Text(32)),
  bcp47_lang: Type.Optional(Text(35)),
  country: Type.Optional(Text(8)),
  did: Type.Optional(Text(64)),
  session_id: Type.Optional(Text(64)),
  session_time: Type.Optional(Text(32)),
  traffic_source: Type.Optional(Text(200)),
  /** "kf": customer service sent the player. Kept with the order. @source specification section 2 */
  utm_pay: Type.Optional(Text(64)),
  areaId: Type.Optional(Text(64)),
  pay_id: Type.Optional(Text(64)),
  coupon_code: Type.Optional(Text(64)),
  /** The open offer that the goods are bought by; never together with a coupon. */
  offer_code: Type.Optional(Text(160)),
  /** Typed by the player or brought by a link; beside a coupon only where the code says so. */
  promo_code: Type.Optional(Text(64)),
  /** "1": the player was shown the bonus of the first purchase, and wants no order without it. */
  first_bonus: Type.Optional(Text(1)),
  channel: Type.Optional(Text(32)),
  channel_id: Type.Optional(Text(32)),
  /** Version of the form that the player confirmed beside the button; refused where the area wants another. */
  accepted: Type.Optional(Text(32)),
  /** The price the player saw, minor units: a changed price is told, never silently charged. */
  price_minor: Type.Optional(Type.Integer({ minimum: 0 })),
};

export const PayInput = params(payKeys);
/** `card_info` comes with card_pay alone, and only by POST. @source specification section 7, "Card pay" */
export type PayInput = Static<typeof PayInput> & { card_info?: string };

/**
 * Code 10 carries the same content for an unpaid order that exists already. Refusals because of unpaid orders name them
 * in `open_orders`; `billing_no` and `url` are then those of the one for the same goods, or empty.
 */
export const PayResult = Type.Object({
  billing_no: Type.String(),
  url: Type.String(),
  open_orders: Type.Optional(Type.Array(BillingInfo)),
});
export type PayResult = Static<typeof PayResult>;

const pay = (path: string, provider: string) =>
  route({
    path: `/api/${path}`,
    kind: 'change',
    summary: `Place an order and start a payment by ${provider}`,
    access: 'player',
    isAtBackupHost: true,
    input: PayInput,
    output: PayResult,
  });

export const paymentRoutes = {
  channels: route({
    path: '/api/pay/getPayChannelList',
    kind: 'read',
    summary:
      'Channels for a product by region code, in order: of every country of the brand that has one, at the price there',
    access: 'anyone',
    input: params({
      client_id: ClientId,
      product_id: Text(64),
      platform: Type.Optional(Platform),
      domain_area: Type.Optional(Text(16)),
      country: Type.Optional(Text(8)),
      /** Channels for the amount of a make-up payment of the player, in place of a product. */
      replenish_id: Type.Optional(Text(64)),
    }),
    output: Type.Object({
      country: Type.String(),
      list: Type.Record(Type.String(), Type.Array(PaymentOption)),
      /** In the order to show them. */
      methods: Type.Array(PaymentMethod),
    }),
  }),
};

/**
 * Pay calls by the name a channel's `payPath` has: the path behind /api/pay/, or behind /api/ for the Korean ones.
 * @source specification section 7, "Payment creation"
 */
export const payRoutes = {
  razer_gold_pay: pay('pay/razer_gold_pay', 'Razer Gold'),
  payMyCardInGame: pay('pay/payMyCardInGame', 'MyCard, with a point card'),
  payMyCardBilling: pay('pay/payMyCardBilling', 'MyCard, all its ways'),
  payMyCardKouDian: pay('pay/payMyCardKouDian', 'MyCard, from member points'),
  card_pay: route({
    ...pay('pay/card_pay', 'a prepaid card of the publisher'),
    kind: 'post',
    input: params({ ...payKeys, card_info: Type.Optional(CardInfo) }),
  }),
  airwallex: pay('pay/airwallex', 'Airwallex'),
  platform_pay: pay('pay/platform_pay', "the player's stored balance"),
  xsolla_pay: pay('pay/xsolla_pay', 'Xsolla'),
  pagsmile_pay: pay('pay/pagsmile_pay', 'Pagsmile'),
  paypal_pay: pay('pay/paypal_pay', 'PayPal'),
  codapay_pay: pay('pay/codapay_pay', 'Codapay'),
  naver_pay: pay('pay/naver_pay', 'Naver Pay'),
  payermax_pay: pay('pay/payermax_pay', 'PayerMax'),
  alipay_pay: pay('pay/alipay_pay', 'Alipay'),
  adyen_pay: pay('pay/adyen_pay', 'Adyen'),
  travellet_pay: pay('pay/travellet_pay', 'Travellet'),
  pingpongx_pay: pay('pay/pingpongx_pay', 'PingPong'),
  ebanx_pay: pay('pay/ebanx_pay', 'EBANX'),
  funtap_pay: pay('pay/funtap_pay', 'FunTap'),
  own_pay: pay('pay/own_pay', "a provider of the shop's own"),
  'kr_pay/naver_pay': pay('kr_pay/naver_pay', 'Naver Pay'),
  'kr_pay/welcome_pay': pay('kr_pay/welcome_pay', 'Welcome Payments'),
  'kr_pay/kakao_pay': pay('kr_pay/kakao_pay', 'KakaoPay'),
};
