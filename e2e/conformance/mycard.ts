// MyCard: nothing signed but the way back; the news is a make-up notice from a known address, and our
// confirmation takes the money.
import type { Declaration } from './kit/declaration.ts';

export const declaration: Declaration = {
  vectors: {
    none: 'MyCard publishes no vector with its key; those of the adapter were computed by two implementations apart.',
  },
  payment: { amount: { amountMinor: 15_000, currency: 'TWD' }, country: 'TW', locale: 'zh-TW', channelId: 'INGAME' },
  amounts: [
    { amountMinor: 3_300_000, currency: 'TWD' },
    { amountMinor: 499, currency: 'USD' },
    { amountMinor: 3800, currency: 'HKD' },
  ],
  knownBy: 'callback',
  callbacks: {
    tells: ['approved'],
    acknowledgement: { status: 200, contentType: 'text/plain', body: 'OK' },
    signature: {
      none: 'A make-up notice is not signed; the address it comes from and our service id are all there is.',
    },
  },
  wrongSettings: { KEY: 'wrong' },
  unknownKind: 'makeup:0',
  unknownWord: ['"PayResult":"3"', '"PayResult":"7"'],
  absent: {
    check:
      'TradeQuery carries neither key nor service, so a stranger gets the same answer; AuthGlobal would begin a trade.',
    'create is retried': 'MyCard takes a number of ours once; without the AuthCode of its answer nobody can pay.',
    'create is cut off and retried': 'MyCard takes a number of ours once; what was made unseen can never be confirmed.',
    'late callback': 'A make-up notice names no amount; it only makes us ask.',
    'reordered callbacks': 'A make-up notice has one meaning, so no older one can say anything else.',
    'tampered callback': 'A make-up notice is not signed; whatever number it names, MyCard itself is asked about it.',
    'other merchant': 'A notice to another service is not believed, and a trade is bound to our AuthCode.',
    refund: 'MyCard has no call to refund; people of both sides do it.',
    'refund breaks': 'MyCard has no call to refund; people of both sides do it.',
    cancel: 'An AuthCode cannot be called back; without our confirmation no money moves.',
    chargeback: 'MyCard has no word for a chargeback in this API.',
  },
};
