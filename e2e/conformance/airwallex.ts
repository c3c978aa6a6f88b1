// Airwallex payment intents: HMAC over the time of the post and the body; the hosted page is reached by
// a script, on a page of ours.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'Airwallex publishes no vectors; the formula of its documentation is tested with one of ours.' },
  payment: { amount: { amountMinor: 499, currency: 'USD' } },
  amounts: [
    { amountMinor: 62_723, currency: 'KRW' },
    { amountMinor: 120, currency: 'JPY' },
    { amountMinor: 150_000, currency: 'TWD' },
    { amountMinor: 7_900_000, currency: 'IDR' },
    { amountMinor: 24_000, currency: 'VND' },
    { amountMinor: 15_950, currency: 'THB' },
    { amountMinor: 9_999_999, currency: 'EUR' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['paid', 'declined', 'failed', 'refunded', 'chargeback'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: '' },
    signature: { in: 'header', name: 'x-signature' },
  },
  wrongSettings: { API_KEY: 'wrong' },
  unknownKind: 'payment_intent.of_tomorrow',
  unknownWord: ['"SUCCEEDED"', '"SUCCEEDEDISH"'],
  openScript: ({ src, data }) => {
    const { checkout } = data as { checkout: { intent_id: string; client_secret: string; successUrl: string } };
    const url = new URL(`/airwallex/checkout/${checkout.intent_id}`, src);
    url.searchParams.set('client_secret', checkout.client_secret);
    url.searchParams.set('success_url', checkout.successUrl);
    return { url: url.href };
  },
};
