// Compares the batch statements that write plain orders (place_plain_orders, record_create_results,
// book_plain_payments) with the functions of one order. A step must come to the same whether it runs in a batch or by
// itself, whatever befell player and order before. Answers, rows and refusals are compared.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type ReportInput, receiveReportStep } from '#server/modules/orders/payments/report-store.ts';
import {
  type CreateResult,
  type PlaceInput,
  placeOrderStep,
  recordCreateResultStep,
} from '#server/modules/orders/store.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { readCluster } from '#testing/cluster.ts';
import { openTestDatabase } from '#testing/database.ts';
import {
  type PlaceChanges,
  makePlayer,
  placeInput,
  placeTestOrder,
  promoOf,
  withoutTransitionLaw,
} from '#testing/orders.ts';
import { openOnlyNode } from '#testing/shard.ts';
import { createNodeSteps } from './at-nodes.ts';
import { type Step, runInOneTransaction, runStep } from './step-store.ts';

let db: Db;
let drop: () => Promise<void>;
/** By the node that has its player, where the database is spread. */
let atNode: (step: Step) => Promise<unknown>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
  atNode = createNodeSteps(db, await openOnlyNode(db), { sort: () => 0 });
});
afterAll(() => drop());

const bare = (step: Step): Promise<unknown> => runStep(db, step);

/** A batch has at least two steps: the other one is a stranger's, placed, created and paid in the plainest way. */
async function inBatch(step: Step, company: Step): Promise<unknown> {
  // A spread database has no other batches than those of its nodes.
  if (readCluster()) return (await Promise.all([step, company].map(atNode)))[0];
  const [answer] = await runInOneTransaction(db, [step, company]);
  return answer;
}

/** Everything that stands about a player, but for names, times and what is drawn by chance. */
async function readAll(player: PlayerId): Promise<Readonly<Record<string, readonly object[]>>> {
  const read = (table: string, columns: string): Promise<object[]> =>
    query(db, `test_plain_${table}`, `select ${columns} from ${table} where player_id = $1 order by 1, 2`, [player]);
  return {
    orders: await read(
      'orders',
      `product_id, state, review_reason, server_name, role_name, suid, username, product, amount_minor, discount_minor,
       coupon_code, currency, region, country, language, is_late, current_attempt, is_unpaid, needs_person, points,
       origin, payer_rules, accepted, expires_at - created_at as lives, expiry_lease_until,
       (paid_at is null)::text || (delivering_at is null)::text || (closed_at is null)
         || (delivered_at is null) || (refunded_at is null) as moments`,
    ),
    attempts: await read(
      'payment_attempt',
      `attempt_no, provider, channel_key, channel_name, channel_id, amount_minor, currency, state,
       is_replaced, provider_ref, capture_ref, pay_url, payable_until - created_at as payable,
       next_query_at - created_at < interval '31 seconds' as is_asked_soon, next_query_at is null as is_not_asked,
       exchange, succeeded_at is null as unpaid, reported_minor, unreadable_reason, method, is_open`,
    ),
    keys: await read('idempotency', `fingerprint, billing_no, answer - 'billing_no' as answer, attempt_no`),
    unpaid: await read('unpaid_order', 'client_id, server_id, area_id, role_id, product_id'),
    lookups: await read('order_lookup', 'count(*)::integer as count, 0'),
    references: await read('provider_reference', 'provider, attempt_no'),
    ledger: await read('ledger_entry', 'kind, account, attempt_no, amount_minor, currency'),
    deliveries: await read(
      'delivery',
      `game_id, state, tries, case when next_at > now() + interval '5 seconds' then 'leased' else 'due' end`,
    ),
    callbacks: await read(
      'callback_inbox',
      `provider, state, outcome, report, headers, body, next_try_at is null as over, applied_at is null as unapplied`,
    ),
    reservations: await read('reservation', 'kind, state'),
    refunds: await read('refund', 'state, attempt_no, amount_minor, reason'),
    changes: await read('player_change', 'count(*)::integer > 0 as noted, 0'),
  };
}

/** Without what is drawn by chance: each by its place in the list. */
const text = (value: unknown, ...drawn: readonly string[]): unknown =>
  JSON.parse(
    drawn.reduce((all, one, place) => (one ? all.replaceAll(one, `*${place}`) : all), JSON.stringify(value ?? null)),
  );

type Place = {
  readonly changes?: PlaceChanges;
  /** Of the input as it goes to the database: what a server of another version might send. */
  readonly raw?: (input: PlaceInput) => object;
  /** Statements about the player ($1) before the press. */
  readonly before?: readonly string[];
  /** Presses before this one, of the same player. */
  readonly earlier?: readonly PlaceChanges[];
  /** The key of this call, where an earlier one had it. */
  readonly key?: 'same';
  readonly outcome: string;
};

const sold = (input: PlaceInput, change: object): object => ({ ...input, sold: { ...input.sold, ...change } });
const RULES = { real_name: false, age_caps: null, asks_age: false, time_zone: 'UTC' };
const CAPS = { under_16: { minor: 5000 } };
const withPriceUntil = (until: number) => (input: PlaceInput) => ({
  ...input,
  sold: { ...input.sold, price_holds: { from: null, until } },
});
/** The player shares a game account. */
const SHARED = 'update player set game_account_id = md5(player_id::text)::uuid where player_id = $1';
/** Of the account, a player at another brand has used this up. */
const usedByOther = (subject: string): string =>
  `insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
    select md5($1::uuid::text)::uuid, 'starlane', 'star_60', '${subject}', 'ever', 1, 1`;
const LIMITED = { limit: { times: 1, days: null, subject: 'account' } };
const BONUS = { first_bonus: { season: 'ever', is_told: true, gifts: [{ id: 'g', name: 'Gift', count: 1 }] } };
const PLACES: Readonly<Record<string, Place>> = {
  plain: { outcome: 'placed' },
  'with points, origin and confirmation': {
    changes: {
      points_rate: { points: 3, per_minor: 10 },
      origin: { utm_pay: 'kf' },
      accepted: { version: 'v1', language: 'en', terms: '/terms' },
      payable_for: '600 seconds',
      expires_in: '300 seconds',
      method: 'card',
    },
    outcome: 'placed',
  },
  'a key of the order that this version does not know': {
    raw: (input) => ({ ...input, sold: { ...input.sold, wraps_as_gift: true } }),
    outcome: 'placed',
  },
  'without rules of the payer, as servers from before': {
    raw: (input) => ({ ...input, sold: { ...input.sold, payer_rules: null } }),
    outcome: 'placed',
  },
  'a price that holds': { raw: withPriceUntil(4_102_444_800_000), outcome: 'placed' },
  'a price that is over': { raw: withPriceUntil(1), outcome: 'price_changed' },
  'with a limit': { changes: { limit: { times: 5, days: null, subject: 'account' } }, outcome: 'placed' },
  'with a limit that is used up': {
    changes: { limit: { times: 1, days: null, subject: 'account' } },
    earlier: [{ limit: { times: 1, days: null, subject: 'account' }, role_id: 'r2' }],
    outcome: 'limit_reached',
  },
  'of a stock': { changes: { has_stock: true, product_id: 'no_stock' }, outcome: 'sold_out' },
  'with a coupon that is not there': {
    changes: { coupon: { code: 'nope', min_charge_minor: 1, quoted_minor: null } },
    outcome: 'coupon_refused',
  },
  'with a promo code': { changes: { promo: promoOf({ code: 'KESTREL', rate: '0.9' }) }, outcome: 'placed' },
  'with a first-purchase bonus': {
    changes: {
      first_bonus: { season: 'ever', is_told: true, gifts: [{ id: 'g', name: 'Gift', count: 1 }] },
    },
    outcome: 'placed',
  },
  'of a game account': { before: [SHARED], outcome: 'placed' },
  'of a game account, with a limit': { before: [SHARED], changes: LIMITED, outcome: 'placed' },
  'of a game account whose limit is used up at another brand': {
    before: [SHARED, usedByOther('account')],
    changes: LIMITED,
    outcome: 'limit_reached',
  },
  'of a game account that had the first-purchase bonus at another brand': {
    before: [SHARED, usedByOther('first')],
    changes: BONUS,
    outcome: 'bonus_gone',
  },
  'of a character nobody saw': { changes: { role_id: 'r9' }, outcome: 'role_unknown' },
  'of a character seen long ago': {
    before: [`update player_role set seen_at = now() - interval '8 days' where player_id = $1`],
    outcome: 'role_unknown',
  },
  'of a character whose number others have too, on other servers, areas and clients': {
    before: [
      `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
        values ($1, '70021', 's2', '', 'r1', 'Other', 1, 'S2'), ($1, '70021', 's1', 'x', 'r1', 'Other', 1, 'S1x'),
          ($1, '70011', 's1', '', 'r1', 'Other', 1, 'S1y')`,
    ],
    outcome: 'placed',
  },
  'of a player who pauses': {
    before: [`insert into spending_pause (player_id, paused_until) values ($1, now() + interval '1 day')`],
    outcome: 'spending_paused',
  },
  'of a player whose pause is over': {
    before: [`insert into spending_pause (player_id, paused_until) values ($1, now() - interval '1 day')`],
    outcome: 'placed',
  },
  'of a player with a cap of their own': {
    before: [`insert into spending_cap (player_id, period, currency, cap_minor) values ($1, 'day', 'USD', 100)`],
    outcome: 'cap_reached',
  },
  'where the real name is asked': {
    changes: { payer_rules: { ...RULES, real_name: true } },
    outcome: 'real_name_missing',
  },
  'where the age is asked': {
    raw: (input) => ({
      ...input,
      sold: { ...input.sold, payer_rules: { ...RULES, age_caps: CAPS, asks_age: true } },
    }),
    outcome: 'age_unknown',
  },
  'the same goods once more': { earlier: [{}], outcome: 'repeat' },
  'the same goods at another price': { earlier: [{ amount_minor: 599 }], outcome: 'other_price' },
  'other goods beside an unpaid order': { earlier: [{ product_id: 'star_260' }], outcome: 'placed' },
  'with as many unpaid orders as a player may have': {
    changes: { max_open: 1 },
    earlier: [{ product_id: 'star_260' }],
    outcome: 'too_many_orders',
  },
  'with as many orders in a minute as a player may have': {
    changes: { max_per_minute: 1 },
    earlier: [{ product_id: 'star_260' }],
    outcome: 'too_fast',
  },
  'a second time under the same key': { earlier: [{}], key: 'same', outcome: 'replay' },
  'another call under the same key': {
    changes: { fingerprint: 'g' },
    earlier: [{ product_id: 'star_260' }],
    key: 'same',
    outcome: 'key_reused',
  },
  'by a balance that is too low': {
    changes: { tender: { kind: 'wallet', spends: 'free_first' } },
    outcome: 'balance_too_low',
  },
  'without a key': { raw: (input) => ({ ...input, idempotency_key: null }), outcome: 'placed' },
};

describe('a press', () => {
  async function playPlace(story: Place, run: (step: Step) => Promise<unknown>) {
    const player = await makePlayer(db);
    await query(
      db,
      'test_second_role',
      `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
       values ($1, '70021', 's1', '', 'r2', 'Kestrel_08', 42, 'S1')`,
      [player],
    );
    const key = randomUUID();
    for (const statement of story.before ?? []) await db.query(statement, [player]);
    for (const changes of story.earlier ?? [])
      await placeTestOrder(db, placeInput(player, { idempotency_key: key, ...changes }));
    const input = placeInput(player, {
      idempotency_key: story.key === 'same' ? key : randomUUID(),
      ...story.changes,
    });
    const step = { ...placeOrderStep(input), values: story.raw?.(input) ?? input } as Step;
    const answer = (await run(step)) as { outcome: string; billing_no?: string };
    const before = story.earlier
      ? ((
          await query<{ b: string }>(db, 'test_first', 'select min(billing_no) as b from orders where player_id = $1', [
            player,
          ])
        )[0]?.b ?? '')
      : '';
    return {
      answer: text(answer, input.billing_no, before),
      rows: text(await readAll(player), input.billing_no, before),
      outcome: answer.outcome,
    };
  }
  const company = async () =>
    placeOrderStep(placeInput(await makePlayer(db), { idempotency_key: randomUUID() })) as Step;

  /** Returns the batch's own answer to the plainest press; null: it leaves the order to the function of one order. */
  async function placeByBatch(player: PlayerId) {
    const { values } = placeOrderStep(placeInput(player, { idempotency_key: randomUUID() }));
    const [row] = await query<{ answers: ({ outcome: string } | null)[] }>(
      db,
      'test_place_plain',
      'select place_plain_orders($1::jsonb) as answers',
      [JSON.stringify([values])],
    );
    return row?.answers;
  }

  test.each(Object.entries(PLACES))('%s', async (_, story) => {
    const alone = await playPlace(story, bare);
    const shared = await playPlace(story, async (step) => inBatch(step, await company()));
    expect(alone.outcome).toBe(story.outcome);
    expect(shared).toEqual(alone);
    expect(await playPlace(story, atNode)).toEqual(alone);
  });

  test.each([
    ['of somebody who never bought', []],
    ['beside an unpaid order for other goods, under another key', [{ product_id: 'star_260' }]],
    ["beside one for another character's", [{ role_id: 'r2' }]],
    ['beside one on another server', [{ server_id: 's2' }]],
    ['beside one in another area', [{ area_id: 'x' }]],
    ['beside one of another client', [{ client_id: '70011' }]],
  ] as const)('the plainest, %s, is placed by the batch itself', async (_, earlier) => {
    const player = await makePlayer(db);
    await query(
      db,
      'test_more_roles',
      `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
        values ($1, '70021', 's1', '', 'r2', 'Other', 1, 'S1'), ($1, '70021', 's2', '', 'r1', 'Other', 1, 'S2'),
          ($1, '70021', 's1', 'x', 'r1', 'Other', 1, 'S1x'), ($1, '70011', 's1', '', 'r1', 'Other', 1, 'S1y')`,
      [player],
    );
    for (const changes of earlier)
      await placeTestOrder(db, placeInput(player, { idempotency_key: randomUUID(), ...changes }));
    expect(await placeByBatch(player)).toMatchObject([{ outcome: 'placed' }]);
  });

  test('a pause that is over leaves the plainest to the batch', async () => {
    const player = await makePlayer(db);
    await db.query(`insert into spending_pause (player_id, paused_until) values ($1, now() - interval '1 day')`, [
      player,
    ]);
    expect(await placeByBatch(player)).toMatchObject([{ outcome: 'placed' }]);
  });

  test('a game account leaves the plainest to the batch', async () => {
    const player = await makePlayer(db);
    await db.query(SHARED, [player]);
    expect(await placeByBatch(player)).toMatchObject([{ outcome: 'placed' }]);
  });

  test('of a person who was erased raises alike', async () => {
    const player = await makePlayer(db);
    await db.query('update player set erased_at = now() where player_id = $1', [player]);
    const step = placeOrderStep(placeInput(player, { idempotency_key: randomUUID() })) as Step;
    await expect(bare(step)).rejects.toThrow('there is no player');
    await expect(inBatch(step, await company())).rejects.toThrow('there is no player');
  });

  test('two of one player in one batch: the second counts the first', async () => {
    const player = await makePlayer(db);
    const press = (changes: PlaceChanges) =>
      placeOrderStep(placeInput(player, { idempotency_key: randomUUID(), ...changes })) as Step;
    const answers = await runInOneTransaction(db, [
      press({}),
      press({ product_id: 'star_260', max_open: 1 }),
      press({ fingerprint: 'h' }),
    ]);
    expect(answers).toMatchObject([{ outcome: 'placed' }, { outcome: 'too_many_orders' }, { outcome: 'repeat' }]);
  });

  test.each([
    ['the time zone of the payer', (input: PlaceInput) => sold(input, { payer_rules: { ...RULES, time_zone: null } })],
    ['the account', (input: PlaceInput) => sold(input, { suid: null })],
    ['the goods', (input: PlaceInput) => sold(input, { product: null })],
    ['a brand', (input: PlaceInput) => sold(input, { brand_key: null })],
    ['the limit of orders', (input: PlaceInput) => ({ ...input, max_open: null })],
  ])('%s is missing: raises alike, and nothing is placed', async (_, change) => {
    const player = await makePlayer(db);
    const input = placeInput(player, { idempotency_key: randomUUID() });
    const step = { ...placeOrderStep(input), values: change(input) } as Step;
    const alone = await bare(step).catch((error: Error) => error.message);
    expect(alone).toMatch(/missing|is null/);
    await expect(inBatch(step, await company())).rejects.toThrow(alone as string);
    expect((await readAll(player))['orders']).toEqual([]);
  });

  test('two batches at once about one player: the later one counts what the first has placed', async () => {
    const player = await makePlayer(db);
    const press = (product_id: string) =>
      placeOrderStep(placeInput(player, { idempotency_key: randomUUID(), product_id, max_open: 1 })) as Step;
    const first = await db.connect();
    try {
      await first.query('begin');
      await runInOneTransaction(first, [press('star_60'), await company()]);
      const batch = [press('star_260'), await company()];
      // Whoever has waited for a lock for 100 ms is refused, and comes again.
      const second = runInOneTransaction(db, batch).catch(() => runInOneTransaction(db, batch));
      await new Promise((resolve) => setTimeout(resolve, 30));
      await first.query('commit');
      await expect(second).resolves.toMatchObject([{ outcome: 'too_many_orders' }, { outcome: 'placed' }]);
    } finally {
      first.release();
    }
  });

  test('what is missing raises in a batch as it does alone, and nothing of the batch happened', async () => {
    const player = await makePlayer(db);
    const input = placeInput(player, { idempotency_key: randomUUID() });
    const step = { ...placeOrderStep(input), values: { ...input, amount_minor: null } } as Step;
    const stranger = await company();
    await expect(inBatch(step, stranger)).rejects.toThrow('a parameter that decides is missing');
    expect((await readAll((stranger.values as unknown as PlaceInput).player_id))['orders']).toEqual([]);
  });
});

type Paid = { readonly billingNo: BillingNo; readonly attemptNo: number };
type Story = {
  readonly placed?: PlaceChanges;
  /** Another order of the player, with an attempt like this one's. */
  readonly beside?: PlaceChanges;
  /** By hand, by the order's number ($1): how it stands when the provider speaks. */
  readonly before?: string;
  readonly report?: Partial<Omit<ReportInput, 'report'>> & { report?: Partial<ReportInput['report']> };
  /** The same word was heard before. */
  readonly isRepeated?: true;
  readonly outcome: string;
};

const REPORTS: Readonly<Record<string, Story>> = {
  plain: { outcome: 'paid' },
  'to a process without room, which tells the others': {
    report: { leaseSeconds: null, mustNotify: true },
    outcome: 'paid',
  },
  'as the answer to a question': { report: { callback: null, exchange: { query: { status: 200 } } }, outcome: 'paid' },
  'with the names of provider and capture': {
    report: { report: { providerRef: 'P-9', captureRef: 'C-9' } },
    outcome: 'paid',
  },
  'of an order whose page is not known yet': {
    before: `update payment_attempt set state = 'unknown', provider_ref = null where billing_no = $1`,
    outcome: 'paid',
  },
  'of an order with points': { placed: { points_rate: { points: 3, per_minor: 10 } }, outcome: 'paid' },
  'of an order with a discount': {
    placed: { promo: promoOf({ code: 'KESTREL', rate: '0.9' }) },
    report: { report: { amount: { amountMinor: 449, currency: 'USD' } } },
    outcome: 'paid',
  },
  'of an order with a limit': {
    placed: { limit: { times: 5, days: null, subject: 'account' } },
    outcome: 'paid',
  },
  'of one of two orders of a player': { beside: { product_id: 'star_260' }, outcome: 'paid' },
  'of an order with another open attempt': {
    before: `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name,
        channel_id, amount_minor, currency, state, payable_until)
      select player_id, billing_no, 2, provider, channel_key, channel_name, '', 499, 'USD', 'redirected',
          now() + interval '3 hours'
        from payment_attempt where billing_no = $1 and attempt_no = 1`,
    outcome: 'paid',
  },
  'of a player with logins': {
    before: `insert into player_identity (player_id, brand_key, provider, subject, created_at)
      select player_id, 'watt', x.provider, 's-' || $1, now() + x.later from orders,
        (values ('google', interval '0'), ('apple', interval '0'), ('line', interval '1 day')) as x(provider, later)
        where billing_no = $1`,
    outcome: 'paid',
  },
  'of a player whose other order holds a place of its limit': {
    beside: { product_id: 'star_260', limit: { times: 5, days: null, subject: 'account' } },
    outcome: 'paid',
  },
  twice: { isRepeated: true, outcome: 'duplicate' },
  'that was heard before as something else': {
    before: `insert into callback_inbox (provider, dedup_key, report, headers, body, state)
      values ('paypal', 'K-' || $1, '{}', '{}', '', 'ignored')`,
    outcome: 'duplicate',
  },
  'that was heard before its order was there': {
    before: `insert into callback_inbox (provider, dedup_key, report, headers, body, next_try_at)
      values ('paypal', 'K-' || $1, '{}', '{}', '', now())`,
    outcome: 'paid',
  },
  'in another amount': { report: { report: { amount: { amountMinor: 1, currency: 'USD' } } }, outcome: 'mismatch' },
  'in another currency': {
    report: { report: { amount: { amountMinor: 499, currency: 'EUR' } } },
    outcome: 'mismatch',
  },
  'without an amount': { report: { report: { amount: null } }, outcome: 'mismatch' },
  'to another merchant': { report: { isOurMerchant: false }, outcome: 'mismatch' },
  'to nobody knows whom': { report: { isOurMerchant: null }, outcome: 'mismatch' },
  'of another provider': { report: { provider: 'adyen' }, outcome: 'unknown_order' },
  'of an attempt that there is not': { report: { attemptNo: 7 }, outcome: 'unknown_order' },
  'of an order that expired': {
    before: `update orders set state = 'expired', closed_at = now() where billing_no = $1`,
    outcome: 'late_paid',
  },
  'of an order before a person': {
    before: `update orders set state = 'review', review_reason = 'x' where billing_no = $1`,
    outcome: 'late_refused',
  },
  'of an order nobody could read the payment of': {
    before: `update orders set state = 'review', review_reason = 'payment_unreadable' where billing_no = $1`,
    outcome: 'paid',
  },
  'of an attempt that failed while its order stands': {
    before: `update payment_attempt set state = 'failed', next_query_at = null where billing_no = $1`,
    outcome: 'paid',
  },
  'of an order that another attempt has paid': {
    before: `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name,
        channel_id, amount_minor, currency, state, payable_until)
      select player_id, billing_no, 2, 'adyen', 'k', '{"en": "k"}', '', 499, 'USD', 'succeeded', now()
        from payment_attempt where billing_no = $1 and attempt_no = 1`,
    outcome: 'overpayment',
  },
  approved: { report: { report: { status: 'approved' } }, outcome: 'approved' },
  failed: { report: { report: { status: 'failed' } }, outcome: 'closed' },
  pending: { report: { report: { status: 'pending' } }, outcome: 'noted' },
};

describe("a provider's word", () => {
  const wordOn = (order: Paid, { report, ...over }: NonNullable<Story['report']>, dedupKey: string): Step =>
    receiveReportStep({
      provider: 'paypal',
      report: {
        status: 'paid',
        reference: `${order.billingNo}-${order.attemptNo}`,
        providerRef: null,
        captureRef: 'C-1',
        amount: { amountMinor: 499, currency: 'USD' },
        merchantAccount: null,
        reason: null,
        ...report,
      },
      billingNo: order.billingNo,
      attemptNo: order.attemptNo,
      isOurMerchant: true,
      callback: { dedupKey, headers: { 'content-type': 'application/json' }, body: '{"paid":true}' },
      mustNotify: false,
      leaseSeconds: 15,
      ...over,
    }) as Step;

  const placeOne = async (changes: PlaceChanges = {}, other?: PlaceChanges) => {
    const player = await makePlayer(db);
    const place = (wanted: PlaceChanges) =>
      placeTestOrder(db, placeInput(player, { idempotency_key: randomUUID(), ...wanted }));
    // The other one first: whoever takes its attempt for this one's meets it before.
    const beside = other ? await place(other) : null;
    // Numbers of one millisecond are in no order.
    if (beside) await new Promise((resolve) => setTimeout(resolve, 3));
    return { player, order: await place(changes), beside };
  };
  const company = async () => wordOn((await placeOne()).order, {}, randomUUID());

  async function playReport(story: Story, run: (step: Step) => Promise<unknown>) {
    const { player, order, beside } = await placeOne(story.placed, story.beside);
    if (story.before !== undefined) await withoutTransitionLaw(db, story.before, [order.billingNo]);
    const key = `K-${order.billingNo}`;
    const step = wordOn(order, story.report ?? {}, key);
    if (story.isRepeated) await run(step);
    const answer = (await run(step)) as {
      outcome: string;
      delivery?: { facts?: { created_at: number; paid_at: number } };
    };
    const { facts } = answer.delivery ?? {};
    // Of each play its own.
    if (facts) Object.assign(facts, { created_at: 0, paid_at: facts.paid_at > 1e9 });
    const drawn = [order.billingNo, player, key, beside?.billingNo ?? ''];
    return { answer: text(answer, ...drawn), rows: text(await readAll(player), ...drawn), outcome: answer.outcome };
  }

  test.each(Object.entries(REPORTS))('%s', async (_, story) => {
    const alone = await playReport(story, bare);
    const shared = await playReport(story, async (step) => inBatch(step, await company()));
    expect(alone.outcome).toBe(story.outcome);
    expect(shared).toEqual(alone);
    expect(await playReport(story, atNode)).toEqual(alone);
  });

  test('two about one order in one batch: the second is measured by what the first made of it', async () => {
    const { player, order } = await placeOne();
    const answers = await runInOneTransaction(db, [
      wordOn(order, {}, 'key-a'),
      wordOn(order, {}, 'key-b'),
      wordOn(order, { report: { status: 'failed' } }, 'key-c'),
    ]);
    expect(answers).toMatchObject([{ outcome: 'paid' }, { outcome: 'duplicate' }, { outcome: 'noted' }]);
    const { ledger, deliveries } = await readAll(player);
    expect(ledger).toHaveLength(2);
    expect(deliveries).toHaveLength(1);
  });

  test.each([
    ['whether others are told', { mustNotify: null }],
    ['the key of the callback', { callback: { headers: {}, body: '' } }],
    ['the body of the callback', { callback: { dedupKey: 'k', headers: {} } }],
    ['the headers of the callback', { callback: { dedupKey: 'k', headers: null, body: '' } }],
  ])('%s is missing: raises alike, and nothing is booked', async (_, over) => {
    const { player, order } = await placeOne();
    const whole = wordOn(order, over as unknown as NonNullable<Story['report']>, 'k');
    // JSON drops undefined fields, so they are missing in the text that is sent.
    const step = { ...whole, values: JSON.parse(JSON.stringify(whole.values)) } as Step;
    const alone = await bare(step).catch((error: Error) => error.message);
    expect(alone).toMatch(/missing|is null/);
    await expect(inBatch(step, await company())).rejects.toThrow(alone as string);
    expect((await readAll(player))['ledger']).toEqual([]);
  });

  test('two batches at once about one order: it is booked once', async () => {
    const { player, order } = await placeOne();
    const first = await db.connect();
    try {
      await first.query('begin');
      await runInOneTransaction(first, [wordOn(order, {}, 'key-1'), await company()]);
      const batch = [wordOn(order, {}, 'key-2'), await company()];
      const second = runInOneTransaction(db, batch).catch(() => runInOneTransaction(db, batch));
      await new Promise((resolve) => setTimeout(resolve, 30));
      await first.query('commit');
      await expect(second).resolves.toMatchObject([{ outcome: 'duplicate' }, { outcome: 'paid' }]);
    } finally {
      first.release();
    }
    expect((await readAll(player))['ledger']).toHaveLength(2);
  });

  /** Numbers of one millisecond are in no order. */
  const later = () => new Promise((resolve) => setTimeout(resolve, 3));

  /** Returns the batch's own answers to reports; null: it leaves the report to the function of one order. */
  async function bookByBatch(words: readonly Step[]) {
    const [row] = await query<{ answers: ({ outcome: string } | null)[] }>(
      db,
      'test_book_plain',
      'select book_plain_payments($1::jsonb) as answers',
      [JSON.stringify(words.map(({ values }) => values))],
    );
    return row?.answers;
  }

  /** Two orders to be paid in one batch, and one of the first player whose number lies between theirs. */
  async function placeAround() {
    const { player, order: first } = await placeOne();
    await later();
    const between = await placeTestOrder(
      db,
      placeInput(player, { idempotency_key: randomUUID(), product_id: 'star_260' }),
    );
    await later();
    const { order: last } = await placeOne();
    return { player, first, between, last };
  }

  test('an order of the same player between two of a batch is left alone, and waited for by nobody', async () => {
    const { player, first, between, last } = await placeAround();
    await db.query(
      `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key, channel_name,
          channel_id, amount_minor, currency, state, payable_until)
        values ($1, $2, 2, 'adyen', 'k', '{"en": "k"}', '', 499, 'USD', 'failed', now())`,
      [player, first.billingNo],
    );
    const other = await db.connect();
    try {
      await other.query('begin');
      await other.query(
        `select from orders o join payment_attempt a using (player_id, billing_no) where billing_no = $1 for update`,
        [between.billingNo],
      );
      await other.query('select from payment_attempt where billing_no = $1 and attempt_no = 2 for update', [
        first.billingNo,
      ]);
      const answers = await runInOneTransaction(db, [wordOn(first, {}, randomUUID()), wordOn(last, {}, randomUUID())]);
      expect(answers).toMatchObject([{ outcome: 'paid' }, { outcome: 'paid' }]);
    } finally {
      await other.query('rollback');
      other.release();
    }
    const { ledger, attempts } = await readAll(player);
    expect(ledger).toHaveLength(2);
    expect(attempts).toMatchObject([{ state: 'succeeded' }, { state: 'redirected' }, { state: 'failed' }]);
  });

  test.each([true, false])('the plainest is booked by the batch itself (others are told: %s)', async (mustNotify) => {
    const { order } = await placeOne();
    expect(await bookByBatch([wordOn(order, { mustNotify }, randomUUID())])).toMatchObject([{ outcome: 'paid' }]);
  });

  test('a paid order of the same player between two of a batch is in the way of none', async () => {
    const { first, between, last } = await placeAround();
    await bare(wordOn(between, {}, randomUUID()));
    const answers = await bookByBatch([first, last].map((order) => wordOn(order, {}, randomUUID())));
    expect(answers).toMatchObject([{ outcome: 'paid' }, { outcome: 'paid' }]);
  });

  test('nobody is woken for goods that are being handed over, or where nobody is to be told', async () => {
    const listener = await db.connect();
    try {
      await listener.query('listen refill_delivery');
      const notified: string[] = [];
      const isOver = new Promise<void>((resolve) =>
        listener.on('notification', ({ payload = '' }) => (payload === 'over' ? resolve() : notified.push(payload))),
      );
      const { order: leased } = await placeOne();
      const { order: queued } = await placeOne();
      await runInOneTransaction(db, [
        wordOn(leased, { leaseSeconds: 15, mustNotify: true }, randomUUID()),
        wordOn(queued, { leaseSeconds: null, mustNotify: false }, randomUUID()),
      ]);
      await db.query("notify refill_delivery, 'over'");
      await isOver;
      expect(notified).toEqual([]);
    } finally {
      listener.release(true);
    }
  });

  test('a process without room wakes the others', async () => {
    const { order } = await placeOne();
    const listener = await db.connect();
    try {
      await listener.query('listen refill_delivery');
      const notified = new Promise<string>((resolve) =>
        listener.once('notification', ({ payload }) => resolve(payload ?? '')),
      );
      await runInOneTransaction(db, [
        wordOn(order, { leaseSeconds: null, mustNotify: true }, randomUUID()),
        await company(),
      ]);
      await expect(notified).resolves.toBe('starlane');
    } finally {
      listener.release(true);
    }
  });
});

type Created = { readonly result?: Partial<CreateResult>; readonly before?: string };
const RESULTS: Readonly<Record<string, Created>> = {
  'a page': {},
  'nobody knows': { result: { state: 'unknown', url: null, provider_ref: null, answer: null } },
  'a page after nobody knew': { before: `update payment_attempt set state = 'unknown' where billing_no = $1` },
  'nobody knows after a page': {
    before: `update payment_attempt set state = 'redirected', pay_url = 'https://p.example/1' where billing_no = $1`,
    result: { state: 'unknown', url: null, exchange: null },
  },
  'a page after it was paid': {
    before: `with paid as (update payment_attempt set state = 'succeeded' where billing_no = $1)
      update orders set state = 'delivering', paid_at = now() where billing_no = $1`,
  },
  'a page of a call without a key': { result: { idempotency_key: null } },
};

describe('what the provider answered to create', () => {
  async function playCreate(story: Created, run: (step: Step) => Promise<unknown>) {
    const player = await makePlayer(db);
    const input = placeInput(player, { idempotency_key: randomUUID() });
    await runStep(db, placeOrderStep(input));
    if (story.before !== undefined) await withoutTransitionLaw(db, story.before, [input.billing_no]);
    const answer = await run(
      recordCreateResultStep({
        player_id: player,
        billing_no: input.billing_no,
        attempt_no: 1,
        provider: 'paypal',
        state: 'redirected',
        provider_ref: `P-${input.billing_no}`,
        url: 'https://pay.example/x',
        exchange: { create: { status: 201 } },
        idempotency_key: input.idempotency_key,
        answer: { code: 'success', billing_no: input.billing_no, url: 'https://pay.example/x' },
        ...story.result,
      }) as Step,
    );
    return { answer, rows: text(await readAll(player), input.billing_no) };
  }
  const company = async () => {
    const player = await makePlayer(db);
    const input = placeInput(player, { idempotency_key: randomUUID() });
    await runStep(db, placeOrderStep(input));
    return recordCreateResultStep({
      player_id: player, billing_no: input.billing_no, attempt_no: 1, provider: 'paypal', state: 'redirected',
      provider_ref: null, url: 'https://pay.example/y', exchange: {}, idempotency_key: input.idempotency_key,
      answer: null,
    }) as Step; /* a row of values */ // prettier-ignore
  };

  test.each(Object.entries(RESULTS))('%s', async (_, story) => {
    const alone = await playCreate(story, bare);
    expect(await playCreate(story, async (step) => inBatch(step, await company()))).toEqual(alone);
    expect(await playCreate(story, atNode)).toEqual(alone);
  });

  test('a refusal gives back what was reserved, so it goes by itself', async () => {
    const step = await company();
    const refused = { ...step, values: { ...step.values, state: 'failed' } };
    await expect(inBatch(refused, await company())).rejects.toThrow('record_create_results');
  });
});
