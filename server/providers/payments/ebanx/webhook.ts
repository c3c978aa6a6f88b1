// EBANX notifications: who signed one, and which payments it is about. What became of them only a query tells.
import { verify, type X509Certificate } from 'node:crypto';
import type { RawCallback } from '#server/modules/payments/provider.ts';

/**
 * Kinds of notifications whose payments are asked about. chargeback_credit (a dispute won) is a person's decision.
 * @source developer.ebanx.com, "Payments Notification"
 */
const KINDS: ReadonlySet<string> = new Set(['update', 'refund', 'chargeback']);

export type Notification = {
  readonly kind: string;
  readonly hashes: readonly string[];
  readonly isOfInterest: boolean;
};

/** Our choice: EBANX sends one or a few; each costs us a call. */
const MAX_HASHES = 20;

/**
 * Null when it is no notification.
 * @source developer.ebanx.com: operation=payment_status_change&notification_type=update&hash_codes=<hash>[,<hash>...]
 */
export function readNotification(body: string): Notification | null {
  const form = new URLSearchParams(body);
  const kind = form.get('notification_type') ?? '';
  const hashes = [...new Set((form.get('hash_codes') ?? '').split(',').map((hash) => hash.trim()))];
  const isWhole = hashes.length <= MAX_HASHES && hashes.every((hash) => /^[A-Za-z0-9]{8,128}$/.test(hash));
  if (form.get('operation') !== 'payment_status_change' || kind === '' || !isWhole) return null;
  return { kind: kind.slice(0, 40), hashes, isOfInterest: KINDS.has(kind) };
}

/** The guide spells the headers in two ways. */
const header = ({ headers }: RawCallback, part: string) =>
  headers[`x-signature-${part}`] ?? headers[`x-signature${part}`];

/**
 * RSA PKCS#1 v1.5 with SHA-1 over the raw body, by the certificate of the fingerprint. SHA-1 is EBANX's
 * choice; what is signed is only whom to ask about, and the answer comes over TLS.
 * @source developer.ebanx.com, "Payments Notification", signature
 */
export function isSigned(raw: RawCallback, certificates: readonly X509Certificate[]): boolean {
  const type = header(raw, 'type')?.toLowerCase().replaceAll(' ', '');
  const fingerprint = header(raw, 'fingerprint')?.toUpperCase().replaceAll(':', '');
  const content = header(raw, 'content');
  if (type !== 'rsa,sha1' || !fingerprint || !content) return false;
  const signature = Buffer.from(content, 'base64');
  // Node reads base64 leniently: what is not written as it would be written anew was changed on the way.
  if (signature.toString('base64') !== content) return false;
  const signer = certificates.find((one) => one.fingerprint.replaceAll(':', '') === fingerprint);
  return signer !== undefined && verify('RSA-SHA1', raw.body, signer.publicKey, signature);
}
