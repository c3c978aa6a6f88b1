// Every payment adapter against its stand-in, over real HTTP: two readings of the same published documentation, written apart.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import {
  type CallbackReading,
  createOutbound,
  createStandardGameServer,
  findPaymentProvider,
  type KnownPayment,
  type PaymentProvider,
  paymentProviders,
  type PaymentReport,
  type ProviderContext,
} from '#testing/providers.ts';

const names = paymentProviders.map(({ name }) => name);
type Currency = KnownPayment['amount']['currency'];

let simulators: Simulators;
let shop: Server;
let outbound: ReturnType<typeof createOutbound>;
let folder: string;
const contexts = new Map<string, ProviderContext>();
const readings: { name: string; reading: CallbackReading }[] = [];
let sequence = 0;

beforeAll(async () => {
  shop = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answerCallback(request.url ?? '', request.headers, Buffer.concat(chunks), response));
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  folder = mkdtempSync(join(tmpdir(), 'refill-providers-'));
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl, durable: false });
  const allowedHosts = new Set<string>();
  outbound = createOutbound({ allowedHosts });
  for (const provider of paymentProviders) {
    const settings = settingsOf(provider.name);
    for (const host of provider.apiHosts(settings, 'sandbox')) allowedHosts.add(host);
    contexts.set(provider.name, { mode: 'sandbox', settings, outbound, now: Date.now, cache: new Map() });
  }
});

afterAll(async () => {
  await simulators?.close();
  await outbound?.close();
  shop?.closeAllConnections();
  shop?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** What a shop would read from the environment. */
function settingsOf(name: string): Record<string, string> {
  const prefix = `REFILL_${name.toUpperCase()}_SANDBOX_`;
  const entries = Object.entries(simulators.environment).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(prefix.length), value]));
}

async function answerCallback(
  url: string,
  given: Record<string, string | string[] | undefined>,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const name = url.split('/').at(-1) ?? '';
  const headers = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
  const reading = await adapter(name).readCallback(contextOf(name), {
    method: 'POST',
    headers,
    query: {},
    body,
    ip: '127.0.0.1',
  });
  readings.push({ name, reading });
  if (reading.kind === 'unavailable') {
    response.writeHead(503).end();
    return;
  }
  const answer = reading.kind === 'question' ? reading.yes : reading.answer;
  response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
}

function adapter(name: string): PaymentProvider {
  const provider = findPaymentProvider(name);
  if (!provider) throw new Error(`no adapter is called ${name}`);
  return provider;
}

function contextOf(name: string): ProviderContext {
  const context = contexts.get(name);
  if (!context) throw new Error(`no settings for ${name}`);
  return context;
}

async function control(name: string, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${simulators.url}/control/${name}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

function newInput(amountMinor = 499, currency: Currency = 'USD') {
  sequence += 1;
  return {
    reference: `01JGZZZZZZZZZZZZZZZZZZ${String(sequence).padStart(4, '0')}-1`,
    amount: { amountMinor, currency },
    productName: '60 Embers',
    brandName: 'Watt',
    playerRef: 'player-1',
    playerName: 'Ann',
    country: 'US',
    locale: 'en',
    channelId: '',
    returnUrl: 'http://127.0.0.1:1/back',
    cancelUrl: 'http://127.0.0.1:1/cancel',
    notifyUrl: 'http://127.0.0.1:1/callback',
    expiresAt: Date.now() + 3_600_000,
  };
}

async function start(name: string, input = newInput()): Promise<KnownPayment> {
  const outcome = await adapter(name).create(contextOf(name), input);
  expect(outcome).toMatchObject({ kind: 'redirect' });
  const providerRef = outcome.kind === 'redirect' ? outcome.providerRef : null;
  return { reference: input.reference, providerRef, captureRef: null, amount: input.amount, createdAt: Date.now() };
}

function reportsOf(payment: KnownPayment): { dedupKey: string; report: PaymentReport }[] {
  return readings
    .flatMap(({ reading }) => (reading.kind === 'events' ? reading.events : []))
    .filter(({ report }) => report.reference === payment.reference || report.providerRef === payment.providerRef);
}

/** Waits for a callback about the payment that says `status`; at most 8 s, most come within 50 ms. */
async function told(payment: KnownPayment, status: PaymentReport['status']): Promise<PaymentReport> {
  const found = () => reportsOf(payment).find(({ report }) => report.status === status)?.report;
  await expect.poll(found, { timeout: 8000, interval: 10 }).toBeDefined();
  const report = found();
  if (!report) throw new Error(`no callback said ${status}`);
  return report;
}

/** Pays at the stand-in and takes the money where that is ours to do. */
async function pay(name: string, payment: KnownPayment, note = ''): Promise<void> {
  expect(await control(name, 'pay', { reference: payment.reference, note })).toMatchObject({ status: 200 });
  const { capture } = adapter(name);
  if (!capture) return;
  await told(payment, 'approved');
  await capture(contextOf(name), payment);
}

describe.each(names)('%s', (name) => {
  test('create, pay, callback, query, refund', async () => {
    const provider = adapter(name);
    const payment = await start(name);
    expect((await provider.query(contextOf(name), payment)).status).toBe('pending');
    await pay(name, payment);
    const paid = await told(payment, 'paid');
    expect(paid).toMatchObject({ reference: payment.reference, amount: payment.amount });
    expect(paid.captureRef).toBeTruthy();
    expect([null, provider.accountOf(contextOf(name).settings)]).toContain(paid.merchantAccount);
    const asked = await provider.query(contextOf(name), payment);
    expect(asked).toMatchObject({ status: 'paid', reference: payment.reference, amount: payment.amount });

    const known = { ...payment, captureRef: paid.captureRef };
    const refund = await provider.refund?.(contextOf(name), known, `RF-${payment.reference}`);
    expect(['done', 'pending']).toContain(refund?.status);
    const refunded = await told(payment, 'refunded');
    expect(refunded).toMatchObject({ captureRef: paid.captureRef, amount: payment.amount });
    const again = await provider.refund?.(contextOf(name), known, `RF-${payment.reference}`);
    expect(['done', 'pending']).toContain(again?.status);
  });

  test('money in every form of amount arrives to the last minor unit', async () => {
    const sums: [number, Currency][] = [
      [150_000, 'TWD'],
      [120, 'JPY'],
      [5900, 'KRW'],
      [24_000, 'VND'],
      [7_900_000, 'IDR'],
      [9_999_999, 'EUR'],
    ];
    for (const [amountMinor, currency] of sums.filter(([, one]) => adapter(name).supportsCurrency(one))) {
      const payment = await start(name, newInput(amountMinor, currency));
      await pay(name, payment);
      expect((await told(payment, 'paid')).amount).toEqual({ amountMinor, currency });
      expect((await adapter(name).query(contextOf(name), payment)).amount).toEqual({ amountMinor, currency });
    }
  });

  test('a declined payment is never paid', async () => {
    const payment = await start(name);
    await control(name, 'pay', { reference: payment.reference, decision: 'decline' });
    const report = await adapter(name).query(contextOf(name), payment);
    // With PayPal the player may agree and the card be declined only when the money is taken.
    const { capture } = adapter(name);
    const end = report.status === 'approved' && capture ? await capture(contextOf(name), payment) : report;
    expect(['pending', 'declined', 'failed']).toContain(end.status);
    expect(reportsOf(payment).filter(({ report: one }) => one.status === 'paid')).toEqual([]);
  });

  test('a wrong amount is told as it is, by callback and by query', async () => {
    const payment = await start(name);
    await pay(name, payment, 'wrong-amount');
    const less = { amountMinor: 498, currency: 'USD' };
    expect((await told(payment, 'paid')).amount).toEqual(less);
    expect((await adapter(name).query(contextOf(name), payment)).amount).toEqual(less);
  });

  test('a wrong currency is told as it is', async () => {
    const payment = await start(name);
    await pay(name, payment, 'wrong-currency');
    expect((await told(payment, 'paid')).amount?.currency).not.toBe('USD');
  });

  test('a callback with a bad signature is not believed', async () => {
    const before = readings.filter(({ reading }) => reading.kind === 'invalid').length;
    const payment = await start(name);
    await control(name, 'pay', { reference: payment.reference, note: 'bad-signature' });
    await adapter(name).capture?.(contextOf(name), payment);
    const invalid = () => readings.filter(({ reading }) => reading.kind === 'invalid').length;
    await expect.poll(invalid, { timeout: 8000, interval: 10 }).toBeGreaterThan(before);
    expect(reportsOf(payment).filter(({ report }) => report.status === 'paid')).toEqual([]);
    expect((await adapter(name).query(contextOf(name), payment)).status).toBe('paid');
  });

  test('a lost callback is found by asking', async () => {
    const payment = await start(name);
    await control(name, 'pay', { reference: payment.reference, note: 'lost' });
    const { capture, query } = adapter(name);
    const steps: PaymentReport[] = capture
      ? [
          await query(contextOf(name), payment),
          await capture(contextOf(name), payment),
          await capture(contextOf(name), payment),
        ]
      : [];
    expect(steps.map(({ status }) => status)).toEqual(capture ? ['approved', 'paid', 'paid'] : []);
    expect((await query(contextOf(name), payment)).status).toBe('paid');
    expect(reportsOf(payment).filter(({ report }) => report.status === 'paid')).toEqual([]);
  });

  test('repeated callbacks have the same key', async () => {
    const payment = await start(name);
    await pay(name, payment);
    await told(payment, 'paid');
    const keys = () => reportsOf(payment).map(({ dedupKey }) => dedupKey);
    const before = new Set(keys());
    const count = keys().length;
    await control(name, 'repeat', { reference: payment.reference, times: 2 });
    await expect.poll(() => keys().length, { timeout: 8000, interval: 10 }).toBeGreaterThan(count);
    expect(new Set(keys())).toEqual(before);
  });

  test('a chargeback is told, with the money it is about', async () => {
    const payment = await start(name);
    await pay(name, payment);
    const { captureRef } = await told(payment, 'paid');
    await control(name, 'chargeback', { reference: payment.reference });
    expect(await told(payment, 'chargeback')).toMatchObject({ reference: payment.reference, captureRef });
  });

  test.each(['html', 'empty', 'reset-after', 'error500'])('a create that ends in %s is unknown', async (fault) => {
    await control(name, 'faults', { on: 'create', fault });
    expect((await adapter(name).create(contextOf(name), newInput())).kind).toBe('unknown');
  });

  test('a create that nobody listens to is refused', async () => {
    const context = contextOf(name);
    const base = { API_BASE: 'http://127.0.0.1:1' };
    const closed = createOutbound({ allowedHosts: new Set(['127.0.0.1:1']) });
    const lost = { ...context, outbound: closed, settings: { ...context.settings, ...base }, cache: new Map() };
    expect((await adapter(name).create(lost, newInput())).kind).toBe('refused');
    await closed.close();
  });

  test('wrong credentials are refused, and bring no money back', async () => {
    const context = contextOf(name);
    const wrong = { API_KEY: 'wrong', CLIENT_SECRET: 'wrong' };
    const stranger = { ...context, settings: { ...context.settings, ...wrong }, cache: new Map() };
    expect((await adapter(name).create(stranger, newInput())).kind).toBe('refused');
  });
});

describe('what only some offer', () => {
  test.each(['paypal', 'adyen'])('%s makes one payment of one reference', async (name) => {
    const input = newInput();
    const first = await start(name, input);
    const second = await start(name, input);
    expect(second.providerRef).toBe(first.providerRef);
  });

  test('a create of Adyen and PayPal that was cut off is found again by its key', async () => {
    for (const name of ['paypal', 'adyen']) {
      const input = newInput();
      await control(name, 'faults', { on: 'create', fault: 'reset-after' });
      expect((await adapter(name).create(contextOf(name), input)).kind).toBe('unknown');
      const payment = await start(name, input);
      await pay(name, payment);
      expect((await told(payment, 'paid')).amount).toEqual(input.amount);
    }
  });

  test('PayPal captures nothing that nobody approved', async () => {
    const payment = await start('paypal');
    expect(await adapter('paypal').capture?.(contextOf('paypal'), payment)).toMatchObject({
      status: 'pending',
      reason: expect.stringContaining('ORDER_NOT_APPROVED'),
    });
  });

  test('PayPal is asked for one token by many calls', async () => {
    const context = { ...contextOf('paypal'), cache: new Map() };
    const payment = await start('paypal');
    const reports = await Promise.all(Array.from({ length: 10 }, () => adapter('paypal').query(context, payment)));
    expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(context.cache.size).toBe(1);
  });

  test('a token that PayPal no longer takes is renewed', async () => {
    const context = { ...contextOf('paypal'), cache: new Map() };
    const payment = await start('paypal');
    await adapter('paypal').query(context, payment);
    const [key = '', kept] = [...context.cache.entries()][0] ?? [];
    context.cache.set(key, { value: 'stale', expiresAt: kept?.expiresAt ?? 0 });
    expect(await adapter('paypal').query(context, payment)).toMatchObject({
      status: 'pending',
      reason: 'PAYER_ACTION_REQUIRED',
    });
  });

  test('Adyen closes a link, and a closed link can not be paid', async () => {
    const { cancel, query } = adapter('adyen');
    const payment = await start('adyen');
    expect((await cancel?.(contextOf('adyen'), payment))?.status).toBe('expired');
    await control('adyen', 'pay', { reference: payment.reference });
    expect((await query(contextOf('adyen'), payment)).status).toBe('expired');
    const paid = await start('adyen');
    await pay('adyen', paid);
    await told(paid, 'paid');
    expect((await cancel?.(contextOf('adyen'), paid))?.status).toBe('paid');
  });

  test('Xsolla asks whether the player exists', async () => {
    const payment = await start('xsolla');
    await pay('xsolla', payment);
    await told(payment, 'paid');
    const asked = readings.filter(({ name, reading }) => name === 'xsolla' && reading.kind === 'question');
    expect(asked[0]?.reading).toMatchObject({ playerRef: 'player-1' });
  });

  test.each(['xsolla', 'adyen'])('%s names the account the money went to', async (name) => {
    const payment = await start(name);
    await control(name, 'pay', { reference: payment.reference, note: 'wrong-merchant' });
    const { merchantAccount } = await told(payment, 'paid');
    expect(merchantAccount).not.toBe(adapter(name).accountOf(contextOf(name).settings));
  });
});

describe('the game server', () => {
  function newGame() {
    const url = simulators.environment['REFILL_GAME_EMBERFALL_SANDBOX_URL'] ?? '';
    const secrets = (simulators.environment['REFILL_GAME_EMBERFALL_SANDBOX_SECRETS'] ?? '').split(',');
    const open = createOutbound({ allowedHosts: new Set([new URL(url).host]) });
    const options = { baseUrl: url, secrets, outbound: open, now: Date.now };
    return { options, open, game: createStandardGameServer(options) };
  }
  const clientId = '70011';

  test('from signing in to goods, once, and back', async () => {
    const { game, open } = newGame();
    const user = await game.authenticate(clientId, 'kestrel', 'refill-demo');
    expect(user.kind).toBe('ok');
    const userId = user.kind === 'ok' ? user.userId : '';
    expect((await game.authenticate(clientId, 'kestrel', 'guess')).kind).toBe('wrong_credentials');
    const { servers } = await game.listServers(clientId, '');
    expect(servers.length).toBeGreaterThan(0);
    const [role] = await game.listRoles({ clientId, userId });
    if (!role) throw new Error('kestrel has no character');
    const recipient = { clientId, userId, serverId: role.serverId, areaId: role.areaId, roleId: role.id };
    expect(await game.checkGrant(recipient, 'gems-300')).toEqual({ kind: 'ok' });
    expect((await game.checkGrant({ ...recipient, roleId: 'nobody' }, 'gems-300')).kind).toBe('declined');
    const billingNo = `01JGZZZZZZZZZZZZZZZZZZ${Date.now() % 10_000}`;
    const request = {
      ...recipient,
      billingNo,
      productId: 'gems-300',
      gifts: [{ id: 'gems', name: 'Gems', count: 30 }],
      paid: { amountMinor: 499, currency: 'USD' as const },
      isSandbox: true,
    };
    const first = await game.grant(request);
    expect(first.kind).toBe('done');
    expect(await game.grant(request)).toEqual(first);
    expect((await game.revoke(billingNo, 'refund')).kind).toBe('done');
    expect((await game.revoke(`${billingNo}X`, 'refund')).kind).toBe('declined');
    await open.close();
  });

  test('a grant that was applied but not answered is unknown, then done', async () => {
    const { game, open } = newGame();
    const user = await game.authenticate(clientId, 'kestrel', 'refill-demo');
    const userId = user.kind === 'ok' ? user.userId : '';
    const [role] = await game.listRoles({ clientId, userId });
    if (!role) throw new Error('kestrel has no character');
    const request = {
      clientId,
      userId,
      serverId: role.serverId,
      areaId: role.areaId,
      roleId: role.id,
      billingNo: `01JGZZZZZZZZZZZZZZZZZY${Date.now() % 10_000}`,
      productId: 'gems-300',
      gifts: [],
      paid: { amountMinor: 499, currency: 'USD' as const },
      isSandbox: true,
    };
    for (const fault of [{ kind: 'applied-but-503' }, { kind: 'cut', bytes: 20 }, { kind: 'html' }]) {
      await control('game', 'faults', { ...fault, times: 1 });
      expect((await game.grant(request)).kind).toBe('unknown');
    }
    expect((await game.grant(request)).kind).toBe('done');
    await open.close();
  });

  test('a wrong secret reaches nothing', async () => {
    const { options, open } = newGame();
    const stranger = createStandardGameServer({ ...options, secrets: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] });
    expect((await stranger.authenticate(clientId, 'kestrel', 'refill-demo')).kind).toBe('unknown');
    await open.close();
  });
});
