// SQL of the operator's health page: what waits, how long, and what waits for a person.
import { type Queryable, query } from '#server/platform/database/db.ts';
/** An invariant that was broken at the last look. */
type BreachSummary = { readonly invariant: string; readonly breaches: number; readonly example: string | null };

export type OrdersHealth = {
  readonly deliveries: { readonly due: number; readonly oldest_waiting_seconds: number };
  /** All of `refill order deadletters` that a machine has given up; payments without an order count apart. */
  readonly dead_letters: number;
  /** Verified payments whose order is not here. */
  readonly unmatched_payments: number;
  readonly reviews: number;
  readonly refunds_by_hand: number;
  readonly unknown_attempts: number;
  /** Paid make-up payments whose account is not unblocked yet: over the target of a minute, over the promise of 15. */
  readonly unblocks: {
    readonly waiting: number;
    readonly oldest_waiting_seconds: number;
    readonly over_target: number;
    readonly over_promise: number;
  };
  readonly invariants: {
    readonly checked_at: string | null;
    /** Of what had changed, and of everything. */
    readonly changes_at: string | null;
    readonly full_at: string | null;
    readonly ok: boolean | null;
    readonly breaches: readonly BreachSummary[];
  };
};

/** Counts over partial indexes where there are any; meant for one look every some seconds, not for every request. */
export async function readOrdersHealth(db: Queryable): Promise<OrdersHealth> {
  const [row] = await query<{
    due: number;
    oldest: number;
    dead: number;
    unmatched: number;
    reviews: number;
    by_hand: number;
    unknown: number;
    unblocks: OrdersHealth['unblocks'];
    checked_at: Date | null;
    changes_at: Date | null;
    full_at: Date | null;
    breaches: BreachSummary[];
  }>(
    db,
    'orders_health',
    `select (select count(*) from delivery where state in ('queued', 'calling', 'unknown') and next_at <= now()) as due,
       (select coalesce(extract(epoch from now() - min(created_at)), 0)::integer from delivery
         where state in ('queued', 'calling', 'unknown')) as oldest,
       (select count(*) from delivery where state = 'dead') + (select count(*) from revocation where state = 'dead')
         + (select count(*) from reward where state = 'dead')
         + (select count(*) from callback_inbox where state = 'dead' and unmatched_at is null) as dead,
       (select count(*) from callback_inbox
         where state in ('stored', 'dead') and unmatched_at is not null) as unmatched,
       (select count(*) from orders where state = 'review') as reviews,
       (select count(*) from refund where state = 'manual') as by_hand,
       (select count(*) from payment_attempt where state = 'unknown') as unknown,
       (select json_build_object('waiting', count(*),
         'oldest_waiting_seconds', coalesce(extract(epoch from now() - min(o.paid_at)), 0)::integer,
          'over_target', count(*) filter (where o.paid_at < now() - interval '1 minute'),
          'over_promise', count(*) filter (where o.paid_at < now() - interval '15 minutes'))
        from orders o where o.replenish_id is not null and o.state in ('paid', 'delivering', 'review')
          and o.delivered_at is null) as unblocks,
       c.checked_at, c.changes_at, c.full_at, c.breaches from invariant_check c`,
  );
  if (!row) throw new Error('the row of invariant_check is missing');
  const { checked_at: checkedAt, breaches } = row;
  return {
    deliveries: { due: row.due, oldest_waiting_seconds: row.oldest },
    dead_letters: row.dead,
    unmatched_payments: row.unmatched,
    reviews: row.reviews,
    refunds_by_hand: row.by_hand,
    unknown_attempts: row.unknown,
    unblocks: row.unblocks,
    invariants: {
      checked_at: checkedAt?.toISOString() ?? null,
      changes_at: row.changes_at?.toISOString() ?? null,
      full_at: row.full_at?.toISOString() ?? null,
      ok: checkedAt ? breaches.length === 0 : null,
      breaches,
    },
  };
}
