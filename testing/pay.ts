// Paying in a test shop: the pay call as the page sends it, callbacks as the scripted provider sends them,
// and what became of an order.
import type { BillingInfo } from '#contracts/orders.ts';
import type { PayResult } from '#contracts/payments.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import type { CallbackReading, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { FAKE_ACKNOWLEDGEMENT, reportOn } from './fake-payments.ts';
import type { Answered, TestPlayer, TestShop } from './shop.ts';
import type { SettleDeps } from '#server/modules/orders/payments/settle-payment.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';

/** The price of star_50 in the region that is assumed. */
export const PRICE: Money = { amountMinor: 99, currency: 'USD' };
export const PAY = '/api/pay/paypal_pay';
/** A whole pay call for star_50 by PayPal. */
export const PAY_BODY = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'star_50', price_minor: 99 };

export type PayOptions = { body?: Record<string, unknown>; key?: string; path?: string; remoteAddress?: string };

export function pay(shop: TestShop, player: TestPlayer, options: PayOptions = {}): Promise<Answered<PayResult>> {
  return shop.post<PayResult>(
    options.path ?? PAY,
    { ...PAY_BODY, ...options.body },
    {
      session: player,
      headers: { 'idempotency-key': options.key },
      ...(options.remoteAddress ? { remoteAddress: options.remoteAddress } : {}),
    },
  );
}

/** Shows the shop the player's characters, as the page does before it can pay. */
export function showRoles(shop: TestShop, player: TestPlayer): Promise<unknown> {
  return shop.get('/api/system/allRoleList?client_id=70021', { session: player });
}

/** A player with a character and an order that waits to be paid. */
export async function placeOrder(shop: TestShop, options: PayOptions = {}) {
  const player = await shop.logIn();
  await showRoles(shop, player);
  const answer = await pay(shop, player, options);
  if (answer.code !== 1) throw new Error(`not placed: ${answer.text}`);
  const billingNo = answer.content.billing_no as BillingNo;
  return { player, billingNo, attemptNo: 1, reference: attemptRef(billingNo, 1) };
}

/** One event, proven, about an attempt. */
export function eventOn(
  order: { reference: string },
  status: PaymentStatus,
  over: Partial<PaymentReport> & { dedupKey?: string } = {},
): CallbackReading {
  const { dedupKey = `${order.reference}-${status}`, ...said } = over;
  const report = reportOn({ reference: order.reference, amount: PRICE }, status, said);
  return { kind: 'events', events: [{ dedupKey, report }], answer: FAKE_ACKNOWLEDGEMENT };
}

export function callBack(
  shop: TestShop,
  reading: CallbackReading,
  over: { path?: string; signature?: string; host?: string; remoteAddress?: string } = {},
) {
  return shop.post(
    over.path ?? '/callback/paypal',
    { reading },
    {
      headers: { 'x-fake-signature': over.signature ?? 'good', 'x-refill': undefined, 'sec-fetch-site': undefined },
      ...(over.host ? { host: over.host } : {}),
    },
  );
}

export function orderInfo(shop: TestShop, order: { player: TestPlayer; billingNo: string }, query = '') {
  return shop.get<BillingInfo>(`/api/pay/getOrderInfo?billing_no=${order.billingNo}&${query}`, {
    session: order.player,
  });
}

/** Asks providers and books their answers by itself: no worker is woken, no delivery begins. */
export function settleDepsOf(shop: TestShop): SettleDeps {
  const { db, log, games, payments } = shop.services;
  const steps = createSteps(db, { isSharing: false });
  const nothing = () => undefined;
  return {
    db,
    log,
    games,
    payments,
    steps,
    reserve: () => null,
    onPaid: nothing,
    onApproved: nothing,
    mustNotify: false,
  };
}

/** State of the order, its attempts and its delivery, straight from the tables. */
export async function stateOf(shop: TestShop, billingNo: string) {
  const { rows } = await shop.db.query<{
    state: string;
    review_reason: string | null;
    attempts: string[];
    delivery: string | null;
  }>(
    `select o.state, o.review_reason, (select state from delivery d
       where d.player_id = o.player_id and d.billing_no = o.billing_no) as delivery,
       array(select a.state from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no
         order by a.attempt_no) as attempts
     from orders o where o.billing_no = $1`,
    [billingNo],
  );
  if (!rows[0]) throw new Error(`no order ${billingNo}`);
  return rows[0];
}

/** Makes it five seconds and more since the provider was last asked about an order. */
export async function makePollDue(shop: TestShop, billingNo: string): Promise<void> {
  await shop.db.query(
    `update payment_attempt set queried_at = now() - interval '1 minute'
      where queried_at is not null and billing_no = $1`,
    [billingNo],
  );
}

/** Waits until `check` is true, at most `timeoutMs`; throws with `what` when it does not come. */
export async function waitUntil(
  what: string,
  check: () => Promise<boolean> | boolean,
  timeoutMs = 8000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
