import type { Environment } from '#kernel/environment.ts';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, supportsCurrency, writeAmount } from './amounts.ts';
import { airwallex } from './provider.ts';
import { isSignature, sign } from './webhook.ts';
import { requestId } from './wire.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const API = 'https://api-demo.airwallex.com/api/v1';
const SECRET = 'whsec_test';

type Reply = { status: number; text: string } | OutboundError;

const ok = (body: unknown, status = 200) => ({ status, text: JSON.stringify(body) });
const token = ok({ token: 't1', expires_at: '2026-01-02T03:34:05+0000' }, 201);
const fault = (status: number, code = 'validation_error') => ok({ code, message: 'no', source: 'x' }, status);
const late = new OutboundError('timeout', true, 'late');

/** With `isLoggedIn` false the first reply is the token's. */
function setUp(
  replies: Reply[],
  extra: Record<string, string> = {},
  isLoggedIn = true,
  environment: Environment = 'demo',
) {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const base = environment === 'live' ? 'https://api.airwallex.com' : 'https://api-demo.airwallex.com';
  const kept = { value: 't0', expiresAt: NOW + 60_000 };
  const context: ProviderContext = {
    environment,
    settings: { CLIENT_ID: 'c', API_KEY: 'k', ACCOUNT_ID: 'acct_1', WEBHOOK_SECRETS: SECRET, ...extra },
    now: () => NOW,
    cache: new Map(isLoggedIn ? [[`airwallex:token:${base}:c`, kept]] : []),
    outbound: async (url, call) => {
      calls.push({ url, call });
      const reply = replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { ...reply, headers: {} };
    },
  };
  return { context, calls };
}

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'HK',
  locale: 'zh-TW',
  channelId: '',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/airwallex',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: 'x', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'int_1',
  captureRef: null,
  approval: null,
  amount: money(499, 'USD'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
function intent(status: string, extra = {}) {
  return {
    id: 'int_1',
    status,
    amount: 4.99,
    captured_amount: status === 'SUCCEEDED' ? 4.99 : 0,
    currency: 'USD',
    merchant_order_id: REFERENCE,
    client_secret: 'secret-1',
    ...extra,
  };
}

describe('amounts', () => {
  test.each<[Currency, number, number | null]>([
    ['USD', 499, 4.99],
    ['EUR', 1, 0.01],
    ['GBP', 123_456_789_012_345, 1_234_567_890_123.45],
    ['MYR', 2190, 21.9],
    ['JPY', 120, 120],
    ['KRW', 62_723, 62_723],
    ['VND', 24_000, 24_000],
    ['TWD', 15_000, 150],
    ['TWD', 15_050, null],
    ['IDR', 7_900_000, 79_000],
    ['IDR', 50, null],
    ['RUB', 100, null],
    ['BRL', 100, null],
    ['USD', 0, null],
    ['USD', -499, null],
    ['USD', 9_007_199_254_740_991, null],
  ])('%s %i is written %s', (currency, amountMinor, value) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(value);
    const back = value === null ? null : readAmount(JSON.stringify(value), currency);
    expect(back).toEqual(value === null ? null : money(amountMinor, currency));
  });

  test('currencies that nobody has checked are off', () => {
    expect(['RUB', 'MMK', 'TRY', 'BRL', 'INR'].filter((one) => supportsCurrency(one as Currency))).toEqual([]);
    expect(['USD', 'KRW', 'TWD', 'IDR'].every((one) => supportsCurrency(one as Currency))).toBe(true);
  });

  test.each([['-4.99'], ['4.999'], ['1e3'], [''], ['9999999999999999']])('%j is no amount', (value) => {
    expect(readAmount(value, 'USD')).toBeNull();
  });
});

describe('create', () => {
  test('makes an intent of our reference and opens a page of ours', async () => {
    const { context, calls } = setUp([token, ok(intent('REQUIRES_PAYMENT_METHOD'), 201)], {}, false);
    expect(await airwallex.create(context, input)).toEqual({ kind: 'page', providerRef: 'int_1' });
    expect(calls.map(({ url }) => url)).toEqual([`${API}/authentication/login`, `${API}/pa/payment_intents/create`]);
    expect(calls[0]!.call.headers).toMatchObject({ 'x-client-id': 'c', 'x-api-key': 'k' });
    expect(calls[0]!.call.body).toBeUndefined();
    expect(calls[1]!.call.headers).toMatchObject({ authorization: 'Bearer t1', 'x-api-version': '2025-02-14' });
    expect(JSON.parse(calls[1]!.call.body!)).toMatchObject({
      request_id: requestId('create', REFERENCE),
      amount: 4.99,
      currency: 'USD',
      merchant_order_id: REFERENCE,
      return_url: 'https://shop.example/back',
      metadata: { reference: REFERENCE },
    });
    expect(calls[1]!.call.body).toContain('"amount":4.99,');
  });

  test('the idempotency key is a UUID, of its purpose and reference alone', () => {
    expect(requestId('create', REFERENCE)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(requestId('create', REFERENCE)).toBe(requestId('create', REFERENCE));
    const others = [requestId('confirm', REFERENCE), requestId('create', `${REFERENCE}0`)];
    expect(others).not.toContain(requestId('create', REFERENCE));
  });

  test('a key that was used before leads to the intent it made', async () => {
    const list = ok({ items: [intent('REQUIRES_PAYMENT_METHOD', { id: 'int_9' })], has_more: false });
    const { context, calls } = setUp([fault(400, 'duplicate_request'), list]);
    expect(await airwallex.create(context, input)).toEqual({ kind: 'page', providerRef: 'int_9' });
    expect(calls[1]!.url).toBe(`${API}/pa/payment_intents?merchant_order_id=${REFERENCE}`);
    const empty = setUp([fault(400, 'duplicate_request'), ok({ items: [] })]).context;
    expect((await airwallex.create(empty, input)).kind).toBe('unknown');
  });

  const wallet = { ...input, channelId: 'gcash' };
  const next = (url: string, type = 'redirect') =>
    ok(intent('REQUIRES_CUSTOMER_ACTION', { next_action: { type, method: 'GET', url } }));
  const opened = ok(intent('REQUIRES_PAYMENT_METHOD'), 201);

  test.each<[string, CreatePayment['device'], unknown]>([
    ['a desktop', input.device, { flow: 'webqr' }],
    ['an iPhone', { ...input.device, isMobile: true, os: 'ios' }, { flow: 'mobile_web', os_type: 'ios' }],
    ['another telephone', { ...input.device, isMobile: true }, { flow: 'mobile_web' }],
  ])('a wallet at %s is confirmed and redirects', async (_name, device, how) => {
    const { context, calls } = setUp([opened, next('https://wallet.example/x')], { PAY_HOSTS: 'wallet.example' });
    expect(await airwallex.create(context, { ...wallet, device })).toEqual({
      kind: 'redirect',
      url: 'https://wallet.example/x',
      providerRef: 'int_1',
    });
    expect(calls[1]!.url).toBe(`${API}/pa/payment_intents/int_1/confirm`);
    expect(JSON.parse(calls[1]!.call.body!)).toEqual({
      request_id: requestId('confirm', REFERENCE),
      payment_method: { type: 'gcash', gcash: how },
      return_url: 'https://shop.example/back',
    });
  });

  test.each<[string, Reply[], string]>([
    ['a foreign link', [next('https://evil.example/x')], 'unknown'],
    ['a link that only begins like one', [next('https://wallet.example.evil.example/')], 'unknown'],
    ['plain http', [next('http://wallet.example:80/')], 'unknown'],
    ['a QR code instead', [next('https://wallet.example/x', 'render_qrcode')], 'unknown'],
    ['no next action', [ok(intent('PENDING'))], 'unknown'],
    ['a refused confirm', [fault(400)], 'refused'],
    ['a confirm that nobody answers', [late], 'unknown'],
    [
      'a confirm that was answered before',
      [fault(400, 'duplicate_request'), next('https://wallet.example/x')],
      'redirect',
    ],
  ])('a wallet with %s ends as it must', async (_name, replies, kind) => {
    const { context } = setUp([opened, ...replies], { PAY_HOSTS: 'wallet.example' });
    expect((await airwallex.create(context, wallet)).kind).toBe(kind);
  });

  test.each<[string, Reply, string]>([
    ['a timeout', late, 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', fault(500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['an intent without id', ok({ status: 'REQUIRES_PAYMENT_METHOD' }, 201), 'unknown'],
    ['400', fault(400), 'refused'],
    ['409', fault(409), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await airwallex.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test.each<[string, Reply]>([
    ['wrong credentials', fault(401, 'credentials_invalid')],
    ['a timeout', late],
    ['500', fault(500)],
  ])('no token by %s: nothing was made', async (_name, reply) => {
    expect((await airwallex.create(setUp([reply], {}, false).context, input)).kind).toBe('refused');
  });

  test('a token that is no longer taken is renewed once', async () => {
    const { context, calls } = setUp([fault(401), token, ok(intent('REQUIRES_PAYMENT_METHOD'), 201)]);
    expect((await airwallex.create(context, input)).kind).toBe('page');
    expect(calls[2]!.call.headers!['authorization']).toBe('Bearer t1');
    expect([...context.cache.values()][0]).toEqual({ value: 't1', expiresAt: NOW + 20 * 60_000 });
  });

  test('an amount Airwallex cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await airwallex.create(context, { ...input, amount: money(15_050, 'TWD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('page of ours', () => {
  test('runs the official script with a secret read anew', async () => {
    const { context, calls } = setUp([ok(intent('REQUIRES_PAYMENT_METHOD', { client_secret: 'secret-2' }))]);
    const page = await airwallex.payPage!(context, { ...input, channelId: 'card' }, 'int_1');
    expect([calls[0]!.call.method, calls[0]!.url]).toEqual(['GET', `${API}/pa/payment_intents/int_1`]);
    expect(page).toMatchObject({
      kind: 'script',
      src: 'https://static.airwallex.com/components/sdk/v1/index.js',
      data: {
        init: { env: 'demo', enabledElements: ['payments'], locale: 'zh-HK' },
        checkout: {
          intent_id: 'int_1',
          client_secret: 'secret-2',
          currency: 'USD',
          mode: 'payment',
          successUrl: 'https://shop.example/back',
          country_code: 'HK',
          methods: ['card'],
        },
      },
    });
    expect(airwallex.payHosts(context.settings, 'demo')).toContain('static.airwallex.com');
  });

  test('what it runs is one constant, and only calls the script', async () => {
    const run = async (reference: string) => {
      const { context } = setUp([ok(intent('REQUIRES_PAYMENT_METHOD', { client_secret: reference }))]);
      const page = await airwallex.payPage!(context, { ...input, productName: reference }, 'int_1');
      return page.kind === 'script' ? page.run : '';
    };
    const code = await run('a');
    expect(await run('"];alert(1)')).toBe(code);
    const left: unknown[] = [];
    const AirwallexComponentsSDK = {
      init: async (options: unknown) => ({
        payments: { redirectToCheckout: (more: unknown) => left.push(options, more) },
      }),
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    await new AsyncFunction('window', 'data', code)({ AirwallexComponentsSDK }, { init: 1, checkout: 2 });
    expect(left).toEqual([1, 2]);
  });

  test('the live side says so', async () => {
    const { context } = setUp([ok(intent('REQUIRES_PAYMENT_METHOD'))], {}, true, 'live');
    expect(await airwallex.payPage!(context, input, 'int_1')).toMatchObject({ data: { init: { env: 'prod' } } });
  });

  test.each<[string, Reply]>([
    ['paid', ok(intent('SUCCEEDED'))],
    ['cancelled', ok(intent('CANCELLED'))],
    ['without a secret', ok(intent('REQUIRES_PAYMENT_METHOD', { client_secret: undefined }))],
    ['unknown there', fault(404)],
    ['not to be asked', late],
  ])('is closed for a payment that is %s', async (_name, reply) => {
    expect((await airwallex.payPage!(setUp([reply]).context, input, 'int_1')).kind).toBe('closed');
  });
});

describe('query and cancel', () => {
  test.each([
    ['REQUIRES_PAYMENT_METHOD', 'pending'],
    ['REQUIRES_CUSTOMER_ACTION', 'pending'],
    ['REQUIRES_CAPTURE', 'pending'],
    ['PENDING', 'pending'],
    ['SUCCEEDED', 'paid'],
    ['CANCELLED', 'failed'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (word, status) => {
    const { context } = setUp([ok(intent(word))]);
    expect(await airwallex.query(context, payment)).toMatchObject({
      status,
      reference: REFERENCE,
      providerRef: 'int_1',
      captureRef: status === 'paid' ? 'int_1' : null,
      amount: money(499, 'USD'),
      merchantAccount: null,
      reason: expect.stringContaining(word),
    });
  });

  test('what was taken counts, to the last minor unit', async () => {
    const { context } = setUp([
      {
        status: 200,
        text: JSON.stringify(intent('SUCCEEDED')).replace('"captured_amount":4.99', '"captured_amount":4.98'),
      },
    ]);
    expect((await airwallex.query(context, payment)).amount).toEqual(money(498, 'USD'));
  });

  test('a paid intent without a price is money that cannot be read', async () => {
    const { context } = setUp([ok(intent('SUCCEEDED', { amount: undefined, captured_amount: undefined }))]);
    expect(await airwallex.query(context, payment)).toMatchObject({ status: 'paid_unreadable', captureRef: 'int_1' });
    const torn = setUp([ok(intent('SUCCEEDED', { amount: { value: 4.99 } }))]);
    expect(await airwallex.query(torn.context, payment)).toMatchObject({
      status: 'paid_unreadable',
      reference: REFERENCE,
      raw: expect.stringContaining('SUCCEEDED'),
    });
    const lost = setUp([ok({ items: [intent('SUCCEEDED', { amount: { value: 4.99 } })] })]);
    expect(await airwallex.query(lost.context, { ...payment, providerRef: null })).toMatchObject({
      status: 'paid_unreadable',
    });
  });

  test('an intent whose id never came is found by our reference, the paid one first', async () => {
    const others = [
      intent('SUCCEEDED', { merchant_order_id: 'other', id: 'int_0' }),
      intent('CANCELLED', { id: 'int_2' }),
    ];
    const { context } = setUp([ok({ items: [...others, intent('SUCCEEDED', { id: 'int_3' })] })]);
    expect(await airwallex.query(context, { ...payment, providerRef: null })).toMatchObject({ providerRef: 'int_3' });
    const none = setUp([ok({ items: [others[0]] })]).context;
    expect(await airwallex.query(none, { ...payment, providerRef: null })).toMatchObject({ status: 'pending' });
  });

  test.each<[string, Reply]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['404', fault(404)],
    ['500', fault(500)],
  ])('%s is not understood', async (_name, reply) => {
    expect((await airwallex.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('query throws when Airwallex cannot be reached', async () => {
    await expect(airwallex.query(setUp([late]).context, payment)).rejects.toThrow(OutboundError);
  });

  test.each<[string, string, Reply[]]>([
    ['failed', 'a cancelled intent', [ok(intent('CANCELLED'))]],
    ['paid', 'an intent paid a moment before', [fault(400), ok(intent('SUCCEEDED'))]],
    ['pending', 'a timeout', [late]],
    ['unknown', '500 twice', [fault(500), fault(500)]],
  ])('cancel is %s on %s', async (status, _name, replies) => {
    expect((await airwallex.cancel!(setUp(replies).context, payment)).status).toBe(status);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: 'int_1' };
  const refund = (status: string, extra = {}) => ok({ id: 'rfd_1', status, payment_intent_id: 'int_1', ...extra }, 201);
  test.each<[string, string, Reply[]]>([
    ['pending', 'RECEIVED', [refund('RECEIVED')]],
    ['pending', 'ACCEPTED', [refund('ACCEPTED')]],
    ['done', 'SETTLED', [refund('SETTLED')]],
    ['done', 'SUCCEEDED', [refund('SUCCEEDED')]],
    ['failed', 'FAILED', [refund('FAILED')]],
    ['done', 'SETTLED of what was asked', [refund('SETTLED', { amount: 4.99, currency: 'USD' })]],
    ['failed', 'SETTLED of a part', [refund('SETTLED', { amount: 1.99, currency: 'USD' })]],
    ['failed', 'ACCEPTED of another currency', [refund('ACCEPTED', { amount: 4.99, currency: 'EUR' })]],
    ['unknown', 'a new word', [refund('SOMETHING_NEW')]],
    ['failed', '400', [fault(400)]],
    ['unknown', '429', [fault(429)]],
    ['unknown', '500', [fault(500)]],
    ['unknown', 'HTML', [{ status: 201, text: '<html>' }]],
    ['unknown', 'a timeout', [late]],
    [
      'done',
      'a key used before',
      [
        fault(400, 'duplicate_request'),
        ok({ items: [{ id: 'rfd_1', status: 'SETTLED', request_id: requestId('refund', 'RF-1') }] }),
      ],
    ],
    ['unknown', 'a key used before by nothing', [fault(400, 'duplicate_request'), ok({ items: [] })]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await airwallex.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });

  test('names the intent, the amount and an idempotency key', async () => {
    const { context, calls } = setUp([refund('RECEIVED')]);
    expect(await airwallex.refund!(context, paid, 'RF-1')).toMatchObject({ refundProviderRef: 'rfd_1' });
    expect(calls[0]!.url).toBe(`${API}/pa/refunds/create`);
    expect(JSON.parse(calls[0]!.call.body!)).toMatchObject({
      request_id: requestId('refund', 'RF-1'),
      payment_intent_id: 'int_1',
      amount: 4.99,
      metadata: { reference: REFERENCE },
    });
  });
});

/** Signed here by hand, so that a mistake in `sign` cannot prove itself. */
function raw(
  event: unknown,
  options: { secret?: string; at?: string; headers?: Record<string, string> } = {},
): RawCallback {
  const { secret = SECRET, at = String(NOW) } = options;
  const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event));
  const signature = createHmac('sha256', secret).update(at).update(body).digest('hex');
  const headers = { 'x-timestamp': at, 'x-signature': signature, ...options.headers };
  return { method: 'POST', path: '/callback/airwallex', topic: '', headers, query: {}, body, ip: '127.0.0.1' };
}
const event = (name: string, object: unknown = intent('SUCCEEDED'), extra = {}) => ({
  id: 'evt_1',
  name,
  account_id: 'acct_1',
  data: { object },
  ...extra,
});
const read = (callback: RawCallback, extra: Record<string, string> = {}) =>
  airwallex.readCallback(setUp([], extra).context, callback);

describe('webhook', () => {
  test('the formula of the documentation, with a vector of our own', () => {
    const body =
      '{"id":"evt_1","name":"payment_intent.succeeded","data":{"object":{"id":"int_1","status":"SUCCEEDED"}}}';
    const wanted = 'b4a76bbac215e5bf932a6eec7d03cd86911d6b38b44f1d7ecfbe92c662d1bd0a';
    expect(sign('1700000000000', Buffer.from(body), 'whsec_test')).toBe(wanted);
    expect(isSignature(wanted, '1700000000000', Buffer.from(body), ['old', 'whsec_test'])).toBe(true);
    expect(isSignature(wanted, '1700000000001', Buffer.from(body), ['whsec_test'])).toBe(false);
    expect(isSignature(wanted.toUpperCase(), '1700000000000', Buffer.from(body), ['whsec_test'])).toBe(false);
  });

  test('a success is paid and answered with an empty 200', async () => {
    expect(await read(raw(event('payment_intent.succeeded')))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: '' },
      events: [
        {
          dedupKey: 'evt_1',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'int_1',
            captureRef: 'int_1',
            amount: money(499, 'USD'),
            merchantAccount: 'acct_1',
            reason: 'payment_intent.succeeded SUCCEEDED',
          },
        },
      ],
    });
  });

  test('one minor unit less, another currency and another account are told as they are', async () => {
    const other = event('payment_intent.succeeded', intent('SUCCEEDED', { captured_amount: 4.98, currency: 'EUR' }), {
      account_id: undefined,
      accountId: 'acct_2',
    });
    expect(await read(raw(other))).toMatchObject({
      events: [{ report: { amount: money(498, 'EUR'), merchantAccount: 'acct_2' } }],
    });
    expect(airwallex.accountOf({ ACCOUNT_ID: 'acct_1' })).toBe('acct_1');
  });

  const attempted = intent('REQUIRES_PAYMENT_METHOD', { latest_payment_attempt: { id: 'att_1' } });
  const refund = {
    id: 'rfd_1',
    payment_intent_id: 'int_1',
    amount: 4.99,
    currency: 'USD',
    metadata: { reference: REFERENCE },
  };
  const dispute = {
    id: 'dst_1',
    payment_intent_id: 'int_1',
    merchant_order_id: REFERENCE,
    amount: 4.99,
    currency: 'USD',
    stage: 'CHARGEBACK',
  };
  test.each<[string, unknown, string, string]>([
    ['payment_intent.cancelled', intent('CANCELLED'), 'failed', 'evt_1'],
    ['payment_intent.requires_payment_method', attempted, 'declined', 'evt_1'],
    ['payment_intent.succeeded', intent('PENDING'), 'unknown', 'evt_1'],
    ['payment_intent.succeeded', intent('SOMETHING_NEW'), 'paid_unreadable', 'evt_1'],
    // Two names of one refund: counted once. One that fails after all is another message.
    ['refund.settled', refund, 'refunded', 'refund:rfd_1:refunded'],
    ['refund.succeeded', refund, 'refunded', 'refund:rfd_1:refunded'],
    ['refund.settled', { ...refund, id: 'rfd_2' }, 'refunded', 'refund:rfd_2:refunded'],
    ['refund.failed', refund, 'refund_failed', 'refund:rfd_1:refund_failed'],
    ['payment_dispute.requires_response', dispute, 'chargeback', 'dispute:dst_1'],
    ['payment_dispute.lost', dispute, 'chargeback', 'dispute:dst_1'],
    ['payment_dispute.accepted', { ...dispute, stage: 'PRE_CHARGEBACK' }, 'chargeback', 'dispute:dst_1'],
  ])('%s of %j is %s', async (name, object, status, dedupKey) => {
    expect(await read(raw(event(name, object)))).toMatchObject({
      kind: 'events',
      events: [{ dedupKey, report: { status, reference: REFERENCE, providerRef: 'int_1', amount: money(499, 'USD') } }],
    });
  });

  test.each<[string, object, string]>([
    ['payment_intent.succeeded', { ...intent('SUCCEEDED'), amount: { value: 4.99 } }, 'paid_unreadable'],
    ['payment_intent.cancelled', { ...intent('CANCELLED'), amount: { value: 4.99 } }, 'unknown'],
    ['refund.settled', { ...refund, amount: { value: 4.99 }, merchant_order_id: REFERENCE }, 'paid_unreadable'],
    ['payment_dispute.lost', { ...dispute, amount: { value: 4.99 } }, 'paid_unreadable'],
  ])('%s in a shape that cannot be read is told', async (name, object, status) => {
    expect(await read(raw(event(name, object)))).toMatchObject({
      kind: 'events',
      events: [{ report: { status, reference: REFERENCE, raw: expect.stringContaining(name) } }],
      answer: { status: 200 },
    });
  });

  test.each<[string, unknown]>([
    ['payment_intent.created', intent('REQUIRES_PAYMENT_METHOD')],
    ['payment_intent.requires_payment_method', intent('REQUIRES_PAYMENT_METHOD')],
    ['payment_intent.pending', intent('PENDING')],
    ['payment_attempt.authorized', { id: 'att_1' }],
    ['refund.accepted', refund],
    ['payment_dispute.won', dispute],
    ['payment_dispute.requires_response', { ...dispute, stage: 'RFI' }],
    ['payment_intent.of_tomorrow', intent('SUCCEEDED')],
    ['constructor', intent('SUCCEEDED')],
  ])('%s is accepted and ignored', async (name, object) => {
    expect(await read(raw(event(name, object)))).toMatchObject({ kind: 'ignored', answer: { status: 200, body: '' } });
  });

  const good = raw(event('payment_intent.succeeded'));
  const changed = (change: (text: string) => string) => ({ ...good, body: Buffer.from(change(good.body.toString())) });
  const headers = (change: Record<string, string>) => ({ ...good, headers: { ...good.headers, ...change } });
  test.each<[string, RawCallback]>([
    ['one cent less', changed((text) => text.replace('4.99', '4.98'))],
    ['another reference', changed((text) => text.replace(REFERENCE, `${REFERENCE}0`))],
    ['a space more', changed((text) => text.replace('{', '{ '))],
    ['another time', headers({ 'x-timestamp': String(NOW + 1) })],
    ['no signature', headers({ 'x-signature': '' })],
    ['a signature cut short', headers({ 'x-signature': good.headers['x-signature']!.slice(0, 20) })],
    ['no headers', { ...good, headers: {} }],
    ['another secret', raw(event('payment_intent.succeeded'), { secret: 'other' })],
    ['an empty secret', raw(event('payment_intent.succeeded'), { secret: '' })],
    ['a time six minutes ago', raw(event('payment_intent.succeeded'), { at: String(NOW - 360_000) })],
    ['a time six minutes ahead', raw(event('payment_intent.succeeded'), { at: String(NOW + 360_000) })],
    ['a time that is none', raw(event('payment_intent.succeeded'), { at: 'now' })],
    ['no JSON', raw('not json')],
    ['no event', raw('{}')],
  ])('%s is not believed', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
  });

  test('several secrets, a longer age and a list of addresses', async () => {
    expect((await read(good, { WEBHOOK_SECRETS: `new, ${SECRET}` })).kind).toBe('events');
    expect((await read(good, { WEBHOOK_SECRETS: ',' })).kind).toBe('invalid');
    const old = raw(event('payment_intent.succeeded'), { at: String(NOW - 360_000) });
    expect((await read(old, { WEBHOOK_MAX_AGE_SECONDS: '600' })).kind).toBe('events');
    expect((await read(good, { WEBHOOK_IPS: '35.240.218.67' })).kind).toBe('invalid');
    expect((await read({ ...good, ip: '::ffff:35.240.218.67' }, { WEBHOOK_IPS: '1.1.1.1, 35.240.218.67' })).kind).toBe(
      'events',
    );
  });
});

describe('hosts', () => {
  test('follow the mode', () => {
    expect(airwallex.apiHosts({}, 'demo')).toEqual(['api-demo.airwallex.com']);
    expect(airwallex.apiHosts({}, 'live')).toEqual(['api.airwallex.com']);
    expect(airwallex.payHosts({ PAY_HOSTS: 'Wallet.example' }, 'live')).toEqual([
      'static.airwallex.com',
      'checkout.airwallex.com',
      'wallet.example',
    ]);
  });

  test.each([{ API_BASE: 'http://api.example' }, { SCRIPT_URL: 'http://static.example/x.js' }])(
    '%j is no live side',
    (given) => {
      expect(() => [airwallex.apiHosts(given, 'live'), airwallex.payHosts(given, 'live')]).toThrow(/https/);
    },
  );
});
