// Orders from the first tap to the goods in the game. Each verb is a file of its own; this
// one ties them to the outside.
import { DAY_MS } from '#kernel/time.ts';
import { decodeTime } from 'ulid';
import { type Bound, isWithinBound } from '#kernel/bound.ts';
import type { Environment } from '#kernel/environment.ts';
import type { CardConfirmInput } from '#contracts/giftcards.ts';
import type { BillingInfo, Returning } from '#contracts/orders.ts';
import type { PayInput, PayResult } from '#contracts/payments.ts';
import { withTranslations } from '#kernel/languages.ts';
import { type AttemptRef, type GameId, isBillingNo, readAttemptRef } from '#kernel/ids.ts';
import type { AccountsService } from '#server/modules/accounts/service.ts';
import { unitInBundle } from '#server/modules/catalogue/service.ts';
import type { CodesService } from '#server/modules/codes/service.ts';
import {
  type Configuration,
  type Display,
  displayFor,
  formsFor,
  nameAt,
} from '#server/modules/configuration/service.ts';
import { brandOf } from '#server/modules/games/service.ts';
import type { GiftCardsService } from '#server/modules/giftcards/service.ts';
import type { OffersService } from '#server/modules/offers/service.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import type { CallbackAnswer, PayPage, RawCallback } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Reads, readPrimary } from '#server/platform/database/reads/reads.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, refuseFor, succeed } from '#server/platform/http/answer.ts';
import { createAddressLimit } from '#server/platform/limits/address-limits.ts';
import { countInDatabase } from '#server/platform/limits/limit-store.ts';
import type { Log } from '#server/platform/log.ts';
import type { RecordFolder } from '#server/platform/record/record-folder.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { type DeliveryLoop, createDeliveryLoop } from './deliveries/deliver.ts';
import { sealFacts } from './recovery/recovery-text.ts';
import { type PageDeps, readReturn, writePayPage } from './payments/pay-page.ts';
import { confirmCard } from './placing/confirm-card.ts';
import { replenishName } from './placing/pay-replenish.ts';
import { payOrder } from './placing/place-order.ts';
import type { PlaceDeps } from './placing/place-deps.ts';
import { createUnpaidOrders } from './payments/unpaid-orders.ts';
import { toBillingInfo } from './present.ts';
import { CARD_EXTRA, isUnpaid } from './rules.ts';
import { type PaymentPolling, createPaymentPolling } from './payments/poll-payments.ts';
import { type SettleDeps, settlePayment } from './payments/settle-payment.ts';
import { findOrder, findOwner, listDeliveredBefore, listOrders, type OrderRow } from './find-store.ts';
import type { Nodes } from '#server/platform/database/nodes.ts';
import { createSteps } from './steps/steps.ts';
import { type Sweeper, createSweeper } from './payments/sweep.ts';
import { type CallbackDeps, takeCallback } from './payments/take-callback.ts';
import { type CallbackRecord, createCallbackRecord } from './record/callback-record.ts';
import { createRecordLoop, type RecordLoop } from './record/replay-record.ts';

/** When the game is asked again: one schedule for everything that is handed over. */
export { type FindGameServer, grant, readOutcome, type SealFacts } from './deliveries/grant.ts';
/** Games keep these facts for a recovery; `refill recover` opens them. */
export { openFacts, sealFacts, type SealedBy } from './recovery/recovery-text.ts';
/** How a make-up payment stands is told by its order. */
export { reviewKindOf } from './rules.ts';
export { addAudit } from './operator/operate-store.ts';

export type OrdersService = {
  pay(caller: PlayerCaller, payPath: string, input: PayInput): Promise<Answer<PayResult>>;
  /** A prepaid card turned into its goods: an order that it pays by itself. */
  confirmCard(caller: PlayerCaller, input: CardConfirmInput): Promise<Answer<PayResult>>;
  orderInfo(caller: PlayerCaller, input: { billing_no: string; simple?: string }): Promise<Answer<BillingInfo>>;
  /** Closes the player's own unpaid order; it stays where its provider cannot rule out a payment. */
  cancel(caller: PlayerCaller, input: { billing_no: string }): Promise<Answer<BillingInfo>>;
  history(
    caller: PlayerCaller,
    input: { before?: string; limit?: string },
  ): Promise<Answer<{ list: BillingInfo[]; next: string; behind_seconds?: number }>>;
  /** Finds a player's earlier purchases in this game; null for a player who has none. */
  returning(caller: PlayerCaller, clientId: string): Promise<Returning | null>;
  takeCallback(provider: string, raw: RawCallback): Promise<CallbackAnswer | null>;
  /** A page of ours on the way to the provider's; null: no such open payment of this player. */
  payPage(caller: PlayerCaller, provider: string, reference: string): Promise<PayPage | null>;
  /**
   * Handles the return from the provider's page: the approval is kept and the provider is asked in the
   * background. Null: not an order of this brand.
   * `answer`: for a provider's server that calls the same address.
   */
  handleReturn(
    brandKey: string,
    provider: string,
    reference: string,
    raw: RawCallback,
  ): Promise<{ billingNo: string; answer?: CallbackAnswer | undefined } | null>;
  readonly delivery: DeliveryLoop;
  /** Asks providers about payments that nobody has told us about. */
  readonly polling: PaymentPolling;
  readonly sweeper: Sweeper;
  /** Callbacks that the database could not store; null: they are kept nowhere. */
  readonly record: (RecordLoop & Pick<CallbackRecord, 'figures'>) | null;
};

/** Our choice, of one player: each asks a provider up to twice, and nobody has more than a few unpaid orders. */
const CANCELS_PER_MINUTE = 10;
/** Our choice: a screen or two of orders. */
const PAGE = 10;
const LARGEST_PAGE = 50;
/**
 * Our choice: an order of a month ago waits for nothing that its player does, so that a page of such orders may come
 * from a replica; what is just bought never does.
 */
const OVER_MS = 30 * DAY_MS;
/** Our choice: less is told to nobody. */
const SHOWN_LAG_SECONDS = 5;

/** Returns true when all orders before a number are at least a month old: the number begins with its time. */
const isLongOver = (billingNo: string, now: number): boolean => decodeTime(billingNo) < now - OVER_MS;

export function createOrdersService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  accounts: AccountsService;
  games: GamesService;
  payments: PaymentsService;
  giftCards: GiftCardsService;
  offers: Pick<OffersService, 'prepare'>;
  codes: Pick<CodesService, 'terms'>;
  environment: Environment;
  /** These secrets seal the texts that games keep for a recovery; empty: no texts are made. */
  keySecrets: readonly string[];
  findPayable: PlaceDeps['findPayable'];
  texts: PlaceDeps['texts'];
  now: () => number;
  limits: { maxPerMinute: number; maxOpen: number };
  /** This process delivers; else it tells the others by NOTIFY. */
  isWorker: boolean;
  /** Steps of several orders may share a transaction. */
  isSharing: boolean;
  /** Connections for what is shared (steps.ts); `db` unless given. */
  batchDb?: Db | undefined;
  /** Of a spread database: where the rows of players are. */
  nodes?: Nodes | undefined;
  /** Says where callbacks lie that the database cannot store, and how much of them; null: they are not kept. */
  callbackRecord: { folder: RecordFolder; capBytes: number } | null;
  /** Reads rows that are long over; the primary unless given. */
  reads?: Reads | undefined;
  fullCheckHour?: number | undefined;
  /** When polls come round, and the chance in order numbers and in the waits between tries; tests hand in their own. */
  repeat?: Repeat;
  random?: () => number;
}): OrdersService {
  const { db, log, games, payments, repeat, random } = deps;
  const steps = createSteps(db, { isSharing: deps.isSharing, batchDb: deps.batchDb, nodes: deps.nodes, repeat });
  const delivery = createDeliveryLoop({
    db,
    steps,
    log,
    environment: deps.environment,
    gameServer: games.gameServer,
    sealFacts: (facts) => sealFacts(deps.environment, deps.keySecrets, facts),
    // A game that is gone from the files has no policy: then a person decides.
    onDeclined: (gameId) => deps.configuration().games.get(gameId as GameId)?.file.declined ?? 'review',
    random,
    repeat,
  });
  const onPaid = () => {
    if (deps.isWorker) delivery.wake();
  };
  const onApproved = () => {
    if (deps.isWorker) polling.wake();
  };
  const mustNotify = !deps.isWorker;
  const booking = {
    log,
    steps,
    onPaid,
    onApproved,
    mustNotify,
    reserve: () => (deps.isWorker ? delivery.reserve() : null),
  };
  const settle: SettleDeps = { ...booking, db, games, payments };
  const polling = createPaymentPolling({ settle, repeat });
  const record = deps.callbackRecord && createCallbackRecord({ ...deps.callbackRecord, now: deps.now, log });
  const callbacks: CallbackDeps = { ...booking, db, accounts: deps.accounts, payments, record, now: deps.now };
  const mayCancel = createAddressLimit(countInDatabase(db), 'order_cancel', CANCELS_PER_MINUTE);
  const unpaid = createUnpaidOrders(settle, mayCancel);
  const placing: PlaceDeps = {
    ...deps,
    steps,
    onPaid,
    mustNotify,
    unpaid,
    showUnpaid: (caller, only) => showUnpaid(caller, only),
  };
  /**
   * With the picture and the words that the product has now: the order keeps its drawing, and names in English and its
   * own language.
   */
  const show = (order: OrderRow, display: Display) => {
    const game = deps.configuration().gameOfClient(order.client_id)?.game;
    const product = game?.products.get(order.product_id);
    const brand = deps.configuration().brands.get(order.brand_key);
    const gifts = [...(product?.file.gifts ?? []), ...(product?.file.firstTime?.gifts ?? [])];
    return toBillingInfo(order, display, {
      picture: product?.picture ?? null,
      name: order.replenish_id === null ? product && brand && nameAt(brand, product) : replenishName(deps.texts),
      gameName: game?.file.name,
      channelName: payments.channelName(order.brand_key, order.channel_key),
      nameOfGift: (sold) => {
        const known = gifts.find(({ id }) => id === sold.id);
        if (known) return display.text(formsFor(known.name, sold.count));
        return sold.id === CARD_EXTRA ? deps.texts(display.language, 'gift.extra') : sold.name;
      },
      unit: game && product ? unitInBundle(game, product) : null,
    });
  };
  const pages: PageDeps = { db, log, payments, configuration: deps.configuration };
  const { fullCheckHour, reads = readPrimary(db) } = deps;
  const refunds = { db, log, payments, games };
  const sweeper = createSweeper({ db, log, settle, callbacks, refunds, reads, fullCheckHour, repeat });

  const settleQuietly = (attempt: Parameters<typeof settlePayment>[1], options?: Parameters<typeof settlePayment>[2]) =>
    settlePayment(settle, attempt, options).catch((error: unknown) => {
      log.warn({ err: error, billing_no: attempt.billingNo }, 'payment status request failed; polling will retry');
      return null;
    });

  const displayOf = (caller: Caller) => displayFor(brandOf(deps.configuration(), caller), caller.language);
  /** A session that a game opened for one character is shown what is that character's. */
  async function showUnpaid(caller: PlayerCaller, only?: string): Promise<BillingInfo[]> {
    const { playerId, bound } = caller.session;
    const rows = (await unpaid.list(playerId, only)).filter((row) => isSeenWithin(bound, row));
    const display = displayOf(caller);
    return rows.map((row) => ({ ...show(row, display), closes_at: row.closes_at.getTime() }));
  }

  return {
    delivery,
    polling,
    sweeper,
    record: record && { ...createRecordLoop({ record, callbacks, repeat }), figures: record.figures },
    pay: (caller, payPath, input) => payOrder(placing, caller, payPath, input),
    confirmCard: (caller, input) => confirmCard(placing, caller, input),
    orderInfo: async (caller, { billing_no: billingNo, simple }) => {
      if (!isBillingNo(billingNo)) return refuse('orderNotFound');
      const { playerId, bound } = caller.session;
      const order = await findOrder(db, playerId, billingNo);
      // A session that a game opened for one character sees what is that character's.
      if (!order || !isSeenWithin(bound, order)) return refuse('orderNotFound');
      if (isUnpaid(order.state) && order.attempt_state !== 'sent') {
        const asking = settleQuietly({ playerId, billingNo, attemptNo: null });
        // A simple check answers from what is known and only nudges; the full one waits for the provider's word.
        if (simple !== '1' && simple !== 'true' && (await asking)) {
          return succeed(show((await findOrder(db, playerId, billingNo)) ?? order, displayOf(caller)));
        }
      }
      return succeed(show(order, displayOf(caller)));
    },
    cancel: async (caller, { billing_no: billingNo }) => {
      if (!isBillingNo(billingNo)) return refuse('orderNotFound');
      const { playerId, bound } = caller.session;
      const order = await findOrder(db, playerId, billingNo);
      if (!order || !isSeenWithin(bound, order)) return refuse('orderNotFound');
      // Once more, or too late: the order says how it stands.
      if (!isUnpaid(order.state)) return succeed(show(order, displayOf(caller)));
      if (!(await mayCancel(playerId))) return refuseFor(60);
      const closed = await unpaid.close(billingNo);
      if (closed === null || closed.kind === 'still_payable')
        return { code: 'orderStillPayable', content: (await showUnpaid(caller, billingNo))[0] ?? null };
      return succeed(show((await findOrder(db, playerId, billingNo)) ?? order, displayOf(caller)));
    },
    history: async (caller, { before = '', limit }) => {
      const wanted = /^\d{1,2}$/.test(limit ?? '') ? Math.min(LARGEST_PAGE, Math.max(1, Number(limit))) : PAGE;
      if (before && !isBillingNo(before)) return refuse('badRequest');
      const list = (from: Db) => listOrders(from, caller.session.playerId, before, wanted + 1, caller.session.bound);
      const isOver = before !== '' && isLongOver(before, deps.now());
      const { value: rows, behindSeconds } = isOver ? await reads.read(list) : await readPrimary(db).read(list);
      const shown = rows.slice(0, wanted);
      const display = displayOf(caller);
      return succeed({
        list: shown.map((row) => show(row, display)),
        next: rows.length > wanted ? (shown.at(-1)?.billing_no ?? '') : '',
        ...(behindSeconds !== null &&
          behindSeconds > SHOWN_LAG_SECONDS && { behind_seconds: Math.ceil(behindSeconds) }),
      });
    },
    returning: async (caller, clientId) => {
      const { session } = caller;
      const { playerId, bound } = session;
      if (bound && bound.client_id !== clientId) return null;
      const before = await listDeliveredBefore(db, playerId, clientId, bound, deps.now());
      const [last] = before;
      if (!last) return null;
      const { product_id, channel_key, channel_name } = last;
      const bought = [...new Set(before.map((one) => one.product_id))];
      const name = withTranslations(channel_name, payments.channelName(caller.site.brandKey, channel_key));
      return { product_id, channel_key, channel_name: displayOf(caller).text(name), bought };
    },
    takeCallback: (provider, raw) => takeCallback(callbacks, provider, raw),
    payPage: (caller, provider, reference) => writePayPage(pages, caller, provider, reference),
    handleReturn: async (brandKey, provider, reference, raw) => {
      const named = readAttemptRef(reference as AttemptRef);
      const owner = named && (await findOwner(db, named.billingNo));
      if (!named || !owner || owner.brandKey !== brandKey) return null;
      const back = await readReturn(pages, provider, reference, raw);
      const attempt = { playerId: owner.playerId, ...named };
      // With an approval in hand there is something new to ask, however lately somebody asked.
      if (back?.ask !== 'no') void settleQuietly(attempt, back?.ask === 'now' ? { everySeconds: 0 } : {});
      return { billingNo: named.billingNo, answer: back?.answer };
    },
  };
}

/** A make-up payment is for the account, and no character's: a session of one game sees those of that game. */
const isSeenWithin = (bound: Bound | null, order: OrderRow): boolean =>
  order.replenish_id === null ? isWithinBound(bound, order) : bound === null || bound.client_id === order.client_id;
