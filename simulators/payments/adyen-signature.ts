// Adyen's HMAC over one notification item.

import { createHmac, createSecretKey } from 'node:crypto';

export type SignedItem = {
  pspReference: string;
  originalReference?: string;
  merchantAccountCode: string;
  merchantReference: string;
  amount: { value: number; currency: string };
  eventCode: string;
  success: 'true' | 'false';
};

/**
 * The eight values joined by `:`, absent ones empty, nothing escaped. @source
 * github.com/Adyen/adyen-node-api-library, hmacValidator
 */
function signedText(item: SignedItem): string {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
}

/** Base64 HMAC-SHA256; the key is the hex text that Adyen's Customer Area shows. */
export function signItem(item: SignedItem, hexKey: string): string {
  return createHmac('sha256', createSecretKey(hexKey, 'hex')).update(signedText(item)).digest('base64');
}
