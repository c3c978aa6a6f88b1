// PayPal's Orders v2 and Payments v2 on the wire: shapes, and what their statuses mean to us. Pure: no calls, no clock.
import Type, { type Static, type TSchema } from 'typebox';
import type { Money } from '#kernel/money.ts';
import { Compile } from 'typebox/compile';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped } from '#server/providers/payments/kit/json.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount, type WireAmount } from './amounts.ts';

const Id = Type.String({ minLength: 1, maxLength: 256 });
const Amount = Type.Object({ currency_code: Type.String(), value: Type.String() });
const Link = Type.Object({ href: Type.String({ maxLength: 4000 }), rel: Type.String() });
const Links = Type.Optional(Type.Array(Link));

/** @source github.com/paypal/paypal-rest-api-specifications payments_payment_v2.json, "capture" */
export const Capture = Type.Object({
  id: Id,
  status: Type.Optional(Type.String()),
  status_details: Type.Optional(Type.Object({ reason: Type.Optional(Type.String()) })),
  amount: Type.Optional(Amount),
  custom_id: Type.Optional(Type.String()),
  invoice_id: Type.Optional(Type.String()),
  supplementary_data: Type.Optional(
    Type.Object({
      related_ids: Type.Optional(
        Type.Object({ order_id: Type.Optional(Type.String()), capture_id: Type.Optional(Type.String()) }),
      ),
    }),
  ),
  links: Links,
});

/** @source github.com/paypal/paypal-rest-api-specifications checkout_orders_v2.json, "order" */
export const Order = Type.Object({
  id: Id,
  status: Type.String(),
  purchase_units: Type.Optional(
    Type.Array(
      Type.Object({
        custom_id: Type.Optional(Type.String()),
        invoice_id: Type.Optional(Type.String()),
        amount: Type.Optional(Amount),
        payments: Type.Optional(Type.Object({ captures: Type.Optional(Type.Array(Capture)) })),
      }),
    ),
  ),
  links: Links,
});

/** @source github.com/paypal/paypal-rest-api-specifications payments_payment_v2.json, "refund" */
const Refund = Type.Object({
  id: Id,
  status: Type.String(),
  status_details: Capture.properties.status_details,
  amount: Capture.properties.amount,
});
const Fault = Type.Object({
  name: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  details: Type.Optional(Type.Array(Type.Object({ issue: Type.Optional(Type.String()) }))),
});

/** A reader of JSON text: null when it is no JSON or not of this shape. PayPal's nulls count as absent. */
export function reader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> | null {
  const validator = Compile(schema);
  return (text) => {
    const value = parse(text);
    return validator.Check(value) ? (value as Static<Schema>) : null;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown) => (value === null ? undefined : value));
  } catch {
    return undefined;
  }
}

export const readOrder = reader(Order);
const readRefundBody = reader(Refund);
const readFaultBody = reader(Fault);

export type Fault = { readonly issues: readonly string[]; readonly reason: string };

/** The issue names and one sentence of an error answer; null when the body is not PayPal's. */
export function readFault(text: string): Fault | null {
  const body = readFaultBody(text);
  if (!body) return null;
  const issues = (body.details ?? []).map(({ issue }) => issue ?? '').filter((issue) => issue !== '');
  return { issues, reason: capped([body.name, ...issues].filter(Boolean).join(' ') || body.message || 'no reason') };
}

/**
 * Language tags PayPal takes; anything else is left out and PayPal chooses.
 * @source checkout_orders_v2.json, "language"
 */
const LOCALE = /^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/;

/**
 * Body of POST /v2/checkout/orders.
 * Our reference goes out twice: custom_id comes back in captures and webhooks, invoice_id makes PayPal
 * refuse a second capture for it.
 * IMMEDIATE_PAYMENT_REQUIRED is our choice: an eCheck would keep an order open for days.
 * @source checkout_orders_v2.json, "order_request"
 */
export function writeOrder(input: CreatePayment, amount: WireAmount): string {
  return JSON.stringify({
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: input.reference,
        invoice_id: input.reference,
        description: input.productName.slice(0, 127),
        amount,
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: input.returnUrl,
          cancel_url: input.cancelUrl,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          brand_name: input.brandName.slice(0, 127),
          ...(LOCALE.test(input.locale) ? { locale: input.locale } : {}),
        },
      },
    },
  });
}

/**
 * The player goes there: rel `payer-action` when payment_source was sent, `approve` in the old style. UNSURE: the rel
 * names are from memory.
 */
export function approvalLink(order: Static<typeof Order>): string | null {
  const links = order.links ?? [];
  return (links.find(({ rel }) => rel === 'payer-action') ?? links.find(({ rel }) => rel === 'approve'))?.href ?? null;
}

/**
 * An order that is COMPLETED may still hold a pending or declined capture; without one that can be
 * read, it has money that cannot.
 * @source checkout_orders_v2.json, "order_status"
 */
const ORDER_STATUS: Readonly<Record<string, PaymentStatus>> = {
  CREATED: 'pending',
  SAVED: 'pending',
  PAYER_ACTION_REQUIRED: 'pending',
  APPROVED: 'approved',
  VOIDED: 'expired',
  COMPLETED: 'paid_unreadable',
};

/** @source payments_payment_v2.json, "capture_status" */
const CAPTURE_STATUS: Readonly<Record<string, PaymentStatus>> = {
  COMPLETED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
  PARTIALLY_REFUNDED: 'refunded',
  REFUNDED: 'refunded',
};

export function captureStatus(status: string | undefined): PaymentStatus {
  return statusIn(CAPTURE_STATUS, status);
}

// The most telling capture decides: after a decline the player may pay the same order with another card.
const WEIGHT: readonly PaymentStatus[] = ['paid', 'refunded', 'unknown', 'pending'];

export const orderStatus = (word: string | undefined): PaymentStatus => statusIn(ORDER_STATUS, word);

/** Reports the payment of an order. */
export function reportOrder(order: Static<typeof Order>): PaymentReport {
  const unit = order.purchase_units?.[0];
  const captures = order.purchase_units?.flatMap(({ payments }) => payments?.captures ?? []) ?? [];
  const decisive = WEIGHT.map((status) => captures.find((one) => captureStatus(one.status) === status)).find(Boolean);
  const capture = decisive ?? (order.status === 'COMPLETED' ? captures[0] : undefined);
  const base = { providerRef: order.id, merchantAccount: null };
  const reference = unit?.custom_id ?? unit?.invoice_id ?? null;
  if (capture) return { ...reportCapture(capture), ...base, reference: referenceOf(capture) ?? reference };
  return {
    ...base,
    status: orderStatus(order.status),
    reference,
    captureRef: null,
    amount: readAmount(unit?.amount),
    reason: capped(order.status),
  };
}

/** Reports the payment of a capture. Of a partial refund the captured amount is no measure, so none is told. */
export function reportCapture(capture: Static<typeof Capture>, status = captureStatus(capture.status)): PaymentReport {
  return {
    status,
    reference: referenceOf(capture),
    providerRef: capture.supplementary_data?.related_ids?.order_id ?? null,
    captureRef: capture.id,
    amount: capture.status === 'PARTIALLY_REFUNDED' ? null : readAmount(capture.amount),
    merchantAccount: null,
    reason: capped([capture.status, capture.status_details?.reason].filter(Boolean).join(' ')) || null,
  };
}

export function referenceOf(capture: Static<typeof Capture>): string | null {
  return capture.custom_id ?? capture.invoice_id ?? null;
}

/**
 * Maps the issue of a refused capture to a status. `null`: the order was captured before, ask for it. Only our capture
 * takes money, so a refusal that cannot change is a final `failed`.
 * @source checkout_orders_v2.json, error issues of orders.capture; what each means for us is inferred
 * UNSURE: ORDER_EXPIRED is from memory
 */
const CAPTURE_ISSUE: Readonly<Record<string, PaymentStatus | null>> = {
  ORDER_ALREADY_CAPTURED: null,
  ORDER_NOT_APPROVED: 'pending',
  INSTRUMENT_DECLINED: 'declined',
  PAYER_ACTION_REQUIRED: 'pending',
  // Another payment of this number may hold the money.
  DUPLICATE_INVOICE_ID: 'unknown',
  TRANSACTION_REFUSED: 'failed',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'failed',
  DECIMAL_PRECISION: 'failed',
  CURRENCY_NOT_SUPPORTED: 'failed',
  ORDER_EXPIRED: 'expired',
};

/** The meaning of the first known issue; `unknown` when there is none. */
export function captureIssue(fault: Fault | null): PaymentStatus | null {
  const known = fault?.issues.find((issue) => Object.hasOwn(CAPTURE_ISSUE, issue));
  return known === undefined ? 'unknown' : (CAPTURE_ISSUE[known] ?? null);
}

/** @source payments_payment_v2.json, "refund_status" */
const REFUND_STATUS: Readonly<Record<string, RefundOutcome['status']>> = {
  COMPLETED: 'done',
  PENDING: 'pending',
  FAILED: 'failed',
  CANCELLED: 'failed',
};

/**
 * An answer to POST /v2/payments/captures/{id}/refund. An answer that is no final word is `unknown`:
 * the same request id asks again.
 */
export function readRefund(status: number, text: string, asked: Money): RefundOutcome {
  const refund = status === 200 || status === 201 ? readRefundBody(text) : null;
  if (refund) {
    const reason = capped([refund.status, refund.status_details?.reason].filter(Boolean).join(' '));
    const outcome = {
      status: REFUND_STATUS[refund.status] ?? 'unknown',
      refundProviderRef: refund.id,
      reason,
    } as const;
    return refundOfAmount(outcome, readAmount(refund.amount), asked);
  }
  const fault = isCertainRefusal(status) ? readFault(text) : null;
  if (!fault) return { status: 'unknown', refundProviderRef: null, reason: `PayPal answered ${status}` };
  // Nothing is left of the capture: whatever was asked is back, by whatever hand.
  const isBack = fault.issues.includes('CAPTURE_FULLY_REFUNDED');
  return { status: isBack ? 'done' : 'failed', refundProviderRef: null, reason: fault.reason };
}
