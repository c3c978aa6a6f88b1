// Which promo code a player means, and whether it is for what they buy, as the files say. Pure; windows, counts and the
// price are the database's to say (sql/promo_price.sql).
import type { Currency } from '#kernel/money.ts';
import type { Brand, PromoCode } from '#server/modules/configuration/service.ts';
import type { PromoRefusal, PromoTerms } from './types.ts';

/** Describes the purchase that a code is asked for; `hasCoupon`: the order has a coupon as well. */
export type PromoQuestion = {
  readonly gameId: string;
  readonly productId: string;
  readonly region: string;
  readonly currency: Currency;
  readonly hasCoupon: boolean;
};

/** A code as it is written in the files: people type small or wide letters, and copy blanks with it. */
export const readCode = (text: string): string => text.normalize('NFKC').trim().toUpperCase();

/** The terms of the code for this order, or why it is not for it. */
export function termsOf(brand: Brand, text: string, asked: PromoQuestion): PromoTerms | PromoRefusal {
  const promo = brand.promoCodes.get(readCode(text));
  if (!promo) return 'unknown';
  const { file } = promo;
  const isMeant =
    (file.games?.includes(asked.gameId) ?? true) &&
    (file.products?.includes(asked.productId) ?? true) &&
    (file.regions?.includes(asked.region) ?? true) &&
    (promo.off?.has(asked.currency) ?? true) &&
    (promo.minSpend?.has(asked.currency) ?? true);
  if (!isMeant) return 'not_here';
  if (asked.hasCoupon && file.withCoupon !== true) return 'with_coupon';
  return toTerms(promo, asked.currency);
}

function toTerms({ file, off, minSpend, validFrom, validEnd }: PromoCode, currency: Currency): PromoTerms {
  const offMinor = off?.get(currency)?.amountMinor;
  const minimumMinor = minSpend?.get(currency)?.amountMinor;
  // A first purchase happens once, also where two orders are open.
  const perPlayer = file.firstPurchase ? 1 : file.perPlayer;
  return {
    code: file.code,
    ...(file.rate !== undefined && { rate: file.rate }),
    ...(offMinor !== undefined && { off_minor: offMinor }),
    ...(minimumMinor !== undefined && { min_spend_minor: minimumMinor }),
    ...(file.total !== undefined && { total: file.total }),
    ...(perPlayer !== undefined && { per_player: perPlayer }),
    ...(file.firstPurchase && { is_first: true }),
    ...(validFrom !== null && { valid_from: new Date(validFrom).toISOString() }),
    ...(validEnd !== null && { valid_end: new Date(validEnd).toISOString() }),
    ...(file.creator && { creator: file.creator.id, share_bp: file.creator.share }),
  };
}
