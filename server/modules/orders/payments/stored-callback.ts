// A callback as it is kept: in its table and in the local record. The only place that decides what of a stranger's
// message is stored, so nothing is masked in one of them and not in the other. Its signature was checked before, and
// what is booked was read before, from the bytes themselves.
import { hash } from 'node:crypto';
import type { CallbackEvent, PaymentProvider, RawCallback } from '#server/modules/payments/provider.ts';
import { maskPersons } from '#server/platform/masking/mask-persons.ts';

export type StoredCallback = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/**
 * Headers of every callback worth keeping for audit, beside those its provider signs; the rest may hold credentials.
 */
const KEPT_HEADERS = ['content-type', 'user-agent', 'date'];
/** Our choice: an RSA signature of 4,096 bits in base64, escaped for a header, is under 1,000 characters. */
const MAX_HEADER = 2000;
const MAX_BODY = 32_000;

type Masking = Pick<PaymentProvider, 'signedHeaders' | 'personalFields'>;

/**
 * Without the persons in it. A masked body fits no signature any more: `body-sha256` is of the bytes as they came, so
 * that a copy which the provider shows in a dispute can be proven to be the same.
 */
export function toStoredCallback(
  { headers, body }: Pick<RawCallback, 'headers' | 'body'>,
  { signedHeaders, personalFields }: Masking,
): StoredCallback {
  const kept = Object.entries(keepHeaders(headers, signedHeaders)).map(([name, value]) => [
    name,
    maskPersons(value, personalFields),
  ]);
  return {
    headers: { ...Object.fromEntries(kept), 'body-sha256': hash('sha256', body) },
    body: maskPersons(body.toString('utf8').replaceAll('\0', ''), personalFields).slice(0, MAX_BODY),
  };
}

/** Masks persons in the events read from a callback and in the pieces of its text that go along. */
export function maskEvents(
  events: readonly CallbackEvent[],
  { personalFields }: Pick<Masking, 'personalFields'>,
): CallbackEvent[] {
  const mask = (text: string) => maskPersons(text, personalFields);
  return events.map(({ dedupKey, report }) => ({
    dedupKey,
    report: {
      ...report,
      reason: report.reason === null ? null : mask(report.reason),
      ...(report.raw === undefined ? {} : { raw: mask(report.raw) }),
    },
  }));
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

/** As they came: signatures are over bytes. */
function keepHeaders(headers: RawCallback['headers'], signed: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    [...KEPT_HEADERS, ...signed].flatMap((name) => (headers[name] ? [[name, headers[name].slice(0, MAX_HEADER)]] : [])),
  );
}
