// MyCard's hash as its integrations compute it: SHA-256 over the URL-encoded values and the vendor key.

import { createHash } from 'node:crypto';

/** Characters that .NET's UrlEncode leaves as they are. */
const plain = /[A-Za-z0-9\-_.!*()]/;

function urlEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    if (byte < 128 && plain.test(character)) encoded += character;
    else encoded += byte === 32 ? '+' : `%${byte.toString(16).padStart(2, '0')}`;
  }
  return encoded;
}

/** From v1.2 on everything is lower case before it is hashed; v1.0 ("api") and v1.1 keep the case of letters. */
export function signValues(values: readonly string[], key: string, version: string): string {
  const encoded = urlEncode([...values, key].join(''));
  const isOld = version === 'api' || version === 'v1.1';
  return createHash('sha256')
    .update(isOld ? encoded : encoded.toLowerCase())
    .digest('hex');
}
