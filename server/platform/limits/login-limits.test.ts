// The waits of an account as the database keeps them: whoever asks next is refused by these and nothing else.
import { expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { createLoginLimits } from './login-limits.ts';

/** The n-th failure in a row, and the seconds an account has to wait after it. */
const WAITS = [
  [1, 0], [5, 0], [6, 1], [7, 2], [8, 4], [9, 8], [15, 512], [16, 900], [40, 900],
] as const; /* a row a line */ // prettier-ignore

test('failures are free at first, then cost twice as much each time, never more than 15 minutes', async () => {
  const { db, drop } = await openTestDatabase(2);
  try {
    const limits = createLoginLimits(db, 1000);
    const ask = () => limits.ask('192.0.2.7', 'watt/kestrel');
    const readClock = async () =>
      (await db.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 as at')).rows[0]?.at ?? 0;
    const found: Record<number, { least: number; most: number }> = {};
    for (let n = 1; n <= 40; n += 1) {
      await db.query('update login_guard set blocked_until = clock_timestamp()');
      const before = await readClock();
      expect(await ask()).toMatchObject({ isAllowed: true });
      const { rows } = await db.query<{ until: number }>(
        'select extract(epoch from blocked_until)::float8 as until from login_guard where failures = $1',
        [n],
      );
      const until = rows[0]?.until ?? Number.NaN;
      // The clock of the database goes on between the two looks.
      found[n] = { least: until - (await readClock()), most: until - before };
    }
    const wrong = WAITS.filter(([n, wait]) => !(found[n] && found[n].least <= wait && wait <= found[n].most));
    expect(wrong.map(([n]) => [n, found[n]])).toEqual([]);
    expect(await ask()).toMatchObject({ isAllowed: false, waitSeconds: expect.closeTo(900, -2) });
  } finally {
    await drop();
  }
});
