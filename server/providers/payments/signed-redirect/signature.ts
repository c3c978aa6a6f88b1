// Signs by the options of the contract. Pure: no calls, no clock.
import { createHash, createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify } from 'node:crypto';
import type { Message } from './profile.ts';
import type { Options } from './options.ts';

/** Names and values as they stand on the wire, undecoded by nobody: `name` is theirs. */
export type Pairs = Readonly<Record<string, string>>;

type SignOptions = Pick<
  Options,
  | 'canonical'
  | 'names'
  | 'publicKey'
  | 'secret'
  | 'secretPosition'
  | 'signCase'
  | 'signEncoding'
  | 'signFields'
  | 'signType'
  | 'skipEmpty'
>;

/**
 * The text that is signed, without the secret: sorted by the bytes of the names, or in the listed order; as
 * `name=value` joined by `&`, or as bare values one behind the other. Values are raw, not percent-encoded, in UTF-8.
 * `sign` itself is never part of it.
 */
export function signedText(options: SignOptions, message: Message, pairs: Pairs): string {
  const isListed = options.canonical.startsWith('listed');
  const names = isListed
    ? options.signFields[message]
    : Object.keys(pairs)
        .filter((name) => name !== options.names.sign)
        .toSorted(byBytes);
  const kept = names
    .map((name) => [name, pairs[name] ?? ''] as const)
    .filter(([, value]) => value !== '' || !options.skipEmpty);
  return options.canonical.endsWith('pairs')
    ? kept.map(([name, value]) => `${name}=${value}`).join('&')
    : kept.map(([, value]) => value).join('');
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The signature as it is sent. Throws when a key is no key. */
export function signText(options: SignOptions, text: string): string {
  const bytes = digest(options, text);
  if (options.signEncoding === 'base64') return bytes.toString('base64');
  return options.signCase === 'upper' ? bytes.toString('hex').toUpperCase() : bytes.toString('hex');
}

/**
 * Returns true when `given` is the signature of `text`; in constant time, false for a missing, short or unreadable one.
 */
export function isSignature(options: SignOptions, text: string, given: string | undefined): boolean {
  if (!given) return false;
  const bytes = readBytes(given, options.signEncoding);
  if (!bytes) return false;
  if (options.signType === 'RSA-SHA256')
    return (
      options.publicKey !== '' &&
      verify('sha256', Buffer.from(text), createPublicKey(toPem(options.publicKey, 'PUBLIC')), bytes)
    );
  const wanted = digest(options, text);
  return wanted.length === bytes.length && timingSafeEqual(wanted, bytes);
}

/**
 * @source `&key=` behind the text is the habit of gateways that sign with MD5; the rest is
 * the plain meaning of the words
 */
function digest({ secret, secretPosition, signType }: SignOptions, text: string): Buffer {
  if (signType === 'RSA-SHA256') return sign('sha256', Buffer.from(text), createPrivateKey(toPem(secret, 'PRIVATE')));
  if (signType === 'HMAC-SHA256') return createHmac('sha256', secret).update(text, 'utf8').digest();
  const whole = {
    suffix_key: `${text}&key=${secret}`,
    suffix_raw: `${text}${secret}`,
    prefix_raw: `${secret}${text}`,
    // Never reached: options refuse a plain hash without a place for the secret.
    hmac: null,
  }[secretPosition];
  if (whole === null) throw new Error(`${signType} without a secret signs nothing`);
  return createHash(signType === 'MD5' ? 'md5' : 'sha256')
    .update(whole, 'utf8')
    .digest();
}

/** Null for anything that Node would read only in part. */
function readBytes(text: string, encoding: 'hex' | 'base64'): Buffer | null {
  if (encoding === 'hex') return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : null;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Environment variables hold one line: a PEM with \n in letters, or the base64 between its lines. */
function toPem(text: string, kind: 'PRIVATE' | 'PUBLIC'): string {
  const lines = text.replaceAll('\\n', '\n').trim();
  return lines.startsWith('-----') ? lines : `-----BEGIN ${kind} KEY-----\n${lines}\n-----END ${kind} KEY-----`;
}
