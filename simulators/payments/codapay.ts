// The Codapay simulator: API and payment page under `/codapay`.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook, type Sentinel } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { mountCodapayApi } from './codapay-api.ts';
import { createCodapayNotices } from './codapay-notices.ts';
import {
  type CodapayAccount,
  markets,
  openCodapayState,
  referenceOf,
  standingOf,
  type Transaction,
} from './codapay-state.ts';
import { type Context, laterMs, type Mounted } from './context.ts';

const look: Look = {
  accent: '#6a2c91',
  ground: '#f6f2f9',
  ink: '#2b2033',
  radius: '10px',
  font: "'Poppins', 'Segoe UI', system-ui, sans-serif",
};

export function mountCodapay(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<CodapayAccount>(() => ({ apiKey: randomHex(16), projectId: 289 }));
  const state = openCodapayState(journal);
  const faults = createFaultBook();
  // @source coda-payments.gitbook.io, transaction notification
  const isAcknowledged = (status: number, text: string) => status === 200 && text.trim() === 'ResultCode=0';
  const outbox = createOutbox({ provider: 'codapay', journal, shop, clock, isAcknowledged });
  const notices = createCodapayNotices(account, outbox);

  const isOpen = (transaction: Transaction) => standingOf(transaction, clock.now()).code === 209;

  async function settle(transaction: Transaction): Promise<void> {
    if (transaction.resultCode !== 431) return;
    transaction.resultCode = 0;
    transaction.settlesAt = undefined;
    if (transaction.faults.includes('wrong-amount')) transaction.paidMinor = transaction.amountMinor - 1;
    state.save(transaction);
    await notices.paid(transaction);
  }
  const settleAt = (transaction: Transaction, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(transaction));
  for (const one of state.transactions.values()) if (one.settlesAt !== undefined) settleAt(one, one.settlesAt);

  async function pay(transaction: Transaction, note: Sentinel[] = [], isLater = false): Promise<void> {
    if (!isOpen(transaction)) return;
    transaction.faults = [...transaction.faults, ...note];
    transaction.isOpened = true;
    transaction.resultCode = 431;
    if (!isLater) return settle(transaction);
    transaction.settlesAt = clock.now() + laterMs;
    state.save(transaction);
    settleAt(transaction, transaction.settlesAt);
  }
  async function decline(transaction: Transaction): Promise<void> {
    if (!isOpen(transaction)) return;
    transaction.resultCode = 210;
    state.save(transaction);
    await notices.failed(transaction);
  }
  const decide = (transaction: Transaction, choice: Choice) =>
    choice.decision === 'decline' ? decline(transaction) : pay(transaction, choice.note, choice.decision === 'later');

  mountCodapayApi(context, account, state, { pay, faults });

  const say = (reply: FastifyReply, heading: string, text: string, status: number) =>
    sendMessagePage(reply, { provider: 'Codapay', look, heading, text, status });

  /** Coda fills in its own placeholders. @source coda-payments.gitbook.io, `return_url` */
  function sendBack(reply: FastifyReply, { returnUrl, txnId, orderId, faults: given }: Transaction): FastifyReply {
    if (!returnUrl || given.includes('late')) return say(reply, 'Thank you', `Transaction ${txnId}.`, 200);
    return reply.redirect(returnUrl.replaceAll('{transactionId}', txnId).replaceAll('{orderId}', orderId), 303);
  }

  const pagePath = '/codapay/airtime/epc-checkout';
  app.get(pagePath, (request, reply) => {
    const transaction = state.transactions.get(textAt(request.query, 'txn_id') ?? '');
    if (!transaction) return say(reply, 'Not found', 'There is no such transaction.', 404);
    const { code } = standingOf(transaction, clock.now());
    if (code !== 209) return say(reply, 'Nothing to pay', `The transaction has ended with code ${code}.`, 410);
    transaction.isOpened = true;
    state.save(transaction);
    const { currency = 'USD', decimals = 2 } = markets[transaction.currency] ?? {};
    return sendHostedPage(reply, {
      provider: 'Codapay',
      look,
      heading: transaction.payType === 0 ? 'Choose how to pay' : `Channel ${transaction.payType}`,
      merchant: 'Refill demo',
      description: transaction.item,
      amountText: showAmount({ amountMinor: transaction.amountMinor, currency }, decimals),
      reference: transaction.orderId,
      action: `${pagePath}?type=3&txn_id=${transaction.txnId}`,
      hidden: {},
      lines: [['Transaction', transaction.txnId]],
    });
  });
  app.post(pagePath, async (request, reply) => {
    const transaction = state.transactions.get(textAt(request.query, 'txn_id') ?? '');
    if (!transaction) return say(reply, 'Not found', 'There is no such transaction.', 404);
    await decide(transaction, readChoice(request.body));
    return sendBack(reply, transaction);
  });

  const show = (transaction: Transaction) => ({ ...transaction, reference: referenceOf(transaction.orderId) });
  const onOne = async (key: string, run: (transaction: Transaction) => unknown) => {
    const transaction = state.find(key);
    return !transaction || (await run(transaction)) === false ? undefined : show(transaction);
  };
  mountControl(app, {
    name: 'codapay',
    faults,
    outbox,
    list: () => [...state.transactions.values()].map(show),
    find: (key) => {
      const transaction = state.find(key);
      return transaction && show(transaction);
    },
    pay: (key, choice) => onOne(key, (transaction) => isOpen(transaction) && decide(transaction, choice)),
    settle: (key) => onOne(key, settle),
    // No chargeback: Coda tells it by a notification whose checksum is not public.
    emit: (key, kind) => onOne(key, (transaction) => notices.emit(transaction, kind)),
  });

  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_CODAPAY_DEMO_API_BASE: `${context.apiOrigin()}/codapay/airtime/api/restful/v2.0/Payment`,
      REFILL_CODAPAY_DEMO_API_KEY: account.apiKey,
      REFILL_CODAPAY_DEMO_PROJECT_ID: String(account.projectId),
      REFILL_CODAPAY_DEMO_PAY_HOSTS: hosts,
    }),
  };
}
