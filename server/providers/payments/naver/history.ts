// Finds a payment in Naver Pay's history: by its id first, else among everything that moved since the payment was
// begun.
import type { KnownPayment, ProviderContext } from '#server/modules/payments/provider.ts';
import { listAt, wordAt } from '#server/providers/payments/kit/json.ts';
import { post } from './client.ts';
import { type Movement, readFault, readHistory, readPageCount, writeHistoryWindow } from './wire.ts';

/**
 * Our choice: 500 movements since the payment began; beyond that a person finds it by its
 * reference in the merchant console.
 */
const MAX_PAGES = 10;

/** The clocks of two machines, and the whole seconds of the wire. */
const MARGIN_MS = 5 * 60 * 1000;

/** An answer that is no history. `isPaid`: it names a payment that succeeded all the same. */
export type Unreadable = { readonly status: number; readonly text: string; readonly isPaid: boolean };

/**
 * Movements of the payment; empty when Naver Pay says there are none. Throws OutboundError without an answer.
 * The second look is for a player who came back with another id after an apply whose answer was lost: that
 * one is found by our reference.
 * @source developers.pay.naver.com, list/history
 */
export async function findMovements(
  context: ProviderContext,
  payment: KnownPayment,
  paymentId: string,
): Promise<readonly Movement[] | Unreadable> {
  const path = `v2.2/list/history/${encodeURIComponent(paymentId)}`;
  const byId = await askHistory(context, path, '{}', payment.reference);
  if (typeof byId === 'object' && 'text' in byId) return byId;
  // UNSURE: whether an id that was not applied yet is an empty list or a refusal; both lead on.
  if (byId !== 'refused' && byId.list.length > 0) return byId.list;
  const to = context.now() + MARGIN_MS;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const body = writeHistoryWindow(payment.createdAt - MARGIN_MS, to, page);
    // One after the other: the page before says whether there is another.
    const found = await askHistory(context, 'v2.2/list/history', body, payment.reference);
    if (found === 'refused') return { status: 200, text: 'refused', isPaid: false };
    if ('text' in found) return found;
    const own = found.list.filter(({ merchantPayKey }) => merchantPayKey === payment.reference);
    if (own.length > 0) return own;
    const pages = readPageCount(found.totalPageCount);
    if (pages !== null && page >= pages) break;
  }
  return [];
}

async function askHistory(
  context: ProviderContext,
  path: string,
  json: string,
  reference: string,
): Promise<{ list: Movement[]; totalPageCount?: string } | 'refused' | Unreadable> {
  const { status, text } = await post(context, { path, json });
  if (status !== 200) return { status, text, isPaid: false };
  if (readFault(text)) return 'refused';
  const isPayment = (one: string) =>
    wordAt(one, 'admissionTypeCode') === '01' && wordAt(one, 'admissionState') === 'SUCCESS';
  // Of a torn list of a time only the movements of one payment may be believed to be ours.
  const isPaid = listAt(text, 'body', 'list').some(
    (one) => isPayment(one) && (json === '{}' || wordAt(one, 'merchantPayKey') === reference),
  );
  return readHistory(text)?.body ?? { status, text, isPaid };
}
