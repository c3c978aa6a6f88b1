// Judges the shop after every test: confirmed payments are there, paid goods are delivered once, the books balance,
// every invariant of the database holds.
import { checkChanges, checkInvariants } from '#server/modules/invariants/service.ts';
import { query } from '#server/platform/database/db.ts';
import type { ChaosShop } from './shop.ts';

export type Verdict = {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Invariants that do not hold, "I6 (2)". */
  readonly breaches: readonly string[];
};

type Goods = { keys: string[]; repeated: number };

/** Keys that the games have applied, and calls that they answered from memory. */
export async function readGame(shop: ChaosShop): Promise<Goods> {
  const answer = await shop.simulators.request({ method: 'GET', path: '/control/game/applied' });
  return (await answer.body.json()) as Goods;
}

/** @param bought numbers of all orders that were paid */
export async function judge(shop: ChaosShop, bought: readonly string[]): Promise<Verdict> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const orders = await query<{ billing_no: string; state: string; rows: number; total: number; paid: number }>(
    shop.db,
    'chaos_orders',
    `select o.billing_no, o.state, count(l.billing_no)::integer as rows,
       coalesce(sum(l.amount_minor), 0)::bigint as total,
       (select count(*)::integer from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
         and a.state in ('succeeded', 'overpayment')) as paid
     from orders o left join ledger_entry l on l.player_id = o.player_id and l.billing_no = o.billing_no
     group by o.player_id, o.billing_no, o.state`,
  );
  const known = new Map(orders.map((order) => [order.billing_no, order]));
  const { keys } = await readGame(shop);
  const applied = new Set(keys);
  if (applied.size !== keys.length) doubled.push('the game holds a key twice');
  if (new Set(bought).size !== bought.length) doubled.push('one number was given to two orders');
  for (const billingNo of bought) {
    const order = known.get(billingNo);
    if (!order) lost.push(`${billingNo} is not in the database`);
    else if (order.state !== 'delivered') lost.push(`${billingNo} is ${order.state}`);
    else if (order.rows !== 4 || order.total !== 0)
      doubled.push(`${billingNo} has ${order.rows} ledger entries that sum to ${order.total}`);
    if (!applied.has(billingNo)) lost.push(`${billingNo} never reached the game`);
    if ((order?.paid ?? 0) > 1) doubled.push(`${billingNo} was paid twice`);
  }
  const wanted = new Set(bought);
  for (const key of applied) if (!wanted.has(key)) doubled.push(`${key} has goods that nobody bought`);
  const [half] = await query<{ orders: number }>(
    shop.db,
    'chaos_half_orders',
    `with half as materialized (
       select o.billing_no from orders o
       where not exists (select from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no)
     ), nowhere as materialized (select billing_no from orders except select billing_no from order_lookup)
     select ((select count(*) from half) + (select count(*) from nowhere))::integer as orders`,
  );
  if (half?.orders) lost.push(`${half.orders} orders are only half there`);
  const { results: changed } = await checkChanges(shop.db);
  const broken = [...changed, ...(await checkInvariants(shop.db))].filter((one) => one.breaches > 0);
  const breaches = [...new Set(broken.map((one) => `${one.invariant} (${one.breaches})`))];
  return { lost, doubled, breaches };
}

/** The longest time between paid and delivered, seconds, by the database's clock. */
export async function readLongestWait(shop: ChaosShop): Promise<number> {
  const [row] = await query<{ seconds: number | null }>(
    shop.db,
    'chaos_longest_wait',
    'select extract(epoch from max(delivered_at - paid_at))::float8 as seconds from orders',
  );
  return row?.seconds ?? 0;
}
