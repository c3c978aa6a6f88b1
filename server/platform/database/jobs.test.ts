// Background jobs on the real queue: one identity is one job, also inside a transaction, and a failed one runs again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { waitUntil } from '#testing/pay.ts';
import { type Db, openDb, transaction } from './db.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { createLog } from '#server/platform/log.ts';

let db: Db;
let jobs: Jobs;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = openDb(database.url, { max: 4, onError: () => undefined });
  jobs = await startJobs({
    databaseUrl: database.url,
    log: createLog('silent'),
    queues: ['quiet', 'busy'],
    isWorker: true,
  });
  close = async () => {
    await jobs.stop();
    await db.end();
    await database.drop();
  };
});
afterAll(() => close());

const waiting = async () =>
  (await db.query(`select data from pgboss.job where name = 'quiet' order by (data ->> 'n')::integer`)).rows.map(
    ({ data }) => data as object,
  );

test('the same identity twice is one job, and does not break the transaction it is sent in', async () => {
  await jobs.send(null, 'quiet', 'one', { n: 1 });
  await transaction(db, async (client) => {
    await jobs.send(client, 'quiet', 'one', { n: 2 });
    await jobs.send(client, 'quiet', 'two', { n: 3 });
    await client.query('create table kept (id integer)');
  });
  expect(await waiting()).toEqual([{ n: 1 }, { n: 3 }]);
  expect((await db.query(`select to_regclass('kept') as found`)).rows).toEqual([{ found: 'kept' }]);
});

test('a job sent in a transaction that fails was never sent', async () => {
  const before = (await waiting()).length;
  await transaction(db, async (client) => {
    await jobs.send(client, 'quiet', 'three', { n: 4 });
    throw new Error('no');
  }).catch(() => undefined);
  expect(await waiting()).toHaveLength(before);
});

test('a queue nobody named is refused', async () => {
  await expect(jobs.send(null, 'nobody', 'x', {})).rejects.toThrow('nobody');
});

test('work is done once; one that throws is kept to run again, and its neighbours are done', async () => {
  const done: number[] = [];
  await jobs.work<{ n: number }>('busy', async ({ n }) => {
    if (n === 2) throw new Error('not now');
    done.push(n);
  });
  for (const n of [1, 2, 3]) await jobs.send(null, 'busy', `n${n}`, { n });
  await waitUntil('the work', () => done.length === 2);
  const stateOf = async () =>
    (
      await db.query<{ n: number; state: string }>(
        `select (data ->> 'n')::integer as n, state from pgboss.job where name = 'busy' order by 1`,
      )
    ).rows;
  await waitUntil('the states', async () =>
    (await stateOf()).every(({ state }) => state === 'completed' || state === 'retry'),
  );
  expect(await stateOf()).toEqual([{ n: 1, state: 'completed' }, { n: 2, state: 'retry' }, { n: 3, state: 'completed' }]); // prettier-ignore
  expect(done.toSorted()).toEqual([1, 3]);
});
