// A database that can be read and not written: noticed by the first refused write, and over with the first that works.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from './db.ts';
import { createWriteWatch } from './write-watch.ts';

let db: Db;
let url: string;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, url, drop } = await openTestDatabase(1));
});
afterAll(() => drop());

/** As a managed database is set before its disk is full, for the connections that follow. */
async function makeReadOnly(value: 'on' | 'off') {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database ${rows[0].name} set default_transaction_read_only = ${value}`);
  await client.end();
}

test('tries a write only after one was refused, and not each time that a balancer asks', async () => {
  let now = 0;
  let tried = 0;
  db.on('acquire', () => void (tried += 1));
  const watch = createWriteWatch(db, () => now);
  await db.query('create temporary table written (n integer)');
  expect([await watch.takesWrites(), tried]).toEqual([true, 1]);
  await makeReadOnly('on');
  await db.query('set default_transaction_read_only = on');
  await expect(db.query('create table refused (n integer)')).rejects.toMatchObject({ code: '25006' });
  expect([await watch.takesWrites(), tried]).toEqual([false, 4]);
  now = 1000;
  expect([await watch.takesWrites(), tried]).toEqual([false, 4]);
  await makeReadOnly('off');
  now = 3000;
  expect([await watch.takesWrites(), await watch.probe()]).toEqual([true, true]);
});
