// PayerMax: RSA over the whole body in both directions; `data.status` decides, never the code.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'PayerMax publishes a sample signature, but neither key nor body that reproduce it.' },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 7_900_000, currency: 'IDR' },
    { amountMinor: 150_000, currency: 'TWD' },
    { amountMinor: 9_999_999, currency: 'EUR' },
    { amountMinor: 1010, currency: 'MYR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'failed', 'expired', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'application/json', body: '{"msg":"Success","code":"SUCCESS"}' },
    signature: { in: 'header', name: 'sign' },
  },
  wrongSettings: { APP_ID: '00000000000000000000000000000000' },
  unknownKind: 'PAYMENT:SOMETHING_NEW',
  unknownWord: ['"status":"SUCCESS"', '"status":"SUCCEEDED"'],
};
