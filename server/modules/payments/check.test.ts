// Tests how the check judges a provider's answer, its hosts and its clock, with a made-up provider; the adapters' own
// checks are in e2e/conformance.
import { expect, test } from 'vitest';
import { type Outbound, OutboundError } from '#server/platform/outbound/outbound.ts';
import { checkProvider, isWell } from './check.ts';
import type { CheckOutcome, PaymentProvider, ProviderContext } from './provider.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const setting = (name: string, isSecret = false) => ({
  name,
  isRequired: isSecret,
  isSecret,
  about: `Where ${name} is.`,
});
const provider = (
  check?: (context: ProviderContext) => Promise<CheckOutcome>,
  over: Partial<PaymentProvider> = {},
): PaymentProvider => ({
  name: 'bank',
  settings: [setting('KEY', true), setting('API_BASE'), setting('SHOP')],
  amountForm: 'minor-units',
  supportsCurrency: () => true,
  accountOf: () => null,
  apiHosts: () => ['api.bank.test'],
  payHosts: () => ['api.bank.test', 'pay.bank.test'],
  payableForSeconds: 60,
  signedHeaders: [],
  create: () => Promise.reject(new Error('a check creates nothing')),
  query: () => Promise.reject(new Error('not asked')),
  readCallback: () => Promise.reject(new Error('not asked')),
  ...(check ? { check } : {}),
  ...over,
});

const answering =
  (date = 'Sat, 21 Nov 2026 12:00:00 GMT', calls: string[] = []): Outbound =>
  async (url, { method }) => {
    calls.push(`${method} ${url}`);
    return { status: 404, headers: { date }, text: '' };
  };

const ask = (context: ProviderContext) => context.outbound('https://api.bank.test/query', { method: 'GET' });
const fine = async (context: ProviderContext): Promise<CheckOutcome> => {
  await ask(context);
  return { kind: 'ok', said: 'known', proven: ['KEY'] };
};

const run = (one: PaymentProvider, over: Partial<Parameters<typeof checkProvider>[1]> = {}) =>
  checkProvider(one, {
    environment: 'live',
    settings: { KEY: 'secret-key', SHOP: 'S1' },
    open: () => answering(),
    now: () => NOW,
    ...over,
  });

test('tells what is proven and what is not, and looks at every host once', async () => {
  const calls: string[] = [];
  let opened: string[] = [];
  const checked = await run(provider(fine), {
    open: (hosts) => {
      opened = [...hosts];
      return answering(undefined, calls);
    },
  });
  expect(checked).toEqual({
    missing: [],
    outcome: { kind: 'ok', said: 'known', proven: ['KEY'] },
    unproven: ['SHOP'],
    hosts: [
      { host: 'api.bank.test', use: 'api', status: 404, fault: null },
      { host: 'pay.bank.test', use: 'pay', status: 404, fault: null },
    ],
    clockSeconds: 1,
    isClockOff: false,
  });
  expect(isWell(checked)).toBe(true);
  expect(opened).toEqual(['api.bank.test', 'pay.bank.test']);
  expect(calls).toEqual([
    'GET https://api.bank.test/query',
    'GET https://api.bank.test/',
    'GET https://pay.bank.test/',
  ]);
});

test('without a required setting nobody is asked', async () => {
  const checked = await run(provider(fine), {
    settings: { SHOP: 'S1' },
    open: () => expect.fail('a way out was opened'),
  });
  expect(checked).toMatchObject({ missing: [{ name: 'KEY', about: 'Where KEY is.' }], outcome: null, hosts: [] });
  expect(isWell(checked)).toBe(false);
});

test.each([
  ['Sat, 21 Nov 2026 12:00:59 GMT', 60, false],
  ['Sat, 21 Nov 2026 12:01:01 GMT', 62, true],
  ['Sat, 21 Nov 2026 11:59:00 GMT', -59, false],
  ['Sat, 21 Nov 2026 11:58:30 GMT', -89, true],
  ['no time at all', null, false],
])('a clock that says %s is %j seconds ahead', async (date, clockSeconds, isClockOff) => {
  const checked = await run(provider(fine), { open: () => answering(date) });
  expect(checked).toMatchObject({ clockSeconds, isClockOff });
  expect(isWell(checked)).toBe(!isClockOff);
});

test('a host that nobody serves is told; a provider that cannot be reached is no bug', async () => {
  const silent: Outbound = async (url) => {
    throw new OutboundError('network', false, `${new URL(url).host} cannot be reached (ENOTFOUND)`);
  };
  const checked = await run(provider(fine), { open: () => silent });
  expect(checked).toMatchObject({
    outcome: { kind: 'unreachable', reason: 'api.bank.test cannot be reached (ENOTFOUND)' },
    hosts: [{ host: 'api.bank.test', status: null, fault: expect.stringContaining('ENOTFOUND') }, { status: null }],
    clockSeconds: null,
  });
  expect(isWell(checked)).toBe(false);
});

test('settings that cannot be read are refused by name; a bug stays a bug', async () => {
  const unreadable = provider(fine, {
    apiHosts: () => {
      throw new Error("the bank's live API_BASE must begin with https");
    },
  });
  expect((await run(unreadable)).outcome).toEqual({
    kind: 'refused',
    reason: "the bank's live API_BASE must begin with https",
    lookAt: ['API_BASE'],
  });
  const noAddress = provider(fine, { apiHosts: (given) => [new URL(given['API_BASE'] ?? '').host] });
  expect((await run(noAddress, { settings: { KEY: 'k', API_BASE: 'bank' } })).outcome).toEqual({
    kind: 'refused',
    reason: 'API_BASE is no address: write it with https:// in front, or unset it',
    lookAt: ['API_BASE'],
  });
  const buggy = provider(async () => {
    throw new TypeError('x is not a function');
  });
  await expect(run(buggy)).rejects.toThrow('x is not a function');
});

test('a secret that the provider repeats is not shown', async () => {
  const loud = provider(async () => ({ kind: 'refused', reason: 'unknown key new-key or old-key', lookAt: ['KEY'] }));
  const checked = await run(loud, { settings: { KEY: 'new-key, old-key' } });
  expect(checked.outcome).toMatchObject({ reason: 'unknown key *** or ***' });
});

test('an adapter without a check is told as one', async () => {
  expect((await run(provider())).outcome).toEqual({ kind: 'nothing_to_ask', reason: 'its adapter has no check' });
});
