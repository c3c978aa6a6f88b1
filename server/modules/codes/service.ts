// Promo codes: the terms of one for an order, and its price. Taking a use is part of placing an order.
import type { PlayerId } from '#kernel/ids.ts';
import type { Brand } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import type { FailureLimit } from '#server/platform/limits/address-limits.ts';
import { type PromoQuestion, readCode, termsOf } from './rules.ts';
import { type PromoGoods, priceWithPromo } from './store.ts';
import type { PromoRefusal, PromoTerms } from './types.ts';

export { readCode };

/** Our choice: nobody mistypes twenty codes in ten minutes. By player, for many share one address. */
export const PROMO_GUESSES = { failures: 20, seconds: 600, bits: { ipv4: 32, ipv6: 64 } } as const;

type Who = { readonly playerId: PlayerId; readonly brand: Brand };

export type CodesService = {
  /** The terms of the code for an order, or what its player is told. Counts codes that there are not. */
  terms(who: Who, text: string, asked: PromoQuestion): Promise<PromoTerms | Answer<never>>;
  /** The terms with the minor units that the goods cost with the code, or what the player is told. */
  price(
    who: Who,
    text: string,
    region: string,
    goods: PromoGoods,
  ): Promise<{ terms: PromoTerms; amountMinor: number } | Answer<never>>;
};

/** Each reason has a sentence of its own on the page. */
export const refusePromo = (reason: PromoRefusal): Answer<never> => refuse('promoRefused', `promo.${reason}`);

/** @param deps.guesses counts codes that there are not, by player */
export function createCodesService({ db, guesses }: { db: Db; guesses: FailureLimit }): CodesService {
  const terms: CodesService['terms'] = async ({ playerId, brand }, text, asked) => {
    // Asked before the code is looked at: a guess that is right must not be told from one that is wrong.
    if (!(await guesses.hasLeft(playerId))) return refuse('tooManyAttempts');
    const found = termsOf(brand, text, asked);
    if (found === 'unknown') await guesses.count(playerId);
    return typeof found === 'string' ? refusePromo(found) : found;
  };
  return {
    terms,
    price: async (who, text, region, goods) => {
      const { gameId, productId, price, couponCode } = goods;
      const asked = { gameId, productId, region, currency: price.currency, hasCoupon: couponCode !== null };
      const found = await terms(who, text, asked);
      if (isRefused(found)) return found;
      const priced = await priceWithPromo(db, {
        playerId: who.playerId,
        brandKey: who.brand.key,
        promo: found,
        goods,
      });
      return 'reason' in priced ? refusePromo(priced.reason) : { terms: found, amountMinor: priced.amount_minor };
    },
  };
}

export const isRefused = (found: object): found is Answer<never> => 'content' in found;
