// SQL of lists for an operator: orders by what support is told, orders in review, and everything a machine gave up on.
import type { BillingNo } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';

export type FoundOrder = {
  billing_no: BillingNo; created_at: Date; state: OrderState; review_reason: string | null; brand_key: string; game_id: string;
  product_id: string; amount_minor: number; currency: Currency; username: string; server_name: string; role_name: string;
}; // prettier-ignore

const COLUMNS = `o.billing_no, o.created_at, o.state, o.review_reason, o.brand_key, o.game_id, o.product_id, o.amount_minor, o.currency,
  o.username, o.server_name, o.role_name`;

/**
 * Null leaves a filter out. `player`: the login name in any case, or the game's user id;
 * `role`: a character's name or id.
 */
export type OrderFilter = {
  readonly player: string | null;
  readonly role: string | null;
  readonly providerRef: string | null;
  readonly state: OrderState | null;
  readonly since: Date | null;
  readonly until: Date | null;
};

/**
 * Newest first, at most `limit`. A provider's reference is one of its own (order, link, capture) or ours of an attempt.
 */
export function findOrders(db: Queryable, filter: OrderFilter, limit: number): Promise<FoundOrder[]> {
  return query<FoundOrder>(
    db,
    'operate_search',
    `select ${COLUMNS} from orders o
     where ($1::text is null or o.player_id in (select player_id from player where lower(username) = lower($1)
              union select player_id from player where suid = $1))
       and ($2::text is null or o.role_name = $2 or o.role_id = $2)
       and ($3::text is null or o.billing_no in (select billing_no from provider_reference where provider_ref = $3
              union select billing_no from payment_attempt where provider_ref = $3 or capture_ref = $3 union select left($3, 26)))
       and ($4::text is null or o.state = $4)
       and ($5::timestamptz is null or o.created_at >= $5) and ($6::timestamptz is null or o.created_at < $6)
     order by o.created_at desc, o.billing_no desc limit $7`,
    [filter.player, filter.role, filter.providerRef, filter.state, filter.since, filter.until, limit],
  );
}

/** Orders that wait for a person's decision, the oldest first. */
export function listReviews(db: Queryable): Promise<FoundOrder[]> {
  return query<FoundOrder>(
    db,
    'operate_reviews',
    `select ${COLUMNS} from orders o where o.state = 'review' order by o.created_at, o.billing_no`,
  );
}

export type DeadLetter = {
  kind: 'delivery' | 'refund' | 'revocation' | 'callback' | 'unmatched';
  billing_no: BillingNo | null;
  since: Date;
  tries: number;
  reason: string | null;
  /** Of `callback` and `unmatched`: what `order acknowledge` names it by. */
  callback: { provider: string; key: string } | null;
  /** Of `unmatched` alone: a verified payment whose order is not here. */
  payment: UnmatchedPayment | null;
};

export type UnmatchedPayment = {
  provider: string;
  /** As reported: `paid`, `refunded` or `chargeback`. */
  status: string;
  amount_minor: number | null;
  currency: string | null;
  reference: string | null;
  provider_ref: string | null;
};

/**
 * What no machine goes on with: deliveries and rewards given up or refused, refunds to be done by hand, goods not
 * taken back, callbacks without an order; and payments without an order, from their first retry on.
 */
export function listDeadLetters(db: Queryable): Promise<DeadLetter[]> {
  return query<DeadLetter>(
    db,
    'operate_dead_letters',
    `select * from (
       select 'delivery' as kind, d.billing_no, d.created_at as since, d.tries, d.last_error as reason,
           null::jsonb as callback, null::jsonb as payment
         from delivery d join orders o on o.player_id = d.player_id and o.billing_no = d.billing_no
         where d.state in ('dead', 'rejected') and o.state = 'review'
       union all select 'refund', billing_no, created_at, tries, last_error, null, null from refund where state = 'manual'
       union all select 'revocation', billing_no, created_at, tries, last_error, null, null
         from revocation where state in ('declined', 'dead')
       union all select 'reward', reward_no, created_at, tries, last_error, null, null from reward where state = 'dead'
       union all select 'callback', billing_no, received_at, tries, provider || ': ' || coalesce(reference, dedup_key),
           jsonb_build_object('provider', provider, 'key', dedup_key), null
         from callback_inbox where state = 'dead' and unmatched_at is null
       union all select 'unmatched', billing_no, received_at, tries, 'no order here',
           jsonb_build_object('provider', provider, 'key', dedup_key), jsonb_build_object('provider', provider,
           'status', report ->> 'status', 'amount_minor', report -> 'amount' -> 'amountMinor',
           'currency', report -> 'amount' ->> 'currency', 'reference', reference, 'provider_ref', report ->> 'providerRef')
         from callback_inbox where state in ('stored', 'dead') and unmatched_at is not null
     ) l order by since, kind`,
  );
}
