// Pagsmile checkout page: HMAC over the body of each notification, which wants the text "success".
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: {
    none:
      'The documentation signs its example with a key it does not show; the formula is tested with a ' +
      'vector of ours.',
  },
  payment: { amount: { amountMinor: 1201, currency: 'BRL' }, country: 'BR', locale: 'pt' },
  amounts: [
    { amountMinor: 15_000, currency: 'TWD' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 7_900_000, currency: 'IDR' },
    { amountMinor: 15_950, currency: 'THB' },
    { amountMinor: 9999, currency: 'TRY' },
    { amountMinor: 499, currency: 'USD' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'failed', 'expired', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'success' },
    signature: { in: 'header', name: 'pagsmile-signature' },
  },
  refundAgain: {
    none: 'REFUNDED is also the word for a part, and no call of Pagsmile tells how much went back.',
  },
  wrongSettings: { SECRET_KEYS: 'wrong' },
  unknownKind: 'OF_TOMORROW',
  unknownWord: ['"SUCCESS"', '"SUCCESSISH"'],
  absent: {
    'create is retried':
      'Pagsmile refuses a number it knows, and does not tell the page again; a second call asks what became of ' +
      'the first.',
    'create is cut off and retried':
      'Pagsmile refuses a number it knows, and does not tell the page again; nobody can pay what nobody can open.',
    cancel: 'Pagsmile has no call that closes an unpaid trade; its end is told when it is made.',
  },
};
