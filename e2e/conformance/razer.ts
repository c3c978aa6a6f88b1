// Razer Gold: signed in every direction; no refund, no cancel. PINs and credit are asked for on Razer's own pages.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { file: 'provider.test.ts', source: 'manual v1.20 of the MOL Global API, printed examples' },
  payment: { amount: { amountMinor: 2290, currency: 'MYR' }, country: 'MY' },
  amounts: [
    { amountMinor: 1, currency: 'USD' },
    { amountMinor: 16_500, currency: 'TWD' },
    { amountMinor: 9_999_999, currency: 'THB' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'declined', 'pending'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: '200 OK' },
    signature: { in: 'body', name: 'signature' },
  },
  wrongSettings: { SECRET_KEY: 'wrong' },
  unknownKind: '77',
  unknownWord: ['"paymentStatusCode":"00"', '"paymentStatusCode":"77"'],
  absent: {
    'create is retried': 'Razer refuses a number used before (40004) and tells no pay page again.',
    'create is cut off and retried': 'Razer refuses a number used before (40004); what was made is found by asking.',
    refund: 'Razer has no call to refund; people of both sides do it.',
    'refund breaks': 'Razer has no call to refund; people of both sides do it.',
    cancel: 'Razer has no call to close a page.',
    chargeback: 'Razer has no word for a chargeback in this API.',
  },
};
