import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import type { Queryable } from './db.ts';
import { keepProcessRecord, listRunningProcesses } from './process-record.ts';

test('a process is counted while it runs, and when it dies without a word until its row is old', async () => {
  const { db, drop } = await openTestDatabase(2);
  const warned: unknown[] = [];
  const log = { warn: (...line: unknown[]) => warned.push(line) } as unknown as Parameters<typeof keepProcessRecord>[2];
  try {
    const web = await keepProcessRecord(db, { role: 'web', connections: 12 }, log);
    await keepProcessRecord(db, { role: 'worker', connections: 13 }, log);
    const both = [
      { role: 'web', connections: 12 },
      { role: 'worker', connections: 13 },
    ];
    expect(await listRunningProcesses(db)).toEqual(both);
    await web.stop();
    expect(await listRunningProcesses(db)).toEqual(both.slice(1));
    await db.query(`update running_process set seen_at = now() - interval '2 minutes'`);
    expect(await listRunningProcesses(db)).toEqual([]);
    expect(warned).toEqual([]);
  } finally {
    await drop();
  }
});

test('a process that ends while it renews its record is not counted again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, drop } = await openTestDatabase(2);
  onTestFinished(drop);
  let wait: Promise<void> = Promise.resolve();
  const asked: Promise<unknown>[] = [];
  const query = (statement: string) => {
    const answer = wait.then(() => db.query(statement));
    asked.push(answer);
    return answer;
  };
  const log = { warn: (about: unknown) => expect.unreachable(JSON.stringify(about)) } as never;
  const record = await keepProcessRecord({ query } as Queryable, { role: 'web', connections: 12 }, log);
  let letGo = () => {};
  wait = new Promise((resolve) => (letGo = resolve));
  vi.advanceTimersByTime(30_000);
  expect(asked).toHaveLength(2);
  wait = Promise.resolve();
  const stopping = record.stop();
  // Time for the end of the record to overtake.
  await setTimeout(50);
  letGo();
  await stopping;
  await Promise.all(asked);
  expect(await listRunningProcesses(db)).toEqual([]);
});
