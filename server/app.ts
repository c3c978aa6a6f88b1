// Puts the modules on Fastify: every route of the shop, health, the OpenAPI document in demo, plain 404s.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { readAcceptLanguage, chooseLanguage } from '#kernel/languages.ts';
import { mountHealth } from './health.ts';
import type { LoginLinksService } from './modules/accounts/links/login-links.ts';
import { mountLinkRoutes } from './modules/accounts/links/link-routes.ts';
import { mountLoginRoutes } from './modules/accounts/logins/login-routes.ts';
import { mountNoticeRoutes } from './modules/accounts/logins/notice-routes.ts';
import { mountSessionRoutes } from './modules/accounts/sessions/session-routes.ts';
import type { LoginsService } from './modules/accounts/logins/logins.ts';
import { mountAccountRoutes } from './modules/accounts/routes.ts';
import type { AccountsService } from './modules/accounts/service.ts';
import { mountCatalogueRoutes } from './modules/catalogue/routes.ts';
import type { CatalogueService } from './modules/catalogue/service.ts';
import { mountPictureRoutes } from './modules/configuration/pictures/picture-routes.ts';
import type { PictureShelf } from './modules/configuration/pictures/serve-pictures.ts';
import { type Configuration, createPictureShelf } from './modules/configuration/service.ts';
import { mountCouponRoutes } from './modules/coupons/routes.ts';
import type { CouponsService } from './modules/coupons/service.ts';
import { mountEventRoutes } from './modules/events/routes.ts';
import type { EventsService } from './modules/events/service.ts';
import { mountGameRoutes } from './modules/games/routes.ts';
import type { GamesService } from './modules/games/service.ts';
import { mountGiftCardRoutes } from './modules/giftcards/routes.ts';
import type { GiftCardsService } from './modules/giftcards/service.ts';
import { mountOrderRoutes } from './modules/orders/routes.ts';
import type { OrdersService } from './modules/orders/service.ts';
import { mountWalletRoutes } from './modules/wallet/routes.ts';
import { mountVipRoutes } from './modules/vip/routes.ts';
import { mountOfferRoutes } from './modules/offers/routes.ts';
import type { OffersService } from './modules/offers/service.ts';
import type { VipService } from './modules/vip/service.ts';
import type { WalletService } from './modules/wallet/service.ts';
import { mountReplenishRoutes } from './modules/replenish/routes.ts';
import type { ReplenishService } from './modules/replenish/service.ts';
import { mountPrivacyRoutes } from './modules/privacy/routes.ts';
import type { PrivacyService } from './modules/privacy/service.ts';
import { mountRealNameRoutes } from './modules/realname/routes.ts';
import type { RealNameService } from './modules/realname/service.ts';
import { mountReportRoutes } from './modules/reports/routes.ts';
import type { ReportsService } from './modules/reports/service.ts';
import { mountSpendingRoutes } from './modules/spending/routes.ts';
import type { SpendingService } from './modules/spending/service.ts';
import { mountTrackingRoutes } from './modules/tracking/routes.ts';
import type { TrackingService } from './modules/tracking/service.ts';
import { mountPaymentRoutes } from './modules/payments/routes.ts';
import type { PaymentsService } from './modules/payments/service.ts';
import { type HttpDeps, createHttp, siteOfRequest } from './platform/http/http.ts';
import { sendAnswer } from './platform/http/answer.ts';
import type { Unsellable } from './serve/check-brands.ts';
import { readBrandFace } from './shell/brand-face.ts';
import type { SendMissingPage } from './shell/mount.ts';

export type AppDeps = HttpDeps & {
  readonly configuration: () => Configuration;
  readonly accounts: AccountsService;
  readonly loginLinks: LoginLinksService;
  readonly logins: LoginsService;
  readonly games: GamesService;
  readonly catalogue: CatalogueService;
  readonly coupons: CouponsService;
  readonly vip: VipService;
  readonly offers: OffersService;
  readonly giftCards: GiftCardsService;
  readonly wallet: WalletService;
  readonly payments: PaymentsService;
  readonly orders: OrdersService;
  readonly events: EventsService;
  readonly replenish: ReplenishService;
  readonly realNames: RealNameService;
  readonly spending: SpendingService;
  readonly privacy: PrivacyService;
  readonly tracking: TrackingService;
  readonly reports: ReportsService;
  readonly cannotSell: () => readonly Unsellable[];
  /** Sizes of pictures; those of the database unless given. */
  readonly pictures?: PictureShelf;
  /** Adds the storefront's documents and assets; left out where only the API is wanted. */
  readonly mountStorefront?: (app: FastifyInstance) => Promise<SendMissingPage>;
};

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = createHttp(deps);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Refill storefront API', version: '1', description: 'Answers are wrapped as code, msg, content.' },
    },
  });
  mountAccountRoutes(app, deps, deps.accounts, deps.logins.clientOfGame);
  mountLinkRoutes(app, deps, deps.loginLinks, {
    gpIdOf: deps.accounts.gpIdOf,
    faceOf: (brandKey) => readBrandFace(deps.configuration(), brandKey),
  });
  mountLoginRoutes(app, deps, deps.logins);
  mountNoticeRoutes(app, deps, deps.logins);
  mountSessionRoutes(app, deps, deps.logins);
  mountGameRoutes(app, deps, deps.games);
  mountCatalogueRoutes(app, deps, deps.catalogue);
  mountCouponRoutes(app, deps, deps.coupons);
  mountVipRoutes(app, deps, deps.vip);
  mountOfferRoutes(app, deps, deps.offers);
  mountGiftCardRoutes(app, deps, deps.giftCards);
  mountWalletRoutes(app, deps, deps.wallet);
  mountPaymentRoutes(app, deps, deps.payments);
  mountOrderRoutes(app, deps, deps.orders);
  mountEventRoutes(app, deps, deps.events);
  mountReplenishRoutes(app, deps, deps.replenish);
  mountRealNameRoutes(app, deps, deps.realNames);
  mountSpendingRoutes(app, deps, deps.spending);
  mountPrivacyRoutes(app, deps, deps.privacy);
  mountTrackingRoutes(app, deps, deps.tracking);
  mountReportRoutes(app, deps, deps.reports);
  mountPictureRoutes(app, deps.pictures ?? createPictureShelf(deps.db));
  mountHealth(app, deps);

  // Written once: it is long, and a crowd that asks for it must not hold up everybody else.
  let document: Buffer | null = null;
  app.get('/openapi.json', { schema: { hide: true } as never }, async (request, reply) => {
    const site = siteOfRequest(deps, request);
    if (!site || deps.config.environment !== 'demo')
      return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  mountNotFound(app, deps, await deps.mountStorefront?.(app));
  return app;
}

/**
 * The plain answer for a host nobody has, the page for a visitor who lost the way, the envelope for a call to nothing.
 */
function mountNotFound(app: FastifyInstance, deps: HttpDeps, sendMissingPage?: SendMissingPage): void {
  app.setNotFoundHandler(async (request, reply) => {
    const site = siteOfRequest(deps, request);
    if (!site) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
    const language = chooseLanguage(site.languages, readAcceptLanguage(request.headers['accept-language']));
    return sendMissingPage?.(request, reply) ?? sendAnswer(deps, reply, language, 'notFound', null);
  });
}
