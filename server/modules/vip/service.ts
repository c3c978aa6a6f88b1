// VIP: the programme of a brand, a player's points and level, and the coupons of levels. Points are credited and taken
// back by the functions that book deliveries, refunds and chargebacks (orders/sql).
import type { LevelCouponState, VipBasicInfo, VipInfo } from '#contracts/vip.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { type Brand, type Configuration, displayFor, type LevelCoupon } from '#server/modules/configuration/service.ts';
import type { LevelCoupons } from '#server/modules/coupons/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { currencyOfMarket, earnedPoints, marketOf, quote } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { toBasicInfo } from './present.ts';
import { levelOf } from './rules.ts';
import { claimLevelCoupon, listLevelCoupons, readPoints } from './store.ts';

type PlaceInput = { domain_area?: string; country?: string };
type ProductInput = PlaceInput & { client_id: string; product_id?: string };

export type VipService = {
  basicInfo(caller: Caller, input: PlaceInput): Answer<VipBasicInfo>;
  info(caller: PlayerCaller): Promise<Answer<VipInfo>>;
  productPoints(caller: Caller, input: ProductInput): Answer<{ list: { product_id: string; points: number }[] }>;
  /** Adds the level coupons to the coupons of a player. */
  readonly levelCoupons: LevelCoupons;
};

export { levelOf };

export function createVipService(deps: { db: Db; configuration: () => Configuration }): VipService {
  const { db, configuration } = deps;
  const list = (brand: Brand, playerId: PlayerId) =>
    listLevelCoupons(db, { playerId, timeZone: brand.file.timeZone, coupons: couponsOf(brand) });

  return {
    basicInfo: (caller, input) => {
      const brand = brandOf(configuration(), caller);
      if (!brand.vip) return refuse('notFound');
      const market = marketOf(brand, input.domain_area, input.country);
      if (!market) return refuse('wrongDomain');
      return succeed(toBasicInfo(brand.vip, currencyOfMarket(market), displayFor(brand, caller.language)));
    },
    info: async (caller) => {
      const brand = brandOf(configuration(), caller);
      if (!brand.vip) return refuse('notFound');
      const { playerId } = caller.session;
      const [points, coupons] = await Promise.all([readPoints(db, playerId), list(brand, playerId)]);
      const level = levelOf(brand.vip.levels, points);
      return succeed({
        vip_level: level?.id ?? '',
        vip_level_name: displayFor(brand, caller.language).text(level?.name),
        vip_level_show: level?.show ?? '',
        // An operator may have taken points whose order was refunded later; a player owes none.
        total_points: Math.max(0, points),
        level_coupons: coupons.map(({ id, code, state, valid_end: end }): LevelCouponState => ({
          id,
          code,
          state,
          valid_end_time: end.getTime(),
        })),
      });
    },
    productPoints: (caller, input) => {
      const brand = brandOf(configuration(), caller);
      const game = gameForCaller(configuration(), caller, input.client_id);
      if (!game) return refuse('noGame');
      const market = marketOf(brand, input.domain_area, input.country, input.client_id);
      if (!market) return refuse('wrongDomain');
      const wanted = input.product_id;
      const products = [...game.products.values()].filter(({ id }) => wanted === undefined || id === wanted);
      const points = products.flatMap((product) => {
        const priced = quote(market, product);
        return priced ? [{ product_id: product.id, points: earnedPoints(brand, priced.price) }] : [];
      });
      return wanted !== undefined && points.length === 0 ? refuse('productNotFound') : succeed({ list: points });
    },
    levelCoupons: {
      listClaimable: async (brand, playerId) => {
        const coupons = couponsOf(brand);
        if (coupons.length === 0) return [];
        return (await list(brand, playerId)).flatMap((row) => {
          const coupon = row.state === 'claimable' && coupons.find(({ id }) => id === row.id);
          return coupon ? [{ ...row, coupon }] : [];
        });
      },
      claim: async (brand, playerId, code) => {
        const coupon = couponsOf(brand).find(({ id }) => id === code.split('.', 1)[0]);
        // Of an earlier week: what can be had now has another code.
        const now = coupon && (await list(brand, playerId)).find(({ id }) => id === coupon.id);
        if (!coupon || now?.code !== code) return false;
        return claimLevelCoupon(db, { playerId, brandKey: brand.key, timeZone: brand.file.timeZone, coupon });
      },
    },
  };
}

function couponsOf(brand: Brand): LevelCoupon[] {
  return (brand.vip?.levels ?? []).flatMap((level) => level.coupons);
}
