// Keeps Naver Pay's state: reservations, and the payments that payers agreed to, with every movement of their money.

import type { Answer } from '#simulators/kit/answer.ts';
import type { Sentinel } from '#simulators/kit/faults.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';

export type Reservation = {
  reserveId: string;
  merchantPayKey: string;
  merchantUserKey: string;
  productName: string;
  won: number;
  returnUrl: string;
  faults: Sentinel[];
  createdAt: number;
  /** Set once the payer decided. */
  paymentId?: string;
  /** The return carries this when the payer did not agree. */
  refusal?: string;
};

/** @source developers.pay.naver.com, admissionTypeCode: 01 payment, 03 full cancel, 04 partial */
export type Movement = {
  payHistId: string;
  typeCode: '01' | '03' | '04';
  state: 'SUCCESS' | 'FAIL';
  won: number;
  at: number;
};

export type Payment = {
  paymentId: string;
  reserveId: string;
  /** When the payer agreed: apply must follow in time. */
  agreedAt: number;
  movements: Movement[];
};

export type NaverState = {
  reservations: Table<Reservation>;
  payments: Table<Payment>;
  /** Answers by idempotency key. */
  replies: Table<Answer>;
  save(reservation: Reservation): void;
  /** By reserveId, paymentId, or the shop's key: the newest. */
  find(key: string): Reservation | undefined;
  paymentOf(reservation: Reservation): Payment | undefined;
  ofPayment(payment: Payment): Reservation;
};

export function openNaverState(journal: Journal): NaverState {
  const reservations = journal.table<Reservation>('reservations');
  const payments = journal.table<Payment>('payments');
  const byKey = new Map<string, string>();
  for (const one of reservations.values()) byKey.set(one.merchantPayKey, one.reserveId);
  return {
    reservations,
    payments,
    replies: journal.table('replies'),
    save(reservation) {
      reservations.put(reservation.reserveId, reservation);
      byKey.set(reservation.merchantPayKey, reservation.reserveId);
    },
    find: (key) =>
      reservations.get(key) ??
      reservations.get(byKey.get(key) ?? '') ??
      reservations.get(payments.get(key)?.reserveId ?? ''),
    paymentOf: (reservation) => payments.get(reservation.paymentId ?? ''),
    ofPayment: (payment) => reservations.get(payment.reserveId)!,
  };
}

/** yyyyMMddHHmmss of Korea. */
export function koreanStamp(ms: number): string {
  return new Date(ms + 9 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/** As in public examples: date, NP, digits. */
export const newPaymentId = (now: number): string => `${koreanStamp(now).slice(0, 8)}NP${randomUpper(10)}`;
export const newHistId = (now: number): string => `${koreanStamp(now).slice(0, 8)}NH${randomUpper(10)}`;
export const newReserveId = (): string => randomUpper(20);

/** Returns the rest of the money, in won. */
export function restOf(payment: Payment): number {
  const done = payment.movements.filter(({ state }) => state === 'SUCCESS');
  return done.reduce((rest, one) => (one.typeCode === '01' ? rest + one.won : rest - one.won), 0);
}

/** Takes a part, or all that is left, back. The caller has looked whether that much is there. */
export function cancelPart(state: NaverState, payment: Payment, won: number, at: number): Movement {
  const typeCode = won === restOf(payment) && payment.movements.length === 1 ? '03' : '04';
  const movement: Movement = { payHistId: newHistId(at), typeCode, state: 'SUCCESS', won, at };
  payment.movements.push(movement);
  state.payments.put(payment.paymentId, payment);
  return movement;
}
