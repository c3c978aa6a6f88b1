// `refill provider list` and `refill provider check` as an operator runs them, against the simulators; what each
// adapter proves is tested in e2e/conformance.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { runCommand } from '#cli/test-run.ts';

let folder: string;
let simulators: Simulators;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-check-'));
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: 'http://127.0.0.1:9', durable: false });
  environment = simulators.environment;
});
afterAll(async () => {
  await simulators.close();
  await rm(folder, { recursive: true });
});

const check = (name: string, over: Record<string, string> = {}, ...more: string[]) =>
  runCommand(['provider', 'check', name, ...more], { ...environment, ...over });
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));

test('a provider that is set up right: what is proven, what is not, hosts and clock', async () => {
  const run = await check('adyen');
  expect(run).toMatchObject({ code: 0, err: '' });
  expect(run.out).toContain("adyen (demo): ok. Adyen answered 200 with the account's payment methods.");
  expect(run.out).toContain('Proven: API_KEY, MERCHANT_ACCOUNT.');
  expect(run.out).toContain('Not proven by this: HMAC_KEYS, API_BASE, PAY_HOSTS.');
  expect(run.out).toMatch(/127\.0\.0\.1:\d+ +api +\d{3}\n/);
  expect(run.out).toMatch(/localhost:\d+ +pay +\d{3}\n/);
  expect(run.out).toMatch(/The clocks agree to \d s\./);
});

test('a refusal names the settings to look at and where they are found, and shows no secret', async () => {
  const run = await check('adyen', { REFILL_ADYEN_DEMO_API_KEY: 'a-wrong-key' });
  expect(run).toMatchObject({ code: 1, err: '' });
  expect(run.out).toContain('adyen (demo): refused. Adyen answered 401: 000 HTTP Status Response - Unauthorized.');
  expect(run.out).toMatch(/REFILL_ADYEN_DEMO_API_KEY +API key of a credential/);
  expect(run.out).not.toContain('a-wrong-key');
  expect((await check('adyen', { REFILL_ADYEN_DEMO_MERCHANT_ACCOUNT: 'Other' })).out).toMatch(
    /REFILL_ADYEN_DEMO_MERCHANT_ACCOUNT +Name of the merchant account/,
  );
});

test('a provider that is down', async () => {
  const api = { REFILL_PAYPAL_DEMO_API_BASE: 'http://127.0.0.1:9/paypal' };
  expect(await check('paypal', api)).toMatchObject({
    code: 1,
    out: expect.stringContaining('paypal (demo): unreachable. 127.0.0.1:9 cannot be reached (ECONNREFUSED).'),
  });
  expect(JSON.parse((await check('paypal', api, '--json')).out)).toMatchObject({
    ok: false,
    outcome: { kind: 'unreachable' },
    hosts: expect.arrayContaining([{ host: '127.0.0.1:9', use: 'api', status: null, fault: expect.any(String) }]),
    clock: expect.anything(),
  });
});

test('missing settings are named with where to find them; nobody is asked', async () => {
  const run = await runCommand(
    ['provider', 'check', 'xsolla'],
    without('REFILL_XSOLLA_DEMO_API_KEY', 'REFILL_XSOLLA_DEMO_PROJECT_ID'),
  );
  expect(run).toMatchObject({
    code: 1,
    out: expect.stringContaining('xsolla (demo) is off: 2 settings are missing.'),
  });
  expect(run.out).toMatch(/REFILL_XSOLLA_DEMO_PROJECT_ID +Project ID: Publisher Account/);
  const live = JSON.parse(
    (await runCommand(['provider', 'check', 'card', '--json'], { REFILL_ENVIRONMENT: 'live' })).out,
  );
  expect(live).toMatchObject({
    ok: false,
    environment: 'live',
    outcome: null,
    missing: [{ variable: 'REFILL_CARD_LIVE_PEPPER', about: expect.any(String) }],
    clock: null,
  });
});

const ADYEN = {
  REFILL_ENVIRONMENT: 'live',
  REFILL_ADYEN_LIVE_API_KEY: 'k',
  REFILL_ADYEN_LIVE_MERCHANT_ACCOUNT: 'm',
  REFILL_ADYEN_LIVE_HMAC_KEYS: 'ab'.repeat(32),
};

test('values of another form are told all at once, with what is wrong with all together', async () => {
  const wrong = { REFILL_ADYEN_LIVE_HMAC_KEYS: 'hush', REFILL_ADYEN_LIVE_PAY_HOSTS: 'https://eu.adyen.link' };
  const run = await runCommand(['provider', 'check', 'adyen'], { ...ADYEN, ...wrong });
  expect(run.code).toBe(1);
  expect(run.out).toMatch(/HMAC_KEYS cannot be used: .*; PAY_HOSTS has "https.*; Adyen's live side needs LIVE_PREFIX/);
  expect(run.out).not.toContain('hush');
});

test('settings that cannot be read are one sentence with the setting', async () => {
  const run = await runCommand(['provider', 'check', 'adyen'], ADYEN);
  expect(run).toMatchObject({ code: 1, out: expect.stringMatching(/refused\. Adyen's live side needs LIVE_PREFIX/) });
  expect(run.out).toContain('REFILL_ADYEN_LIVE_LIVE_PREFIX');
});

test('where there is nothing to ask, it is said why, and that is no fault', async () => {
  expect(await check('mycard', { REFILL_MYCARD_DEMO_KEY: 'wrong' })).toMatchObject({
    code: 0,
    out: expect.stringContaining('mycard (demo): nothing to ask. MyCard answers ('),
  });
  expect(
    await runCommand(['provider', 'check', 'card'], {
      REFILL_ENVIRONMENT: 'live',
      REFILL_CARD_LIVE_PEPPER: 'p'.repeat(32),
    }),
  ).toMatchObject({
    code: 0,
    out: expect.stringContaining('nobody outside is asked'),
  });
});

test('a key of our own that is too short is refused', async () => {
  const short = 'p'.repeat(31);
  expect(
    await runCommand(['provider', 'check', 'card'], { REFILL_ENVIRONMENT: 'live', REFILL_CARD_LIVE_PEPPER: short }),
  ).toMatchObject({
    code: 1,
    out: expect.stringContaining('card (live): refused. PEPPER is shorter than 32 characters.'),
  });
  const keys = { REFILL_ENVIRONMENT: 'live', REFILL_WALLET_LIVE_CREDIT_KEY: `${'k'.repeat(32)}, ${short}` };
  expect((await runCommand(['provider', 'check', 'wallet'], keys)).out).toContain('a CREDIT_KEY is shorter than 32');
});

test.each([[['check', 'nobody'], '"nobody": no such provider. There are adyen, airwallex,']])(
  'wrong input is one sentence: %j',
  async (args, sentence) => {
    const run = await runCommand(['provider', ...args], environment);
    expect(run).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`refill: ${sentence}`) });
  },
);

test('the list tells what is on, what is missing, and abilities', async () => {
  const given = without('REFILL_ADYEN_DEMO_API_KEY', 'REFILL_ADYEN_DEMO_HMAC_KEYS');
  const text = await runCommand(['provider', 'list'], given);
  expect(text).toMatchObject({ code: 0, err: '' });
  expect(text.out).toMatch(/^PROVIDER +DEMO +ABILITIES$/m);
  expect(text.out).toMatch(/^paypal +on +capture, refund, settlement file, check$/m);
  expect(text.out).toMatch(/^adyen +incomplete +cancel, refund, settlement file, check$/m);
  expect(text.out).toMatch(/^adyen +API_KEY, HMAC_KEYS$/m);
  const { providers } = JSON.parse((await runCommand(['provider', 'list', '--json'], given)).out);
  expect(providers.map(({ name }: { name: string }) => name)).toEqual([
    ...paymentProviders.map(({ name }) => name),
    'card',
    'wallet',
  ]);
  expect(providers[0]).toMatchObject({
    state: 'incomplete',
    missing: ['API_KEY', 'HMAC_KEYS'],
  });
});
