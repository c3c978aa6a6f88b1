// The look at everything goes through all players in pieces of some hundred orders: it leaves out nobody, looks at
// nobody twice, and reads what belongs to nobody as well.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import type { Pace } from '#server/platform/pace.ts';
import { dropChecks } from '#testing/breaches.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { checkChanges, checkInvariants } from './service.ts';
import { listPlayerRanges } from './store.ts';

const PLAYERS = 1200;
/** One player has more orders than a piece. */
const OF_ONE = 700;
let db: Db;
let drop: () => Promise<void>;

/** Delivered orders without payment, delivery and books: each breaks I2 once. */
async function copyOrder(player: string, count: number): Promise<void> {
  const { rows } = await db.query<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'orders' and is_generated = 'NEVER'
       and column_name not in ('player_id', 'billing_no')`,
  );
  const columns = rows[0]?.columns;
  await db.query(
    `insert into orders (player_id, billing_no, ${columns})
     select ${player}, left(billing_no, 16) || upper(substr(md5(random()::text || n), 1, 10)), ${columns}
     from generate_series(1, $1) n, (select * from orders order by billing_no limit 1) o`,
    [count],
  );
}

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
  await report(db, await placeTestOrder(db, placeInput(await makePlayer(db))));
  await deliverAll(db);
  await dropChecks(db);
  await copyOrder('gen_random_uuid()', PLAYERS);
  await copyOrder(`'80000000-0000-4000-8000-000000000000'`, OF_ONE);
});
afterAll(() => drop());

test('pieces lie side by side from the first id to the last, of 500 orders or of one player at most', async () => {
  const ranges = await Array.fromAsync(listPlayerRanges(db));
  expect(ranges.map(({ from }) => from)).toEqual([
    '00000000-0000-0000-0000-000000000000',
    ...ranges.slice(0, -1).map(({ to }) => to),
  ]);
  expect(ranges.at(-1)?.to).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  const { rows } = await db.query<{ orders: number; players: number }>(
    `select count(*)::integer as orders, count(distinct player_id)::integer as players from orders,
       unnest($1::uuid[], $2::uuid[]) as range (low, high) where player_id >= low and player_id < high group by low`,
    [ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
  );
  expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(PLAYERS + OF_ONE + 1);
  // Whose orders begin in a piece has all of them there.
  expect(rows.filter(({ orders }) => orders > 500 + OF_ONE)).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(3);
});

test('every order is looked at once, and what breaks an invariant without a player is found', async () => {
  const stints: number[] = [];
  const breaches = async () => {
    const results = await checkInvariants(db, null, async () => void stints.push(1));
    return ['I2', 'I5'].map((wanted) => results.find(({ invariant }) => invariant === wanted)?.breaches);
  };
  expect(await breaches()).toEqual([PLAYERS + OF_ONE, 0]);
  // A rest can come after each statement.
  expect(stints.length).toBeGreaterThan(80);
  await db.query(
    `insert into gift_card (card_id, batch_id, password_hmac, state, billing_no, player_id)
     values ('nobody', 'nobody', '', 'spent', 'zz', null)`,
  );
  expect(await breaches()).toEqual([PLAYERS + OF_ONE, 1]);
});

test('the players of a breach are looked at each hour, a thousand of them at most', async () => {
  await db.query('truncate player_change');
  await checkInvariants(db);
  const { rows } = await db.query<{ n: number }>('select count(distinct player_id)::integer as n from player_change');
  expect(rows[0]?.n).toBe(1000);
});

test.each([
  ['at all books', (pace: Pace) => checkInvariants(db, null, pace)],
  ['at what changed', (pace: Pace) => checkChanges(db, pace)],
])('a look %s that takes long keeps its turn, and is no look of long ago, while it is under way', async (_, look) => {
  const old = `now() - interval '3 hours'`;
  await db.query(`update invariant_check set taken_at = ${old}, checked_at = ${old}`);
  await db.query('insert into player_change (player_id) select distinct player_id from orders limit 30');
  let at = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 400_000));
  onTestFinished(() => clock.mockRestore());
  const isFresh: boolean[] = [];
  await look(async () => {
    const { rows } = await db.query<{ is_fresh: boolean }>(
      `select least(taken_at, checked_at) > now() - interval '1 minute' as is_fresh from invariant_check`,
    );
    isFresh.push(rows[0]?.is_fresh === true);
  });
  expect([isFresh[0], isFresh.at(-1)]).toEqual([false, true]);
});
