// The order that was placed a moment ago, on its way from step 3 to step 4: what is known
// before the server is asked again.
import type { BillingInfo } from '#contracts/orders.ts';
import type { Begun } from '#web/features/orders/stages.ts';

type Placed = { billingNo: string; order: BillingInfo | null; begun: Begun };

let placed: Placed | null = null;

/** `order` is null where only the server knows it. */
export function handOver(next: Placed): void {
  placed = next;
}

/** Null after a reload, and for any other order. */
export function placedOrder(billingNo: string): Placed | null {
  return placed?.billingNo === billingNo ? placed : null;
}
