import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from './db.ts';
import { addressOf, openNodes } from './nodes.ts';
import { planShardSchemas } from './schema/shard-schemas.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

test.each([
  ['postgres://refill@c1:5432/refill?sslmode=verify-full', 'postgres://refill@w2:5433/refill?sslmode=verify-full'],
  ['postgres://a:b%40@[::1]/shop', 'postgres://a:b%40@w2:5433/shop'],
  ['postgres://refill@localhost/refill?host=/run/postgresql', 'postgres://refill@w2:5433/refill'],
])('a node is reached as the coordinator is: %s', (coordinator, node) => {
  expect(addressOf(coordinator, 'w2', 5433)).toBe(node);
});

test('a node that cannot be reached is left alone for a while', async () => {
  let now = 1000;
  const noted: string[] = [];
  const nodes = await openNodes(db, 'postgres://c1/refill', {
    open: () => db,
    onAway: ({ message }) => noted.push(message),
    now: () => now,
  });
  let tries = 0;
  const node = {
    connect: async () => {
      tries += 1;
      throw new Error('no route');
    },
  } as unknown as Db;
  await expect(nodes.connect(node)).resolves.toBeUndefined();
  now += 4999;
  await expect(nodes.connect(node)).resolves.toBeUndefined();
  expect([tries, noted]).toEqual([1, ['no route']]);
  now += 1;
  await nodes.connect(node);
  expect(tries).toBe(2);
});

test('what a batch calls is copied with it, and nothing that only other steps call', async () => {
  const { functions } = await planShardSchemas(db);
  const names = functions.map((text) => /FUNCTION ([a-z_]+)\(/.exec(text)?.[1]);
  for (const name of ['run_plain_steps', 'place_plain_orders', 'book_plain_payments', 'note_order_move', 'paid_answer'])
    expect(names).toContain(name);
  for (const name of ['place_order', 'receive_report', 'record_failed_delivery']) expect(names).not.toContain(name);
});

test('another function, and another column, make other schemas', async () => {
  const stamps = [(await planShardSchemas(db)).stamp];
  await db.query('alter table player add column seen_in text');
  stamps.push((await planShardSchemas(db)).stamp);
  await db.query(`alter function is_deliverable(text) set work_mem = '8MB'`);
  stamps.push((await planShardSchemas(db)).stamp);
  expect(new Set(stamps).size).toBe(3);
});
