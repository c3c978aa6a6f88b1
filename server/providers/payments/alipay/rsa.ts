// RSA keys as Alipay's consoles hand them out, and SHA256withRSA in both directions. Pure; what is signed
// is told in the two protocols.
import { createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto';

/** Base64 of a key without its PEM lines, as the consoles show it. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, ''), 'base64');
}

/**
 * Our own key: bare base64 or PEM, PKCS#8 or the older PKCS#1 that Alipay's key tool writes as well.
 * Throws one sentence when it is neither.
 */
export function readPrivateKey(text: string | undefined): KeyObject {
  const key = bytesOf(text ?? '');
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // Tried as the other form, then told as unreadable.
    }
  }
  throw new Error("Alipay's PRIVATE_KEY is no RSA key in base64 or PEM");
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

/**
 * Keys that may have signed what comes in; several, separated by commas, while one changes.
 * What is no RSA key is left out.
 */
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

/** SHA256withRSA, PKCS#1 v1.5, in base64: equal text, equal signature. */
export function signText(text: string, key: KeyObject): string {
  return createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64');
}

/** Returns true when one of the keys made `signature` (base64) over these bytes. No key, no belief. */
export function isSignedBy(
  parts: readonly (string | Buffer)[],
  signature: string,
  keys: readonly KeyObject[],
): boolean {
  const given = Buffer.from(signature, 'base64');
  // Node reads a cut or padded text as if it were whole; only the one way to write these bytes is a signature.
  if (given.toString('base64') !== signature) return false;
  return keys.some((key) => {
    const verify = createVerify('RSA-SHA256');
    for (const part of parts) verify.update(part);
    return verify.verify(key, given);
  });
}
