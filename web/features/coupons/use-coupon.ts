// The coupon of an order: what there is, which one is chosen, and what the goods cost with it. One for bar, panel,
// sheet and classic page.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Coupon } from '#contracts/coupons.ts';
import { SECOND_MS } from '#kernel/time.ts';
import { CallError } from '#web/platform/calls/query.ts';
import { chooseCoupon, dropCoupon, keyOfGoods, useCouponChoice } from './choice.ts';
import { type CouponPlace, EVERYWHERE, useCouponPrice, useCoupons } from './queries.ts';
import { bestRates, chosenOf, partCoupons } from './rules.ts';

/** @source specification section 8: "-3062 on pay: ... coupons reload after 1 s" */
const RELOAD_MS = SECOND_MS;

/**
 * Returns true when the player has coupons, as far as that is known before goods are chosen: the order keeps room for
 * their line.
 * @param isAsked false only looks at what was answered already
 */
function useCouponsAhead(place: Where, isAsked: boolean): boolean {
  const { avail, claim } = partCoupons(useAllCoupons(place, isAsked).data ?? NO_COUPONS);
  return avail.length + claim.length > 0;
}

type Where = Pick<CouponPlace, 'region' | 'country'>;
const NO_COUPONS: readonly Coupon[] = [];

function useAllCoupons({ region, country }: Where, isAsked: boolean) {
  return useCoupons({ ...EVERYWHERE, region, country }, isAsked);
}

/**
 * The best coupon that the player holds, for each product of a game that takes it: the part of the price that is paid.
 * Asks for all coupons, as the line of the order does; empty until the answer is there.
 * @param gpId the game's, as in the list of games
 */
export function useBestRates(gpId: string, place: Where): ReadonlyMap<string, string> {
  const { data = NO_COUPONS } = useAllCoupons(place, true);
  return useMemo(() => bestRates(data, gpId), [data, gpId]);
}

/** @param isOpen whether the goods take coupons at all: `isCoupon` */
export function useCoupon(place: CouponPlace, isOpen: boolean) {
  const queries = useQueryClient();
  const about = keyOfGoods(place);
  const list = useCoupons(place, isOpen && place.productId !== '');
  const isExpected = useCouponsAhead(place, false);
  const { said, fault } = useCouponChoice(about);
  // @source specification section 8: "Failed coupon load: the coupon is cleared and the coupon area marked failed"
  const coupons = isOpen && !list.isError ? (list.data ?? []) : [];
  const wanted = chosenOf(coupons, said);
  const price = useCouponPrice(place, wanted?.code ?? '');
  const reload = () => {
    void queries.invalidateQueries({ queryKey: ['coupons'] });
    queries.removeQueries({ queryKey: ['coupon-price'] });
  };
  /** The server takes it for these goods no more: let go of it, and see a moment later what there is. */
  const refuse = (code: string) => {
    dropCoupon(about, { kind: 'refused', code });
    setTimeout(reload, RELOAD_MS);
  };
  // @source specification section 8: "A failed price calculation also clears the coupon and sets a retry flag"
  const lose = useEffectEvent(() => {
    if (!wanted) return;
    const isRefused = price.error instanceof CallError && isIllegal(price.error);
    if (isRefused) refuse(wanted.code);
    else dropCoupon(about, { kind: 'unpriced', code: wanted.code });
  });
  const isUnpriced = price.isError && wanted !== null;
  useEffect(() => {
    if (isUnpriced) lose();
  }, [isUnpriced]);

  const { avail, claim } = partCoupons(coupons);
  const isPricing = wanted !== null && price.isPending;
  return {
    /** False for strangers, and where the shop has no coupons. */
    isAsked: list.isEnabled,
    /** The player has some, so the line is about to come. */
    isExpected,
    place,
    list,
    wanted,
    fault,
    /** At the price that the server told; null without a coupon, and until the price is there. */
    chosen: wanted && price.data ? pricedOf(wanted, price.data) : null,
    usable: coupons.filter((coupon) => coupon.is_applicable).length,
    available: avail.length,
    claimable: claim.length,
    /** Not known yet what is to pay. After the first try for the list the player need not wait for it. */
    isPending: isPricing || (list.isLoading && list.failureCount === 0),
    refuse,
    /** An order stands: it holds the coupon now. */
    reload,
    retry: () => {
      queries.removeQueries({ queryKey: ['coupon-price'] });
      if (fault) chooseCoupon(about, fault.code);
    },
  };
}

export type OrderCoupon = ReturnType<typeof useCoupon>;

const isIllegal = ({ outcome }: CallError): boolean => outcome.kind === 'code' && outcome.name === 'illegalCoupon';

type Price = NonNullable<ReturnType<typeof useCouponPrice>['data']>;

function pricedOf({ code, name_shown: name }: Coupon, price: Price) {
  return {
    code,
    name,
    price: price.discountPrice,
    price_minor: price.price_minor,
    price_shown: price.discount_price_shown,
    off_shown: price.off_shown,
  };
}
