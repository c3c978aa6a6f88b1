// The listening connection: hears notifications, comes back by itself, and stops when told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { waitUntil } from '#testing/pay.ts';
import type { Db } from './db.ts';
import { listenFor } from './listen.ts';
import { createLog } from '#server/platform/log.ts';

let url: string;
let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ url, db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

const listeners = async () =>
  (
    await db.query(
      `select from pg_stat_activity where application_name = 'refill-listen' and datname = current_database()`,
    )
  ).rowCount;

test('hears, reconnects after its connection was ended, and is gone after stop', async () => {
  let heard = 0;
  let second = 0;
  const ear = await listenFor(
    url,
    { test_channel: () => (heard += 1), second_channel: () => (second += 1) },
    createLog('silent'),
  );
  await db.query('notify test_channel');
  await waitUntil('a notification', () => heard === 1);
  await db.query('notify another_channel');
  await db.query('notify second_channel');
  await waitUntil('a notification on the second channel', () => second === 1);
  expect(heard).toBe(1);
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'refill-listen' and datname = current_database()`,
  );
  await waitUntil('the end', async () => (await listeners()) === 0);
  await waitUntil('the new connection', async () => (await listeners()) === 1);
  await waitUntil('a notification again', async () => {
    await db.query('notify test_channel');
    return heard > 1;
  });
  expect(await listeners()).toBe(1);
  await ear.stop();
  await waitUntil('the end', async () => (await listeners()) === 0);
});

test('a database that is not there is no error, and stop ends the tries', async () => {
  let warned = 0;
  const log = createLog('warn', { write: () => void (warned += 1) });
  const ear = await listenFor('postgres://x@127.0.0.1:1/x', { c: () => undefined }, log);
  expect(warned).toBeGreaterThan(0);
  await ear.stop();
  const before = warned;
  await new Promise((resolve) => setTimeout(resolve, 2300));
  expect(warned).toBe(before);
});
