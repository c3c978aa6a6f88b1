// Acts on orders of a test shop, as its players, providers, games and operators do them; for `fill-shop.ts`.
import type { BillingNo } from '#kernel/ids.ts';
import {
  type DeliveryResult,
  leaseDeliveries,
  recordDeliveryResults,
} from '#server/modules/orders/deliveries/delivery-store.ts';
import { refundOrder } from '#server/modules/orders/operator/operate.ts';
import { leaseRefunds, finishRefund } from '#server/modules/orders/refunds/refund-store.ts';
import type { PaymentStatus } from '#server/modules/payments/provider.ts';
import { type PayOptions, callBack, eventOn, placeOrder } from '#testing/pay.ts';
import type { TestShop } from '#testing/shop.ts';

type Order = Awaited<ReturnType<typeof placeOrder>>;

export const operatorOf = (shop: TestShop) => ({ db: shop.db, by: 'anna' });
export const say = (shop: TestShop, order: Order, status: PaymentStatus, over: Parameters<typeof eventOn>[2] = {}) =>
  callBack(shop, eventOn(order, status, over));

export async function placePaid(shop: TestShop, options: PayOptions = {}): Promise<Order> {
  const order = await placeOrder(shop, options);
  await say(shop, order, 'paid');
  return order;
}

/** Ends the deliveries that are due as one result says; with null they are only leased. */
export async function deliver(
  shop: TestShop,
  result: Pick<DeliveryResult, 'kind' | 'retry_in_seconds'> | null,
): Promise<void> {
  const leased = await leaseDeliveries(shop.db, 100, 15, []);
  if (result === null) return;
  await recordDeliveryResults(
    shop.db,
    leased.map(({ player_id, billing_no, tries }) => ({
      ...result,
      player_id,
      billing_no,
      tries,
      receipt_id: result.kind === 'done' ? `R-${billing_no}` : null,
      reason: result.kind === 'done' ? null : 'scripted',
      on_declined: 'review',
    })),
  );
}
export const DONE = { kind: 'done', retry_in_seconds: null } as const;

export async function placeDelivered(shop: TestShop, options: PayOptions = {}): Promise<Order> {
  const order = await placePaid(shop, options);
  await deliver(shop, DONE);
  return order;
}

export async function refund(shop: TestShop, order: { billingNo: BillingNo }, isRevoking = false): Promise<void> {
  const input = { attemptNo: null, reason: 'asked', isRevoking, isDone: false };
  const answer = await refundOrder(operatorOf(shop), order.billingNo, input);
  if (answer.kind !== 'done') throw new Error(answer.sentence);
}

type RefundResult = Parameters<typeof finishRefund>[2];

/** Ends the refunds that are due as one result says; with null they are only leased. */
export async function workRefunds(shop: TestShop, kind: RefundResult['kind'] | null): Promise<void> {
  const leased = await leaseRefunds(shop.db, 50, 60);
  const error = kind === 'manual' ? 'scripted' : null;
  for (const one of kind === null ? [] : leased)
    await finishRefund(shop.db, one, { kind: kind ?? 'unknown', ref: `RF-${kind}`, error, retrySeconds: 3600 });
}
