// PingPong's envelope: a signature over salt and sorted fields; amounts are decimal text of major units.

import { createHash } from 'node:crypto';
import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';

/**
 * Upper-case hex of the hash over salt and `k=v&...`, without `sign` and blank fields. @source
 * acquirer-api-docs-v4-en.pingpongx.com, signature
 */
export function signMessage(message: Record<string, unknown>, salt: string): string {
  const pairs = Object.entries(message).filter(
    ([key, value]) => key !== 'sign' && value !== undefined && value !== null && value !== '',
  );
  const text = pairs
    .map(([key, value]) => `${key}=${String(value)}`)
    .toSorted((one, other) => (one.slice(0, one.indexOf('=')) < other.slice(0, other.indexOf('=')) ? -1 : 1))
    .join('&');
  const algorithm = message['signType'] === 'MD5' ? 'md5' : 'sha256';
  return createHash(algorithm)
    .update(salt + text)
    .digest('hex')
    .toUpperCase();
}

const none = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const three = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

/** @source acquirer-api-docs-v4-en.pingpongx.com, currencies */
export function decimalsOf(currency: string): number {
  if (none.includes(currency)) return 0;
  return three.includes(currency) ? 3 : 2;
}

export function readAmount(text: string | undefined, currency: string | undefined): Amount | undefined {
  if (!text || text.length > 12 || !currency || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const amountMinor = minorFromText(text, decimalsOf(currency));
  return amountMinor ? { amountMinor, currency } : undefined;
}

/** Answers pad to six decimals. */
export function writeAmount({ amountMinor, currency }: Amount): string {
  const text = textFromMinor(amountMinor, decimalsOf(currency));
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}
