import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { openDatabaseClock } from './clock.ts';
import type { Db } from './db.ts';
import { createLog } from '#server/platform/log.ts';

const HOUR = 3_600_000;
let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(1));
});
afterAll(() => drop());

async function openAt(besideMs: number) {
  const lines: string[] = [];
  const truth = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => truth + besideMs);
  const clock = await openDatabaseClock(db, createLog('info', { write: (line) => lines.push(line) }));
  return { clock, truth, alerts: lines.filter((line) => line.includes('"alert":"clock"')) };
}

test('a machine that is an hour behind has the time of the database, and says so', async () => {
  const { clock, truth, alerts } = await openAt(-HOUR);
  expect(Math.abs(clock.now() - truth)).toBeLessThan(2000);
  expect(alerts).toHaveLength(1);
  expect(alerts[0]).toMatch(/"beside_seconds":-3(?:600|599|601)/);
  clock.stop();
});

test('a clock that jumps later is not followed', async () => {
  const { clock, truth, alerts } = await openAt(0);
  vi.spyOn(Date, 'now').mockImplementation(() => truth + HOUR);
  expect(Math.abs(clock.now() - truth)).toBeLessThan(2000);
  expect(alerts).toEqual([]);
  clock.stop();
});

test('a database whose clock is set anew is followed within seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let at = 1_000_000;
  const answering = { query: async () => ({ rows: [{ at }] }) } as unknown as Db;
  const clock = await openDatabaseClock(answering, createLog('silent'));
  at += 2 * HOUR;
  await vi.advanceTimersByTimeAsync(3000);
  expect(Math.abs(clock.now() - at)).toBeLessThan(1000);
  clock.stop();
});
