// Xsolla Pay Station: a token of any amount; webhooks signed with SHA-1 over body and secret;
// asks whether the player exists.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { file: 'provider.test.ts', source: 'signature example of developers.xsolla.com, webhooks' },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 150_000, currency: 'TWD' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 7_900_000, currency: 'IDR' },
    { amountMinor: 9_999_999, currency: 'EUR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'refunded', 'chargeback'],
    acknowledgement: { status: 204, contentType: 'text/plain', body: '' },
    signature: { in: 'header', name: 'authorization' },
  },
  wrongSettings: { API_KEY: 'wrong' },
  unknownKind: 'payment_of_tomorrow',
  unknownWord: ['"done"', '"doneish"'],
  absent: {
    'create is retried':
      'Xsolla offers no idempotency key: a second token of the same external id is made, and each can be paid.',
    'create is cut off and retried':
      'Xsolla offers no idempotency key: a second token of the same external id is made.',
    cancel: 'A token cannot be called back; it ends by itself.',
  },
};
