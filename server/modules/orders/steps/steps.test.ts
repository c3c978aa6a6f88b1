// Steps of several orders in one transaction, on the real database: what is gained, and that
// nobody pays for another's trouble.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, type Queryable } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder } from '#testing/orders.ts';
import type { DeliveryResult } from '#server/modules/orders/deliveries/delivery-store.ts';
import { type Steps, createSteps } from './steps.ts';
import { findOrder } from '#server/modules/orders/find-store.ts';

let db: Db;
let drop: () => Promise<void>;
const names: string[] = [];
/** The pool, with what is asked of it written down. */
const counted = {
  query: (statement: { name: string }) => {
    names.push(statement.name);
    return db.query(statement as never);
  },
} as unknown as Queryable;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(20));
});
afterAll(() => drop());

const makePlayers = (count: number): Promise<PlayerId[]> =>
  Promise.all(Array.from({ length: count }, () => makePlayer(db)));
const noAnswer = {
  provider: 'paypal',
  state: 'redirected',
  provider_ref: null,
  url: 'https://pay.example/x',
  exchange: {},
  idempotency_key: null,
  answer: null,
} as const;
const note = (steps: Steps, player_id: PlayerId, billing_no: BillingNo) =>
  steps.recordCreateResult({ ...noAnswer, player_id, billing_no, attempt_no: 1 });
const pay = (steps: Steps, billingNo: BillingNo) =>
  steps.receiveReport({
    provider: 'paypal', billingNo, attemptNo: 1, isOurMerchant: true, mustNotify: false, leaseSeconds: 15,
    callback: { dedupKey: billingNo, headers: {}, body: '{}' },
    report: { status: 'paid', reference: null, providerRef: null, captureRef: 'C', amount: { amountMinor: 499, currency: 'USD' }, merchantAccount: null, reason: null },
  }); /* a row a line */ // prettier-ignore
const done = (player_id: PlayerId, billing_no: BillingNo): DeliveryResult => ({
  player_id,
  billing_no,
  tries: 1,
  kind: 'done',
  receipt_id: 'R',
  reason: null,
  retry_in_seconds: null,
  on_declined: 'review',
});
const stateOf = async (player: PlayerId, billingNo: BillingNo) => (await findOrder(db, player, billingNo))?.state;

test('forty orders at once go their whole way, each with its own answers, in a few statements', async () => {
  const steps = createSteps(counted, { isSharing: true });
  const players = await makePlayers(40);
  names.length = 0;
  const orders = await Promise.all(
    players.map(async (player, number) => {
      const input = placeInput(player, { idempotency_key: `key-${number}` });
      const placed = await steps.placeOrder(input);
      expect(placed).toMatchObject({ outcome: 'placed', billing_no: input.billing_no });
      await note(steps, player, input.billing_no);
      const paid = await pay(steps, input.billing_no);
      expect(paid).toMatchObject({ outcome: 'paid', player_id: player, delivery: { billing_no: input.billing_no } });
      await steps.recordDeliveryResults([done(player, input.billing_no)]);
      return { player, billingNo: input.billing_no };
    }),
  );
  for (const { player, billingNo } of orders) expect(await stateOf(player, billingNo)).toBe('delivered');
  expect(names.length).toBeLessThan(40);
  expect(names).toContain('run_steps');
  const { rows } = await db.query(
    'select count(*)::integer as entries, sum(amount_minor)::integer as sum from ledger_entry',
  );
  expect(rows).toEqual([{ entries: 160, sum: 0 }]);
});

test('with sharing switched off the same goes its way too, and no transaction is shared', async () => {
  const steps = createSteps(counted, { isSharing: false });
  const players = await makePlayers(8);
  names.length = 0;
  const orders = await Promise.all(
    players.map(async (player) => {
      const input = placeInput(player);
      expect(await steps.placeOrder(input)).toMatchObject({ outcome: 'placed' });
      await note(steps, player, input.billing_no);
      expect(await pay(steps, input.billing_no)).toMatchObject({ outcome: 'paid' });
      await steps.recordDeliveryResults([done(player, input.billing_no)]);
      return { player, billingNo: input.billing_no };
    }),
  );
  for (const { player, billingNo } of orders) expect(await stateOf(player, billingNo)).toBe('delivered');
  expect(names).toHaveLength(32);
  expect(names).not.toContain('run_steps');
});

test('a step that locks what many orders use goes alone, whatever else is under way', async () => {
  const asked: string[] = [];
  const held = { query: ({ name }: { name: string }) => (asked.push(name), new Promise(() => undefined)) };
  const steps = createSteps(held as unknown as Queryable, { isSharing: true });
  const [player] = await makePlayers(1);
  const input = (over: Parameters<typeof placeInput>[1] = {}) => placeInput(player as PlayerId, over);
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  // A batch is under way: shared steps wait from here on.
  void steps.placeOrder(input());
  await turn();
  await turn();
  expect(asked).toEqual(['place_order']);
  const nothing = {
    reference: null,
    providerRef: null,
    captureRef: null,
    amount: null,
    merchantAccount: null,
    reason: null,
  };
  const named = { provider: 'paypal', billingNo: null, attemptNo: null };
  const about = { ...named, isOurMerchant: true, mustNotify: false, callback: null };
  const failed = { ...noAnswer, state: 'failed', billing_no: input().billing_no, attempt_no: 1 } as const;
  void steps.placeOrder(input({ has_stock: true }));
  void steps.placeOrder(input({ tender: { kind: 'wallet', spends: 'free_first' } }));
  void steps.recordCreateResult({ ...failed, player_id: player as PlayerId });
  void steps.receiveReport({ ...about, report: { ...nothing, status: 'failed' } });
  void steps.placeOrder(input());
  void steps.receiveReport({ ...about, report: { ...nothing, status: 'paid' } });
  await turn();
  await turn();
  const alone = ['place_order', 'place_order', 'record_create_result', 'receive_report'];
  expect(asked.slice(1)).toEqual(alone);
});

test('who meets a lock waits for it alone; the others go on', async () => {
  const steps = createSteps(counted, { isSharing: true });
  const players = await makePlayers(6);
  const orders = await Promise.all(players.map((player) => placeTestOrder(db, placeInput(player))));
  const client = await db.connect();
  await client.query('begin');
  await client.query('select from orders where billing_no = $1 for update', [orders[2]?.billingNo]);
  const booked = orders.map(({ billingNo }) => pay(steps, billingNo));
  const [held] = booked.splice(2, 1);
  expect((await Promise.all(booked)).map(({ outcome }) => outcome)).toEqual(Array<string>(5).fill('paid'));
  let isBooked = false;
  void held?.then(() => (isBooked = true));
  expect(isBooked).toBe(false);
  await client.query('commit');
  client.release();
  expect(await held).toMatchObject({ outcome: 'paid' });
});

test('a step with a fault of its own fails alone, and leaves nothing', async () => {
  const steps = createSteps(counted, { isSharing: true });
  const players = await makePlayers(5);
  const inputs = players.map((player, number) =>
    placeInput(player, { idempotency_key: 'k', ...(number === 3 ? { currency: null as never } : {}) }),
  );
  const ends = await Promise.allSettled(inputs.map((input) => steps.placeOrder(input)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect((await db.query('select from idempotency where player_id = $1', [players[3]])).rowCount).toBe(0);
  expect((await db.query('select from orders where player_id = any($1)', [players])).rowCount).toBe(4);
});

test('the same order twice at once is placed once', async () => {
  const steps = createSteps(counted, { isSharing: true });
  const [player] = await makePlayers(1);
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => steps.placeOrder(placeInput(player as PlayerId, { idempotency_key: 'same' }))),
  );
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(
    [...Array<string>(9).fill('running'), 'placed'].toSorted(),
  );
  expect((await db.query('select from orders where player_id = $1', [player])).rowCount).toBe(1);
});

test.each([
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['a network that broke', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
  ['a server that shuts down', Object.assign(new pg.DatabaseError('shutting down', 1, 'error'), { code: '57P01' })],
])('after %s it may have been committed: every caller hears so, and nothing is tried again', async (_name, error) => {
  let asked = 0;
  const gone = {
    query: () => {
      asked += 1;
      return Promise.reject(error);
    },
  } as unknown as Queryable;
  const steps = createSteps(gone, { isSharing: true });
  const players = await makePlayers(8);
  const ends = await Promise.allSettled(players.map((player) => steps.placeOrder(placeInput(player))));
  expect(ends.map(({ status }) => status)).toEqual(Array<string>(8).fill('rejected'));
  expect(asked).toBe(1);
});
