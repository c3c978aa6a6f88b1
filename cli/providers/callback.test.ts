// `refill provider callback`: against a shop that listens and the simulators it is set to, and for every provider with the
// secrets of somebody else's sandbox, where the adapter has the last word on the signature.
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { type RecordingShop, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { placeOrder, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';
import { sendEvent } from './callback-event.ts';
import { findSimulator } from './callback-simulator.ts';

let folder: string;
let simulators: Simulators;
let shop: TestShop;
let recording: RecordingShop;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-callback-test-'));
  const port = await findFreePort();
  url = `http://watt.demo.localhost:${port}`;
  simulators = await startSimulators({ port: 0, dataDir: join(folder, 'simulators'), shopUrl: url });
  shop = await createTestShop({ providers: paymentProviders, environment: simulators.environment });
  await shop.app.listen({ port, host: '127.0.0.1' });
  recording = await startRecordingShop();
});
afterAll(async () => {
  await shop.close();
  await simulators.close();
  await recording.close();
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

test.each([
  ['adyen', 'notificationItems', 'hmacSignature'],
  ['paypal', 'CHECKOUT.ORDER.APPROVED', 'paypal-transmission-sig'],
  ['xsolla', 'order_paid', 'authorization: ***'],
  ['airwallex', 'payment_intent.succeeded', 'x-signature'],
])('%s says paid: both sides are shown, and the shop believes it', async (provider, named, signature) => {
  const order = await placeAt(provider);
  const { code, out, err } = await callback([provider, 'paid', '--order', order.billingNo]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`${provider}, paid: signed by the simulators that run.`);
  expect(out).toContain(`POST /callback/${provider}`);
  for (const part of [named, signature, order.reference]) expect(out).toContain(part);
  expect(out).toMatch(/^2\d\d$/m);
  expect(out).toMatch(/state +pending +(paid|delivering|delivered)/);
  expect(out).toMatch(/payments +#1 redirected +#1 succeeded/);
  expect(out).toMatch(/^CALLBACK +OUTCOME/m);
  const settings = Object.entries(simulators.environment).filter(([key]) =>
    key.startsWith(`REFILL_${provider.toUpperCase()}_`),
  );
  for (const [, value] of settings.filter(([key]) => /SECRET|KEY/.test(key))) expect(out).not.toContain(value);
  expect((await stateOf(shop, order.billingNo)).attempts).toEqual(['succeeded']);
});

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
    records: [{ state: 'done' }],
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
  const order = await placeAt('paypal');
  await mkdir(join(folder, 'simulators'), { recursive: true });
  await writeFile(join(folder, 'simulators', 'address'), simulators.url);
  const run = await callback(['paypal', 'paid', '--order', order.billingNo], {});
  expect(run).toMatchObject({ code: 0, err: '' });
  expect((await stateOf(shop, order.billingNo)).attempts).toEqual(['succeeded']);
  await rm(join(folder, 'simulators', 'address'));
  const away = await callback(['paypal', 'paid', '--order', order.billingNo], {});
  expect(away).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nobody can speak for paypal: start the shop by npm start'),
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
    { REFILL_ENVIRONMENT: 'live' },
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

const reference = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
/** Amount and place of a payment that the provider takes; what is left out is 4.99 USD anywhere. */
const PAYMENTS: Readonly<
  Record<string, { amountMinor: number; currency: string; country: string; channelId?: string }>
> = {
  codapay: { amountMinor: 15_000, currency: 'TWD', country: 'TW' },
  ebanx: { amountMinor: 2490, currency: 'BRL', country: 'BR' },
  funtap: { amountMinor: 50_000, currency: 'VND', country: 'VN' },
  kakao: { amountMinor: 5900, currency: 'KRW', country: 'KR' },
  mycard: { amountMinor: 15_000, currency: 'TWD', country: 'TW', channelId: 'INGAME' },
  naver: { amountMinor: 5900, currency: 'KRW', country: 'KR' },
  pagsmile: { amountMinor: 1201, currency: 'BRL', country: 'BR' },
  razer: { amountMinor: 2290, currency: 'MYR', country: 'MY' },
  welcome: { amountMinor: 5900, currency: 'KRW', country: 'KR' },
};
/** The others are believed by their adapter. */
const SILENT: Readonly<Record<string, RegExp>> = {
  kakao: /kakao never calls the shop/,
  naver: /naver never calls the shop/,
  welcome: /welcome never calls the shop/,
  alipay: /a key that only alipay has/,
  ebanx: /a key that only ebanx has/,
  payermax: /a key that only payermax has/,
  paypal: /a key that only paypal has/,
};

const outside = paymentProviders.filter(({ internalTender }) => !internalTender);

/** In the name of the provider, to a shop that only listens. */
async function sayPaid(provider: (typeof outside)[number], environment: Record<string, string>) {
  const { name } = provider;
  const {
    amountMinor,
    currency,
    country,
    channelId = '',
  } = PAYMENTS[name] ?? { amountMinor: 499, currency: 'USD', country: 'US' };
  const address = (path: string) => `${recording.url}/${path}/${name}`;
  const input = {
    reference,
    amount: { amountMinor, currency: currency as 'USD' },
    productName: 'Gems',
    brandName: 'Watt',
    playerRef: 'player-1',
    playerName: 'Ann',
    country,
    locale: 'en',
    channelId,
    returnUrl: address('return'),
    cancelUrl: address('cancel'),
    notifyUrl: address('callback'),
    expiresAt: Date.now() + 3_600_000,
    device: { isMobile: false, os: 'other' as const, userAgent: 'test', ip: '203.0.113.7' },
  };
  const terminal = {
    environment,
    out: () => undefined,
    err: () => undefined,
    setExitCode: () => undefined,
    ask: null,
  };
  // Ids of some are numbers.
  const payment = { reference, providerRef: '4711471147114711', input };
  const simulator = await findSimulator(terminal, provider, recording.url, payment);
  try {
    return await sendEvent(simulator.control, name, 'paid', reference);
  } finally {
    await simulator.close();
  }
}

test.each(Object.entries(SILENT))(
  '%s cannot be spoken for at a sandbox, and the sentence says why',
  async (name, why) => {
    const provider = outside.find((one) => one.name === name)!;
    await expect(sayPaid(provider, atSandbox(simulators.environment))).rejects.toThrow(why);
  },
);

/** The signature fits; then its adapter asks the sandbox, whose host no test may call. */
const ASKS_BACK: Readonly<Record<string, object>> = {
  codapay: { kind: 'unavailable', reason: expect.stringContaining('sandbox.example') },
};
const spoken = outside.filter(({ name }) => !(name in SILENT));
test.each(spoken.map((provider) => [provider.name, provider] as const))(
  '%s: says paid with the secrets of a sandbox, and its adapter believes it',
  async (name, provider) => {
    const environment = atSandbox(simulators.environment);
    recording.received.length = 0;
    const [sent] = await sayPaid(provider, environment);
    expect(sent).toMatchObject({ path: expect.stringContaining(`/callback/${name}`), answer: { status: 200 } });
    const received = recording.received.findLast(({ path }) => path.startsWith(`/callback/${name}`))!;
    const at = new URL(received.path, recording.url);
    const prefix = `REFILL_${name.toUpperCase()}_DEMO_`;
    const settings = Object.entries(environment).filter(([key]) => key.startsWith(prefix));
    const outbound = createOutbound({ allowedHosts: new Set() });
    const reading = await provider.readCallback(
      {
        environment: 'demo',
        settings: Object.fromEntries(settings.map(([key, value]) => [key.slice(prefix.length), value])),
        outbound,
        now: Date.now,
        cache: new Map(),
      },
      {
        method: received.method,
        path: at.pathname,
        topic: at.pathname.split('/')[3] ?? '',
        headers: received.headers as Record<string, string>,
        query: Object.fromEntries(at.searchParams),
        body: Buffer.from(received.body),
        ip: '127.0.0.1',
      },
    );
    await outbound.close();
    expect(reading).toMatchObject(ASKS_BACK[name] ?? { kind: 'events', events: [{ report: { reference } }] });
  },
);
