// The database and the model side by side: throws with the first order in which they differ.
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { BillingNo } from '#kernel/ids.ts';
import { readBreaches } from '../sim/virtual-time.ts';
import { type Order, countHeld, countPoints } from './model.ts';

type Row = {
  billing_no: string;
  state: string;
  delivery: string | null;
  attempts: string[];
  refunds: (string | null)[];
  books: Record<string, number> | null;
};

const ORDERS = `select o.billing_no, o.state, d.state as delivery,
    array(select a.state from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
      order by a.attempt_no) as attempts,
    array(select r.state from payment_attempt a left join refund r on r.player_id = a.player_id
      and r.billing_no = a.billing_no and r.attempt_no = a.attempt_no
      where a.player_id = o.player_id and a.billing_no = o.billing_no order by a.attempt_no) as refunds,
    (select jsonb_object_agg(account, total) from (select account, sum(amount_minor) as total from ledger_entry l
      where l.player_id = o.player_id and l.billing_no = o.billing_no
      group by account having sum(amount_minor) <> 0) sums) as books
  from orders o left join delivery d on d.player_id = o.player_id and d.billing_no = o.billing_no`;

export async function compare(
  client: pg.Client,
  orders: readonly Order[],
  numbers: readonly BillingNo[],
): Promise<void> {
  const rows = new Map(
    (await client.query<Row>({ name: 'model_orders', text: ORDERS })).rows.map((row) => [row.billing_no, row]),
  );
  for (const [index, order] of orders.entries()) {
    const row = rows.get(numbers[index] ?? '');
    const found = row && {
      state: row.state,
      delivery: row.delivery,
      attempts: row.attempts,
      refunds: row.refunds,
      books: row.books ?? {},
    };
    const wanted = {
      state: order.state,
      delivery: order.delivery,
      attempts: order.attempts.map((attempt) => attempt.state),
      refunds: order.attempts.map((attempt) => attempt.refund),
      books: Object.fromEntries(Object.entries(order.books).filter(([, minor]) => minor !== 0)),
    };
    if (!isDeepStrictEqual(found, wanted))
      throw new Error(
        `order ${index} (${order.product}) differs\n  shop:  ${JSON.stringify(found)}\n  model: ` +
          `${JSON.stringify(wanted)}`,
      );
  }
  if (rows.size !== orders.length) throw new Error(`the shop has ${rows.size} orders, the model ${orders.length}`);
  const { rows: counts } = await client.query<{ limited: number; stocked: number }>({
    name: 'model_counts',
    text: `select coalesce((select sum(used) from limit_counter), 0)::integer as limited,
      coalesce((select used from product_stock where product_id = 'stocked'), 0) as stocked`,
  });
  const held = { limited: countHeld(orders, 'limited'), stocked: countHeld(orders, 'stocked') };
  if (!isDeepStrictEqual({ ...counts[0] }, held))
    throw new Error(`counters differ: shop ${JSON.stringify(counts[0])}, model ${JSON.stringify(held)}`);
  const { rows: ledger } = await client.query<{ points: number }>({
    name: 'model_points',
    text: 'select coalesce(sum(points), 0)::integer as points from points_entry',
  });
  if (ledger[0]?.points !== countPoints(orders))
    throw new Error(`points differ: shop ${ledger[0]?.points}, model ${countPoints(orders)}`);
  const breaches = await readBreaches(client);
  if (breaches.length > 0) throw new Error(`invariants broken: ${breaches.join(', ')}`);
}
