// Asks the server about coupons: a player's list, one to claim, and the price of goods with one.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Coupon, couponRoutes } from '#contracts/coupons.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useBrand } from '#web/platform/brand.ts';
import { read } from '#web/platform/calls/query.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { showToast } from '#web/platform/toast.ts';

/**
 * Goods, where they are bought and who receives them. No `productId`: all coupons of the brand, none of them priced.
 */
export type CouponPlace = {
  clientId: string;
  region: string;
  country: string;
  productId: string;
  serverId: string;
  areaId: string;
  roleId: string;
};

/** My shows them all, of every game. */
export const EVERYWHERE: CouponPlace = {
  clientId: '',
  region: '',
  country: '',
  productId: '',
  serverId: '',
  areaId: '',
  roleId: '',
};

const ALL_TABS = 'claim,avail,lock,history';

/**
 * Every coupon of the player, the best first; nobody's while nobody is logged in.
 * @source specification section 5: "VIP features (coupons, points) show only when the VIP version flag is on"
 */
export function useCoupons(place: CouponPlace, isAsked = true) {
  const language = useLanguage();
  const user = useUser();
  const { isVip } = useBrand();
  return useQuery({
    queryKey: ['coupons', user?.suid ?? '', language, place],
    queryFn: ({ signal }) => read(couponRoutes.couponList, { ...inputOf(place), use_category: ALL_TABS }, signal),
    enabled: isAsked && isVip && user !== null,
    select: ({ list }) => list,
    meta: { isQuiet: true },
  });
}

/**
 * Reads the price of the goods with this coupon. One question, one answer: a price that does not come clears the
 * coupon.
 */
export function useCouponPrice(place: CouponPlace, code: string) {
  const language = useLanguage();
  const user = useUser();
  return useQuery({
    queryKey: ['coupon-price', user?.suid ?? '', language, place, code],
    queryFn: ({ signal }) =>
      read(
        couponRoutes.price,
        { ...inputOf(place), client_id: place.clientId, product_id: place.productId, coupon_code: code },
        signal,
      ),
    enabled: code !== '' && user !== null,
    retry: false,
  });
}

/** Claims one, says so, and reads the lists again. @source specification section 4: "button 'claimable' receives it" */
export function useClaim() {
  const queries = useQueryClient();
  return async ({ code, name_shown: name }: Coupon): Promise<void> => {
    const outcome = await change(couponRoutes.receiveCoupons, { code });
    if (outcome.kind === 'ok') showToast(t('coupon.claimed', { name }), 'ok');
    else react(outcome);
    await queries.invalidateQueries({ queryKey: ['coupons'] });
  };
}

function inputOf({ clientId, region, country, productId, serverId, areaId, roleId }: CouponPlace) {
  return {
    ...(clientId && { client_id: clientId }),
    ...(region && { domain_area: region }),
    ...(country && { country }),
    ...(productId && { product_id: productId }),
    ...(serverId && { server_id: serverId }),
    ...(areaId && { areaId }),
    ...(roleId && { role_id: roleId }),
  };
}
