// RSA keys as PayerMax's dashboard shows them, and SHA256withRSA over a whole body, in both directions. Pure.
import { createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto';

/** Keys are bare base64 there; PEM is taken as well. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, ''), 'base64');
}

/** Our own key, PKCS#8. Throws one sentence when it is none. */
export function readPrivateKey(text: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: bytesOf(text ?? ''), format: 'der', type: 'pkcs8' });
  } catch {
    throw new Error("PayerMax's PRIVATE_KEY is no PKCS#8 key in base64 or PEM");
  }
}

export function isPrivateKey(text: string): boolean {
  try {
    readPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

export const isPublicKey = (text: string): boolean => readPublicKeys(text).length === 1;

/** PayerMax's keys; several, separated by commas, while one changes. What is no RSA key is left out. */
export function readPublicKeys(text: string | undefined): readonly KeyObject[] {
  return (text ?? '').split(',').flatMap((one) => {
    try {
      const key = createPublicKey({ key: bytesOf(one), format: 'der', type: 'spki' });
      return key.asymmetricKeyType === 'rsa' ? [key] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Header `sign` of a body: base64 over its exact bytes, nothing sorted, nothing left out.
 * @source docs.payermax.com, "Signature Rules"; github.com/payermax-all/payermax-server-sdk
 */
export function signBody(body: string, key: KeyObject): string {
  return createSign('RSA-SHA256').update(body, 'utf8').sign(key, 'base64');
}

/** Returns true when one of the keys signed these bytes. No header, no key, no belief. */
export function isSigned(body: Buffer | string, sign: string | undefined, keys: readonly KeyObject[]): boolean {
  if (!sign) return false;
  const given = Buffer.from(sign, 'base64');
  // Node reads a cut or padded text as if it were whole; only the one way to write these bytes is a signature.
  if (given.toString('base64') !== sign) return false;
  return keys.some((key) => createVerify('RSA-SHA256').update(body).verify(key, given));
}
