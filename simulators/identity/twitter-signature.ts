// Checks a request that was signed by OAuth 1.0a with HMAC-SHA1. @source RFC 5849 sections 3.4 and 3.5

import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedHeader = Map<string, string>;

/** The parameters of an `Authorization: OAuth ...` header; null when it is none. */
export function readOauthHeader(header: string | undefined): SignedHeader | null {
  if (!header?.startsWith('OAuth ')) return null;
  const found: SignedHeader = new Map();
  for (const match of header.slice(6).matchAll(/\s*([^=\s,]+)="([^"]*)"\s*(?:,|$)/g)) {
    found.set(decodeURIComponent(match[1] ?? ''), decodeURIComponent(match[2] ?? ''));
  }
  return found;
}

/** Letters, digits and `-._~` stay; every other byte is written as %XX. */
function percent(text: string): string {
  let out = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    out += /[A-Za-z0-9\-._~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** @param url without query, as the caller wrote it */
export function isSignedRight(
  header: SignedHeader,
  request: { method: string; url: string; form?: Record<string, string> },
  secrets: { consumer: string; token: string },
): boolean {
  const parameters: [string, string][] = Object.entries(request.form ?? {});
  for (const [name, value] of header)
    if (name !== 'oauth_signature' && name !== 'realm') parameters.push([name, value]);
  const lines = parameters.map(([name, value]) => [percent(name), percent(value)].join('=')).toSorted();
  const base = `${request.method.toUpperCase()}&${percent(request.url)}&${percent(lines.join('&'))}`;
  const expected = createHmac('sha1', `${percent(secrets.consumer)}&${percent(secrets.token)}`)
    .update(base)
    .digest();
  const given = Buffer.from(header.get('oauth_signature') ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
