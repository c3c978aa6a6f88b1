// Naver Pay's one-time payment on the wire: shapes, codes, and what they mean to us. Pure: no calls, no clock.
import { DAY_MS, HOUR_MS } from '#kernel/time.ts';
import Type, { type Static } from 'typebox';
import { type Money, money } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport } from '#server/modules/payments/provider.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';
import { reader } from '#server/providers/payments/kit/json.ts';

const Text = Type.Optional(Type.String());
const Id = Type.String({ minLength: 1, maxLength: 64 });

/** @source developers.pay.naver.com/docs/v2/api: every answer is {code, message, body} */
const Envelope = Type.Object({ code: Type.String(), message: Text });

/** UNSURE: the key `reserveId`; the page's address names it so, the answer's own table is not public. */
const Reserved = Type.Object({ body: Type.Object({ reserveId: Id }) });

/** One movement of a payment. @source developers.pay.naver.com, "detail" of apply, and the items of list/history */
const Movement = Type.Object({
  paymentId: Id,
  payHistId: Text,
  merchantPayKey: Text,
  admissionTypeCode: Text,
  admissionState: Text,
  totalPayAmount: Text,
  admissionYmdt: Text,
});
export type Movement = Static<typeof Movement>;

/** The detail may leave out the id that stands beside it. */
const Applied = Type.Object({
  body: Type.Object({ paymentId: Text, detail: Type.Object({ ...Movement.properties, paymentId: Text }) }),
});
const History = Type.Object({
  code: Type.Literal('Success'),
  body: Type.Object({ list: Type.Array(Movement), totalPageCount: Text }),
});
const Cancelled = Type.Object({ body: Type.Object({ payHistId: Text }) });

const readEnvelope = reader(Envelope);
export const readReserved = reader(Reserved);
export const readHistory = reader(History);
export const readCancelled = reader(Cancelled);
const readAppliedBody = reader(Applied);

/** Pages of a list, 1 where none is said; null for no number, behind which there may be more. */
export function readPageCount(text = '1'): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Naver Pay takes won only, which have no decimals, from 10 on. @source developers.pay.naver.com, totalPayAmount */
const amounts = createAmounts({ title: 'Naver Pay', form: 'major', currencies: ['KRW'], min: 10 });

export const { failRefund, refuse, supportsCurrency } = amounts;

/** Whole won; null for anything else. */
export function writeAmount(amount: Money): number | null {
  const won = amounts.write(amount);
  return won === null ? null : Number(won);
}

export const readAmount = (won: string | undefined): Money | null => amounts.read(won, 'KRW');

/** @source developers.pay.naver.com, reserve: productName 128 characters, merchantUserKey 50 */
const MAX = { productName: 128, userKey: 50 };

/**
 * Body of reserve. A digital good of a shop without Naver categories.
 * @source developers.pay.naver.com, reserve. UNSURE: category ETC for goods that are in no list
 */
export function writeReserve(input: CreatePayment, amount: number): string {
  const productName = [...input.productName].slice(0, MAX.productName).join('');
  return JSON.stringify({
    modelVersion: '2',
    merchantUserKey: input.playerRef.slice(0, MAX.userKey),
    merchantPayKey: input.reference,
    productName,
    productCount: 1,
    totalPayAmount: amount,
    taxScopeAmount: amount,
    taxExScopeAmount: 0,
    returnUrl: input.returnUrl,
    productItems: [{ categoryType: 'ETC', categoryId: 'ETC', uid: input.reference, name: productName, count: 1 }],
  });
}

/**
 * A page of the history of a time, for one whose paymentId nobody knows. @source developers.pay.naver.com, list/history
 */
export function writeHistoryWindow(from: number, to: number, pageNumber: number): string {
  return JSON.stringify({
    startTime: koreanTime(Math.max(from, to - MAX_WINDOW_MS)),
    endTime: koreanTime(to),
    approvalType: 'ALL',
    pageNumber,
    rowsPerPage: 50,
  });
}

/** @source developers.pay.naver.com, list/history: at most 31 days apart */
const MAX_WINDOW_MS = 31 * DAY_MS;

/** Epoch milliseconds of yyyyMMddHHmmss in Korea; null for anything else. */
export function readKoreanTime(text: string | undefined): number | null {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+09:00`);
  return Number.isNaN(time) ? null : time;
}

/** yyyyMMddHHmmss in Korea, which has no summer time. */
function koreanTime(ms: number): string {
  return new Date(ms + 9 * HOUR_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/**
 * Body of cancel, by us and of all that is left. `expectedRestAmount` is what must be left afterwards: a repeat
 * would leave less, and is refused.
 * @source developers.pay.naver.com, cancel: cancelRequester 2 is the merchant
 */
export function writeCancel(paymentId: string, amount: number): string {
  return new URLSearchParams({
    paymentId,
    cancelAmount: String(amount),
    cancelReason: 'Refund of the order',
    cancelRequester: '2',
    taxScopeAmount: String(amount),
    taxExScopeAmount: '0',
    doCompareRest: '1',
    expectedRestAmount: '0',
  }).toString();
}

/** Reads the answer of apply as a movement; null when it is none. */
export function readApplied(text: string): Movement | null {
  const applied = readAppliedBody(text)?.body;
  const paymentId = applied?.detail.paymentId ?? applied?.paymentId;
  return applied && paymentId ? { ...applied.detail, paymentId } : null;
}

/** @source developers.pay.naver.com, admissionTypeCode */
const KIND: Readonly<Record<string, 'payment' | 'all back' | 'part back'>> = {
  '01': 'payment',
  '03': 'all back',
  '04': 'part back',
};

/**
 * Sums up the movements of one payment; null when there are none that say anything. Only SUCCESS moves money; a refused
 * apply leaves the player free to try again.
 * @source developers.pay.naver.com, admissionState
 */
export function reportMovements(movements: readonly Movement[]): PaymentReport | null {
  const done = movements.filter(({ admissionState }) => admissionState === 'SUCCESS');
  const of = (kind: string) => done.filter(({ admissionTypeCode }) => KIND[admissionTypeCode ?? ''] === kind);
  const [payment] = of('payment');
  const [whole] = of('all back');
  const parts = of('part back');
  const about = (one: Movement, status: PaymentReport['status'], amount: Money | null): PaymentReport => ({
    status,
    reference: one.merchantPayKey ?? null,
    providerRef: null,
    captureRef: one.paymentId,
    amount,
    merchantAccount: null,
    reason: `${one.admissionTypeCode} ${one.admissionState}`,
  });
  const back = [...parts, ...of('all back')];
  const refunds = listRefunds(back);
  const listed = refunds ? { refunds } : {};
  if (whole)
    return { ...about(whole, 'refunded', readAmount(payment?.totalPayAmount ?? whole.totalPayAmount)), ...listed };
  if (parts[0]) return { ...about(parts[0], 'refunded', sum(parts)), ...listed };
  if (payment) return about(payment, 'paid', readAmount(payment.totalPayAmount));
  const refused = movements.find((one) => one.admissionTypeCode === '01' && one.admissionState === 'FAIL');
  return refused ? { ...about(refused, 'declined', null), captureRef: null } : null;
}

/**
 * Each movement back, ours and those of the partner centre; null when one has no number or no amount.
 * @source developers.pay.naver.com, list/history: `payHistId` is the number of one movement
 */
function listRefunds(back: readonly Movement[]): PaymentReport['refunds'] | null {
  const refunds = back.flatMap(({ payHistId, totalPayAmount }) => {
    const amount = readAmount(totalPayAmount);
    return payHistId && amount ? [{ dedupKey: `CANCEL:${payHistId}`, amount }] : [];
  });
  return refunds.length === back.length ? refunds : null;
}

/** UNSURE: that totalPayAmount of a part back is the part; public clients read it so. */
function sum(parts: readonly Movement[]): Money | null {
  const totals = parts.map(({ totalPayAmount }) => readAmount(totalPayAmount));
  if (totals.includes(null)) return null;
  return money(
    totals.reduce((total, one) => total + (one?.amountMinor ?? 0), 0),
    'KRW',
  );
}

/** One sentence of an answer that is no success; null when it is a success or not Naver Pay's. */
export function readFault(text: string): { code: string; reason: string } | null {
  const answer = readEnvelope(text);
  if (!answer || answer.code === 'Success') return null;
  return { code: answer.code, reason: `${answer.code} ${answer.message ?? ''}`.trim().slice(0, 200) };
}
