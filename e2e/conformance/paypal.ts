// PayPal orders: approved by the payer, captured by us; webhooks signed with a certificate
// over the checksum of the body.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { file: 'provider.test.ts', source: 'webhook example of github.com/paypal/PayPal-Python-SDK' },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 150_000, currency: 'TWD' },
    { amountMinor: 9_999_999, currency: 'EUR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['approved', 'paid', 'pending', 'declined', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: '' },
    signature: { in: 'header', name: 'paypal-transmission-sig' },
  },
  wrongSettings: { CLIENT_SECRET: 'wrong' },
  unknownKind: 'PAYMENT.CAPTURE.TOMORROW',
  unknownWord: ['"COMPLETED"', '"COMPLETEDISH"'],
  absent: {
    'other merchant': 'PayPal names no account in its reports, and the token belongs to one account.',
    cancel: 'Orders v2 has no call that closes an order; no money moves without our capture.',
  },
};
