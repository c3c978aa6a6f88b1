// A callback as it may be stored: without the persons in it. What is booked was read before, from the bytes themselves.
import { createHash } from 'node:crypto';
import type { PaymentProvider, PaymentReport, RawCallback } from '#server/modules/payments/provider.ts';
import { maskPersons } from '#server/platform/masking/mask-persons.ts';

/**
 * Headers of every callback worth keeping for audit, beside those its provider signs; the rest may hold credentials.
 */
const KEPT_HEADERS = ['content-type', 'user-agent', 'date'];

/** Our choice: an RSA signature of 4,096 bits in base64, escaped for a header, is under 1,000 characters. */
const MAX_HEADER = 2000;
const MAX_BODY = 32_000;

type Masking = Pick<PaymentProvider, 'signedHeaders' | 'personalFields'>;

/**
 * A masked body fits no signature any more. `body-sha256` is of the bytes as they came, so that a copy which the
 * provider shows in a dispute can be proven to be the same.
 */
export function maskCallback(
  { headers, body }: Pick<RawCallback, 'headers' | 'body'>,
  { signedHeaders, personalFields }: Masking,
): { headers: Record<string, string>; body: string } {
  const kept = [...KEPT_HEADERS, ...signedHeaders].flatMap((name) =>
    headers[name] ? [[name, maskPersons(headers[name].slice(0, MAX_HEADER), personalFields)] as const] : [],
  );
  return {
    headers: { ...Object.fromEntries(kept), 'body-sha256': createHash('sha256').update(body).digest('hex') },
    body: maskPersons(body.toString('utf8').replaceAll('\0', ''), personalFields).slice(0, MAX_BODY),
  };
}

/** What was read from a message, with the pieces of its text that go along. */
export function maskReport(report: PaymentReport, { personalFields }: Masking): PaymentReport {
  return {
    ...report,
    reason: report.reason === null ? null : maskPersons(report.reason, personalFields),
    ...(report.raw === undefined ? {} : { raw: maskPersons(report.raw, personalFields) }),
  };
}
