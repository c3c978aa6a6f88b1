// MyCard's hash: SHA-256 over the URL-encoded values and the vendor key. Pure.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HashStyle } from './settings.ts';

/**
 * URL encoding as .NET's HttpUtility does it: a space is "+", `A-Za-z0-9-_.!*()` stay, escapes in lower case, UTF-8.
 * @source integrations of MyBillingPay; one quotes appendix B of manual 3.9
 */
export function encodeLikeDotNet(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll("'", '%27')
    .replaceAll('~', '%7e')
    .replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

/**
 * Lower-case hex SHA-256 of the values in their fixed order and the key, joined without a separator.
 * @param values as sent or received, missing ones empty
 * @source the same; `lower` from three integrations (v1.2 and later), `escapes` from four (v1.0, v1.1)
 */
export function hashOf(values: readonly string[], key: string, style: HashStyle): string {
  const encoded = encodeLikeDotNet(values.join('') + key);
  return createHash('sha256')
    .update(style === 'lower' ? encoded.toLowerCase() : encoded)
    .digest('hex');
}

/** Returns true when `given` is the hash of the values, in constant time. Without a key nothing is believed. */
export function isHash(given: string, values: readonly string[], key: string, style: HashStyle): boolean {
  if (key === '') return false;
  const wanted = Buffer.from(hashOf(values, key, style));
  const sent = Buffer.from(given.toLowerCase());
  return wanted.length === sent.length && timingSafeEqual(wanted, sent);
}
