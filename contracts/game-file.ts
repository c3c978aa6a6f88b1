// The shape of games/<id>/game.yaml: a game, its clients, shelves, goods, prices and limits.
import Type, { type Static } from 'typebox';
import {
  Amount,
  AssetName,
  ClientIdText,
  CountryKey,
  CurrencyKey,
  Focus,
  HttpsUrl,
  Id,
  Instant,
  LanguageKey,
  LocalMoment,
  PictureName,
  RegionKey,
  Texts,
  mapOf,
  strict,
} from './files.ts';

const Gift = strict({
  id: Id,
  /** May be an ICU plural over `n`, as a shelf's unit. */
  name: Texts,
  count: Type.Integer({ minimum: 1 }),
  isCurrency: Type.Optional(
    Type.Boolean({ description: 'true: more of what the product counts in `amount`; it counts in the price per unit' }),
  ),
});

/**
 * role: `times` per character for ever; time: `times` within `days` days of the calendar (countingZone); game:
 * `times` per account and game.
 * @source specification section 3, "Limit product info"
 */
const Limit = strict({
  type: Type.Enum(['role', 'time', 'game']),
  times: Type.Integer({ minimum: 1, maximum: 999 }),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 })),
});
export type Limit = Static<typeof Limit>;

/** Drawings of web/art/goods.svg that stand for goods; a test keeps the two equal. */
export const GOODS_DRAWINGS = [
  'pack-1',
  'pack-2',
  'pack-3',
  'pack-4',
  'pack-5',
  'pack-6',
  'item-pass',
  'item-pack',
  'item-starter',
  'item-crown',
] as const;

const CountryPrices = mapOf(
  CountryKey,
  strict({ currency: CurrencyKey, amount: Amount }),
  'Price in one country, in the currency charged there; it goes before the price by currency',
);

/** The named prices replace those from before; all other prices stay. */
const PriceChange = strict({
  from: Instant,
  prices: Type.Optional(mapOf(CurrencyKey, Amount, 'Price by currency from then on; its list price before then ends')),
  listPrices: Type.Optional(mapOf(CurrencyKey, Amount, 'Price before a reduction, by currency')),
  countryPrices: Type.Optional(CountryPrices),
});

const GoodsEntry = strict({
  id: Id,
  /** Left out for counted goods: amount and unit of the shelf name them. */
  name: Type.Optional(Texts),
  description: Type.Optional(Texts),
  shelf: Id,
  sort: Type.Integer(),
  picture: Type.Optional(PictureName),
  art: Type.Enum([...GOODS_DRAWINGS], { description: 'Drawing of the goods sprite, shown where there is no picture' }),
  tier: Type.Integer({ minimum: 1, maximum: 6 }),
  amount: Type.Optional(Type.Integer({ minimum: 1 })),
  prices: mapOf(CurrencyKey, Amount, 'Price by currency'),
  listPrices: Type.Optional(mapOf(CurrencyKey, Amount, 'Price before a reduction, by currency')),
  countryPrices: Type.Optional(CountryPrices),
  priceChanges: Type.Optional(
    Type.Array(PriceChange, { minItems: 1, description: 'Prices that come into force by themselves, in order' }),
  ),
  gifts: Type.Optional(Type.Array(Gift)),
  limit: Type.Optional(Limit),
  stock: Type.Optional(Type.Integer({ minimum: 0, description: 'How many can be sold at all, over all players' })),
  beta: Type.Optional(
    Type.Boolean({ description: 'true: only browsers with a beta key see and buy it, for real money as everybody' }),
  ),
  firstTime: Type.Optional(
    strict(
      {
        gifts: Type.Array(Gift, { minItems: 1, maxItems: 12 }),
        season: Type.Optional(
          Type.Unsafe<string>({
            ...Id,
            description: 'With another one here every player can have the bonus once more',
          }),
        ),
      },
      'Bonus of the first purchase of this product, once per account',
    ),
  ),
  isSpecial: Type.Optional(Type.Boolean()),
  isCoupon: Type.Optional(Type.Boolean()),
});
export type GoodsEntry = Static<typeof GoodsEntry>;

/** One thing that a step hands over. */
const RewardItem = strict({
  id: Id,
  /** May be an ICU plural over `n`, as a shelf's unit. */
  name: Texts,
  count: Type.Integer({ minimum: 1 }),
  picture: Type.Optional(PictureName),
  art: Type.Enum([...GOODS_DRAWINGS], { description: 'Drawing of the goods sprite, shown where there is no picture' }),
});
export type RewardItem = Static<typeof RewardItem>;

const EventStep = strict({
  id: Type.String({
    ...Id,
    description: 'The product_id of the grant, as agreed with the game; unlike every product and every other step',
  }),
  total: Type.Optional(
    mapOf(CurrencyKey, Amount, 'cumulative: what was paid in the window; reached by one of the currencies'),
  ),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366,
      description:
        'continuous: days in a row. daily: the day of the streak: 1, 2, 3, ...; after the last comes the first',
    }),
  ),
  items: Type.Array(RewardItem, { minItems: 1, maxItems: 12 }),
});
export type EventStep = Static<typeof EventStep>;

/** @source specification section 4, "Event rewards"; section 7, "/api/cumulative/..." */
const EventEntry = strict({
  id: Id,
  kind: Type.Enum(['cumulative', 'continuous', 'daily'], {
    description:
      'cumulative: the total paid in the window. continuous: days in a row with a top-up. ' +
      'daily: claimed once a day without paying; a missed day begins anew',
  }),
  name: Texts,
  text: Type.Optional(Texts),
  every: Type.Optional(
    Type.Enum(['week', 'month'], {
      description: "Begins anew each week (from Monday) or month of the brand's calendar; left out: one window",
    }),
  ),
  from: Type.Optional(LocalMoment),
  until: Type.Optional(LocalMoment),
  receiveDays: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 7,
      description: 'Not of daily: days after the end to receive rewards in',
    }),
  ),
  brands: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, description: 'Keys of brands; left out: all that sell the game' }),
  ),
  regions: Type.Optional(
    Type.Array(RegionKey, { minItems: 1, description: 'Shown and counted there only; left out: everywhere' }),
  ),
  least: Type.Optional(
    mapOf(CurrencyKey, Amount, 'continuous: what a day must have been paid to count, by currency; left out: anything'),
  ),
  beta: Type.Optional(Type.Boolean({ description: 'true: only browsers with a beta key see it' })),
  steps: Type.Array(EventStep, { minItems: 1, maxItems: 40 }),
});
export type EventEntry = Static<typeof EventEntry>;

/**
 * Another price of one product, for each account so many times, until a moment. It is open for everybody in its window,
 * or with `after` for who bought something a moment ago.
 */
const OfferEntry = strict({
  id: Id,
  product: Type.String({ ...Id, description: 'The product that it sells' }),
  name: Texts,
  prices: mapOf(CurrencyKey, Amount, 'What the product costs in the offer, by currency; below its price'),
  every: Type.Optional(
    Type.Enum(['day', 'week', 'month'], {
      description: "Begins anew each day, week (from Monday) or month of the brand's calendar; left out: one window",
    }),
  ),
  from: Type.Optional(LocalMoment),
  until: Type.Optional(LocalMoment),
  times: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 1, description: 'How often one player can take it in a window' }),
  ),
  after: Type.Optional(
    strict(
      {
        products: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'Left out: any product' })),
        minutes: Type.Integer({ minimum: 5, maximum: 10_080, description: 'How long it stands after the delivery' }),
      },
      'Opens for a player once an order of one of these products was delivered',
    ),
  ),
  brands: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, description: 'Keys of brands; left out: all that sell the game' }),
  ),
  regions: Type.Optional(Type.Array(RegionKey, { minItems: 1, description: 'Sold there only; left out: everywhere' })),
  beta: Type.Optional(Type.Boolean({ description: 'true: only browsers with a beta key see it' })),
});
export type OfferEntry = Static<typeof OfferEntry>;

const SubGameEntry = strict({ code: Id, name: Texts, gpId: ClientIdText, clientId: ClientIdText, icon: AssetName });

export const GameFile = strict({
  name: Texts,
  code: Type.String({
    pattern: '^[a-z0-9]{2,24}$',
    title: 'short code of two to twenty-four lower-case letters and digits',
    description: 'Short code of the address /@code',
    examples: ['ember'],
  }),
  gpId: ClientIdText,
  clients: strict({ android: Type.Optional(ClientIdText), ios: Type.Optional(ClientIdText), web: ClientIdText }),
  subGames: Type.Optional(Type.Array(SubGameEntry)),
  icon: AssetName,
  art: Type.Optional(
    strict(
      {
        hero: Type.Optional(PictureName),
        heroFocus: Type.Optional(Focus),
        currency: Type.Optional(PictureName),
      },
      'Key art behind the landing page, and what the currency looks like in every brand',
    ),
  ),
  timeZone: Type.Optional(
    Type.String({
      default: 'Etc/UTC',
      description:
        'IANA zone in which days, weeks and months of limits, events and offers begin at brands with accounts: game; ' +
        'other brands go by their own',
    }),
  ),
  hasAreas: Type.Boolean(),
  languages: Type.Optional(
    Type.Array(LanguageKey, {
      minItems: 1,
      description: 'Languages that its pages offer, in this order, and the view inside it; left out: all of the brand',
    }),
  ),
  hasEntryCodes: Type.Optional(
    Type.Boolean({ description: 'true: the game shows its players a code that opens the shop on another device' }),
  ),
  links: strict({ terms: HttpsUrl, privacy: HttpsUrl, accountHelp: Type.Optional(HttpsUrl) }),
  openLink: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9+.-]*://[^\\s]+$',
      maxLength: 400,
      title: 'address that opens the game',
      examples: ['emberfall://open'],
      description:
        'Opens the game after a delivery: an address beginning with https://, or with a scheme of the game itself',
    }),
  ),
  isCouponOpen: Type.Boolean(),
  events: Type.Optional(
    Type.Array(EventEntry, { description: 'Rewards for topping up: for a total, or for days in a row' }),
  ),
  offers: Type.Optional(
    Type.Array(OfferEntry, { description: 'Products at another price for a while, or after a purchase' }),
  ),
  protocol: Type.Optional(
    Type.String({
      ...Id,
      default: 'standard',
      description: 'How its server is spoken to: by the game server contract, or as a module of the shop says',
    }),
  ),
  check: Type.Optional(
    Type.Enum(['required', 'when_reachable'], {
      default: 'required',
      description:
        'The game is asked before money is. required: no payment without its yes. ' +
        'when_reachable: a game that cannot be reached is taken for a yes',
    }),
  ),
  declined: Type.Optional(
    Type.Enum(['refund', 'review'], {
      default: 'refund',
      description:
        'After payment the game says for certain that it will not deliver. refund: the money goes back by itself. ' +
        'review: a person decides',
    }),
  ),
  /** `unit` is a text, or an ICU plural over `n`: {n, plural, one {Crystal} other {Crystals}}. */
  shelves: Type.Array(strict({ key: Id, name: Texts, unit: Texts, sort: Type.Integer() }), { minItems: 1 }),
  goods: Type.Array(GoodsEntry, { minItems: 1 }),
});
export type GameFile = Static<typeof GameFile>;
