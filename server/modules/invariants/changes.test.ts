// The look at what changed (decision 65): it finds whatever the look at everything finds, late commits too, and
// reads no more in a large shop than in a small one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { BREAKABLE, breakInvariant, dropChecks } from '#testing/breaches.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report, withoutTransitionLaw } from '#testing/orders.ts';
import { type InvariantResult, checkChanges, checkInvariants } from './service.ts';
import { isFullCheckDue, listInvariantViews } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
  await dropChecks(db);
});
afterAll(() => drop());
beforeEach(async () => {
  await db.query('truncate player_change');
});

const brokenIn = (results: readonly InvariantResult[], player: string): string[] =>
  results
    .filter(({ examples }) => examples.some((row) => row['player_id'] === player))
    .map(({ invariant }) => invariant);
const brokenOf = async (player: string) => brokenIn((await checkChanges(db)).results, player);
const waiting = async () => (await db.query<{ player_id: string }>('select player_id from player_change')).rows;

test('every invariant that knows a player has a breach in the list below', async () => {
  const views = (await listInvariantViews(db)).filter((view) => view.is_by_player);
  const numbers = views.map(({ name }) => name.replace(/^invariant_i(\d+)_.*/, 'I$1'));
  expect(BREAKABLE.toSorted()).toEqual(numbers.toSorted());
});

test.each(BREAKABLE)(
  '%s: what breaks it is found by the look at what changed, again and again until it is right',
  async (invariant) => {
    const { player } = await breakInvariant(db, invariant);
    expect(await brokenOf(player)).toContain(invariant);
    expect(await brokenOf(player)).toContain(invariant);
    const views = await listInvariantViews(db);
    const view = views.find(({ name }) => name.startsWith(`invariant_${invariant.toLowerCase()}_`));
    expect((await db.query(`select from ${view?.name} where player_id = $1`, [player])).rowCount).toBeGreaterThan(0);
    const full = await checkInvariants(db);
    expect(full.find((one) => one.invariant === invariant)?.breaches).toBeGreaterThan(0);
    await db.query('delete from webhook_endpoint');
  },
);

const mend = (player: string, order: string) =>
  withoutTransitionLaw(db, `update orders set state = 'delivered' where player_id = $1 and billing_no = $2`, [
    player,
    order,
  ]);

test('who is right again is looked at once more and then left alone', async () => {
  const { player, order } = await breakInvariant(db, 'I8');
  expect(await brokenOf(player)).toEqual(['I8']);
  await mend(player, order);
  expect(await brokenOf(player)).toEqual([]);
  expect((await waiting()).map((row) => row.player_id)).not.toContain(player);
});

test('an order notes its player three times: placed, paid, delivered', async () => {
  const player = await makePlayer(db);
  const rows = async () => (await waiting()).filter((row) => row.player_id === player).length;
  const order = await placeTestOrder(db, placeInput(player));
  expect(await rows()).toBe(1);
  await report(db, order);
  expect(await rows()).toBe(2);
  await deliverAll(db);
  expect(await rows()).toBe(3);
  expect(await brokenOf(player)).toEqual([]);
  expect(await rows()).toBe(0);
});

test('a change by hand notes nothing: the look at everything finds it, and then the other does too', async () => {
  const { player } = await breakInvariant(db, 'I2', false);
  expect(await brokenOf(player)).toEqual([]);
  await checkInvariants(db);
  expect(await brokenOf(player)).toEqual(['I2']);
});

test('what sums over all players is for the look at everything, and stays told until that finds it right', async () => {
  await db.query(`insert into product_stock (game_id, product_id, total, used) values ('starlane', 'gone', 5, 3)`);
  const breaches = async () =>
    (await db.query('select breaches from invariant_check')).rows[0].breaches.filter(
      (one: { invariant: string }) => one.invariant === 'I7',
    );
  const broken = [{ invariant: 'I7', breaches: 1, example: 'product_id gone' }];
  await checkChanges(db);
  expect(await breaches()).toEqual([]);
  await checkInvariants(db);
  expect(await breaches()).toEqual(broken);
  await checkChanges(db);
  expect(await breaches()).toEqual(broken);
  await db.query(`delete from product_stock where product_id = 'gone'`);
  await checkInvariants(db);
  expect(await breaches()).toEqual([]);
});

test('a step that began before a look and commits after it is seen by the next, whoever came between', async () => {
  const { player, order } = await breakInvariant(db, 'I8', false);
  await mend(player, order);
  const late = await db.connect();
  try {
    await late.query('begin');
    await late.query('set local session_replication_role = replica');
    await late.query(`update orders set state = 'refund_due' where player_id = $1 and billing_no = $2`, [
      player,
      order,
    ]);
    await late.query('insert into player_change (player_id) values ($1)', [player]);
    // Others come and go with numbers below and above its own; its own player's, too.
    for (let turn = 0; turn < 3; turn += 1) {
      await db.query('insert into player_change (player_id) values ($1)', [player]);
      await breakInvariant(db, 'I3');
      expect(await brokenOf(player)).toEqual([]);
    }
    await late.query('commit');
  } finally {
    late.release();
  }
  expect(await brokenOf(player)).toEqual(['I8']);
});

test('a look that fails half-way takes no change out', async () => {
  const { player } = await breakInvariant(db, 'I8');
  await db.query(
    'create view invariant_i99_divides as select account_id as player_id, 1 / (used - used) as x from limit_counter',
  );
  await breakInvariant(db, 'I6');
  try {
    await expect(checkChanges(db)).rejects.toThrow('division by zero');
  } finally {
    await db.query('drop view invariant_i99_divides');
  }
  expect((await waiting()).map((row) => row.player_id)).toContain(player);
  expect(await brokenOf(player)).toEqual(['I8']);
});

test('what time alone breaks is found without a change', async () => {
  const { player } = await breakInvariant(db, 'I9', false);
  await db.query(`insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
    select player_id, client_id, server_id, area_id, role_id, product_id, billing_no from orders
    where player_id = '${player}'`);
  await db.query(`update orders set created_at = now() - interval '2 days' where player_id = $1`, [player]);
  expect(await brokenOf(player)).toContain('I9');
});

/** Rows and entries of indexes that `work` read, of all tables and indexes of the shop. */
async function countReads(own: Db, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    await own.query('select pg_stat_force_next_flush()');
    await own.query('select 1');
    const { rows } = await own.query<{ read: number }>(
      `select (select sum(seq_tup_read) from pg_stat_user_tables)
         + (select sum(idx_tup_read) from pg_stat_user_indexes) as read`,
    );
    return Number(rows[0]?.read);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

test('the look reads as much in a shop ten times as large: nothing that grows', async () => {
  const { db: own, drop: dropOwn } = await openTestDatabase(1);
  try {
    const sell = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const order = await placeTestOrder(own, placeInput(await makePlayer(own)));
        await report(own, order);
      }
      await deliverAll(own);
      await own.query('truncate player_change');
      await own.query('analyze');
    };
    const player = await makePlayer(own);
    await report(own, await placeTestOrder(own, placeInput(player)));
    const touch = () => own.query('insert into player_change (player_id) values ($1)', [player]);
    const measure = async () => {
      await checkChanges(own);
      const idle = await countReads(own, () => checkChanges(own));
      await touch();
      return {
        idle,
        changed: await countReads(own, () => checkChanges(own)),
        full: await countReads(own, () => checkInvariants(own)),
      };
    };
    await sell(20);
    const small = await measure();
    await sell(180);
    const large = await measure();
    expect(large.idle).toBeLessThanOrEqual(small.idle + 10);
    expect(large.changed).toBeLessThanOrEqual(small.changed + 10);
    // The same measure does see what grows.
    expect(large.full).toBeGreaterThan(large.changed * 10);
  } finally {
    await dropOwn();
  }
});

test('every view reads the tables of players by their keys when it is asked for one', async () => {
  const { db: own, drop: dropOwn } = await openTestDatabase(1);
  try {
    const player = await makePlayer(own);
    await own.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off');
    for (const { name, is_by_player: isByPlayer } of await listInvariantViews(own)) {
      if (!isByPlayer) continue;
      const { rows } = await own.query<{ 'QUERY PLAN': string }>(
        `explain select * from ${name} v where v.player_id = any (array['${player}']::uuid[])`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const whole = [...plan.matchAll(/Seq Scan on (\w+)|hashed SubPlan/g)].map(([found, table]) => table ?? found);
      expect([name, whole.filter((table) => !SMALL.includes(table))]).toEqual([name, []]);
    }
  } finally {
    await dropOwn();
  }
});

/** A few rows of an operator. */
const SMALL = ['webhook_endpoint', 'archived_month'];

test('the full look is due at once, and then after its hour of each day', async () => {
  const due = async (fullAt: string | null, hour: number) => {
    await db.query('update invariant_check set full_at = $1', [fullAt]);
    return isFullCheckDue(db, hour);
  };
  const now = new Date();
  const hour = now.getUTCHours();
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  expect(await due(null, hour)).toBe(true);
  expect(await due(ago(0), hour)).toBe(false);
  expect(await due(ago(2), hour)).toBe(true);
  expect(await due(ago(2), (hour + 1) % 24)).toBe(false);
  expect(await due(ago(25), (hour + 1) % 24)).toBe(true);
});
