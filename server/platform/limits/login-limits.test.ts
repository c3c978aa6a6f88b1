// The waits of an account as the database keeps them: whoever asks next is refused by these and nothing else.
import { expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { createLoginLimits } from './login-limits.ts';

/** Seconds an account has to wait after its n-th failure in a row. */
const WAITS: Readonly<Record<number, number>> = { 1: 0, 5: 0, 6: 1, 7: 2, 8: 4, 9: 8, 15: 512, 16: 900, 40: 900 };

test('failures are free at first, then cost twice as much each time, never more than 15 minutes', async () => {
  const { db, drop } = await openTestDatabase(2);
  try {
    const limits = createLoginLimits(db, 1000);
    const ask = () => limits.ask('192.0.2.7', 'watt/kestrel');
    const readClock = async () =>
      (await db.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 as at')).rows[0]?.at ?? 0;
    for (let n = 1; n <= 40; n += 1) {
      const before = await readClock();
      expect(await ask()).toMatchObject({ isAllowed: true });
      const { rows } = await db.query<{ until: number; failures: number }>(
        'select failures, extract(epoch from blocked_until)::float8 as until from login_guard',
      );
      const wait = WAITS[n];
      if (wait !== undefined) {
        expect(rows).toEqual([{ failures: n, until: expect.any(Number) }]);
        // As long as the clock of the database went on meanwhile.
        expect(rows[0]?.until).toBeGreaterThanOrEqual(before + wait);
        expect(rows[0]?.until).toBeLessThanOrEqual((await readClock()) + wait);
      }
      // Shorter waits may be over on a busy machine.
      if (wait === 900) expect(await ask()).toMatchObject({ isAllowed: false, waitSeconds: expect.closeTo(900, -2) });
      await db.query('update login_guard set blocked_until = clock_timestamp()');
    }
  } finally {
    await drop();
  }
});
