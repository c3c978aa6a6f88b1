// KakaoPay: no callbacks at all; the player's browser brings a token, and our approve takes the money.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'KakaoPay signs nothing, so there is nothing to publish a vector of.' },
  payment: { amount: { amountMinor: 5900, currency: 'KRW' }, country: 'KR', locale: 'ko' },
  amounts: [
    { amountMinor: 100, currency: 'KRW' },
    { amountMinor: 1_999_999, currency: 'KRW' },
  ],
  knownBy: 'return',
  callbacks: { none: 'KakaoPay has no webhook; what became of a payment is asked.' },
  wrongSettings: { SECRET_KEY: 'wrong' },
  unknownWord: ['"SUCCESS_PAYMENT"', '"SUCCESS_PAYMENTISH"'],
  absent: {
    'create is retried':
      'Each call of ready makes another tid; only the last one is known here, and only our approve takes money.',
    'create is cut off and retried':
      'KakaoPay offers no idempotency key: a second tid is made, and the first can never be approved.',
    'paid later': 'Nothing completes later: without the way back of the browser there is no token to approve.',
    'other currency': 'KakaoPay takes won only, and names no currency.',
    cancel: 'A page cannot be called back; it dies after 15 minutes, and no money moves without our approve.',
    chargeback: 'KakaoPay has no word for a chargeback; the merchant learns of it outside the API.',
  },
};
