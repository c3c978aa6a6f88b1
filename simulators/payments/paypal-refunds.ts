// PayPal's refunds, whole and partial, and the money that a bank takes back.

import type { Answer } from '#simulators/kit/answer.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { readMoney } from './paypal-amounts.ts';
import type { PaypalEvents } from './paypal-events.ts';
import type { Order, PaypalState, Refund } from './paypal-state.ts';
import { type Bases, paypalError, refundView } from './paypal-views.ts';

export type PaypalRefunds = {
  refund(captureId: string, body: unknown, requestId: string | undefined): Answer;
  chargeback(order: Order): Promise<void>;
};

export function createPaypalRefunds(
  context: Context,
  state: PaypalState,
  events: PaypalEvents,
  bases: () => Bases,
): PaypalRefunds {
  function book(order: Order, amountMinor: number, body: unknown, kind: 'refund' | 'chargeback' = 'refund'): Refund {
    const capture = order.capture!;
    capture.refundedMinor += amountMinor;
    capture.status = capture.refundedMinor === capture.amount.amountMinor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    state.save(order);
    const customId = textAt(body, 'custom_id') ?? order.customId;
    const invoiceId = textAt(body, 'invoice_id') ?? order.invoiceId;
    const note = textAt(body, 'note_to_payer');
    const refund: Refund = {
      id: randomUpper(17),
      orderId: order.id,
      captureId: capture.id,
      status: 'COMPLETED',
      amount: { amountMinor, currency: capture.amount.currency },
      createTime: new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(customId ? { customId } : {}),
      ...(invoiceId ? { invoiceId } : {}),
      ...(note ? { note } : {}),
    };
    state.refunds.put(refund.id, refund);
    state.settlement.book({
      id: refund.id,
      kind,
      paymentId: capture.id,
      reference: customId ?? '',
      amount: refund.amount,
      at: context.clock.now(),
    });
    return refund;
  }

  return {
    refund(captureId, body, requestId) {
      const now = context.clock.now();
      const replayed = state.refunds.get(state.replayed('refund', requestId, now) ?? '');
      if (replayed) return { status: 200, body: refundView(replayed, bases()) };
      const order = state.orderOfCapture(captureId);
      const capture = order?.capture;
      if (!order || !capture) return paypalError('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'capture_id');
      const leftMinor = capture.amount.amountMinor - capture.refundedMinor;
      if (capture.status === 'PENDING') return paypalError('UNPROCESSABLE_ENTITY', 'PENDING_CAPTURE');
      if (leftMinor === 0) return paypalError('UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED');
      let amountMinor = leftMinor;
      if (at(body, 'amount') !== undefined) {
        const asked = readMoney(at(body, 'amount'));
        if (asked === 'MISSING_REQUIRED_PARAMETER') return paypalError('INVALID_REQUEST', asked, '/amount');
        if (typeof asked === 'string') return paypalError('UNPROCESSABLE_ENTITY', asked, '/amount');
        if (asked.currency !== capture.amount.currency) {
          return paypalError('UNPROCESSABLE_ENTITY', 'REFUND_CAPTURE_CURRENCY_MISMATCH', '/amount/currency_code');
        }
        amountMinor = asked.amountMinor;
      }
      if (amountMinor > leftMinor)
        return paypalError('UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED', '/amount/value');
      const refund = book(order, amountMinor, body);
      state.rememberRequest('refund', requestId, refund.id, now);
      void events.refunded(order, refund, 'REFUNDED');
      return { status: 201, body: refundView(refund, bases()) };
    },
    async chargeback(order) {
      const capture = order.capture;
      if (!capture) return;
      const leftMinor = capture.amount.amountMinor - capture.refundedMinor;
      if (leftMinor > 0) await events.refunded(order, book(order, leftMinor, undefined, 'chargeback'), 'REVERSED');
    },
  };
}
