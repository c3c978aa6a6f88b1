// One process of the shop, put together as server/compose.ts does it, on the database,
// providers and game of the simulation.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { AccountsService } from '#server/modules/accounts/service.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { createCodesService } from '#server/modules/codes/service.ts';
import { createGiftCardsService } from '#server/modules/giftcards/service.ts';
import { createGamesService } from '#server/modules/games/service.ts';
import { type OrdersService, createOrdersService } from '#server/modules/orders/service.ts';
import { type SettleDeps } from '#server/modules/orders/payments/settle-payment.ts';
import { createPaymentsService } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import { countInDatabase } from '#server/platform/limits/limit-store.ts';
import type { Log } from '#server/platform/log.ts';
import type { RecordFolder } from '#server/platform/record/record-folder.ts';
import type { SimGame } from './sim-game.ts';
import { OUR_MERCHANT, type SimProvider } from './sim-provider.ts';
import type { ProcessInstance, Stepper } from './stepper.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';

export type ShopInstance = {
  readonly instance: ProcessInstance;
  readonly db: Db;
  readonly orders: OrdersService;
  readonly settle: SettleDeps;
};

export function startShopInstance(deps: {
  instance: ProcessInstance;
  db: Db;
  log: Log;
  configuration: Configuration;
  stepper: Stepper;
  providers: readonly SimProvider[];
  game: SimGame;
  random: () => number;
  clockSkewMs: number;
  /** Steps of several orders may share a transaction. */
  isSharing: boolean;
  /** Says where callbacks lie that the database cannot store; null: they are not kept. */
  callbackRecord: { folder: RecordFolder; capBytes: number } | null;
}): ShopInstance {
  const { instance, db, log, stepper } = deps;
  const configuration = () => deps.configuration;
  const now = () => stepper.now() + deps.clockSkewMs;
  const game = deps.game.portOf(instance);
  const games = createGamesService({ db, log, configuration, gameServer: () => game, now });
  const payments = createPaymentsService({
    providers: deps.providers.map((provider) => provider.portOf(instance)),
    environment: 'demo',
    providerSettings: () => ({ KEY: 'key', ACCOUNT: OUR_MERCHANT }),
    configuration,
    // The ports above are called themselves: nothing leaves this process.
    outbound: () => Promise.reject(new Error('the simulation has no outside')),
    counts: countInDatabase(db),
    log,
    texts: (_language, key) => key,
    now,
    lastPaidOf: async () => null,
    amountOfReplenish: async () => null,
  });
  const orders = createOrdersService({
    db, log, configuration, games, payments, now, environment: 'demo',
    giftCards: createGiftCardsService({
      db, log, configuration, texts: (_language, key) => key, pepper: null, attempts: { hasLeft: async () => true, count: async () => undefined },
      listGoods: () => ({ list: [] }), listOffers: async () => [], isTaken: () => false, keepsRest: () => false,
    }),
    findPayable: async () => ({ kind: 'gone' }),
    keySecrets: [],
    texts: (_language, key) => key,
    codes: createCodesService({ db, guesses: { hasLeft: async () => true, count: async () => undefined } }),
    accounts: { isLivePlayer: async () => true } as unknown as AccountsService,
    // Nobody here orders by an offer.
    offers: { prepare: async () => false },
    limits: { maxPerMinute: 1000, maxOpen: 1000 },
    isWorker: true,
    isSharing: deps.isSharing,
    callbackRecord: deps.callbackRecord,
    repeat: stepper.repeatFor(instance),
    random: deps.random,
  }); /* a row a line */ // prettier-ignore
  for (const worker of [orders.sweeper, orders.delivery, orders.polling]) worker.start();
  orders.record?.start();
  const { reserve, wake: onPaid } = orders.delivery;
  const { wake: onApproved } = orders.polling;
  const steps = createSteps(db, { isSharing: deps.isSharing, repeat: stepper.repeatFor(instance) });
  const settle: SettleDeps = { db, log, games, payments, steps, reserve, onPaid, onApproved, mustNotify: false };
  return { instance, db, orders, settle };
}

/** A player who is logged in at the demo of the brand "watt". */
export function callerOf(
  player: { playerId: string; suid: string; username: string },
  idempotencyKey: string | null,
): PlayerCaller {
  const brandKey = 'watt' as BrandKey;
  return {
    site: { brandKey, languages: ['en'], legacyGet: false, legacyQueryToken: false },
    language: 'en',
    session: {
      publicId: player.playerId,
      playerId: player.playerId as PlayerId,
      brandKey,
      kind: 'web',
      suid: player.suid,
      username: player.username,
      gameId: null,
      bound: null,
    },
    origin: 'http://watt.demo.localhost',
    ip: '192.0.2.1',
    userAgent: '',
    idempotencyKey,
  };
}
