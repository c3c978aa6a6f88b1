// Alipay Open Platform (RSA2) on the wire: signing, shapes, and what the statuses mean to us. Pure: no calls, no clock.
import type { KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { CallbackEvent, CreatePayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readYuan } from './amounts.ts';
import { isSignedBy, signText } from './rsa.ts';

export type Fields = Readonly<Record<string, string>>;

/** Sorted by ASCII, `k=v` joined by `&`, values as they are before any URL encoding. */
function joined(fields: Fields): string {
  return Object.keys(fields)
    .toSorted()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
}

/**
 * The fields with `sign`; empty ones are left out, `sign_type` is signed. @source
 * github.com/alipay/alipay-sdk-nodejs-all, sign
 */
export function signFields(fields: Fields, key: KeyObject): Record<string, string> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return { ...sent, sign: signText(joined(sent), key) };
}

/**
 * Alipay signs all fields of a notice but `sign` and `sign_type`. @source github.com/alipay/alipay-sdk-nodejs-all,
 * checkNotifySign
 */
export function noticeText(fields: Fields): string {
  const { sign: _sign, sign_type: _type, ...rest } = fields;
  return joined(rest);
}

/** Only RSA2 is believed, and only trade notices come to us, which never sign `sign_type`. */
export function isNoticeSigned(fields: Fields, keys: readonly KeyObject[]): boolean {
  if (!fields['sign'] || (fields['sign_type'] ?? 'RSA2') !== 'RSA2') return false;
  return isSignedBy([noticeText(fields)], fields['sign'], keys);
}

const Signed = Type.Object({ sign: Type.Optional(Type.String()) });
const readSigned = reader(Signed);

/**
 * The text of `name` in an answer, exactly as it was written, when Alipay signed it; null otherwise.
 * Re-serialised JSON would not verify.
 * @source github.com/alipay/alipay-sdk-nodejs-all, checkResponseSign
 */
export function signedPart(text: string, name: string, keys: readonly KeyObject[]): string | null {
  const sign = readSigned(text)?.sign;
  const start = text.indexOf(`"${name}":`);
  if (!sign || start < 0) return null;
  const part = objectAt(text, start + name.length + 3);
  return part !== null && isSignedBy([part], sign, keys) ? part : null;
}

/** The object that begins at `from` (blanks aside), by counting braces outside of texts. */
function objectAt(text: string, from: number): string | null {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  if (text[start] !== '{') return null;
  let depth = 0;
  let isInText = false;
  for (let index = start; index < text.length; index += 1) {
    const sign = text[index];
    if (isInText) {
      if (sign === '\\') index += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}' && --depth === 0) return text.slice(start, index + 1);
  }
  return null;
}

/** `yyyy-MM-dd HH:mm:ss` of China, which keeps one time all year. @param at epoch milliseconds */
export function chinaTime(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * biz_content of alipay.trade.page.pay and alipay.trade.wap.pay.
 * @source opendocs.alipay.com, both pages. UNSURE: quit_url and the length of the subject (256) are from memory, and
 *   the page asks for letters, digits and underscores in out_trade_no, while the notice published with the official SDK
 * has dashes, as our references do
 */
export function writeTrade(input: CreatePayment, totalAmount: string): string {
  return JSON.stringify({
    out_trade_no: input.reference,
    total_amount: totalAmount,
    subject: input.productName.slice(0, 256),
    product_code: input.device.isMobile ? 'QUICK_WAP_WAY' : 'FAST_INSTANT_TRADE_PAY',
    time_expire: chinaTime(input.expiresAt),
    ...(input.device.isMobile ? { quit_url: input.cancelUrl } : {}),
  });
}

const Text = Type.Optional(Type.String({ maxLength: 4000 }));

/** The fields of query, close, refund and refund query that we look at. @source opendocs.alipay.com, the four pages */
const Answer = Type.Object({
  code: Type.String(),
  msg: Text,
  sub_code: Text,
  sub_msg: Text,
  out_trade_no: Text,
  trade_no: Text,
  trade_status: Text,
  total_amount: Text,
  send_pay_date: Text,
  fund_change: Text,
  refund_status: Text,
  refund_amount: Text,
});
export type Answer = Static<typeof Answer>;
export const readAnswer = reader(Answer);

export function sentenceOf(answer: Answer): string {
  return capped([answer.code, answer.sub_code ?? answer.msg, answer.sub_msg].filter(Boolean).join(' '));
}

/**
 * TRADE_CLOSED is told by who looks: closed unpaid, or paid and given back. @source opendocs.alipay.com, trade_status
 */
const TRADE_STATUS: Readonly<Record<string, PaymentStatus>> = {
  WAIT_BUYER_PAY: 'pending',
  TRADE_SUCCESS: 'paid',
  TRADE_FINISHED: 'paid',
};

export const tradeStatus = (word: string | undefined): PaymentStatus => statusIn(TRADE_STATUS, word);

/**
 * Reports an existing trade from alipay.trade.query. UNSURE: that only paid trades have send_pay_date is from memory
 */
export function reportTrade(answer: Answer, reference: string): PaymentReport {
  const closed: PaymentStatus = answer.send_pay_date ? 'refunded' : 'expired';
  return {
    status: answer.trade_status === 'TRADE_CLOSED' ? closed : tradeStatus(answer.trade_status),
    reference: answer.out_trade_no ?? reference,
    providerRef: null,
    captureRef: answer.trade_no ?? null,
    amount: readYuan(answer.total_amount),
    merchantAccount: null,
    reason: capped(answer.trade_status ?? sentenceOf(answer)),
  };
}

/**
 * The refund that a notice of a trade which stays open tells of, by the number it was asked for under; null for other
 * notices. `refund_fee` is the sum of all that went back so far, so how much this part is has to be asked by the number.
 * @source opendocs.alipay.com, asynchronous notice of alipay.trade.page.pay: refund_fee (the total), out_biz_no, and
 *   alipay.trade.fastpay.refund.query: refund_amount (of this request)
 */
export function partOf(fields: Fields): { readonly requestNo: string | null } | null {
  const word = fields['trade_status'] ?? '';
  const requestNo = fields['out_biz_no'] || null;
  if (!fields['refund_fee'] || word === 'TRADE_CLOSED') return null;
  return requestNo !== null || word === 'TRADE_SUCCESS' ? { requestNo } : null;
}

/**
 * A verified notice as an event of ours; null when it is no trade of ours. A part that went back comes without its
 * amount, see partOf. A trade is closed when all of it went back: there the total is the payment.
 * @source opendocs.alipay.com, asynchronous notice of alipay.trade.page.pay: refund_fee is there once money went back
 */
export function reportNotice(fields: Fields): CallbackEvent | null {
  const word = fields['trade_status'] ?? '';
  const tradeNo = fields['trade_no'] ?? '';
  if (!fields['out_trade_no'] || !word) return null;
  const refunded = fields['refund_fee'];
  const isClosed = word === 'TRADE_CLOSED';
  const part = partOf(fields);
  if (refunded && !isClosed && !part) return null;
  const closed: PaymentStatus = refunded ? 'refunded' : 'expired';
  // Without a number of its own a part is told apart by what went back with it.
  const name = part ? `part:${part.requestNo ?? refunded}` : (refunded ?? '');
  return {
    dedupKey: capped(`${word}:${tradeNo || fields['out_trade_no']}:${name}`),
    report: {
      status: part ? 'refunded' : isClosed ? closed : tradeStatus(word),
      reference: fields['out_trade_no'],
      providerRef: null,
      captureRef: tradeNo || null,
      amount: part ? null : readYuan(isClosed && refunded ? refunded : fields['total_amount']),
      merchantAccount: `${fields['app_id'] ?? ''}/${fields['seller_id'] ?? ''}`,
      reason: capped(word),
    },
  };
}
