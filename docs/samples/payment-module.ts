// A payment provider of a shop's own, whole: an invented "Acme Pay" that takes orders by JSON and calls back signed.
// Copy it to modules/acme.ts of your shop, and name it in modules.yaml: modules: [./modules/acme.ts]
// It can be bought with: payment-sandbox.ts beside this file is Acme's sandbox. Every step: docs/own-modules.md.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OwnModule, PaymentProvider, PaymentReport } from 'refill/ports';

const OFFICIAL = 'https://api.acme-pay.example';
const CURRENCIES = ['USD', 'EUR', 'GBP'];

type Payment = { id: string; order: string; state: string; cents: number; currency: string };

const baseOf = (settings: Readonly<Record<string, string>>): string => settings['API_BASE'] ?? OFFICIAL;

/** Converts Acme's payment to a report: a word that is not known is never taken for a yes. */
function toReport(payment: Payment): PaymentReport {
  const status =
    ({ paid: 'paid', open: 'pending', dead: 'expired', back: 'refunded' } as const)[payment.state] ?? 'unknown';
  return {
    status,
    reference: payment.order,
    providerRef: payment.id,
    captureRef: payment.id,
    amount: { amountMinor: payment.cents, currency: payment.currency as 'USD' },
    merchantAccount: null,
    reason: status === 'unknown' ? `state ${payment.state}` : null,
  };
}

const acme: PaymentProvider = {
  name: 'acmepay',
  settings: [
    { name: 'KEY', isRequired: true, isSecret: true, about: 'API key: Acme dashboard, Developers.' },
    { name: 'API_BASE', isRequired: false, isSecret: false, about: 'Where its API is; the official one unless set.' },
  ],
  amountForm: 'minor-units',
  supportsCurrency: (currency) => CURRENCIES.includes(currency),
  accountOf: () => null,
  apiHosts: (settings) => [new URL(baseOf(settings)).host],
  payHosts: (settings) => [new URL(baseOf(settings)).host],
  payableForSeconds: 1800,
  signedHeaders: ['acme-signature'],

  async create({ outbound, settings }, input) {
    const body = JSON.stringify({
      order: input.reference,
      cents: input.amount.amountMinor,
      currency: input.amount.currency,
      back: input.returnUrl,
      notify: input.notifyUrl,
    });
    const answer = await outbound(`${baseOf(settings)}/payments`, {
      method: 'POST',
      timeoutMs: 10_000,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${settings['KEY']}` },
      body,
    });
    if (answer.status >= 400 && answer.status < 500) return { kind: 'refused', reason: `HTTP ${answer.status}` };
    if (answer.status !== 201) return { kind: 'unknown', reason: `HTTP ${answer.status}` };
    const { id, page } = JSON.parse(answer.text) as { id: string; page: string };
    return { kind: 'redirect', url: page, providerRef: id };
  },

  async query({ outbound, settings }, payment) {
    const answer = await outbound(`${baseOf(settings)}/payments/by-order/${payment.reference}`, {
      method: 'GET',
      timeoutMs: 10_000,
      headers: { authorization: `Bearer ${settings['KEY']}` },
    });
    if (answer.status !== 200)
      return {
        ...toReport({ id: '', order: payment.reference, state: '', cents: 0, currency: '' }),
        amount: null,
        providerRef: null,
        captureRef: null,
      };
    return toReport(JSON.parse(answer.text) as Payment);
  },

  // Asked again with the same reference until the answer is certain: Acme gives back once for each.
  async refund({ outbound, settings }, payment, refundRef) {
    const answer = await outbound(`${baseOf(settings)}/payments/${payment.providerRef}/refunds`, {
      method: 'POST',
      timeoutMs: 10_000,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${settings['KEY']}` },
      body: JSON.stringify({ reference: refundRef }),
    });
    const reason = `HTTP ${answer.status}`;
    if (answer.status !== 201) return { status: 'unknown', refundProviderRef: null, reason };
    const { id } = JSON.parse(answer.text) as { id: string };
    return { status: 'done', refundProviderRef: id, reason: null };
  },

  async check({ outbound, settings }) {
    const answer = await outbound(`${baseOf(settings)}/account`, {
      method: 'GET',
      timeoutMs: 10_000,
      headers: { authorization: `Bearer ${settings['KEY']}` },
    });
    if (answer.status === 200) return { kind: 'ok', said: 'the account is known', proven: ['KEY'] };
    if (answer.status === 401) return { kind: 'refused', reason: 'the key is not known', lookAt: ['KEY'] };
    return { kind: 'unreachable', reason: `HTTP ${answer.status}` };
  },

  async readCallback({ settings }, raw) {
    const answer = { status: 200, contentType: 'text/plain', body: 'ok' };
    const right = createHmac('sha256', settings['KEY'] ?? '')
      .update(raw.body)
      .digest();
    const given = Buffer.from(raw.headers['acme-signature'] ?? '', 'hex');
    // The bytes are proven before a word of them is read.
    if (given.length !== right.length || !timingSafeEqual(given, right))
      return { kind: 'invalid', reason: 'signature', answer: { ...answer, status: 401, body: 'no' } };
    const payment = JSON.parse(raw.body.toString()) as Payment;
    return {
      kind: 'events',
      events: [{ dedupKey: `${payment.id}:${payment.state}`, report: toReport(payment) }],
      answer,
    };
  },
};

export default { ports: 1, payments: [acme] } satisfies OwnModule;
