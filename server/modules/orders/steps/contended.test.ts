// A batch that has waited for a row which somebody else has changed meanwhile: it must write that row's new version as
// well, or nothing of the order. PostgreSQL looks at such a row again with the same plan, and a plan that has left out
// partitions at its beginning does not find it (decision 15).
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import {
  type DeliveryResult,
  recordDeliveryResultsStep,
  recordDeliveryStep,
} from '#server/modules/orders/deliveries/delivery-store.ts';
import { type ReportInput, receiveReportStep } from '#server/modules/orders/payments/report-store.ts';
import { placeOrderStep, recordCreateResultStep } from '#server/modules/orders/store.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput } from '#testing/orders.ts';
import { type Step, runInOneTransaction, runStep } from './step-store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
  // Else a busy machine is too slow for a batch, which would give up before the other one has ended.
  await db.query(`alter function run_steps(jsonb) set lock_timeout = '20s'`);
});
afterAll(() => drop());

const PLAIN = placeInput('' as PlayerId);
type Order = { readonly player: PlayerId; readonly billingNo: BillingNo };

async function place(): Promise<Order> {
  const player = await makePlayer(db);
  const input = placeInput(player);
  await runStep(db, placeOrderStep(input));
  return { player, billingNo: input.billing_no };
}
const created = ({ player, billingNo }: Order): Step =>
  recordCreateResultStep({
    player_id: player,
    billing_no: billingNo,
    attempt_no: 1,
    provider: PLAIN.provider,
    state: 'redirected',
    provider_ref: `PL-${billingNo}`,
    url: 'https://pay.example/1',
    exchange: {},
    idempotency_key: null,
    answer: null,
  });
const paid = ({ billingNo }: Order): Step => {
  const { amount_minor: amountMinor, currency, provider } = PLAIN;
  const input: ReportInput = {
    provider,
    billingNo,
    attemptNo: 1,
    isOurMerchant: true,
    leaseSeconds: 15,
    report: {
      status: 'paid',
      reference: null,
      providerRef: null,
      captureRef: `CAP-${billingNo}`,
      amount: { amountMinor, currency },
      merchantAccount: null,
      reason: null,
    },
    callback: null,
    exchange: null,
    mustNotify: false,
  };
  return receiveReportStep(input);
};
const resultOf = ({ player, billingNo }: Order): DeliveryResult => ({
  player_id: player,
  billing_no: billingNo,
  tries: 1,
  kind: 'done',
  receipt_id: 'R',
  reason: null,
  retry_in_seconds: null,
  on_declined: 'review',
});
const delivered = (order: Order): Step => recordDeliveryResultsStep([resultOf(order)]);
const handedOver = (order: Order): Step => recordDeliveryStep(resultOf(order));

/** Of this database alone: others on the same server wait as well. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Begins the work, which waits until somebody else has changed a row of the order. */
async function runAfterWait(change: string, { player, billingNo }: Order, work: () => Promise<unknown>): Promise<void> {
  const other = await db.connect();
  try {
    await other.query('begin');
    const { rowCount } = await other.query(change, [player, billingNo]);
    expect(rowCount).toBe(1);
    const run = work();
    await expect.poll(async () => (await query(db, 'test_waits', WAITING)).length, { interval: 5 }).toBe(1);
    await other.query('commit');
    await run;
  } finally {
    other.release();
  }
}

const CHANGES = {
  attempt: `update payment_attempt set queried_at = now() where player_id = $1 and billing_no = $2`,
  order: `update orders set expires_at = expires_at + interval '1 s' where player_id = $1 and billing_no = $2`,
  delivery: `update delivery set created_at = created_at where player_id = $1 and billing_no = $2`,
};

async function readOrder({ player, billingNo }: Order) {
  const [row] = await query<{ state: string; attempt: string; delivery: string | null; entries: number }>(
    db,
    'test_contended',
    `select o.state, a.state as attempt, d.state as delivery,
       (select count(*)::integer from ledger_entry l where l.billing_no = o.billing_no) as entries
     from orders o join payment_attempt a using (player_id, billing_no)
       left join delivery d using (player_id, billing_no)
     where o.player_id = $1 and o.billing_no = $2`,
    [player, billingNo],
  );
  return row;
}

test.each(['attempt', 'order'] as const)('the answer to create is recorded after a wait for the %s', async (name) => {
  const [one, two] = [await place(), await place()];
  await runAfterWait(CHANGES[name], one, () => runInOneTransaction(db, [created(one), created(two)]));
  for (const order of [one, two])
    expect(await readOrder(order)).toMatchObject({ state: 'pending', attempt: 'redirected' });
});

test.each(['attempt', 'order'] as const)('a payment is booked whole after a wait for the %s', async (name) => {
  const [one, two] = [await place(), await place()];
  for (const order of [one, two]) await runStep(db, created(order));
  await runAfterWait(CHANGES[name], one, () => runInOneTransaction(db, [paid(one), paid(two)]));
  const whole = { state: 'delivering', attempt: 'succeeded', delivery: 'calling', entries: 2 };
  for (const order of [one, two]) expect(await readOrder(order)).toEqual(whole);
});

test.each(['delivery', 'order'] as const)('a delivery is recorded whole after a wait for the %s', async (name) => {
  const [one, two] = [await place(), await place()];
  for (const order of [one, two]) {
    await runStep(db, created(order));
    await runStep(db, paid(order));
  }
  await runAfterWait(CHANGES[name], one, () => runInOneTransaction(db, [delivered(one), delivered(two)]));
  const whole = { state: 'delivered', attempt: 'succeeded', delivery: 'done', entries: 4 };
  for (const order of [one, two]) expect(await readOrder(order)).toEqual(whole);
});

test.each(['attempt', 'order', 'delivery'] as const)(
  'so are the steps of one order after a wait for the %s',
  async (name) => {
    const order = await place();
    const step = (one: Step) => () => runStep(db, one);
    if (name !== 'delivery') await runAfterWait(CHANGES[name], order, step(created(order)));
    else await runStep(db, created(order));
    expect(await readOrder(order)).toMatchObject({ state: 'pending', attempt: 'redirected' });
    if (name !== 'delivery') await runAfterWait(CHANGES[name], order, step(paid(order)));
    else await runStep(db, paid(order));
    const booked = { state: 'delivering', attempt: 'succeeded', delivery: 'calling', entries: 2 };
    expect(await readOrder(order)).toEqual(booked);
    if (name !== 'attempt') await runAfterWait(CHANGES[name], order, step(handedOver(order)));
    else await runStep(db, handedOver(order));
    expect(await readOrder(order)).toEqual({ ...booked, state: 'delivered', delivery: 'done', entries: 4 });
  },
);
