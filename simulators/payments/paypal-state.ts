// Keeps PayPal's state: orders with their capture, refunds, and the request ids that make calls repeatable.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { openSettlement, type Settlement } from '#simulators/kit/settlement.ts';

export type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';

export type Capture = {
  id: string;
  status: CaptureStatus;
  amount: Amount;
  refundedMinor: number;
  createTime: string;
  reason?: string;
  /** When a pending capture completes by itself, milliseconds since the epoch. */
  settlesAt?: number;
};

export type Order = {
  id: string;
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  createTime: string;
  updateTime: string;
  /** The first purchase unit as it was sent. */
  unit: Record<string, unknown>;
  amount: Amount;
  customId?: string;
  invoiceId?: string;
  description?: string;
  brandName?: string;
  returnUrl?: string;
  cancelUrl?: string;
  /** Created without `payment_source`: the payer's link is then called `approve`. */
  isOldStyle: boolean;
  faults: Sentinel[];
  isLater: boolean;
  isInstrumentDeclined: boolean;
  capture?: Capture;
};

export type Refund = {
  id: string;
  orderId: string;
  captureId: string;
  status: 'COMPLETED';
  amount: Amount;
  createTime: string;
  invoiceId?: string;
  customId?: string;
  note?: string;
};

type Request = { id: string; at: number };

export type PaypalState = {
  orders: Table<Order>;
  refunds: Table<Refund>;
  settlement: Settlement;
  /** By order id, custom id or invoice id. */
  find(key: string): Order | undefined;
  orderOfCapture(captureId: string): Order | undefined;
  isInvoiceUsed(invoiceId: string): boolean;
  save(order: Order): void;
  /** The id that this request id made before, while PayPal still keeps it. */
  replayed(kind: 'create' | 'refund', requestId: string | undefined, now: number): string | undefined;
  rememberRequest(kind: 'create' | 'refund', requestId: string | undefined, id: string, now: number): void;
};

/** @source PayPal OpenAPI: order request ids are kept 6 hours, those of captures and refunds 45 days */
const keptMs = { create: 6 * 3_600_000, refund: 45 * 86_400_000 };

export function openPaypalState(journal: Journal): PaypalState {
  const orders = journal.table<Order>('orders');
  const refunds = journal.table<Refund>('refunds');
  const requests = journal.table<Request>('requests');
  const byReference = new Map<string, string>();
  const byCapture = new Map<string, string>();
  const invoices = new Set<string>();

  const index = (order: Order) => {
    if (order.customId) byReference.set(order.customId, order.id);
    if (order.invoiceId) {
      byReference.set(order.invoiceId, order.id);
      if (order.capture) invoices.add(order.invoiceId);
    }
    if (order.capture) byCapture.set(order.capture.id, order.id);
  };
  for (const order of orders.values()) index(order);

  return {
    orders,
    refunds,
    settlement: openSettlement(journal),
    find: (key) => orders.get(key) ?? orders.get(byReference.get(key) ?? ''),
    orderOfCapture: (captureId) => orders.get(byCapture.get(captureId) ?? ''),
    isInvoiceUsed: (invoiceId) => invoices.has(invoiceId),
    save(order) {
      orders.put(order.id, order);
      index(order);
    },
    replayed(kind, requestId, now) {
      const found = requestId === undefined ? undefined : requests.get(`${kind}:${requestId}`);
      return found && now - found.at < keptMs[kind] ? found.id : undefined;
    },
    rememberRequest(kind, requestId, id, now) {
      if (requestId !== undefined) requests.put(`${kind}:${requestId}`, { id, at: now });
    },
  };
}
