// The VIP programme of a brand, in its brand.yaml: points for money, levels, and the coupons of each level.
import Type, { type Static } from 'typebox';
import { Amount, CurrencyKey, Id, Rate, Texts, mapOf, strict } from './files.ts';

/**
 * @source specification section 3, "VIP basic info": "coupons_list whose entries have type permanent, week or month"
 */
export const LEVEL_COUPON_TYPES = ['permanent', 'week', 'month'] as const;

const LevelCoupon = strict({
  id: Type.Unsafe<string>({
    ...Id,
    description: 'Key of the coupon; who had it has had it, so another coupon needs another key',
  }),
  type: Type.Enum([...LEVEL_COUPON_TYPES], {
    description:
      'permanent: once for ever. week, month: once in each calendar week (from Monday) or month of the time zone',
  }),
  name: Texts,
  rate: Rate,
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3660,
      description: 'How long a permanent coupon is good after it was claimed',
    }),
  ),
  minSpend: Type.Optional(mapOf(CurrencyKey, Amount, 'Least price by currency; in other currencies it cannot be used')),
  games: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'Only for these games' })),
  products: Type.Optional(Type.Array(Id, { minItems: 1, uniqueItems: true, description: 'Only for these goods' })),
});
export type LevelCouponEntry = Static<typeof LevelCoupon>;

const Level = strict({
  id: Id,
  name: Texts,
  show: Type.String({ minLength: 1, maxLength: 12, description: 'Short mark beside the star, e.g. V3' }),
  needPoints: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Points from which a player has it' }),
  coupons: Type.Optional(Type.Array(LevelCoupon, { minItems: 1 })),
});
export type LevelEntry = Static<typeof Level>;

export const VipProgramme = strict(
  {
    points: mapOf(
      CurrencyKey,
      strict({
        amount: Type.Unsafe<string>({ ...Amount, description: 'For so much of the price ...' }),
        points: Type.Integer({ minimum: 1, maximum: 1_000_000, description: '... so many points' }),
      }),
      'Points for money, by the currency that is paid; parts of a point are dropped',
    ),
    levels: Type.Array(Level, { minItems: 1, maxItems: 20 }),
    faq: strict(
      { title: Texts, content: Texts },
      'Questions and answers: text with p, br, b, strong, i, em, u, small, h3, ul, ol, li and links to https or mailto',
    ),
  },
  'VIP programme; needs isVip: true',
);
