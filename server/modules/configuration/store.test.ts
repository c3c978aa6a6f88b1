import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import { openDb, type Db } from '#server/platform/database/db.ts';
import { createTestDatabase, type TestDatabase } from '#testing/database.ts';
import { applyConfiguration, loadConfiguration, planConfiguration, watchConfiguration } from './service.ts';

const shipped = join(import.meta.dirname, '..', '..', '..');
let database: TestDatabase;
let db: Db;
let root: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb(database.url, { max: 4, onError: () => undefined });
});

afterAll(async () => {
  await db.end();
  await database.drop();
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-configuration-'));
  for (const room of ['brands', 'games', 'channels'])
    await cp(join(shipped, room), join(root, room), { recursive: true });
  await db.query('truncate configuration, configuration_file, configuration_history, product_stock');
  return () => rm(root, { recursive: true });
});

async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(join(root, file), 'utf8');
  expect(text).toMatch(from);
  await writeFile(join(root, file), text.replace(from, to));
}

async function everything(): Promise<unknown> {
  const tables = ['configuration', 'configuration_file', 'configuration_history', 'product_stock'];
  return Promise.all(tables.map(async (table) => (await db.query(`select * from ${table} order by 1, 2`)).rows));
}

test('applies the shipped files, and loads what was applied', async () => {
  expect((await loadConfiguration(db)).brands.size).toBe(0);
  const applied = await applyConfiguration(db, root, { appliedBy: 'ada' });
  expect(applied).toMatchObject({ ok: true, changed: true, revision: 1 });

  const configuration = await loadConfiguration(db);
  expect(configuration.revision).toBe(1);
  expect(configuration.brandByHost('acenetjp.demo.localhost')?.key).toBe('acenetJp');
  expect(configuration.brandByHost('pay.watt.example')?.key).toBe('watt');
  expect(configuration.brandByHost('pay.watt.example.evil.example')).toBeNull();
  expect([...configuration.brands.get('watt' as BrandKey)!.regions.keys()]).toEqual(
    ['universal', 'sea', 'ja', 'kr', 'twhk', 'useuro', 'mea'], // the order of the file, which a jsonb column would lose
  );
  expect(configuration.gameOfClient('70022')).toMatchObject({ game: { id: 'starlane' }, subGame: { code: 'nomads' } });
  expect(configuration.gameOfClient('70012')).toMatchObject({ game: { id: 'emberfall' }, subGame: null });
  expect(configuration.gameOfClient('1')).toBeNull();
  expect(configuration.productOf('emberfall' as GameId, 'ember_1280')?.prices.get('USD')).toEqual({
    amountMinor: 1999,
    currency: 'USD',
  });
  const history = await db.query('select revision, applied_by from configuration_history');
  expect(history.rows).toEqual([{ revision: 1, applied_by: 'ada' }]);
});

test('applies the same files twice as nothing', async () => {
  await applyConfiguration(db, root);
  const before = await everything();
  expect(await planConfiguration(db, root)).toMatchObject({ ok: true, lines: [] });
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: true, changed: false, revision: 1, summary: [] });
  expect(await everything()).toEqual(before);
});

test('writes nothing when one of many files has a fault', async () => {
  await applyConfiguration(db, root);
  const before = await everything();
  await edit('games/emberfall/game.yaml', /USD: '19\.99'/, "USD: '17.99'");
  await edit('brands/watt/brand.yaml', /theme: .*/, 'theme: "#12"');
  const applied = await applyConfiguration(db, root);
  expect(applied.ok ? [] : applied.faults.map((fault) => fault.sentence)).toEqual([
    expect.stringMatching(
      /^brands\/watt\/brand\.yaml:\d+: theme: "#12" is not a six-digit hex colour; write e\.g\. "#5B6CFF"$/,
    ),
  ]);
  expect(await everything()).toEqual(before);
});

test('writes nothing when the database refuses half-way', async () => {
  await applyConfiguration(db, root);
  const before = await everything();
  await edit('games/emberfall/game.yaml', 'stock: 500', 'stock: 600');
  // The revision is the last statement: whatever came before it must roll back.
  await db.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`);
  await db.query(
    'create trigger refuse before insert or update on configuration for each row execute function refuse()',
  );
  await expect(applyConfiguration(db, root)).rejects.toThrow('disk full');
  await db.query('drop trigger refuse on configuration');
  expect(await everything()).toEqual(before);
});

test('raises a stock total, keeps what is used, and refuses to go below it', async () => {
  await applyConfiguration(db, root);
  await db.query(`update product_stock set used = 450 where product_id = 'ember_phoenix'`);
  await edit('games/emberfall/game.yaml', 'stock: 500', 'stock: 600');
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: true, changed: true });
  const stock = await db.query(`select total, used from product_stock where product_id = 'ember_phoenix'`);
  expect(stock.rows).toEqual([{ total: 600, used: 450 }]);

  await edit('games/emberfall/game.yaml', 'stock: 600', 'stock: 449');
  for (const refused of [await planConfiguration(db, root), await applyConfiguration(db, root)]) {
    expect(refused.ok ? [] : refused.faults.map((fault) => fault.sentence)).toEqual([
      expect.stringMatching(
        /^games\/emberfall\/game\.yaml:\d+: goods\[ember_phoenix\]\.stock: 449 is less than the 450 sold or reserved already; write 450 or more$/,
      ),
    ]);
  }
  expect((await loadConfiguration(db)).revision).toBe(2);
});

test('lets two operators apply one after the other', async () => {
  const [one, two] = await Promise.all([applyConfiguration(db, root), applyConfiguration(db, root)]);
  expect([one, two].map((applied) => applied.ok && applied.changed).toSorted()).toEqual([false, true]);
  expect((await loadConfiguration(db)).revision).toBe(1);
});

async function listeners(): Promise<number[]> {
  const { rows } = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity where query = 'listen refill_configuration' and datname = current_database()`,
  );
  return rows.map((row) => row.pid);
}

test('tells a running process of a new revision at once', async () => {
  await applyConfiguration(db, root);
  const revisions: number[] = [];
  // A poll of a minute: only the notification can be this quick.
  const watch = watchConfiguration(db, (revision) => void revisions.push(revision), { revision: 1, pollMs: 60_000 });
  await expect.poll(listeners).toHaveLength(1);
  await edit('brands/ko/brand.yaml', /theme: .*/, 'theme: "#1F8A5C"');
  await applyConfiguration(db, root);
  await expect.poll(() => revisions).toEqual([2]);
  await watch.stop();
});

test('tells a process again that failed to take a revision up', async () => {
  await applyConfiguration(db, root);
  const revisions: number[] = [];
  const errors: unknown[] = [];
  const onChange = (revision: number) => {
    revisions.push(revision);
    if (revisions.length === 1) throw new Error('not now');
  };
  const onError = (error: unknown) => void errors.push(error);
  const watch = watchConfiguration(db, onChange, { revision: 0, pollMs: 20, onError });
  await expect.poll(() => revisions).toEqual([1, 1]);
  expect(errors).toEqual([new Error('not now')]);
  await watch.stop();
});

test('finds a new revision by polling when the listening connection is cut', async () => {
  await applyConfiguration(db, root);
  const revisions: number[] = [];
  const watch = watchConfiguration(db, (revision) => void revisions.push(revision), { revision: 1, pollMs: 50 });
  await expect.poll(listeners).toHaveLength(1);
  const [former] = await listeners();
  await db.query('alter table configuration disable trigger configuration_changed');
  await db.query('select pg_terminate_backend($1)', [former]);
  await edit('brands/ko/brand.yaml', /theme: .*/, 'theme: "#1F8A5C"');
  await applyConfiguration(db, root);
  await expect.poll(() => revisions).toEqual([2]);
  await expect.poll(listeners).toHaveLength(1);
  expect(await listeners()).not.toContain(former);
  await watch.stop();
  await db.query('alter table configuration enable trigger configuration_changed');
});
