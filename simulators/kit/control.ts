// The control calls that every payment stand-in shares: for tests, the benchmark and the curious. Not
// part of any provider's wire.

import type { FastifyInstance } from 'fastify';
import { type FaultBook, isCallFault, isSentinel, type Sentinel, readSentinels } from './faults.ts';
import { type Decision, readDecision } from './hosted-page.ts';
import type { Outbox } from './outbox.ts';
import { numberAt, textAt } from './read.ts';

export type Choice = { decision: Decision; note: Sentinel[]; rawNote: string };

/**
 * What a payment stand-in offers to the control calls. Each verb takes the provider's id or the shop's
 * reference; undefined = unknown.
 */
export type Desk = {
  name: string;
  faults: FaultBook;
  /** Left out by a provider that never calls the shop. */
  outbox?: Outbox;
  list(): unknown[];
  find(key: string): unknown;
  pay(key: string, choice: Choice): Promise<unknown>;
  /** Completes what waits at the provider (pay later), now. */
  settle(key: string): Promise<unknown>;
  /** The payer's bank takes the money back. */
  chargeback(key: string): Promise<unknown>;
  /** Sends one more correctly signed callback of the provider's kind, true or not. */
  emit(key: string, kind: string): Promise<unknown>;
  /** The provider's settlement file of a day of UTC, as CSV; left out where its form is not public. */
  settlement?(date: string): string;
};

export function readChoice(body: unknown): Choice {
  const rawNote = textAt(body, 'note') ?? '';
  const decision = readDecision(textAt(body, 'decision') ?? textAt(body, 'action')) ?? 'pay';
  return { decision, note: readSentinels(rawNote), rawNote };
}

const desks = new WeakMap<FastifyInstance, Map<string, Desk>>();

/**
 * What `POST /control/<name>/pay` does, for a caller in this process. @returns undefined when nobody knows name or key
 */
export async function payAtDesk(app: FastifyInstance, name: string, key: string): Promise<unknown> {
  return desks.get(app)?.get(name)?.pay(key, readChoice({}));
}

/** Mounts `/control/<name>/...`. Lists hold the newest first, 100 unless `limit` says otherwise. */
export function mountControl(app: FastifyInstance, desk: Desk): void {
  const base = `/control/${desk.name}`;
  desks.set(app, (desks.get(app) ?? new Map<string, Desk>()).set(desk.name, desk));
  const keyOf = (body: unknown) => textAt(body, 'reference') ?? textAt(body, 'id') ?? '';
  const act = (verb: string, run: (key: string, body: unknown) => Promise<unknown>) =>
    app.post(`${base}/${verb}`, async (request, reply) => {
      const result = await run(keyOf(request.body), request.body);
      return result === undefined ? reply.code(404).send({ error: 'not_found' }) : result;
    });

  app.get(base, (request) => {
    const limit = Number(textAt(request.query, 'limit') ?? 100);
    const reference = textAt(request.query, 'reference');
    const one = reference === undefined ? undefined : desk.find(reference);
    return {
      provider: desk.name,
      payments: reference === undefined ? desk.list().slice(-limit).toReversed() : one === undefined ? [] : [one],
      faults: desk.faults.list(),
      pendingCallbacks: (desk.outbox?.pending() ?? []).slice(0, limit),
      recentCallbacks: (desk.outbox?.recent() ?? []).slice(0, limit),
    };
  });
  act('pay', (key, body) => desk.pay(key, readChoice(body)));
  act('settle', (key) => desk.settle(key));
  act('chargeback', (key) => desk.chargeback(key));
  act('emit', (key, body) => desk.emit(key, textAt(body, 'kind') ?? ''));
  act('repeat', async (key, body) => ({ posted: (await desk.outbox?.repeat(key, numberAt(body, 'times') ?? 1)) ?? 0 }));
  app.get(`${base}/settlement`, (request, reply) => {
    const date = textAt(request.query, 'date') ?? '';
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return reply.code(400).send({ error: 'date_required' });
    if (!desk.settlement) return reply.code(404).send({ error: 'no_settlement_file' });
    return reply.type('text/csv; charset=utf-8').send(desk.settlement(date));
  });
  app.post(`${base}/callbacks/flush`, async () => ({ tried: (await desk.outbox?.flush()) ?? 0 }));

  app.post(`${base}/faults`, (request, reply) => {
    const fault = textAt(request.body, 'fault') ?? '';
    if (!isSentinel(fault) && !isCallFault(fault)) return reply.code(400).send({ error: 'unknown_fault' });
    desk.faults.add({ on: textAt(request.body, 'on') ?? 'create', fault, times: numberAt(request.body, 'times') ?? 1 });
    return { faults: desk.faults.list() };
  });
  app.delete(`${base}/faults`, () => {
    desk.faults.clear();
    return { faults: [] };
  });
}
