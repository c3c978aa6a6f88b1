// Migrations against a real database: two kinds of files in one transaction, once each or again when they changed,
// and the refusals.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, createEmptyDatabase, createTestDatabase } from '#testing/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let root: string;
let client: pg.Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  root = await mkdtemp(join(tmpdir(), 'refill-migrate-'));
  await setVersion('0.2.0');
  await mkdir(join(root, 'migrations'));
  await mkdir(join(root, 'server/modules'), { recursive: true });
  client = await connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(root, { recursive: true });
});

async function connect(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: database.url });
  made.on('error', () => {});
  await made.connect();
  return made;
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
const setVersion = (version: string) => put('package.json', JSON.stringify({ version }));
const versioned = (name: string, sql: string) => put(`migrations/${name}`, sql);
const pathOf = (name: string) => `server/modules/goods/sql/${name}.sql`;
const remove = (path: string) => rm(join(root, path));
const putFunction = (name: string, body: string, parameters = '') =>
  put(pathOf(name), `create or replace function ${name}(${parameters}) returns text language sql as $$ ${body} $$;`);
const putView = (name: string, body: string) => put(pathOf(name), `create or replace view ${name} as ${body};`);
const run = () => migrate(database.url, root);

const ask = async <Value>(sql: string): Promise<Value[]> =>
  (await client.query<{ value: Value }>(`select ${sql} as value`)).rows.map(({ value }) => value);
const listTables = () =>
  ask<string[]>(
    `array(select tablename::text from pg_tables where schemaname = 'public' and tablename not like 'schema%' ` +
      'order by 1)',
  );
const listBreaches = async () =>
  (
    await client.query<{ text: string }>(
      `select concat_ws(' ', invariant, breaches, example) as text from invariant_breach`,
    )
  ).rows.map(({ text }) => text);

test('nothing to do is fine, and brings the two tables of its own', async () => {
  expect(await run()).toEqual({ applied: [], renewed: [] });
  expect(
    await ask(`to_regclass('schema_migration') is not null and to_regclass('schema_repeatable') is not null`),
  ).toEqual([true]);
});

test('versioned files run in order and once each, the dump beside them never', async () => {
  await versioned('0002-two.sql', 'alter table one add column more integer');
  await versioned('0001-one.sql', 'create table one (id integer)');
  await versioned('schema.sql', 'create table never (id integer)');
  await putFunction('greet', `select 'hello'`);
  expect(await run()).toEqual({ applied: ['0001-one.sql', '0002-two.sql'], renewed: ['greet'] });
  expect(await migrate(client, root)).toEqual({ applied: [], renewed: [] });
  await versioned('0003-three.sql', 'create table three (id integer)');
  expect(await migrate(client, root)).toEqual({ applied: ['0003-three.sql'], renewed: [] });
  expect(await listTables()).toEqual([['one', 'three']]);
});

test('a function or view whose text changed is made anew, the others are left alone', async () => {
  await putFunction('greet', `select 'hello'`);
  await putFunction('leave', `select 'bye'`);
  await putView('greeting', 'select 1 as number');
  expect((await run()).renewed).toEqual(['greet', 'leave', 'greeting']);
  await putFunction('greet', `select 'good day'`);
  expect((await run()).renewed).toEqual(['greet']);
  expect(await ask('greet()')).toEqual(['good day']);
  await putView('greeting', `select 'one' as word, 2 as number`);
  expect((await run()).renewed).toEqual(['greeting']);
});

test('functions may name functions that come after them, and views are made last', async () => {
  await putFunction('a_first', 'select z_last()');
  await putFunction('z_last', `select 'found'`);
  await putView('a_view', 'select z_last() as word');
  expect((await run()).renewed).toEqual(['a_first', 'z_last', 'a_view']);
  expect(await ask('a_first()')).toEqual(['found']);
});

test('other line ends are no change', async () => {
  await versioned('0001-one.sql', 'create table one (\n id integer)');
  await put(pathOf('greet'), 'create or replace function greet()\n returns text language sql\n as $$ select null $$;');
  await run();
  await versioned('0001-one.sql', 'create table one (\r\n id integer)');
  await put(
    pathOf('greet'),
    'create or replace function greet()\r\n returns text language sql\r\n as $$ select null $$;',
  );
  expect(await run()).toEqual({ applied: [], renewed: [] });
});

test('replicas that start together apply every file once', async () => {
  await versioned('0001-one.sql', 'create table one (id integer); select pg_sleep(0.3)');
  await versioned('0002-two.sql', 'create table two (id integer)');
  await putFunction('greet', `select 'hello'`);
  const answers = await Promise.all([1, 2, 3, 4].map(run));
  expect(answers.filter(({ applied }) => applied.length === 2)).toHaveLength(1);
  expect(answers.filter(({ applied, renewed }) => applied.length === 0 && renewed.length === 0)).toHaveLength(3);
});

test.each([
  ['migrations/0002-bad.sql', 'create table half (id integer);\ninsert into nowhere values (1);', 'relation "nowhere" does not exist (line 2)'],
  [pathOf('broken'), 'create or replace function broken() returns text language plpgsql as $$\nbegin\n  retrn 1;\nend $$;', 'syntax error at or near "retrn" (line 3)'],
  [pathOf('broken'), 'create or replace function broken() returns text language sql as $$\n  select word from nowhere $$;', 'relation "nowhere" does not exist (line 2)'],
  [pathOf('broken'), 'create or replace view broken as\nselect nothing from one;', 'column "nothing" does not exist (line 2)'],
])('a broken file, %s, rolls back everything', async (path, text, reason) => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await putFunction('greet', `select 'hello'`);
  await put(path, text);
  await expect(run()).rejects.toThrow(`${path} failed and all was rolled back: ${reason}`);
  expect(await listTables()).toEqual([[]]);
  expect(await ask(`to_regproc('greet') is null and to_regclass('schema_migration') is null`)).toEqual([true]);
  await remove(path);
  expect(await run()).toEqual({ applied: ['0001-one.sql'], renewed: ['greet'] });
}); /* a row a line */ // prettier-ignore

test('a versioned file may change columns that views stand on: these come again by themselves', async () => {
  await versioned('0001-one.sql', 'create table one (billing_no text, amount integer)');
  await putView('invariant_i1_amount', 'select billing_no, amount from one where amount < 0');
  await putView('on_top', 'select amount from one');
  await run();
  await versioned('0002-big.sql', 'alter table one alter column amount type bigint');
  expect(await run()).toEqual({
    applied: ['0002-big.sql'],
    renewed: ['invariant_i1_amount', 'on_top', 'invariant_breach'],
  });
});

test('invariant_breach has every invariant: also one that is new, has other columns, or is gone', async () => {
  await versioned(
    '0001-one.sql',
    `create table one (billing_no text, product_id text); insert into one values ('B1', 'P1')`,
  );
  await putView('invariant_i2_some', 'select billing_no from one');
  expect((await run()).renewed).toEqual(['invariant_i2_some', 'invariant_breach']);
  expect(await listBreaches()).toEqual(['I2 1 B1']);
  await putView('invariant_i10_none', 'select 1 as number where false');
  expect((await run()).renewed).toEqual(['invariant_i10_none', 'invariant_breach']);
  expect(await listBreaches()).toEqual(['I2 1 B1', 'I10 0']);
  await putView('invariant_i2_some', 'select product_id from one');
  expect((await run()).renewed).toEqual(['invariant_i2_some', 'invariant_breach']);
  expect(await listBreaches()).toEqual(['I2 1 P1', 'I10 0']);
  await remove(pathOf('invariant_i2_some'));
  expect((await run()).renewed).toEqual(['invariant_breach']);
  expect(await listBreaches()).toEqual(['I10 0']);
  // Another version may generate another text.
  await client.query(`update schema_repeatable set sha256 = 'of before' where name = 'invariant_breach'`);
  expect((await run()).renewed).toEqual(['invariant_breach']);
  await client.query('drop view invariant_breach');
  expect((await run()).renewed).toEqual(['invariant_breach']);
  await remove(pathOf('invariant_i10_none'));
  expect((await run()).renewed).toEqual([]);
  expect(await ask(`to_regclass('invariant_breach') is null`)).toEqual([true]);
});

test('a function without a file is refused until a migration drops it', async () => {
  await putFunction('greet', `select 'hello'`);
  await putFunction('leave', `select 'bye'`);
  await run();
  await remove(pathOf('greet'));
  await putFunction('leave', `select 'never applied'`);
  await expect(run()).rejects.toThrow('No file makes the function greet any more');
  expect(await ask('leave()')).toEqual(['bye']);
  await versioned('0001-drop.sql', 'drop function if exists greet');
  expect(await run()).toEqual({ applied: ['0001-drop.sql'], renewed: ['leave'] });
  expect(await ask(`to_regproc('greet') is null`)).toEqual([true]);
});

test('a signature that its file does not make any more is refused until a migration drops it', async () => {
  await putFunction('greet', `select 'hello'`);
  await run();
  await putFunction('greet', 'select name', 'name text');
  await expect(run()).rejects.toThrow(/does not make greet\(\) any more.*drop function if exists greet\(\)/);
  const twin = `\ncreate or replace function greet() returns text language sql as $$ select greet('you') $$;`;
  await put(
    pathOf('greet'),
    `create or replace function greet(name text) returns text language sql as $$ select name $$;${twin}`,
  );
  expect((await run()).renewed).toEqual(['greet']);
  expect(await ask('greet()')).toEqual(['you']);
  await putFunction('greet', 'select name', 'name text');
  await versioned('0001-drop.sql', 'drop function if exists greet()');
  expect(await run()).toEqual({ applied: ['0001-drop.sql'], renewed: ['greet'] });
});

test('a call that began before a migration still finds what the migration drops, which is gone afterwards', async () => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await putFunction('inner_part', `select 'done'`);
  const outer = `declare v text; begin perform pg_sleep(0.6); execute 'select inner_part()' into v; return v; end`;
  await put(
    pathOf('outer_part'),
    `create or replace function outer_part() returns text language plpgsql as $$ ${outer} $$;`,
  );
  await run();
  const other = await connect();
  const running = other.query<{ answer: string }>('select outer_part() as answer');
  // Until the call is inside.
  while (!(await ask<boolean>(`exists (select from pg_stat_activity where wait_event = 'PgSleep')`))[0]);
  await versioned('0002-drop.sql', 'drop function if exists inner_part()');
  await putFunction('inner_part', 'select name', 'name text');
  await run();
  expect((await running).rows).toEqual([{ answer: 'done' }]);
  expect(
    await ask(`to_regprocedure('inner_part()') is null and to_regprocedure('inner_part(text)') is not null`),
  ).toEqual([true]);
  expect(await ask('(select count(*)::integer from schema_left_over)')).toEqual([0]);
  await other.end();
});

test('what a migration that died did not drop, the next one drops', async () => {
  await putFunction('greet', `select 'hello'`);
  await run();
  await client.query(`create function left_over() returns text language sql as $$ select 'still here' $$`);
  await client.query(`insert into schema_left_over values ('left_over()')`);
  await run();
  expect(await ask(`to_regproc('left_over') is null`)).toEqual([true]);
});

test('a function that a migration dropped to change a type comes again although its text is the same', async () => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await putFunction('read_one', 'select p_one.id::text', 'p_one one');
  await run();
  await versioned(
    '0002-again.sql',
    'drop function if exists read_one(one); drop table one; create table one (id text)',
  );
  expect(await run()).toEqual({ applied: ['0002-again.sql'], renewed: ['read_one'] });
});

test('refuses a database from before the baseline in one sentence, and changes nothing', async () => {
  await client.query(`create table schema_migration (name text primary key,
    sha256 text not null, applied_at timestamptz);
    insert into schema_migration values ('0001-core.sql', 'x', now()), ('0002-more.sql', 'y', now())`);
  await versioned('0001-baseline.sql', 'create table one (id integer)');
  await expect(run()).rejects.toThrow(
    /^This database is from before the first release of Refill: start with an empty one\.$/,
  );
  expect(await ask(`to_regclass('schema_repeatable') is null`)).toEqual([true]);
});

test('refuses when an applied file was changed', async () => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await run();
  await versioned('0001-one.sql', 'create table one (id bigint)');
  await versioned('0002-two.sql', 'create table two (id integer)');
  await expect(run()).rejects.toThrow('The migration 0001-one.sql was changed after it was applied');
  expect(await listTables()).toEqual([['one']]);
});

test('refuses when the database has had a migration that this code does not know', async () => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await versioned('0002-two.sql', 'create table two (id integer)');
  await run();
  await remove('migrations/0002-two.sql');
  await expect(run()).rejects.toThrow('it has had the migration 0002-two.sql');
});

test('refuses when a function is of a newer version: a server that starts again must not bring its old text back', async () => {
  await putFunction('greet', `select 'new'`);
  await setVersion('0.10.0');
  await run();
  await putFunction('greet', `select 'old'`);
  await setVersion('0.9.1');
  await expect(run()).rejects.toThrow('The database is newer than this code: its greet is of Refill 0.10.0');
  expect(await ask('greet()')).toEqual(['new']);
  await putFunction('greet', `select 'new'`);
  expect((await run()).renewed).toEqual([]);
  await remove(pathOf('greet'));
  await expect(run()).rejects.toThrow('The database is newer than this code');
  await putFunction('greet', `select 'newer'`);
  await setVersion('0.10.0');
  expect((await run()).renewed).toEqual(['greet']);
});

test('refuses a file that came in before one that was applied', async () => {
  await versioned('0002-two.sql', 'create table two (id integer)');
  await run();
  await versioned('0001-one.sql', 'create table one (id integer)');
  await expect(run()).rejects.toThrow('0001-one.sql came in before 0002-two.sql');
  expect(await listTables()).toEqual([['two']]);
});

test.each(['1-short.sql', 'none.sql', '0001-twice.sql'])('refuses %s, which has no number of its own', async (name) => {
  await versioned('0001-one.sql', 'select 1');
  await versioned(name, 'select 1');
  await expect(run()).rejects.toThrow('needs a number of its own');
});

test('refuses files that make nothing of their name, something else, or what another file makes', async () => {
  await put(pathOf('greet'), 'create or replace function great() returns text language sql as $$ select null $$;');
  await expect(run()).rejects.toThrow(`The file ${pathOf('greet')} must hold "create or replace function greet"`);
  await put(pathOf('greet'), 'select 1;');
  await expect(run()).rejects.toThrow('must hold');
  await putFunction('greet', 'select null');
  await put('server/modules/other/sql/greet.sql', 'create or replace view greet as select 1 as one;');
  await expect(run()).rejects.toThrow(
    `Two files make greet: ${pathOf('greet')} and server/modules/other/sql/greet.sql`,
  );
  await remove(pathOf('greet'));
  await putView('invariant_breach', 'select 1 as one');
  await expect(run()).rejects.toThrow('must hold');
});

/** Of this database: other tests wait in theirs. */
const WAITING = `(select count(*)::integer from pg_locks join pg_database d on d.oid = database
  where not granted and datname = current_database())`;

test('waits two seconds for a table at a time, lets the others pass, and comes again', async () => {
  await versioned('0001-one.sql', 'create table one (id integer)');
  await run();
  const [reader, late] = [await connect(), await connect()];
  try {
    await reader.query('begin; select * from one');
    await versioned('0002-more.sql', 'alter table one add column more integer');
    const migrating = run();
    await expect.poll(() => ask(WAITING)).toEqual([1]);
    const began = performance.now();
    // Behind the migration, as everybody who comes while it waits.
    await late.query('select * from one');
    expect(performance.now() - began).toBeLessThan(4000);
    await reader.query('commit');
    expect(await migrating).toEqual({ applied: ['0002-more.sql'], renewed: [] });
  } finally {
    await reader.end();
    await late.end();
  }
});

test('the shipped functions are renewed while others write every table, without waiting for them', async () => {
  const shop = await createTestDatabase();
  const [writer, owner] = [
    new pg.Client({ connectionString: shop.url }),
    new pg.Client({ connectionString: shop.url }),
  ];
  try {
    await Promise.all([writer.connect(), owner.connect()]);
    const { rows } = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const tables = rows.map(({ name }) => name).filter((name) => !name.startsWith('schema_'));
    // An insert, an update and a delete hold these locks until they are committed.
    await writer.query(`begin; lock table ${tables.join(', ')} in row exclusive mode`);
    await owner.query(`update schema_repeatable set sha256 = 'of another text'`);
    await owner.query(`set lock_timeout = '1s'`);
    const { renewed } = await migrate(owner);
    expect(renewed).toContain('apply_report');
    expect(renewed).toContain('invariant_breach');
    expect(renewed.length).toBeGreaterThan(60);
  } finally {
    await writer.end();
    await owner.end();
    await shop.drop();
  }
});
