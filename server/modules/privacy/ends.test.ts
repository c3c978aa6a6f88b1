// Tests that rows end by the spans of each brand and the database's clock, and not before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { BRAND_RETENTION, RETENTION } from '#contracts/retention.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { endAll, findLaggingEnds } from './end-loop.ts';
import { readEndsDone } from './end-store.ts';
import { ENDS, daysOf } from './ends.ts';
import { PERSONAL_DATA } from './personal-data.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());

const log = pino({ enabled: false });
const PLAYER = '01908d5c-6c3c-7000-8000-000000000001';
/** "short" keeps everything for ten days, "plain" as long as the defaults say. */
const SHORT = 10;
const BRANDS = new Map([
  ['short', { file: { retention: Object.fromEntries(BRAND_RETENTION.map((name) => [name, SHORT])) } }],
  ['plain', { file: {} }],
]);
const configuration = () => ({ brands: BRANDS });

/** A round of all ends, as if an hour had passed since the last. */
async function end(): Promise<void> {
  await db.query(`update retention_end set taken_at = '-infinity'`);
  await endAll({ db, log, configuration });
}

test('days by brand, and for rows of none the longest of any brand', () => {
  expect(daysOf('visits', BRANDS)).toEqual({ short: SHORT, '*': RETENTION.visits.days });
  expect(daysOf('visits', new Map([['one', { file: { retention: { visits: 500 } } }]]))).toEqual({ '*': 500 });
  expect(daysOf('visits', new Map())).toEqual({ '*': RETENTION.visits.days });
  expect(daysOf('idempotency', BRANDS)).toEqual({ '*': RETENTION.idempotency.days });
});

test('every kind of row that ends by its age is ended by somebody, and has its function', async () => {
  const aged = Object.entries(PERSONAL_DATA).flatMap(([table, { ends }]) =>
    ends.flatMap((one) => (one.how === 'rows' || one.how === 'columns' ? [`${table} ${one.keep}`] : [])),
  );
  const ended = ENDS.flatMap(({ keep, tables }) => tables.map((table) => `${table} ${keep}`));
  expect([...ended, 'webhook_message webhooks'].toSorted()).toEqual(aged.toSorted());
  const { rows } = await db.query<{ name: string }>(
    `select proname as name from pg_proc where proname like 'end\\_%' and pronargs = 2 order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(ENDS.map(({ what }) => `end_${what}`).toSorted());
});

/** Inserts rows whose age in days is a value; `brand` of the row is one of the two. */
const TABLES: Readonly<
  Record<string, { keep: keyof typeof RETENTION; isOfBrand: boolean; insert: (key: string) => string }>
> = {
  session: {
    keep: 'sessions',
    isOfBrand: true,
    insert: (key) =>
      `insert into session (token_hash, public_id, player_id, brand_key, kind, auth_method, idle_until, absolute_until)
       values (sha256('${key}'), '${key}', '${PLAYER}', $1, 'web', 'x', now() - $2::interval, now() - $2::interval)`,
  },
  card_try: {
    keep: 'cardTries',
    isOfBrand: true,
    insert: (key) =>
      `insert into card_try (at, brand_key, ip, card_key, purpose, outcome)
       values (now() - $2::interval, $1, '203.0.113.7', '${key}', 'check', 'x')`,
  },
  track_call: {
    keep: 'visits',
    isOfBrand: true,
    insert: (key) =>
      `insert into track_call (brand_key, events, app_id, event_id, uuid, did, session_id, traffic_source, received_at)
       values ($1, '[]', '', '', '${key}', '', '', '', now() - $2::interval)`,
  },
  error_report: {
    keep: 'reports',
    isOfBrand: true,
    insert: (key) =>
      `insert into error_report (reference, brand_key, kind, path, code, page, language, build, note, received_at)
       values ('${key}', $1, 'script', '', 0, '', 'en', '', '', now() - $2::interval)`,
  },
  known_device: {
    keep: 'devices',
    isOfBrand: false,
    insert: (key) =>
      `insert into known_device (account_hash, device_hash, seen_at)
       values (sha256('${key}'), sha256(convert_to($1, 'UTF8')), now() - $2::interval)`,
  },
  login_guard: {
    keep: 'logins',
    isOfBrand: false,
    insert: (key) =>
      `insert into login_guard (account_hash, failures, blocked_until, forget_at)
       values (sha256(convert_to('${key}' || $1, 'UTF8')), 1, now(), now() - $2::interval)`,
  },
  idempotency: {
    keep: 'idempotency',
    isOfBrand: false,
    insert: (key) =>
      `insert into idempotency (player_id, key, fingerprint, answer, created_at)
       values ('${PLAYER}', '${key}' || $1, '', '{}', now() - $2::interval)`,
  },
  callback_refused: {
    keep: 'callbacks',
    isOfBrand: false,
    insert: (key) =>
      `insert into callback_refused (provider, day, reason, sample)
       values ('paypal', (now() - $2::interval)::date, '${key}' || $1, '')`,
  },
  admin_call: {
    keep: 'calls',
    isOfBrand: false,
    insert: (key) =>
      `insert into admin_call (key_id, call_id, fingerprint, at)
        values ('k', '${key}' || $1, '', now() - $2::interval)`,
  },
};

test.each(Object.entries(TABLES))('%s', async (table, { keep, isOfBrand, insert }) => {
  const { days } = RETENTION[keep];
  const ages = { short: isOfBrand ? SHORT : days, plain: days, gone: days };
  for (const [brand, age] of Object.entries(ages)) {
    await db.query(insert(`${brand}-old`), [brand, `${age + 2} days`]);
    await db.query(insert(`${brand}-young`), [brand, `${age - 1} days`]);
  }
  await end();
  const { rows } = await db.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
  expect(rows).toHaveLength(3);
  expect(rows.some(({ row }) => row.includes('-old'))).toBe(false);
});

/** An order that was placed `days` ago, with a payment and a callback of it. */
async function placeOld(brand: string, days: number, state = 'applied'): Promise<string> {
  const { rows } = await db.query<{ billing_no: string }>(
    `insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id,
       server_id, server_name, area_id,
       role_id, role_name, suid, username, product, amount_minor, currency, region,
       country, language, state, expires_at)
     values ($1, billing_no_at(now() - make_interval(days => $3)) || $2, $4, 'g', 'c', 'p', '', '', '',
       '', '', '', '', '{}', 1, 'EUR',
       'DE', 'DE', 'en', 'failed', now()) returning billing_no`,
    [PLAYER, Math.random().toString(36).slice(2, 12).padEnd(16, '0').toUpperCase(), days, brand],
  );
  const { billing_no: billingNo = '' } = rows[0] ?? {};
  await db.query('insert into order_lookup (billing_no, player_id) values ($1, $2) on conflict do nothing', [
    billingNo,
    PLAYER,
  ]);
  await db.query(
    `insert into payment_attempt (player_id, billing_no, attempt_no, provider, channel_key,
       channel_name, channel_id, amount_minor,
       currency, state, payable_until, pay_url, exchange)
     values ($1, $2, 1, 'paypal', 'c', '{}', '', 1, 'EUR', 'failed', now(), 'https://x.example/',
       '{"create": {"sent": "x"}}')`,
    [PLAYER, billingNo],
  );
  await db.query(
    `insert into callback_inbox (provider, dedup_key, report, headers, body, state, player_id, billing_no, received_at)
     values ('paypal', $2, '{}', '{}', 'x', $3, $1, $2, now() - make_interval(days => $4))`,
    [PLAYER, billingNo, state, days],
  );
  return billingNo;
}
const leftOf = async (billingNo: string) =>
  (
    await db.query(
      `select (select count(*)::integer from callback_inbox where billing_no = $1) as callbacks,
         (select count(*)::integer from payment_attempt where billing_no = $1) as payments,
         (select count(*)::integer from payment_attempt
           where billing_no = $1 and (exchange <> '{}' or pay_url is not null)) as exchanges`,
      [billingNo],
    )
  ).rows[0];

test('callbacks and exchanges end by the brand of their order; payments stay, and so does what still waits', async () => {
  const { days } = RETENTION.callbacks;
  const gone = { callbacks: 0, payments: 1, exchanges: 0 };
  const all = { callbacks: 1, payments: 1, exchanges: 1 };
  const orders: [string, object][] = [
    [await placeOld('short', SHORT + 2), gone],
    [await placeOld('short', SHORT - 1), all],
    [await placeOld('plain', SHORT + 2), all],
    [await placeOld('plain', days + 2), gone],
    [await placeOld('none any more', days - 2), all],
    [await placeOld('none any more', days + 2), gone],
    [await placeOld('plain', days + 3, 'stored'), { ...gone, callbacks: 1 }],
    [await placeOld('plain', days + 4, 'dead'), { ...gone, callbacks: 1 }],
  ];
  await end();
  for (const [billingNo, left] of orders) expect(await leftOf(billingNo)).toEqual(left);
});

test('a brand that keeps for a shorter time from now on is gone through anew', async () => {
  const order = await placeOld('plain', 50);
  await end();
  expect(await leftOf(order)).toMatchObject({ exchanges: 1 });
  BRANDS.set('plain', { file: { retention: { exchanges: 40 } } });
  await end();
  expect(await leftOf(order)).toMatchObject({ exchanges: 0 });
  BRANDS.set('plain', { file: {} });
});

test('a month that an archive of 0.2 has frozen holds up nothing, and is gone through when it thaws', async () => {
  const order = await placeOld('plain', RETENTION.exchanges.days + 30);
  const { rows } = await db.query<{ month: string }>(
    `select substring(tableoid::regclass::text from '^orders_(.*)$') as month from orders where billing_no = $1`,
    [order],
  );
  const freeze = (isFrozen: boolean) => db.query('select freeze_month($1, $2)', [rows[0]?.month, isFrozen]);
  await freeze(true);
  await end();
  expect(await findLaggingEnds(db, 1)).toEqual([]);
  expect(await leftOf(order)).toMatchObject({ exchanges: 1 });
  await end();
  await freeze(false);
  await end();
  expect(await leftOf(order)).toMatchObject({ exchanges: 0 });
});

test('a month that is held for the archive is waited for', async () => {
  const order = await placeOld('plain', RETENTION.exchanges.days + 60);
  const later = await placeOld('plain', RETENTION.exchanges.days + 1);
  const { rows } = await db.query<{ month: string }>(
    `select substring(tableoid::regclass::text from '^orders_(.*)$') as month from orders where billing_no = $1`,
    [order],
  );
  await db.query('select guard_month($1)', [rows[0]?.month]);
  await db.query(`update retention_end set reached = '{}' where what = 'exchanges'`);
  const holder = await db.connect();
  try {
    await holder.query('begin');
    await holder.query('select hold_month($1)', [rows[0]?.month]);
    await end();
    expect(await leftOf(order)).toMatchObject({ exchanges: 1 });
    await holder.query('rollback');
  } finally {
    holder.release();
  }
  await end();
  for (const billingNo of [order, later]) expect(await leftOf(billingNo)).toMatchObject({ exchanges: 0 });
});

test('more than a batch ends in one round, and two workers share the kinds', async () => {
  await db.query(
    `insert into card_try (at, brand_key, ip, card_key, purpose, outcome)
     select now() - interval '60 days', 'plain', '203.0.113.7', 'many', 'check', 'x' from generate_series(1, 1200)`,
  );
  await db.query(`update retention_end set taken_at = '-infinity'`);
  await Promise.all([endAll({ db, log, configuration }), endAll({ db, log, configuration })]);
  expect((await db.query(`select from card_try where card_key = 'many'`)).rowCount).toBe(0);
});

test('says which kinds were not gone through, and until when nothing was kept for too long', async () => {
  await end();
  expect(await findLaggingEnds(db, 26)).toEqual([]);
  expect(await readEndsDone(db)).toBeInstanceOf(Date);
  await db.query(`update retention_end set done_at = now() - interval '30 hours' where what = 'visits'`);
  await db.query(`update retention_end set done_at = null where what = 'calls'`);
  expect(await findLaggingEnds(db, 26)).toEqual([
    { what: 'calls', hours: null },
    { what: 'visits', hours: 30 },
  ]);
  expect(await readEndsDone(db)).toBeNull();
});

test('nothing ends while its span is not known', async () => {
  const { rows } = await db.query<{ ended: number }>(
    ENDS.map(({ what }) => `select end_${what}('{}', 100) as ended`).join(' union all '),
  );
  expect(rows.map(({ ended }) => ended)).toEqual(ENDS.map(() => 0));
});
