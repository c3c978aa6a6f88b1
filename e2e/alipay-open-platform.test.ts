// Alipay's second protocol against its simulator: the conformance suite speaks Antom, the simulator speaks both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callJson,
  eventually,
  pressButton,
  type RecordingShop,
  startRecordingShop,
} from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import {
  createOutbound,
  type CreatePayment,
  findPaymentProvider,
  type KnownPayment,
  type ProviderContext,
} from '#testing/providers.ts';

const alipay = findPaymentProvider('alipay')!;
let shop: RecordingShop;
let simulators: Simulators;
let outbound: ReturnType<typeof createOutbound>;
let context: ProviderContext;
let folder: string;

beforeAll(async () => {
  shop = await startRecordingShop();
  folder = mkdtempSync(join(tmpdir(), 'refill-alipay-'));
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: shop.url, durable: false });
  const prefix = 'REFILL_ALIPAY_DEMO_';
  const entries = Object.entries(simulators.environment).filter(([name]) => name.startsWith(prefix));
  const settings = {
    ...Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value])),
    PROTOCOL: 'open_platform',
  };
  outbound = createOutbound({ allowedHosts: new Set(alipay.apiHosts(settings, 'demo')) });
  context = { environment: 'demo', settings, outbound, now: Date.now, cache: new Map() };
});
afterAll(async () => {
  await simulators?.close();
  await outbound?.close();
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
async function start(
  change: Partial<CreatePayment> = {},
): Promise<{ url: string; page: string; payment: KnownPayment }> {
  const reference = `01JGZZZZZZZZZZZZZZZZZZ${String(++count).padStart(4, '0')}-1`;
  const amount = { amountMinor: 499, currency: 'CNY' } as const;
  const outcome = await alipay.create(context, {
    reference,
    amount,
    productName: '六十 Embers & more',
    brandName: 'Watt',
    playerRef: 'player-1',
    playerName: 'Ann',
    country: 'CN',
    locale: 'zh-CN',
    channelId: '',
    returnUrl: `http://shop.test/back?ref=${reference}`,
    cancelUrl: 'http://shop.test/cancel',
    notifyUrl: `${shop.url}/callback/alipay`,
    expiresAt: Date.now() + 3_600_000,
    device: { isMobile: false, os: 'other', userAgent: 'x', ip: '203.0.113.7' },
    ...change,
  });
  if (outcome.kind !== 'redirect') throw new Error(JSON.stringify(outcome));
  // The trade begins to exist when the player opens the link.
  const opened = await fetch(outcome.url, { redirect: 'manual' });
  const payment = {
    reference,
    providerRef: outcome.providerRef,
    captureRef: null,
    approval: null,
    amount,
    playerRef: 'player-1',
    channelId: '',
    createdAt: Date.now(),
  };
  return { url: outcome.url, page: opened.headers.get('location') ?? '', payment };
}
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/alipay/${verb}`, { body });
async function readings(reference: string) {
  const bodies = shop.received.filter(({ body }) => body.includes(reference));
  return Promise.all(
    bodies.map(({ path, headers, body }) =>
      alipay.readCallback(context, {
        method: 'POST',
        path,
        topic: '',
        headers: headers as Record<string, string>,
        query: {},
        body: Buffer.from(body),
        ip: '127.0.0.1',
      }),
    ),
  );
}

test('a signed link opens the cashier, the notice is believed, the query agrees', async () => {
  const { page, payment } = await start();
  expect((await alipay.query(context, payment)).status).toBe('pending');
  expect(await (await fetch(page)).text()).toContain('六十 Embers &amp; more');
  const paid = await pressButton(page, { action: 'pay', note: '' });
  expect(paid.headers.get('location')).toBe(`http://shop.test/back?ref=${payment.reference}`);
  const [reading] = await readings(payment.reference);
  expect(reading).toMatchObject({
    kind: 'events',
    events: [
      {
        report: {
          status: 'paid',
          reference: payment.reference,
          amount: payment.amount,
          merchantAccount: alipay.accountOf(context.settings),
        },
      },
    ],
    answer: { body: 'success' },
  });
  expect(await alipay.query(context, payment)).toMatchObject({ status: 'paid', amount: payment.amount });
});

test('a phone comes by the mobile page', async () => {
  const { url, page } = await start({ device: { isMobile: true, os: 'android', userAgent: 'x', ip: '' } });
  expect(url).toContain('alipay.trade.wap.pay');
  expect((await fetch(page)).status).toBe(200);
});

test('a link that somebody changed opens nothing', async () => {
  const { url } = await start();
  const cheaper = new URL(url);
  cheaper.searchParams.set('biz_content', cheaper.searchParams.get('biz_content')!.replace('4.99', '0.01'));
  expect((await fetch(cheaper, { redirect: 'manual' })).status).toBe(400);
});

test('a trade is closed, and a paid one is not', async () => {
  const open = await start();
  expect((await alipay.cancel!(context, open.payment)).status).toBe('failed');
  expect((await fetch(open.page)).status).toBe(410);
  const paid = await start();
  await control('pay', { reference: paid.payment.reference });
  expect((await alipay.cancel!(context, paid.payment)).status).toBe('paid');
});

test('a refund goes back once, is told, and is known when asked again', async () => {
  const { payment } = await start();
  await control('pay', { reference: payment.reference });
  const refund = () => alipay.refund!(context, payment, `${payment.reference}-refund`);
  expect([(await refund()).status, (await refund()).status]).toEqual(['done', 'done']);
  const reading = await eventually(async () => (await readings(payment.reference))[1]);
  expect(reading).toMatchObject({ events: [{ report: { status: 'refunded', amount: payment.amount } }] });
  expect((await alipay.query(context, payment)).status).toBe('refunded');
});

test('parts that went back are told one by one, and then what is left is refunded', async () => {
  const { payment } = await start();
  const { reference, amount: paidAmount } = payment;
  await control('pay', { reference });
  const parts = [100, 200];
  for (const [index, amountMinor] of parts.entries()) {
    await control('refund', { reference, amountMinor });
    await eventually(async () => (await readings(reference))[index + 1]);
  }
  const rest = { ...payment, amount: { ...paidAmount, amountMinor: 199 }, paidAmount };
  expect((await alipay.refund!(context, rest, `${reference}-refund`)).status).toBe('done');
  await eventually(async () => (await readings(reference))[3]);
  const events = (await readings(reference)).flatMap((reading) => (reading.kind === 'events' ? reading.events : []));
  // The last notice closes the trade: all of it is back, which the shop books as what is left of it.
  expect(events.slice(1).map(({ report }) => [report.status, report.amount?.amountMinor])).toEqual([
    ['refunded', 100],
    ['refunded', 200],
    ['refunded', 499],
  ]);
  expect(new Set(events.map(({ dedupKey }) => dedupKey)).size).toBe(4);
});

test.each([
  ['wrong-amount', { report: { amount: { amountMinor: 498, currency: 'CNY' } } }],
  ['wrong-merchant', { report: { merchantAccount: expect.stringContaining('/2088000000000000') } }],
  ['wrong-reference', { report: { reference: expect.stringMatching(/X$/) } }],
])('%s is told as it is', async (note, event) => {
  const { payment } = await start();
  await control('pay', { reference: payment.reference, note });
  expect((await readings(payment.reference))[0]).toMatchObject({ kind: 'events', events: [event] });
});

test('a stranger is not believed', async () => {
  const { payment } = await start();
  await control('pay', { reference: payment.reference, note: 'bad-signature' });
  expect((await readings(payment.reference))[0]).toMatchObject({ kind: 'invalid' });
  expect((await alipay.query(context, payment)).status).toBe('paid');
});
