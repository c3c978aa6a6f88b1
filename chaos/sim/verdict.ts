// Judges a simulated world that has come to rest: the books of the shop, the provider's money and the game's goods tell
// one story, every order has ended for a reason that can be named, and nothing is lost or doubled.
import type pg from 'pg';
import { readBreaches } from './virtual-time.ts';
import type { World } from './world.ts';

export type Verdict = {
  readonly orders: number;
  /** Orders whose money or goods nobody will ever look after. */
  readonly lost: string[];
  /** Money taken, given back or goods given more than once. */
  readonly doubled: string[];
  /** Invariants of the database that do not hold. */
  readonly breaches: string[];
  /** Anything else that was promised and is not so. */
  readonly faults: string[];
  readonly states: Readonly<Record<string, number>>;
};

export type OrderRow = {
  billing_no: string; state: string; review_reason: string | null; delivered_at: Date | null; delivery: string | null; delivery_error: string | null; is_after_refund: boolean; is_revoking: boolean;
  net: number; owed: number; goods_owed: number; attempts: string[]; refunds: string[];
}; /* a row a line */ // prettier-ignore

const ORDERS = `select o.billing_no, o.state, o.review_reason, o.delivered_at, d.state as delivery,
    d.last_error as delivery_error,
    coalesce(o.delivered_at > o.refunded_at, false) as is_after_refund,
    exists (select from revocation v where v.player_id = o.player_id and v.billing_no = o.billing_no) as is_revoking,
    coalesce((select sum(amount_minor) from ledger_entry l where l.player_id = o.player_id
      and l.billing_no = o.billing_no and l.account = 'provider_receivable'), 0)::integer as net,
    coalesce((select -sum(amount_minor) from ledger_entry l where l.player_id = o.player_id
      and l.billing_no = o.billing_no and l.account = 'refund_owed'), 0)::integer as owed,
    coalesce((select -sum(amount_minor) from ledger_entry l where l.player_id = o.player_id
      and l.billing_no = o.billing_no and l.account = 'goods_owed'), 0)::integer as goods_owed,
    array(select a.state from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
      order by a.attempt_no) as attempts,
    array(select r.state from refund r where r.player_id = o.player_id and r.billing_no = o.billing_no
      order by r.attempt_no) as refunds
  from orders o left join delivery d on d.player_id = o.player_id and d.billing_no = o.billing_no
  order by o.billing_no`;

export async function readOrders(client: pg.Client): Promise<OrderRow[]> {
  return (await client.query<OrderRow>(ORDERS)).rows;
}

const FINISHED = ['delivered', 'refunded', 'failed', 'expired', 'cancelled', 'review', 'refund_due'];

export async function judge(world: World): Promise<Verdict> {
  const { client, providers, game } = world;
  const lost: string[] = [];
  const doubled: string[] = [];
  const faults = [...world.faults];
  const orders = await readOrders(client);
  const breaches = await readBreaches(client);
  const known = new Set(orders.map((order) => order.billing_no));
  for (const provider of providers) {
    for (const payment of provider.payments.values()) {
      if (!known.has(payment.reference.slice(0, 26)))
        lost.push(`${payment.reference}: the provider knows a payment that the shop does not`);
      if (payment.captures > 1 || payment.takenMinor > payment.amount.amountMinor)
        doubled.push(`${payment.reference}: money was taken twice`);
      if (payment.returnedMinor > payment.takenMinor) doubled.push(`${payment.reference}: money was given back twice`);
    }
  }
  for (const order of orders) {
    const payments = world.paymentsOf(order.billing_no);
    const truth = payments.reduce(
      (sum, payment) => sum + payment.takenMinor - payment.returnedMinor - payment.chargedBackMinor,
      0,
    );
    const hasGoods = game.applied.has(order.billing_no);
    const line =
      `${order.billing_no} is ${order.state} (${order.review_reason ?? order.delivery_error ?? 'no reason'}), ` +
      `delivery ${order.delivery ?? 'none'}, attempts ${order.attempts.join(' ')}, refunds ` +
      `${order.refunds.join(' ') || 'none'}`;
    if (!FINISHED.includes(order.state)) lost.push(`${line}: it never came to an end`);
    if (order.state === 'review' && !order.review_reason) faults.push(`${line}: in review for no reason`);
    if (order.net !== truth) lost.push(`${line}: the books say ${order.net}, the provider has ${truth}`);
    const isLookedAfter =
      order.state === 'review' ||
      order.refunds.some((refund) => refund === 'manual') ||
      order.attempts.includes('mismatch');
    if (truth > 0 && order.state !== 'delivered' && !isLookedAfter)
      lost.push(`${line}: ${truth} is here and nobody looks after it`);
    if (order.owed > 0 && !isLookedAfter) lost.push(`${line}: ${order.owed} is owed back and nobody looks after it`);
    if ((game.applied.get(order.billing_no) ?? 0) > 1) doubled.push(`${line}: the goods were given twice`);
    // Given in doubt and asked back: the game knows, whatever became of the answer.
    const isAskedBack = order.is_revoking && game.revoked.has(order.billing_no);
    if (order.is_after_refund && !isAskedBack)
      faults.push(`${line}: goods for money that had gone back, and nobody asks for them`);
    if (hasGoods && order.delivered_at === null && !isAskedBack)
      faults.push(`${line}: the game has given goods that the shop does not know of`);
    if (!hasGoods && order.delivered_at !== null)
      lost.push(`${line}: the shop believes in goods that the game never gave`);
  }
  for (const billingNo of game.applied.keys())
    if (!known.has(billingNo)) doubled.push(`${billingNo}: goods for an order that is not there`);
  const states: Record<string, number> = {};
  for (const { state } of orders) states[state] = (states[state] ?? 0) + 1;
  return {
    orders: orders.length,
    lost,
    doubled,
    faults,
    states,
    breaches,
  };
}
