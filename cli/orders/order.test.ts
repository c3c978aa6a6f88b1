import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { readOrdersHealth } from '#server/modules/orders/health-store.ts';
import { leaseRefunds, finishRefund } from '#server/modules/orders/refunds/refund-store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let db: Db;
let environment: { DATABASE_URL: string };
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase(5);
  environment = { DATABASE_URL: database.url };
  ({ db, drop } = database);
});
afterAll(() => drop());

const refill = (...args: string[]): Promise<Run> => runCommand(args, environment);
const refillJson = async (...args: string[]) => JSON.parse((await refill(...args, '--json')).out);

type Order = { player: PlayerId; billingNo: BillingNo; attemptNo: number };

async function paidOrder(over: Parameters<typeof placeInput>[1] = {}): Promise<Order> {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, over));
  await report(db, order, { captureRef: `C-${order.billingNo}` });
  return { player, ...order };
}

async function finish(billingNo: string, kind: 'done' | 'declined' | 'unknown') {
  const leased = await leaseDeliveries(db, 100, 15, []);
  await recordDeliveryResults(
    db,
    resultsOf(
      leased.filter((one) => one.billing_no === billingNo),
      { kind, receipt_id: 'R-1', reason: 'role gone' },
    ),
  );
}

async function stateOf(billingNo: string): Promise<string> {
  return (await db.query('select state from orders where billing_no = $1', [billingNo])).rows[0].state;
}
async function auditOf(billingNo: string) {
  const { rows } = await db.query('select actor, act, details from audit_entry where billing_no = $1 order by id', [
    billingNo,
  ]);
  return rows;
}
/** All rows that an act might change. */
async function everythingOf(billingNo: string): Promise<unknown> {
  const tables = [
    'orders',
    'payment_attempt',
    'delivery',
    'reservation',
    'ledger_entry',
    'refund',
    'revocation',
    'audit_entry',
  ];
  const found = [];
  for (const table of tables)
    found.push((await db.query(`select * from ${table} where billing_no = $1 order by 1, 2`, [billingNo])).rows);
  return found;
}
const breaches = async () => (await db.query('select invariant from invariant_breach where breaches > 0')).rows;

test('an unmatched payment is listed with amount, provider and reference', async () => {
  await db.query(
    `insert into callback_inbox (provider, dedup_key, reference, report, headers, body,
     tries, next_try_at, unmatched_at)
     values ('adyen', 'unmatched-1', '01ARZ3NDEKTSV4RRFFQ69G5FAV-1', '{"status":"paid","isOurMerchant":true,
       "providerRef":"PSP-1","amount":{"amountMinor":499,"currency":"USD"}}', '{}', '', 2,
       now() + interval '4 seconds', now())`,
  );
  expect((await refill('order', 'dead')).out).toContain(
    'adyen: paid 4.99 USD, reference 01ARZ3NDEKTSV4RRFFQ69G5FAV-1, at the provider PSP-1',
  );
  expect(await refillJson('order', 'deadletters')).toMatchObject({
    dead_letters: [{ kind: 'unmatched', billing_no: null, payment: { provider: 'adyen', amount_minor: 499 } }],
  });
  await db.query(`delete from callback_inbox where dedup_key = 'unmatched-1'`);
});

describe('an unmatched payment that somebody has seen to', () => {
  const arrive = (
    key: string,
    over: { reference?: string; state?: string; unmatched?: boolean; lease?: string } = {},
  ) =>
    db.query(
      `insert into callback_inbox (provider, dedup_key, reference, report, headers, body, tries, state, next_try_at,
         unmatched_at, lease_until)
       values ('adyen', $1, $2, '{"status":"paid","providerRef":"PSP-2","amount":{"amountMinor":499,"currency":"USD"}}',
         '{}', '', 2, $3, now(), case when $4 then now() end, now() + $5::interval)`,
      [
        key,
        over.reference ?? '01ARZ3NDEKTSV4RRFFQ69G5FAV-1',
        over.state ?? 'stored',
        over.unmatched ?? true,
        over.lease ?? '-1 second',
      ],
    );
  const acknowledge = (key: string) =>
    refillJson('order', 'acknowledge', 'adyen', key, '--reason', 'paid back at Adyen', '--by', 'anna');
  const rowOf = async (key: string) =>
    (await db.query('select state, outcome, next_try_at from callback_inbox where dedup_key = $1', [key])).rows[0];
  afterEach(() => db.query(`delete from callback_inbox where provider = 'adyen'`));

  test('leaves the list and is never tried again, with an audit line that says why', async () => {
    await arrive('seen-1');
    expect(await acknowledge('seen-1')).toMatchObject({ ok: true, outcome: 'acknowledged' });
    expect(await rowOf('seen-1')).toEqual({ state: 'ignored', outcome: 'acknowledged', next_try_at: null });
    expect(await refillJson('order', 'deadletters')).toEqual({ dead_letters: [] });
    expect((await readOrdersHealth(db)).unmatched_payments).toBe(0);
    const { rows } = await db.query(`select actor, details from audit_entry where act = 'acknowledge'`);
    expect(rows).toEqual([
      {
        actor: 'anna',
        details: {
          provider: 'adyen',
          key: 'seen-1',
          reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1',
          status: 'paid',
          amount: { amountMinor: 499, currency: 'USD' },
          provider_ref: 'PSP-2',
          reason: 'paid back at Adyen',
        },
      },
    ]);
    expect(await acknowledge('seen-1')).toMatchObject({ ok: false, outcome: 'wrong_state' });
  });

  test('is a dead callback too; not what is still tried, is tried now, or has its order here', async () => {
    const { billingNo } = await placeTestOrder(db, placeInput(await makePlayer(db)));
    await arrive('dead', { state: 'dead', unmatched: false });
    await arrive('young', { unmatched: false });
    await arrive('leased', { lease: '1 minute' });
    await arrive('found', { reference: `${billingNo}-1` });
    await arrive('applied', { state: 'applied' });
    const outcomes = [];
    for (const key of ['dead', 'young', 'leased', 'found', 'applied']) outcomes.push((await acknowledge(key)).outcome);
    expect(outcomes).toEqual(['acknowledged', 'wrong_state', 'applying_now', 'has_order', 'wrong_state']);
    expect(await rowOf('found')).toMatchObject({ state: 'stored' });
  });

  test('needs a name that is there, and a reason', async () => {
    expect(await refill('order', 'acknowledge', 'adyen', 'nothing', '--reason', 'x')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no callback nothing of adyen.'),
    });
    expect(await refill('order', 'acknowledge', 'adyen', 'nothing', '--reason', ' ')).toMatchObject({ code: 1 });
  });
});

test('a refused delivery is sent again, with the name of who decided it', async () => {
  const { billingNo } = await paidOrder();
  await finish(billingNo, 'declined');
  expect(await refillJson('order', 'review', '--list')).toMatchObject({
    orders: [{ billing_no: billingNo, state: 'review', review_reason: 'game_declined: role gone', amount_minor: 499 }],
  });
  expect(await refillJson('order', 'deadletters')).toMatchObject({
    dead_letters: [{ kind: 'delivery', billing_no: billingNo, reason: 'role gone', tries: 1 }],
  });
  expect((await refill('order', 'show', billingNo)).out).toMatch(/^player reads +delivery$/m);
  expect(await refill('order', 'review', billingNo, '--deliver', '--by', 'anna')).toEqual({
    code: 0,
    out: `The goods of order ${billingNo} are on their way to the game again, with the same key.\n`,
    err: '',
  });
  expect(await auditOf(billingNo)).toEqual([
    { actor: 'anna', act: 'review-deliver', details: { before: 'review', reason: 'game_declined: role gone' } },
  ]);
  await finish(billingNo, 'done');
  expect(await stateOf(billingNo)).toBe('delivered');
  expect((await refill('order', 'review')).out).toBe('No order waits for a decision.\n');
  expect(await breaches()).toEqual([]);
});

test('an order in review is refunded by the worker, and its limit is free again', async () => {
  const order = await paidOrder({ limit: { times: 1, days: null, subject: 'game' }, product_id: 'limited' });
  await finish(order.billingNo, 'declined');
  expect((await refill('order', 'review', order.billingNo, '--refund', '--by', 'anna')).out).toBe(
    `4.99 USD of order ${order.billingNo} (attempt 1) will go back: a worker asks the provider within seconds.\n`,
  );
  expect(await stateOf(order.billingNo)).toBe('refund_due');
  const leased = (await leaseRefunds(db, 10, 60)).find((one) => one.billing_no === order.billingNo);
  expect(leased).toMatchObject({ capture_ref: `C-${order.billingNo}`, amount_minor: 499 });
  await finishRefund(db, leased!, { kind: 'done', ref: 'RF', error: null, retrySeconds: 0 });
  expect(await stateOf(order.billingNo)).toBe('refunded');
  const { rows } = await db.query(`select used from limit_counter where account_id = $1`, [order.player]);
  expect(rows).toEqual([{ used: 0 }]);
  expect((await auditOf(order.billingNo)).map((entry) => entry.act)).toEqual(['review-refund']);
  expect(await breaches()).toEqual([]);
});

test('a refund by hand is booked at once, and no worker asks the provider for it', async () => {
  const { billingNo } = await paidOrder();
  await finish(billingNo, 'done');
  const run = await refill(
    'order',
    'refund',
    billingNo,
    '--done',
    '--revoke',
    '--reason',
    'bank transfer',
    '--by',
    'anna',
  );
  expect(run).toMatchObject({
    code: 0,
    out:
      `Booked: 4.99 USD of order ${billingNo} (attempt 1) went back by hand. The game is asked to take the ` +
      `goods back.\n`,
  });
  expect(await stateOf(billingNo)).toBe('refunded');
  expect((await leaseRefunds(db, 100, 60)).filter((one) => one.billing_no === billingNo)).toEqual([]);
  expect(await auditOf(billingNo)).toEqual([
    { actor: 'anna', act: 'refund-done', details: { attempt: 1, amount: '4.99', currency: 'USD', reason: 'bank transfer', revoke: true, before: 'delivered' } },
  ]); /* a row a line */ // prettier-ignore
  const again = await refill('order', 'refund', billingNo, '--done');
  expect(again).toEqual({ code: 3, out: '', err: `There is no money of order ${billingNo} to give back.\n` });
  expect(await breaches()).toEqual([]);
});

test('a paid order that waits for its game can be refunded, and is not delivered any more', async () => {
  const { billingNo } = await paidOrder();
  expect((await refill('order', 'refund', billingNo, '--by', 'anna')).code).toBe(0);
  expect(await stateOf(billingNo)).toBe('refund_due');
  expect((await leaseDeliveries(db, 100, 15, [])).filter((one) => one.billing_no === billingNo)).toEqual([]);
  expect(await refill('order', 'redeliver', billingNo)).toMatchObject({ code: 3, out: '' });
  expect(await refill('order', 'refund', billingNo)).toMatchObject({
    code: 3,
    err: `A refund of attempt 1 of order ${billingNo} was asked for before: see \`refill order show ${billingNo}\`.\n`,
  });
  expect(await breaches()).toEqual([]);
});

test('no act meets a call that is being made: not to the game, not to the provider', async () => {
  const { billingNo } = await paidOrder();
  await leaseDeliveries(db, 100, 15, []);
  const before = await everythingOf(billingNo);
  expect(await refill('order', 'refund', billingNo)).toMatchObject({
    code: 3,
    err: expect.stringContaining('at this moment'),
  });
  expect(await everythingOf(billingNo)).toEqual(before);
  const other = await paidOrder();
  await refill('order', 'refund', other.billingNo);
  await leaseRefunds(db, 100, 60);
  const run = await refill('order', 'refund', other.billingNo, '--done');
  expect(run).toMatchObject({ code: 3, err: expect.stringContaining('The provider is being asked') });
});

test('a payment that came in twice is refunded by its number', async () => {
  const player = await makePlayer(db);
  const first = await placeTestOrder(db, placeInput(player));
  const second = await placeTestOrder(db, placeInput(player, { provider: 'adyen', channel_key: '12101_' }));
  await report(db, first);
  await report(db, second, { provider: 'adyen' });
  const { billingNo } = first;
  expect((await refill('order', 'refund', billingNo, '--attempt', '2')).err).toContain('asked for before');
  expect((await refill('order', 'refund', billingNo, '--attempt', '2', '--done', '--by', 'anna')).code).toBe(0);
  expect((await refill('order', 'refund', billingNo, '--attempt', '3')).code).toBe(3);
  expect(await stateOf(billingNo)).toBe('paid');
  expect((await auditOf(billingNo)).map((one) => one.details.attempt)).toEqual([2]);
});

test('an order in review that was never to be delivered is, once what it needs is still there', async () => {
  const player = await makePlayer(db);
  const first = await placeTestOrder(db, placeInput(player));
  const second = await placeTestOrder(db, placeInput(player, { provider: 'adyen', channel_key: '12101_' }));
  const { billingNo } = first;
  await report(db, first, { amount: { amountMinor: 1, currency: 'USD' } });
  expect(await refill('order', 'review', billingNo, '--deliver')).toMatchObject({
    code: 3,
    err: `Order ${billingNo} has no payment that equals its price: refund what came in instead.\n`,
  });
  await report(db, second, { provider: 'adyen' });
  expect(await stateOf(billingNo)).toBe('review');
  expect((await refill('order', 'review', billingNo, '--deliver')).code).toBe(0);
  await finish(billingNo, 'done');
  expect(await stateOf(billingNo)).toBe('delivered');
  expect(await breaches()).toEqual([]);
});

test.each([
  ['redeliver', ['redeliver']],
  ['refund', ['refund']],
  ['refund --done', ['refund', '--done']],
  ['review --deliver', ['review', '--deliver']],
  ['review --refund', ['review', '--refund']],
])('%s of an unpaid order changes nothing and ends with 3', async (_name, [verb = '', ...options]) => {
  const player = await makePlayer(db);
  const { billingNo } = await placeTestOrder(db, placeInput(player));
  const before = await everythingOf(billingNo);
  expect(await refill('order', verb, billingNo, ...options)).toMatchObject({ code: 3, out: '' });
  expect(await everythingOf(billingNo)).toEqual(before);
});

test('a delivered order is not delivered again, nor a charged-back one', async () => {
  const delivered = await paidOrder();
  await finish(delivered.billingNo, 'done');
  expect((await refill('order', 'redeliver', delivered.billingNo)).err).toBe(
    `Order ${delivered.billingNo} is delivered: only paid orders whose delivery waits or has stopped can be ` +
      `sent again.\n`,
  );
  const lost = await paidOrder();
  await report(db, lost, { status: 'chargeback' });
  expect(await refillJson('order', 'redeliver', lost.billingNo)).toMatchObject({ ok: false, outcome: 'charged_back' });
});

test('L59 show says who sent the player and where they came from', async () => {
  const player = await makePlayer(db);
  const origin = { utm_pay: 'kf', traffic_source: 'tube/video', platform: 'ios' };
  const { billingNo } = await placeTestOrder(db, placeInput(player, { origin }));
  const { out } = await refill('order', 'show', billingNo);
  expect(out).toMatch(/^sent by +customer service \(kf\)/m);
  expect(out).toMatch(/^origin +.*traffic_source=tube\/video/m);
  expect((await refillJson('order', 'show', billingNo)).order.origin).toEqual(origin);
  const plain = await placeTestOrder(db, placeInput(await makePlayer(db)));
  expect((await refill('order', 'show', plain.billingNo)).out).not.toMatch(/^(sent by|origin) /m);
});

test('show tells everything of an order, without what lets somebody pay or log in', async () => {
  const { billingNo, player } = await paidOrder({ limit: { times: 3, days: null, subject: 'game' } });
  await db.query(
    `update payment_attempt set pay_url = 'https://pay.example/x?token=SECRET-1',
       exchange = '{"settle":{"method":"GET","url":"https://api.example/1","status":200,"sent":"","received":"{\\"access_token\\":\\"x\\",\\"token\\":\\"SECRET-2\\"}"}}'
     where billing_no = $1`,
    [billingNo],
  );
  await db.query(`update callback_inbox set body = '{"password":"SECRET-3","id":"kept"}' where billing_no = $1`, [
    billingNo,
  ]);
  await finish(billingNo, 'done');
  await refill('order', 'refund', billingNo, '--by', 'anna');
  const run = await refill('order', 'show', billingNo.toLowerCase(), '--json');
  expect(run.out).not.toContain('SECRET');
  const shown = JSON.parse(run.out);
  expect(Object.keys(shown)).toEqual([
    'order',
    'attempts',
    'delivery',
    'reservations',
    'ledger',
    'callbacks',
    'refunds',
    'revocation',
    'audit',
    'timeline',
  ]);
  expect(shown).toMatchObject({
    order: { billing_no: billingNo, player_id: player, state: 'delivered' },
    attempts: [{ attempt_no: 1, state: 'succeeded', pay_url: 'https://pay.example/x?***' }],
    delivery: { state: 'done', tries: 1, receipt_id: 'R-1' },
    reservations: [{ kind: 'limit', state: 'used' }],
    callbacks: [{ outcome: 'paid', body: '{"password":***,"id":"kept"}' }],
    refunds: [{ state: 'due', requested_by: 'anna', amount_minor: 499 }],
    audit: [{ act: 'refund', actor: 'anna' }],
  });
  expect(shown.ledger).toHaveLength(4);
  expect(shown.timeline.map((entry: { what: string }) => entry.what)).toEqual(
    expect.arrayContaining(['order placed', 'paid', 'payment succeeded #1 (paypal)', 'delivered', 'refund by anna']),
  );
  const text = (await refill('order', 'show', billingNo)).out;
  expect(text).not.toContain('SECRET');
  expect(text).not.toContain('player reads');
  for (const part of [
    'PAYMENTS',
    'DELIVERY',
    'RESERVED',
    'LEDGER',
    'CALLBACKS',
    'REFUNDS',
    'ACTS OF PEOPLE',
    'TIMELINE',
    '4.99 USD',
  ])
    expect(text).toContain(part);
});

test('find knows an order by what support is told', async () => {
  const { billingNo, player } = await paidOrder({ product_id: 'found' });
  await db.query(`update player set username = 'Marlowe' where player_id = $1`, [player]);
  await db.query(`update orders set role_name = $2 where billing_no = $1`, [billingNo, 'Eve\u001b[31m']);
  const found = async (...args: string[]) =>
    (await refillJson('order', 'find', ...args)).orders.map((one: { billing_no: string }) => one.billing_no);
  expect(await found('--player', 'marlowe')).toEqual([billingNo]);
  expect(await found('--player', `u-${player}`)).toEqual([billingNo]);
  expect(await found('--role', 'Eve\u001b[31m')).toEqual([billingNo]);
  for (const ref of [`P-${billingNo}-1`, `C-${billingNo}`, `${billingNo}-1`])
    expect(await found('--provider-ref', ref)).toEqual([billingNo]);
  expect(await found('--player', 'marlowe', '--state', 'paid')).toEqual([billingNo]);
  expect(await found('--player', 'marlowe', '--state', 'expired')).toEqual([]);
  expect(await found('--player', 'marlowe', '--until', '2020-01-01')).toEqual([]);
  expect(await found('--player', 'marlowe', '--since', '2020-01-01T00:00:00Z')).toEqual([billingNo]);
  // A name is text on a terminal, never a command to it.
  expect((await refill('order', 'find', '--player', 'marlowe')).out).toMatch(
    new RegExp(`^ORDER .*\n${billingNo} .*Eve \\[31m`),
  );
  expect((await refill('order', 'find', '--player', 'nobody')).out).toBe('No order fits.\n');
  // The message names an unknown brand when no order fits.
  expect((await refill('order', 'find', '--brand', 'watts')).err).toMatch(/brand.*"watts"|"watts".*brand/);
});

test.each([
  [['show', 'nonsense'], '"nonsense" is no order number: it has 26 letters and digits.'],
  [['redeliver', '01JD3Y8Q5R7T9V1X3Z5B7D9F1H'], 'There is no order 01JD3Y8Q5R7T9V1X3Z5B7D9F1H.'],
  [['refund', '01JD3Y8Q5R7T9V1X3Z5B7D9F1H', '--attempt', 'x'], '--attempt "x": it must be a number from 1 to 99.'],
  [['review', '01JD3Y8Q5R7T9V1X3Z5B7D9F1H'], 'Decide: either --deliver or --refund.'],
  [['review', '--deliver'], 'Name the order to decide over.'],
  [['review', '01JD3Y8Q5R7T9V1X3Z5B7D9F1H', '--list'], 'Say either an order or --list.'],
  [['find', '--limit', 'abc'], '--limit "abc": it must be a whole number from 1 to 1000.'],
  [['find', '--before', 'foo'], '--before "foo": it must be what the page before named as its next.'],
  [
    ['find'],
    'Say what to look for: a number, --player, --role, --provider-ref, --state, --brand, --country, --amount, ' +
      '--date, --since or --until.',
  ],
  [['find', '--since', '2026-11-22', '--until', '2026-11-21'], '--until "2026-11-21": it must be after 2026-11-22.'],
  [['find', '--country', 'xx'], '--country "XX": there is no such country; write e.g. JP.'],
  [['find', '--since', 'tuesday'], '--since "tuesday": write 2026-11-21 or 2026-11-21T08:30:00Z.'],
  [
    ['find', '--state', 'lost'],
    '--state "lost": it must be one of created, pending, paid, delivering, delivered, review, refund_due, ' +
      'refunded, failed, expired, cancelled.',
  ],
  [['redeliver', '01JD3Y8Q5R7T9V1X3Z5B7D9F1H', '--by', ' '], '--by: it must be a name.'],
])('wrong input is one sentence: %j', async (args, sentence) => {
  expect(await refill('order', ...args)).toEqual({ code: 1, out: '', err: `refill: ${sentence}\n` });
});

test('the act and its line are one: when the line cannot be written, nothing was done', async () => {
  const { billingNo } = await paidOrder();
  await finish(billingNo, 'declined');
  await db.query(`alter table audit_entry add constraint no_line check (act <> 'redeliver')`);
  expect((await refill('order', 'redeliver', billingNo)).code).toBe(1);
  await db.query('alter table audit_entry drop constraint no_line');
  expect(await stateOf(billingNo)).toBe('review');
  // And the other way round: an act that fails at its very end leaves no line that says it was done.
  await db.query(
    `create function refuse_commit() returns trigger language plpgsql as 'begin raise exception ''too late''; end'`,
  );
  await db.query(
    `create constraint trigger refuse_commit after update on delivery deferrable initially deferred for each row
      execute function refuse_commit()`,
  );
  expect((await refill('order', 'redeliver', billingNo)).err).toBe('refill: too late\n');
  await db.query('drop function refuse_commit cascade');
  expect([await stateOf(billingNo), await auditOf(billingNo)]).toEqual(['review', []]);
});

test('invariants are told with their sentences, and a breach with its example', async () => {
  expect(await refill('invariants')).toMatchObject({ code: 0, out: expect.stringContaining('All hold.') });
  const player = await makePlayer(db);
  const { billingNo } = await placeTestOrder(db, placeInput(player));
  // The table of transitions would refuse it: what an invariant finds is what got past everything else.
  await db.query(`begin; set local session_replication_role = replica;
    update orders set state = 'refund_due' where billing_no = '${billingNo}';
    delete from unpaid_order where billing_no = '${billingNo}'; commit`);
  const run = await refill('invariants', '--json');
  expect(run.code).toBe(1);
  const printed = JSON.parse(run.out);
  expect(printed.ok).toBe(false);
  expect(printed.invariants.filter((one: { breaches: number }) => one.breaches > 0)).toEqual([
    {
      invariant: 'I8',
      sentence: 'No order that is not finished is without somebody working on it.',
      breaches: 1,
      examples: [{ player_id: player, billing_no: billingNo, state: 'refund_due' }],
    },
  ]);
  const text = await refill('invariants');
  expect(text.out).toContain(billingNo);
  expect(text.out).toMatch(/^I1 {3}Every booking sums to zero in its currency\. +none$/m);
  expect((await db.query('select breaches from invariant_check')).rows[0].breaches).toEqual([
    { invariant: 'I8', breaches: 1, example: `billing_no ${billingNo}` },
  ]);
});

test('a reason that turns the direction of texts steers no terminal, and programs read it as it was given', async () => {
  const { billingNo } = await paidOrder();
  await finish(billingNo, 'done');
  const reason = 'to\u202e\u2066 \u001b[31m\u009b1mAnna';
  expect((await refill('order', 'refund', billingNo, '--reason', reason, '--by', 'be\u202en')).code).toBe(0);
  for (const more of [[], ['--json']])
    expect((await refill('order', 'show', billingNo, ...more)).out).not.toMatch(
      /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u,
    );
  expect((await refillJson('order', 'show', billingNo)).refunds).toMatchObject([{ reason }]);
});

test('a fault that repeats what was typed steers no terminal either', async () => {
  const { err } = await refill('order', 'show', 'NO\u202eNUMBER');
  expect(err).toContain('NO NUMBER');
});
