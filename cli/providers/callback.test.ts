// `refill provider callback` against a shop that listens and the simulators that it is set to.
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { placeOrder, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let folder: string;
let simulators: Simulators;
let shop: TestShop;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-callback-test-'));
  const port = await findFreePort();
  url = `http://watt.demo.localhost:${port}`;
  simulators = await startSimulators({ port: 0, dataDir: join(folder, 'simulators'), shopUrl: url });
  shop = await createTestShop({ providers: paymentProviders, environment: simulators.environment });
  await shop.app.listen({ port, host: '127.0.0.1' });
});
afterAll(async () => {
  await shop.close();
  await simulators.close();
  await rm(folder, { recursive: true });
});

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const callback = (
  args: readonly string[],
  environment: Record<string, string> = simulators.environment,
): Promise<Run> =>
  runCommand(['provider', 'callback', ...args, '--url', url], {
    ...environment,
    DATABASE_URL: shop.databaseUrl,
    REFILL_DATA: folder,
  });

const placeAt = (provider: string) =>
  placeOrder(shop, {
    path: `/api/pay/${provider}_pay`,
    body: { product_id: 'star_50', ...(provider === 'adyen' ? { channel_id: 'scheme' } : {}) },
  });

const AFTER = {
  succeeded: [/state +pending +(paid|delivering|delivered)/, /payments +#1 redirected +#1 succeeded/],
  redirected: [/state +pending +the same/, /payments +#1 redirected +the same/],
};

test.each([
  ['adyen', 'notificationItems', 'hmacSignature', 'succeeded'],
  // Its money is taken by the worker after this message, and no worker runs here.
  ['paypal', 'CHECKOUT.ORDER.APPROVED', 'paypal-transmission-sig', 'redirected'],
  ['xsolla', 'order_paid', 'authorization: ***', 'succeeded'],
] as const)(
  '%s says paid: both sides are shown, and the shop believes it',
  async (provider, named, signature, ends) => {
    const order = await placeAt(provider);
    const { code, out, err } = await callback([provider, 'paid', '--order', order.billingNo]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${provider}, paid: signed by the simulators that run.`);
    expect(out).toContain(`POST /callback/${provider}`);
    for (const part of [named, signature, order.reference]) expect(out).toContain(part);
    expect(out).toMatch(/^2\d\d$/m);
    for (const line of AFTER[ends]) expect(out).toMatch(line);
    expect(out).toMatch(/^CALLBACK +OUTCOME[^]*^applied +(paid|approved)/m);
    const settings = Object.entries(simulators.environment).filter(([key]) =>
      key.startsWith(`REFILL_${provider.toUpperCase()}_`),
    );
    for (const [, value] of settings.filter(([key]) => /SECRET|KEY/.test(key))) expect(out).not.toContain(value);
    expect((await stateOf(shop, order.billingNo)).attempts).toEqual([ends]);
  },
);

test('one order from failed to paid, given back and taken back, each told as JSON', async () => {
  const order = await placeAt('adyen');
  const say = async (event: string) => {
    const run = await callback(['adyen', event, '--order', order.billingNo, '--json']);
    return {
      code: run.code,
      ...(JSON.parse(run.out) as { before: object; after: { payments: string }; records: object[] }),
    };
  };
  expect(await say('failed')).toMatchObject({
    code: 0,
    ok: true,
    after: { state: 'pending' },
    records: [{ state: 'applied' }],
  });
  const paid = await say('paid');
  expect(paid).toMatchObject({ code: 0, before: { state: 'pending' }, after: { payments: '#1 succeeded' } });
  expect(paid.records).toHaveLength(1);
  // The same message once more: taken, and no second record of it.
  expect(await say('repeat')).toMatchObject({ code: 0, ok: true, records: [] });
  expect(await say('chargeback')).toMatchObject({
    code: 0,
    after: { state: expect.stringMatching(/chargeback|refunded/) },
  });
});

test("an event by the provider's own word, and one that it does not know", async () => {
  const order = await placeAt('adyen');
  await callback(['adyen', 'paid', '--order', order.billingNo]);
  const own = await callback(['adyen', 'REPORT_AVAILABLE', '--order', order.billingNo, '--json']);
  expect(JSON.parse(own.out)).toMatchObject({ ok: true, sent: [{ method: 'POST', answer: { status: 200 } }] });
  expect(await callback(['adyen', 'nonsense', '--order', order.billingNo])).toMatchObject({
    code: 1,
    err: expect.stringContaining('adyen cannot say "nonsense" of this payment as it stands: it tells paid, failed'),
  });
});

test('with npm start running, whose simulators are found by its data folder', async () => {
  const order = await placeAt('adyen');
  await mkdir(join(folder, 'simulators'), { recursive: true });
  await writeFile(join(folder, 'simulators', 'address'), simulators.url);
  const run = await callback(['adyen', 'paid', '--order', order.billingNo], {});
  expect(run).toMatchObject({ code: 0, err: '' });
  expect((await stateOf(shop, order.billingNo)).attempts).toEqual(['succeeded']);
  await rm(join(folder, 'simulators', 'address'));
  const away = await callback(['adyen', 'paid', '--order', order.billingNo], {});
  expect(away).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nobody can speak for adyen: start the shop by npm start'),
  });
});

/** As a shop that pays at a real sandbox has them: nothing of it leads to this machine. */
const atSandbox = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([key]) => paymentProviders.some(({ name }) => key.startsWith(`REFILL_${name.toUpperCase()}_DEMO_`)))
      .map(([key, value]) => [key, value.replaceAll(/https?:\/\/[^/,]+/g, 'https://sandbox.example')]),
  );

test('for a shop on a real sandbox the command signs with the secrets of the settings', async () => {
  const order = await placeAt('adyen');
  const run = await callback(['adyen', 'paid', '--order', order.billingNo], atSandbox(simulators.environment));
  expect(run).toMatchObject({ code: 0, err: '' });
  expect(run.out).toContain('signed by this command, with the secrets of the sandbox');
  expect((await stateOf(shop, order.billingNo)).attempts).toEqual(['succeeded']);
});

test.each([
  [
    'a live environment',
    ['adyen', 'paid', '--order', '01JGZZZZZZZZZZZZZZZZZZZZZZ'],
    { REFILL_ENVIRONMENT: 'live', REFILL_SHOP: '/tmp' },
    /^This environment is live: a made-up message/,
  ],
  ['no such order', ['adyen', 'paid', '--order', '01JGZZZZZZZZZZZZZZZZZZZZZZ'], {}, /^There is no order 01JGZ/],
  ['no order number', ['adyen', 'paid', '--order', 'x'], {}, /^"x" is no order number/],
  ['no such provider', ['stripe', 'paid', '--order', 'x'], {}, /^"stripe": no such provider/],
] as const)('refuses %s in one sentence', async (_, args, environment, sentence) => {
  const run = await callback(args, { ...simulators.environment, ...environment });
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err.replace(/^refill: /, '').trim()).toMatch(sentence);
  expect(run.err.trim().split('\n')).toHaveLength(1);
});

test('refuses another provider than that of the order', async () => {
  const order = await placeAt('adyen');
  const run = await callback(['paypal', 'paid', '--order', order.billingNo]);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining('is paid by adyen, not by paypal') });
});
