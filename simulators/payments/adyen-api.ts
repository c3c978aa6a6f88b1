// Adyen's Checkout API v72, the part for payment links and modifications.

import type { Answer } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, type Sentinel, spoilView } from '#simulators/kit/faults.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import { readMoney, writeMoney } from './adyen-amounts.ts';
import { adyenError, createAdyenGate } from './adyen-gate.ts';
import type { AdyenEvents } from './adyen-events.ts';
import type { AdyenPay, Verb } from './adyen-pay.ts';
import { type AdyenState, newLinkId, type Payment, type PaymentLink } from './adyen-state.ts';
import type { Context } from './context.ts';

const base = '/adyen/v72';
const dayMs = 86_400_000;
/** @source Adyen CheckoutService-v72: a link lives 24 hours unless told, 70 days at most */
const linkLivesMs = { usual: dayMs, most: 70 * dayMs };

export function mountAdyenApi(
  context: Context,
  state: AdyenState,
  parts: { pay: AdyenPay; events: AdyenEvents; faults: FaultBook },
): void {
  const { app, clock } = context;
  const { pay, events, faults } = parts;
  const account = context.credentials.adyen;
  const call = createAdyenGate(context, state, faults);

  /** A link ends by time, not by a job: the first look after its end finds it expired. */
  function isExpiring(link: PaymentLink): boolean {
    return link.status === 'active' && Date.parse(link.expiresAt) < clock.now();
  }
  function expire(link: PaymentLink): void {
    link.status = 'expired';
    state.saveLink(link);
  }

  const linkView = (link: PaymentLink) =>
    spoilView(wholeLink(link), state.paymentOf(link)?.faults ?? [], { money: ['amount'], status: 'status' });
  const wholeLink = (link: PaymentLink) => ({
    id: link.id,
    url: `${context.pageOrigin()}/adyen/pay/${link.id}`,
    status: link.status,
    amount: writeMoney(state.paymentOf(link)?.amount ?? link.amount),
    expiresAt: link.expiresAt,
    merchantAccount: account.merchantAccount,
    reference: link.reference,
    reusable: false,
    ...optional(link, ['returnUrl', 'description', 'shopperReference', 'countryCode', 'shopperLocale', 'metadata']),
    ...(link.isManualCapture ? { manualCapture: true } : {}),
  });

  app.post(`${base}/paymentLinks`, (request, reply) =>
    call(request, reply, 'create', async (fault) => {
      const made = readLink(request.body, clock.now());
      if ('answer' in made) return made.answer;
      const { link } = made;
      if (fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500')
        link.faults = [fault satisfies Sentinel];
      state.saveLink(link);
      // The shop hears of the payment while it still waits for the link, so the answer shows the link as it was made.
      const answer = { status: 201, body: linkView(link) };
      if (link.faults.includes('early')) await pay.pay(link, [], false);
      return answer;
    }),
  );

  /**
   * @source docs.adyen.com API explorer, POST /paymentMethods: what the merchant account
   * offers; here always the same two
   */
  app.post(`${base}/paymentMethods`, (request, reply) =>
    call(request, reply, 'query', () => ({
      status: 200,
      body: {
        paymentMethods: [
          { name: 'Cards', type: 'scheme', brands: ['visa', 'mc'] },
          { name: 'iDEAL', type: 'ideal' },
        ],
      },
    })),
  );

  type ById = { Params: { id: string } };
  app.get<ById>(`${base}/paymentLinks/:id`, (request, reply) => {
    const link = state.links.get(request.params.id);
    return call(
      request,
      reply,
      'query',
      () => {
        if (!link) return notFound();
        if (isExpiring(link)) expire(link);
        return { status: 200, body: linkView(link) };
      },
      link,
    );
  });

  app.patch<ById>(`${base}/paymentLinks/:id`, (request, reply) =>
    call(request, reply, 'cancel', () => {
      const link = state.links.get(request.params.id);
      if (!link) return notFound();
      if (textAt(request.body, 'status') !== 'expired') {
        return adyenError(422, '14_0408', 'Only the status expired can be set.', 'validation');
      }
      if (link.status !== 'active' && link.status !== 'expired') {
        return adyenError(422, '14_0409', `A link in status ${link.status} cannot expire.`, 'validation');
      }
      if (link.status === 'active') {
        expire(link);
        void events.expired(link.reference, link.amount);
      }
      return { status: 200, body: linkView(link) };
    }),
  );

  for (const verb of ['captures', 'refunds', 'reversals', 'cancels'] satisfies Verb[]) {
    app.post<ById>(`${base}/payments/:id/${verb}`, (request, reply) =>
      call(request, reply, verb === 'captures' ? 'capture' : 'refund', () => {
        const payment = state.payments.get(request.params.id);
        if (!payment) return adyenError(422, '167', 'Original pspReference required for this operation', 'validation');
        return modify(payment, verb, request.body);
      }),
    );
  }

  function modify(payment: Payment, verb: Verb, body: unknown): Answer {
    const hasAmount = verb === 'captures' || verb === 'refunds';
    const amount = hasAmount ? readMoney(at(body, 'amount')) : payment.amount;
    if (!amount) return adyenError(422, '100', 'No amount specified', 'validation');
    const reference = textAt(body, 'reference');
    if (reference && reference.length > 80) return adyenError(422, '130', 'Reference is too long', 'validation');
    const pspReference = pay.modify(payment, verb, amount, reference);
    return {
      status: 201,
      body: {
        merchantAccount: account.merchantAccount,
        paymentPspReference: payment.pspReference,
        pspReference,
        status: 'received',
        ...(reference ? { reference } : {}),
        ...(hasAmount ? { amount: writeMoney(amount) } : {}),
      },
    };
  }
}

const notFound = () => adyenError(404, '14_0404', 'The payment link does not exist.', 'validation');

function readLink(body: unknown, now: number): { link: PaymentLink } | { answer: Answer } {
  const refuse = (code: string, message: string) => ({ answer: adyenError(422, code, message, 'validation') });
  if (at(body, 'amount') === undefined) return refuse('100', 'No amount specified');
  const amount = readMoney(at(body, 'amount'));
  if (!amount) return refuse('137', 'Invalid amount specified');
  const reference = textAt(body, 'reference');
  if (!reference) return refuse('130', "Required field 'reference' is not provided.");
  const returnUrl = textAt(body, 'returnUrl');
  if (returnUrl && (returnUrl.length > 8000 || !URL.canParse(returnUrl))) return refuse('14_0012', 'Invalid returnUrl');
  const asked = textAt(body, 'expiresAt');
  const endsAt = asked === undefined ? now + linkLivesMs.usual : Date.parse(asked);
  if (!(endsAt > now && endsAt <= now + linkLivesMs.most))
    return refuse('14_0013', 'expiresAt must be within 70 days from now');
  const link: PaymentLink = {
    id: newLinkId(),
    status: 'active',
    amount,
    reference,
    expiresAt: asked ?? new Date(endsAt).toISOString(),
    isManualCapture: at(body, 'manualCapture') === true,
    faults: [],
    ...optional(body, ['returnUrl', 'description', 'shopperReference', 'countryCode', 'shopperLocale', 'metadata']),
  };
  return { link };
}

/** The named properties that are present. */
function optional(source: unknown, names: string[]): Record<string, never> {
  const found = names.map((name) => [name, at(source, name)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Record<string, never>;
}
