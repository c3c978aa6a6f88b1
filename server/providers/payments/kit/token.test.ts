// Access tokens: kept, renewed before they end and after a 401, asked for once whoever waits.
import { expect, test } from 'vitest';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { callWithToken, type TokenRules } from './token.ts';

const answer = (status: number, text = ''): OutboundAnswer => ({ status, text, headers: {} });

/** Tokens t1, t2, ... that live ten minutes. @param said what the token call answers, once each, before it works */
function setUp(said: (OutboundAnswer | OutboundError)[] = []) {
  const clock = { now: 0 };
  let asked = 0;
  const rules: TokenRules = {
    title: 'Acme',
    keyOf: ({ settings }) => `acme:${settings['ID']}`,
    ask: async () => {
      asked += 1;
      const next = said.shift() ?? answer(200, `t${asked}`);
      if (next instanceof OutboundError) throw next;
      return next;
    },
    read: ({ status, text }, now) => (status === 200 ? { token: text, endsAt: now + 600_000 } : null),
  };
  const context = { settings: { ID: 'a' }, cache: new Map(), now: () => clock.now } as unknown as ProviderContext;
  const used: string[] = [];
  const call = (statuses: number[] = [], of = context) =>
    callWithToken(rules, of, async (token) => {
      used.push(token);
      return answer(statuses.shift() ?? 200);
    });
  return { clock, context, call, used, asked: () => asked };
}

test('a token is kept until a minute before it ends', async () => {
  const { call, clock, used } = setUp();
  await call();
  clock.now = 539_999;
  await call();
  clock.now = 540_000;
  await call();
  expect(used).toEqual(['t1', 't1', 't2']);
});

test('calls at once wait for one token', async () => {
  const { asked, call, used } = setUp();
  await Promise.all([call(), call(), call()]);
  expect([asked(), used]).toEqual([1, ['t1', 't1', 't1']]);
});

test('401 renews it once, and not what another call has renewed', async () => {
  const { asked, call, used } = setUp();
  expect((await call([401])).status).toBe(200);
  expect((await call([401, 401])).status).toBe(401);
  expect(used).toEqual(['t1', 't2', 't2', 't3']);
  await Promise.all([call([401]), call([401])]);
  expect(asked()).toBe(4);
});

test('other credentials have a token of their own', async () => {
  const { call, context, used } = setUp();
  await call();
  await call([], { ...context, settings: { ID: 'b' } });
  expect(used).toEqual(['t1', 't2']);
});

test.each([
  ['silence', new OutboundError('timeout', true, 'late')],
  ['a refusal', answer(401)],
])('after %s nothing counts as sent, and the next call asks again', async (_name, first) => {
  const { call, used } = setUp([first]);
  await expect(call()).rejects.toMatchObject({ wasSent: false });
  await call();
  expect(used).toEqual(['t2']);
});
