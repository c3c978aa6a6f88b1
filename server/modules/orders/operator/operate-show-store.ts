// SQL of everything that is known of one order, for an operator's eyes.
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { OperatedOrder } from './operate-store.ts';

type Row = Record<string, unknown>;

/** All rows of one order by their table; JSON-ready once dates are written. */
export type OrderRows = {
  readonly order: Row;
  readonly attempts: Row[];
  readonly delivery: Row | null;
  readonly reservations: Row[];
  readonly ledger: Row[];
  readonly callbacks: Row[];
  readonly refunds: Row[];
  readonly revocation: Row | null;
  readonly audit: Row[];
};

/** Reads each table of the order; on a client inside a transaction they are one picture. */
export async function readOrderRows(db: Queryable, order: OperatedOrder): Promise<OrderRows> {
  const key = [order.player_id, order.billing_no];
  const ofOrder = (name: string, text: string) => query<Row>(db, name, text, key);
  const [orders, attempts, delivery, reservations, ledger, refunds, revocation] = [
    await ofOrder('show_order', 'select * from orders where player_id = $1 and billing_no = $2'),
    await ofOrder(
      'show_attempts',
      'select * from payment_attempt where player_id = $1 and billing_no = $2 order by attempt_no',
    ),
    await ofOrder('show_delivery', 'select * from delivery where player_id = $1 and billing_no = $2'),
    await ofOrder(
      'show_reservations',
      `select kind, game_id, product_id, subject, period, cap, state from reservation
        where player_id = $1 and billing_no = $2 order by kind`,
    ),
    await ofOrder(
      'show_ledger',
      `select created_at, kind, attempt_no, account, amount_minor, currency from ledger_entry
        where player_id = $1 and billing_no = $2 order by created_at, kind, attempt_no, account`,
    ),
    await ofOrder('show_refunds', 'select * from refund where player_id = $1 and billing_no = $2 order by attempt_no'),
    await ofOrder('show_revocation', 'select * from revocation where player_id = $1 and billing_no = $2'),
  ];
  const callbacks = await query<Row>(
    db,
    'show_callbacks',
    `select provider, dedup_key, reference, state, outcome, tries, received_at, applied_at, body from callback_inbox
     where billing_no = $1 or reference like $1 || '-%' order by received_at`,
    [order.billing_no],
  );
  const audit = await query<Row>(
    db,
    'show_audit',
    'select at, actor, act, details from audit_entry where billing_no = $1 order by id',
    [order.billing_no],
  );
  return {
    order: orders[0] ?? {},
    attempts,
    delivery: delivery[0] ?? null,
    reservations,
    ledger,
    callbacks,
    refunds,
    revocation: revocation[0] ?? null,
    audit,
  };
}
