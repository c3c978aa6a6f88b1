// PingPong's signature over the top-level fields of a message. Pure.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { SignType } from './settings.ts';

export type Fields = Readonly<Record<string, string>>;

/**
 * All fields but `sign`, blank ones left out, sorted by ASCII, `k=v` joined by `&`, nothing encoded.
 * @source acquirer-api-docs-v4-en.pingpongx.com, signature; its PHP sample says otherwise, its Java sample and
 *   its examples agree with this
 */
export function joined(fields: Fields): string {
  return Object.keys(fields)
    .filter((key) => key !== 'sign' && fields[key]?.trim() !== '')
    .toSorted()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
}

/** Hash of the salt and the joined fields, in upper-case hex. */
export function signFields(fields: Fields, salt: string, signType: SignType): string {
  const hash = createHash(signType === 'MD5' ? 'md5' : 'sha256');
  return hash
    .update(salt + joined(fields), 'utf8')
    .digest('hex')
    .toUpperCase();
}

/**
 * Returns true when `sign` fits, in constant time. Only the kind that was agreed upon counts, and without a salt
 * anybody could sign. The numbers of shop and merchant must be digits: the text is joined without escaping, so a
 * crafted number could hide other fields in it.
 */
export function isSigned(fields: Fields, salt: string | undefined, signType: SignType): boolean {
  const { sign, accId = '', clientId = '' } = fields;
  if (!sign || !salt || !/^\d+$/.test(accId + clientId) || (fields['signType'] ?? signType) !== signType) return false;
  const wanted = Buffer.from(signFields(fields, salt, signType));
  const given = Buffer.from(sign.toUpperCase());
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}
