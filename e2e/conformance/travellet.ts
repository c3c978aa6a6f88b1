// Travellet: signed JSON and signed notices in decimals.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: {
    none:
      'No document of Travellet is public; the examples of the family are tested in ' +
      'signed-redirect/signature.test.ts.',
  },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 150_050, currency: 'TWD' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 9_999_999, currency: 'EUR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'pending', 'refunded'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'success' },
    signature: { in: 'body', name: 'sign' },
  },
  wrongSettings: { SECRET: 'wrong' },
  unknownKind: 'SOMETHING_NEW',
  // The answer is signed, so it is taken for no answer once a word in it was changed.
  unknownWord: ['"SUCCESS"', '"SUCCESSISH"'],
  absent: {
    cancel: 'The smallest plausible contract has no call that closes a payment; its page ends by itself.',
    chargeback: 'The smallest plausible contract has no word for a chargeback.',
  },
};
