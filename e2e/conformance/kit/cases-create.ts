// Starting a payment: the page that opens, one payment for one reference, and every way in
// which the call may end badly.
import { expect } from 'vitest';
import { type Outbound, OutboundError } from '#testing/providers.ts';
import type { CaseName } from './case-names.ts';
import type { ProviderHarness } from './provider-harness.ts';

type CreateCase = Extract<CaseName, `create${string}`>;
export type Run = (harness: ProviderHarness) => Promise<void>;

/** Our choice: shorter than the 1.2 s that the hurried simulator hangs, longer than it ever works on a busy machine. */
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
}); /* a row a line */ // prettier-ignore

/** A create whose answer says nothing: it may have been made. Afterwards the very same create is good again. */
const breaks =
  (fault: string): Run =>
  async (harness) => {
    const context = fault === 'timeout' ? harness.changed({ outbound: impatient }) : harness.context;
    const outcome = await harness.control.spoil('create', fault, () => harness.create(harness.newInput(), context));
    expect(outcome.kind, `${JSON.stringify(outcome)}`).toBe('unknown');
    await harness.start();
  };

export const createCases: Readonly<Record<CreateCase, Run>> = {
  async create(harness) {
    const { provider, context } = harness;
    const payment = await harness.start();
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
    if (!harness.declaration.queryCalls) expect((await harness.query(payment)).status).toBe('pending');
  },

  async 'create is retried'(harness) {
    const first = await harness.start();
    const second = await harness.start(first.input);
    expect(second.known.providerRef).toBe(first.known.providerRef);
    expect(await harness.control.countPayments(first.input.reference)).toBe(1);
    await harness.pay(second);
    expect((await harness.settled(second)).amount).toEqual(first.input.amount);
  },

  async 'create is cut off and retried'(harness) {
    const input = harness.newInput();
    const outcome = await harness.control.spoil('create', 'reset-after', () => harness.create(input));
    expect(outcome.kind).toBe('unknown');
    const payment = await harness.start(input);
    expect(await harness.control.countPayments(input.reference)).toBe(1);
    await harness.pay(payment);
    expect((await harness.settled(payment)).amount).toEqual(input.amount);
  },

  async 'create that nobody hears'(harness) {
    const context = harness.changed({ outbound: () => unreachable });
    expect((await harness.create(harness.newInput(), context)).kind).toBe('refused');
  },

  async 'create with wrong credentials'(harness) {
    const { wrongSettings } = harness.declaration;
    if (!wrongSettings) return expect.fail('the declaration names no wrongSettings');
    const input = harness.newInput();
    const outcome = await harness.create(input, harness.changed({ settings: { ...wrongSettings } }));
    expect(outcome.kind, `${JSON.stringify(outcome)}`).toBe('refused');
    expect(await harness.control.countPayments(input.reference)).toBe(0);
  },

  /**
   * Statuses that prove nothing, whatever the body says: the provider's own refusal, one in
   * words of anybody's, nothing.
   */
  async 'create answered by a passing refusal'(harness) {
    const { certainStatuses = [], wrongSettings } = harness.declaration;
    const good = recorder();
    await harness.create(harness.newInput(), harness.changed({ outbound: good.through }));
    const last = good.calls.at(-1);
    if (!last) return expect.fail('create makes no call; the declaration must say so under createCalls');
    const refusal = recorder();
    await harness.create(
      harness.newInput(),
      harness.changed({ outbound: refusal.through, settings: { ...wrongSettings } }),
    );
    const bodies = [refusal.calls.at(-1)?.answer.text ?? '', ANYBODYS_REFUSAL, '{}', ''];
    for (const status of [408, 409, 425, 429]) {
      if (certainStatuses.some((one) => one.status === status)) continue;
      for (const text of bodies) {
        const outbound =
          (open: Outbound): Outbound =>
          async (url, call) =>
            isSameCall(last, url, call) ? { status, headers: {}, text } : open(url, call);
        const outcome = await harness.create(harness.newInput(), harness.changed({ outbound }));
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
