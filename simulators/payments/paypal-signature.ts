// PayPal's webhook signature: RSA-SHA256 over `transmission id|time|webhook id|crc32 of the raw body`.

import { createPrivateKey, createSign, createVerify, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * @source PayPal-Java-SDK and PayPal-Python-SDK, webhook validation: the CRC-32 stands as an unsigned decimal number
 */
export function signedText(input: {
  transmissionId: string;
  time: string;
  webhookId: string;
  rawBody: string;
}): string {
  return `${input.transmissionId}|${input.time}|${input.webhookId}|${crc32(input.rawBody)}`;
}

const parsed = new Map<string, KeyObject>();

/** Base64 signature. The key is parsed once: that costs more than signing. */
export function signText(text: string, privateKeyPem: string): string {
  let key = parsed.get(privateKeyPem);
  if (!key) parsed.set(privateKeyPem, (key = createPrivateKey(privateKeyPem)));
  return createSign('sha256').update(text).sign(key, 'base64');
}

/** Returns true when the base64 signature belongs to the text, by the PEM certificate. */
export function isSignedBy(text: string, signature: string, certificatePem: string): boolean {
  return createVerify('sha256').update(text).verify(certificatePem, signature, 'base64');
}

/**
 * The `webhook_event` of a verify call exactly as it stands in the raw request, because the
 * checksum is over the original text.
 * Undefined when the text holds none.
 */
export function eventTextOf(rawRequest: string): string | undefined {
  const opening = /"webhook_event"\s*:\s*\{/.exec(rawRequest);
  if (!opening) return undefined;
  const start = opening.index + opening[0].length - 1;
  let depth = 0;
  let isInText = false;
  for (let index = start; index < rawRequest.length; index++) {
    const sign = rawRequest[index];
    if (isInText) {
      if (sign === '\\') index += 1;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '{') depth += 1;
    else if (sign === '}' && --depth === 0) return rawRequest.slice(start, index + 1);
  }
  return undefined;
}
