// Each check on a real database: quiet while all is well, and its sentence once the one thing is wrong.
import { beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { createShopDatabase } from '#testing/database.ts';
import { checkDatabase, DATABASE_CHECKS } from './database-checks.ts';

let db: Db;
beforeAll(async () => {
  const database = await createShopDatabase();
  db = openDb(database.url, { max: 2, onError: () => undefined });
  return async () => {
    await db.end();
    await database.drop();
  };
});

/** The ill names after `change`, all of which is taken back. */
async function illAfter(change: string): Promise<string[]> {
  const client = await db.connect();
  try {
    await client.query('begin');
    if (change !== '') await client.query(change);
    const looks = await checkDatabase(client, 'live');
    return looks.filter(({ state }) => state !== 'ok').map(({ name, remedy, said }) => `${name} ${said}: ${remedy}`);
  } finally {
    await client.query('rollback');
    client.release(true);
  }
}

/** Clusters of tests may be set up for speed. */
const ofCluster = async () => illAfter('');

test('a database of the shop is well, but for what its cluster does for speed', async () => {
  expect(
    (await ofCluster()).filter((line) => !/^(?:fsync|full_page_writes|synchronous_commit|autovacuum) /.test(line)),
  ).toEqual([]);
  const [first] = await checkDatabase(db, 'demo');
  const count = DATABASE_CHECKS.filter(({ isOfLive }) => !isOfLive).length;
  expect(first?.said).toBe(`are well in ${count} of ${count} checks`);
});

const NOBODY = 'create role doctor_nobody; grant usage on schema public to doctor_nobody; set local role doctor_nobody';
test.each([
  ['collation', `update pg_database set datcollversion = '1.0' where datname = current_database()`],
  ['the search_path', 'create schema own; set local search_path to own, public'],
  ['DateStyle', `set local datestyle to 'SQL, DMY'`],
  ['standard_conforming_strings', 'set local standard_conforming_strings to off'],
  ['default_transaction_isolation', `set local default_transaction_isolation to 'serializable'`],
  ['DATABASE_URL', 'set local default_transaction_read_only to on'],
  ['session_replication_role', 'set local session_replication_role to replica'],
  ['triggers', 'alter table ledger_entry disable trigger user'],
  ['indexes', `update pg_index set indisvalid = false where indrelid = 'session'::regclass and indisprimary`],
  ['rights of the account', `revoke all on session from public; ${NOBODY}`],
  ['functions of the account', `revoke execute on all functions in schema public from public; ${NOBODY}`],
  [
    'the password of the account',
    `do $$ begin execute format('alter role %I valid until %L', current_user, now()); end $$`,
  ],
  ['numbers of rows', "create sequence doctor_rows as smallint; select setval('doctor_rows', 30000)"],
  [
    'the age of the oldest row',
    `update pg_database set datfrozenxid = (txid_current() % 4294967296 - 1100000000 +
    case when txid_current() % 4294967296 < 1100000003 then 4294967296 else 0 end)::text::xid
    where datname = current_database()`,
  ],
  ['synchronous_commit', 'set local synchronous_commit to off'],
  ['statement_timeout of the account', NOBODY],
  ['idle_in_transaction_session_timeout of the account', NOBODY],
] as const)('%s', async (name, change) => {
  const before = await ofCluster();
  const found = (await illAfter(change)).filter((line) => !before.includes(line));
  const own = found.filter((line) => line.startsWith(`${name} `));
  expect(own.length === 1 || before.some((line) => line.startsWith(`${name} `))).toBe(true);
});

test('every check has a name of its own, and says what to do', () => {
  const names = DATABASE_CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { reason, remedy } of DATABASE_CHECKS) expect(`${reason('it')} ${remedy}`).not.toContain('undefined');
});
