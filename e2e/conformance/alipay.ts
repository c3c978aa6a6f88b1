// Alipay over Antom: RSA over path, client, time and body, in both directions. The Open Platform has a test
// of its own beside this folder.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: {
    file: 'open-platform.test.ts',
    source: 'test suite of github.com/alipay/alipay-sdk-nodejs-all (Open Platform)',
  },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 5900, currency: 'KRW' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 3801, currency: 'HKD' },
    { amountMinor: 3_000_000, currency: 'CNY' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'failed', 'pending', 'refunded', 'chargeback'],
    acknowledgement: {
      status: 200,
      contentType: 'application/json',
      body: '{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}',
    },
    signature: { in: 'header', name: 'signature' },
  },
  backOffice: {
    none: 'A notice of a refund names the payment only by what our own call sent with it.',
  },
  wrongSettings: { CLIENT_ID: 'SANDBOX_OTHER' },
  unknownKind: 'RESULT_OF_TOMORROW:S',
  unknownWord: ['"paymentStatus":"SUCCESS"', '"paymentStatus":"SUCCEEDED"'],
};
