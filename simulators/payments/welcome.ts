// The Welcome Payments simulator: overlay script and page for desktops, page for phones in EUC-KR,
// approvals, under `/welcome`.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { escapeHtml, type Look, sendPage } from '#simulators/kit/page.ts';
import type { Context, Mounted } from './context.ts';
import { mountWelcomeApi } from './welcome-api.ts';
import { overlayScript } from './welcome-script.ts';
import { type Asked, type ReadForm, readForm, readMobileForm, readPcForm, resultOf } from './welcome-forms.ts';
import { cancelPart, newAuthToken, newTid, openWelcomeState, restOf, type Visit } from './welcome-state.ts';

const look: Look = {
  accent: '#9a2a2a',
  ground: '#f6f1f0',
  ink: '#2a1616',
  radius: '4px',
  font: "'Malgun Gothic', 'Noto Sans KR', system-ui, sans-serif",
};

export function mountWelcome(context: Context): Mounted {
  const { app, clock, journal } = context;
  const state = openWelcomeState(journal);
  const faults = createFaultBook();
  const account = context.account(() => ({ mid: 'welcometst', signKey: randomHex(16) }));
  mountWelcomeApi(context, state, account, faults);
  const backFields = (visit: Visit) => resultOf(visit, account.mid, `${context.apiOrigin()}/welcome`);

  const say = (reply: FastifyReply, heading: string, text: string, status = 200) =>
    sendMessagePage(reply, { provider: 'Welcome Payments', look, heading, text, status });

  app.get('/welcome/stdjs/WelStdPay.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(overlayScript(context.pageOrigin())),
  );

  app.post('/welcome/pc/open', (request, reply) => openBy(reply, 'pc', readPcForm(request, account)));

  app.post<{ Params: { way: string } }>('/welcome/smart/:way/', (request, reply) =>
    openBy(reply, 'mobile', readMobileForm(request, request.params.way, account)),
  );

  function openBy(reply: FastifyReply, kind: Visit['kind'], form: ReadForm): FastifyReply {
    if (form === 'unsigned') return say(reply, 'Signature', 'The form is not signed by this merchant.', 403);
    if (form === 'incomplete') return say(reply, 'Form', 'A field of the form is missing or wrong.', 400);
    return sendForm(reply, open(kind, form));
  }

  function open(kind: Visit['kind'], asked: Asked): Visit {
    const id = kind === 'pc' ? newAuthToken() : newTid(account.mid);
    const visit: Visit = { id, kind, ...asked, status: 'open', faults: [], createdAt: clock.now() };
    state.save(visit);
    return visit;
  }

  function sendForm(reply: FastifyReply, visit: Visit): FastifyReply {
    const isWon = visit.currency === 'WON';
    return sendHostedPage(reply, {
      provider: 'Welcome Payments',
      look,
      heading: visit.kind === 'pc' ? 'Pay' : 'Pay on your phone',
      merchant: account.mid,
      description: visit.goods,
      amountText: showAmount({ amountMinor: Number(visit.price), currency: isWon ? 'KRW' : 'USD' }, isWon ? 0 : 2),
      reference: visit.oid,
      action: '/welcome/decide',
      hidden: { visit: visit.id },
      lines: [['Method', visit.method]],
    });
  }

  function decide(visit: Visit, { decision, note }: Choice): void {
    visit.faults = [...visit.faults, ...note];
    visit.status = decision === 'decline' ? 'declined' : 'agreed';
    if (visit.status === 'agreed') visit.agreedAt = clock.now();
    state.save(visit);
  }

  app.post('/welcome/decide', (request, reply) => {
    const visit = state.visits.get(readForm(request, 'utf-8')('visit'));
    if (!visit) return say(reply, 'No such payment', 'This payment is not known.', 404);
    const choice = readChoice(request.body);
    if (visit.status === 'open') decide(visit, choice);
    // Nothing completes later at Welcome: the browser's post is all the shop ever learns.
    if (choice.decision === 'later' || visit.faults.includes('late'))
      return say(reply, 'You agreed', 'Your browser stays here, so the shop does not learn of it.');
    return sendBack(reply, visit);
  });

  /** The browser posts the result to the shop, out of the overlay. */
  function sendBack(reply: FastifyReply, visit: Visit): FastifyReply {
    const inputs = Object.entries(backFields(visit))
      .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
      .join('');
    return sendPage(reply, {
      title: 'Welcome Payments',
      look,
      content: `<form method="post" target="_top" action="${escapeHtml(visit.returnUrl)}">${inputs}</form>`,
      script: 'document.forms[0].submit()',
    });
  }

  const show = (visit: Visit) => ({
    reference: visit.oid,
    ...visit,
    back: { url: visit.returnUrl, fields: backFields(visit) },
  });
  const on = async (key: string, run: (visit: Visit) => boolean) => {
    const visit = state.find(key);
    return visit && run(visit) ? show(visit) : undefined;
  };
  mountControl(app, {
    name: context.name,
    faults,
    list: () => [...state.visits.values()].map(show),
    find: (key) => state.find(key) && show(state.find(key)!),
    pay: (key, choice) => on(key, (visit) => visit.status === 'open' && (decide(visit, choice), true)),
    // A payer who paid later returns after all: `back` holds the fields that the browser posts.
    settle: (key) => on(key, (visit) => visit.status === 'agreed'),
    refund: (key, part) =>
      on(key, (visit) => {
        const price = part ?? restOf(visit);
        if (visit.status !== 'paid' || price <= 0 || price > restOf(visit)) return false;
        cancelPart(state, visit, price);
        return true;
      }),
    emit: async () => undefined,
  });
  return {
    close() {},
    environment: (hosts) => ({
      REFILL_WELCOME_DEMO_PC_BASE: `${context.pageOrigin()}/welcome`,
      REFILL_WELCOME_DEMO_MOBILE_BASE: `${context.pageOrigin()}/welcome`,
      REFILL_WELCOME_DEMO_API_BASE: `${context.apiOrigin()}/welcome`,
      REFILL_WELCOME_DEMO_APPROVAL_HOSTS: hosts,
      REFILL_WELCOME_DEMO_MID: account.mid,
      REFILL_WELCOME_DEMO_SIGN_KEY: account.signKey,
      REFILL_WELCOME_DEMO_BUYER_TEL: '02-000-0000',
    }),
  };
}
