// Migrations against a real database: order, once only, whole or not at all, and the two refusals.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'refill-migrate-'));
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  // The clone comes migrated; these tests bring their own files.
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
});

afterEach(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const put = (name: string, sql: string): Promise<void> => writeFile(join(folder, name), sql);

async function listTables(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migration' ORDER BY 1",
  );
  return rows.map((row) => row.name);
}

test('an empty folder is fine', async () => {
  expect(await migrate(database.url, folder)).toEqual({ applied: [] });
});

test('applies in order, each once, and later only what is new', async () => {
  await put('0002-two.sql', 'ALTER TABLE one ADD COLUMN more int');
  await put('0001-one.sql', 'CREATE TABLE one (id int)');
  expect(await migrate(database.url, folder)).toEqual({ applied: ['0001-one.sql', '0002-two.sql'] });
  expect(await migrate(client, folder)).toEqual({ applied: [] });
  await put('0003-three.sql', 'CREATE TABLE three (id int)');
  expect(await migrate(client, folder)).toEqual({ applied: ['0003-three.sql'] });
  expect(await listTables()).toEqual(['one', 'three']);
});

test('replicas that start together apply each file once', async () => {
  await put('0001-one.sql', 'CREATE TABLE one (id int)');
  await put('0002-two.sql', 'CREATE TABLE two (id int)');
  const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, folder)));
  expect(answers.flatMap((answer) => answer.applied).toSorted()).toEqual(['0001-one.sql', '0002-two.sql']);
});

test('a broken file rolls back whole, keeps the files before it and says where', async () => {
  await put('0001-good.sql', 'CREATE TABLE good (id int)');
  await put('0002-bad.sql', 'CREATE TABLE half (id int);\nINSERT INTO nowhere VALUES (1);');
  await expect(migrate(database.url, folder)).rejects.toThrow(
    'The migration 0002-bad.sql failed and was rolled back: relation "nowhere" does not exist (line 2).',
  );
  expect(await listTables()).toEqual(['good']);
  await put('0002-bad.sql', 'CREATE TABLE mended (id int)');
  expect(await migrate(database.url, folder)).toEqual({ applied: ['0002-bad.sql'] });
});

test('refuses when an applied file was changed, but not for other line ends', async () => {
  await put('0001-one.sql', 'CREATE TABLE one (\n id int)');
  await migrate(database.url, folder);
  await put('0001-one.sql', 'CREATE TABLE one (\r\n id int)');
  expect(await migrate(database.url, folder)).toEqual({ applied: [] });
  await put('0001-one.sql', 'CREATE TABLE one (\n id bigint)');
  await put('0002-two.sql', 'CREATE TABLE two (id int)');
  await expect(migrate(database.url, folder)).rejects.toThrow(
    'The migration 0001-one.sql was changed after it was applied',
  );
  expect(await listTables()).toEqual(['one']);
});

test('a file that was mended because it failed elsewhere says which text it stands for', async () => {
  const former = 'CREATE TABLE one (id int)';
  await put('0001-one.sql', former);
  await migrate(database.url, folder);
  const mended = `-- Same outcome as ${createHash('sha256').update(former).digest('hex')}\nCREATE TABLE one (id integer)`;
  await put('0001-one.sql', mended);
  expect(await migrate(database.url, folder)).toEqual({ applied: [] });
  await put('0001-one.sql', mended.replace('Same outcome as ', 'Same outcome as 0'));
  await expect(migrate(database.url, folder)).rejects.toThrow('was changed after it was applied');
});

/** What came with PostgreSQL 17 and 18; an operator's own may be 16 (README.md). */
const NEWER =
  /\bset expression\b|\bmerge_action\b|\bjson_table\b|\buuidv[47]\b|\) virtual\b|\bwithout overlaps\b|\breturning (with|old\.|new\.)/i;

test('the migrations ask for the version before they say what PostgreSQL 16 does not know', async () => {
  const shipped = new URL('../../../migrations/', import.meta.url);
  const names = await readdir(shipped);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, shipped), 'utf8')));
  const newer = names.filter((_, index) => NEWER.test(texts[index] ?? ''));
  expect(newer.filter((name) => !texts[names.indexOf(name)]?.includes('server_version_num'))).toEqual([]);
  expect(newer).toContain('0040-lighter-money-path.sql');
});

test('refuses when the database is newer than the code', async () => {
  await put('0001-one.sql', 'CREATE TABLE one (id int)');
  await put('0002-two.sql', 'CREATE TABLE two (id int)');
  await migrate(database.url, folder);
  await rm(join(folder, '0002-two.sql'));
  await expect(migrate(database.url, folder)).rejects.toThrow(
    'The database is newer than this code: it has had the migration 0002-two.sql',
  );
});

test('refuses a file that came in before one that was applied', async () => {
  await put('0002-two.sql', 'CREATE TABLE two (id int)');
  await migrate(database.url, folder);
  await put('0001-one.sql', 'CREATE TABLE one (id int)');
  await expect(migrate(database.url, folder)).rejects.toThrow('0001-one.sql came in before 0002-two.sql');
  expect(await listTables()).toEqual(['two']);
});

test.each(['1-short.sql', 'none.sql', '0001-twice.sql'])('refuses %s, which has no number of its own', async (name) => {
  await put('0001-one.sql', 'SELECT 1');
  await put(name, 'SELECT 1');
  await expect(migrate(database.url, folder)).rejects.toThrow('needs a number of its own');
});
