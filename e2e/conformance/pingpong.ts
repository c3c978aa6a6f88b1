// PingPong Checkout v4: a salted hash over the top-level fields; the content is a text inside.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { file: 'provider.test.ts', source: 'examples of acquirer-api-docs-v4-en.pingpongx.com' },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 7_900_050, currency: 'IDR' },
    { amountMinor: 15_050, currency: 'TWD' },
    { amountMinor: 999_999_999, currency: 'EUR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'declined', 'refunded'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'OK' },
    signature: { in: 'body', name: 'sign' },
  },
  wrongSettings: { SALT: 'wrong' },
  unknownKind: 'RECHARGE:SOMETHING_NEW',
  unknownWord: ['\\"status\\":\\"SUCCESS\\"', '\\"status\\":\\"SUCCEEDED\\"'],
  absent: {
    cancel: 'PingPong has no call that closes an order; it ends by the timeExpire it was made with.',
    chargeback: 'PingPong tells disputes in its portal; no notice of this protocol speaks of them.',
  },
};
