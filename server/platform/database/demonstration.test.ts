// The mark of a demonstration's database: put on what is empty, never on what somebody else made.
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '#testing/database.ts';
import { claimForDemonstration, isDemonstration } from './demonstration.ts';

/** @param prepare statements that make the database what it is found as */
async function open(prepare: string): Promise<{ url: string; client: pg.Client }> {
  const { drop, url } = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.query(prepare);
  return { url, client };
}

test('an empty database is taken only when that was said, and is its own from then on', async () => {
  const { client, url } = await open('');
  expect(await claimForDemonstration(url, 'none')).toBe('empty');
  expect(await isDemonstration(client)).toBe(false);
  expect(await claimForDemonstration(url, 'empty')).toBe('new');
  expect(await isDemonstration(client)).toBe(true);
  expect(await claimForDemonstration(url, 'none')).toBe('own');
});

test.each([
  ['a table', 'create table order_of_somebody (id int)'],
  ['a table in another schema', 'create schema erp; create table erp.invoice (id int)'],
  ['a view', 'create view one as select 1'],
  ['a function', "create function one() returns int language sql as 'select 1'"],
  ['a sequence', 'create sequence numbers'],
])('a database with %s is somebody else’s and is left alone', async (_what, sql) => {
  const { client, url } = await open(sql);
  expect(await claimForDemonstration(url, 'empty')).toBe('foreign');
  expect(await isDemonstration(client)).toBe(false);
  // The embedded one is ours whatever is in it.
  expect(await claimForDemonstration(url, 'any')).toBe('new');
  expect(await claimForDemonstration(url, 'none')).toBe('own');
});

test('two starts at once make one mark', async () => {
  const { url } = await open('');
  const claims = await Promise.all([claimForDemonstration(url, 'empty'), claimForDemonstration(url, 'empty')]);
  expect(claims.toSorted()).toEqual(['new', 'own']);
});
