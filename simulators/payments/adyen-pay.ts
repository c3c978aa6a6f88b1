// Adyen's side of a payment: authorise at a link, capture, refund, reverse.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Amount } from '#simulators/kit/money.ts';
import type { AdyenEvents } from './adyen-events.ts';
import { type AdyenState, newPspReference, type Payment, type PaymentLink } from './adyen-state.ts';
import { type Context, laterMs } from './context.ts';

export type AdyenPay = {
  /** Pays, or begins to when `isLater`. A link that was paid before answers that payment. */
  pay(link: PaymentLink, note: Sentinel[], isLater: boolean): Promise<Payment>;
  decline(link: PaymentLink): Promise<Payment>;
  settle(payment: Payment): Promise<void>;
  /** Takes on a capture, refund, reversal or cancellation; its outcome follows by webhook. The new pspReference. */
  modify(payment: Payment, verb: Verb, amount: Amount, reference: string | undefined): string;
  chargeback(payment: Payment): Promise<void>;
  resume(): void;
};

export type Verb = 'captures' | 'refunds' | 'reversals' | 'cancels';

/**
 * The outcome of a modification is told this long after its call was answered. Our choice; Adyen takes minutes to days.
 */
const modificationMs = 300;

export function createAdyenPay(context: Context, state: AdyenState, events: AdyenEvents): AdyenPay {
  const { clock } = context;

  const begin = (link: PaymentLink, faults: Sentinel[], status: Payment['status']): Payment => {
    const payment: Payment = {
      pspReference: newPspReference(),
      linkId: link.id,
      reference: link.reference,
      amount: paidAmount(link.amount, faults),
      status,
      refundedMinor: 0,
      faults,
      createdAt: clock.now(),
    };
    link.pspReference = payment.pspReference;
    return payment;
  };
  const save = (link: PaymentLink, payment: Payment) => {
    state.payments.put(payment.pspReference, payment);
    state.saveLink(link);
  };

  const book = (payment: Payment, kind: 'payment' | 'refund' | 'chargeback', id: string, amount: Amount) =>
    state.settlement.book({
      id,
      kind,
      paymentId: payment.pspReference,
      reference: payment.reference,
      amount,
      at: clock.now(),
    });

  const authorise = async (link: PaymentLink, payment: Payment) => {
    payment.status = link.isManualCapture ? 'authorised' : 'captured';
    delete payment.settlesAt;
    link.status = 'completed';
    save(link, payment);
    if (payment.status === 'captured') book(payment, 'payment', payment.pspReference, payment.amount);
    await events.authorised(payment);
  };
  const settle = async (payment: Payment) => {
    const link = state.links.get(payment.linkId);
    if (payment.status === 'pending' && link) await authorise(link, payment);
  };
  const settleAt = (payment: Payment, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(payment));

  return {
    settle,
    async pay(link, note, isLater) {
      const known = state.paymentOf(link);
      if (known && known.status !== 'refused') return known;
      const payment = begin(link, [...link.faults, ...note], 'pending');
      if (isLater) {
        link.status = 'paymentPending';
        payment.settlesAt = clock.now() + laterMs;
        save(link, payment);
        settleAt(payment, payment.settlesAt);
        await events.pending(payment);
      } else await authorise(link, payment);
      return payment;
    },
    async decline(link) {
      const payment = begin(link, [], 'refused');
      save(link, payment);
      await events.refused(payment);
      return payment;
    },
    modify(payment, verb, amount, reference) {
      const pspReference = newPspReference();
      const leftMinor = payment.amount.amountMinor - payment.refundedMinor;
      const isSameCurrency = amount.currency === payment.amount.currency;
      // A reversal cancels what was not captured and refunds what was.
      const isRefund = verb === 'refunds' || (verb === 'reversals' && payment.status === 'captured');
      let isSuccess: boolean;
      if (isRefund) {
        isSuccess = payment.status === 'captured' && isSameCurrency && amount.amountMinor <= leftMinor;
        if (isSuccess) {
          payment.refundedMinor += amount.amountMinor;
          book(payment, 'refund', pspReference, amount);
        }
      } else {
        isSuccess =
          payment.status === 'authorised' && isSameCurrency && amount.amountMinor <= payment.amount.amountMinor;
        if (isSuccess) payment.status = verb === 'captures' ? 'captured' : 'cancelled';
        if (payment.status === 'captured') book(payment, 'payment', pspReference, amount);
      }
      state.payments.put(payment.pspReference, payment);
      const eventCode = {
        captures: 'CAPTURE',
        refunds: 'REFUND',
        reversals: 'CANCEL_OR_REFUND',
        cancels: 'CANCELLATION',
      }[verb];
      const reason = isSuccess
        ? {}
        : { reason: isRefund ? 'Insufficient balance on payment' : 'Payment cannot be modified in its state' };
      void events.modified(
        payment,
        { eventCode, pspReference, amount, isSuccess, ...reason },
        reference,
        modificationMs,
      );
      return pspReference;
    },
    async chargeback(payment) {
      payment.status = 'chargeback';
      state.payments.put(payment.pspReference, payment);
      const pspReference = newPspReference();
      book(payment, 'chargeback', pspReference, payment.amount);
      await events.modified(payment, {
        eventCode: 'CHARGEBACK',
        pspReference,
        amount: payment.amount,
        isSuccess: true,
      });
    },
    resume() {
      for (const payment of state.payments.values()) {
        if (payment.settlesAt !== undefined) settleAt(payment, payment.settlesAt);
      }
    },
  };
}

function paidAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - 1 };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'EUR' ? 'USD' : 'EUR' };
  return asked;
}
