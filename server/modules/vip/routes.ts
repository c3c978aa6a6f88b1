// The VIP programme on the wire.
import type { FastifyInstance } from 'fastify';
import { vipRoutes } from '#contracts/vip.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { VipService } from './service.ts';

export function mountVipRoutes(app: FastifyInstance, http: HttpDeps, vip: VipService): void {
  mountRoute(app, http, vipRoutes.basicInfo, async (input, caller) => vip.basicInfo(caller, input));
  mountRoute(app, http, vipRoutes.info, (_input, caller) => vip.info(caller));
  mountRoute(app, http, vipRoutes.productPoints, async (input, caller) => vip.productPoints(caller, input));
}
