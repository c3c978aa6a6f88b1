// Antom (AMS) on the wire: headers and signature, shapes, and what the statuses mean to us. Pure: no calls, no clock.
import type { KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount, type WireAmount } from './amounts.ts';
import { isSignedBy, signText } from './rsa.ts';
import type { Settings } from './settings.ts';

/**
 * The card channel's `channelId`. Raw card data never passes through us, so it goes by a session with a hosted page.
 */
export const CARD = 'CARD';

type Headers = Readonly<Record<string, string>>;

/**
 * Antom signs this of a request, an answer and a notice alike, in front of the exact body bytes.
 * @param path as it was called, without host, the sandbox prefix included
 * @param time header `request-time` or `response-time` as it was written
 * @source docs.antom.com, "Sign a request and verify the signature"; github.com/alipay/global-open-sdk-java
 */
function signedHead(path: string, clientId: string, time: string): string {
  return `POST ${path}\n${clientId}.${time}.`;
}

/** Header `signature`. */
export function writeSignature(
  path: string,
  clientId: string,
  time: string,
  body: string,
  key: KeyObject,
  keyVersion: string,
): string {
  const signature = signText(signedHead(path, clientId, time) + body, key);
  return `algorithm=RSA256,keyVersion=${keyVersion},signature=${encodeURIComponent(signature)}`;
}

/** The base64 behind `signature=`; null when there is none. */
function readSignature(header: string | undefined): string | null {
  const found = /(?:^|,)\s*signature=([^,\s]+)/.exec(header ?? '');
  if (!found) return null;
  try {
    return decodeURIComponent(found[1] ?? '');
  } catch {
    return null;
  }
}

/** Returns true when Antom signed this body for this path. A missing header is no signature. */
export function isSigned(path: string, headers: Headers, body: Buffer | string, keys: readonly KeyObject[]): boolean {
  const signature = readSignature(headers['signature']);
  const time = headers['response-time'] ?? headers['request-time'];
  const clientId = headers['client-id'];
  if (signature === null || !time || !clientId) return false;
  return isSignedBy([signedHead(path, clientId, time), body], signature, keys);
}

const Text = Type.Optional(Type.String({ maxLength: 4000 }));
const Id = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
const Amount = Type.Optional(Type.Object({ currency: Text, value: Text }));
const Result = Type.Object({ resultStatus: Type.String(), resultCode: Text, resultMessage: Text });

/** @source docs.antom.com, pay (cashier) and createPaymentSession */
const Created = Type.Object({
  result: Result,
  paymentId: Id,
  normalUrl: Text,
  redirectActionForm: Type.Optional(Type.Object({ method: Text, redirectUrl: Text })),
});

/**
 * Lists the refunds that followed a payment: ours, and those of the Dashboard.
 * @source github.com/alipay/global-open-sdk-java, Transaction: of type REFUND `transactionId` is the refundId
 */
const Transaction = Type.Object({
  transactionId: Id,
  transactionType: Text,
  transactionStatus: Text,
  transactionAmount: Amount,
});

/** @source docs.antom.com, inquiryPayment */
const Payment = Type.Object({
  result: Result,
  paymentStatus: Text,
  paymentResultCode: Text,
  paymentRequestId: Id,
  paymentId: Id,
  paymentAmount: Amount,
  transactions: Type.Optional(Type.Array(Transaction)),
});

/** @source docs.antom.com, cancel and refund */
const Answer = Type.Object({ result: Result, refundId: Id, refundAmount: Amount });

export const readCreated = reader(Created);
export const readPayment = reader(Payment);
export const readAnswer = reader(Answer);
export type PaymentView = Static<typeof Payment>;

/** One sentence of a result. */
export function sentenceOf(result: Static<typeof Result>): string {
  return capped([result.resultCode, result.resultMessage].filter(Boolean).join(' ') || result.resultStatus);
}

/**
 * Body of `pay`, or of `createPaymentSession` for the card. Every scalar is text, also numbers and truth values.
 * @param method paymentMethodType
 * @source docs.antom.com, pay (cashier), createPaymentSession, "Hosted mode" (productScene
 *   CHECKOUT_PAYMENT), "Capture" (AUTOMATIC)
 * UNSURE: the values of terminalType and that osType is wanted on phones only are from memory
 */
export function writePayment(input: CreatePayment, amount: WireAmount, method: string, given: Settings): string {
  const { device } = input;
  const settlement = given['SETTLEMENT_CURRENCY'];
  const merchantRegion = given['MERCHANT_REGION'];
  return JSON.stringify({
    productCode: 'CASHIER_PAYMENT',
    ...(method === CARD ? { productScene: 'CHECKOUT_PAYMENT', paymentFactor: { captureMode: 'AUTOMATIC' } } : {}),
    paymentRequestId: input.reference,
    paymentAmount: amount,
    order: {
      referenceOrderId: input.reference,
      orderDescription: input.productName.slice(0, 256),
      orderAmount: amount,
      buyer: { referenceBuyerId: input.playerRef.slice(0, 64) },
    },
    paymentMethod: { paymentMethodType: method },
    paymentRedirectUrl: input.returnUrl,
    paymentNotifyUrl: input.notifyUrl,
    paymentExpiryTime: new Date(input.expiresAt).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    env: {
      terminalType: device.isMobile ? 'WAP' : 'WEB',
      ...(device.isMobile && device.os !== 'other' ? { osType: device.os.toUpperCase() } : {}),
      ...(device.ip === '' ? {} : { clientIp: device.ip }),
      ...(device.userAgent === '' ? {} : { userAgent: device.userAgent }),
    },
    ...(settlement ? { settlementStrategy: { settlementCurrency: settlement } } : {}),
    ...(/^[A-Z]{2}$/.test(input.country) ? { userRegion: input.country } : {}),
    ...(merchantRegion ? { merchantRegion } : {}),
  });
}

/** The page the player goes to. A form that wants a POST is none we could redirect to. */
export function linkOf(created: Static<typeof Created>): string | undefined {
  const form = created.redirectActionForm;
  return created.normalUrl ?? (form?.method?.toUpperCase() === 'POST' ? undefined : form?.redirectUrl);
}

/**
 * Refusals that speak of a payment which is there already, so they prove nothing about it.
 * @source docs.antom.com, pay, result codes. UNSURE: the list is from memory; every other F means that nothing was made
 */
const TAKEN: ReadonlySet<string> = new Set([
  'REPEAT_REQ_INCONSISTENT',
  'ORDER_IS_CLOSED',
  'ORDER_IS_CANCELED',
  'ORDER_STATUS_INVALID',
]);

export function isCertainRefusal(result: Static<typeof Result>): boolean {
  return result.resultStatus === 'F' && !TAKEN.has(result.resultCode ?? '');
}

/**
 * CANCELLED is told after our own cancel, or by a person in the Dashboard before it was paid.
 * @source docs.antom.com, "payment status" of inquiryPayment
 */
const PAYMENT_STATUS: Readonly<Record<string, PaymentStatus>> = {
  SUCCESS: 'paid',
  FAIL: 'failed',
  CANCELLED: 'failed',
  PROCESSING: 'pending',
  PENDING: 'pending',
};

export const paymentStatus = (word: string | undefined): PaymentStatus => statusIn(PAYMENT_STATUS, word);

/** The key of a refund, in its notice and in the list of an inquiry. */
export const refundKey = (refundId: string | undefined, status: string | undefined): string =>
  `REFUND_RESULT:${refundId}:${status}`;

/** Nothing when there is none, or when one of them cannot be read. */
function listRefunds({ transactions = [] }: PaymentView): Pick<PaymentReport, 'refunds'> {
  const done = transactions.filter((one) => one.transactionType === 'REFUND' && one.transactionStatus === 'SUCCESS');
  const refunds = done.flatMap(({ transactionId, transactionAmount }) => {
    const amount = readAmount(transactionAmount?.value, transactionAmount?.currency);
    return transactionId && amount ? [{ dedupKey: refundKey(transactionId, 'SUCCESS'), amount }] : [];
  });
  return done.length > 0 && refunds.length === done.length ? { refunds } : {};
}

/** Reports the payment of an inquiry. A refused card is no end: the hosted page lets the player try again. */
export function reportPayment(view: PaymentView, reference: string, isCard: boolean): PaymentReport {
  return {
    status: isCard && view.paymentStatus === 'FAIL' ? 'declined' : paymentStatus(view.paymentStatus),
    reference: view.paymentRequestId ?? reference,
    providerRef: view.paymentId ?? null,
    captureRef: view.paymentId ?? null,
    amount: readAmount(view.paymentAmount?.value, view.paymentAmount?.currency),
    ...listRefunds(view),
    merchantAccount: null,
    reason: capped([view.paymentStatus, view.paymentResultCode].filter(Boolean).join(' ') || sentenceOf(view.result)),
  };
}

/** @source docs.antom.com, refund: S is done, U is under way and asked again under the same refundRequestId */
const REFUND_OUTCOME: ReadonlyMap<string, RefundOutcome['status']> = new Map<string, RefundOutcome['status']>([
  ['S', 'done'],
  ['U', 'pending'],
  ['F', 'failed'],
]);

export function readRefund(status: number, text: string, asked: Money): RefundOutcome {
  const answer = readAnswer(text);
  if (!answer) return { status: 'unknown', refundProviderRef: null, reason: `Antom answered ${status}` };
  const kind = REFUND_OUTCOME.get(answer.result.resultStatus) ?? 'unknown';
  const outcome = { status: kind, refundProviderRef: answer.refundId ?? null, reason: sentenceOf(answer.result) };
  return refundOfAmount(outcome, readAmount(answer.refundAmount?.value, answer.refundAmount?.currency), asked);
}
