// Declares the answers of Welcome's server, and the fields that the browser brings back: shapes and meanings. Pure: no
// calls, no clock. The pages are in pages.ts.
import Type, { type Static } from 'typebox';
import type { Currency, Money } from '#kernel/money.ts';
import type { KnownPayment, PaymentReport, RawCallback } from '#server/modules/payments/provider.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';
import { reader, wordAt } from '#server/providers/payments/kit/json.ts';

/** Welcome's own word for won. @source the vendor's manual, currency WON or USD */
const CURRENCY: Readonly<Partial<Record<Currency, 'WON' | 'USD'>>> = { KRW: 'WON', USD: 'USD' };

/** UNSURE: that dollars need another contract; the manual has them ("1 dollar starts at 100", which is cents). */
const amounts = createAmounts({
  title: 'Welcome',
  form: 'minor',
  currencies: ['KRW', 'USD'],
  isReadingChargedOnly: true,
});

export const { refuse, supportsCurrency } = amounts;

/** Digits alone: whole won, or cents. Null when Welcome cannot charge it. */
export function writeAmount(amount: Money): { price: string; currency: 'WON' | 'USD' } | null {
  const currency = CURRENCY[amount.currency];
  const price = amounts.write(amount);
  return currency && price !== null ? { price, currency } : null;
}

/** UNSURE: answers name no currency; it is the one of the form. */
export const readAmount = (price: string | undefined, currency: Currency): Money | null =>
  amounts.read(price, currency);

const Text = Type.String({ minLength: 1, maxLength: 2000 });

/** Stores the parts of the browser's answer that `capture` needs, as JSON. The same return gives the same text. */
const Approval = Type.Union([
  Type.Object({ way: Type.Literal('pc'), token: Text, url: Text, netCancelUrl: Text }),
  Type.Object({ way: Type.Literal('mobile'), token: Text, url: Text }),
]);
export type Approval = Static<typeof Approval>;

export const readApproval = reader(Approval);

/**
 * The approval in what the browser posted; null when the payer did not agree, or when anything in it is not ours. Its
 * addresses are checked by the caller.
 * @source the vendor's manual: resultCode 0000 and authToken for desktops, P_STATUS 00 and P_TID for phones
 */
export function readBrowser(raw: RawCallback, payment: KnownPayment, mid: string): Approval | null {
  const form = new URLSearchParams(raw.body.toString('utf8'));
  const get = (name: string) => form.get(name) ?? raw.query[name] ?? '';
  const isOther = (name: string, own: string) => get(name) !== '' && get(name) !== own;
  if (isOther('mid', mid) || isOther('orderNumber', payment.reference)) return null;
  const approval =
    get('resultCode') === '0000'
      ? { way: 'pc', token: get('authToken'), url: get('authUrl'), netCancelUrl: get('netCancelUrl') }
      : get('P_STATUS') === '00'
        ? { way: 'mobile', token: get('P_TID'), url: get('P_REQ_URL') }
        : null;
  return approval && readApproval(JSON.stringify(approval));
}

const Word = Type.Optional(Type.String());

/** Answer of a desktop approval and of its network cancellation. @source the vendor's manual, approval result */
const PcAnswer = Type.Object({
  resultCode: Type.String(),
  resultMsg: Word,
  tid: Word,
  MOID: Word,
  TotPrice: Word,
  payMethod: Word,
});

/** The answer of the provider's server to an approval. `refused`: a clear no. `unclear`: anything else. */
export type Verdict =
  | { readonly kind: 'paid'; readonly report: PaymentReport }
  | { readonly kind: 'refused' | 'unclear'; readonly reason: string }
  /** Approved, but without what could be booked. */
  | { readonly kind: 'unreadable'; readonly reason: string };

const readPcAnswer = reader(PcAnswer);

export function judgePc(status: number, text: string, payment: KnownPayment): Verdict {
  const answer = status === 200 ? readPcAnswer(text) : null;
  if (!answer && status === 200 && wordAt(text, 'resultCode') === '0000')
    return { kind: 'unreadable', reason: 'a success in a strange shape' };
  if (!answer) return { kind: 'unclear', reason: `Welcome answered ${status}` };
  if (answer.resultCode !== '0000') return { kind: 'refused', reason: reasonOf(answer.resultCode, answer.resultMsg) };
  return judge(payment, answer.tid, answer.MOID, answer.TotPrice, answer.payMethod);
}

/** Answer of a network cancellation: it undid an approval, or found none. @source the vendor's manual, netCancelUrl */
export function judgeUndo(status: number, text: string): Undone {
  const answer = status === 200 ? readPcAnswer(text) : null;
  if (!answer) return 'unclear';
  return answer.resultCode === '0000' ? 'done' : 'refused';
}

/** `done`: what was approved is undone. `refused`: a clear no. `unclear`: anything else. */
export type Undone = 'done' | 'refused' | 'unclear';

/** The answer to a phone's approval: name=value pairs. @source the vendor's manual, Mobile, approval result */
export function judgeMobile(status: number, text: string, payment: KnownPayment): Verdict {
  const pairs = new URLSearchParams(text.trim());
  const get = (name: string) => pairs.get(name) ?? undefined;
  const code = status === 200 ? get('P_STATUS') : undefined;
  if (code === undefined || !/^\w{2,10}$/.test(code)) return { kind: 'unclear', reason: `Welcome answered ${status}` };
  if (code !== '00') return { kind: 'refused', reason: reasonOf(code, get('P_RMESG1')) };
  return judge(payment, get('P_TID'), get('P_OID'), get('P_AMT'), get('P_TYPE'));
}

function judge(
  payment: KnownPayment,
  tid: string | undefined,
  reference: string | undefined,
  price: string | undefined,
  method: string | undefined,
): Verdict {
  const amount = readAmount(price, payment.amount.currency);
  if (!tid || !amount) return { kind: 'unreadable', reason: 'a success without a number or an amount' };
  // An account number was made; nothing was paid, and what comes there is told unsigned.
  if (/^vbank$/i.test(method ?? '')) return { kind: 'unclear', reason: 'a virtual account is no payment' };
  const report = {
    status: 'paid',
    reference: reference ?? null,
    providerRef: null,
    captureRef: tid,
    amount,
    merchantAccount: null,
    reason: method?.slice(0, 40) ?? null,
  } as const;
  return { kind: 'paid', report };
}

/** Answer of the PAYAPI. @source the vendor's manual, cancel */
const CancelAnswer = Type.Object({ ResultCode: Type.String(), ResultMsg: Word, Tid: Word, Price: Word });
const readCancelAnswer = reader(CancelAnswer);

/** `price`: what this cancellation gave back, where the answer says so. */
export type Cancelled = { readonly kind: Undone; readonly reason: string; readonly price: string | null };

/**
 * `done`: cancelled now, or the whole before. Of a part no word proves that it was this one.
 * @param isWhole a cancellation of the whole payment was asked for
 */
export function judgeCancel(status: number, text: string, isWhole: boolean): Cancelled {
  const answer = status === 200 ? readCancelAnswer(text) : null;
  if (!answer) return { kind: 'unclear', reason: `Welcome answered ${status}`, price: null };
  const message = answer.ResultMsg ?? '';
  const reason = reasonOf(answer.ResultCode, message);
  // UNSURE: no code for "cancelled before" is published; the words are those of this family of providers, and 부분 is a
  // part of it.
  const isBefore = isWhole && /이미 ?취소|기 ?취소/.test(message) && !message.includes('부분');
  const isDone = answer.ResultCode === '00';
  return { kind: isDone || isBefore ? 'done' : 'refused', reason, price: isDone ? (answer.Price ?? null) : null };
}

function reasonOf(code: string, message: string | undefined): string {
  return `${code} ${message ?? ''}`.trim().slice(0, 200);
}
