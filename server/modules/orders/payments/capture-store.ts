// SQL of the right to take the money of an attempt: one process at a time, for as long as the provider may take to answer.
import type { Queryable } from '#server/platform/database/db.ts';
import { query } from '#server/platform/database/db.ts';
import type { AttemptRow } from './attempt-store.ts';

type Key = Pick<AttemptRow, 'player_id' | 'billing_no' | 'attempt_no'>;

/**
 * Takes the right for `seconds`, by moving the last question into the future: until then nobody asks either. It ends by itself, so a process that dies
 * keeps nobody out for longer. False: somebody else has it.
 */
export async function holdCapture(
  db: Queryable,
  { player_id, billing_no, attempt_no }: Key,
  seconds: number,
): Promise<boolean> {
  const rows = await query(
    db,
    'attempt_hold_capture',
    `update payment_attempt set queried_at = now() + make_interval(secs => $4)
     where player_id = $1 and billing_no = $2 and attempt_no = $3 and is_open and (queried_at is null or queried_at <= now()) returning 1`,
    [player_id, billing_no, attempt_no, seconds],
  );
  return rows.length > 0;
}

/** Gives the right back: the money was not taken, and the next one may ask in its turn. */
export async function releaseCapture(db: Queryable, { player_id, billing_no, attempt_no }: Key): Promise<void> {
  await query(
    db,
    'attempt_release_capture',
    'update payment_attempt set queried_at = now() where player_id = $1 and billing_no = $2 and attempt_no = $3 and queried_at > now()',
    [player_id, billing_no, attempt_no],
  );
}
