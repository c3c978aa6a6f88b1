// How make-up payments did: money asked for, paid and returned, and how long unblocking took.
import type { BrandKey } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

/**
 * By brand and currency, of those opened in a span. Amounts in minor units; seconds from paid to unblocked. `late`:
 * took, or is taking, longer than promised.
 */
export type ReplenishReportLine = {
  brand_key: BrandKey; currency: Currency; opened: number; open: number; expired: number; closed: number; paid: number; unblocked: number; returned: number;
  asked_minor: number; paid_minor: number; returned_minor: number; median_seconds: number | null; p99_seconds: number | null; late: number;
}; /* a row a line */ // prettier-ignore

export function reportReplenish(
  db: Queryable,
  span: { since: Date | null; until: Date | null; promiseSeconds: number },
): Promise<ReplenishReportLine[]> {
  return query<ReplenishReportLine>(
    db,
    'replenish_report',
    `with one as (
       select p.*, o.paid_at, o.delivered_at, o.state as order_state,
         coalesce(o.state = 'refunded' or o.review_reason = 'chargeback', false) as is_returned,
         extract(epoch from coalesce(o.delivered_at, now()) - o.paid_at) as took
       from replenish p left join lateral order_standing(p.player_id, p.billing_no) o on true
       where ($1::timestamptz is null or p.created_at >= $1) and ($2::timestamptz is null or p.created_at < $2)
     )
     select brand_key, currency, count(*) as opened, count(*) filter (where state = 'open'
       and expires_at > now()) as open,
       count(*) filter (where state = 'open' and expires_at <= now()) as expired,
       count(*) filter (where state = 'closed') as closed,
       count(*) filter (where paid_at is not null) as paid,
       count(*) filter (where delivered_at is not null) as unblocked,
       count(*) filter (where is_returned) as returned, sum(amount_minor)::bigint as asked_minor,
       coalesce(sum(amount_minor) filter (where paid_at is not null), 0)::bigint as paid_minor,
       coalesce(sum(amount_minor) filter (where is_returned), 0)::bigint as returned_minor,
       percentile_cont(0.5) within group (order by took) filter (where delivered_at is not null) as median_seconds,
       percentile_cont(0.99) within group (order by took) filter (where delivered_at is not null) as p99_seconds,
       count(*) filter (where took > $3
         and (delivered_at is not null or order_state in ('paid', 'delivering', 'review'))) as late
     from one group by brand_key, currency order by brand_key, currency`,
    [span.since, span.until, span.promiseSeconds],
  );
}
