// Every provider with the secrets of somebody else's sandbox: the message is made here, and the adapter has the last
// word on its signature.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { type RecordingShop, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { sendEvent } from './callback-event.ts';
import { findSimulator } from './callback-simulator.ts';

let folder: string;
let simulators: Simulators;
let recording: RecordingShop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-callback-sandbox-'));
  recording = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: recording.url });
});
afterAll(async () => {
  await simulators.close();
  await recording.close();
  await rm(folder, { recursive: true });
});

/** As a shop that pays at a real sandbox has them: nothing of it leads to this machine. */
const atSandbox = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([key]) => paymentProviders.some(({ name }) => key.startsWith(`REFILL_${name.toUpperCase()}_DEMO_`)))
      .map(([key, value]) => [key, value.replaceAll(/https?:\/\/[^/,]+/g, 'https://sandbox.example')]),
  );

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
