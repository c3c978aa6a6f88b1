// Money that goes back in parts, by a bank or after all: the books say what is left, and goods wait for a person.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { listDeadLetters } from '#server/modules/orders/operator/operate-find-store.ts';
import { openTestDatabase } from '#testing/database.ts';
import {
  type PlaceChanges,
  deliverAll,
  makePlayer,
  placeInput,
  placeTestOrder,
  report,
  resultsOf,
} from '#testing/orders.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());

const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' as const });
const part = (amountMinor: number) => ({ status: 'refunded' as const, amount: usd(amountMinor) });
const PRICE = 499;

/** Sums by account of an order, minor units: what the books say in the end. */
async function booksOf(billingNo: BillingNo): Promise<Record<string, number>> {
  const rows = await query<{ account: string; sum: number }>(
    db,
    'parts_books',
    `select account, sum(amount_minor)::integer as sum from ledger_entry where billing_no = $1
     group by account having sum(amount_minor) <> 0`,
    [billingNo],
  );
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
}
async function keptOf(billingNo: BillingNo) {
  const [row] = await query<{ state: string; review_reason: string | null; refunded_minor: number | null }>(
    db,
    'parts_kept',
    'select state, review_reason, refunded_minor from orders where billing_no = $1',
    [billingNo],
  );
  return row;
}
async function refundOf(billingNo: BillingNo) {
  const [row] = await query<{ state: string; amount_minor: number; last_error: string | null }>(
    db,
    'parts_refund',
    'select state, amount_minor, last_error from refund where billing_no = $1',
    [billingNo],
  );
  return row;
}
const breaches = () => query(db, 'parts_breaches', 'select * from invariant_breach where breaches > 0', []);
const leasedNos = async () => (await leaseDeliveries(db, 100, 15, [])).map(({ billing_no }) => billing_no);
const operator = async (verb: 'deliver' | 'refund' | 'refund_done', player: PlayerId, billingNo: BillingNo) => {
  const more = verb === 'deliver' ? '' : `, 1, 'asked for', 'ann'`;
  const { rows } = await db.query<{ answer: string }>(`select operator_${verb}($1, $2${more}) as answer`, [
    player,
    billingNo,
  ]);
  return rows[0]?.answer;
};
async function placePaid(changes: PlaceChanges = {}, isDelivered = false) {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, changes));
  await report(db, order);
  if (isDelivered) await deliverAll(db);
  return { player, ...order };
}

test.each([
  ['queued', {}],
  ['under way and then in doubt', { leaseSeconds: 15 }],
])('goods whose money is partly gone wait for a person: delivery %s', async (_name, lease) => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  const { delivery } = await report(db, order, lease);
  await report(db, order, part(100));
  if (delivery) {
    const doubt = { kind: 'unknown' as const, reason: 'timed out', retry_in_seconds: 0 };
    await recordDeliveryResults(db, resultsOf([delivery], doubt));
  }
  await db.query('update delivery set next_at = now() where billing_no = $1', [order.billingNo]);
  expect(await leasedNos()).not.toContain(order.billingNo);
  expect(await keptOf(order.billingNo)).toEqual({
    state: 'review',
    review_reason: 'partial_refund',
    refunded_minor: 100,
  });
  // The person's decision: the goods go out all the same, under the same key.
  const [sent] = await query<{ answer: string }>(db, 'test_send', 'select operator_deliver($1, $2) as answer', [
    player,
    order.billingNo,
  ]);
  expect(sent?.answer).toBe('queued');
  expect(await leasedNos()).toContain(order.billingNo);
});

test('a part of a second payment that goes back leaves the order, which is paid in full, alone', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player);
  const first = await placeTestOrder(db, input);
  const second = await placeTestOrder(db, { ...input, provider: 'adyen', channel_key: '10301_' });
  expect(second).toEqual({ billingNo: first.billingNo, attemptNo: 2 });
  await report(db, first);
  expect((await report(db, second, { provider: 'adyen' })).outcome).toBe('overpayment');
  expect((await report(db, second, { provider: 'adyen', ...part(100) })).outcome).toBe('partial_refund');
  expect(await keptOf(first.billingNo)).toEqual({
    state: 'paid',
    review_reason: 'partial_refund',
    refunded_minor: null,
  });
  expect(await leasedNos()).toContain(first.billingNo);
});

test('a payment that is told after a part of it went back is booked, and its goods wait for a person', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order, part(100));
  expect((await keptOf(order.billingNo))?.state).toBe('review');
  const paid = await report(db, order, { leaseSeconds: 15 });
  expect(paid).toMatchObject({ outcome: 'late_refused' });
  expect(paid.delivery).toBeUndefined();
  expect(await keptOf(order.billingNo)).toMatchObject({ state: 'review', review_reason: 'partial_refund' });
  expect(await booksOf(order.billingNo)).toEqual({ provider_receivable: PRICE, goods_owed: -PRICE });
  expect(await leasedNos()).not.toContain(order.billingNo);
});

test.each([false, true])(
  'parts of a price leave revenue by what went back (delivered before: %s)',
  async (isDelivered) => {
    const order = await placePaid({}, isDelivered);
    await report(db, order, part(100));
    await report(db, order, part(50));
    // Of a delivered order nothing is left to send.
    const answer = await operator('deliver', order.player, order.billingNo);
    expect(answer).toBe(isDelivered ? 'wrong_state' : 'queued');
    await deliverAll(db);
    expect(await booksOf(order.billingNo)).toEqual({ provider_receivable: 349, revenue: -349 });
    expect(await keptOf(order.billingNo)).toMatchObject({ state: 'delivered', refunded_minor: 150 });
    expect(await breaches()).toEqual([]);
  },
);

test.each([false, true])(
  'parts that reach the whole price are a refund (delivered before: %s)',
  async (isDelivered) => {
    const order = await placePaid({}, isDelivered);
    expect((await report(db, order, part(250))).outcome).toBe('partial_refund');
    expect((await report(db, order, part(249))).outcome).toBe('refunded');
    expect(await keptOf(order.billingNo)).toMatchObject({ state: 'refunded', refunded_minor: PRICE });
    expect(await operator('deliver', order.player, order.billingNo)).toBe('wrong_state');
    expect(await booksOf(order.billingNo)).toEqual({});
    expect(await breaches()).toEqual([]);
  },
);

test('a refund after a part asks for what is left and books it', async () => {
  const order = await placePaid({}, true);
  await report(db, order, part(100));
  expect(await operator('refund', order.player, order.billingNo)).toBe('due');
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'due', amount_minor: 399 });
  // The provider tells of it by callback: the part that was left, not the whole.
  expect((await report(db, order, part(399))).outcome).toBe('refunded');
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'done' });
  expect(await booksOf(order.billingNo)).toEqual({});
  expect(await breaches()).toEqual([]);
});

test('parts of a payment that differed lessen what is owed', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  expect((await report(db, order, { amount: usd(600) })).outcome).toBe('mismatch');
  await report(db, order, part(100));
  expect(await booksOf(order.billingNo)).toEqual({ provider_receivable: 500, refund_owed: -500 });
  expect((await report(db, order, part(500))).outcome).toBe('refunded');
  expect(await booksOf(order.billingNo)).toEqual({});
  expect(await keptOf(order.billingNo)).toMatchObject({ state: 'refunded' });
});

test('a refund that fails after it was done is owed again, until a person has paid it', async () => {
  const order = await placePaid({}, true);
  expect(await operator('refund', order.player, order.billingNo)).toBe('due');
  expect((await report(db, order, part(PRICE))).outcome).toBe('refunded');
  const failure = { status: 'refund_failed' as const, amount: null, reason: 'account closed' };
  expect((await report(db, order, failure)).outcome).toBe('refund_failed');
  expect((await report(db, order, failure)).outcome).toBe('noted');
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'manual', last_error: 'account closed' });
  expect(await booksOf(order.billingNo)).toEqual({ provider_receivable: PRICE, refund_owed: -PRICE });
  expect((await listDeadLetters(db)).map(({ kind, billing_no }) => [kind, billing_no])).toContainEqual([
    'refund',
    order.billingNo,
  ]);
  expect(await breaches()).toEqual([]);
  expect(await operator('refund_done', order.player, order.billingNo)).toBe('done');
  expect(await operator('refund_done', order.player, order.billingNo)).toBe('was_done');
  expect(await booksOf(order.billingNo)).toEqual({});
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'done', last_error: null });
});

test('a refund from the pages of the provider that fails waits for a person too', async () => {
  const order = await placePaid({}, true);
  await report(db, order, part(PRICE));
  await report(db, order, { status: 'refund_failed', amount: null, reason: 'account closed' });
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'manual', amount_minor: PRICE });
});

test.each([
  ['a part', usd(100), 100],
  ['more than the payment, with a fee', usd(2000), PRICE],
  ['an amount in another currency', { amountMinor: 400, currency: 'EUR' as const }, PRICE],
  ['no amount', null, PRICE],
])('a bank that takes back %s', async (_name, amount, lost) => {
  const order = await placePaid({ points_rate: { points: 1, per_minor: 1 } }, true);
  expect((await report(db, order, { status: 'chargeback', amount })).outcome).toBe('chargeback');
  const left = PRICE - lost;
  expect(await booksOf(order.billingNo)).toEqual({
    chargeback_loss: lost,
    revenue: -PRICE,
    ...(left > 0 ? { provider_receivable: left } : {}),
  });
  expect(await keptOf(order.billingNo)).toMatchObject({ review_reason: 'chargeback', refunded_minor: lost });
  const [points] = await query<{ left: number }>(
    db,
    'parts_points',
    'select sum(points)::integer as left from points_entry where billing_no = $1',
    [order.billingNo],
  );
  expect(points?.left).toBe(left);
  expect(await breaches()).toEqual([]);
});

test.each(['pending', 'expired'])(
  'goods wait where the bank spoke of another amount first: order %s',
  async (state) => {
    const player = await makePlayer(db);
    const order = await placeTestOrder(db, placeInput(player));
    if (state === 'expired') await report(db, order, { status: 'expired', amount: null });
    await report(db, order, { status: 'chargeback', amount: usd(519) });
    const paid = await report(db, order, { leaseSeconds: 15 });
    expect(paid.delivery).toBeUndefined();
    expect(await leasedNos()).not.toContain(order.billingNo);
    expect(await keptOf(order.billingNo)).toMatchObject({ state: 'review', review_reason: 'chargeback' });
    expect(await booksOf(order.billingNo)).toEqual({ provider_receivable: PRICE, goods_owed: -PRICE });
  },
);

test('a payment that nobody could read stays in sight when another one pays the order', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player);
  const order = await placeTestOrder(db, input);
  const second = await placeTestOrder(db, { ...input, provider: 'adyen', channel_key: '10301_' });
  await report(db, order, { status: 'paid_unreadable', amount: null, reason: 'odd' });
  await report(db, second, { provider: 'adyen' });
  await deliverAll(db);
  expect(await keptOf(order.billingNo)).toMatchObject({ state: 'delivered' });
  expect(await listDeadLetters(db)).toContainEqual(
    expect.objectContaining({ kind: 'payment', billing_no: order.billingNo, reason: 'unreadable: odd' }),
  );
  await report(db, order, { status: 'failed', amount: null });
  expect((await listDeadLetters(db)).filter(({ billing_no }) => billing_no === order.billingNo)).toEqual([]);
});

test.each(['refunded', 'chargeback'] as const)(
  'a part that is told after all of it was %s books nothing',
  async (status) => {
    const order = await placePaid({}, true);
    await report(db, order, { status, amount: usd(PRICE) });
    const before = await booksOf(order.billingNo);
    await report(db, order, part(100));
    expect(await booksOf(order.billingNo)).toEqual(before);
    expect(await breaches()).toEqual([]);
  },
);

test('a part that goes back while a refund waits is not paid twice', async () => {
  const order = await placePaid({}, true);
  expect(await operator('refund', order.player, order.billingNo)).toBe('due');
  await report(db, order, part(100));
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'due', amount_minor: 399 });
  // A refund that the provider was asked for keeps its amount: it is asked again under the same key.
  await db.query(`update refund set tries = 1 where billing_no = $1`, [order.billingNo]);
  await report(db, order, part(50));
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'due', amount_minor: 399 });
  // Refused after all: a person pays what is left.
  await db.query(`select record_refund_result($1, $2, 1, 1, 'manual', null, 'refused', null)`, [
    order.player,
    order.billingNo,
  ]);
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'manual', amount_minor: 349 });
});

const taken = (amountMinor: number) => ({ status: 'chargeback' as const, amount: usd(amountMinor) });

test('what is left after the bank took a part can be refunded, once', async () => {
  const order = await placePaid({ points_rate: { points: 1, per_minor: 1 } }, true);
  await report(db, order, part(50));
  await report(db, order, taken(100));
  expect(await operator('refund', order.player, order.billingNo)).toBe('due');
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'due', amount_minor: 349 });
  expect((await report(db, order, part(349))).outcome).toBe('refunded');
  expect(await booksOf(order.billingNo)).toEqual({});
  expect(await keptOf(order.billingNo)).toMatchObject({ state: 'refunded', refunded_minor: PRICE });
  expect(await operator('refund', order.player, order.billingNo)).toBe('nothing_to_refund');
  expect(await breaches()).toEqual([]);
});

test('a promised refund of which the bank takes a part is still owed, less the part', async () => {
  const order = await placePaid();
  expect(await operator('refund', order.player, order.billingNo)).toBe('due');
  await report(db, order, taken(100));
  expect(await keptOf(order.billingNo)).toEqual({
    state: 'refund_due',
    review_reason: 'chargeback',
    refunded_minor: 100,
  });
  expect(await refundOf(order.billingNo)).toMatchObject({ state: 'due', amount_minor: 399 });
  expect(await operator('refund_done', order.player, order.billingNo)).toBe('done');
  expect(await keptOf(order.billingNo)).toMatchObject({ state: 'refunded', refunded_minor: PRICE });
  expect(await booksOf(order.billingNo)).toEqual({});
  expect(await breaches()).toEqual([]);
});

test.each(['overpayment', 'mismatch'] as const)(
  'a bank that takes a part of an %s leaves the rest owed',
  async (kind) => {
    const player = await makePlayer(db);
    const input = placeInput(player);
    const first = await placeTestOrder(db, input);
    const order =
      kind === 'mismatch' ? first : await placeTestOrder(db, { ...input, provider: 'adyen', channel_key: '10301_' });
    const provider = kind === 'mismatch' ? {} : { provider: 'adyen' as const };
    if (kind === 'overpayment') await report(db, first);
    const amount = usd(kind === 'mismatch' ? 600 : PRICE);
    expect((await report(db, order, { ...provider, amount })).outcome).toBe(kind);
    const owed = async () => (await booksOf(order.billingNo))['refund_owed'];
    await report(db, order, { ...provider, ...taken(100) });
    expect(await owed()).toBe(100 - amount.amountMinor);
    // The rest goes back by the provider's pages.
    await report(db, order, { ...provider, ...part(amount.amountMinor - 100) });
    expect(await owed()).toBeUndefined();
    expect(await keptOf(order.billingNo)).toMatchObject({ state: kind === 'mismatch' ? 'refunded' : 'paid' });
    expect(await breaches()).toEqual([]);
  },
);

test('money that goes back of one order leaves another of the same player alone', async () => {
  const player = await makePlayer(db);
  const pay = async () => {
    const order = await placeTestOrder(db, placeInput(player));
    await report(db, order);
    await deliverAll(db);
    return order;
  };
  const [first, second] = [await pay(), await pay()];
  const kindsOf = async ({ billingNo }: { billingNo: BillingNo }) =>
    (
      await query<{ kind: string }>(
        db,
        'parts_kinds',
        `select distinct kind from ledger_entry
         where billing_no = $1 and kind not in ('paid', 'delivered') order by kind`,
        [billingNo],
      )
    ).map(({ kind }) => kind);
  await report(db, first, part(100));
  await report(db, second, part(50));
  expect([await kindsOf(first), await kindsOf(second)]).toEqual([['part_refunded_1'], ['part_refunded_1']]);

  // The refund of one fails after it was done, that of the other before.
  const failure = { status: 'refund_failed' as const, amount: null, reason: 'account closed' };
  await report(db, first, part(399));
  await operator('refund', player, second.billingNo);
  await report(db, second, failure);
  expect(await kindsOf(second)).toEqual(['part_refunded_1']);
  await report(db, first, failure);
  expect(await operator('refund_done', player, second.billingNo)).toBe('done');
  expect(await kindsOf(second)).toEqual(['part_refunded_1', 'refunded']);
  expect(await kindsOf(first)).toEqual(['part_refunded_1', 'refund_failed', 'refunded']);
  expect(await booksOf(second.billingNo)).toEqual({});
  expect(await breaches()).toEqual([]);
});

test('a bank that takes a part lessens the refund of that payment alone', async () => {
  const [first, second] = [await placePaid({}, true), await placePaid({}, true)];
  const other = await placeTestOrder(db, placeInput(first.player));
  await report(db, other);
  await deliverAll(db);
  for (const { player, billingNo } of [first, second, { player: first.player, ...other }])
    expect(await operator('refund', player, billingNo)).toBe('due');
  // One that a person pays is lessened too: the amount is what stands before that person.
  await db.query(`update refund set state = 'manual', tries = 3 where billing_no = $1`, [first.billingNo]);
  await report(db, first, taken(100));
  expect(await refundOf(first.billingNo)).toMatchObject({ state: 'manual', amount_minor: 399 });
  expect(await refundOf(other.billingNo)).toMatchObject({ state: 'due', amount_minor: PRICE });
  expect(await operator('refund_done', first.player, other.billingNo)).toBe('done');
  expect(await booksOf(other.billingNo)).toEqual({});
});

test('a part of the payment of an order leaves the refund of its second payment alone', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player);
  const first = await placeTestOrder(db, input);
  const second = await placeTestOrder(db, { ...input, provider: 'adyen', channel_key: '10301_' });
  await report(db, first);
  await deliverAll(db);
  await report(db, first, part(20));
  await report(db, first, taken(100));
  await report(db, second, { provider: 'adyen' });
  await db.query(`select operator_refund($1, $2, 2, 'asked for', 'ann')`, [player, first.billingNo]);
  await report(db, first, part(50));
  expect(await refundOf(first.billingNo)).toMatchObject({ amount_minor: PRICE });

  // Nor does a refund that fails.
  expect(await operator('refund', player, first.billingNo)).toBe('due');
  await report(db, first, { status: 'refund_failed', amount: null, reason: 'account closed' });
  const refunds = await query<{ attempt_no: number; state: string }>(
    db,
    'parts_refunds',
    'select attempt_no, state from refund where billing_no = $1 order by attempt_no',
    [first.billingNo],
  );
  expect(refunds).toEqual([
    { attempt_no: 1, state: 'manual' },
    { attempt_no: 2, state: 'due' },
  ]);
});
