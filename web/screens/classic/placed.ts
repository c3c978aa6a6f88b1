// The order that was placed a moment ago, on its way from step 3 to step 4: what is known before the server is asked again.
import type { BillingInfo } from '#contracts/orders.ts';

let placed: BillingInfo | null = null;

export function handOver(order: BillingInfo): void {
  placed = order;
}

/** Null after a reload, and for any other order. */
export function placedOrder(billingNo: string): BillingInfo | null {
  return placed?.billing_no === billingNo ? placed : null;
}
