import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import { type Db, type Queryable, query } from '#server/platform/database/db.ts';
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import { leaseDeliveries, recordDeliveryResults } from './deliveries/delivery-store.ts';
import { findOrder } from './find-store.ts';
import { isSoldOut, placeOrder } from './store.ts';

let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(10));
});
afterAll(() => drop());

const stateOf = async (playerId: PlayerId, billingNo: BillingNo) => (await findOrder(db, playerId, billingNo))?.state;
const ledgerOf = (billingNo: BillingNo) =>
  query<{ kind: string; account: string; amount_minor: number }>(
    db,
    'test_ledger',
    'select kind, account, amount_minor from ledger_entry where billing_no = $1 order by created_at, account',
    [billingNo],
  );
const usedOf = async (playerId: PlayerId) =>
  (
    await query<{ used: number }>(db, 'test_used', 'select used from limit_counter where account_id = $1', [playerId])
  )[0]?.used;

test('a payment booked by a process with room leases its delivery in the same step, with all that a lease tells', async () => {
  const [mine, queued] = await Promise.all(
    [15, undefined].map(async (leaseSeconds) => {
      const player = await makePlayer(db);
      const order = await placeTestOrder(db, placeInput(player));
      const { delivery } = await report(db, order, leaseSeconds ? { leaseSeconds } : {});
      return { player, ...order, delivery };
    }),
  );
  if (!mine || !queued) throw new Error('two were made');
  expect(await findOrder(db, mine.player, mine.billingNo)).toMatchObject({
    state: 'delivering',
    paid_at: expect.any(Date),
    delivering_at: expect.any(Date),
  });
  expect(queued.delivery).toBeUndefined();
  expect(await stateOf(queued.player, queued.billingNo)).toBe('paid');
  const { rows } = await db.query('select state, tries from delivery where billing_no = $1', [mine.billingNo]);
  expect(rows).toEqual([{ state: 'calling', tries: 1 }]);
  // Nobody else may call the game for the first until its lease runs out.
  const leased = await leaseDeliveries(db, 100, 15, []);
  expect(leased.map(({ billing_no }) => billing_no)).toEqual([queued.billingNo]);
  expect({ ...mine.delivery, facts: null }).toEqual({
    ...leased[0],
    player_id: mine.player,
    billing_no: mine.billingNo,
    facts: null,
  });
  expect(mine.delivery?.facts).toMatchObject({ billing_no: mine.billingNo });
  await db.query(`update delivery set next_at = now() where billing_no = $1`, [mine.billingNo]);
  const again = await leaseDeliveries(db, 100, 15, []);
  expect(again).toEqual([{ ...mine.delivery, tries: 2 }]);
  await recordDeliveryResults(
    db,
    [...leased, ...again].map(({ player_id, billing_no, tries }) => ({
      player_id,
      billing_no,
      tries,
      kind: 'done',
      receipt_id: 'R',
      reason: null,
      retry_in_seconds: null,
      on_declined: 'review',
    })),
  );
  expect(await stateOf(mine.player, mine.billingNo)).toBe('delivered');
});

test('a payment told twice, or one that needs a person, leases nothing', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  expect((await report(db, order, { leaseSeconds: 15 })).delivery).toBeDefined();
  expect((await report(db, order, { leaseSeconds: 15 })).delivery).toBeUndefined();
  const less = await placeTestOrder(db, placeInput(player, { product_id: 'other' }));
  const differs = await report(db, less, { leaseSeconds: 15, amount: { amountMinor: 1, currency: 'USD' } });
  expect(differs).toMatchObject({ outcome: 'mismatch' });
  expect(differs.delivery).toBeUndefined();
  await db.query('delete from delivery');
});

async function deliver(kind: 'done' | 'declined' | 'unknown' = 'done', retry: number | null = 0) {
  const leased = await leaseDeliveries(db, 100, 15, []);
  await recordDeliveryResults(db, resultsOf(leased, { kind, receipt_id: 'R', reason: 'why', retry_in_seconds: retry }));
  return leased;
}

test('an order goes from placed to delivered, and the books follow', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  expect(await stateOf(player, order.billingNo)).toBe('pending');
  expect((await report(db, order)).outcome).toBe('paid');
  expect(await stateOf(player, order.billingNo)).toBe('paid');
  const leased = await deliver();
  expect(leased.map((d) => d.billing_no)).toEqual([order.billingNo]);
  expect(await stateOf(player, order.billingNo)).toBe('delivered');
  expect(await ledgerOf(order.billingNo)).toEqual([
    { kind: 'paid', account: 'goods_owed', amount_minor: -499 },
    { kind: 'paid', account: 'provider_receivable', amount_minor: 499 },
    { kind: 'delivered', account: 'goods_owed', amount_minor: 499 },
    { kind: 'delivered', account: 'revenue', amount_minor: -499 },
  ]);
});

test('the same callback a hundred times at once is applied once', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => report(db, order, { dedupKey: `same-${order.billingNo}` })),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'paid')).toHaveLength(1);
  expect(outcomes.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(99);
  expect(await ledgerOf(order.billingNo)).toHaveLength(2);
});

test('a hundred different successes of one order are applied once', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => report(db, order)));
  expect(outcomes.filter(({ outcome }) => outcome === 'paid')).toHaveLength(1);
  expect(await ledgerOf(order.billingNo)).toHaveLength(2);
});

test.each([
  ['one minor unit less', { amount: { amountMinor: 498, currency: 'USD' as const } }, 498],
  ['another currency', { amount: { amountMinor: 499, currency: 'EUR' as const } }, 499],
  ['no amount', { amount: null }, 0],
  ['another merchant', { isOurMerchant: false }, 0],
])('%s goes to review, delivers nothing, and is owed back as far as it is ours', async (_name, over, owed) => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  expect((await report(db, order, over)).outcome).toBe('mismatch');
  expect(await stateOf(player, order.billingNo)).toBe('review');
  expect((await leaseDeliveries(db, 10, 15, [])).filter((d) => d.billing_no === order.billingNo)).toEqual([]);
  const ledger = await ledgerOf(order.billingNo);
  expect(ledger.find(({ account }) => account === 'refund_owed')?.amount_minor ?? 0).toBe(0 - owed);
  expect(ledger.filter(({ kind }) => kind !== 'overpayment')).toEqual([]);
});

test('a callback that comes before the order is committed waits and is applied later', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player);
  const order = { billingNo: input.billing_no, attemptNo: 1 };
  expect((await report(db, order, { dedupKey: `early-${input.billing_no}` })).outcome).toBe('unknown_order');
  await placeTestOrder(db, input);
  expect((await report(db, order, { dedupKey: `early-${input.billing_no}` })).outcome).toBe('paid');
  expect((await report(db, order, { dedupKey: `early-${input.billing_no}` })).outcome).toBe('duplicate');
});

test('a failure after success changes nothing; a success after failure is late money and still delivers', async () => {
  const player = await makePlayer(db);
  const first = await placeTestOrder(db, placeInput(player, { product_id: 'a' }));
  await report(db, first);
  expect((await report(db, first, { status: 'failed' })).outcome).toBe('noted');
  expect(await stateOf(player, first.billingNo)).toBe('paid');

  const second = await placeTestOrder(db, placeInput(player, { product_id: 'b' }));
  expect((await report(db, second, { status: 'failed' })).outcome).toBe('closed');
  expect(await stateOf(player, second.billingNo)).toBe('failed');
  expect((await report(db, second)).outcome).toBe('late_paid');
  expect(await stateOf(player, second.billingNo)).toBe('paid');
});

test('a limit is held by the order, given back by failure, and refuses the next when used up', async () => {
  const player = await makePlayer(db);
  const limit = { times: 1, days: null, subject: 'role:70021//s1/r1' };
  const order = await placeTestOrder(db, placeInput(player, { limit, product_id: 'pass' }));
  expect(
    (await placeOrder(db, placeInput(player, { limit, product_id: 'pass', role_id: 'r1', client_id: '70021' })))
      .outcome,
  ).toBe('repeat');
  await report(db, order, { status: 'failed' });
  expect(await usedOf(player)).toBe(0);
  const again = await placeTestOrder(db, placeInput(player, { limit, product_id: 'pass' }));
  await report(db, again);
  await deliver();
  expect((await placeOrder(db, placeInput(player, { limit, product_id: 'pass' }))).outcome).toBe('limit_reached');
  expect(await usedOf(player)).toBe(1);
  // The first order's money comes after all: its place is taken, so it is owed back and nothing
  // is delivered beyond the limit.
  expect((await report(db, order)).outcome).toBe('late_refused');
  expect(await stateOf(player, order.billingNo)).toBe('refund_due');
  expect(await usedOf(player)).toBe(1);
});

test('300 buyers, 20 pieces: exactly 20 orders', async () => {
  await query(
    db,
    'test_stock',
    `insert into product_stock (game_id, product_id, total) values ('starlane', 'statue', 20)`,
  );
  const players = await Promise.all(Array.from({ length: 300 }, () => makePlayer(db)));
  const outcomes = await Promise.all(
    players.map((player) => placeOrder(db, placeInput(player, { product_id: 'statue', has_stock: true }))),
  );
  expect(outcomes.filter(({ outcome }) => outcome === 'placed')).toHaveLength(20);
  expect(outcomes.filter(({ outcome }) => outcome === 'sold_out')).toHaveLength(280);
  expect(await query(db, 'test_stock_used', `select used from product_stock where product_id = 'statue'`)).toEqual([
    { used: 20 },
  ]);
});

test('what is sold out is told without a lock, but not to who may hold a piece', async () => {
  await db.query(
    `insert into product_stock (game_id, product_id, total)
     values ('starlane', 'bell', 1), ('starlane', 'lamp', 9), ('other', 'bell', 9)`,
  );
  const limited = (player: PlayerId, key: string, product = 'bell') =>
    placeInput(player, { product_id: product, has_stock: true, idempotency_key: key });
  const isRefused = (player: PlayerId, key: string | null, product = 'bell', on: Queryable = db) =>
    isSoldOut(on, { player_id: player, idempotency_key: key, game_id: 'starlane' as GameId, product_id: product });
  const late = await makePlayer(db);
  expect(await isRefused(late, 'key-of-bell')).toBe(false);
  const holder = await makePlayer(db);
  const held = await placeTestOrder(db, limited(holder, 'key-of-holder'));
  await placeTestOrder(db, limited(late, 'key-of-lamp', 'lamp'));

  // Somebody holds every row that a whole press would lock.
  const [other, client] = await Promise.all([db.connect(), db.connect()]);
  try {
    await other.query('begin');
    await other.query('select from player where player_id = $1 for update', [late]);
    await other.query('select from product_stock for update');
    await client.query(`set lock_timeout = '50ms'`);
    expect(await isRefused(late, 'key-of-bell', 'bell', client)).toBe(true);
    expect(await isRefused(late, null, 'bell', client)).toBe(true);
    expect(await isRefused(late, 'key-of-lamp-2', 'lamp', client)).toBe(false);
    expect(await isRefused(late, null, 'of-no-stock', client)).toBe(true);
  } finally {
    await client.query('reset lock_timeout');
    client.release();
    await other.query('rollback');
    other.release();
  }

  // The same call once more, and another way to pay for the piece that is held: place_order answers.
  expect(await isRefused(holder, 'key-of-holder')).toBe(false);
  expect(await isRefused(holder, 'key-of-another')).toBe(false);
  expect(await isRefused(holder, 'key-of-another', 'of-no-stock')).toBe(true);
  await report(db, held);
  await deliver();
  // The piece is theirs, and the order no longer unpaid; its key is known.
  expect(await isRefused(holder, 'key-of-another')).toBe(true);
  expect(await isRefused(holder, 'key-of-holder')).toBe(false);
  expect(await isRefused(late, 'key-of-holder')).toBe(true);
  expect((await placeOrder(db, limited(late, 'key-of-bell'))).outcome).toBe('sold_out');

  // Given back, it is there at once.
  await db.query(`update product_stock set used = 0 where game_id = 'starlane' and product_id = 'bell'`);
  expect(await isRefused(late, 'key-of-bell')).toBe(false);
});

test('fifty taps at once make one order; another channel makes a second attempt of it', async () => {
  const player = await makePlayer(db);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => placeOrder(db, placeInput(player))));
  expect(outcomes.filter(({ outcome }) => outcome === 'placed')).toHaveLength(1);
  expect(new Set(outcomes.map((outcome) => ('billing_no' in outcome ? outcome.billing_no : ''))).size).toBe(1);
  const other = await placeOrder(db, placeInput(player, { channel_key: '12101_', provider: 'adyen' }));
  expect(other).toMatchObject({ outcome: 'placed', attempt_no: 2 });
  const billingNo = (other as { billing_no: BillingNo }).billing_no;
  // Both ways are paid: the first wins, the second is money we owe back.
  expect((await report(db, { billingNo, attemptNo: 2 }, { provider: 'adyen' })).outcome).toBe('paid');
  expect((await report(db, { billingNo, attemptNo: 1 })).outcome).toBe('overpayment');
  await deliver();
  const sums = await query<{ account: string; sum: number }>(
    db,
    'test_sums',
    `select account, sum(amount_minor)::bigint as sum from ledger_entry where billing_no = $1
      group by account order by account`,
    [billingNo],
  );
  expect(sums).toEqual([
    { account: 'goods_owed', sum: 0 },
    { account: 'provider_receivable', sum: 998 },
    { account: 'refund_owed', sum: -499 },
    { account: 'revenue', sum: -499 },
  ]);
});

test('an idempotency key answers the same again, refuses another body, and says when it is busy', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player, { idempotency_key: 'key-00000001', fingerprint: 'one' });
  const [first, second] = await Promise.all([
    placeOrder(db, input),
    placeOrder(db, { ...input, billing_no: placeInput(player).billing_no }),
  ]);
  expect([first.outcome, second.outcome].toSorted()).toEqual(['placed', 'running']);
  expect((await placeOrder(db, { ...input, fingerprint: 'other' })).outcome).toBe('key_reused');
  // Of a server of the next release, whose hashes are of more fields: the call comes again while servers are replaced.
  expect((await placeOrder(db, { ...input, fingerprint: '2:other' })).outcome).not.toBe('key_reused');
  const order = await placeTestOrder(
    db,
    placeInput(player, { idempotency_key: 'key-00000002', fingerprint: 'two', product_id: 'b' }),
  );
  expect(
    await placeOrder(db, placeInput(player, { idempotency_key: 'key-00000002', fingerprint: 'two', product_id: 'b' })),
  ).toEqual({
    outcome: 'replay',
    answer: { code: 'success', billing_no: order.billingNo, url: 'https://pay.example/x' },
  });
});

test('a call that died between placing and the provider goes on with the same attempt', async () => {
  const player = await makePlayer(db);
  const input = placeInput(player, { idempotency_key: 'key-00000003' });
  expect(await placeOrder(db, input)).toMatchObject({ outcome: 'placed', attempt_no: 1 });
  await query(db, 'test_age', `update idempotency set created_at = now() - interval '1 minute' where player_id = $1`, [
    player,
  ]);
  expect(await placeOrder(db, { ...input, billing_no: placeInput(player).billing_no })).toMatchObject({
    outcome: 'placed',
    billing_no: input.billing_no,
    attempt_no: 1,
  });
});

test('a character nobody has shown us cannot be bought for', async () => {
  const player = await makePlayer(db);
  expect((await placeOrder(db, placeInput(player, { role_id: 'r2' }))).outcome).toBe('role_unknown');
});

test('open and hourly orders are bounded', async () => {
  const player = await makePlayer(db);
  await placeTestOrder(db, placeInput(player, { product_id: 'a', max_open: 2 }));
  await placeTestOrder(db, placeInput(player, { product_id: 'b', max_open: 2 }));
  expect((await placeOrder(db, placeInput(player, { product_id: 'c', max_open: 2 }))).outcome).toBe('too_many_orders');
  expect((await placeOrder(db, placeInput(player, { product_id: 'c', max_per_minute: 2 }))).outcome).toBe('too_fast');
});

test('a lease that ran out is called again with the same key; the first answer still counts, once', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  const [first] = await leaseDeliveries(db, 10, 0, []);
  const [second] = await leaseDeliveries(db, 10, 15, []);
  expect([first?.tries, second?.tries]).toEqual([1, 2]);
  const done = (tries: number) => ({
    player_id: player,
    billing_no: order.billingNo,
    tries,
    kind: 'done' as const,
    receipt_id: 'R',
    reason: null,
    retry_in_seconds: null,
    on_declined: 'review' as const,
  });
  expect(
    await recordDeliveryResults(db, [{ ...done(1), kind: 'unknown', retry_in_seconds: 5, on_declined: 'review' }]),
  ).toBe(0);
  expect(await recordDeliveryResults(db, [done(1)])).toBe(1);
  expect(await recordDeliveryResults(db, [done(2)])).toBe(0);
  expect(await ledgerOf(order.billingNo)).toHaveLength(4);
});

test('a refusal of the game and a delivery without end both go to review', async () => {
  const player = await makePlayer(db);
  const declined = await placeTestOrder(db, placeInput(player, { product_id: 'a' }));
  await report(db, declined);
  await deliver('declined');
  expect(await stateOf(player, declined.billingNo)).toBe('review');
  const endless = await placeTestOrder(db, placeInput(player, { product_id: 'b' }));
  await report(db, endless);
  await deliver('unknown', null);
  expect(await stateOf(player, endless.billingNo)).toBe('review');
});

test('the ledger cannot be changed, nor hold a booking that does not balance', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await expect(
    query(db, 'test_tamper', 'update ledger_entry set amount_minor = 1 where billing_no = $1', [order.billingNo]),
  ).rejects.toThrow(/append-only/);
  await expect(
    query(
      db,
      'test_unbalanced',
      `insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
        values ($1, $2, 'refunded', 1, 'revenue', 5, 'USD')`,
      [player, order.billingNo],
    ),
  ).rejects.toThrow(/does not sum to zero/);
});

test('limits of days begin at the local midnight of the brand', async () => {
  const rows = await query<{ period: string; ends: Date }>(
    db,
    'test_period',
    `select limit_period(7, $1, $2::timestamptz) as period, limit_period_end(7, $1, $2::timestamptz) as ends`,
    ['Asia/Tokyo', '2026-11-22T14:59:59Z'],
  );
  const next = await query<{ period: string }>(
    db,
    'test_period_next',
    `select limit_period(7, $1, $2::timestamptz) as period`,
    ['Asia/Tokyo', '2026-11-22T15:00:00Z'],
  );
  expect(rows[0]?.ends.toISOString()).toBe('2026-11-22T15:00:00.000Z');
  expect(next[0]?.period).not.toBe(rows[0]?.period);
});

test('a refused try leaves the order open and says so; a part refunded goes to a person', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  expect((await report(db, order, { status: 'declined', amount: null })).outcome).toBe('declined');
  expect(await findOrder(db, player, order.billingNo)).toMatchObject({
    state: 'pending',
    declined_at: expect.any(Date),
  });
  await report(db, order);
  const part = { status: 'refunded' as const, amount: { amountMinor: 100, currency: 'USD' as const } };
  expect((await report(db, order, part)).outcome).toBe('partial_refund');
  expect(await findOrder(db, player, order.billingNo)).toMatchObject({
    state: 'review',
    review_reason: 'partial_refund',
  });
  expect(await ledgerOf(order.billingNo)).toHaveLength(4);
});
