// Builds the services out of configuration, database and providers: what main.ts runs and tests build by hand.
import type { BrandKey, GameId } from '#kernel/ids.ts';
import { createGameRealNames } from './game-real-names.ts';
import { createGameAccounts, createGameIdentities } from './game-accounts.ts';
import type { LoginProvider } from './modules/accounts/logins/login-port.ts';
import { openLoginProviders } from './modules/accounts/logins/open-providers.ts';
import { createLoginLinksService } from './modules/accounts/links/login-links.ts';
import { findOrMakePlayer } from './modules/accounts/links/ticket-call.ts';
import { createLoginsService } from './modules/accounts/logins/logins.ts';
import { createAccountsService } from './modules/accounts/service.ts';
import { createCatalogueService } from './modules/catalogue/service.ts';
import type { Brand, Configuration } from './modules/configuration/service.ts';
import { createCodesService, PROMO_GUESSES } from './modules/codes/service.ts';
import { createCouponsService } from './modules/coupons/service.ts';
import { createEventsService } from './modules/events/service.ts';
import type { GameServer } from './modules/games/gameserver.ts';
import type { GameProtocol } from './modules/games/protocol-port.ts';
import { NETWORK_ATTEMPTS, createGiftCardsService } from './modules/giftcards/service.ts';
import { createWalletService } from './modules/wallet/service.ts';
import { createOffersService } from './modules/offers/service.ts';
import { createGamesService } from './modules/games/service.ts';
import { lowestPrice } from './modules/pricing/service.ts';
import { addAudit } from './modules/orders/operator/operate-store.ts';
import { readLastPaid } from './modules/orders/payments/attempt-store.ts';
import { createOrdersService } from './modules/orders/service.ts';
import type { PaymentProvider } from './modules/payments/provider.ts';
import { createPaymentsService } from './modules/payments/service.ts';
import { createReplenishService, findPayable } from './modules/replenish/service.ts';
import { createEndLoop, createErasureLoop, createPrivacyService, openErasedRecord } from './modules/privacy/service.ts';
import { createVipService } from './modules/vip/service.ts';
import { createRealNameService } from './modules/realname/service.ts';
import { createReportsService } from './modules/reports/service.ts';
import { createSpendingService } from './modules/spending/service.ts';
import { createTrackingService } from './modules/tracking/service.ts';
import { createWebhookLoop } from './modules/webhooks/service.ts';
import type { Config } from './platform/config.ts';
import type { Nodes } from './platform/database/nodes.ts';
import type { Db } from './platform/database/db.ts';
import type { Reads } from './platform/database/reads/reads.ts';
import type { HttpDeps } from './platform/http/http.ts';
import { createAddressLimit, createFailureLimit, createGuessLimit } from '#server/platform/limits/address-limits.ts';
import { type LimitStore, countInDatabase } from '#server/platform/limits/limit-store.ts';
import { createLoginLimits } from '#server/platform/limits/login-limits.ts';
import type { Log } from './platform/log.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import { createGameReach, measureOutbound } from './platform/outbound/outbound-measure.ts';
import { publicHosts } from './platform/outbound/outbound-public.ts';
import { locateCallbackRecord } from './platform/record/locate-record.ts';
import { openRecordFolder } from './platform/record/record-folder.ts';
import { type Site, environmentOfHost } from './platform/http/site.ts';
import { type Texts, withOwnTexts } from './platform/texts.ts';
import { standardProtocol } from './providers/gameserver/standard.ts';
import { listUnsellable } from './serve/check-brands.ts';
import { openOperatorRealNames } from './operator-real-names.ts';
import { loginProviders } from './providers/identity/registry.ts';

export type Composed = ReturnType<typeof compose>;

export function compose(deps: {
  config: Config;
  db: Db;
  /** Connections for batches of steps alone (split-connections.ts); `db` unless given. */
  batchDb?: Db | undefined;
  /** Of a spread database: where the rows of players are. */
  nodes?: Nodes | undefined;
  reads?: Reads;
  /** Counts limits there; in `db` when left out. */
  counts?: LimitStore;
  log: Log;
  texts: Texts;
  providers: readonly PaymentProvider[];
  configuration: () => Configuration;
  now?: () => number;
  /** Another way to the games than the addresses of the configuration: tests hand in their own. */
  gameServer?: (gameId: string) => GameServer | null;
  /** Other identity providers than the product's own. */
  logins?: readonly LoginProvider[];
  /** Other game protocols than the product's own. */
  protocols?: readonly GameProtocol[];
}) {
  const { config, db, log, configuration, now = Date.now } = deps;
  const texts = withOwnTexts(deps.texts, () => configuration().messages);
  // Filled below with every provider's and game's host; nothing else can be called.
  const allowedHosts = new Set<string>();
  const outbound = createOutbound({ allowedHosts });
  const { counts = countInDatabase(db) } = deps;

  const gameReach = createGameReach(now);
  const gameServers = new Map<string, GameServer | null>();
  const protocolOf = (gameId: string): GameProtocol => {
    const named = configuration().games.get(gameId as GameId)?.file.protocol ?? standardProtocol.name;
    const found = (deps.protocols ?? [standardProtocol]).find(({ name }) => name === named);
    // The files are checked, so this is a process that was started without the shop's modules.
    if (!found) throw new Error(`the game ${gameId} speaks "${named}", and no module of this process does`);
    return found;
  };
  const configuredGameServer = (gameId: string) => {
    const known = gameServers.get(gameId);
    if (known !== undefined) return known;
    const settings = config.gameServer(gameId);
    if (settings) allowedHosts.add(new URL(settings.url).host);
    const made = settings
      ? protocolOf(gameId).open({
          baseUrl: settings.url,
          secrets: settings.secrets,
          outbound: gameReach.watch(gameId, outbound),
          now,
        })
      : null;
    gameServers.set(gameId, made);
    return made;
  };
  const gameServer = deps.gameServer ?? configuredGameServer;

  const payments = createPaymentsService({
    providers: deps.providers,
    environment: config.environment,
    providerSettings: config.providerSettings,
    configuration,
    outbound,
    log,
    texts,
    now,
    lastPaidOf: (playerId) => readLastPaid(db, playerId),
    counts,
    amountOfReplenish: async ({ session, ...caller }, input) => {
      const found = session && (await findPayable(db, { ...caller, session }, input));
      return found?.kind === 'ok' ? found.amount : null;
    },
  });
  for (const host of payments.apiHosts()) allowedHosts.add(host);
  const games = createGamesService({ db, log, configuration, gameServer, now, lowestPrice });
  const gameOfClient = (clientId: string) => configuration().gameOfClient(clientId)?.game.id ?? null;
  const limits = createLoginLimits(db, config.loginsPerMinute, { counts });
  const accounts = createAccountsService({
    db,
    log,
    configuration,
    limits,
    gameAccounts: createGameAccounts({ log, gameServer, gameOfClient, now }),
    deniedPasswords: config.deniedPasswords,
  });
  const catalogue = createCatalogueService({ db, configuration });
  const vip = createVipService({ db, configuration });
  const codes = createCodesService({ db, guesses: createFailureLimit(counts, 'promo', PROMO_GUESSES) });
  const coupons = createCouponsService({ db, configuration, codes, levelCoupons: vip.levelCoupons });
  const keepsAccounts = (brandKey: BrandKey) => configuration().brands.get(brandKey)?.file.accounts ?? 'builtin';
  const gameSecrets = (gameId: string) => config.gameServer(gameId)?.secrets ?? [];
  const offers = createOffersService({
    db, log, configuration, now, gameSecrets,
    gameOfClient: (site, clientId) => (accounts.gpIdOf(site.brandKey, clientId) ? gameOfClient(clientId) : null),
    findPlayer: (site, gameId, who) => findOrMakePlayer({ db, keepsAccounts }, site, gameId, who),
    audit: (client, entry) => addAudit(client, { ...entry, billingNo: null }),
  }); /* a row a line */ // prettier-ignore
  const giftCards = createGiftCardsService({
    db,
    log,
    configuration,
    texts,
    pepper: config.providerSettings('card')['PEPPER'] ?? null,
    attempts: createFailureLimit(counts, 'card_network', NETWORK_ATTEMPTS),
    listGoods: catalogue.listGoods,
    listOffers: async (caller, input) => (await offers.list(caller, input)).content?.list ?? [],
    isTaken: ({ brand, region, country }, price, payId) =>
      payments.takesCard({ brandKey: brand.key, region, price, platform: 'web' }, [country, 'GLOBAL'], payId),
    keepsRest: () => payments.account('wallet') !== null,
  });
  const openProviders = openLoginProviders({
    providers: deps.logins ?? loginProviders,
    environment: config.environment,
    settingsOf: config.providerSettings,
    outbound,
    log,
    now,
  });
  for (const host of openProviders.apiHosts()) allowedHosts.add(host);
  const logins = createLoginsService({
    db, log, configuration, openProviders, limits, environment: config.environment,
    gpIdOf: accounts.gpIdOf,
    keepsAccounts,
    findCardAccount: giftCards.findOwner,
    gameIdentities: createGameIdentities({ log, gameServer, gameOfClient, now }),
    // Half as many again as logins, for who closes a window and tries another. @source OWASP: limits by
    // address; 30 where logins are 20
    mayBegin: createAddressLimit(counts, 'login_begin', Math.ceil(config.loginsPerMinute * 1.5)),
  }); /* a row a line */ // prettier-ignore
  const loginLinks = createLoginLinksService({
    db,
    log,
    now,
    gameOfClient,
    keepsAccounts,
    gameSecrets,
    gpIdOf: accounts.gpIdOf,
    hasEntryCodes: (gameId) => configuration().games.get(gameId as GameId)?.file.hasEntryCodes === true,
    // Our choice: a code is read wrong twice or thrice, and ten guesses in ten minutes find none.
    codeGuesses: createGuessLimit(counts, 'entry_code', 10, 600),
  });
  const orders = createOrdersService({
    db, log, configuration, accounts, games, payments, giftCards, codes, offers, now, texts,
    findPayable: (caller, input) => findPayable(db, caller, input),
    limits: { maxPerMinute: config.maxOrdersPerMinute, maxOpen: config.maxOpenOrders },
    isWorker: config.role !== 'web', isSharing: config.sharesTransactions, batchDb: deps.batchDb, nodes: deps.nodes,
    environment: config.environment, keySecrets: config.keySecrets, reads: deps.reads, fullCheckHour: config.fullCheckHour,
    callbackRecord:
      config.callbackRecordMb === 0
        ? null
        : { folder: openRecordFolder(locateCallbackRecord(config)), capBytes: config.callbackRecordMb * 1024 ** 2 },
  }); /* a row a line */ // prettier-ignore

  const replenish = createReplenishService({
    db,
    log,
    configuration,
    games,
    gameSecrets: (gameId) => config.gameServer(gameId)?.secrets ?? [],
    playerOfGame: (site, gameId, who) => findOrMakePlayer({ db, keepsAccounts }, site, gameId, who),
    now,
  });
  const events = createEventsService({
    db,
    log,
    configuration,
    games,
    now,
    environment: config.environment,
    keySecrets: config.keySecrets,
    isWorker: config.role !== 'web',
  });
  const wallet = createWalletService({
    db,
    log,
    configuration,
    creditKeys: (config.providerSettings('wallet')['CREDIT_KEY'] ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter(Boolean),
    now,
  });
  const spending = createSpendingService({ db, configuration, now });
  const privacy = createPrivacyService({ db, log, configuration, now, counts });
  const erasures = createErasureLoop({ db, log, record: openErasedRecord({ config, now, log }) });
  const realNames = createRealNameService({
    db,
    log,
    configuration,
    environment: config.environment,
    checkers: {
      game: createGameRealNames({ gameServer, gameOfClient }),
      operator: openOperatorRealNames(config.providerSettings('realname'), {
        allowedHosts,
        outbound: measureOutbound(outbound, 'real names'),
        now,
      }),
    },
    // Our choice: more than a person who tries again needs, fewer than would trouble the service.
    mayAsk: createAddressLimit(counts, 'real_name', 30),
  });
  const tracking = createTrackingService({ db, log, configuration, config, now });
  const reports = createReportsService({ db, log, now });
  const ends = createEndLoop({ db, log, configuration });
  const webhooks = createWebhookLoop({
    db,
    log,
    now,
    keySecrets: config.keySecrets,
    outbound: createOutbound(publicHosts(new Set(config.webhookPrivateHosts))),
  });
  const findSite = (host: string, brand: Brand): Site | null => {
    // A host of the other environment is nobody's here, whatever a proxy sends.
    if (environmentOfHost(host) !== config.environment) return null;
    const { languages, legacyGet, legacyQueryToken } = brand.file;
    const brandKey = brand.key as BrandKey;
    const gameOfAccounts = (clientId: string) =>
      accounts.gpIdOf(brandKey, clientId) ? (gameOfClient(clientId) as GameId | null) : null;
    const site = {
      brandKey,
      languages,
      legacyGet,
      legacyQueryToken,
      ...(brand.file.accounts === 'game' ? { gameOfAccounts } : {}),
    };
    if (!brand.file.backupHosts.includes(host)) return site;
    return { ...site, pageHosts: config.environment === 'demo' ? brand.demoHosts : brand.liveHosts };
  };
  // Each request asks several times. Only hosts of brands are kept, which the configuration counts.
  const sites = new WeakMap<Configuration, Map<string, Site | null>>();
  const siteOf = (host: string): Site | null => {
    const current = configuration();
    const known = sites.get(current) ?? new Map<string, Site | null>();
    sites.set(current, known);
    const site = known.get(host);
    if (site !== undefined) return site;
    const brand = current.brandByHost(host);
    if (!brand) return null;
    const found = findSite(host, brand);
    known.set(host, found);
    return found;
  };
  const reach = { gameFault: gameReach.faultOf, isProviderDenied: payments.isDenied };
  const http: HttpDeps = { config, log, db, texts, siteOf };
  const services = {
    accounts, loginLinks, logins, games, catalogue, coupons, vip, offers, giftCards, wallet, payments, orders, events,
    replenish, realNames, spending, privacy, erasures, tracking, reports, webhooks, ends,
  }; /* a row of names */ // prettier-ignore
  return {
    ...http,
    ...services,
    reads: deps.reads,
    batchDb: deps.batchDb,
    nodes: deps.nodes,
    configuration,
    outbound,
    counts,
    now,
    gameReach,
    cannotSell: () => listUnsellable(config, configuration(), deps.providers, reach),
  };
}
