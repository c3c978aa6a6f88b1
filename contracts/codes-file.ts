// Promo codes of a brand, in its brand.yaml: what they take off, whom and how often they are for, whose they are.
import Type, { type Static } from 'typebox';
import { Amount, CurrencyKey, Id, LocalMoment, Rate, RegionKey, mapOf, strict } from './files.ts';

export const PromoCodeEntry = strict({
  code: Type.String({
    pattern: '^[A-Z0-9][A-Z0-9-]{2,23}$',
    title: 'code of three to twenty-four capital letters, digits and "-"',
    description: 'What players type or a link carries; they may write it in small letters',
    examples: ['EMBER10'],
  }),
  rate: Type.Optional(Rate),
  off: Type.Optional(mapOf(CurrencyKey, Amount, 'So much less, by currency; in other currencies it cannot be used')),
  minSpend: Type.Optional(mapOf(CurrencyKey, Amount, 'Least price by currency; in other currencies it cannot be used')),
  from: Type.Optional(LocalMoment),
  until: Type.Optional(LocalMoment),
  total: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'How often it can be used, over all players' }),
  ),
  perPlayer: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'How often one player can use it' })),
  firstPurchase: Type.Optional(
    Type.Boolean({ description: 'true: only for players who have bought nothing from this brand yet' }),
  ),
  games: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'Only for these games' })),
  products: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'Only for these goods' })),
  regions: Type.Optional(
    Type.Array(RegionKey, { minItems: 1, uniqueItems: true, description: 'Only in these payment regions' }),
  ),
  withCoupon: Type.Optional(
    Type.Boolean({ description: 'true: goes with a coupon on one order, on what the coupon leaves to pay' }),
  ),
  creator: Type.Optional(
    strict(
      {
        id: Type.Unsafe<string>({ ...Id, description: 'Whom reports name; one creator may have several codes' }),
        share: Type.Integer({
          minimum: 1,
          maximum: 9000,
          description: 'Basis points of what is paid: 500 is five percent',
        }),
      },
      'Whose code it is: they have a share of every order with it',
    ),
  ),
});
export type PromoCodeEntry = Static<typeof PromoCodeEntry>;
