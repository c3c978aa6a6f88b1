// SQL of lists for an operator: orders in review, and everything a machine gave up on.
import type { BillingNo } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';

export type FoundOrder = {
  billing_no: BillingNo;
  created_at: Date;
  state: OrderState;
  review_reason: string | null;
  brand_key: string;
  game_id: string;
  product_id: string;
  amount_minor: number;
  currency: Currency;
  country: string;
  username: string;
  server_name: string;
  role_name: string;
};

export const FOUND_COLUMNS = `o.billing_no, o.created_at, o.state, o.review_reason, o.brand_key, o.game_id, o.product_id, o.amount_minor, o.currency,
  o.country, o.username, o.server_name, o.role_name`;

/** Orders that wait for a person's decision, the oldest first. */
export function listReviews(db: Queryable): Promise<FoundOrder[]> {
  return query<FoundOrder>(
    db,
    'operate_reviews',
    `select ${FOUND_COLUMNS} from orders o where o.state = 'review' order by o.created_at, o.billing_no`,
  );
}

/** A page of the same. @param page.before the last row of the page before */
export function listReviewPage(
  db: Queryable,
  { limit, before }: { limit: number; before: { at: string; id: string } | null },
): Promise<(FoundOrder & { cursor_at: string })[]> {
  return query(
    db,
    'operate_review_page',
    `select ${FOUND_COLUMNS}, o.created_at::text as cursor_at from orders o where o.state = 'review' and o.needs_person
       and ($1::timestamptz is null or (o.created_at, o.billing_no) > ($1, $2))
     order by o.created_at, o.billing_no limit $3`,
    [before?.at ?? null, before?.id ?? null, limit + 1],
  );
}

export type DeadLetter = {
  kind: 'delivery' | 'refund' | 'payment' | 'revocation' | 'reward' | 'callback' | 'unmatched';
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
 * Lists everything that no machine goes on with: deliveries and rewards given up or refused, refunds to be done by
 * hand, payments that could not be read beside one that paid the order, goods not revoked, and callbacks without an
 * order. Payments without an order are listed from their first retry on.
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
       union all select 'refund', billing_no, created_at, tries, last_error, null, null
       from refund where state = 'manual'
       union all select 'payment', a.billing_no, a.created_at, 0, 'unreadable: ' || a.unreadable_reason, null, null
         from payment_attempt a join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no
         where a.unreadable_reason is not null and a.is_open and o.state <> 'review'
       union all select 'revocation', billing_no, created_at, tries, last_error, null, null
         from revocation where state in ('declined', 'dead')
       union all select 'reward', reward_no, created_at, tries, last_error, null, null from reward where state = 'dead'
       union all select 'callback', billing_no, received_at, tries, provider || ': ' || coalesce(reference, dedup_key),
           jsonb_build_object('provider', provider, 'key', dedup_key), null
         from callback_inbox where state = 'dead' and unmatched_at is null
       union all select 'unmatched', billing_no, received_at, tries, 'no order here',
           jsonb_build_object('provider', provider, 'key', dedup_key), jsonb_build_object('provider', provider,
           'status', report ->> 'status', 'amount_minor', report -> 'amount' -> 'amountMinor',
           'currency', report -> 'amount' ->> 'currency', 'reference', reference,
           'provider_ref', report ->> 'providerRef')
         from callback_inbox where state in ('stored', 'dead') and unmatched_at is not null
     ) l order by since, kind`,
  );
}
