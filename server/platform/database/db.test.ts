// The pool, transactions, and telling "the database is away" from a bug.
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { type Db, isDatabaseDown, openDb, preview, query, toJsonb, transaction } from './db.ts';

let url: string;
let db: Db;
let drop: () => Promise<void>;
const broken: Error[] = [];
beforeAll(async () => {
  const database = await createTestDatabase();
  url = database.url;
  db = openDb(url, { max: 2, onError: (error) => void broken.push(error) });
  await db.query('create table note (id integer primary key, body jsonb)');
  drop = async () => {
    await db.end();
    await database.drop();
  };
});
afterAll(() => drop());

const count = async () => (await db.query('select from note')).rowCount;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a database that is silent is given up in time, and its connection with it', async () => {
  const impatient = openDb(url, { max: 1, onError: () => undefined, answerMs: 200 });
  try {
    const began = performance.now();
    const failures = [
      await failureOf(query(impatient, 'silent', 'select pg_sleep(9)')),
      await failureOf(transaction(impatient, (client) => client.query('select pg_sleep(9)'))),
    ];
    // Neither was waited for; the bound is for machines of any speed.
    expect(performance.now() - began).toBeLessThan(9000);
    for (const failure of failures) expect(isDatabaseDown(failure)).toBe(true);
    expect((await impatient.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await query(impatient, 'patient', 'select 1 as one from pg_sleep(0.4)', [], 2000)).toEqual([{ one: 1 }]);
  } finally {
    await impatient.end();
  }
});

test('connections that are kept outlive the work; others are closed after a while', async () => {
  const idle = (isKept: boolean) => openDb(url, { max: 2, onError: () => undefined, isKept });
  const [kept, others] = [idle(true), idle(false)];
  try {
    for (const pool of [kept, others]) await Promise.all([pool.query('select 1'), pool.query('select 1')]);
    // A pool waits half a minute before it closes one: by what it was told, a test need not.
    expect([kept.options.min, kept.options.keepAlive, others.options.min]).toEqual([2, true, 0]);
    expect([kept.idleCount, others.idleCount]).toEqual([2, 2]);
  } finally {
    await Promise.all([kept.end(), others.end()]);
  }
});

test('a transaction is all or nothing, and a failed one gives its connection back', async () => {
  await transaction(db, (client) => client.query('insert into note values (1)'));
  expect(await count()).toBe(1);
  for (let n = 0; n < 5; n += 1) {
    const failure = await failureOf(
      transaction(db, async (client) => {
        await client.query('insert into note values (2)');
        throw new Error('stop');
      }),
    );
    expect(failure).toMatchObject({ message: 'stop' });
  }
  expect(await count()).toBe(1);
  expect(db.totalCount).toBeLessThanOrEqual(2);
});

test('a preview answers what would happen, and keeps nothing of it', async () => {
  const before = await count();
  const seen = await preview(db, async (client) => {
    await client.query('insert into note values (3)');
    return (await client.query('select from note')).rowCount;
  });
  expect([seen, await count()]).toEqual([(before ?? 0) + 1, before]);
  const failing = preview(db, async () => {
    throw new Error('stop');
  });
  expect(await failureOf(failing)).toMatchObject({ message: 'stop' });
});

test('bigint is a number as long as it is exact', async () => {
  expect(await query(db, 'test_big', `select 9007199254740991::bigint as n`)).toEqual([{ n: Number.MAX_SAFE_INTEGER }]);
  expect(await failureOf(query(db, 'test_bigger', `select 9007199254740992::bigint as n`))).toBeInstanceOf(RangeError);
});

test('jsonb takes any text that JavaScript can hold', async () => {
  const value = { a: 'x\0y', b: ['\ud83d', '😀'], c: { d: 1, e: null } };
  await db.query('insert into note values (10, $1::jsonb)', [toJsonb(value)]);
  const { rows } = await db.query('select body from note where id = 10');
  expect(rows).toEqual([{ body: { a: 'xy', b: ['\ufffd', '😀'], c: { d: 1, e: null } } }]);
});

test('away: nobody listens, somebody hangs up, no answer in time, a connection is ended, the server is read-only or full', async () => {
  const away = openDb('postgres://x@127.0.0.1:1/x', { max: 1, onError: () => undefined });
  expect(isDatabaseDown(await failureOf(away.query('select 1')))).toBe(true);
  await away.end();

  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => rude.once('listening', resolve));
  const hungUp = openDb(`postgres://x@127.0.0.1:${(rude.address() as AddressInfo).port}/x`, {
    max: 1,
    onError: () => undefined,
  });
  expect(isDatabaseDown(await failureOf(hungUp.query('select 1')))).toBe(true);
  await hungUp.end();
  rude.close();

  const one = openDb(url, { max: 1, onError: () => undefined });
  const client = await one.connect();
  const waiting = failureOf(one.query('select 1'));
  expect(isDatabaseDown(await waiting)).toBe(true);
  const stuck = failureOf(client.query('select pg_sleep(20)'));
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'select pg_sleep%' and datname = current_database()`,
  );
  const ended = await stuck;
  expect(isDatabaseDown(ended)).toBe(true);
  client.release(ended as Error);
  const reader = await db.connect();
  await reader.query('begin read only');
  expect(isDatabaseDown(await failureOf(reader.query('insert into note values (3)')))).toBe(true);
  await reader.query('rollback');
  reader.release();
  await one.end();
  expect(isDatabaseDown({ code: '53300', message: 'sorry, too many clients already' })).toBe(true);
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ETIMEDOUT'])
    expect(isDatabaseDown(Object.assign(new Error(`getaddrinfo ${code} db.internal`), { code }))).toBe(true);
});

test('a bug is not "away"', async () => {
  expect(isDatabaseDown(await failureOf(db.query('select nonsense')))).toBe(false);
  expect(isDatabaseDown(await failureOf(db.query('insert into note values (1)')))).toBe(false);
  expect(isDatabaseDown(new TypeError('x is not a function'))).toBe(false);
});

test('an idle connection that dies is told and replaced', async () => {
  await db.query('select 1');
  broken.length = 0;
  const other = openDb(url, { max: 1, onError: () => undefined });
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await other.end();
  while (broken.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await db.query('select 1 as yes')).rows).toEqual([{ yes: 1 }]);
});

test('names of statements are told to the database, or to none of its connections', async () => {
  const prepared = async (preparesStatements: boolean) => {
    const pool = openDb(url, { max: 1, onError: () => undefined, preparesStatements });
    try {
      expect(await query(pool, 'named', 'select $1::integer + 1 as next', [1])).toEqual([{ next: 2 }]);
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      return (await pool.query('select name from pg_prepared_statements')).rows;
    } finally {
      await pool.end();
    }
  };
  expect(await prepared(true)).toEqual([{ name: 'named' }]);
  expect(await prepared(false)).toEqual([]);
});
