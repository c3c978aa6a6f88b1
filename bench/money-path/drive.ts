// Makes the load: buyers who pay, and a provider's payer who pays. In parallel (a new order when the former is
// delivered) or at a steady rate.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Envelope } from '#contracts/envelope.ts';
import type { PayResult } from '#contracts/payments.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import type { Simulators } from '#simulators/start.ts';
import type { Buyer, Market } from './buyers.ts';
import type { DeliveryWatch } from './watch-deliveries.ts';

export type Driver = {
  readonly market: Market;
  readonly server: Pool;
  readonly simulators: Pick<Simulators, 'pay' | 'url'>;
  readonly provider: string;
  readonly watch: DeliveryWatch;
};

/** One order: how long the pay call took, and all of it until the driver saw it delivered. Milliseconds. */
export type DrivenOrder = { readonly billingNo: string; readonly payMs: number; readonly wholeMs: number };

export type Drive = { readonly orders: readonly DrivenOrder[]; readonly seconds: number };

/** `players` at once for `seconds`; every order that was begun is finished. */
export async function driveInParallel(
  seconds: number,
  players: number,
  order: (buyer: Buyer) => Promise<DrivenOrder>,
  buyers: readonly Buyer[],
): Promise<Drive> {
  const started = performance.now();
  const orders: DrivenOrder[] = [];
  const queue = [...buyers];
  const play = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      // Each order is another player's turn, as in a shop: an account with thousands of orders
      // a minute is none that exists.
      const buyer = queue.shift();
      if (!buyer) throw new Error('there are fewer accounts than players');
      orders.push(await order(buyer));
      queue.push(buyer);
    }
  };
  await Promise.all(Array.from({ length: players }, play));
  return { orders, seconds: (performance.now() - started) / 1000 };
}

/**
 * `rate` orders a second for `seconds`, begun on time however slow the former are, until every account
 * waits: then the rate is not held.
 */
export async function driveSteadily(
  seconds: number,
  rate: number,
  order: (buyer: Buyer) => Promise<DrivenOrder>,
  buyers: readonly Buyer[],
): Promise<Drive> {
  const started = performance.now();
  const orders: DrivenOrder[] = [];
  const running = new Set<Promise<void>>();
  const queue = [...buyers];
  for (let count = 0; count < rate * seconds; count += 1) {
    const wait = started + (count * 1000) / rate - performance.now();
    if (wait > 1) await sleep(wait);
    if (queue.length === 0) await Promise.race(running);
    const buyer = queue.shift();
    if (!buyer) throw new Error('an order ended without giving its account back');
    const ordered = order(buyer).then((finished) => {
      orders.push(finished);
      queue.push(buyer);
      running.delete(ordered);
    });
    // A failed one stays in the set, and is thrown by who waits for it.
    ordered.catch(() => undefined);
    running.add(ordered);
  }
  await Promise.all(running);
  return { orders, seconds: (performance.now() - started) / 1000 };
}

/** The whole path: pay, be paid, be delivered. */
export async function buy(driver: Driver, buyer: Buyer): Promise<DrivenOrder> {
  const started = performance.now();
  const { billingNo, payMs } = await place(driver, buyer);
  const delivered = driver.watch.delivered(buyer.playerId, billingNo);
  // Heard below; without this a failure of the call before it would leave it unheard.
  delivered.catch(() => undefined);
  const paid = await driver.simulators.pay(driver.provider, attemptRef(billingNo as BillingNo, 1));
  if (paid === undefined) throw new Error(`the simulator does not know ${billingNo}`);
  await delivered;
  return { billingNo, payMs, wholeMs: performance.now() - started };
}

/** Pay only: the order is placed and a page to pay on exists. */
export async function place(driver: Driver, buyer: Buyer): Promise<DrivenOrder> {
  const body = buyer.orders[buyer.next % buyer.orders.length];
  buyer.next += 1;
  const started = performance.now();
  const response = await driver.server.request({
    method: 'POST',
    path: driver.market.payCall,
    headers: { ...buyer.headers, 'idempotency-key': randomUUID() },
    body: body ?? '',
  });
  const answer = (await response.body.json()) as Envelope<PayResult>;
  const payMs = performance.now() - started;
  if (answer.code !== 1 || !answer.content?.url) throw new Error(`pay was refused: ${JSON.stringify(answer)}`);
  return { billingNo: answer.content.billing_no, payMs, wholeMs: payMs };
}
