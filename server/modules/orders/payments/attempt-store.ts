// SQL of payment attempts and the callback inbox outside the money steps: who asks the provider next, what waits, what
// ran out.
import type { Texts } from '#contracts/files.ts';
import type { BillingNo, BrandKey, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { findPlayerOf } from '#server/modules/orders/find-store.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';
import type { SoldProduct } from '#server/modules/orders/store.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';

export type AttemptRow = {
  player_id: PlayerId; billing_no: BillingNo; attempt_no: number; provider: string; amount_minor: number; currency: Currency;
  provider_ref: string | null; capture_ref: string | null; approval: string | null; channel_id: string; created_at: Date; is_past_payable: boolean; order_state: OrderState;
  brand_key: BrandKey; game_id: GameId; client_id: string; suid: string; server_id: string; area_id: string; role_id: string; product_id: string; channel_name: Texts;
  replenish_id: ReplenishId | null;
}; /* a row a line */ // prettier-ignore

/**
 * Open: money may still come. A query of due rows adds that their time is above '-infinity', as the condition of the
 * index does.
 */
const OPEN = 'a.is_open';

/** Our choice: how long after the provider's own limit a payment without final answer is closed. */
export const EXPIRY_MARGIN_SECONDS = 15 * 60;
const EXPIRY_MARGIN = `${EXPIRY_MARGIN_SECONDS} seconds`;

/**
 * The right to ask the provider about one attempt now, shared by all tabs and processes through the row: at most once
 * in `everySeconds`. The next poll of the workers stays as it is.
 * @returns null when somebody asked just now, the money is being taken, or there is nothing to ask
 */
export async function leaseQuery(
  db: Queryable,
  attempt: { playerId: PlayerId; billingNo: BillingNo; attemptNo: number | null },
  everySeconds: number,
): Promise<AttemptRow | null> {
  const [row] = await query<AttemptRow>(
    db,
    'attempt_lease_query',
    `select (l.a).player_id, (l.a).billing_no, (l.a).attempt_no, (l.a).provider, (l.a).amount_minor, (l.a).currency,
       (l.a).provider_ref, (l.a).capture_ref, (l.a).approval, (l.a).channel_id, (l.a).created_at, l.is_past_payable,
       (l.o).brand_key, (l.o).game_id, (l.o).client_id, (l.o).suid, (l.o).server_id, (l.o).area_id, (l.o).role_id,
       (l.o).product_id, (l.o).replenish_id, (l.a).channel_name, (l.o).state as order_state
     from lease_query($1, $2, $3, make_interval(secs => $4), interval '${EXPIRY_MARGIN}') l`,
    [attempt.playerId, attempt.billingNo, attempt.attemptNo, everySeconds],
  );
  return row ?? null;
}

/** An attempt this process may ask about now. `query_count` counts this poll. */
export type LeasedPoll = AttemptRow & { query_count: number; age_seconds: number };

/**
 * Leases attempts whose next poll is due, for `leaseSeconds`; committed before a provider is asked.
 * @param everySeconds one that was asked about more lately waits for its time
 */
export function leaseDueAttempts(
  db: Queryable,
  limit: number,
  leaseSeconds: number,
  everySeconds: number,
  busyProviders: readonly string[],
): Promise<LeasedPoll[]> {
  return query(
    db,
    'lease_due_attempts',
    'select * from lease_due_attempts($1, make_interval(secs => $2), make_interval(secs => $3), $4::interval, $5)',
    [limit, leaseSeconds, everySeconds, EXPIRY_MARGIN, busyProviders],
  );
}

/**
 * Ends a lease of `leaseDueAttempts`. Nothing changes when an approval made the attempt due meanwhile, or another
 * process leased it.
 * @param poll.inSeconds null: polling ends. `isAnswered` false: this poll does not count
 */
export async function scheduleNextPoll(
  db: Queryable,
  attempt: Pick<LeasedPoll, 'player_id' | 'billing_no' | 'attempt_no' | 'query_count'>,
  poll: { inSeconds: number | null; isAnswered: boolean },
): Promise<void> {
  await query(
    db,
    'attempt_next_poll',
    `update payment_attempt a set next_query_at = now() + make_interval(secs => $5::double precision),
       query_count = a.query_count - case when $6::boolean then 0 else 1 end
     where a.player_id = $1 and a.billing_no = $2 and a.attempt_no = $3 and ${OPEN} and a.query_count = $4
       and a.next_query_at > now()`,
    [attempt.player_id, attempt.billing_no, attempt.attempt_no, attempt.query_count, poll.inSeconds, poll.isAnswered],
  );
}

/**
 * An attempt that is about to be created at its provider but was placed by another call. `is_resumed`: that call got as
 * far as the provider, for all we know; a fresh attempt is younger than any call that may be taken up again (20 s,
 * place_order).
 * @throws Error when there is none: it was placed a moment ago
 */
export async function readPlacedAttempt(
  db: Queryable,
  playerId: PlayerId,
  placed: { billing_no: BillingNo; attempt_no: number },
): Promise<{ payable_until: Date; is_resumed: boolean }> {
  const [row] = await query<{ payable_until: Date; is_resumed: boolean }>(
    db,
    'attempt_placed',
    `select payable_until, created_at < now() - interval '15 seconds' as is_resumed from payment_attempt
     where player_id = $1 and billing_no = $2 and attempt_no = $3`,
    [playerId, placed.billing_no, placed.attempt_no],
  );
  if (!row) throw new Error(`the attempt ${placed.attempt_no} of ${placed.billing_no} is missing`);
  return row;
}

/** An open payment of somebody's, to be shown a page of ours for it or to read what came back from the provider's. */
export type OpenPayment = Pick<
  AttemptRow,
  'player_id' | 'billing_no' | 'attempt_no' | 'provider' | 'amount_minor' | 'currency' | 'provider_ref' | 'capture_ref' | 'approval' | 'channel_id' | 'created_at' | 'brand_key'
> & { product: SoldProduct; username: string; country: string; language: Language; payable_until: Date; left_at: Date | null }; /* a row a line */ // prettier-ignore

/** Null: there is none that could still be paid under this number. */
export async function findOpenPayment(
  db: Queryable,
  billingNo: BillingNo,
  attemptNo: number,
): Promise<OpenPayment | null> {
  const playerId = await findPlayerOf(db, billingNo);
  if (playerId === null) return null;
  const [row] = await query<OpenPayment>(
    db,
    'attempt_find_open',
    `select a.player_id, a.billing_no, a.attempt_no, a.provider, a.amount_minor, a.currency, a.provider_ref,
       a.capture_ref, a.approval, a.channel_id,
       a.created_at, a.payable_until, a.left_at, o.brand_key, o.product, o.username, o.country, o.language
     from payment_attempt a join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no
     where a.player_id = $1 and a.billing_no = $2 and a.attempt_no = $3 and ${OPEN}`,
    [playerId, billingNo, attemptNo],
  );
  return row ?? null;
}

/**
 * Keeps what the player brought back, before anybody acts on it. False: it is there already, or nothing is open any
 * more.
 */
export async function keepApproval(
  db: Queryable,
  attempt: Pick<OpenPayment, 'player_id' | 'billing_no' | 'attempt_no'>,
  approval: string,
): Promise<boolean> {
  const rows = await query(
    db,
    'attempt_keep_approval',
    `update payment_attempt a set approval = $4
     where player_id = $1 and billing_no = $2 and attempt_no = $3 and ${OPEN}
       and approval is distinct from $4 returning 1`,
    [attempt.player_id, attempt.billing_no, attempt.attempt_no, approval],
  );
  return rows.length > 0;
}

/** Notes that the player came back by the way to cancel, or that they came back otherwise since. */
export async function noteLeft(
  db: Queryable,
  attempt: Pick<OpenPayment, 'player_id' | 'billing_no' | 'attempt_no'>,
  hasLeft: boolean,
): Promise<void> {
  await query(
    db,
    'attempt_note_left',
    `update payment_attempt a set left_at = case when $4::boolean then now() end
     where player_id = $1 and billing_no = $2 and attempt_no = $3 and ${OPEN}`,
    [attempt.player_id, attempt.billing_no, attempt.attempt_no, hasLeft],
  );
}

type StatementRow = {
  player_id: PlayerId;
  billing_no: BillingNo;
  attempt_no: number;
  provider_ref: string | null;
  capture_ref: string | null;
  amount_minor: number;
  currency: Currency;
  paid_at: Date;
};

/** Our choice: a day of a busy shop; a provider that wants more asks for shorter times. */
const STATEMENT_LINES = 50_000;

/**
 * Payments of a provider whose goods were delivered, by the time of payment or by the provider's own number, oldest
 * first.
 */
export function listDelivered(
  db: Queryable,
  provider: string,
  wanted: { from: number; to: number } | { captureRef: string },
): Promise<StatementRow[]> {
  const columns =
    'a.player_id, a.billing_no, a.attempt_no, a.provider_ref, a.capture_ref, a.amount_minor, a.currency, o.paid_at';
  const source = `from payment_attempt a join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no
    where a.provider = $1 and a.state = 'succeeded' and o.state = 'delivered'`;
  return 'captureRef' in wanted
    ? query(
        db,
        'attempt_statement_one',
        `select ${columns} ${source} and (a.capture_ref = $2 or starts_with(a.capture_ref, $2 || ':'))`,
        [provider, wanted.captureRef],
      )
    : query(
        db,
        'attempt_statement',
        `select ${columns} ${source} and o.paid_at >= $2 and o.paid_at < $3
          order by o.paid_at limit ${STATEMENT_LINES}`,
        [provider, new Date(wanted.from), new Date(wanted.to)],
      );
}

export type ExpiredOrder = { player_id: PlayerId; billing_no: BillingNo; attempts: number[] };

/** Leases unpaid orders past their time, with their open attempts, for `leaseSeconds`. */
export function leaseExpiredOrders(db: Queryable, limit: number, leaseSeconds: number): Promise<ExpiredOrder[]> {
  return query(db, 'lease_expired_orders', 'select * from lease_expired_orders($1, make_interval(secs => $2))', [
    limit,
    leaseSeconds,
  ]);
}

export type WaitingCallback = {
  provider: string;
  dedup_key: string;
  reference: string | null;
  report: PaymentReport & { isOurMerchant: boolean };
};

/**
 * Our choice: a callback may beat our own commit by milliseconds; what is still unmatched after this long is an alarm.
 * A provider that repeats itself puts off the next retry, but never this one.
 */
const UNMATCHED_AFTER_SECONDS = 2;

/** Leases callbacks that came before their order was committed, for `leaseSeconds`. */
export function leaseWaitingCallbacks(db: Queryable, limit: number, leaseSeconds: number): Promise<WaitingCallback[]> {
  return query(
    db,
    'lease_waiting_callbacks',
    'select * from lease_waiting_callbacks($1, make_interval(secs => $2), make_interval(secs => $3))',
    [limit, leaseSeconds, UNMATCHED_AFTER_SECONDS],
  );
}

/** True once for a payment whose order is still not here: the caller raises the alarm. It is retried as before. */
export async function markUnmatched(db: Queryable, callback: WaitingCallback): Promise<boolean> {
  const rows = await query(
    db,
    'inbox_mark_unmatched',
    `update callback_inbox set unmatched_at = now()
     where provider = $1 and dedup_key = $2 and state in ('stored', 'dead') and unmatched_at is null
       and is_money_report(report)
     returning 1`,
    [callback.provider, callback.dedup_key],
  );
  return rows.length > 0;
}

/** A callback that was not proven: a number and one masked sample a day, never a row each. */
export async function countRefusedCallback(
  db: Queryable,
  provider: string,
  reason: string,
  sample: string,
): Promise<void> {
  await query(
    db,
    'callback_refuse',
    `insert into callback_refused as c (provider, day, reason, sample) values ($1, current_date, $2, $3)
     on conflict (provider, day, reason) do update set count = c.count + 1, last_at = now()`,
    [provider, reason.slice(0, 100), sample.slice(0, 500)],
  );
}

/**
 * Reads the player's last payment method and channel key; null when they never paid. Numbers of orders are in order of
 * time.
 */
export async function readLastPaid(
  db: Queryable,
  playerId: PlayerId,
): Promise<{ method: string; channelKey: string } | null> {
  const [row] = await query<{ method: string; channelKey: string }>(
    db,
    'last_paid_method',
    `select method, channel_key as "channelKey" from payment_attempt
     where player_id = $1 and succeeded_at is not null and method <> ''
     order by billing_no desc, attempt_no desc limit 1`,
    [playerId],
  );
  return row ?? null;
}
