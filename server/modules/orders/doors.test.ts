// The doors of the money functions: named parameters, and a missing one that decides something
// raises instead of reading as "no".
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlayerId } from '#kernel/ids.ts';
import { type Db, callFunction, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { runInOneTransaction } from './steps/step-store.ts';
import { receiveReport } from '#server/modules/orders/payments/report-store.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
  player = await makePlayer(db);
});
afterAll(() => drop());

const order = { player_id: '00000000-0000-4000-8000-000000000000', billing_no: 'B', attempt_no: 1 };
/** With all that they must have: a null beside them is what raises. */
const FACTS = {
  brand_key: 'watt', game_id: 'g', client_id: '1', product_id: 'p', server_id: 's', area_id: '', role_id: 'r',
  suid: 'u', product: {}, amount_minor: 1, discount_minor: 0, currency: 'USD', region: 'r', country: 'US',
  language: 'en', created_at: 1, paid_at: 1,
  attempt: { attempt_no: 1, provider: 'p', channel_key: 'k', channel_name: {}, channel_id: 'c', method: '' },
}; /* a row of values */ // prettier-ignore
const PAYER_RULES = { real_name: false, age_caps: null, time_zone: 'UTC' };
const person = { reason: 'r', requested_by: 'a' };

/** Parameters of each function; those of `mayBeNull` say "none" by being null, all others decide. */
const DOORS: Record<string, { values: Record<string, unknown>; mayBeNull?: readonly string[] }> = {
  erase_person: {
    values: { player_id: order.player_id, plan: [{ table: 'session' }], gives_up_balance: false, actor: 'anna' },
  },
  erasure_refusals: { values: { player_id: order.player_id, gives_up_balance: false } },
  ensure_player: {
    values: {
      player_id: order.player_id,
      brand_key: 'watt',
      provider: 'google',
      subject: 's',
      suid: 'u',
      username: 'n',
    },
  },
  note_order_move: {
    values: { player_id: order.player_id, billing_no: 'B', from: 'created', to: 'pending', is_chargeback: false },
  },
  take_over_guards: { values: { player_id: order.player_id, brand_key: 'watt', provider: 'google', subject: 's' } },
  place_order: {
    values: { ...placeInput(order.player_id as PlayerId) },
    mayBeNull: ['idempotency_key', 'limit', 'coupon', 'tender'],
  },
  record_create_result: {
    values: {
      ...order,
      provider: 'paypal',
      state: 'redirected',
      provider_ref: null,
      url: null,
      exchange: null,
      idempotency_key: null,
      answer: null,
    },
    mayBeNull: ['provider_ref', 'url', 'exchange', 'idempotency_key', 'answer'],
  },
  receive_report: {
    values: {
      billing_no: 'B',
      attempt_no: 1,
      provider: 'paypal',
      status: 'paid',
      is_our_merchant: true,
      provider_ref: null,
      capture_ref: null,
      amount_minor: 1,
      currency: 'USD',
      reason: null,
      exchange: null,
      callback: null,
      lease_seconds: null,
      must_notify: false,
    },
    // Without a number and a reference it is nobody's: kept as unmatched. What is not known to
    // be ours is not booked (below).
    mayBeNull: [
      'billing_no',
      'attempt_no',
      'is_our_merchant',
      'provider_ref',
      'capture_ref',
      'amount_minor',
      'currency',
      'reason',
      'exchange',
      'callback',
      'lease_seconds',
    ],
  },
  apply_report: {
    values: {
      ...order,
      provider: 'paypal',
      status: 'paid',
      is_our_merchant: true,
      provider_ref: null,
      capture_ref: null,
      amount_minor: 1,
      currency: 'USD',
      reason: null,
      exchange: null,
      callback: null,
      lease: null,
      must_notify: false,
    },
    mayBeNull: [
      'is_our_merchant',
      'provider_ref',
      'capture_ref',
      'amount_minor',
      'currency',
      'reason',
      'exchange',
      'callback',
      'lease',
    ],
  },
  lock_payment: { values: order },
  founder_of_identity: { values: { brand_key: 'watt', provider: 'google', subject: '1' } },
  // They lock it first.
  book_refund: { values: order },
  book_chargeback: { values: { ...order, amount_minor: 1 }, mayBeNull: ['amount_minor'] },
  block_again: { values: { player_id: order.player_id, billing_no: 'B', reason: 'refund' } },
  look_at_replenish: {
    values: {
      player_id: order.player_id,
      sold: { replenish_id: 'R' },
      amount_minor: 1,
      currency: 'USD',
      limit: null,
      has_stock: false,
      coupon: null,
    },
    mayBeNull: ['limit', 'coupon'],
  },
  take_replenish: { values: { player_id: order.player_id, billing_no: 'B', sold: { replenish_id: 'R' } } },
  settle_share: { values: { player_id: order.player_id, billing_no: 'B', kind: 'refunded' } },
  settle_points: { values: { player_id: order.player_id, billing_no: 'B', kind: 'refunded' } },
  cap_refusal: {
    values: {
      player_id: order.player_id,
      rules: PAYER_RULES,
      currency: 'USD',
      amount_minor: 1,
      at: '2026-01-01',
      billing_no: null,
    },
    mayBeNull: ['rules', 'billing_no'],
  },
  take_offer: { values: { player_id: order.player_id, brand_key: 'watt', offer: {}, code: 'c' } },
  claim_level_coupon: { values: { player_id: order.player_id, brand_key: 'watt', time_zone: 'UTC', coupon: {} } },
  finish_reward: {
    values: {
      player_id: order.player_id,
      reward_no: 'R',
      tries: 1,
      kind: 'done',
      receipt_id: null,
      reason: null,
      retry_in_seconds: null,
    },
    mayBeNull: ['receipt_id', 'reason', 'retry_in_seconds'],
  },
  finish_webhook_message: {
    values: {
      player_id: order.player_id,
      message_id: 'm',
      tries: 1,
      is_done: true,
      is_gone: false,
      status: null,
      error: null,
      retry_in_seconds: null,
      patience: '3 days',
    },
    mayBeNull: ['status', 'error', 'retry_in_seconds'],
  },
  receive_daily: { values: { player_id: order.player_id, receiver: {}, run: 'r', reward: {} } },
  receive_rewards: { values: { player_id: order.player_id, receiver: {}, rewards: [] } },
  declare_age: {
    values: { player_id: order.player_id, birth_year: 2000, birth_month: 1, has_consent: false, by: null },
    mayBeNull: ['by'],
  },
  pause_spending: { values: { player_id: order.player_id, days: 1 } },
  // No amount: the player takes the cap away.
  set_spending_cap: {
    values: { player_id: order.player_id, currency: 'USD', period: 'day', cap_minor: null },
    mayBeNull: ['cap_minor'],
  },
  request_refund: { values: { ...order, ...person } },
  lessen_refund: { values: { ...order, amount_minor: 1 } },
  record_refund_result: {
    values: { ...order, tries: 1, kind: 'done', provider_refund_ref: null, error: null, retry_seconds: null },
    mayBeNull: ['provider_refund_ref', 'error', 'retry_seconds'],
  },
  operator_deliver: { values: { player_id: order.player_id, billing_no: 'B' } },
  operator_refund: { values: { ...order, ...person } },
  operator_refund_done: { values: { ...order, ...person } },
  operator_confirm_payment: { values: { ...order, capture_ref: 'C' } },
  redeliver_order: { values: { player_id: order.player_id, billing_no: 'B' } },
  cancel_order: { values: { player_id: order.player_id, billing_no: 'B', closed_attempts: '{1}' } },
  adopt_order: {
    values: { player_id: order.player_id, billing_no: 'B', facts: FACTS, receipt_id: 'R' },
  },
  adopt_payment: { values: { player_id: order.player_id, billing_no: 'B', facts: FACTS } },
  adopt_reward: {
    values: { player_id: order.player_id, reward_no: 'R', facts: {}, receipt_id: 'R' },
  },
  freeze_month: { values: { month: 'before', is_frozen: true } },
  guard_month: { values: { month: 'before' } },
  hold_month: { values: { month: 'before' } },
  drop_month: { values: { month: 'before' } },
  reserve_internal_tender: {
    values: { player_id: order.player_id, tender: { kind: 'wallet' }, amount_minor: 1, currency: 'USD' },
  },
};

const CASES = Object.entries(DOORS).flatMap(([name, { values, mayBeNull = [] }]) =>
  Object.keys(values)
    .filter((key) => !mayBeNull.includes(key))
    .map((key) => [name, key, values] as const),
);

/** They do nothing before they have locked it, and that asks. */
const LOCKED_FIRST = ['book_refund', 'book_chargeback'];

test.each(CASES)('%s without %s raises', async (name, key, values) => {
  // By its own name: what it calls would raise as well, but perhaps after something was changed.
  await expect(callFunction(db, name, { ...values, [key]: null })).rejects.toMatchObject({
    code: '22004',
    message: expect.stringMatching(new RegExp(`^(${name}|${LOCKED_FIRST.includes(name) ? 'lock_payment' : name})[:,]`)),
  });
});

test('each money function has all its parameters here', async () => {
  const { rows } = await db.query<{ name: string; parameters: string[] }>(
    `select proname as name, array(select substr(unnest, 3) from unnest(proargnames[1 : pronargs])) as parameters
     from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any($1) order by 1`,
    [Object.keys(DOORS)],
  );
  expect(Object.fromEntries(rows.map(({ name, parameters }) => [name, parameters.toSorted()]))).toEqual(
    Object.fromEntries(Object.entries(DOORS).map(([name, { values }]) => [name, Object.keys(values).toSorted()])),
  );
});

test('a value that was forgotten in TypeScript never reaches the database', async () => {
  await expect(callFunction(db, 'cancel_order', { ...order, closed_attempts: undefined })).rejects.toThrow(
    'cancel_order: closed_attempts is undefined',
  );
  const values = { ...DOORS['receive_report']?.values, is_our_merchant: undefined };
  await expect(runInOneTransaction(db, [{ name: 'receive_report', values, owner: '' }])).rejects.toThrow(
    'receive_report: is_our_merchant is undefined',
  );
});

test('each function that asks for its parameters stands here', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prosrc like '%a parameter that decides is missing%'`,
  );
  expect(rows.map(({ name }) => name).filter((name) => !(name in DOORS))).toEqual([]);
});

describe('lists and objects', () => {
  // Servers of the version before leave these out, and no money depends on them. Without a method the attempt keeps an
  // empty text. Without a rate the order earns no points, as at a brand without a programme. Without promo and
  // first_bonus there is neither. Without payer_rules an order is refused where the brand's file asks for some
  // (spending/limits.test.ts).
  const optional = ['method', 'origin', 'points_rate', 'promo', 'first_bonus', 'payer_rules', 'accepted'];
  test.each(Object.keys(placeInput(order.player_id as PlayerId).sold).filter((key) => !optional.includes(key)))(
    'place_order without sold.%s raises',
    async (key) => {
      const input = placeInput(player);
      const { [key as 'suid']: _gone, ...rest } = input.sold;
      await expect(callFunction(db, 'place_order', { ...input, sold: rest })).rejects.toMatchObject({ code: '22004' });
      const sold = { ...input.sold, [key]: null };
      await expect(callFunction(db, 'place_order', { ...input, sold })).rejects.toMatchObject({ code: '22004' });
    },
  );

  test.each([
    ['limit', { days: 1, subject: 'game' }],
    ['limit', { times: 1, days: 1 }],
    ['coupon', { min_charge_minor: 1, quoted_minor: null }],
    ['coupon', { code: 'c', quoted_minor: null }],
    ['tender', { spends: 'free_first' }],
    ['tender', { kind: 'wallet' }],
    ['tender', { kind: 'card', purpose: 'pay' }],
    ['tender', { kind: 'gold' }],
  ])('place_order with a %s %o raises', async (key, value) => {
    await expect(callFunction(db, 'place_order', { ...placeInput(player), [key]: value })).rejects.toMatchObject({
      code: '22004',
    });
  });

  test.each(['real_name', 'time_zone', 'age_caps'])('rules of the payer without %s raise', async (key) => {
    const { [key as 'real_name']: _gone, ...rules } = PAYER_RULES;
    const values = { player_id: player, brand_key: 'watt', rules };
    await expect(callFunction(db, 'payer_refusal', values)).rejects.toMatchObject({ code: '22004' });
  });

  test.each(['player_id', 'billing_no', 'tries', 'kind'])('record_delivery_results without %s raises', async (key) => {
    const result = { player_id: player, billing_no: 'B', tries: 1, kind: 'done', receipt_id: 'R' };
    const results = [result, { ...result, [key]: undefined }];
    await expect(callFunction(db, 'record_delivery_results', { results })).rejects.toMatchObject({ code: '22004' });
    expect(await callFunction(db, 'record_delivery_results', { results: [result] })).toBe(0);
  });

  test.each(['player_id', 'billing_no', 'tries', 'kind'])('record_delivery without %s raises', async (key) => {
    const values = { player_id: player, billing_no: 'B', result: { tries: 1, kind: 'done', receipt_id: 'R' } };
    const less =
      key in values ? { ...values, [key]: null } : { ...values, result: { ...values.result, [key]: undefined } };
    await expect(callFunction(db, 'record_delivery', less)).rejects.toMatchObject({ code: '22004' });
    expect(await callFunction(db, 'record_delivery', values)).toBe(0);
  });

  test('a status, state or step that there is none of raises', async () => {
    const values = { ...DOORS['apply_report']?.values, status: 'payed' };
    await expect(callFunction(db, 'apply_report', values)).rejects.toMatchObject({ code: '22023' });
    const created = { ...DOORS['record_create_result']?.values, state: 'done' };
    await expect(callFunction(db, 'record_create_result', created)).rejects.toMatchObject({ code: '22023' });
    await expect(query(db, 'no_step', `select run_steps('[{"name": "drop_order", "input": {}}]')`)).rejects.toThrow(
      'case not found',
    );
  });
});

describe('another merchant account', () => {
  const states = async (billingNo: string) =>
    (
      await query<{ state: string; attempt: string; entries: number }>(
        db,
        'door_states',
        `select o.state, a.state as attempt, (select count(*)::integer from ledger_entry l
         where l.billing_no = o.billing_no) as entries
         from orders o join payment_attempt a using (player_id, billing_no) where o.billing_no = $1`,
        [billingNo],
      )
    )[0];

  test.each([false, null])(
    'moves no order by any report but "paid", which is told to a person: ours is %s',
    async (ours) => {
      const placed = await placeTestOrder(db, placeInput(player, { product_id: `foreign-${ours}` }));
      for (const status of [
        'approved',
        'declined',
        'failed',
        'expired',
        'refunded',
        'refund_failed',
        'chargeback',
      ] as const)
        expect(await report(db, placed, { status, isOurMerchant: ours })).toMatchObject({
          outcome: 'foreign_merchant',
        });
      expect(await states(placed.billingNo)).toEqual({ state: 'pending', attempt: 'redirected', entries: 0 });
      expect(await report(db, placed, { isOurMerchant: ours })).toMatchObject({ outcome: 'mismatch' });
      expect(await states(placed.billingNo)).toEqual({ state: 'review', attempt: 'mismatch', entries: 0 });
    },
  );

  test('takes nothing back from a delivered order', async () => {
    const placed = await placeTestOrder(db, placeInput(player, { product_id: 'kept' }));
    await report(db, placed);
    const before = await states(placed.billingNo);
    for (const status of ['refunded', 'chargeback', 'failed'] as const)
      expect(await report(db, placed, { status, isOurMerchant: false })).toMatchObject({ outcome: 'foreign_merchant' });
    expect(await states(placed.billingNo)).toEqual(before);
  });
});

describe('paid but not understood', () => {
  const read = async (billingNo: string) =>
    (
      await query(
        db,
        'door_review',
        `select o.state, o.review_reason, a.unreadable_reason, a.is_open
         from orders o join payment_attempt a using (player_id, billing_no)
         where o.billing_no = $1`,
        [billingNo],
      )
    )[0];

  test('waits for a person, keeps what it holds, and goes on when it can be read', async () => {
    const limit = { times: 1, days: null, subject: 'game' };
    const placed = await placeTestOrder(db, placeInput(player, { product_id: 'unreadable', limit }));
    const said = { status: 'paid_unreadable', amount: null, reason: 'no amount' } as const;
    expect(await report(db, placed, said)).toMatchObject({ outcome: 'unreadable' });
    const waiting = {
      state: 'review',
      review_reason: 'payment_unreadable',
      unreadable_reason: 'no amount',
      is_open: true,
    };
    expect(await read(placed.billingNo)).toEqual(waiting);
    // Nothing expires it, and its limit stays taken.
    const sweep = await query(db, 'door_expired', `select * from orders where is_unpaid and billing_no = $1`, [
      placed.billingNo,
    ]);
    expect(sweep).toEqual([]);
    expect(await report(db, placed)).toMatchObject({ outcome: 'paid' });
    expect(await read(placed.billingNo)).toMatchObject({ state: 'paid', review_reason: null, unreadable_reason: null });
    expect(await report(db, placed, said)).toMatchObject({ outcome: 'duplicate' });
  });

  test('a person who saw the money confirms it once', async () => {
    const placed = await placeTestOrder(db, placeInput(player, { product_id: 'confirmed' }));
    const confirm = { player_id: player, billing_no: placed.billingNo, attempt_no: 1, capture_ref: 'SEEN-1' };
    expect(await callFunction(db, 'operator_confirm_payment', confirm)).toBe('wrong_state');
    await report(db, placed, { status: 'paid_unreadable', amount: null });
    expect(await callFunction(db, 'operator_confirm_payment', confirm)).toBe('paid');
    expect(await callFunction(db, 'operator_confirm_payment', confirm)).toBe('wrong_state');
    expect(await read(placed.billingNo)).toMatchObject({ state: 'paid' });
  });

  test('an answer that says nothing changes nothing', async () => {
    const placed = await placeTestOrder(db, placeInput(player, { product_id: 'nothing' }));
    for (const status of ['unknown', 'pending'] as const)
      expect(await report(db, placed, { status })).toMatchObject({ outcome: 'noted' });
    expect(await read(placed.billingNo)).toMatchObject({ state: 'pending', unreadable_reason: null });
  });
});

test('a stored callback whose verdict on the merchant is lost books nothing', async () => {
  const placed = await placeTestOrder(db, placeInput(player, { product_id: 'lost' }));
  const outcome = await receiveReport(db, {
    provider: 'paypal',
    report: {
      status: 'paid',
      reference: null,
      providerRef: null,
      captureRef: 'C',
      amount: { amountMinor: 499, currency: 'USD' },
      merchantAccount: null,
      reason: null,
    },
    billingNo: placed.billingNo,
    attemptNo: 1,
    isOurMerchant: null,
    callback: { dedupKey: 'lost', headers: {}, body: '' },
    mustNotify: false,
  });
  expect(outcome).toMatchObject({ outcome: 'mismatch' });
  expect(await query(db, 'lost_books', 'select from ledger_entry where billing_no = $1', [placed.billingNo])).toEqual(
    [],
  );
});

test('nobody buys who is not there, and no report reaches an attempt that was never made', async () => {
  await expect(callFunction(db, 'place_order', { ...placeInput(order.player_id as PlayerId) })).rejects.toThrow(
    `there is no player ${order.player_id}`,
  );
  const placed = await placeTestOrder(db, placeInput(player, { product_id: 'one-attempt' }));
  expect(await report(db, { ...placed, attemptNo: 2 })).toMatchObject({ outcome: 'unknown_order' });
});
