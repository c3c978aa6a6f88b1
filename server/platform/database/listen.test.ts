// The listening connection: hears notifications, comes back by itself, and stops when told.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from './db.ts';
import { listenFor } from './listen.ts';
import { createLog } from '#server/platform/log.ts';

/** Waits pass by word of the test. */
function holdWaits(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

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
  holdWaits();
  let notified = 0;
  let second = 0;
  const ear = await listenFor(
    url,
    { test_channel: () => (notified += 1), second_channel: () => (second += 1) },
    createLog('silent'),
  );
  await db.query('notify test_channel');
  await expect.poll(() => notified).toBe(1);
  await db.query('notify another_channel');
  await db.query('notify second_channel');
  await expect.poll(() => second).toBe(1);
  expect(notified).toBe(1);
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'refill-listen' and datname = current_database()`,
  );
  await expect.poll(listeners).toBe(0);
  const tryAgain = () => vi.advanceTimersByTime(2000);
  await expect.poll(() => (tryAgain(), listeners())).toBe(1);
  await expect.poll(async () => (await db.query('notify test_channel'), notified)).toBeGreaterThan(1);
  expect(await listeners()).toBe(1);
  await ear.stop();
  await expect.poll(listeners).toBe(0);
});

test('a database that is not there is no error, is tried again, and stop ends the tries', async () => {
  holdWaits();
  let warned = 0;
  const log = createLog('warn', { write: () => void (warned += 1) });
  const ear = await listenFor('postgres://x@127.0.0.1:1/x', { c: () => undefined }, log);
  expect(warned).toBe(1);
  vi.advanceTimersToNextTimer();
  await expect.poll(() => warned).toBe(2);
  expect(vi.getTimerCount()).toBe(1);
  await ear.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a start does not wait for a connection that is taken and never answered', { timeout: 15_000 }, async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const ear = await listenFor(`postgres://shop@127.0.0.1:${port}/refill`, {}, createLog('silent'));
  await expect(ear.stop()).resolves.toBeUndefined();
});
