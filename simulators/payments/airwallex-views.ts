// How Airwallex writes amounts, intents and refunds.

import { spoilView } from '#simulators/kit/faults.ts';
import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import { at, numberAt } from '#simulators/kit/read.ts';
import { type Intent, type Refund, secretOf } from './airwallex-state.ts';

/** Decimals of ISO 4217. @source airwallex.com/docs supported currencies */
const decimals: Record<string, number> = { JPY: 0, KRW: 0, VND: 0, CLP: 0, ISK: 0, BHD: 3, KWD: 3, JOD: 3, OMR: 3 };
export const decimalsOf = (currency: string): number => decimals[currency] ?? 2;

/** A JSON number in major units. */
export const writeMajor = (amount: Amount): number =>
  Number(textFromMinor(amount.amountMinor, decimalsOf(amount.currency)));

/** Reads `{amount, currency}` of a body; undefined when it is not a positive amount of a currency in its precision. */
export function readMajor(body: unknown, currency: unknown = at(body, 'currency')): Amount | undefined {
  const value = numberAt(body, 'amount');
  if (value === undefined || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const amountMinor = minorFromText(String(value), decimalsOf(currency));
  return amountMinor ? { amountMinor, currency } : undefined;
}

/** As the API answers it and as webhooks bring it. `nextUrl`: where the payer of a wallet goes. */
export function writeIntent(intent: Intent, nowMs: number, nextUrl?: string): Record<string, unknown> {
  return spoilView(wholeIntent(intent, nowMs, nextUrl), intent.captured ? intent.faults : [], {
    money: ['amount', 'captured_amount', 'currency'],
    status: 'status',
  });
}

function wholeIntent(intent: Intent, nowMs: number, nextUrl?: string): Record<string, unknown> {
  const { captured } = intent;
  return {
    id: intent.id,
    request_id: intent.requestId,
    amount: writeMajor(intent.amount),
    currency: captured?.currency ?? intent.amount.currency,
    captured_amount: captured ? writeMajor(captured) : 0,
    merchant_order_id: intent.orderId,
    status: intent.status,
    client_secret: secretOf(intent, nowMs),
    created_at: new Date(intent.createdAt).toISOString().replace('Z', '+0000'),
    ...(intent.returnUrl ? { return_url: intent.returnUrl } : {}),
    ...(intent.metadata ? { metadata: intent.metadata } : {}),
    ...(intent.attemptId
      ? {
          latest_payment_attempt: {
            id: intent.attemptId,
            payment_method: { type: intent.method },
            status: intent.status === 'SUCCEEDED' ? 'CAPTURE_REQUESTED' : 'RECEIVED',
          },
        }
      : {}),
    ...(nextUrl ? { next_action: { type: 'redirect', method: 'GET', url: nextUrl } } : {}),
  };
}

export function writeRefund(refund: Refund): Record<string, unknown> {
  return {
    id: refund.id,
    request_id: refund.requestId,
    payment_intent_id: refund.intentId,
    amount: writeMajor(refund.amount),
    currency: refund.amount.currency,
    status: refund.status,
    ...(refund.reason ? { reason: refund.reason } : {}),
    ...(refund.metadata ? { metadata: refund.metadata } : {}),
  };
}
