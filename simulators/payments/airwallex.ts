// The Airwallex simulator: API, script, hosted payment page and wallet pages under `/airwallex`.

import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { mountAirwallexApi } from './airwallex-api.ts';
import { createAirwallexEvents, stampAirwallex } from './airwallex-events.ts';
import { createAirwallexPay } from './airwallex-pay.ts';
import { airwallexScript } from './airwallex-script.ts';
import { type AirwallexAccount, type Intent, newId, openAirwallexState, secretOf } from './airwallex-state.ts';
import { decimalsOf } from './airwallex-views.ts';
import type { Context, Mounted } from './context.ts';

const look: Look = {
  accent: '#612fff',
  ground: '#f5f6f7',
  ink: '#1a1d21',
  radius: '8px',
  font: "'Circular', 'Helvetica Neue', system-ui, sans-serif",
};
const scriptPath = '/airwallex/components/sdk/v1/index.js';

export function mountAirwallex(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<AirwallexAccount>(() => ({
    clientId: randomBytes(16).toString('base64url'),
    apiKey: randomHex(48),
    accountId: newId('acct'),
    webhookSecret: `whsec_${randomHex(16)}`,
  }));
  const state = openAirwallexState(journal);
  const faults = createFaultBook();
  const outbox = createOutbox({
    provider: 'airwallex',
    journal,
    shop,
    clock,
    // @source airwallex.com/docs webhooks: any answer but 200 is a failure
    isAcknowledged: (status) => status === 200,
    stamp: stampAirwallex(context, account, state),
  });
  const events = createAirwallexEvents(context, account, outbox);
  const pay = createAirwallexPay(context, state, events);
  pay.resume();
  mountAirwallexApi(context, account, state, { pay, faults });

  app.get(scriptPath, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(airwallexScript(`${context.pageOrigin()}/airwallex/checkout`)),
  );

  const decide = async (intent: Intent, choice: Choice) => {
    if (choice.decision === 'decline') await pay.decline(intent);
    else await pay.pay(intent, choice.note, choice.decision === 'later');
  };

  function sendForm(reply: FastifyReply, intent: Intent, form: { action: string; back: string; methods: string }) {
    const wasRefused = intent.attemptId !== undefined && intent.status === 'REQUIRES_PAYMENT_METHOD';
    return sendHostedPage(reply, {
      provider: 'Airwallex',
      look,
      heading: 'Checkout',
      merchant: 'Refill demo',
      description: intent.product,
      amountText: showAmount(intent.amount, decimalsOf(intent.amount.currency)),
      reference: intent.orderId,
      action: form.action,
      hidden: { back: form.back },
      lines: [['Pay with', form.methods]],
      ...(wasRefused ? { notice: 'The payment was refused. You can try again.' } : {}),
    });
  }

  const say = (reply: FastifyReply, heading: string, text: string, status: number, url?: string) =>
    sendMessagePage(reply, {
      provider: 'Airwallex',
      look,
      heading,
      text,
      status,
      ...(url ? { next: { label: 'Continue', url } } : {}),
    });

  /** Airwallex puts the intent's id behind the address it leads back to. */
  function sendBack(reply: FastifyReply, intent: Intent, back: string | undefined) {
    if (!back || !URL.canParse(back)) return say(reply, 'Payment received', `Order ${intent.orderId}.`, 200);
    const url = new URL(back);
    url.searchParams.set('id', intent.id);
    url.searchParams.set('type', 'SUCCESS_URL');
    return reply.redirect(url.href, 303);
  }

  type ById = { Params: { id: string }; Querystring: Record<string, string> };
  const isAllowed = (intent: Intent, secret: string | undefined) =>
    secret === secretOf(intent, clock.now()) || secret === secretOf(intent, clock.now() - 3_600_000);

  app.get<ById>('/airwallex/checkout/:id', (request, reply) => {
    const intent = state.intents.get(request.params.id);
    const secret = textAt(request.query, 'client_secret');
    if (!intent || !isAllowed(intent, secret)) return say(reply, 'Expired', 'The checkout has expired.', 404);
    const back = textAt(request.query, 'success_url') ?? '';
    if (!pay.isOpen(intent)) return say(reply, 'Nothing to pay', `The payment is ${intent.status}.`, 410, back);
    const action = `/airwallex/checkout/${intent.id}?client_secret=${encodeURIComponent(secret ?? '')}`;
    return sendForm(reply, intent, { action, back, methods: textAt(request.query, 'methods') ?? 'Any method' });
  });

  app.get<ById>('/airwallex/wallet/:id', (request, reply) => {
    const intent = state.intents.get(request.params.id);
    if (!intent?.method) return say(reply, 'Expired', 'This link is not valid.', 404);
    const back = intent.returnUrl ?? '';
    if (!pay.isOpen(intent)) return say(reply, 'Nothing to pay', `The payment is ${intent.status}.`, 410, back);
    return sendForm(reply, intent, { action: `/airwallex/wallet/${intent.id}`, back, methods: intent.method });
  });

  for (const kind of ['checkout', 'wallet']) {
    app.post<ById>(`/airwallex/${kind}/:id`, async (request, reply) => {
      const intent = state.intents.get(request.params.id);
      const isKnown = kind === 'wallet' || (intent && isAllowed(intent, textAt(request.query, 'client_secret')));
      if (!intent || !isKnown) return say(reply, 'Expired', 'The checkout has expired.', 404);
      const choice = readChoice(request.body);
      const back = textAt(request.body, 'back') ?? intent.returnUrl;
      await decide(intent, choice);
      if (pay.isOpen(intent)) return say(reply, 'Payment refused', 'Choose another way to pay.', 200, back);
      if (intent.faults.includes('late')) return say(reply, 'Payment received', `Order ${intent.orderId}.`, 200);
      return sendBack(reply, intent, back);
    });
  }

  const show = (intent: Intent) => ({ ...intent, reference: intent.orderId });
  const onIntent = async (key: string, run: (intent: Intent) => unknown) => {
    const intent = state.find(key);
    return !intent || (await run(intent)) === false ? undefined : show(intent);
  };
  mountControl(app, {
    name: 'airwallex',
    faults,
    outbox,
    list: () => [...state.intents.values()].map(show),
    find: (key) => {
      const intent = state.find(key);
      return intent && show(intent);
    },
    pay: (key, choice) => onIntent(key, (intent) => pay.isOpen(intent) && decide(intent, choice)),
    settle: (key) => onIntent(key, pay.settle),
    chargeback: (key) => onIntent(key, (intent) => intent.captured !== undefined && pay.dispute(intent)),
    refund: (key, part) =>
      onIntent(key, (intent) => {
        if (!intent.captured) return false;
        const amountMinor = part ?? intent.captured.amountMinor - intent.refundedMinor;
        const asked = { requestId: newId('rfd'), amount: { ...intent.captured, amountMinor }, reason: 'By hand' };
        return pay.refund(intent, { ...asked, metadata: { reference: intent.orderId } }) !== undefined;
      }),
    emit: (key, kind) => onIntent(key, (intent) => events.emit(intent, kind)),
  });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_AIRWALLEX_DEMO_API_BASE: `${context.apiOrigin()}/airwallex`,
      REFILL_AIRWALLEX_DEMO_SCRIPT_URL: `${context.pageOrigin()}${scriptPath}`,
      REFILL_AIRWALLEX_DEMO_CLIENT_ID: account.clientId,
      REFILL_AIRWALLEX_DEMO_API_KEY: account.apiKey,
      REFILL_AIRWALLEX_DEMO_ACCOUNT_ID: account.accountId,
      REFILL_AIRWALLEX_DEMO_WEBHOOK_SECRETS: account.webhookSecret,
      REFILL_AIRWALLEX_DEMO_PAY_HOSTS: hosts,
    }),
  };
}
