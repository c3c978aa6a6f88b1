// The time of this process is the database's: what is signed, asked and compared here must fit the
// times in the rows, and a machine
// whose clock is wrong must not have its grants refused by every game. Between two looks a
// clock that cannot jump counts on.
import type { Db } from './db.ts';
import { query } from './db.ts';
import type { Log } from '#server/platform/log.ts';

export type DatabaseClock = {
  /** Epoch milliseconds. */
  now(): number;
  stop(): void;
};

/**
 * Our choice: a clock that was set anew is followed within it. Until then games refuse every call, for the times in it
 * are not theirs.
 */
const LOOK_MS = 2000;
/** Our choice: an answer that took longer says too little about when it was true. */
const PROMPT_MS = 1000;
/** Our choice: far less than any signature allows (games: 300 s), far more than a network makes of it. */
const WRONG_MS = 5000;

/** Looks once before it resolves. Throws when the database does not answer. */
export async function openDatabaseClock(db: Db, log: Log): Promise<DatabaseClock> {
  /** Database time minus the monotonic clock of this process, milliseconds. */
  let base = Number.NaN;
  let isWrong = false;

  async function look(): Promise<void> {
    const asked = performance.now();
    const [row] = await query<{ at: number }>(
      db,
      'platform_clock',
      'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
    );
    const took = performance.now() - asked;
    if (!row || (took > PROMPT_MS && !Number.isNaN(base))) return;
    base = row.at - asked - took / 2;
    const beside = Date.now() - (performance.now() + base);
    const wasWrong = isWrong;
    isWrong = Math.abs(beside) > WRONG_MS + took;
    // Once, until it is right again: one of the two needs a person.
    if (isWrong && !wasWrong)
      log.error(
        { alert: 'clock', beside_seconds: Math.round(beside / 1000) },
        'the clocks of this machine and of the database differ; the one of the database counts',
      );
  }

  await look();
  const timer = setInterval(
    () =>
      void look().catch((error: unknown) => log.warn({ err: error }, 'the time of the database could not be asked')),
    LOOK_MS,
  );
  timer.unref();
  return { now: () => Math.round(performance.now() + base), stop: () => clearInterval(timer) };
}
