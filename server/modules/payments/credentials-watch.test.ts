import { expect, test } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { createFakeProvider } from '#testing/fake-payments.ts';
import { watchCredentials } from './credentials-watch.ts';
import type { CheckOutcome, PaymentProvider } from './provider.ts';

function start(check?: () => CheckOutcome) {
  let now = 0;
  let status = 200;
  const lines: string[] = [];
  const due: (() => void)[] = [];
  let asked = 0;
  const provider: PaymentProvider = {
    ...createFakeProvider('paypal'),
    ...(check && {
      check: async () => {
        asked += 1;
        return check();
      },
    }),
  };
  const outbound = async () => ({ status, headers: {}, text: '' });
  const context = { environment: 'demo' as const, settings: {}, outbound, now: () => now, cache: new Map() };
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const watch = watchCredentials(provider, context, log, (run) => due.push(run));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    watch,
    lines,
    asked: () => asked,
    call: async (answered: number) => {
      status = answered;
      await watch.outbound('http://a/', { method: 'GET' });
      await settle();
    },
    refuse: async () => {
      watch.noteRefusal();
      await settle();
    },
    /** A minute later: what was to be done then. */
    wait: async () => {
      now += 60_000;
      for (const run of due.splice(0)) run();
      await settle();
    },
  };
}

const DENIED = { kind: 'refused', reason: 'it answered INVALID_KEY', lookAt: ['API_KEY'] } as const;
const OK: CheckOutcome = { kind: 'ok', said: 'well', proven: [] };

test('a key that is refused with any status is noticed once, and its return as well', async () => {
  let said: CheckOutcome = DENIED;
  const { asked, lines, refuse, wait, watch } = start(() => said);
  await refuse();
  expect(watch.isDenied()).toBe(true);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    alert: 'credentials',
    provider: 'paypal',
    reason: 'it answered INVALID_KEY',
    settings: ['API_KEY'],
  });
  await refuse();
  expect([asked(), lines.length]).toEqual([1, 1]);
  await wait();
  expect([asked(), watch.isDenied(), lines.length]).toEqual([2, true, 1]);
  said = OK;
  await wait();
  expect([watch.isDenied(), lines.length]).toEqual([false, 2]);
  await wait();
  expect(asked()).toBe(3);
});

test('a refusal for another reason is none of the credentials', async () => {
  const { asked, call, lines, refuse, watch } = start(() => OK);
  await refuse();
  await call(401);
  expect([asked(), watch.isDenied(), lines]).toEqual([1, false, []]);
});

test.each([401, 403])('an answer of %i asks the provider, and others do not', async (status) => {
  const { asked, call, watch } = start(() => DENIED);
  await call(200);
  await call(422);
  expect(asked()).toBe(0);
  await call(status);
  expect([asked(), watch.isDenied()]).toEqual([1, true]);
});

test('a provider that cannot be reached proves neither', async () => {
  const { refuse, watch } = start(() => {
    throw new OutboundError('timeout', true, 'late');
  });
  await refuse();
  expect(watch.isDenied()).toBe(false);
});

test('where the protocol has no question, the status of the last call decides', async () => {
  const { call, wait, watch } = start();
  await call(403);
  expect(watch.isDenied()).toBe(true);
  await call(200);
  await wait();
  expect(watch.isDenied()).toBe(false);
});
