// Starting a payment: the page that opens, one payment for one reference, and every way in
// which the call may end badly.
import { expect } from 'vitest';
import { type Outbound, OutboundError } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { Stand } from './stand.ts';

type CreateCase = Extract<CaseName, `create${string}`>;
export type Run = (stand: Stand) => Promise<void>;

/** Our choice: shorter than the 1.2 s that the hurried stand-in hangs, longer than it ever works on a busy machine. */
const IMPATIENT_MS = 600;

export const impatient =
  (open: Outbound): Outbound =>
  (url, call) =>
    open(url, { ...call, timeoutMs: IMPATIENT_MS });

/** An address where nobody listens. */
export const unreachable: Outbound = (url) => {
  throw new OutboundError('network', false, `${new URL(url).host} cannot be reached (ECONNREFUSED)`);
};

export type Recorded = {
  readonly address: string;
  readonly method: string;
  readonly answer: Awaited<ReturnType<Outbound>>;
};

/** Keeps what was called and answered. */
export function recorder(): { calls: Recorded[]; through: (open: Outbound) => Outbound } {
  const calls: Recorded[] = [];
  return {
    calls,
    through: (open) => async (url, call) => {
      const answer = await open(url, call);
      calls.push({ address: addressOf(url), method: call.method, answer });
      return answer;
    },
  };
}

export function isSameCall({ address, method }: Recorded, url: string, call: { method: string }): boolean {
  return addressOf(url) === address && call.method === method;
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The names that refusals stand under, of many providers at once. */
const ANYBODYS_REFUSAL = JSON.stringify({
  status: 'ERROR', status_code: 'X-1', status_message: 'no', code: '40001', msg: 'no', message: 'no', error: 'no',
  name: 'REFUSED',
  error_code: '-1', error_message: 'no', errorCode: '1', errorType: 'validation', description: 'no', details: [],
  sub_code: 'no',
}); // prettier-ignore

/** A create whose answer says nothing: it may have been made. Afterwards the very same create is good again. */
const breaks =
  (fault: string): Run =>
  async (stand) => {
    const context = fault === 'timeout' ? stand.changed({ outbound: impatient }) : stand.context;
    const outcome = await stand.desk.spoil('create', fault, () => stand.create(stand.newInput(), context));
    expect(outcome.kind, `${JSON.stringify(outcome)}`).toBe('unknown');
    await stand.start();
  };

export const createCases: Readonly<Record<CreateCase, Run>> = {
  async create(stand) {
    const { provider, context } = stand;
    const payment = await stand.start();
    const { outcome, input } = payment;
    const payHosts = provider.payHosts(context.settings, 'demo');
    if (outcome.kind === 'redirect') {
      expect(payHosts).toContain(new URL(outcome.url).host);
      expect(outcome.providerRef).not.toBe('');
      expect((await fetch(outcome.url)).status).toBe(200);
    } else {
      const providerRef = outcome.kind === 'page' ? outcome.providerRef : null;
      const page = await provider.payPage?.(context, input, providerRef);
      const again = await provider.payPage?.(context, input, providerRef);
      expect([page?.kind, again?.kind], 'the page of ours, opened twice').toEqual([page?.kind, page?.kind]);
      if (page?.kind === 'form') expect(payHosts).toContain(new URL(page.action).host);
      else if (page?.kind === 'script') expect(payHosts).toContain(new URL(page.src).host);
      else expect.fail(`a new payment has no page: ${page?.reason ?? 'the verb payPage is missing'}`);
    }
    if (!stand.declaration.queryCalls) expect((await stand.query(payment)).status).toBe('pending');
  },

  async 'create is retried'(stand) {
    const first = await stand.start();
    const second = await stand.start(first.input);
    expect(second.known.providerRef).toBe(first.known.providerRef);
    expect(await stand.desk.countPayments(first.input.reference)).toBe(1);
    await stand.pay(second);
    expect((await stand.settled(second)).amount).toEqual(first.input.amount);
  },

  async 'create is cut off and retried'(stand) {
    const input = stand.newInput();
    const outcome = await stand.desk.spoil('create', 'reset-after', () => stand.create(input));
    expect(outcome.kind).toBe('unknown');
    const payment = await stand.start(input);
    expect(await stand.desk.countPayments(input.reference)).toBe(1);
    await stand.pay(payment);
    expect((await stand.settled(payment)).amount).toEqual(input.amount);
  },

  async 'create that nobody hears'(stand) {
    const context = stand.changed({ outbound: () => unreachable });
    expect((await stand.create(stand.newInput(), context)).kind).toBe('refused');
  },

  async 'create with wrong credentials'(stand) {
    const { wrongSettings } = stand.declaration;
    if (!wrongSettings) return expect.fail('the declaration names no wrongSettings');
    const input = stand.newInput();
    const outcome = await stand.create(input, stand.changed({ settings: { ...wrongSettings } }));
    expect(outcome.kind, `${JSON.stringify(outcome)}`).toBe('refused');
    expect(await stand.desk.countPayments(input.reference)).toBe(0);
  },

  /**
   * Statuses that prove nothing, whatever the body says: the provider's own refusal, one in
   * words of anybody's, nothing.
   */
  async 'create answered by a passing refusal'(stand) {
    const { certainStatuses = [], wrongSettings } = stand.declaration;
    const good = recorder();
    await stand.create(stand.newInput(), stand.changed({ outbound: good.through }));
    const last = good.calls.at(-1);
    if (!last) return expect.fail('create makes no call; the declaration must say so under createCalls');
    const refusal = recorder();
    await stand.create(stand.newInput(), stand.changed({ outbound: refusal.through, settings: { ...wrongSettings } }));
    const bodies = [refusal.calls.at(-1)?.answer.text ?? '', ANYBODYS_REFUSAL, '{}', ''];
    for (const status of [408, 409, 425, 429]) {
      if (certainStatuses.some((one) => one.status === status)) continue;
      for (const text of bodies) {
        const outbound =
          (open: Outbound): Outbound =>
          async (url, call) =>
            isSameCall(last, url, call) ? { status, headers: {}, text } : open(url, call);
        const outcome = await stand.create(stand.newInput(), stand.changed({ outbound }));
        expect(outcome.kind, `${status} with ${text.slice(0, 200)}: ${JSON.stringify(outcome)}`).toBe('unknown');
      }
    }
  },

  'create breaks: error500': breaks('error500'),
  'create breaks: html': breaks('html'),
  'create breaks: empty': breaks('empty'),
  'create breaks: reset-after': breaks('reset-after'),
  'create breaks: timeout': breaks('timeout'),
};
