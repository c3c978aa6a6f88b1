// Welcome: a form of our page makes the payment, the browser brings an approval, and nobody can be asked
// afterwards. On desktops by script.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: { none: 'The one example of the vendor’s manual is not the hash of its own text.' },
  payment: { amount: { amountMinor: 5900, currency: 'KRW' }, country: 'KR', locale: 'ko' },
  amounts: [
    { amountMinor: 100, currency: 'KRW' },
    { amountMinor: 499, currency: 'USD' },
  ],
  knownBy: 'return',
  callbacks: { none: 'Welcome notifies of virtual accounts only, unsigned, and none are offered.' },
  createCalls: { none: 'A payment begins with the form of our page; create asks nobody.' },
  queryCalls: { none: 'Welcome publishes no way to ask how a payment stands.' },
  refundAgain: {
    none: 'A refused cancellation of what is left names no amount, and nobody can be asked.',
  },
  // The script posts the form into its overlay.
  openScript: (page) => ({
    url: page.src.replace('/stdjs/WelStdPay.js', '/pc/open'),
    method: 'POST',
    ...(page.fields ? { fields: page.fields } : {}),
  }),
  absent: {
    check: 'Welcome has no query; every call with a key takes money or gives it back.',
    'create is retried': 'Nothing is made before the payer opens the page, so there is nothing to find twice.',
    'create with wrong credentials': 'A page that is signed with another key is refused when the payer opens it.',
    'return without callback':
      'An approval works once; a second one is refused and undone, because nobody can be asked about the first.',
    'paid in an unreadable shape':
      'An approval that cannot be read is undone at once; what cannot be undone is tested beside the adapter.',
    'paid later': 'Nothing completes later: without the post of the browser there is nothing to approve.',
    'other merchant': 'An approval names no merchant; it is bound to our merchant id and the signature.',
    'other currency': 'An approval names no currency; it is the one of the signed form.',
    cancel: 'A form cannot be called back; no money moves without our approval.',
    chargeback: 'Welcome has no word for a chargeback; the merchant learns of it in the console.',
  },
};
