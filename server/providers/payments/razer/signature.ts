// Razer's signature over requests, answers and callbacks alike. Pure.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HashType } from './settings.ts';

export type Fields = Readonly<Record<string, string>>;

/**
 * The values of all fields but `signature` in the order of their names by code units (capital
 * letters first), without separators.
 * @source manual v1.20 as integrations quote it; its printed examples are in provider.test.ts
 */
export function signedText(fields: Fields): string {
  return Object.keys(fields)
    .filter((name) => name !== 'signature')
    .toSorted()
    .map((name) => fields[name])
    .join('');
}

/** Lower-case hex: HMAC-SHA256, or of old MD5 over the text with the secret behind it. @source the same */
export function signText(text: string, secret: string, type: HashType): string {
  return type === 'hmac-sha256'
    ? createHmac('sha256', secret).update(text, 'utf8').digest('hex')
    : createHash('md5').update(text, 'utf8').update(secret, 'utf8').digest('hex');
}

/** The fields with their signature; `hashType` takes part in what is signed. */
export function signFields(fields: Fields, secret: string, type: HashType): Fields {
  const all = type === 'hmac-sha256' ? { ...fields, hashType: type } : fields;
  return { ...all, signature: signText(signedText(all), secret, type) };
}

/**
 * Returns true when the holder of the secret signed the fields, in constant time. Only in the way we sign ourselves:
 * who could choose MD5 instead would choose the weaker one. Without a secret nothing is believed.
 */
export function isSigned(fields: Fields, secret: string, type: HashType): boolean {
  const sentType = fields['hashType'] ?? '';
  if (secret === '' || (type === 'hmac-sha256' ? sentType !== type : sentType !== '')) return false;
  const wanted = Buffer.from(signText(signedText(fields), secret, type));
  const given = Buffer.from((fields['signature'] ?? '').toLowerCase());
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
