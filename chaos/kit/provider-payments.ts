// Reads the state of the simulated providers: links and pages that were made, and the money that was paid by them.
import type { ChaosShop } from './shop.ts';

type Charge = { readonly status: string; readonly amount: { amountMinor: number }; readonly refundedMinor: number };
/** `payment` is Adyen's word for what was paid, `transaction` Xsolla's. */
type ProviderPayment = { readonly reference?: string; readonly payment?: Charge; readonly transaction?: Charge };

export async function listPayments(shop: ChaosShop, name: string): Promise<ProviderPayment[]> {
  const answer = await shop.simulators.request({ method: 'GET', path: `/control/${name}?limit=100000` });
  return ((await answer.body.json()) as { payments: ProviderPayment[] }).payments;
}

/** The two that take money in these tests. */
export const PROVIDERS = ['adyen', 'xsolla'] as const;

/** Callbacks that the shop has not taken yet. */
export async function countPendingCallbacks(shop: ChaosShop, name: string): Promise<number> {
  const answer = await shop.simulators.request({ method: 'GET', path: `/control/${name}?limit=100000` });
  return ((await answer.body.json()) as { pendingCallbacks: unknown[] }).pendingCallbacks.length;
}

export async function countPayments(shop: ChaosShop, names: readonly string[]): Promise<number> {
  let sum = 0;
  for (const name of names) sum += (await listPayments(shop, name)).length;
  return sum;
}

/** Money of both providers that an order has brought and kept, minor units, by number of the order. */
export async function readKeptMoney(shop: ChaosShop): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  const payments = (await Promise.all(PROVIDERS.map((name) => listPayments(shop, name)))).flat();
  for (const { reference = '', payment, transaction } of payments) {
    const charge = payment ?? transaction;
    if (!charge || ['refused', 'cancelled', 'canceled', 'error', 'chargeback'].includes(charge.status)) continue;
    const billingNo = reference.slice(0, reference.lastIndexOf('-'));
    kept.set(billingNo, (kept.get(billingNo) ?? 0) + charge.amount.amountMinor - charge.refundedMinor);
  }
  return kept;
}
