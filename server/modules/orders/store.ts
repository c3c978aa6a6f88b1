// All SQL of orders, attempts, deliveries and the callback inbox. The three money steps are functions of the database, one call each.
import type { Environment } from '#kernel/environment.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import type { BillingNo, BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Texts } from '#contracts/files.ts';
import type { OrderState } from './rules.ts';
import { type Steps, runStep } from './steps/step-store.ts';

/** What was sold, kept with the order so that a later change of the catalogue does not change history. */
export type SoldProduct = {
  readonly name: Texts;
  readonly art: string;
  readonly gameName: Texts;
  readonly gifts: readonly { id: string; name: string; count: number }[];
};

/**
 * Input of place_order. `amount_minor` is the price of the goods, before a coupon; `expires_in` and `payable_for` are PostgreSQL intervals.
 * `coupon.least_minor`: less than this the channel does not take; `seen_minor`: what the player saw to be paid, null when not told.
 */
export type PlaceInput = {
  player_id: PlayerId; billing_no: BillingNo; idempotency_key: string | null; fingerprint: string;
  brand_key: BrandKey; mode: Environment; game_id: GameId; client_id: string; product_id: string; server_id: string; area_id: string; role_id: string;
  suid: string; username: string; product: SoldProduct; amount_minor: number; currency: Currency; region: string; country: string; language: string;
  provider: string; channel_key: string; channel_name: Texts; channel_id: string; expires_in: string; payable_for: string; time_zone: string;
  limit: { times: number; days: number | null; subject: string } | null; has_stock: boolean;
  coupon: { code: string; least_minor: number; seen_minor: number | null } | null; in_place: MeansInPlace | null; is_alone: boolean;
  notify: boolean; max_per_minute: number; max_open: number;
}; // prettier-ignore

/**
 * What an order is paid with in the step that places it. `keeps_rest`: a card may be worth more than the order, the rest goes into the
 * balance; `spends`: which part of a balance goes first.
 */
export type MeansInPlace =
  | { kind: 'wallet'; mode: Environment; spends: 'free_first' | 'paid_first' }
  | { kind: 'card'; mode: Environment; purpose: 'pay' | 'confirm'; channel: string; card_id: string; card_key: string; password_hmac: string; network: string; keeps_rest: boolean }; // prettier-ignore

/**
 * `placed`: committed, the provider may be called now for `amount_minor` (also when a died call is taken up again). `repeat`: an unpaid order or the same
 * key exists. `paid`: with means in place; nothing is left to do but deliver. `running`: the same key is being worked on. Nothing was changed by the others.
 */
export type PlaceOutcome =
  | {
      outcome: 'placed';
      billing_no: BillingNo;
      attempt_no: number;
      amount_minor: number;
      server_name: string;
      role_name: string;
    }
  | { outcome: 'paid'; billing_no: BillingNo; attempt_no: number; amount_minor: number }
  | { outcome: 'repeat'; billing_no: BillingNo; url: string }
  | { outcome: 'replay'; answer: StoredAnswer }
  | {
      outcome:
        | 'running'
        | 'key_reused'
        | 'role_unknown'
        | 'limit_reached'
        | 'sold_out'
        | 'too_many_orders'
        | 'coupon_refused'
        | 'price_changed'
        | 'card_not_enough'
        | 'balance_too_low';
    }
  | { outcome: 'card_refused'; reason?: string };

/** The answer of a finished pay call, kept for the same Idempotency-Key. */
export type StoredAnswer = { code: 'success' | 'repeatOrder'; billing_no: string; url: string };

export async function placeOrder(on: Queryable | Steps, input: PlaceInput): Promise<PlaceOutcome> {
  const step = { name: 'place_order', input: toJsonb(input), owner: input.player_id } as const;
  return (await runStep(on, step)) as PlaceOutcome;
}

/** The answer that is kept for a key, with the fingerprint of its call; null while there is none. */
export async function findAnswer(
  db: Queryable,
  playerId: PlayerId,
  key: string,
): Promise<{ fingerprint: string; answer: StoredAnswer } | null> {
  const [row] = await query<{ fingerprint: string; answer: StoredAnswer }>(
    db,
    'answer_find',
    'select fingerprint, answer from idempotency where player_id = $1 and key = $2 and answer is not null',
    [playerId, key],
  );
  return row ?? null;
}

/** Notes what the provider answered to create; also stores the answer under the idempotency key (null: the key may be used again). */
export async function finishCreate(
  on: Queryable | Steps,
  input: {
    player_id: PlayerId; billing_no: BillingNo; attempt_no: number; provider: string; state: 'redirected' | 'unknown' | 'failed';
    provider_ref: string | null; url: string | null; exchange: unknown; idempotency_key: string | null; answer: StoredAnswer | null;
  }, // prettier-ignore
): Promise<void> {
  const { answer, ...rest } = input;
  const parameter = toJsonb(answer ? { ...rest, answer } : rest);
  await runStep(on, { name: 'finish_create', input: parameter, owner: input.billing_no });
}

/** A delivery this process may call now. `tries` counts this call. */
export type ClaimedDelivery = {
  player_id: PlayerId; billing_no: BillingNo; game_id: GameId; mode: Environment; tries: number; client_id: string; suid: string; server_id: string;
  area_id: string; role_id: string; product_id: string; product: SoldProduct; amount_minor: number; currency: Currency;
}; // prettier-ignore

export type ReportOutcome = {
  readonly outcome:
    | 'duplicate' | 'unknown_order' | 'paid' | 'late_paid' | 'late_refused' | 'surplus' | 'mismatch' | 'approved'
    | 'declined'
    | 'partial_refund'
    | 'closed' | 'refunded' | 'refund_failed' | 'chargeback' | 'noted'; // prettier-ignore
  readonly player_id?: PlayerId;
  readonly billing_no?: BillingNo;
  readonly attempt_no?: number;
  readonly game_id?: GameId;
  /** Claimed in the same step: the game may be called now. */
  readonly delivery?: ClaimedDelivery;
};

/**
 * Takes in a provider's word. With `inbox` it is a callback and stored in the same step; without, the answer to our own question.
 * @param input.leaseSeconds given by who has room to call the game: a payment claims its delivery at once, for so long
 */
export async function applyReport(
  on: Queryable | Steps,
  input: {
    provider: string; mode: Environment; report: PaymentReport; billingNo: BillingNo | null; attemptNo: number | null; isOurMerchant: boolean;
    inbox: { dedupKey: string; headers: Readonly<Record<string, string>>; body: string } | null; exchange?: unknown; notify: boolean; leaseSeconds?: number | null;
  }, // prettier-ignore
): Promise<ReportOutcome> {
  const { report, inbox } = input;
  const parameter = {
    provider: input.provider,
    mode: input.mode,
    status: report.status,
    reference: report.reference,
    billing_no: input.billingNo,
    attempt_no: input.attemptNo,
    provider_ref: report.providerRef,
    capture_ref: report.captureRef,
    amount_minor: report.amount?.amountMinor ?? null,
    currency: report.amount?.currency ?? null,
    merchant_ok: input.isOurMerchant,
    notify: input.notify,
    ...(input.leaseSeconds ? { lease_seconds: input.leaseSeconds } : {}),
    ...(input.exchange ? { exchange: input.exchange } : {}),
    ...(inbox
      ? {
          dedup_key: inbox.dedupKey,
          headers: inbox.headers,
          body: inbox.body,
          report: { ...report, isOurMerchant: input.isOurMerchant },
        }
      : {}),
  };
  const step = { name: 'apply_report', input: toJsonb(parameter), owner: input.billingNo ?? '' } as const;
  return (await runStep(on, step)) as ReportOutcome;
}

export type OrderRow = {
  billing_no: BillingNo; player_id: PlayerId; brand_key: BrandKey; mode: Environment; game_id: GameId; client_id: string; product_id: string; server_id: string;
  server_name: string; area_id: string; role_id: string; role_name: string; suid: string; username: string; product: SoldProduct; amount_minor: number; currency: Currency;
  state: OrderState; review_reason: string | null; created_at: Date; paid_at: Date | null; delivering_at: Date | null; delivered_at: Date | null;
  refunded_at: Date | null; channel_name: Texts; pay_url: string | null; attempt_no: number; attempt_state: string; queried_at: Date | null;
  declined_at: Date | null;
}; // prettier-ignore

const ORDER_COLUMNS = `o.billing_no, o.player_id, o.brand_key, o.mode, o.game_id, o.client_id, o.product_id, o.server_id, o.server_name, o.area_id, o.role_id,
  o.role_name, o.suid, o.username, o.product, o.amount_minor, o.currency, o.state, o.review_reason, o.created_at, o.paid_at, o.delivering_at, o.delivered_at,
  o.refunded_at, a.channel_name, a.pay_url, a.attempt_no, a.state as attempt_state, a.queried_at, a.declined_at`;

/** One order of one player, with the attempt that counts: the one that paid, else the current one. */
export async function findOrder(db: Queryable, playerId: PlayerId, billingNo: BillingNo): Promise<OrderRow | null> {
  const [row] = await query<OrderRow>(
    db,
    'order_find',
    `select ${ORDER_COLUMNS} from orders o join lateral (
       select * from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
       order by (a.state = 'succeeded') desc, a.attempt_no desc limit 1) a on true
     where o.player_id = $1 and o.billing_no = $2`,
    [playerId, billingNo],
  );
  return row ?? null;
}

/** A player's orders, newest first, from before `before` (a billing_no; numbers are ordered by time). */
export function listOrders(db: Queryable, playerId: PlayerId, before: string, limit: number): Promise<OrderRow[]> {
  return query<OrderRow>(
    db,
    'order_list',
    `select ${ORDER_COLUMNS} from orders o join lateral (
       select * from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
       order by (a.state = 'succeeded') desc, a.attempt_no desc limit 1) a on true
     where o.player_id = $1 and ($2 = '' or o.billing_no < $2) order by o.billing_no desc limit $3`,
    [playerId, before, limit],
  );
}

/** The owner and brand of an order known only by its number. */
export async function findOwner(
  db: Queryable,
  billingNo: BillingNo,
): Promise<{ playerId: PlayerId; brandKey: BrandKey } | null> {
  const [row] = await query<{ player_id: PlayerId; brand_key: BrandKey }>(
    db,
    'order_owner',
    'select o.player_id, o.brand_key from order_lookup l join orders o on o.player_id = l.player_id and o.billing_no = l.billing_no where l.billing_no = $1',
    [billingNo],
  );
  return row ? { playerId: row.player_id, brandKey: row.brand_key } : null;
}
