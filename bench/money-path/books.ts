// Reads the orders of a bench from the database and the game: delays by the database's clock, and whether everything
// adds up.
import { type Db, query } from '#server/platform/database/db.ts';
import type { Simulators } from '#simulators/start.ts';

/** Milliseconds by the database's clock; both ends are the beginnings of transactions. */
export type Delays = { readonly callbackMs: number[]; readonly paidMs: number[] };

/** Delays until delivered: from the first callback stored for the order, and from when it was booked as paid. */
export async function readDelays(db: Db, billingNos: readonly string[]): Promise<Delays> {
  const rows = await query<{ callback_ms: number; paid_ms: number }>(
    db,
    'bench_delays',
    `select extract(epoch from o.delivered_at - i.received_at)::float8 * 1000 as callback_ms,
     extract(epoch from o.delivered_at - o.paid_at)::float8 * 1000 as paid_ms
     from orders o join (select billing_no, min(received_at) as received_at from callback_inbox
       where billing_no = any($1) group by billing_no) i using (billing_no)
     where o.billing_no = any($1)`,
    [billingNos],
  );
  if (rows.length !== billingNos.length)
    throw new Error(`${billingNos.length} orders were driven, ${rows.length} have a callback`);
  return { callbackMs: rows.map((row) => row.callback_ms), paidMs: rows.map((row) => row.paid_ms) };
}

/** Sentences of what does not add up; empty when all is right. @param driven numbers of all orders that were paid */
export async function findFaults(
  db: Db,
  simulators: Pick<Simulators, 'url'>,
  driven: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  const delivered = await query<{ billing_no: string }>(
    db,
    'bench_all_delivered',
    "select billing_no from orders where state = 'delivered'",
  );
  const answer = await fetch(`${simulators.url}/control/game/applied`);
  const { keys } = (await answer.json()) as { keys: string[] };
  const sets = {
    driven: new Set(driven),
    delivered: new Set(delivered.map((row) => row.billing_no)),
    game: new Set(keys),
  };
  if (sets.driven.size !== driven.length) faults.push('an order number was given twice');
  if (sets.game.size !== keys.length) faults.push('the game holds a key twice');
  for (const name of ['delivered', 'game'] as const) {
    if (sets.driven.symmetricDifference(sets[name]).size > 0)
      faults.push(`${sets.driven.size} orders were driven to the end, ${name}: ${sets[name].size}`);
  }
  const [ledger] = await query<{ total: number; rows: number; odd: number }>(
    db,
    'bench_ledger',
    `select coalesce(sum(total), 0)::bigint as total, coalesce(sum(rows), 0)::bigint as rows,
       count(*) filter (where total <> 0 or rows <> 4) as odd
     from (select sum(amount_minor) as total, count(*) as rows from ledger_entry
       group by player_id, billing_no, currency) each`,
  );
  if (!ledger || ledger.total !== 0 || ledger.odd !== 0 || ledger.rows !== 4 * sets.driven.size)
    faults.push(`the ledger of ${sets.driven.size} orders: ${JSON.stringify(ledger)}`);
  return faults;
}
