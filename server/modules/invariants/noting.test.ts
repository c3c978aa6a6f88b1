// Law: whatever SQL writes a table that an invariant of players reads notes the change of the player, or says here why
// it need not.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRepeatable } from '#server/platform/database/schema/sql-files.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const IN_PLACING = 'called by make_order';
const IN_BOOKING = 'called where a payment or refund is booked, which is noted';
const IN_ADOPTING = 'called by adopt_order';
const ONLY_WAITS = 'moves leases and times of waiting, which no invariant compares; overdue ones are looked for';

/** Functions that write and note nothing themselves. */
const NOTES_NOT: Readonly<Record<string, string>> = {
  insert_attempt: 'called by add_attempt and adopt_order',
  lock_first_bonus: IN_PLACING,
  lock_first_purchase: 'makes a row that counts nothing',
  take_first_bonus: IN_PLACING,
  take_promo_code: IN_PLACING,
  take_replenish: IN_PLACING,
  book_part: 'called by apply_report with a partial refund, which is noted',
  lessen_refund: 'called with the part that went back, which is noted',
  capture_internal_tender: IN_BOOKING,
  refund_internal_tender: IN_BOOKING,
  settle_points: IN_BOOKING,
  settle_share: IN_BOOKING,
  stop_delivery: IN_BOOKING,
  void_tender: 'books a chargeback first, which is noted',
  adopt_counted: IN_ADOPTING,
  adopt_order_row: IN_ADOPTING,
  adopt_payment: 'books the payment, which is noted',
  adopt_coupon: IN_ADOPTING,
  adopt_replenish: IN_ADOPTING,
  adopt_tender: IN_ADOPTING,
  cancel_order: 'releases what the order held, which is noted',
  operator_refund: 'asks for the refund, which is noted',
  record_create_apart: 'called by record_create_result',
  record_create_result: 'of created and pending no invariant tells the one from the other; a failed one is released',
  record_create_results: 'as record_create_result, which takes the failed ones',
  record_refund_result: 'books the refund, which is noted; its tries are compared with nothing',
  lease_deliveries: ONLY_WAITS,
  lease_due_attempts: ONLY_WAITS,
  lease_expired_orders: ONLY_WAITS,
  lease_refunds: ONLY_WAITS,
  lease_rewards: ONLY_WAITS,
  lease_waiting_callbacks: ONLY_WAITS,
  lease_webhook_messages: ONLY_WAITS,
  finish_webhook_message: ONLY_WAITS,
  lock_balance: 'makes accounts with nothing in them',
  note_order_move: 'called by whatever moved the order, which notes it',
  keep_callback: 'called by apply_report and book_payment, with the payment that is noted',
  lease_query: ONLY_WAITS,
  forget_webhook_messages: 'takes out what nobody compares any more',
  receive_report: 'keeps a callback of no order; any other goes through apply_report',
  end_callbacks: 'takes out what nobody compares any more',
  end_exchanges: 'empties what providers said',
};

const READ = [
  'orders', 'payment_attempt', 'delivery', 'ledger_entry', 'reservation', 'refund', 'callback_inbox', 'wallet_txn',
  'wallet_entry', 'wallet_account', 'coupon', 'gift_card', 'points_entry', 'creator_entry', 'limit_counter', 'reward',
  'replenish', 'unpaid_order', 'webhook_message',
]; /* a row of names */ // prettier-ignore
const WRITES = new RegExp(`\\b(insert into|update|delete from)\\s+(${READ.join('|')})\\b`, 'i');

test('every function that writes the books notes whose they are, or is named with a reason', async () => {
  const files = await readRepeatable(ROOT);
  const texts = files.map(({ name, sql }) => ({ name, sql: sql.replaceAll(/--.*$/gm, '') }));
  const writers = texts.filter(({ sql }) => WRITES.test(sql));
  expect(writers.length).toBeGreaterThan(30);
  const silent = writers.filter(({ sql }) => !/insert into player_change/.test(sql)).map(({ name }) => name);
  expect(silent.toSorted()).toEqual(Object.keys(NOTES_NOT).toSorted());
});

test('the tables of the law are those that the invariants of players read', async () => {
  const views = (await readRepeatable(ROOT)).filter(({ name }) => name.startsWith('invariant_i'));
  const read = new Set(
    views.flatMap(({ sql }) =>
      [
        ...sql
          .replaceAll(/--.*$/gm, '')
          .replaceAll(/comment on[^]*/g, '')
          .matchAll(/(?<!distinct )\b(?:from|join)\s+([a-z_]+)\b(?!\s*\()/g),
      ].map(([, table]) => table),
    ),
  );
  const notOfPlayers = [
    'promo_code',
    'product_stock',
    'webhook_endpoint',
    'player',
    'archived_month',
    'lateral',
    'both_sides',
  ];
  const unknown = [...read].filter((table) => ![...READ, ...notOfPlayers].includes(table ?? ''));
  expect(unknown.filter((word) => word !== undefined)).toEqual([]);
});
