// One order as an operator sees it: every row of it without secrets, and what happened in the order of time.
import { attemptRef, type BillingNo } from '#kernel/ids.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { maskSecrets } from '#server/platform/log.ts';
import { findOperatedOrder } from './operate-store.ts';
import { type OrderRows, readOrderRows } from './operate-show-store.ts';

export type TimelineEntry = { readonly at: string; readonly what: string };
export type ShownOrder = OrderRows & { readonly timeline: readonly TimelineEntry[] };

/** Everything that is known of an order; null when there is none. Dates are ISO 8601 texts, amounts minor units. */
export async function showOrder(db: Db, billingNo: string): Promise<ShownOrder | null> {
  return transaction(db, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    const order = await findOperatedOrder(client, billingNo);
    if (!order) return null;
    const rows = writeDates(await readOrderRows(client, order)) as OrderRows;
    const clean: OrderRows = {
      ...rows,
      attempts: rows.attempts.map((attempt) => ({
        ...attempt,
        // The query of a pay link is what lets its holder pay: support needs to see where it leads, no more.
        pay_url: typeof attempt.pay_url === 'string' ? attempt.pay_url.replace(/[?#].*$/s, '?***') : null,
        exchange: maskDeep(attempt.exchange),
      })),
      callbacks: rows.callbacks.map((callback) => ({ ...callback, body: maskSecrets(String(callback.body)) })),
    };
    return { ...clean, timeline: tellTimeline(clean, order.billing_no) };
  });
}

function writeDates(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function maskDeep(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(maskDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskDeep(part)]));
}

/** [column, what it tells]. */
type Moments = readonly (readonly [string, string])[];

const ORDER_MOMENTS: Moments = [
  ['created_at', 'order placed'],
  ['paid_at', 'paid'],
  ['delivering_at', 'delivery begun'],
  ['delivered_at', 'delivered'],
  ['refunded_at', 'refunded'],
  ['adopted_at', 'taken in again after a restored backup'],
];

function tellTimeline(rows: OrderRows, billingNo: BillingNo): TimelineEntry[] {
  const found: TimelineEntry[] = [];
  const add = (row: Record<string, unknown>, moments: Moments, tail = '') => {
    for (const [column, what] of moments) {
      const at = row[column];
      if (typeof at === 'string') found.push({ at, what: what + tail });
    }
  };
  add(rows.order, ORDER_MOMENTS);
  const { state } = rows.order;
  if (state === 'failed' || state === 'expired' || state === 'cancelled')
    add(rows.order, [['closed_at', String(state)]]);
  for (const attempt of rows.attempts) {
    const name =
      ` ${attemptRef(billingNo, Number(attempt.attempt_no)).slice(-2).replace('-', '#')} ` +
      `(${String(attempt.provider)})`;
    add(
      attempt,
      [
        ['created_at', 'payment begun'],
        ['approved_at', 'payment approved'],
        ['declined_at', 'payment declined'],
        ['succeeded_at', 'payment succeeded'],
      ],
      name,
    );
  }
  for (const callback of rows.callbacks)
    add(
      callback,
      [['received_at', `callback ${String(callback.outcome ?? callback.state)}`]],
      ` (${String(callback.provider)})`,
    );
  for (const refund of rows.refunds)
    add(refund, [
      ['created_at', `refund asked for by ${String(refund.requested_by)}`],
      ['done_at', 'refund done'],
    ]);
  if (rows.revocation)
    add(rows.revocation, [
      ['created_at', 'goods asked back'],
      ['done_at', 'goods taken back'],
    ]);
  for (const entry of rows.audit) add(entry, [['at', `${String(entry.act)} by ${String(entry.actor)}`]]);
  return found.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
