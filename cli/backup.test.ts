// Backup and restore as an operator does them, with the accounts of production: the owner restores, the shop trades on.
import { appendFile, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNewestBackup } from '#server/platform/database/backup-record.ts';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { dumpRows, dumpSchema } from '#server/platform/database/schema/schema-dump.ts';
import { type TestDatabase, createEmptyDatabase } from '#testing/database.ts';
import { listDumps, restoreDump } from '#testing/dumps/stored-dumps.ts';
import { tradeAfterUpgrade } from '#testing/dumps/upgrade.ts';
import { type DatabaseWithRoles, createDatabaseWithRoles } from '#testing/roles.ts';
import { runCommand } from './test-run.ts';

let folder: string;
let filled: TestDatabase;
let roles: DatabaseWithRoles;
let file: string;
let rowsBefore: string;
const opened: Db[] = [];

function open(url: string): Db {
  const db = openDb(url, { max: 2, onError: () => undefined });
  opened.push(db);
  return db;
}

const backUp = (...args: string[]) => runCommand(['backup', ...args], { DATABASE_URL: filled.url });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-backup-'));
  filled = await createEmptyDatabase();
  roles = await createDatabaseWithRoles();
  // Every column of every table of the release before has a value in it.
  const stored = (await listDumps()).at(-1);
  if (!stored) throw new Error('no filled database is stored');
  await restoreDump(filled.url, stored);
  await migrate(filled.url);
  const db = open(filled.url);
  await assignEnvironment(db, 'demo');
  // Text that is hard to carry.
  await db.query(
    `insert into audit_entry (actor, act, details) values ($1, 'test', $2::jsonb), ('b', 'test', 'null')`,
    [
      `"quoted" \\ it''s {a,b} (c) \n-- 12\nline\t\u{1f3ae} ­$$`,
      JSON.stringify({ text: 'a "b" \\ c\n-- end, 3 rows\n' }),
    ],
  );
  rowsBefore = await dumpRows(db);
});
afterAll(async () => {
  for (const db of opened) await db.end();
  await filled.drop();
  await roles.drop();
  await rm(folder, { recursive: true, force: true });
});

test('writes a file of one moment with its checksum, and a line of the audit', async () => {
  const run = await backUp('--to', folder, '--by', 'anna', '--json');
  expect(run).toMatchObject({ code: 0, err: '' });
  const printed = JSON.parse(run.out) as { file: string; bytes: number; sha256: string; rows: number };
  ({ file } = printed);
  expect(file).toMatch(/refill-demo-\d{8}T\d{6}Z\.sql\.gz$/);
  const { mode, size } = await stat(file);
  expect([(mode & 0o777).toString(8), size]).toEqual(['600', printed.bytes]);
  expect(await readFile(`${file}.sha256`, 'utf8')).toBe(`${printed.sha256}  ${file.split('/').at(-1)}\n`);
  expect(printed.rows).toBeGreaterThan(100);
  const { rows } = await open(filled.url).query(`select actor, details from audit_entry where act = 'backup'`);
  expect(await readNewestBackup(open(filled.url))).toMatchObject({ kind: 'dump', bytes: printed.bytes });
  expect(rows).toMatchObject([{ actor: 'anna', details: { file, sha256: printed.sha256, bytes: printed.bytes } }]);
});

test('the drill: the owner brings it into an empty database, all is there, the books hold, players buy', async () => {
  const restored = await runCommand(['restore', file], { DATABASE_URL: roles.ownerUrl });
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out).toContain('The books hold.');
  const [source, copy] = [open(filled.url), open(roles.url)];
  expect(await dumpSchema(copy)).toBe(await dumpSchema(source));
  // The look at the books is written down, after the backup's moment.
  const withoutLook = (text: string) => text.replace(/insert into invariant_check [\s\S]*?;\n/, '');
  expect(withoutLook(await dumpRows(copy))).toBe(withoutLook(rowsBefore));

  const { carriedOn, delivered } = await tradeAfterUpgrade({ url: roles.appUrl, drop: async () => undefined });
  expect(carriedOn).toBeGreaterThan(3);
  expect(delivered).toBeGreaterThan(10);
});

test('the account of the shop reads and writes rows, and changes no table, function or trigger', async () => {
  const app = open(roles.appUrl);
  const refusals = [
    'create table mine (id integer)',
    'alter table orders add column note text',
    'alter table ledger_entry disable trigger all',
    'drop function ledger_refuse_change() cascade',
    'truncate orders',
    'delete from schema_migration; drop table schema_migration',
    'create function harm() returns integer language sql as $$ select 1 $$',
    'set role refill_owner',
    'set session_replication_role = replica',
  ];
  for (const text of refusals) await expect(app.query(text)).rejects.toThrow(/^permission denied|^must be owner/);
  await expect(app.query('update ledger_entry set amount_minor = 0')).rejects.toThrow('append-only');
  const { rows } = await app.query(
    `select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user`,
  );
  expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }]);
});

test('what is no whole backup, or would land in the wrong place, is refused in one sentence', async () => {
  const empty = await createEmptyDatabase();
  const restore = (from: string, over: Record<string, string> = {}) =>
    runCommand(['restore', from], { DATABASE_URL: empty.url, ...over });
  const refusal = async (...args: Parameters<typeof restore>) => {
    const { code, err, out } = await restore(...args);
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  const text = gunzipSync(await readFile(file));
  const write = async (name: string, content: Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  try {
    expect(await refusal(join(folder, 'nowhere.gz'))).toMatch(/There is no .*nowhere\.gz\./);
    expect(await refusal(file, { REFILL_ENVIRONMENT: 'live', REFILL_SHOP: folder })).toContain(
      'is of the demo environment and REFILL_ENVIRONMENT is live',
    );
    expect(await refusal(file, { DATABASE_URL: filled.url })).toContain('is not empty');
    expect(await refusal(await write('short.gz', gzipSync(text.subarray(0, -30))))).toContain(
      'cut off: its end is missing',
    );
    expect(await refusal(await write('torn.gz', (await readFile(file)).subarray(0, -200)))).toContain('is damaged');
    expect(await refusal(await write('other.gz', gzipSync('select 1;\n')))).toContain('no backup of');
    await writeFile(join(folder, 'short.gz.sha256'), `${'0'.repeat(64)}  short.gz\n`);
    expect(await refusal(join(folder, 'short.gz'))).toContain('its checksum is not the one in');
    // A refusal in the middle has left nothing behind.
    const { rows } = await open(empty.url).query(`select from pg_class where relnamespace = 'public'::regnamespace`);
    expect(rows).toEqual([]);
    expect((await backUp()).err).toContain('Say where the copy goes');
    await writeFile(join(folder, 'plain'), '');
    expect((await backUp('--to', join(folder, 'plain'))).err).toMatch(
      /^refill: --to ".+plain" cannot be written \((?:EEXIST|ENOTDIR): /,
    );
    expect((await backUp('--to', '/proc/refill/copies')).err).toMatch(/^refill: --to "\/proc\/.+" cannot be written /);
  } finally {
    await Promise.all(opened.splice(0).map((db) => db.end()));
    await empty.drop();
  }
});

test("keeps as many as it is told to, and nobody else's files", async () => {
  for (const day of ['01', '02', '03']) {
    await appendFile(join(folder, `refill-demo-202601${day}T000000Z.sql.gz`), 'old');
    await appendFile(join(folder, `refill-demo-202601${day}T000000Z.sql.gz.sha256`), 'old');
    await appendFile(join(folder, `refill-live-202601${day}T000000Z.sql.gz`), 'old');
  }
  for (const keep of ['0', '0x3', '1e1', '2.0', ''])
    expect((await backUp('--to', folder, '--keep', keep)).code).toBe(1);
  const run = await backUp('--to', folder, '--keep', '3', '--json');
  expect(JSON.parse(run.out).dropped).toHaveLength(2);
  const names = await readdir(folder);
  expect(names.filter((name) => /^refill-demo-.*gz$/.test(name))).toHaveLength(3);
  expect(names.filter((name) => name.startsWith('refill-live-'))).toHaveLength(3);
  expect(names).not.toContain('refill-demo-20260101T000000Z.sql.gz.sha256');
});

test('a backup taken by other means is noted', async () => {
  expect(await backUp('--elsewhere', 'pgBackRest, full', '--bytes', '77', '--by', 'ben')).toMatchObject({
    code: 0,
    out: 'Noted.\n',
  });
  const db = open(filled.url);
  const { rows } = await db.query(
    `select actor, details from audit_entry where act = 'backup' order by id desc limit 1`,
  );
  expect(rows).toMatchObject([{ actor: 'ben', details: { elsewhere: 'pgBackRest, full', bytes: 77 } }]);
  expect(await readNewestBackup(db)).toMatchObject({ kind: 'base', bytes: 77 });
  expect((await backUp('--elsewhere', 'pgBackRest')).err).toContain('needs the size of the copy');
});

test('of a database that is spread over machines it says what the copy is worth', async () => {
  const db = open(filled.url);
  await db.query(
    `create table pg_dist_partition (logicalrelid regclass); insert into pg_dist_partition values ('orders')`,
  );
  expect((await backUp('--to', folder)).err).toContain('copy every node with its own tool at one restore point');
  await db.query('drop table pg_dist_partition');
});

test('an account that may only read plans, reports and lists revisions, and changes nothing', async () => {
  const variables = { DATABASE_URL: roles.readUrl };
  for (const words of [
    ['plan'],
    ['plan', '--prices'],
    ['revisions'],
    ['report', 'revenue', '--since', '2026-01-01'],
    ['report', 'refunds', '--since', '2026-01-01'],
    ['report', 'chargebacks', '--since', '2026-01-01'],
    ['report', 'fees', '--since', '2026-01-01'],
    ['order', 'find', '--state', 'delivered'],
  ]) {
    const { code, err } = await runCommand(words, variables);
    expect([words, err.split('\n').filter((line) => line.startsWith('refill:'))]).toEqual([words, []]);
    expect([0, 2]).toContain(code);
  }
  expect((await runCommand(['apply'], variables)).err).toMatch(/may not do this|read-only/);
  const read = open(roles.readUrl);
  await expect(read.query('begin; set transaction read write; delete from orders')).rejects.toMatchObject({
    code: '42501',
  });
});

test('roles.sql has the database make statistics of a small sample, as the embedded one does', async () => {
  const { rows } = await open(roles.url).query<{ settings: string[] }>(
    `select setconfig as settings from pg_db_role_setting
     where setrole = 0 and setdatabase = (select oid from pg_database where datname = current_database())`,
  );
  expect(rows.flatMap(({ settings }) => settings)).toContain('default_statistics_target=10');
});
