// A callback as it is kept: in its table and in the local record. The only place that decides what of a stranger's
// message is stored, so nothing is masked in one of them and not in the other. Its signature was checked before.
import type { RawCallback } from '#server/modules/payments/provider.ts';
import { maskedText } from '#server/platform/outbound/outbound-record.ts';

export type StoredCallback = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * Headers of every callback worth keeping for audit, beside those its provider signs; the rest may hold credentials.
 */
const KEPT_HEADERS = ['content-type', 'user-agent', 'date'];
/** Our choice: an RSA signature of 4,096 bits in base64, escaped for a header, is under 1,000 characters. */
const MAX_HEADER = 2000;
const MAX_BODY = 32_000;

export function toStoredCallback(raw: RawCallback, signedHeaders: readonly string[]): StoredCallback {
  return { headers: keepHeaders(raw.headers, signedHeaders), body: maskedText(raw.body.toString('utf8'), MAX_BODY) };
}

/** A callback as it came, for one that still has to be proven: nothing is masked. `body` in base64. */
export type WholeCallback = Omit<RawCallback, 'body'> & { readonly body: string };

export function toWholeCallback(raw: RawCallback, signedHeaders: readonly string[]): WholeCallback {
  const { body, headers, ip, method, path, query, topic } = raw;
  const kept = keepHeaders(headers, signedHeaders);
  return { method, path, topic, headers: kept, query, body: body.toString('base64'), ip };
}

export function readWholeCallback(whole: WholeCallback): RawCallback {
  return { ...whole, body: Buffer.from(whole.body, 'base64') };
}

function keepHeaders(headers: RawCallback['headers'], signed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...KEPT_HEADERS, ...signed].flatMap((name) => (headers[name] ? [[name, headers[name].slice(0, MAX_HEADER)]] : [])),
  );
}
