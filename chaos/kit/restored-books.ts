// The books of a shop whose backup was brought back, against those of its providers and games.
import { query } from '#server/platform/database/db.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { readKeptMoney } from './provider-payments.ts';
import type { ChaosShop } from './shop.ts';
import type { Tender } from './tenders.ts';
import { readGame, type Verdict } from './verdict.ts';

export type Bought = { readonly billingNo: string; readonly tender: Tender };

type OrderRow = { billing_no: string; state: string; total: number; outside: number; paid: number; deliveries: number };

/** Each order once, and its money as the providers have it; its goods as the games have them. */
export async function judgeBooks(shop: ChaosShop, bought: readonly Bought[]): Promise<Verdict> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const rows = await query<OrderRow>(
    shop.db,
    'chaos_books',
    `select o.billing_no, o.state,
       (select coalesce(sum(l.amount_minor), 0)::bigint from ledger_entry l
         where l.player_id = o.player_id and l.billing_no = o.billing_no) as total,
       (select coalesce(sum(l.amount_minor), 0)::bigint
         from ledger_entry l join payment_attempt a using (player_id, billing_no, attempt_no)
         where l.player_id = o.player_id and l.billing_no = o.billing_no and l.account = 'provider_receivable'
           and a.provider not in ('card', 'wallet')) as outside,
       (select count(*)::integer from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
         and a.state in ('succeeded', 'overpayment')) as paid,
       (select count(*)::integer from delivery d where d.player_id = o.player_id and d.billing_no = o.billing_no
         and d.state = 'done') as deliveries
     from orders o`,
  );
  const known = new Map(rows.map((row) => [row.billing_no, row]));
  const { keys } = await readGame(shop);
  const { unblockedBy } = await readUnblocked(shop);
  const kept = await readKeptMoney(shop);
  if (new Set(keys).size !== keys.length) doubled.push('a game holds a key twice');
  for (const { billingNo, tender } of bought) {
    const row = known.get(billingNo);
    if (row?.state !== 'delivered' || row.deliveries !== 1 || row.paid !== 1)
      lost.push(`${billingNo} (${tender}) is ${row?.state ?? 'nowhere'}, paid ${row?.paid ?? 0} times`);
    if (tender !== 'replenish' && !keys.includes(billingNo)) lost.push(`${billingNo} never reached the game`);
    if (row && row.total !== 0) doubled.push(`${billingNo} has ledger entries that sum to ${row.total}`);
    if (row && row.outside !== (kept.get(billingNo) ?? 0))
      doubled.push(`${billingNo} (${tender}): the books have ${row.outside}, the provider ${kept.get(billingNo) ?? 0}`);
  }
  const wanted = new Set(bought.map((one) => one.billingNo));
  for (const key of keys)
    if (!wanted.has(key) && !key.startsWith('RW-')) doubled.push(`${key} has goods that nobody bought`);
  for (const key of known.keys()) if (!wanted.has(key)) doubled.push(`${key} is in the books, and nobody bought it`);
  const unblocks = bought.filter((one) => one.tender === 'replenish').length;
  if (unblockedBy.length !== unblocks) lost.push(`${unblockedBy.length} of ${unblocks} accounts are unblocked`);
  const invariants = await checkInvariants(shop.db);
  const breaches = invariants.filter((one) => one.breaches > 0).map((one) => `${one.invariant} (${one.breaches})`);
  return { lost, doubled, breaches };
}

async function readUnblocked(shop: ChaosShop): Promise<{ unblockedBy: string[] }> {
  const answer = await shop.simulators.request({ method: 'GET', path: '/control/game/blocks?game=starlane' });
  return (await answer.body.json()) as { unblockedBy: string[] };
}
