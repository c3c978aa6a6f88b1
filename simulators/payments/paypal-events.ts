// PayPal's webhooks: building, signing, sending.

import { randomUUID } from 'node:crypto';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import type { Context } from './context.ts';
import { signedText, signText } from './paypal-signature.ts';
import type { Capture, Order, Refund } from './paypal-state.ts';
import { type Bases, captureView, orderView, refundView } from './paypal-views.ts';

export type PaypalEvents = {
  approved(order: Order): Promise<void>;
  captured(order: Order, capture: Capture): Promise<void>;
  refunded(order: Order, refund: Refund, kind: 'REFUNDED' | 'REVERSED'): Promise<void>;
  /** Sends one named event about the order as it stands; false when there is none of that kind to tell of. */
  emit(order: Order, kind: string): Promise<boolean>;
};

export const certPath = '/v1/notifications/certs/CERT-SIMULATED';

export function createPaypalEvents(context: Context, outbox: Outbox, bases: () => Bases): PaypalEvents {
  const { webhookId, privateKey } = context.credentials.paypal;

  function draft(order: Order, kind: string, resourceType: string, resource: unknown): CallbackDraft {
    const time = new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = JSON.stringify({
      id: `WH-${randomUpper(17)}-${randomUpper(17)}`,
      create_time: time,
      resource_type: resourceType,
      event_type: kind,
      summary: `Simulated ${kind}`,
      resource,
      links: [],
      event_version: '1.0',
      resource_version: '2.0',
    });
    const transmissionId = randomUUID();
    const signed = signedText({ transmissionId, time, webhookId, rawBody: body });
    // A wrong signature of the right form: signed, but over another text.
    const isBad = order.faults.includes('bad-signature');
    return {
      reference: order.customId ?? order.id,
      kind,
      body,
      headers: {
        'paypal-transmission-id': transmissionId,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': signText(isBad ? `${signed}0` : signed, privateKey),
        'paypal-cert-url': `${bases().api}${certPath}`,
        'paypal-auth-algo': 'SHA256withRSA',
      },
    };
  }

  const approvedDraft = (order: Order) =>
    draft(order, 'CHECKOUT.ORDER.APPROVED', 'checkout-order', orderView(order, bases(), true));

  const captureDraft = (order: Order, capture: Capture, name: string) => {
    const status = name === 'DENIED' ? 'DECLINED' : name === 'PENDING' ? 'PENDING' : capture.status;
    const named = order.faults.includes('wrong-reference') ? { ...order, customId: `${order.customId}X` } : order;
    return draft(order, `PAYMENT.CAPTURE.${name}`, 'capture', captureView(named, { ...capture, status }, bases()));
  };

  return {
    async approved(order) {
      // The timeout word is about the capture: its approval is an ordinary one.
      const faults = order.faults.filter((word) => word === 'lost' || word === 'late' || word === 'duplicate');
      await deliverOutcome(outbox, faults, { success: [approvedDraft(order)], stale: () => [] });
    },
    async captured(order, capture) {
      const name = capture.status === 'PENDING' ? 'PENDING' : 'COMPLETED';
      await deliverOutcome(outbox, order.faults, {
        success: [captureDraft(order, capture, name)],
        stale: () => [captureDraft(order, capture, 'PENDING'), captureDraft(order, capture, 'DENIED')],
      });
    },
    async refunded(order, refund, kind) {
      // UNSURE: whether the resource of these two is the refund or the capture; PayPal's published samples show the
      // refund, with the capture as link `up`.
      await outbox.send(draft(order, `PAYMENT.CAPTURE.${kind}`, 'refund', refundView(refund, bases())));
    },
    async emit(order, kind) {
      const name = /^PAYMENT\.CAPTURE\.([A-Z]+)$/.exec(kind)?.[1];
      if (kind === 'CHECKOUT.ORDER.APPROVED') await outbox.send(approvedDraft(order));
      else if (name && order.capture) await outbox.send(captureDraft(order, order.capture, name));
      else return false;
      return true;
    },
  };
}
