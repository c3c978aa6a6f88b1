// Lists Airwallex's payment intents of a span as lines of a settlement file, for a recovery.
import type { ProviderContext, SettlementLine } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount } from './amounts.ts';
import { callAirwallex } from './client.ts';
import { intentStatus, readIntentPage } from './wire.ts';

/** Our choice, below the largest that is allowed. */
const PER_PAGE = 100;
/** Our choice: a list that never ends is a fault. */
const MAX_PAGES = 1000;

/**
 * Payments alone: what went back stands in a list of its own, by the time of the refund, and is learnt by asking for
 * each payment. @source npm @airwallex/node-sdk 2.1.0-beta.5,
 * ParamsPaymentAcceptancePaymentIntentsApilistPaymentIntents. UNSURE: that pages are counted from 0
 */
export async function* listIntents(context: ProviderContext, since: number): AsyncGenerator<SettlementLine> {
  let line = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = new URLSearchParams({
      from_created_at: new Date(since).toISOString().replace('Z', '+0000'),
      page_num: String(page),
      page_size: String(PER_PAGE),
    });
    const { status, text } = await callAirwallex(context, {
      method: 'GET',
      path: `/payment_intents?${asked.toString()}`,
    });
    const list = status === 200 ? readIntentPage(text) : null;
    if (!list)
      throw new OutboundError('network', true, `Airwallex answered ${status} to the list of intents, and no list`);
    for (const intent of list.items) {
      line += 1;
      if (intentStatus(intent.status) !== 'paid') continue;
      const amount = readAmount(intent.captured_amount, intent.currency);
      if (!amount) yield { kind: 'unreadable', line, reason: `the amount "${intent.captured_amount ?? ''}"` };
      else
        yield {
          kind: 'money',
          line,
          movement: 'payment',
          reference: intent.merchant_order_id ?? null,
          captureRef: intent.id,
          amount,
          at: Date.parse(intent.created_at ?? '') || since,
        };
    }
    if (list.has_more !== true) return;
  }
  throw new Error('The list of Airwallex does not end.');
}
