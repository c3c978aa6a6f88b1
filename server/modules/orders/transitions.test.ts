// Transitions of orders: the table in the database is the law, rules.ts and ARCHITECTURE.md say the same,
// and each pair is walked by the functions that move orders.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlayerId } from '#kernel/ids.ts';
import { type Db, callFunction, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { type PlaceChanges, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { type DeliveryResult, recordDeliveryResults } from './deliveries/delivery-store.ts';
import { DELIVERABLE_STATES, LAPSED_STATES, ORDER_STATES, type OrderState, TRANSITIONS } from './rules.ts';
import { placeOrder, recordCreateResult } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
const seen = new Set<string>();

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
  // Writes down every change of state that any statement makes.
  await db.query(`create table seen_change (from_state text, to_state text);
    create function note_change() returns trigger language plpgsql as $$ begin
      if new.state <> old.state then insert into seen_change values (old.state, new.state); end if; return new; end $$;
    create trigger note_change after update on orders for each row execute function note_change()`);
});
afterAll(() => drop());

const PAIRS = TRANSITIONS.flatMap(({ from, to }) => from.map((state) => `${state} -> ${to}`)).toSorted();

test('the table of the database, rules.ts and ARCHITECTURE.md hold the same pairs', async () => {
  const { rows } = await db.query<{ pair: string }>(
    `select from_state || ' -> ' || to_state as pair from order_transition order by 1`,
  );
  expect(rows.map(({ pair }) => pair)).toEqual([...new Set(PAIRS)]);
  const drawn = TRANSITIONS.map(({ from, to, by, does }) => `| ${from.join(', ')} | ${to} | ${by} | ${does} |`);
  expect(readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')).toContain(drawn.join('\n'));
});

test.each(ORDER_STATES)('the sets of states are the same in SQL and in TypeScript: %s', async (state) => {
  const { rows } = await db.query('select is_lapsed($1) as lapsed, is_deliverable($1) as deliverable', [state]);
  expect(rows[0]).toEqual({ lapsed: LAPSED_STATES.includes(state), deliverable: DELIVERABLE_STATES.includes(state) });
});

test('no statement moves an order another way', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await expect(
    db.query(`update orders set state = 'delivered' where billing_no = $1`, [order.billingNo]),
  ).rejects.toThrow(`order ${order.billingNo} cannot go from pending to delivered`);
});

test('the moves that are allowed without a look stand in the table, and each other one is looked for', async () => {
  const { rows } = await db.query<{ body: string }>(
    `select prosrc as body from pg_proc where proname = 'check_order_transition'`,
  );
  const known = [...(rows[0]?.body ?? '').matchAll(/'(\w+)>(\w+)'/g)].map(([, from, to]) => `${from} -> ${to}`);
  expect(known).toHaveLength(3);
  expect(PAIRS).toEqual(expect.arrayContaining(known));
  // A pair that is taken out of the table is refused from then on.
  const order = await create();
  await db.query(`delete from order_transition where from_state = 'created' and to_state = 'failed'`);
  await expect(db.query(`update orders set state = 'failed' where billing_no = $1`, [order.billingNo])).rejects.toThrow(
    `order ${order.billingNo} cannot go from created to failed`,
  );
  await db.query(`insert into order_transition values ('created', 'failed')`);
});

type Order = { billingNo: Awaited<ReturnType<typeof placeTestOrder>>['billingNo']; attemptNo: number };
let player: PlayerId;
let products = 0;

/** An order that is `created`: its provider has not answered yet. */
async function create(changes: PlaceChanges = {}): Promise<Order> {
  player = await makePlayer(db);
  const placed = await placeOrder(db, placeInput(player, { product_id: `p${(products += 1)}`, ...changes }));
  if (placed.outcome !== 'placed') throw new Error(placed.outcome);
  return { billingNo: placed.billing_no, attemptNo: placed.attempt_no };
}

const key = (order: Order) => ({ player_id: player, billing_no: order.billingNo });
const answer = (order: Order, state: 'redirected' | 'failed') =>
  recordCreateResult(db, {
    ...key(order),
    attempt_no: 1,
    provider: 'paypal',
    state,
    provider_ref: null,
    url: null,
    exchange: {},
    idempotency_key: null,
    answer: null,
  });
const cancel = (order: Order) => callFunction(db, 'cancel_order', { ...key(order), closed_attempts: '{1}' });
const paid = (order: Order) => report(db, order);
const leased = (order: Order) => report(db, order, { leaseSeconds: 15 });
const differs = (order: Order) => report(db, order, { amount: { amountMinor: 1, currency: 'USD' } });
const unreadable = (order: Order) => report(db, order, { status: 'paid_unreadable', amount: null });
const says = (status: 'failed' | 'expired' | 'chargeback' | 'refunded') => (order: Order) =>
  report(db, order, { status });
const lease = () => db.query(`select * from lease_deliveries(1000, interval '15 seconds', '{}')`);
const result = (order: Order, changes: Partial<DeliveryResult>) =>
  recordDeliveryResults(db, [
    {
      ...key(order),
      tries: 1,
      kind: 'done',
      receipt_id: 'R',
      reason: null,
      retry_in_seconds: null,
      on_declined: 'review',
      ...changes,
    },
  ]);
const receipt = (order: Order) => result(order, {});
const declined = (order: Order) => result(order, { kind: 'declined', reason: 'no' });
const operatorRefund = (order: Order) =>
  callFunction(db, 'operator_refund', { ...key(order), attempt_no: 1, reason: 'r', requested_by: 'a' });

/** Its limit is used by another order meanwhile, so late money finds nothing to have. */
async function createAndLoseLimit(close: (order: Order) => Promise<unknown>): Promise<Order> {
  const changes = { product_id: `p${(products += 1)}`, limit: { times: 1, days: null, subject: 'game' } };
  const order = await create(changes);
  await close(order);
  await placeTestOrder(db, placeInput(player, changes));
  return order;
}

const reach: Record<string, (order: Order) => Promise<unknown>> = {
  created: async () => undefined,
  pending: (order) => answer(order, 'redirected'),
  failed: says('failed'),
  expired: says('expired'),
  cancelled: cancel,
  review: unreadable,
  paid,
  delivering: leased,
};

/** How each pair comes about: the state before (or a way of its own to it), and the call that changes it. */
const WALKS: Record<string, { begin?: () => Promise<Order>; act: (order: Order) => Promise<unknown> }> = {
  'created -> pending': { act: (order) => answer(order, 'redirected') },
  ...Object.fromEntries(
    ['created', 'pending', 'failed', 'expired', 'cancelled', 'review'].flatMap((from) => [
      [`${from} -> paid`, { act: paid }],
      [`${from} -> delivering`, { act: leased }],
    ]),
  ),
  'created -> failed': { act: (order) => answer(order, 'failed') },
  'pending -> failed': { act: says('failed') },
  'created -> expired': { act: says('expired') },
  'pending -> expired': { act: says('expired') },
  'created -> cancelled': { act: cancel },
  'pending -> cancelled': { act: cancel },
  'review -> cancelled': { act: cancel },
  ...Object.fromEntries(
    ['created', 'pending', 'failed', 'expired', 'cancelled'].map((from) => [`${from} -> review`, { act: differs }]),
  ),
  'failed -> refund_due': { begin: () => createAndLoseLimit(says('failed')), act: paid },
  'expired -> refund_due': { begin: () => createAndLoseLimit(says('expired')), act: paid },
  'cancelled -> refund_due': { begin: () => createAndLoseLimit(cancel), act: paid },
  'paid -> delivering': { act: lease },
  'paid -> delivered': { act: receipt },
  'delivering -> delivered': { act: receipt },
  'review -> delivered': {
    begin: async () => {
      const order = await create();
      await leased(order);
      await declined(order);
      return order;
    },
    act: receipt,
  },
  'paid -> review': { act: says('chargeback') },
  'delivering -> review': { act: declined },
  'paid -> refund_due': { act: operatorRefund },
  'delivering -> refund_due': {
    begin: async () => {
      const order = await create();
      await leased(order);
      // The lease has run out: nobody is calling the game at this moment.
      await db.query(`update delivery set next_at = now() - interval '1 second' where billing_no = $1`, [
        order.billingNo,
      ]);
      return order;
    },
    act: operatorRefund,
  },
  'review -> refund_due': {
    begin: async () => {
      const order = await create();
      await leased(order);
      return order;
    },
    act: (order) => result(order, { kind: 'declined', reason: 'no', on_declined: 'refund' }),
  },
  'review -> refunded': {
    begin: async () => {
      const order = await create();
      await differs(order);
      return order;
    },
    act: (order) => report(db, order, { status: 'refunded', amount: { amountMinor: 1, currency: 'USD' } }),
  },
  'refund_due -> refunded': {
    begin: async () => {
      const order = await create();
      await paid(order);
      await operatorRefund(order);
      return order;
    },
    act: says('refunded'),
  },
  'delivered -> refunded': {
    begin: async () => {
      const order = await create();
      await leased(order);
      await receipt(order);
      return order;
    },
    act: says('refunded'),
  },
  'paid -> refunded': { act: says('refunded') },
  'delivering -> refunded': { act: says('refunded') },
};

describe.each([...new Set(PAIRS)])('%s', (pair) => {
  test('is walked', async () => {
    const walk = WALKS[pair];
    if (!walk) throw new Error(`no walk makes ${pair}`);
    const [from = ''] = pair.split(' -> ') as OrderState[];
    let order: Order;
    if (walk.begin) order = await walk.begin();
    else {
      order = await create();
      await reach[from]?.(order);
    }
    await db.query('delete from seen_change');
    await walk.act(order);
    const changes = await query<{ pair: string }>(
      db,
      'seen_changes',
      `select distinct from_state || ' -> ' || to_state as pair from seen_change`,
    );
    expect(changes.map((change) => change.pair)).toContain(pair);
    for (const change of changes) seen.add(change.pair);
    const broken = await query(db, 'broken', 'select * from invariant_breach where breaches > 0');
    expect(broken).toEqual([]);
  });
});

test('nothing that the walks did lies beside the table', () => {
  expect([...seen].filter((pair) => !PAIRS.includes(pair))).toEqual([]);
  expect(seen.size).toBe(new Set(PAIRS).size);
});
