// The player's stored balance in the shop itself. Nobody outside is asked: an order is paid in the transaction that
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
  reason: 'a balance calls nobody',
  answer: { status: 404, contentType: 'text/plain; charset=utf-8', body: 'Not Found' },
};

/** Our choice: 32 random characters of any kind hold more than 128 bits. */
const SHORTEST = 32;

export const wallet: PaymentProvider = {
  name: 'wallet',
  internalTender: 'wallet',
  settings: [
    {
      name: 'CREDIT_KEY',
      isRequired: true,
      isSecret: true,
      form: { kind: 'list', of: { kind: 'text' } },
      minBytes: SHORTEST,
      about:
        'Key that signs calls of POST /internal/wallet/credit, 32 random characters or more; several with commas ' +
        'while one changes.',
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
  create: async () => ({ kind: 'refused', reason: 'a balance pays in place' }),
  query: async (_context, payment) => nothingKnown(payment.reference),
  readCallback: async () => refusal,
  // Booking the refund puts the money back into the balance in the same transaction; there is nobody else to ask.
  refund: async () => ({ status: 'done', refundProviderRef: null, reason: null }),
  check: async ({ settings }) => {
    const keys = (settings['CREDIT_KEY'] ?? '').split(',').map((key) => key.trim());
    if (keys.some((key) => key.length < SHORTEST))
      return { kind: 'refused', reason: `a CREDIT_KEY is shorter than ${SHORTEST} characters`, lookAt: ['CREDIT_KEY'] };
    return { kind: 'nothing_to_ask', reason: 'Balances lie in our own database; nobody outside is asked' };
  },
};
