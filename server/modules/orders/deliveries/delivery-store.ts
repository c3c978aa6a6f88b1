// SQL of the delivery table, which is its own queue.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { type Step, runStep } from '#server/modules/orders/steps/step-store.ts';
import type { LeasedDelivery } from '#server/modules/orders/payments/report-store.ts';

export type DeliveryResult = {
  player_id: PlayerId;
  billing_no: BillingNo;
  tries: number;
  kind: 'done' | 'declined' | 'unknown';
  receipt_id: string | null;
  reason: string | null;
  /** Null with kind unknown: given up, for a person to look at. */
  retry_in_seconds: number | null;
  /** The game's policy after it declined for certain, by its file. */
  on_declined: 'refund' | 'review';
};

/** Leases due deliveries for `leaseSeconds`; committed before the game is called. */
export function leaseDeliveries(
  db: Queryable,
  limit: number,
  leaseSeconds: number,
  busyGames: readonly string[],
): Promise<LeasedDelivery[]> {
  return query(
    db,
    'lease_deliveries',
    `select d.*, recovery_facts(d.player_id, d.billing_no) as facts
     from lease_deliveries($1, make_interval(secs => $2), $3) d`,
    [limit, leaseSeconds, busyGames],
  );
}

export function recordDeliveryResultsStep(results: readonly DeliveryResult[]): Step<number> {
  // Orders are written in this order, the same as in transactions that steps share.
  const sorted = results.toSorted((a, b) => (a.billing_no < b.billing_no ? -1 : 1));
  return { name: 'record_delivery_results', values: { results: sorted }, owner: '' };
}

/** One result by itself, in a transaction that touches nobody else's rows. */
export const recordDeliveryStep = ({ player_id, billing_no, ...result }: DeliveryResult): Step<number> => ({
  name: 'record_delivery',
  values: { player_id, billing_no, result },
  owner: player_id,
});

/** Writes a batch in one statement; answers how many orders became delivered. */
export const recordDeliveryResults = (db: Queryable, results: readonly DeliveryResult[]): Promise<number> =>
  runStep(db, recordDeliveryResultsStep(results));
