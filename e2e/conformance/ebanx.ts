// EBANX: notifications name a payment and say nothing of it; every one is answered by a query.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'EBANX publishes the certificate of its notifications, but no signed example.' },
  payment: { amount: { amountMinor: 2490, currency: 'BRL' }, country: 'BR', locale: 'pt' },
  amounts: [
    { amountMinor: 499, currency: 'USD' },
    { amountMinor: 9_999_999, currency: 'BRL' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'failed', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'OK' },
    signature: { in: 'header', name: 'x-signature-content' },
  },
  wrongSettings: { INTEGRATION_KEY: 'wrong' },
  unknownKind: 'notification_of_tomorrow',
  unknownWord: ['"CO"', '"COISH"'],
  absent: {
    'reordered callbacks':
      'A notification says nothing by itself: two in the wrong order are answered by the same query.',
    'other merchant': 'EBANX names no account in its answers; they are bound to our integration key.',
  },
};
