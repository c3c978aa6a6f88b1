// The promo code of an order: what the goods cost with it, alone and beside the coupon. The page computes no amount.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { couponRoutes } from '#contracts/coupons.ts';
import type { InputOf, OutputOf } from '#contracts/route.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { CallError, read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { refuseCode, useCodeChoice } from './code-choice.ts';

/** The goods, where they are bought and who receives them, as the question for a price names them. */
export type PromoPlace = Omit<InputOf<typeof couponRoutes.price>, 'coupon_code' | 'promo_code'>;

/** @param coupon the code of the chosen coupon, empty for none */
export function usePromo(place: PromoPlace, coupon: string) {
  const queries = useQueryClient();
  const { hasPromoCodes } = useBrand();
  const choice = useCodeChoice();
  const isShown = hasPromoCodes && place.product_id !== '';
  const asked = isShown && choice.refused === '' ? choice.code : '';
  const alone = usePromoPrice(place, asked, '');
  const goesWithCoupon = alone.data?.goes_with_coupon === true;
  const isBeside = goesWithCoupon && coupon !== '';
  const beside = usePromoPrice(place, isBeside ? asked : '', coupon);
  return {
    isShown,
    choice,
    /** Null while there is none, or it is not priced. */
    alone: asked !== '' && alone.data ? pricedOf(alone.data) : null,
    /** With the chosen coupon; null without one, and where the two do not go together. */
    beside: isBeside && beside.data ? pricedOf(beside.data) : null,
    /** The code is good here, and suffers no coupon beside it. */
    isExclusive: asked !== '' && alone.data?.goes_with_coupon === false,
    isPending: alone.isLoading || beside.isLoading,
    fault: choice.refused || faultOf(alone.error ?? beside.error),
    refuse: (words: string) => {
      refuseCode(words);
      queries.removeQueries({ queryKey: ['promo-price'] });
    },
    /** An order stands: it holds a use of the code now. */
    reload: () => queries.removeQueries({ queryKey: ['promo-price'] }),
  };
}

export type OrderPromo = ReturnType<typeof usePromo>;

function usePromoPrice(place: PromoPlace, code: string, coupon: string) {
  const language = useLanguage();
  const user = useUser();
  const input = { ...place, promo_code: code, ...(coupon && { coupon_code: coupon }) };
  return useQuery({
    queryKey: ['promo-price', user?.suid ?? '', language, input],
    queryFn: ({ signal }) => read(couponRoutes.price, input, signal),
    enabled: code !== '' && user !== null,
    retry: false,
    meta: { isQuiet: true },
  });
}

function pricedOf(price: OutputOf<typeof couponRoutes.price>) {
  return {
    code: price.promo_code,
    price_minor: price.price_minor,
    price_shown: price.discount_price_shown,
    off_shown: price.promo_off_shown,
  };
}

/** The server says why a code does not work; without an answer the page does. */
function faultOf(error: unknown): string {
  if (!error) return '';
  return error instanceof CallError && error.outcome.kind === 'code' ? error.outcome.msg : t('promo.price_error');
}
