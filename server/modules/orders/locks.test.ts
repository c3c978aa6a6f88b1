// An order locks the rows of what it holds, and nothing that only looks like them: rows of the player's other order, of
// other kinds, games, goods, subjects, periods and brands stand beside each of them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, type Queryable, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder } from '#testing/orders.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
let order: BillingNo;
let other: BillingNo;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(3));
});
afterAll(() => drop());

const OWN_REPLENISH = `RP-${'0'.repeat(25)}1`;
const OTHER_REPLENISH = `RP-${'0'.repeat(25)}2`;
/** Named as the coupon of the order is. */
const COUPON = `RP-${'0'.repeat(25)}3`;

/** Lists the tables with lockable rows, and the name of a row of each in this test. */
const TABLES: Readonly<Record<string, string>> = {
  limit_counter: `concat_ws('/', game_id, product_id, subject, period)`,
  product_stock: `concat_ws('/', game_id, product_id)`,
  coupon: 'code',
  promo_code: `concat_ws('/', brand_key, code)`,
  replenish: 'replenish_id',
  gift_card: 'card_id',
  wallet_account: `concat_ws('/', currency, kind)`,
};

/** @returns the rows that are locked once `lock` has run in a transaction that is still open */
async function listLocked(lock: (on: Queryable) => Promise<unknown>): Promise<Record<string, string[]>> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await lock(client);
    const locked: Record<string, string[]> = {};
    for (const [table, name] of Object.entries(TABLES)) {
      const rows = await query<{ name: string }>(
        db,
        `test_locked_${table}`,
        `with free as materialized (select ${name} as name from ${table} for update skip locked)
         select ${name} as name from ${table} where ${name} not in (select name from free) order by 1`,
      );
      if (rows.length > 0) locked[table] = rows.map((row) => row.name);
    }
    return locked;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const counters = (rows: readonly string[], used = 0) =>
  db.query(
    `insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
     select $1, split_part(n, '/', 1), split_part(n, '/', 2), split_part(n, '/', 3), split_part(n, '/', 4), $3, 9
     from unnest($2::text[]) n`,
    [player, rows, used],
  );

const reserve = (billingNo: BillingNo, rows: readonly (readonly [kind: string, path: string])[]) =>
  db.query(
    `insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, account_id)
     select $1::uuid, $2, kind, split_part(n, '/', 1), split_part(n, '/', 2), split_part(n, '/', 3), split_part(n, '/', 4),
       case when kind in ('limit', 'bonus', 'offer') then $1::uuid end
     from unnest($3::text[], $4::text[]) as t(kind, n)`,
    [player, billingNo, rows.map(([kind]) => kind), rows.map(([, path]) => path)],
  );

const setAttempt = (billingNo: BillingNo, provider: string, state: string) =>
  db.query('update payment_attempt set provider = $2, state = $3 where billing_no = $1', [billingNo, provider, state]);

beforeEach(async () => {
  for (const table of [...Object.keys(TABLES), 'reservation']) await db.query(`delete from ${table}`);
  player = await makePlayer(db);
  order = (await placeTestOrder(db, placeInput(player))).billingNo;
  other = (await placeTestOrder(db, placeInput(player, { product_id: 'star_260', brand_key: 'xeno' as never })))
    .billingNo;
});

/** The order holds some rows, its player's other order holds some, and some are free. */
async function fill(): Promise<void> {
  await reserve(order, [
    ['limit', 'g/p/role/d1'],
    ['bonus', 'g/p/first/s1'],
    ['stock', 'g/p//'],
    ['coupon', `g/q/${COUPON}/`],
    ['code', 'g/q/SPRING/'],
    ['replenish', `g/q/${OWN_REPLENISH}/`],
  ]);
  await reserve(other, [
    ['limit', 'g/p/role/d2'],
    ['bonus', 'g/p/first/s2'],
    ['stock', 'g/r//'],
    ['coupon', 'g/q/WINTER/'],
    ['code', 'g/q/WINTER/'],
    ['replenish', `g/q/${OTHER_REPLENISH}/`],
  ]);
  await counters(['g/p/role/d1', 'h/p/role/d1', 'g/q/role/d1', 'g/p/game/d1', 'g/p/role/d2']);
  await counters(['g/p/first/s1', 'h/p/first/s1', 'g/q/first/s1', 'g/p/last/s1', 'g/p/first/s2']);
  // As the reservations of other kinds are called.
  await counters(['g/p//', `g/q/${COUPON}/`]);
  await db.query(
    `insert into product_stock (game_id, product_id, total) values ('g', 'p', 9), ('g', 'q', 9), ('g', 'r', 9)`,
  );
  await db.query(
    `insert into coupon (player_id, code, brand_key, name, discount_rate, valid_end, source)
     select $1, code, 'watt', '{}', 0.5, now() + interval '1 day', 't' from unnest($2::text[]) code`,
    [player, [COUPON, 'SPRING', 'WINTER']],
  );
  await db.query(
    `insert into promo_code (brand_key, code) select brand, code
      from unnest($1::text[]) code, unnest($2::text[]) brand`,
    [
      [COUPON, 'SPRING', 'WINTER'],
      ['watt', 'xeno'],
    ],
  );
  await db.query(
    `insert into replenish (replenish_id, player_id, brand_key, game_id, client_id, amount_minor, currency, reason,
       opened_by, expires_at)
     select id, $1, 'watt', 'g', '1', 100, 'USD', 'r', 't', now() + interval '1 day' from unnest($2::text[]) id`,
    [player, [OWN_REPLENISH, OTHER_REPLENISH, COUPON]],
  );
  await db.query(
    `insert into gift_card (card_id, batch_id, password_hmac, state, billing_no, player_id)
     values ('own', 'b', '', 'spent', $1, $3), ('other', 'b', '', 'spent', $2, $3)`,
    [order, other, player],
  );
  await db.query(`insert into wallet_account (player_id, currency, kind) values ($1, 'USD', 'paid')`, [player]);
}

const HELD = {
  limit_counter: ['g/p/first/s1', 'g/p/role/d1'],
  product_stock: ['g/p'],
  coupon: [COUPON],
  promo_code: ['watt/SPRING'],
  replenish: [OWN_REPLENISH],
  gift_card: ['own'],
};
const lockReservations = (on: Queryable) => on.query('select lock_reservations($1, $2)', [player, order]);

test('an order locks what it has reserved, and nothing of another order', async () => {
  await fill();
  // A balance that the other order was paid from, and one that did not suffice for this one.
  await setAttempt(other, 'wallet', 'succeeded');
  await setAttempt(order, 'wallet', 'failed');
  expect(await listLocked(lockReservations)).toEqual(HELD);
});

test('an order that was paid inside the shop locks the balance as well', async () => {
  await fill();
  await setAttempt(order, 'card', 'succeeded');
  expect(await listLocked(lockReservations)).toEqual({ ...HELD, wallet_account: ['USD/paid'] });
});

test('a first-purchase bonus counts for its own game, product and season', async () => {
  const lockBonus = async (on: Queryable) => {
    const [row] = await query<{ has: boolean }>(
      on,
      'test_lock_bonus',
      `select lock_first_bonus($1, 'g', 'p', '{"season": "s1"}') as has`,
      [player],
    );
    return row?.has;
  };
  // All of them used up, and all of them found first.
  await counters(['a/p/first/s1', 'g/a/first/s1', 'g/p/a/s1', 'g/p/first/a'], 1);
  expect(await lockBonus(db)).toBe(true);
  expect(await listLocked(lockBonus)).toEqual({ limit_counter: ['g/p/first/s1'] });
  await db.query(`update limit_counter set used = 1 where period = 's1' and game_id = 'g' and product_id = 'p'`);
  expect(await lockBonus(db)).toBe(false);
});

test('a first-purchase bonus of an account whose person was erased is not there again', async () => {
  await db.query(
    `insert into carried_use (account_id, game_id, product_id, subject_hash, period, used)
     values ($1, 'g', 'p', guard_hash('first'), 's1', 1)`,
    [player],
  );
  const { rows } = await db.query<{ has: boolean }>(
    `select lock_first_bonus($1, 'g', 'p', '{"season": "s1"}') as has`,
    [player],
  );
  expect(rows).toEqual([{ has: false }]);
});
