// Airwallex's webhooks: one event a post, signed over the time of the post and the body.

import { createHmac } from 'node:crypto';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import { type AirwallexAccount, type AirwallexState, type Intent, newId, type Refund } from './airwallex-state.ts';
import { writeIntent, writeMajor, writeRefund } from './airwallex-views.ts';
import type { Context } from './context.ts';

export type AirwallexEvents = {
  succeeded(intent: Intent): Promise<void>;
  /** `requires_payment_method` after a refused attempt, `pending`, `cancelled`. */
  changed(intent: Intent): Promise<void>;
  refunded(intent: Intent, refund: Refund, delayMs: number): Promise<void>;
  disputed(intent: Intent): Promise<void>;
  emit(intent: Intent, name: string): Promise<boolean>;
};

/** `hex(HMAC-SHA256(secret, time + body))`. @source airwallex.com/docs webhooks */
function signAirwallex(timestamp: string, body: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(timestamp + body)
    .digest('hex');
}

/** Signed at every attempt anew; a payer who asked for it gets a wrong secret each time. */
export function stampAirwallex(context: Context, account: AirwallexAccount, state: AirwallexState) {
  return (draft: CallbackDraft): Record<string, string> => {
    const isBad = state.find(draft.reference)?.faults.includes('bad-signature') ?? false;
    const timestamp = String(context.clock.now());
    const secret = isBad ? `${account.webhookSecret}x` : account.webhookSecret;
    return { 'x-timestamp': timestamp, 'x-signature': signAirwallex(timestamp, draft.body, secret) };
  };
}

export function createAirwallexEvents(context: Context, account: AirwallexAccount, outbox: Outbox): AirwallexEvents {
  const draft = (intent: Intent, name: string, object: unknown): CallbackDraft => ({
    reference: intent.orderId,
    kind: name,
    headers: {},
    body: JSON.stringify({
      id: newId('evt'),
      name,
      account_id: intent.faults.includes('wrong-merchant') ? `${account.accountId}x` : account.accountId,
      created_at: new Date(context.clock.now()).toISOString().replace('Z', '+0000'),
      data: { object },
    }),
  });
  const ofIntent = (intent: Intent, name = `payment_intent.${intent.status.toLowerCase()}`) => {
    // Another order of the merchant is another intent.
    const shown = intent.faults.includes('wrong-reference')
      ? { ...intent, id: `${intent.id}x`, orderId: `${intent.orderId}X` }
      : intent;
    return draft(intent, name, writeIntent(shown, context.clock.now()));
  };
  const ofDispute = (intent: Intent, name: string) =>
    draft(intent, name, {
      id: newId('dst'),
      payment_intent_id: intent.id,
      payment_attempt_id: intent.attemptId,
      merchant_order_id: intent.orderId,
      amount: writeMajor(intent.captured ?? intent.amount),
      currency: (intent.captured ?? intent.amount).currency,
      stage: 'CHARGEBACK',
      status: 'REQUIRES_RESPONSE',
    });

  return {
    succeeded: (intent) =>
      deliverOutcome(outbox, intent.faults, {
        success: [ofIntent(intent)],
        // A refused attempt of the same intent, before the one that succeeded.
        stale: () => [ofIntent({ ...intent, status: 'REQUIRES_PAYMENT_METHOD', captured: undefined })],
      }),
    changed: (intent) => outbox.send(ofIntent(intent)),
    refunded: (intent, refund, delayMs) =>
      outbox.send(draft(intent, `refund.${refund.status.toLowerCase()}`, writeRefund(refund)), delayMs),
    disputed: (intent) => outbox.send(ofDispute(intent, 'payment_dispute.requires_response')),
    async emit(intent, name) {
      if (!/^[a-z_]+\.[a-z_]+$/.test(name)) return false;
      await outbox.send(name.startsWith('payment_dispute.') ? ofDispute(intent, name) : ofIntent(intent, name));
      return true;
    },
  };
}
