// Keeps KakaoPay's state: payments by tid, from ready to cancelled.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';

/** @source developers.kakaopay.com, "order": status. AUTH_PASSWORD: the payer agreed, the shop has not approved yet */
export type Status =
  | 'READY'
  | 'AUTH_PASSWORD'
  | 'SUCCESS_PAYMENT'
  | 'QUIT_PAYMENT'
  | 'CANCEL_PAYMENT'
  | 'PART_CANCEL_PAYMENT';

export type Action = { aid: string; type: 'PAYMENT' | 'CANCEL'; won: number; at: number };

export type Payment = {
  tid: string;
  orderId: string;
  userId: string;
  itemName: string;
  quantity: number;
  /** Asked for by ready. */
  won: number;
  /** Really paid, which a fault may make differ. */
  paidWon: number;
  cancelledWon: number;
  approvalUrl: string;
  cancelUrl: string;
  failUrl: string;
  status: Status;
  pgToken?: string;
  actions: Action[];
  faults: Sentinel[];
  createdAt: number;
};

export type KakaoState = {
  payments: Table<Payment>;
  save(payment: Payment): void;
  /** By tid, or by the shop's reference: the newest. */
  find(key: string): Payment | undefined;
};

export function openKakaoState(journal: Journal): KakaoState {
  const payments = journal.table<Payment>('payments');
  const byOrder = new Map<string, string>();
  for (const payment of payments.values()) byOrder.set(payment.orderId, payment.tid);
  return {
    payments,
    save(payment) {
      payments.put(payment.tid, payment);
      byOrder.set(payment.orderId, payment.tid);
    },
    find: (key) => payments.get(key) ?? payments.get(byOrder.get(key) ?? ''),
  };
}

/** @source developers.kakaopay.com, "ready": tid has 20 characters */
export const newTid = (): string => `T${randomUpper(19)}`;
export const newAid = (): string => `A${randomUpper(19)}`;
export const newPgToken = (): string => randomHex(10);

/** Takes a part, or all that is left, back. The caller has looked whether that much is there. */
export function cancelPart(state: KakaoState, payment: Payment, won: number, at: number): Action {
  payment.cancelledWon += won;
  payment.status = payment.cancelledWon === payment.paidWon ? 'CANCEL_PAYMENT' : 'PART_CANCEL_PAYMENT';
  const action: Action = { aid: newAid(), type: 'CANCEL', won, at };
  payment.actions.push(action);
  state.save(payment);
  return action;
}
