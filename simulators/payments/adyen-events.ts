// Adyen's standard notifications: a batch of one signed item.

import { deliverOutcome } from '#simulators/kit/deliver.ts';
import type { Amount } from '#simulators/kit/money.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import { writeMoney } from './adyen-amounts.ts';
import { type SignedItem, signItem } from './adyen-signature.ts';
import { newPspReference, type Payment } from './adyen-state.ts';
import type { Context } from './context.ts';

export type Modification = {
  eventCode: string;
  pspReference: string;
  amount: Amount;
  isSuccess: boolean;
  reason?: string;
};

export type AdyenEvents = {
  authorised(payment: Payment): Promise<void>;
  refused(payment: Payment): Promise<void>;
  pending(payment: Payment): Promise<void>;
  /** CAPTURE, REFUND, CANCELLATION, CHARGEBACK: its `originalReference` is the payment. */
  modified(payment: Payment, change: Modification, reference?: string, delayMs?: number): Promise<void>;
  expired(linkReference: string, amount: Amount): Promise<void>;
  emit(payment: Payment, kind: string): Promise<boolean>;
};

export function createAdyenEvents(context: Context, outbox: Outbox): AdyenEvents {
  const { merchantAccount, hmacKey } = context.credentials.adyen;
  const wrongKey = hmacKey.replace(/^../, (first) => (first === '00' ? '01' : '00'));

  function draft(
    item: {
      eventCode: string;
      isSuccess: boolean;
      pspReference: string;
      reference: string;
      amount: Amount;
      originalReference?: string;
      reason?: string;
      merchantAccount?: string;
    },
    isBad: boolean,
  ): CallbackDraft {
    const signed: SignedItem = {
      pspReference: item.pspReference,
      ...(item.originalReference ? { originalReference: item.originalReference } : {}),
      merchantAccountCode: item.merchantAccount ?? merchantAccount,
      merchantReference: item.reference,
      amount: writeMoney(item.amount),
      eventCode: item.eventCode,
      success: item.isSuccess ? 'true' : 'false',
    };
    const body = JSON.stringify({
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: { hmacSignature: signItem(signed, isBad ? wrongKey : hmacKey) },
            ...signed,
            eventDate: new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, '+00:00'),
            operations: item.eventCode === 'AUTHORISATION' && item.isSuccess ? ['CANCEL', 'CAPTURE', 'REFUND'] : [],
            paymentMethod: 'visa',
            reason: item.reason ?? '',
          },
        },
      ],
    });
    return { reference: item.reference, kind: `${item.eventCode}:${signed.success}`, body, headers: {} };
  }

  const authorisation = (payment: Payment, isSuccess: boolean, pspReference = payment.pspReference) =>
    draft(
      {
        eventCode: 'AUTHORISATION',
        isSuccess,
        pspReference,
        reference: payment.faults.includes('wrong-reference') ? `${payment.reference}X` : payment.reference,
        ...(payment.faults.includes('wrong-merchant') ? { merchantAccount: `${merchantAccount}X` } : {}),
        // An amount that is not there cannot be signed: a currency of ISO 4217 that is none stands for it.
        amount: payment.faults.includes('unreadable') ? { ...payment.amount, currency: 'XTS' } : payment.amount,
        reason: isSuccess ? '012345:1111:03/2030' : 'Refused',
      },
      payment.faults.includes('bad-signature'),
    );
  const pendingDraft = (payment: Payment) =>
    draft(
      {
        eventCode: 'PENDING',
        isSuccess: true,
        pspReference: payment.pspReference,
        reference: payment.reference,
        amount: payment.amount,
      },
      false,
    );

  return {
    authorised: (payment) =>
      deliverOutcome(outbox, payment.faults, {
        success: [authorisation(payment, true)],
        // A refused try at the same link, before the one that succeeded: another payment of the same reference.
        stale: () => [authorisation(payment, false, newPspReference())],
      }),
    refused: (payment) => outbox.send(authorisation(payment, false)),
    pending: (payment) => outbox.send(pendingDraft(payment)),
    modified: (payment, change, reference = payment.reference, delayMs = 0) =>
      outbox.send(
        draft(
          { ...change, reference, originalReference: payment.pspReference },
          payment.faults.includes('bad-signature'),
        ),
        delayMs,
      ),
    expired: (reference, amount) =>
      outbox.send(
        draft(
          { eventCode: 'OFFER_CLOSED', isSuccess: true, pspReference: newPspReference(), reference, amount },
          false,
        ),
      ),
    async emit(payment, kind) {
      const [eventCode = '', success = 'true'] = kind.split(':');
      if (!/^[A-Z_]+$/.test(eventCode)) return false;
      if (eventCode === 'AUTHORISATION') await outbox.send(authorisation(payment, success === 'true'));
      else if (eventCode === 'PENDING') await outbox.send(pendingDraft(payment));
      else {
        const change = {
          eventCode,
          isSuccess: success === 'true',
          pspReference: newPspReference(),
          amount: payment.amount,
        };
        await outbox.send(
          draft({ ...change, reference: payment.reference, originalReference: payment.pspReference }, false),
        );
      }
      return true;
    },
  };
}
