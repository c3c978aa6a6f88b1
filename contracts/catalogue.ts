// Goods, their prices, limits and bonus items.
import Type, { type Static } from 'typebox';
import { ClientId, Text, params } from './envelope.ts';
import { Picture } from './pictures.ts';
import { route } from './route.ts';

/** A pack beside the others of its shelf, computed from the price list. */
export const PackOffer = Type.Object({
  /** Units with the bonus. */
  total: Type.Integer(),
  /** Price of `per_count` units. */
  per_shown: Type.String(),
  /** The same for a player who gets the first-purchase bonus with it; empty where it brings no more of the same. */
  first_per_shown: Type.String(),
  per_count: Type.Integer(),
  /** Whole percent more for the money than in the smallest pack, without first-purchase bonuses, as all below. */
  more_percent: Type.Integer(),
  /** Units for the money, as percent of the best pack's. */
  share_percent: Type.Integer(),
  /** The next larger pack costs this much more, and has so many more units; empty and 0 for the largest. */
  next_shown: Type.String(),
  next_count: Type.Integer(),
});
export type PackOffer = Static<typeof PackOffer>;

/** Lists the parts of a bundle; `worth_shown` is the price of one part alone, empty where it is not sold alone. */
export const BundleOffer = Type.Object({
  parts: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer(), worth_shown: Type.String() })),
  worth_shown: Type.String(),
  off_percent: Type.Integer(),
});
export type BundleOffer = Static<typeof BundleOffer>;

/**
 * The bonus on top of a player's first purchase of it. `times`: so many times the amount in all ("First time x2"), 0
 * where it is no whole number; `shown`: what it is, "+640 Crystals".
 */
export const FirstBonus = Type.Object({ times: Type.Integer(), shown: Type.String() });
export type FirstBonus = Static<typeof FirstBonus>;

/**
 * One thing to buy. `price` is a decimal string in `currency`, `price_shown` is what a player reads.
 * `display` is the name in the language of the request; `art` names a drawing of the goods sprite (pack-1..6, item-*).
 * @source specification section 3, "Goods"
 */
export const Goods = Type.Object({
  value: Type.String(),
  display: Type.String(),
  description: Type.String(),
  price: Type.String(),
  price_minor: Type.Integer(),
  price_shown: Type.String(),
  /** Price before a reduction, shown struck through; empty when there is none. */
  list_price_shown: Type.String(),
  currency: Type.String(),
  typeKey: Type.String(),
  typeSort: Type.Integer(),
  goodsSort: Type.Integer(),
  isLimit: Type.Boolean(),
  isCoupon: Type.Boolean(),
  isSpecial: Type.Boolean(),
  couponPoints: Type.Integer(),
  art: Type.String(),
  /** The publisher's own picture; without one the drawing is shown. */
  picture: Type.Optional(Picture),
  /** Size of the pack, 1 to 6: the card glows accordingly. */
  tier: Type.Integer(),
  /** The number a player buys, e.g. 1280; 0 for goods that are not counted. */
  amount: Type.Integer(),
  /** The unit that `amount` counts, in its form for that number; left out for goods that are not counted. */
  unit: Type.Optional(Type.String()),
  /** "best_value" or empty: the flag on the card, computed. */
  flag: Type.String(),
  offer: Type.Optional(PackOffer),
  bundle: Type.Optional(BundleOffer),
  first: Type.Optional(FirstBonus),
});
export type Goods = Static<typeof Goods>;

/** A shelf: goods of one typeKey in order. `unit` is the name of what is counted ("Crystals"). */
export const Shelf = Type.Object({
  typeKey: Type.String(),
  display: Type.String(),
  unit: Type.String(),
  typeSort: Type.Integer(),
});
export type Shelf = Static<typeof Shelf>;

/** @source specification section 3, "Limit product info". `next_pay_time` is epoch seconds, 0 when open now. */
export const LimitProductInfo = Type.Object({
  product_id: Type.String(),
  limit_type: Type.Enum(['role', 'time', 'game', 'stock']),
  frequency: Type.Integer(),
  day_info: Type.Integer(),
  extra_pay_times: Type.Integer(),
  next_pay_time: Type.Integer(),
});
export type LimitProductInfo = Static<typeof LimitProductInfo>;

/** A bonus item on the card of a product. */
export const ThirdGift = Type.Object({
  product_id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  count: Type.Integer(),
});
export type ThirdGift = Static<typeof ThirdGift>;

/** `display` and `currency_shown` ("Brazilian real") are in the language of the page. */
const MarketItem = Type.Object({
  region: Type.String(),
  country: Type.String(),
  display: Type.String(),
  currency: Type.String(),
  currency_shown: Type.String(),
});
export type MarketItem = Static<typeof MarketItem>;

const shelfInput = { client_id: ClientId, domain_area: Type.Optional(Text(16)), country: Type.Optional(Text(8)) };

export const catalogueRoutes = {
  goods: route({
    path: '/api/pay/getGoodsList',
    kind: 'read',
    summary: 'Goods of a game with local prices, visible before login',
    access: 'anyone',
    input: params(shelfInput),
    output: Type.Object({
      currency: Type.String(),
      country: Type.String(),
      shelves: Type.Array(Shelf),
      list: Type.Array(Goods),
    }),
  }),
  limits: route({
    path: '/api/pay/getLimitProductInfo',
    kind: 'read',
    summary: 'What is left of limited goods for a character, and when the next purchase opens',
    access: 'player',
    input: params({ client_id: ClientId, role_id: Text(64), server_id: Text(64), area_id: Type.Optional(Text(64)) }),
    output: Type.Object({ list: Type.Array(LimitProductInfo) }),
  }),
  firstBonus: route({
    path: '/api/pay/getFirstBonusInfo',
    kind: 'read',
    summary:
      'Products of a game whose first-purchase bonus the player has had, or holds in an order for another character',
    access: 'player',
    input: params({
      client_id: ClientId,
      role_id: Type.Optional(Text(64)),
      server_id: Type.Optional(Text(64)),
      area_id: Type.Optional(Text(64)),
    }),
    output: Type.Object({ used: Type.Array(Type.String()) }),
  }),
  gifts: route({
    path: '/api/pay/getThirdGift',
    kind: 'read',
    summary: 'Bonus items by product',
    access: 'anyone',
    input: params({ client_id: ClientId }),
    output: Type.Object({ list: Type.Array(ThirdGift) }),
  }),
  countries: route({
    path: '/api/pay/getCountryList',
    kind: 'read',
    summary: 'Countries a player can choose in a payment region, and the one assumed',
    access: 'anyone',
    input: params({ domain_area: Type.Optional(Text(16)), client_id: Type.Optional(Text(32)) }),
    output: Type.Object({
      country: Type.String(),
      list: Type.Array(Type.Object({ display: Type.String(), value: Type.String() })),
    }),
  }),
  markets: route({
    path: '/api/config/markets',
    kind: 'read',
    summary: 'Every country the brand sells in, with its payment region and currency, in the order of names',
    access: 'anyone',
    input: params({ domain_area: Type.Optional(Text(16)) }),
    output: Type.Object({ list: Type.Array(MarketItem) }),
  }),
};
