// Razer's signature over flat fields, written from the manual's printed examples.

import { createHmac } from 'node:crypto';

/** Values by the order of their names, empty ones and `signature` left out, joined; HMAC-SHA256 in hex. */
export function signFields(fields: Readonly<Record<string, string>>, secretKey: string): string {
  const names = Object.keys(fields).filter((name) => name !== 'signature' && fields[name] !== '');
  names.sort((one, other) => (one < other ? -1 : 1));
  const hmac = createHmac('sha256', secretKey);
  for (const name of names) hmac.update(fields[name] ?? '');
  return hmac.digest('hex');
}

/** The fields with `hashType` and `signature`, as this application's account is set to. */
export function signed(fields: Readonly<Record<string, string>>, secretKey: string): Record<string, string> {
  const all = { ...fields, hashType: 'hmac-sha256' };
  return { ...all, signature: signFields(all, secretKey) };
}
