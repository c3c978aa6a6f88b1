import { expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
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
