// Coupons and the price with one, on the wire.
import type { FastifyInstance } from 'fastify';
import { couponRoutes } from '#contracts/coupons.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { CouponsService } from './service.ts';

export function mountCouponRoutes(app: FastifyInstance, http: HttpDeps, coupons: CouponsService): void {
  mountRoute(app, http, couponRoutes.couponList, (input, caller) => coupons.list(caller, input));
  mountRoute(app, http, couponRoutes.receiveCoupons, (input, caller) => coupons.receive(caller, input));
  mountRoute(app, http, couponRoutes.price, (input, caller) => coupons.price(caller, input));
}
