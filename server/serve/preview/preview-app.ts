// A shop to look at: the same pages, goods, prices and pictures, out of the files of a folder and without a database.
// It takes no orders, no logins and no other change, and asks nobody outside.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountRoutes } from '#contracts/accounts.ts';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { gameRoutes } from '#contracts/games.ts';
import { offerRoutes } from '#contracts/offers.ts';
import { paymentRoutes } from '#contracts/payments.ts';
import { vipRoutes } from '#contracts/vip.ts';
import { chooseLanguage, readAcceptLanguage } from '#kernel/languages.ts';
import { toOwnPath } from '#kernel/own-path.ts';
import { type AppDeps, createApp } from '#server/app.ts';
import { compose } from '#server/compose.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { PictureShelf } from '#server/modules/configuration/pictures/serve-pictures.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Adapters } from '#server/own-modules/load-modules.ts';
import { readConfig } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { sendAnswer } from '#server/platform/http/answer.ts';
import { siteOfRequest } from '#server/platform/http/http.ts';
import { redirectTo } from '#server/platform/http/redirect.ts';
import type { Log } from '#server/platform/log.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { mountStorefront } from '#server/shell/mount.ts';
import {
  BRAND_COOKIE,
  isSame,
  KEY_COOKIE,
  type PreviewAccess,
  type PreviewLook,
  takeRequest,
} from './preview-access.ts';
import { addBar, BAR_STYLES } from './preview-bar.ts';

/** Calls that are answered out of memory. */
const ANSWERED = new Set<string>(
  [
    accountRoutes.loginConfig,
    catalogueRoutes.goods,
    catalogueRoutes.gifts,
    catalogueRoutes.countries,
    catalogueRoutes.markets,
    gameRoutes.list,
    gameRoutes.pageConfig,
    gameRoutes.logo,
    offerRoutes.list,
    paymentRoutes.channels,
    vipRoutes.basicInfo,
  ].map(({ path }) => path),
);

export type PreviewInput = {
  /** Folder of the shop, with its logos and icons. */
  readonly root: string;
  readonly configuration: Configuration;
  readonly pictures: PictureShelf;
  readonly adapters: Adapters;
  readonly access: PreviewAccess;
  /** Epoch milliseconds of the prices; null: now. */
  readonly at: number | null;
  readonly log: Log;
  /** The built storefront unless given. */
  readonly mountPages?: NonNullable<AppDeps['mountStorefront']>;
};

/** Not listening yet. @throws when the storefront has not been built */
export async function createPreview(input: PreviewInput): Promise<FastifyInstance> {
  const { root, configuration, adapters, access, log, at } = input;
  const looks = new WeakMap<IncomingMessage, PreviewLook>();
  const shop = compose({
    config: readPreviewConfig(root),
    db: NO_DATABASE,
    log,
    texts: loadTexts(),
    ...adapters,
    providers: adapters.providers.map(silence),
    configuration: () => configuration.at(at ?? Date.now()),
    ...(at === null ? {} : { now: () => at }),
    gameServer: () => null,
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const languages = siteOfRequest(shop, request)?.languages ?? ['en'];
    const language = chooseLanguage(languages, readAcceptLanguage(request.headers['accept-language']));
    return sendAnswer(shop, reply, language, 'previewOnly', null);
  };
  const app = await createApp({
    ...shop,
    pictures: input.pictures,
    mountStorefront: async (instance) => {
      instance.addHook('onRequest', async (request, reply) => {
        const path = request.url.split('?', 1)[0] ?? '';
        reply.header('X-Robots-Tag', 'noindex, nofollow');
        if (path.startsWith('/preview/open/')) return undefined;
        if (!looks.get(request.raw)) return sendNothing(reply);
        const isCall = /^\/(?:api|util|service|callback|openapi)\b/.test(path);
        const isAnswered =
          request.method === 'GET' || request.method === 'HEAD' ? !isCall || ANSWERED.has(path) : false;
        return isAnswered ? undefined : refuse(request, reply);
      });
      instance.addHook('onSend', async (request, reply, payload) => {
        const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
        const { brand } = looks.get(request.raw) ?? {};
        if (!isPage || brand === undefined || typeof payload !== 'string') return payload;
        reply.removeHeader('content-length');
        return addBar(payload, { brand, brands: access.brands, at });
      });
      mountPreviewRoutes(instance, access);
      return input.mountPages?.(instance) ?? mountStorefront(instance, shop, root, NO_KEPT_FILES);
    },
  });
  app.addHook('onClose', () => shop.outbound.close());
  // Before Fastify sees it: everything behind reads the host and the cookies of an ordinary page of a brand.
  app.server.prependListener('request', (request: IncomingMessage) => {
    looks.set(request, takeRequest(request, access));
  });
  return app;
}

const HIDDEN = { schema: { hide: true } as never };

function mountPreviewRoutes(app: FastifyInstance, access: PreviewAccess): void {
  app.get('/preview/bar.css', HIDDEN, async (_request, reply) =>
    reply.header('Cache-Control', 'no-store').type('text/css; charset=utf-8').send(BAR_STYLES),
  );
  app.get<{ Params: { brand: string } }>('/preview/brand/:brand', HIDDEN, async ({ params: { brand } }, reply) => {
    if (!access.brands.includes(brand)) return sendNothing(reply);
    return goHome(reply, `${BRAND_COOKIE}=${brand}; Path=/; HttpOnly; SameSite=Lax`);
  });
  app.get<{ Params: { key: string } }>('/preview/open/:key', HIDDEN, async ({ params: { key } }, reply) => {
    if (access.key === null || !isSame(key, access.key)) return sendNothing(reply);
    return goHome(reply, `${KEY_COOKIE}=${key}; Path=/; HttpOnly; SameSite=Lax`);
  });
}

function goHome(reply: FastifyReply, cookie: string): FastifyReply {
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').header('Set-Cookie', cookie);
  return redirectTo(reply, toOwnPath('/'));
}

function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send('Not Found');
}

/** Settings of this machine are not read: a preview calls nobody, so it needs no secret. */
function readPreviewConfig(root: string) {
  const read = readConfig({
    DATABASE_URL: 'postgres://nobody@preview.invalid/none',
    REFILL_ENVIRONMENT: 'demo',
    REFILL_ROLE: 'web',
    REFILL_SHOP: root,
  });
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return read.config;
}

/** Shown with its methods, without credentials; the calls that would use it are refused before they reach it. */
function silence(provider: PaymentProvider): PaymentProvider {
  const settings = provider.settings.map((setting) => ({ ...setting, isRequired: false }));
  return { ...provider, settings, apiHosts: () => [], payHosts: () => [] };
}

const refuseDatabase = async (): Promise<never> => {
  throw new Error('a preview has no database');
};
/** Whatever would read or write one fails, and says so. */
const NO_DATABASE = {
  query: refuseDatabase,
  connect: refuseDatabase,
  on: () => NO_DATABASE,
  options: {},
} as unknown as Db;

const NO_KEPT_FILES = {
  keep: async () => undefined,
  send: async (_request: FastifyRequest, reply: FastifyReply) => sendNothing(reply),
  stop: () => undefined,
};
