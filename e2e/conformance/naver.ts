// Naver Pay: no callbacks at all; the player's browser brings a payment id, and our apply takes the money.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'Naver Pay signs nothing, so there is nothing to publish a vector of.' },
  payment: { amount: { amountMinor: 5900, currency: 'KRW' }, country: 'KR', locale: 'ko' },
  amounts: [
    { amountMinor: 11, currency: 'KRW' },
    { amountMinor: 1_999_999, currency: 'KRW' },
  ],
  knownBy: 'return',
  callbacks: { none: 'Naver Pay has no webhook; what became of a payment is asked.' },
  wrongSettings: { CLIENT_SECRET: 'wrong' },
  unknownWord: ['"SUCCESS"', '"SUCCESSISH"'],
  absent: {
    'create is retried':
      'A reservation has no idempotency key; only an id that the player brings back and we apply takes money.',
    'create is cut off and retried':
      'A reservation has no idempotency key; the one that was cut off is known to nobody.',
    'paid later': 'Nothing completes later: without the way back of the browser there is no payment id to apply.',
    'other merchant': 'Naver Pay names no account in its answers; they are bound to our credentials.',
    'other currency': 'Naver Pay takes won only, and names no currency.',
    cancel: 'A reservation cannot be called back; no money moves without our apply.',
    chargeback: 'Naver Pay has no word for a chargeback; the merchant learns of it outside the API.',
  },
};
