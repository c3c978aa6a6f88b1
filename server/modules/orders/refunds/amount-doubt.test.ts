// Refunds whose amount the provider's documents leave open: what is certain is booked, the rest waits for a person.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo } from '#kernel/ids.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());

const PRICE = 499;

async function placeDelivered() {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await deliverAll(db);
  return { player, ...order };
}

const back = (amountMinor: number, amountDoubt: 'part' | 'whole') => ({
  status: 'refunded' as const,
  amount: { amountMinor, currency: 'USD' as const },
  amountDoubt,
});

async function leftOf(billingNo: BillingNo): Promise<number | undefined> {
  const [row] = await query<{ left: number }>(
    db,
    'doubt_left',
    `select coalesce(sum(amount_minor), 0)::integer as left from ledger_entry
     where billing_no = $1 and account = 'provider_receivable'`,
    [billingNo],
  );
  return row?.left;
}

async function askRefund(order: Awaited<ReturnType<typeof placeDelivered>>, state: string): Promise<void> {
  await db.query(`select operator_refund($1, $2, 1, 'asked for', 'ann')`, [order.player, order.billingNo]);
  await db.query('update refund set state = $2, tries = 1 where billing_no = $1', [order.billingNo, state]);
}

test.each([
  ['part', 100, 'partial_refund', PRICE],
  ['part', PRICE, 'refunded', 0],
  ['whole', 100, 'partial_refund', PRICE - 100],
  ['whole', PRICE, 'partial_refund', PRICE],
] as const)('in doubt as a %s, %i is booked as %s', async (doubt, amountMinor, outcome, left) => {
  const order = await placeDelivered();
  expect((await report(db, order, back(amountMinor, doubt))).outcome).toBe(outcome);
  expect(await leftOf(order.billingNo)).toBe(left);
});

test.each([
  ['whole', PRICE],
  ['part', 399],
] as const)('what we asked for is believed: in doubt as a %s, %i', async (doubt, asked) => {
  const order = await placeDelivered();
  if (asked < PRICE) await report(db, order, back(PRICE - asked, 'whole'));
  await askRefund(order, 'pending');
  expect((await report(db, order, back(asked, doubt))).outcome).toBe('refunded');
  expect(await leftOf(order.billingNo)).toBe(0);
});

test('a refund that a person was asked to make, or that nobody asked the provider for yet, proves nothing', async () => {
  const order = await placeDelivered();
  await askRefund(order, 'manual');
  expect((await report(db, order, back(PRICE, 'whole'))).outcome).toBe('partial_refund');
  await db.query(`update refund set state = 'due', tries = 0 where billing_no = $1`, [order.billingNo]);
  expect((await report(db, order, back(PRICE, 'whole'))).outcome).toBe('partial_refund');
  expect(await leftOf(order.billingNo)).toBe(PRICE);
});

test('the doubt is kept with its callback', async () => {
  const order = await placeDelivered();
  await report(db, order, { ...back(100, 'part'), dedupKey: 'doubtful' });
  const kept = await db.query<{ report: { amountDoubt?: string } }>(
    `select report from callback_inbox where dedup_key = 'doubtful'`,
  );
  expect(kept.rows[0]?.report.amountDoubt).toBe('part');
});
