// The VIP programme of a brand as modules read it: money parsed, every coupon with the points that its level needs.
import type { Texts } from '#contracts/files.ts';
import type { BrandFile } from '#contracts/brand-file.ts';
import type { LevelCouponEntry } from '#contracts/vip-file.ts';
import { type Currency, parseDecimal } from '#kernel/money.ts';

/** `points` for every `per_minor` minor units that are paid, in proportion and rounded down. */
export type PointsRate = { readonly points: number; readonly per_minor: number };

export type LevelCoupon = {
  readonly id: string;
  readonly type: LevelCouponEntry['type'];
  readonly name: Texts;
  /** "0.9" is a tenth off. */
  readonly rate: string;
  /** How long a permanent one is good after it was claimed; null for the others, which end with their period. */
  readonly days: number | null;
  /** Minor units of the price by currency; empty: any price. */
  readonly minSpend: Readonly<Record<string, number>>;
  readonly games: readonly string[];
  readonly products: readonly string[];
  /** Of its level: whoever has so many points, also as a member of a higher level, can have it. */
  readonly needPoints: number;
};

export type Level = {
  readonly id: string;
  readonly name: Texts;
  readonly show: string;
  readonly needPoints: number;
  readonly coupons: readonly LevelCoupon[];
};

export type Vip = {
  readonly rates: ReadonlyMap<Currency, PointsRate>;
  /** From the lowest, which needs no points. */
  readonly levels: readonly Level[];
  readonly faq: { readonly title: Texts; readonly content: Texts };
};

/** Null while the version flag is off: then nothing of it is shown, earned or used. @source specification section 5 */
export function buildVip({ isVip, vip }: BrandFile): Vip | null {
  if (!isVip || !vip) return null;
  return {
    rates: new Map(
      (Object.entries(vip.points) as [Currency, { amount: string; points: number }][]).map(([currency, rate]) => [
        currency,
        { points: rate.points, per_minor: readMinor(rate.amount, currency) },
      ]),
    ),
    levels: vip.levels.map(({ id, name, show, needPoints, coupons = [] }) => ({
      id,
      name,
      show,
      needPoints,
      coupons: coupons.map((coupon) => buildCoupon(coupon, needPoints)),
    })),
    faq: vip.faq,
  };
}

function buildCoupon(file: LevelCouponEntry, needPoints: number): LevelCoupon {
  return {
    id: file.id,
    type: file.type,
    name: file.name,
    rate: file.rate,
    days: file.days ?? null,
    minSpend: Object.fromEntries(
      (Object.entries(file.minSpend ?? {}) as [Currency, string][]).map(([currency, amount]) => [
        currency,
        readMinor(amount, currency),
      ]),
    ),
    games: file.games ?? [],
    products: file.products ?? [],
    needPoints,
  };
}

function readMinor(text: string, currency: Currency): number {
  const amount = parseDecimal(text, currency);
  if (!amount) throw new RangeError(`"${text}" is not an amount of ${currency}`);
  return amount.amountMinor;
}
