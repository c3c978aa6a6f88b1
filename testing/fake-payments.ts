// A payment provider that does what a test tells it: every verb can be scripted, every call is kept.
import type { Currency, Money } from '#kernel/money.ts';
import type {
  CallbackAnswer,
  CallbackReading,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PayPage,
  PaymentProvider,
  PaymentReport,
  PaymentStatus,
  ProviderContext,
  RawCallback,
  ReturnReading,
} from '#server/modules/payments/provider.ts';

type Answer<Value> = Value | Promise<Value>;

export type PaymentScript = {
  create(input: CreatePayment, context: ProviderContext): Answer<CreateOutcome>;
  query(payment: KnownPayment, context: ProviderContext): Answer<PaymentReport>;
  capture(payment: KnownPayment): Answer<PaymentReport>;
  cancel(payment: KnownPayment): Answer<PaymentReport>;
  readCallback(raw: RawCallback): Answer<CallbackReading>;
  payPage(input: CreatePayment, providerRef: string | null): Answer<PayPage>;
  readReturn(raw: RawCallback, payment: KnownPayment): ReturnReading;
};

export type FakeProvider = PaymentProvider & {
  /** The verbs follow this; tests replace it, `reset` puts it back. */
  readonly script: PaymentScript;
  /** Inputs by verb, in order. */
  readonly calls: {
    create: CreatePayment[];
    query: KnownPayment[];
    capture: KnownPayment[];
    cancel: KnownPayment[];
  };
  reset(): void;
};

/** The only host its pay links may point to. */
export const FAKE_PAY_HOST = 'pay.provider.test';
/** Acknowledgement with bytes that no framework would make by itself. */
export const FAKE_ACKNOWLEDGEMENT: CallbackAnswer = {
  status: 202,
  contentType: 'text/plain; charset=us-ascii',
  body: '[accepted]\r\n',
};
export const FAKE_REFUSAL: CallbackAnswer = { status: 401, contentType: 'application/json', body: '{"no":1}' };

/** A report on a payment: it names the payment and its amount unless told otherwise. */
export function reportOn(
  payment: { reference: string; amount: Money; providerRef?: string | null },
  status: PaymentStatus,
  over: Partial<PaymentReport> = {},
): PaymentReport {
  return {
    status,
    reference: payment.reference,
    providerRef: payment.providerRef ?? null,
    captureRef: status === 'paid' ? `C-${payment.reference}` : null,
    amount: payment.amount,
    merchantAccount: null,
    reason: null,
    ...over,
  };
}

/**
 * Callbacks are JSON `{ reading }` in the port's own shape and count as proven with the
 * header `x-fake-signature: good`.
 */
function readSignedCallback(raw: RawCallback): CallbackReading {
  if (raw.headers['x-fake-signature'] !== 'good')
    return { kind: 'invalid', reason: 'the signature is wrong', answer: FAKE_REFUSAL };
  return (JSON.parse(raw.body.toString('utf8')) as { reading: CallbackReading }).reading;
}

const byDefault: PaymentScript = {
  create: ({ reference }) => ({
    kind: 'redirect',
    url: `https://${FAKE_PAY_HOST}/${reference}`,
    providerRef: `P-${reference}`,
  }),
  query: (payment) => reportOn(payment, 'pending'),
  capture: (payment) => reportOn(payment, 'paid'),
  cancel: (payment) => reportOn(payment, 'pending'),
  readCallback: readSignedCallback,
  payPage: () => ({ kind: 'closed', reason: 'no page was scripted' }),
  readReturn: () => ({ approval: null }),
};

/** @param over declarations that differ, e.g. `payableForSeconds` or `supportsCurrency` */
export function createFakeProvider(name: string, over: Partial<PaymentProvider> = {}): FakeProvider {
  const script: PaymentScript = { ...byDefault };
  const calls: FakeProvider['calls'] = { create: [], query: [], capture: [], cancel: [] };
  return {
    name,
    settings: [{ name: 'KEY', isRequired: true, isSecret: true, about: 'Anything.' }],
    amountForm: 'decimal-text',
    supportsCurrency: (_currency: Currency) => true,
    accountOf: (settings) => settings.ACCOUNT ?? null,
    apiHosts: () => [],
    payHosts: () => [FAKE_PAY_HOST],
    payableForSeconds: 3 * 3600,
    signedHeaders: ['x-fake-signature'],
    create: async (context, input) => {
      calls.create.push(input);
      return script.create(input, context);
    },
    query: async (context, payment) => {
      calls.query.push(payment);
      return script.query(payment, context);
    },
    capture: async (_context, payment) => {
      calls.capture.push(payment);
      return script.capture(payment);
    },
    cancel: async (_context, payment) => {
      calls.cancel.push(payment);
      return script.cancel(payment);
    },
    readCallback: async (_context, raw) => script.readCallback(raw),
    payPage: async (_context, input, providerRef) => script.payPage(input, providerRef),
    readReturn: (_context, raw, payment) => script.readReturn(raw, payment),
    script,
    calls,
    reset: () => {
      Object.assign(script, byDefault);
      for (const list of Object.values(calls)) list.length = 0;
    },
    ...over,
  };
}
