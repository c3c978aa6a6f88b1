// SQL of the lease under which the money of an attempt is taken: one process at a time, for as long as the provider may
// take to answer.
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { AttemptRow } from './attempt-store.ts';

type Key = Pick<AttemptRow, 'player_id' | 'billing_no' | 'attempt_no'>;

/** Proof of a lease: only its owner can give it back. In whole milliseconds, so that it comes back as it went. */
export type CaptureLease = { readonly until: Date };

/**
 * Leases the attempt for `seconds`: until then nobody else captures, and nobody asks. It ends by itself when its
 * process dies.
 * @returns null when another process has it, or the attempt is closed
 */
export async function leaseCapture(
  db: Queryable,
  { player_id, billing_no, attempt_no }: Key,
  seconds: number,
): Promise<CaptureLease | null> {
  const [lease] = await query<CaptureLease>(
    db,
    'attempt_lease_capture',
    `update payment_attempt set capture_lease_until = date_trunc('milliseconds', now()) + make_interval(secs => $4)
     where player_id = $1 and billing_no = $2 and attempt_no = $3 and is_open
       and (capture_lease_until is null or capture_lease_until <= now())
     returning capture_lease_until as until`,
    [player_id, billing_no, attempt_no, seconds],
  );
  return lease ?? null;
}

/** Gives the lease back: the money was not taken. A lease that ran out and is another's by now stays. */
export async function releaseCapture(
  db: Queryable,
  { player_id, billing_no, attempt_no }: Key,
  lease: CaptureLease,
): Promise<void> {
  await query(
    db,
    'attempt_release_capture',
    `update payment_attempt set capture_lease_until = null
     where player_id = $1 and billing_no = $2 and attempt_no = $3 and capture_lease_until = $4::timestamptz`,
    [player_id, billing_no, attempt_no, lease.until],
  );
}
