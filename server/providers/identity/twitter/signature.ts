// The signature of OAuth 1.0a with HMAC-SHA1, pure. SHA-1 serves inside this protocol only;
// X offers nothing else for it.
import { createHmac } from 'node:crypto';

export type Signed = {
  method: 'GET' | 'POST';
  url: string;
  /** Fields of a form body, which are signed as well. */
  form?: Readonly<Record<string, string>>;
  consumerKey: string;
  consumerSecret: string;
  token?: string;
  tokenSecret?: string;
  /** Further protocol parameters: oauth_callback, oauth_verifier. */
  oauth?: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  timestamp: number;
  nonce: string;
};

/** RFC 3986: also what encodeURIComponent leaves alone. @source RFC 5849 section 3.6 */
export function encodeStrict(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Value of the Authorization header. @source RFC 5849 sections 3.4 and 3.5.1; vectors in section 1.2 */
export function signRequest(request: Signed): string {
  const oauth: Record<string, string> = {
    oauth_consumer_key: request.consumerKey,
    oauth_nonce: request.nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(request.timestamp),
    ...(request.token ? { oauth_token: request.token } : {}),
    ...request.oauth,
  };
  const address = new URL(request.url);
  const pairs = [...Object.entries(oauth), ...Object.entries(request.form ?? {}), ...address.searchParams].map(
    ([name, value]) => [encodeStrict(name), encodeStrict(value)] as const,
  );
  // By bytes of the encoded form, names first. @source RFC 5849 section 3.4.1.3.2
  const sorted = pairs.toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  const base = [
    request.method,
    encodeStrict(`${address.protocol}//${address.host}${address.pathname}`),
    encodeStrict(sorted.map(([name, value]) => `${name}=${value}`).join('&')),
  ].join('&');
  const key = `${encodeStrict(request.consumerSecret)}&${encodeStrict(request.tokenSecret ?? '')}`;
  const signature = createHmac('sha1', key).update(base).digest('base64');
  const header = Object.entries({ ...oauth, oauth_signature: signature });
  return `OAuth ${header.map(([name, value]) => `${encodeStrict(name)}="${encodeStrict(value)}"`).join(', ')}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
