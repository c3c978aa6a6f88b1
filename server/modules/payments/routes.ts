// The channel list on the wire.
import type { FastifyInstance } from 'fastify';
import { paymentRoutes } from '#contracts/payments.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { PaymentsService } from './service.ts';

export function mountPaymentRoutes(app: FastifyInstance, http: HttpDeps, payments: PaymentsService): void {
  mountRoute(app, http, paymentRoutes.channels, async (input, caller) => payments.channelList(caller, input));
}
