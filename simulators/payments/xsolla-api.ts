// Xsolla's merchant API v2: token, transaction reports, refunds.

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, type Sentinel, spoilView } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { asFields, at, numberAt, textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { decimalsOf, readMoney, writeMoney } from './xsolla-amounts.ts';
import { minorFromText } from '#simulators/kit/money.ts';
import type { XsollaPay } from './xsolla-pay.ts';
import type { PayToken, Transaction, XsollaState } from './xsolla-state.ts';

const base = '/xsolla/merchant/v2/merchants/:merchant';

/** How long after the money the `timeout` word keeps questions hanging: as long as its callback is held back. */
const hangsForMs = 20_000;

type Params = { Params: { merchant: string; id: string } };

export function mountXsollaApi(context: Context, state: XsollaState, pay: XsollaPay, faults: FaultBook): void {
  const { app, clock } = context;
  const account = context.credentials.xsolla;
  const expected = `Basic ${Buffer.from(`${account.merchantId}:${account.apiKey}`).toString('base64')}`;
  const spent500 = new Set<string>();

  function call(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    perform: (fault: string | undefined) => Answer | Promise<Answer>,
    about?: Transaction,
  ): Promise<FastifyReply> {
    if (request.headers.authorization !== expected) {
      return answerCall(reply, clock, undefined, () => xsollaError(401, 'Invalid authorization credentials'));
    }
    if ((request.params as Params['Params']).merchant !== String(account.merchantId)) {
      return answerCall(reply, clock, undefined, () => xsollaError(403, 'Merchant is not accessible with this key'));
    }
    const fault = faults.take(operation) ?? (about && questionFault(about));
    return answerCall(reply, clock, fault, () => perform(fault));
  }

  function questionFault(transaction: Transaction): string | undefined {
    if (transaction.faults.includes('timeout') && clock.now() - (transaction.paidAt ?? 0) < hangsForMs) return 'hang';
    if (!transaction.faults.includes('error500') || spent500.has(transaction.id)) return undefined;
    spent500.add(transaction.id);
    return 'error500';
  }

  app.post<Params>(`${base}/token`, (request, reply) =>
    call(request, reply, 'create', async (fault) => {
      const problems = checkToken(request.body, account.projectId);
      if (problems) return xsollaError(422, 'JSON is not valid', problems);
      const own: Sentinel[] = fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500' ? [fault] : [];
      const token = readToken(request.body, own, clock.now());
      state.saveToken(token);
      if (own.includes('early')) await pay.pay(token, [], false);
      return { status: 200, body: { token: token.token } };
    }),
  );

  app.get<Params>(`${base}/reports/transactions/search.json`, (request, reply) => {
    const reference = textAt(request.query, 'external_id');
    const about = reference === undefined ? undefined : state.findTransaction(reference);
    return call(request, reply, 'query', () => search(request.query, state, account.projectId), about);
  });

  app.get<Params>(`${base}/reports/transactions/:id/details`, (request, reply) => {
    const found = state.transactions.get(request.params.id);
    return call(
      request,
      reply,
      'query',
      () =>
        found
          ? { status: 200, body: [reportView(found, state, account.projectId)] }
          : xsollaError(404, 'Transaction not found'),
      found,
    );
  });

  app.put<Params>(`${base}/reports/transactions/:id/refund`, (request, reply) =>
    call(request, reply, 'refund', () => refund(request.params.id, request.body, false)),
  );
  app.put<Params>(`${base}/reports/transactions/:id/partial_refund`, (request, reply) =>
    call(request, reply, 'refund', () => refund(request.params.id, request.body, true)),
  );

  async function refund(id: string, body: unknown, isPartial: boolean): Promise<Answer> {
    const transaction = state.transactions.get(id);
    if (!transaction) return xsollaError(404, 'Transaction not found');
    const reason = textAt(body, 'description');
    if (!reason) return xsollaError(422, 'JSON is not valid', { description: ['is required'] });
    // Our choice: after a part only the call for parts gives back the rest, so that a shop that asks for all is seen.
    const isPaid = transaction.status === 'done' || (isPartial && transaction.status === 'partial_refunded');
    if (!isPaid) return xsollaError(422, 'Transaction cannot be refunded in its status');
    const asked = minorFromText(String(numberAt(body, 'refund_amount')), decimalsOf(transaction.amount.currency));
    if (isPartial && !asked) return xsollaError(422, 'JSON is not valid', { refund_amount: ['is required'] });
    const amountMinor = isPartial ? asked! : transaction.amount.amountMinor - transaction.refundedMinor;
    const isDone = await pay.refund(transaction, amountMinor, { code: 1, reason });
    if (!isDone) return xsollaError(422, 'Refund amount exceeds the amount left');
    return { status: 200, body: { message: 'The refund request is accepted.' } };
  }
}

/** @source memory of the API's answers: status, sentence, property errors, request id */
function xsollaError(status: number, message: string, properties?: Record<string, string[]>): Answer {
  const extended_message = properties ? { global_errors: [], property_errors: properties } : null;
  return { status, body: { http_status_code: status, message, extended_message, request_id: randomHex(4) } };
}

/** Lists the faults of a token request, by property; undefined when there are none. */
function checkToken(body: unknown, projectId: number): Record<string, string[]> | undefined {
  const problems: Record<string, string[]> = {};
  const need = (isGood: boolean, path: string, text: string) => {
    if (!isGood) problems[path] = [text];
  };
  need(textAt(body, 'user.id.value') !== undefined, 'user.id.value', 'is required');
  need(
    numberAt(body, 'settings.project_id') === projectId,
    'settings.project_id',
    'must be the number of a project of this merchant',
  );
  need(
    readMoney(at(body, 'purchase.checkout')) !== undefined,
    'purchase.checkout',
    'must be a positive amount of a currency',
  );
  const mode = at(body, 'settings.mode');
  need(mode === undefined || mode === 'sandbox', 'settings.mode', 'must be sandbox or absent');
  const method = at(body, 'settings.payment_method');
  need(method === undefined || typeof method === 'number', 'settings.payment_method', 'must be a number');
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function readToken(body: unknown, faults: Sentinel[], now: number): PayToken {
  const optional = (name: string, path: string) => {
    const value = textAt(body, path);
    return value === undefined ? {} : { [name]: value };
  };
  return {
    token: randomBytes(24).toString('base64url'),
    createdAt: now,
    isSandbox: at(body, 'settings.mode') === 'sandbox',
    user: {
      id: textAt(body, 'user.id.value')!,
      ...optional('name', 'user.name.value'),
      ...optional('email', 'user.email.value'),
      ...optional('country', 'user.country.value'),
    },
    ...optional('externalId', 'settings.external_id'),
    amount: readMoney(at(body, 'purchase.checkout'))!,
    ...optional('description', 'purchase.description.value'),
    ...optional('returnUrl', 'settings.return_url'),
    ...optional('language', 'settings.language'),
    customParameters: asFields(at(body, 'custom_parameters')),
    faults,
  };
}

function search(query: unknown, state: XsollaState, projectId: number): Answer {
  const [from, to] = [textAt(query, 'datetime_from'), textAt(query, 'datetime_to')];
  if (!from || !to || Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) {
    return xsollaError(422, 'datetime_from and datetime_to are required');
  }
  const reference = textAt(query, 'external_id');
  const candidates = reference === undefined ? [...state.transactions.values()] : state.ofReference(reference);
  const [userId, id, status] = [textAt(query, 'user_id'), textAt(query, 'transaction_id'), textAt(query, 'status')];
  // Without show_dry_run sandbox payments stay hidden. @source Xsolla API resource list
  const showsSandbox = textAt(query, 'show_dry_run') === '1';
  // A bare date as the end means the whole of that day.
  const end = Date.parse(to) + (/^\d{4}-\d\d-\d\d$/.test(to) ? 86_400_000 : 0);
  const found = candidates.filter(
    (transaction) =>
      (showsSandbox || !transaction.isSandbox) &&
      transaction.createdAt >= Date.parse(from) &&
      transaction.createdAt <= end &&
      (userId === undefined || transaction.userId === userId) &&
      (id === undefined || transaction.id === id) &&
      (status === undefined || transaction.status === status),
  );
  const offset = Number(textAt(query, 'offset') ?? 0);
  const limit = Number(textAt(query, 'limit') ?? 100);
  return { status: 200, body: found.slice(offset, offset + limit).map((one) => reportView(one, state, projectId)) };
}

/**
 * @source developers.xsolla.com, Pay Station API, "Find transactions", response sample: every field of it, and no other
 */
function reportView(transaction: Transaction, state: XsollaState, projectId: number): Record<string, unknown> {
  const token = state.tokens.get(transaction.token);
  const money = writeMoney(transaction.amount);
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const purchase = {
    virtual_currency: { name: null, amount: 0 },
    virtual_items: null,
    simple_checkout: money,
    pin_codes: { amount: null, currency: null, content: null },
    subscription: { name: null },
  };
  const said = {
    id: Number(transaction.id),
    external_id: transaction.externalId ?? null,
    project: { id: projectId, name: 'Simulated project' },
    payment_method: { id: 1380, name: 'Credit card (simulated)' },
    status: transaction.status,
    dry_run: transaction.isSandbox ? 1 : 0,
    create_date: day(transaction.createdAt),
    transfer_date: transaction.paidAt === undefined ? null : day(transaction.paidAt),
    refund_reason: null,
    is_refund_allowed: transaction.status === 'done' ? 1 : 0,
  };
  const { faults } = transaction;
  return {
    transaction: spoilView(said, faults, { status: 'status' }),
    purchase: spoilView(purchase, faults, { money: ['simple_checkout'] }),
    payment_details: { payment: { ...money, amount_from_ps: money.amount }, sales_tax: { amount: 0, percent: 0 } },
    payment_system: { decline_reason: null },
    user: {
      id: transaction.userId,
      name: token?.user.name ?? null,
      email: token?.user.email ?? null,
      phone: null,
      country: token?.user.country ?? null,
      custom: null,
    },
  };
}
