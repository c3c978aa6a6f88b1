// SQL of the metrics that the database holds. What it costs has an end: a window of time, a number of rows, partial
// indexes, and the time of the transaction that it runs in.
import { type Queryable, query } from '#server/platform/database/db.ts';

/** Our choice: 55 orders a second over the window; more are a day that nobody needs this number on. */
const MAX_ORDERS = 50_000;

export type OrderNumbers = {
  readonly states: readonly { state: string; method: string; provider: string; count: number }[];
  /** Seconds from payment to goods, by game: half of the orders, 19 of 20, all of them. */
  readonly delivered: readonly { game: string; seconds: readonly [number, number, number] }[];
  readonly isCut: boolean;
};

/** Orders of the last 15 minutes. */
export async function readOrderNumbers(db: Queryable): Promise<OrderNumbers> {
  const [row] = await query<{
    states: OrderNumbers['states'] | null;
    delivered: OrderNumbers['delivered'] | null;
    seen: number;
  }>(
    db,
    'order_numbers',
    `with recent as materialized (
       select player_id, billing_no, state, current_attempt, game_id, paid_at, delivered_at from orders
       where created_at > now() - interval '15 minutes' limit $1
     ), states as (
       select r.state, coalesce(a.method, '') as method, coalesce(a.provider, '') as provider, count(*) as count
       from recent r left join payment_attempt a
         on a.player_id = r.player_id and a.billing_no = r.billing_no and a.attempt_no = r.current_attempt
       group by 1, 2, 3
     ), delivered as (
       select game_id as game, percentile_cont(array[0.5, 0.95, 1]) within group
         (order by extract(epoch from delivered_at - paid_at)::float8) as seconds
       from recent where delivered_at is not null and paid_at is not null group by 1
     )
     select (select json_agg(s) from states s) as states, (select json_agg(d) from delivered d) as delivered,
       (select count(*) from recent) as seen`,
    [MAX_ORDERS],
  );
  return { states: row?.states ?? [], delivered: row?.delivered ?? [], isCut: row?.seen === MAX_ORDERS };
}

export const QUEUES = [
  'deliveries',
  'refunds',
  'revocations',
  'rewards',
  'callbacks',
  'payments',
  'webhooks',
  'erasures',
] as const;

export type QueueNumbers = { readonly queue: (typeof QUEUES)[number]; readonly length: number; readonly age: number };

/**
 * Counts the rows that wait for a worker: all that are not handed over, and those of them that are due. Empty queues
 * are left out.
 */
export function readQueueNumbers(db: Queryable): Promise<QueueNumbers[]> {
  return query(
    db,
    'queue_numbers',
    `select queue, count(*) as length, greatest(extract(epoch from now() - min(at)), 0)::float8 as age from (
       select 'deliveries' as queue, created_at as at from delivery where state in ('queued', 'calling', 'unknown')
       union all select 'rewards', created_at from reward where state in ('queued', 'calling', 'unknown')
       union all select 'refunds', next_at from refund where state in ('due', 'calling', 'pending') and next_at <= now()
       union all select 'revocations', next_at from revocation where state in ('queued', 'calling') and next_at <= now()
       union all select 'callbacks', next_try_at from callback_inbox where state = 'stored' and next_try_at <= now()
       union all select 'payments', next_query_at from payment_attempt
         where is_open and next_query_at > '-infinity' and next_query_at <= now()
       union all select 'webhooks', next_at from webhook_message
       where state in ('queued', 'calling') and next_at <= now()
       union all select 'erasures', next_at from erasure where state = 'waiting' and next_at <= now()
     ) waiting group by queue`,
  );
}

/** Endpoints of webhooks that do not answer well, and those that nothing is sent to. */
export async function readWebhookNumbers(db: Queryable): Promise<{ failing: number; disabled: number }> {
  const [row] = await query<{ failing: number; disabled: number }>(
    db,
    'webhook_numbers',
    `select count(*) filter (where failing_since is not null and disabled_at is null) as failing,
       count(*) filter (where disabled_at is not null) as disabled from webhook_endpoint`,
  );
  return row ?? { failing: 0, disabled: 0 };
}
