// Airwallex's payment intents on the wire: shapes, bodies, and what their statuses mean to us. Pure: no calls, no
// clock. Webhooks are in webhook.ts.
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { CreatePayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';

const Id = Type.String({ minLength: 1, maxLength: 128 });
const Text = Type.Optional(Type.String());

/**
 * @source npm @airwallex/node-sdk 2.1.0-beta.5, PaymentAcceptancePaymentIntentSingleResponse;
 * numbers are text here, see json.ts
 */
export const Intent = Type.Object({
  id: Id,
  status: Text,
  amount: Text,
  captured_amount: Text,
  currency: Text,
  merchant_order_id: Text,
  created_at: Text,
  client_secret: Text,
  latest_payment_attempt: Type.Optional(Type.Object({ id: Text })),
  next_action: Type.Optional(
    Type.Object({ type: Text, method: Text, url: Type.Optional(Type.String({ maxLength: 4000 })) }),
  ),
});
export type Intent = Static<typeof Intent>;

/** @source npm @airwallex/node-sdk, PaymentAcceptanceListResponseOfPaymentAcceptancePaymentIntentListResponse */
const IntentList = Type.Object({ items: Type.Array(Intent), has_more: Type.Optional(Type.Boolean()) });

/** @source airwallex.com/docs API, error responses */
const Fault = Type.Object({ code: Type.String(), message: Text });

export const readIntent = reader(Intent);
export const readIntentPage = reader(IntentList);
export const readIntents = (text: string): readonly Intent[] | null => readIntentPage(text)?.items ?? null;
const readFaultBody = reader(Fault);

/** One sentence of an error answer; null when the body is not Airwallex's. */
export function readFault(text: string): string | null {
  const body = readFaultBody(text);
  return body ? capped([body.code, body.message].filter(Boolean).join(' ')) : null;
}

/**
 * The request id was used before, so what it asked for may well exist. UNSURE: that this is the
 * code's spelling is from memory.
 */
export function isDuplicate(text: string): boolean {
  return readFaultBody(text)?.code === 'duplicate_request';
}

/** Returns true when an answer proves that nothing was done; a repeated request id does not. */
export function isRefusal(status: number, text: string): boolean {
  return isCertainRefusal(status) && !isDuplicate(text);
}

/**
 * Airwallex's idempotency key: a UUID that is the same for the same purpose and reference.
 * @source airwallex.com/docs API: `request_id`, at most 64 characters, a UUID in every example
 */
export function requestId(purpose: 'create' | 'confirm' | 'cancel' | 'refund', reference: string): string {
  const hex = createHash('sha256').update(`${purpose}:${reference}`).digest('hex');
  // Version 8, "whatever the maker likes"; the variant bits as RFC 9562 wants them.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Body of POST /pa/payment_intents/create.
 * @param amount major units
 * @source npm @airwallex/node-sdk, PaymentAcceptancePaymentIntentCreateRequestRaw
 */
export function writeIntent(input: CreatePayment, amount: number): string {
  return JSON.stringify({
    request_id: requestId('create', input.reference),
    amount,
    currency: input.amount.currency,
    merchant_order_id: input.reference,
    return_url: input.returnUrl,
    metadata: { reference: input.reference },
    order: {
      type: 'digital_goods',
      products: [{ name: input.productName.slice(0, 120), quantity: 1, unit_price: amount, type: 'intangible_good' }],
    },
  });
}

/**
 * Wallets that are confirmed by us and answer with the wallet's own page; every other name
 * opens Airwallex's hosted page.
 * @source npm @airwallex/node-sdk, PaymentAcceptancePaymentMethodRequest: those of type
 *   AlipaycnRequest and AlipayConnectRequest
 */
const WALLETS: ReadonlySet<string> = new Set(['alipaycn', 'alipayhk', 'kakaopay', 'gcash', 'dana', 'tng', 'truemoney']);

export function isWallet(channelId: string): boolean {
  return WALLETS.has(channelId);
}

/**
 * Body of POST /pa/payment_intents/{id}/confirm. On a telephone the wallet's app is opened, elsewhere its QR page.
 * @source npm @airwallex/node-sdk, PaymentAcceptanceAlipayConnectRequest. UNSURE: `flow` differs by wallet; webqr and
 *   mobile_web are from memory for all but alipaycn
 */
export function writeConfirm(input: CreatePayment): string {
  const { isMobile, os } = input.device;
  const how = isMobile ? { flow: 'mobile_web', ...(os === 'other' ? {} : { os_type: os }) } : { flow: 'webqr' };
  return JSON.stringify({
    request_id: requestId('confirm', input.reference),
    payment_method: { type: input.channelId, [input.channelId]: how },
    return_url: input.returnUrl,
  });
}

/** Body of POST /pa/payment_intents/{id}/cancel. */
export function writeCancel(reference: string): string {
  return JSON.stringify({
    request_id: requestId('cancel', reference),
    cancellation_reason: 'The order has ended unpaid',
  });
}

/**
 * The intent follows its latest attempt, so a refused attempt is no end: the page takes another. Attempts that wait
 * for a capture are no money yet;
 * nothing here asks for one, for Airwallex captures by itself unless told.
 * @source airwallex.com/docs payment statuses. UNSURE: the list is partly from memory
 */
const STATUS: Readonly<Record<string, PaymentStatus>> = {
  REQUIRES_PAYMENT_METHOD: 'pending',
  REQUIRES_CUSTOMER_ACTION: 'pending',
  REQUIRES_CAPTURE: 'pending',
  PENDING: 'pending',
  SUCCEEDED: 'paid',
  CANCELLED: 'failed',
};

/** Returns true when the hosted page can still take money for it. */
export function isPayable(intent: Intent): boolean {
  return intent.status === 'REQUIRES_PAYMENT_METHOD' || intent.status === 'REQUIRES_CUSTOMER_ACTION';
}

export const intentStatus = (word: string | undefined): PaymentStatus => statusIn(STATUS, word);

/** Reports the payment of an intent. `merchantAccount` is told by webhooks only. */
export function reportIntent(intent: Intent): PaymentReport {
  const status = intentStatus(intent.status);
  // The captured amount counts, which is not always the asked one.
  const taken = status === 'paid' ? (intent.captured_amount ?? intent.amount) : intent.amount;
  const amount = readAmount(taken, intent.currency);
  return {
    status,
    reference: intent.merchant_order_id ?? null,
    providerRef: intent.id,
    captureRef: status === 'paid' ? intent.id : null,
    amount,
    merchantAccount: null,
    reason: capped(intent.status ?? 'no status'),
  };
}

/** The intent of our reference out of a list, the paid one first; null when there is none. */
export function findIntent(intents: readonly Intent[], reference: string): Intent | null {
  const ours = intents.filter((intent) => intent.merchant_order_id === reference);
  return ours.find(({ status }) => status === 'SUCCEEDED') ?? ours[0] ?? null;
}
