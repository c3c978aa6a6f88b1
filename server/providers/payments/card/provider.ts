// Prepaid cards of the publisher itself. Nobody outside is asked: an order is paid in the transaction that
// places it, so of the verbs only the declarations and `refund` ever matter.
import type { CallbackReading, PaymentProvider, PaymentReport } from '#server/modules/payments/provider.ts';

const nothingKnown = (reference: string): PaymentReport => ({
  status: 'pending',
  reference,
  providerRef: null,
  captureRef: null,
  amount: null,
  merchantAccount: null,
  reason: 'paid in place or not at all',
});

const refusal: CallbackReading = {
  kind: 'invalid',
  reason: 'a prepaid card calls nobody',
  answer: { status: 404, contentType: 'text/plain; charset=utf-8', body: 'Not Found' },
};

/** Our choice: 32 random characters of any kind hold more than 128 bits. */
const SHORTEST = 32;

export const card: PaymentProvider = {
  name: 'card',
  internalTender: 'card',
  settings: [
    {
      name: 'PEPPER',
      isRequired: true,
      isSecret: true,
      minBytes: SHORTEST,
      about:
        'Key of the hashes of card passwords, 32 random characters or more; the same for as long as the cards ' +
        'shall be good.',
    },
  ],
  amountForm: 'minor-units',
  supportsCurrency: () => true,
  accountOf: () => null,
  apiHosts: () => [],
  payHosts: () => [],
  // Our choice: no attempt is ever left open.
  payableForSeconds: 60,
  signedHeaders: [],
  create: async () => ({ kind: 'refused', reason: 'a prepaid card pays in place' }),
  query: async (_context, payment) => nothingKnown(payment.reference),
  readCallback: async () => refusal,
  // Booking the refund makes the card good again in the same transaction; there is nobody else to ask.
  refund: async () => ({ status: 'done', refundProviderRef: null, reason: null }),
  check: async ({ settings }) => {
    const { PEPPER = '' } = settings;
    if (PEPPER.length < SHORTEST)
      return { kind: 'refused', reason: `PEPPER is shorter than ${SHORTEST} characters`, lookAt: ['PEPPER'] };
    return {
      kind: 'nothing_to_ask',
      reason: 'The hashes of the cards lie in our own database; nobody outside is asked',
    };
  },
};
