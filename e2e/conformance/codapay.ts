// Codapay: a checksum over ids and code alone, so every notification is followed by an inquiry; ids of 19 digits.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'Codapay publishes no vectors; the formula of its documentation is tested with one of ours.' },
  payment: { amount: { amountMinor: 15_000, currency: 'TWD' }, country: 'TW', locale: 'zh-TW' },
  amounts: [
    { amountMinor: 7_900_000, currency: 'IDR' },
    { amountMinor: 2190, currency: 'MYR' },
    { amountMinor: 15_950, currency: 'THB' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 499, currency: 'USD' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'failed'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'ResultCode=0' },
    signature: { in: 'query', name: 'Checksum' },
  },
  wrongSettings: { API_KEY: 'wrong' },
  unknownKind: 'ResultCode=999',
  unknownWord: ['"resultCode":0', '"resultCode":999'],
  absent: {
    'create is retried':
      'Codapay documents no idempotency: each init makes a transaction of its own under one order id.',
    'create is cut off and retried':
      'Codapay documents no idempotency: the first transaction is never shown to anybody and dies after 15 minutes.',
    'other currency': 'Codapay names no currency anywhere: it is that of the country which was asked for.',
    refund: 'The path and body of the Refund API are not public; refunds are made in the portal.',
    'refund breaks': 'The path and body of the Refund API are not public; refunds are made in the portal.',
    cancel: 'Codapay has no call that closes a transaction; an unopened page dies after 15 minutes.',
    chargeback: 'The checksum of chargeback notifications is not public, so they cannot be believed.',
  },
};
