import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { readNewestBackup, recordBackup } from './backup-record.ts';
import type { Db } from './db.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(1));
});
afterAll(() => drop());

test('tells the newest backup and its age, whatever is written down after it', async () => {
  expect(await readNewestBackup(db)).toBeNull();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await recordBackup(db, { takenAt: hoursAgo(30), kind: 'dump', bytes: 7 });
  const newest = { takenAt: hoursAgo(2), kind: 'base', bytes: 5_000_000_000 } as const;
  await recordBackup(db, newest);
  await recordBackup(db, { takenAt: hoursAgo(5), kind: 'dump', bytes: 9 });
  const found = await readNewestBackup(db);
  expect(found).toMatchObject(newest);
  expect(Math.abs((found?.ageSeconds ?? 0) - 7200)).toBeLessThan(60);
});
