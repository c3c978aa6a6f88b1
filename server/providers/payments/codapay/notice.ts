// Codapay's completion notification: its fields, its checksum, its acknowledgement. Pure: no calls, no clock.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { CallbackAnswer, RawCallback } from '#server/modules/payments/provider.ts';

export type Notice = { readonly txnId: string; readonly orderId: string; readonly resultCode: string };

/** @source coda-payments.gitbook.io, transaction notification */
export const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'ResultCode=0' };
export const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: 'ResultCode=401' };

/**
 * Lower-case hex MD5 over the texts as they came, nothing between them. TotalPrice is NOT covered.
 * @source coda-payments.gitbook.io, transaction notification
 */
export function checksumOf({ txnId, orderId, resultCode }: Notice, apiKey: string): string {
  return createHash('md5').update(`${txnId}${apiKey}${orderId}${resultCode}`, 'utf8').digest('hex');
}

/**
 * The notification if its checksum fits, in constant time; null when it does not, or when there is no key to check by.
 */
export function readNotice(raw: RawCallback, apiKey: string): Notice | null {
  const fields = fieldsOf(raw);
  const { TxnId: txnId = '', OrderId: orderId = '', ResultCode: resultCode = '', Checksum: checksum = '' } = fields;
  // Digits may still move between order and code under one checksum; the inquiry that follows names the order.
  if (apiKey === '' || !/^\d{1,25}$/.test(txnId) || !/^-?\d{1,9}$/.test(resultCode) || orderId.length > 64) return null;
  const notice = { txnId, orderId, resultCode };
  const wanted = Buffer.from(checksumOf(notice, apiKey), 'utf8');
  const given = Buffer.from(checksum.toLowerCase(), 'utf8');
  return wanted.length === given.length && timingSafeEqual(wanted, given) ? notice : null;
}

/**
 * GET unless "Activate POST notifications" is on. UNSURE: the body of a POST is not shown; a form is
 * read, in the names of the query.
 */
function fieldsOf({ method, query, body }: RawCallback): Readonly<Record<string, string>> {
  if (method !== 'POST' || body.length === 0) return query;
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
