// Airwallex's side of a payment: attempts at an intent, cancelling, refunds, disputes.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Amount } from '#simulators/kit/money.ts';
import type { AirwallexEvents } from './airwallex-events.ts';
import { type AirwallexState, type Intent, newId, type Refund } from './airwallex-state.ts';
import { type Context, laterMs } from './context.ts';

export type AirwallexPay = {
  isOpen(intent: Intent): boolean;
  pay(intent: Intent, note: Sentinel[], isLater: boolean): Promise<void>;
  decline(intent: Intent): Promise<void>;
  settle(intent: Intent): Promise<void>;
  cancel(intent: Intent): Promise<void>;
  /** Takes on a refund; its outcome follows by webhook. Undefined: more than is left. */
  refund(intent: Intent, asked: Omit<Refund, 'id' | 'status' | 'intentId'>): Refund | undefined;
  dispute(intent: Intent): Promise<void>;
  resume(): void;
};

/** A refund is told this long after its call was answered. Our choice; Airwallex takes minutes to days. */
const refundMs = 300;

export function createAirwallexPay(context: Context, state: AirwallexState, events: AirwallexEvents): AirwallexPay {
  const { clock } = context;
  const isOpen = ({ status }: Intent) => status === 'REQUIRES_PAYMENT_METHOD' || status === 'REQUIRES_CUSTOMER_ACTION';

  const attempt = (intent: Intent, status: Intent['status']) => {
    intent.attemptId = newId('att');
    intent.method ??= 'card';
    intent.status = status;
    intent.settlesAt = undefined;
  };
  const settle = async (intent: Intent) => {
    if (intent.status !== 'PENDING') return;
    intent.status = 'SUCCEEDED';
    intent.settlesAt = undefined;
    intent.captured = takenAmount(intent.amount, intent.faults);
    state.save(intent);
    await events.succeeded(intent);
  };
  const settleAt = (intent: Intent, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(intent));

  return {
    isOpen,
    settle,
    async pay(intent, note, isLater) {
      if (!isOpen(intent)) return;
      intent.faults = [...intent.faults, ...note];
      attempt(intent, 'PENDING');
      if (!isLater) return settle(intent);
      intent.settlesAt = clock.now() + laterMs;
      state.save(intent);
      settleAt(intent, intent.settlesAt);
      await events.changed(intent);
    },
    async decline(intent) {
      if (!isOpen(intent)) return;
      attempt(intent, 'REQUIRES_PAYMENT_METHOD');
      state.save(intent);
      await events.changed(intent);
    },
    async cancel(intent) {
      intent.status = 'CANCELLED';
      state.save(intent);
      await events.changed(intent);
    },
    refund(intent, asked) {
      const left = (intent.captured?.amountMinor ?? 0) - intent.refundedMinor;
      if (intent.status !== 'SUCCEEDED' || asked.amount.amountMinor > left) return undefined;
      intent.refundedMinor += asked.amount.amountMinor;
      state.save(intent);
      const refund: Refund = { ...asked, id: newId('rfd'), intentId: intent.id, status: 'RECEIVED' };
      state.refunds.put(refund.id, refund);
      clock.after(refundMs, () => {
        const settled: Refund = { ...refund, status: 'SETTLED' };
        state.refunds.put(refund.id, settled);
        void events.refunded(intent, settled, 0);
      });
      return refund;
    },
    dispute: (intent) => events.disputed(intent),
    resume() {
      for (const intent of state.intents.values()) {
        if (intent.settlesAt !== undefined) settleAt(intent, intent.settlesAt);
      }
    },
  };
}

function takenAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - 1 };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'EUR' ? 'USD' : 'EUR' };
  return asked;
}
