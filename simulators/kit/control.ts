// The control calls that every payment simulator shares: for tests, the benchmark and the curious. Not
// part of any provider's wire.

import type { FastifyInstance } from 'fastify';
import { type FaultBook, isCallFault, isSentinel, type Sentinel, readSentinels } from './faults.ts';
import { type Decision, readDecision } from './hosted-page.ts';
import type { Outbox } from './outbox.ts';
import { numberAt, textAt } from './read.ts';

export type Choice = { decision: Decision; note: Sentinel[]; rawNote: string };

/**
 * A payment simulator offers these to the control calls. Each verb takes the provider's id or the shop's reference;
 * undefined = unknown.
 */
export type Controls = {
  name: string;
  faults: FaultBook;
  /** Left out by a provider that never calls the shop. */
  outbox?: Outbox;
  list(): unknown[];
  find(key: string): unknown;
  pay(key: string, choice: Choice): Promise<unknown>;
  /** Completes what waits at the provider (pay later), now. */
  settle(key: string): Promise<unknown>;
  /** The payer's bank takes the money back; left out where the provider does not tell the shop of it. */
  chargeback?(key: string): Promise<unknown>;
  /** A part, or all that is left, is given back from the provider's own back office. */
  refund?(key: string, amountMinor?: number): Promise<unknown>;
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

const controlsByApp = new WeakMap<FastifyInstance, Map<string, Controls>>();

/**
 * Pays as `POST /control/<name>/pay` does, for a caller in this process. @returns undefined when nobody knows name or
 * key
 */
export async function payByControl(app: FastifyInstance, name: string, key: string): Promise<unknown> {
  return controlsByApp.get(app)?.get(name)?.pay(key, readChoice({}));
}

/** Mounts `/control/<name>/...`. Lists hold the newest first, 100 unless `limit` says otherwise. */
export function mountControl(app: FastifyInstance, controls: Controls): void {
  const base = `/control/${controls.name}`;
  controlsByApp.set(app, (controlsByApp.get(app) ?? new Map<string, Controls>()).set(controls.name, controls));
  const keyOf = (body: unknown) => textAt(body, 'reference') ?? textAt(body, 'id') ?? '';
  const act = (verb: string, run: (key: string, body: unknown) => Promise<unknown>) =>
    app.post(`${base}/${verb}`, async (request, reply) => {
      const result = await run(keyOf(request.body), request.body);
      return result === undefined ? reply.code(404).send({ error: 'not_found' }) : result;
    });

  app.get(base, (request) => {
    const limit = Number(textAt(request.query, 'limit') ?? 100);
    const reference = textAt(request.query, 'reference');
    const one = reference === undefined ? undefined : controls.find(reference);
    return {
      provider: controls.name,
      // Says whether this provider calls the shop at all, and about which money that goes back.
      tells: controls.outbox
        ? [
            'paid',
            'failed',
            'pending',
            'settled',
            ...(['chargeback', 'refund'] as const).filter((verb) => controls[verb]),
          ]
        : [],
      payments: reference === undefined ? controls.list().slice(-limit).toReversed() : one === undefined ? [] : [one],
      faults: controls.faults.list(),
      pendingCallbacks: (controls.outbox?.pending() ?? []).slice(0, limit),
      recentCallbacks: (controls.outbox?.recent() ?? []).slice(0, limit),
    };
  });
  act('pay', (key, body) => controls.pay(key, readChoice(body)));
  act('settle', (key) => controls.settle(key));
  act('chargeback', async (key) => controls.chargeback?.(key));
  act('refund', async (key, body) => controls.refund?.(key, numberAt(body, 'amountMinor')));
  act('emit', (key, body) => controls.emit(key, textAt(body, 'kind') ?? ''));
  act('repeat', async (key, body) => ({
    posted: (await controls.outbox?.repeat(key, numberAt(body, 'times') ?? 1)) ?? 0,
  }));
  app.get(`${base}/settlement`, (request, reply) => {
    const date = textAt(request.query, 'date') ?? '';
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return reply.code(400).send({ error: 'date_required' });
    if (!controls.settlement) return reply.code(404).send({ error: 'no_settlement_file' });
    return reply.type('text/csv; charset=utf-8').send(controls.settlement(date));
  });
  app.post(`${base}/callbacks/flush`, async () => ({ tried: (await controls.outbox?.flush()) ?? 0 }));

  app.post(`${base}/faults`, (request, reply) => {
    const fault = textAt(request.body, 'fault') ?? '';
    if (!isSentinel(fault) && !isCallFault(fault)) return reply.code(400).send({ error: 'unknown_fault' });
    controls.faults.add({
      on: textAt(request.body, 'on') ?? 'create',
      fault,
      times: numberAt(request.body, 'times') ?? 1,
    });
    return { faults: controls.faults.list() };
  });
  app.delete(`${base}/faults`, () => {
    controls.faults.clear();
    return { faults: [] };
  });
}
