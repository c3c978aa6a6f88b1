// Compares what a provider says it moved on a day with what our books say, line by line. It books nothing:
// differences are for a person. What the provider kept is noted, for the report of fees.
import { readAttemptRef } from '#kernel/ids.ts';
import { DAY_MS } from '#kernel/time.ts';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import { readSpan } from '#server/modules/orders/operator/days-store.ts';
import {
  type LoadedLine,
  type SettlementRow,
  type SettlementTotal,
  addSettlementLines,
  createSettlementTable,
  keepFees,
  listDifferences,
  readTotals,
  resolveLines,
} from './reconcile-store.ts';

export type Reconciliation = {
  /** Lines of the file that move money, whatever their day. */
  readonly lines: number;
  /** Payments, refunds and chargebacks of ours whose fee the file says. */
  readonly fees: number;
  readonly from: Date;
  readonly to: Date;
  readonly totals: readonly SettlementTotal[];
  readonly differences: readonly SettlementRow[];
  /** Equal in all but the side of midnight they fell on: told, but no difference. */
  readonly otherDay: readonly SettlementRow[];
  readonly unreadable: readonly { line: number; reason: string }[];
};

/** Our choice: large enough that round trips do not count, small enough to be nothing in memory. */
const BATCH = 1000;
/** Our choice: after so many the file is of another kind, and a list of them helps nobody. */
const MAX_UNREADABLE = 1000;

/**
 * @param input.date `YYYY-MM-DD` in `zone` (IANA name)
 * @param onProgress hears how many lines were read so far
 * @throws what reading the file throws
 */
export async function reconcileSettlement(
  db: Db,
  input: { provider: string; date: string; zone: string; lines: AsyncIterable<SettlementLine> },
  onProgress: (lines: number) => void = () => undefined,
): Promise<Reconciliation> {
  return onOwnConnection(db, async (client) => {
    await createSettlementTable(client);
    const nextDay = new Date(Date.parse(`${input.date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
    const { from, to } = await readSpan(client, { since: input.date, until: nextDay, zone: input.zone });
    const unreadable: { line: number; reason: string }[] = [];
    let batch: LoadedLine[] = [];
    let count = 0;
    const flush = async () => {
      if (batch.length > 0) await addSettlementLines(client, batch);
      batch = [];
      onProgress(count);
    };
    for await (const line of input.lines) {
      if (line.kind === 'unreadable') {
        unreadable.push({ line: line.line, reason: line.reason });
        if (unreadable.length > MAX_UNREADABLE) throw new Error(`More than ${MAX_UNREADABLE} lines cannot be read.`);
        continue;
      }
      count += 1;
      batch.push(toLoadedLine(line));
      if (batch.length >= BATCH) await flush();
    }
    await flush();
    await resolveLines(client, input.provider);
    const fees = await keepFees(client, input.provider);
    const rows = await listDifferences(client, input.provider, from, to);
    return {
      lines: count,
      fees,
      from,
      to,
      totals: await readTotals(client, input.provider, from, to),
      differences: rows.filter((row) => row.kind !== 'other_day'),
      otherDay: rows.filter((row) => row.kind === 'other_day'),
      unreadable,
    };
  });
}

function toLoadedLine(line: Extract<SettlementLine, { kind: 'money' }>): LoadedLine {
  const named = line.reference === null ? null : readAttemptRef(line.reference);
  return {
    line: line.line,
    movement: line.movement,
    billing_no: named?.billingNo ?? null,
    attempt_no: named?.attemptNo ?? null,
    reference: line.reference ?? line.captureRef,
    capture_ref: line.captureRef,
    amount_minor: line.amount.amountMinor,
    currency: line.amount.currency,
    fee_minor: line.fee?.amountMinor ?? null,
    fee_currency: line.fee?.currency ?? null,
    at: new Date(line.at).toISOString(),
  };
}

/**
 * A connection that is thrown away, with the tables that were made on it: no transaction
 * stays open while a file is read.
 */
export async function onOwnConnection<Result>(db: Db, work: (client: Queryable) => Promise<Result>): Promise<Result> {
  const client = await db.connect();
  try {
    return await work(client);
  } finally {
    client.release(true);
  }
}
