// Reports the money of cards for the books (sold, used, expired, outstanding), and extends a batch.
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export const REPORT_KEYS = ['batch', 'brand', 'currency'] as const;
export type ReportKey = (typeof REPORT_KEYS)[number];

/**
 * Amounts in minor units of `currency`. Sold is used + expired + outstanding: cards that were made good and not voided.
 * `balance_minor` is the part of what was used that went to balances. Cards that are not good yet, and void ones, are
 * counted only. Fields of a coarser report that differ within a line are null.
 */
export type CardReportLine = {
  batch_id: string | null;
  brand_key: string | null;
  currency: Currency;
  cards: number;
  inactive: number;
  void: number;
  sold_minor: number;
  used_minor: number;
  balance_minor: number;
  expired_minor: number;
  outstanding_minor: number;
};

export function reportCards(db: Queryable, by: ReportKey): Promise<CardReportLine[]> {
  return query<CardReportLine>(
    db,
    'card_report',
    `select case when $1 = 'batch' then b.batch_id end as batch_id,
       case when $1 <> 'currency' then b.brand_key end as brand_key, b.currency,
       count(c.card_id) as cards, count(*) filter (where c.state = 'created') as inactive,
       count(*) filter (where c.state = 'void') as void,
       coalesce(sum(b.face_minor) filter (where c.state in ('active', 'spent')), 0)::bigint as sold_minor,
       coalesce(sum(b.face_minor) filter (where c.state = 'spent'), 0)::bigint as used_minor,
       coalesce(sum(c.rest_minor) filter (where c.state = 'spent'), 0)::bigint as balance_minor,
       coalesce(sum(b.face_minor) filter (where c.state = 'active' and greatest(b.valid_to, c.valid_to) <= now()),
         0)::bigint as expired_minor,
       coalesce(sum(b.face_minor) filter (where c.state = 'active' and greatest(b.valid_to, c.valid_to) > now()),
         0)::bigint as outstanding_minor
     from gift_card_batch b left join gift_card c using (batch_id) group by 1, 2, 3
     order by min(b.created_at), 1, 2, 3`,
    [by],
  );
}

/** Makes a batch good for longer, also one that is over. Null: there is no such batch; false: it is good that long. */
export async function extendBatch(db: Queryable, batchId: string, until: Date): Promise<boolean | null> {
  const [batch] = await query<{ is_longer: boolean }>(
    db,
    'card_batch_lock',
    'select valid_to < $2 as is_longer from gift_card_batch where batch_id = $1 for update',
    [batchId, until],
  );
  if (!batch) return null;
  if (!batch.is_longer) return false;
  await query(db, 'card_batch_extend', 'update gift_card_batch set valid_to = $2 where batch_id = $1', [
    batchId,
    until,
  ]);
  return true;
}
