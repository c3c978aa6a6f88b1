// Adyen payment links: HMAC over eight values of each item; the PSP reference comes with the webhook only.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { file: 'provider.test.ts', source: 'HmacValidator of github.com/Adyen/adyen-node-api-library' },
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
    tells: ['paid', 'declined', 'pending', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: '[accepted]' },
    signature: { in: 'body', name: 'hmacSignature' },
  },
  wrongSettings: { API_KEY: 'wrong' },
  unknownKind: 'SOMETHING_OF_TOMORROW:true',
  unknownWord: ['"completed"', '"completedish"'],
};
