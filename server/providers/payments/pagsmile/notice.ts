// Pagsmile's notifications: what is signed, and what each says. Pure: no calls; time is a parameter.
import { createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import type { CallbackAnswer, CallbackEvent } from '#server/modules/payments/provider.ts';
import { capped, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { asRead, unreadableEvent } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import { askedStatus, statusOf } from './wire.ts';

/** @source docs.pagsmile.com, notification */
export const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'success' };
export const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: 'fail' };

const Text = Type.Optional(Type.String());
const Notice = Type.Object({
  trade_no: Type.String({ minLength: 1, maxLength: 64 }),
  out_trade_no: Text,
  out_request_no: Text,
  app_id: Text,
  trade_status: Type.String({ minLength: 1, maxLength: 64 }),
  amount: Text,
  currency: Text,
  method: Text,
});
const readNotice = reader(Notice);

/**
 * Lower-case hex HMAC-SHA256 over the raw body. The time beside it is NOT signed. @source
 * docs.pagsmile.com, notification, security
 */
export function sign(body: Buffer, key: string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

/** `t=<seconds>,v2=<hex>`; a sample has a space behind the comma. Other parts are left alone. */
export function readHeader(header: string | undefined): { t: string; v2: string } {
  const parts = (header ?? '').split(',').map((part) => /^([^=]*)=(.*)$/s.exec(part.trim()));
  const valueOf = (name: string) => parts.find((part) => part?.[1] === name)?.[2] ?? '';
  return { t: valueOf('t'), v2: valueOf('v2') };
}

/** Returns true when `signature` fits under one of the keys, in constant time. No key, no belief. */
export function isSignature(signature: string, body: Buffer, keys: readonly string[]): boolean {
  const given = Buffer.from(signature, 'utf8');
  // Every key is tried, so that the time taken does not tell which one fitted.
  const fits = keys.filter((key) => {
    const wanted = Buffer.from(sign(body, key), 'utf8');
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return fits.length > 0;
}

/** Returns true when a Unix time in seconds is near ours, either way. @param now epoch milliseconds */
export function isFresh(t: string, now: number, maxAgeMs: number): boolean {
  return /^\d{1,12}$/.test(t) && Math.abs(now - Number(t) * 1000) <= maxAgeMs;
}

/** A verified notification; null when the body is none. `event` null: of no interest. */
export function readWebhook(body: Buffer): { status: string; event: CallbackEvent | null } | null {
  const text = body.toString('utf8');
  const notice = readNotice(text);
  if (!notice) {
    const event = unreadableNotice(body);
    return event && { status: 'a notification', event };
  }
  const { trade_no: tradeNo, trade_status: word, out_request_no: refundNo = '' } = notice;
  const status = statusOf(word);
  if (status === null) return { status: capped(word), event: null };
  const amount = readAmount(notice.amount, notice.currency);
  return {
    status: word,
    event: {
      dedupKey: `${tradeNo}:${word}:${refundNo}`,
      report: asRead(
        {
          status,
          reference: notice.out_trade_no || null,
          providerRef: tradeNo,
          captureRef: tradeNo,
          amount,
          // UNSURE: whether a refund's notification tells its own amount or the order's; no document says.
          ...(status === 'refunded' ? { amountDoubt: 'whole' as const } : {}),
          merchantAccount: notice.app_id ?? null,
          reason: capped([word, notice.method].filter(Boolean).join(' ')),
        },
        text,
      ),
    },
  };
}

/** Reads the names in a notification whose shape does not fit. */
function unreadableNotice(body: Buffer): CallbackEvent | null {
  const word = (key: string) => wordAt(body.toString('utf8'), key);
  const about = {
    reference: word('out_trade_no') ?? null,
    providerRef: word('trade_no') ?? null,
    captureRef: word('trade_no') ?? null,
  };
  const said = word('trade_status');
  return unreadableEvent(about, askedStatus(said), `Pagsmile sent ${said ?? 'a notification'}`, body);
}
