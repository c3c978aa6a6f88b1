import type { Environment } from '#kernel/environment.ts';
import { createSign, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, supportsCurrency, writeAmount } from './amounts.ts';
import { paypal } from './provider.ts';
import { BODY_2015, CERTIFICATE, MESSAGE_2015, SIGNED_2019 } from './published-vector-data.ts';
import { isSignedBy, signedMessage } from './webhook.ts';

const API = 'https://api-m.sandbox.paypal.com';
const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';

type Sent = { url: string; call: OutboundRequest };
type Reply = { status: number; text: string } | OutboundError;

/** A fake outside: the token call answers by itself, the rest by `replies` in turn. */
function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const sent: Sent[] = [];
  let tokens = 0;
  const context: ProviderContext = {
    environment,
    settings: { CLIENT_ID: 'client', CLIENT_SECRET: 'secret', WEBHOOK_ID: 'WH-1', ...extra },
    now: () => NOW,
    cache: new Map(),
    outbound: async (url, call) => {
      sent.push({ url, call });
      const isToken = url.endsWith('/v1/oauth2/token');
      const reply = isToken ? ok({ access_token: `token-${++tokens}`, expires_in: 3600 }) : replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { ...reply, headers: {} };
    },
  };
  return { context, sent, calls: () => sent.filter(({ url }) => !url.endsWith('/token')) };
}

function ok(body: unknown, status = 200): { status: number; text: string } {
  return { status, text: JSON.stringify(body) };
}
function fault(status: number, issue: string) {
  return ok({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] }, status);
}

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'p-1',
  playerName: 'Ann',
  country: 'US',
  locale: 'zh-TW',
  channelId: '',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/paypal',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: true, os: 'android', userAgent: 'Mozilla/5.0 (Linux; Android 14)', ip: '192.0.2.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'ORDER-1',
  captureRef: null,
  amount: money(499, 'USD'),
  createdAt: NOW - 60_000,
  approval: null,
  playerRef: 'player',
  channelId: '',
};
const created = {
  id: 'ORDER-1',
  status: 'PAYER_ACTION_REQUIRED',
  links: [
    { href: `${API}/v2/checkout/orders/ORDER-1`, rel: 'self' },
    { href: 'https://www.sandbox.paypal.com/checkoutnow?token=ORDER-1', rel: 'payer-action' },
  ],
};
const usd = (value: string) => ({ currency_code: 'USD', value });
function order(status: string, captures: unknown[] = []) {
  return {
    id: 'ORDER-1',
    status,
    purchase_units: [{ custom_id: REFERENCE, amount: usd('4.99'), payments: { captures } }],
  };
}
function capture(status: string, extra = {}) {
  return { id: 'CAP-1', status, amount: usd('4.99'), custom_id: REFERENCE, ...extra };
}

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['USD', 499, '4.99'],
    ['USD', 100, '1.00'],
    ['USD', 5, '0.05'],
    ['EUR', 123_456, '1234.56'],
    ['GBP', 1, '0.01'],
    ['HKD', 3800, '38.00'],
    ['SGD', 698, '6.98'],
    ['THB', 15_900, '159.00'],
    ['PHP', 24_900, '249.00'],
    ['PLN', 1999, '19.99'],
    ['JPY', 120, '120'],
    ['TWD', 15_000, '150'],
    ['TWD', 15_050, null],
    ['KRW', 1200, null],
    ['VND', 24_000, null],
    ['IDR', 1_500_000, null],
    ['BRL', 499, null],
    ['MYR', 499, null],
    ['USD', 0, null],
    ['USD', -499, null],
  ])('%s %i is written %s', (currency, amountMinor, value) => {
    const written = writeAmount(money(amountMinor, currency));
    expect(written).toEqual(value === null ? null : { currency_code: currency, value });
    expect(readAmount(written ?? undefined)).toEqual(written && money(amountMinor, currency));
  });

  test('only currencies with a rule are supported', () => {
    expect(supportsCurrency('TWD')).toBe(true);
    expect(supportsCurrency('KRW')).toBe(false);
  });

  test.each([['4.999'], ['4,99'], ['-4.99'], ['4e2'], [''], ['four']])('%j is no amount', (value) => {
    expect(readAmount(usd(value))).toBeNull();
  });
});

describe('create', () => {
  test('sends our reference twice, an idempotency key and the amount as text', async () => {
    const { context, calls, sent } = setUp([ok(created, 201)]);
    expect(await paypal.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://www.sandbox.paypal.com/checkoutnow?token=ORDER-1',
      providerRef: 'ORDER-1',
    });
    expect(sent[0]!.call.headers!['authorization']).toBe(`Basic ${Buffer.from('client:secret').toString('base64')}`);
    const { url, call } = calls()[0]!;
    expect(url).toBe(`${API}/v2/checkout/orders`);
    expect(call.headers).toMatchObject({ authorization: 'Bearer token-1', 'paypal-request-id': REFERENCE });
    expect(JSON.parse(call.body!)).toMatchObject({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: REFERENCE, invoice_id: REFERENCE, amount: usd('4.99') }],
      payment_source: { paypal: { experience_context: { user_action: 'PAY_NOW', locale: 'zh-TW' } } },
    });
  });

  test.each<[string, Reply, string]>([
    ['a replay of the same key', ok(created, 200), 'redirect'],
    ['the old rel', ok({ ...created, links: [{ ...created.links[1], rel: 'approve' }] }, 201), 'redirect'],
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a broken connection', new OutboundError('network', true, 'broke'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', ok({ name: 'INTERNAL_SERVER_ERROR' }, 500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['an order without a link', ok({ ...created, links: [] }, 201), 'unknown'],
    [
      'a foreign link',
      ok({ ...created, links: [{ rel: 'payer-action', href: 'https://evil.example/x' }] }, 201),
      'unknown',
    ],
    [
      'a script link',
      ok({ ...created, links: [{ rel: 'payer-action', href: 'javascript:alert(1)' }] }, 201),
      'unknown',
    ],
    ['400', fault(400, 'INVALID_PARAMETER_SYNTAX'), 'refused'],
    ['422', fault(422, 'CURRENCY_NOT_SUPPORTED'), 'refused'],
    ['422 of a number used before', fault(422, 'DUPLICATE_INVOICE_ID'), 'unknown'],
    ['409', fault(409, 'ALREADY_RUNNING'), 'unknown'],
    ['429', fault(429, 'RATE_LIMIT_REACHED'), 'unknown'],
    ['408', fault(408, 'REQUEST_TIMEOUT'), 'unknown'],
    ['425', fault(425, 'TOO_EARLY'), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    const { context } = setUp([reply]);
    expect((await paypal.create(context, input)).kind).toBe(kind);
  });

  test('an amount PayPal cannot take is refused without a call', async () => {
    const { context, sent } = setUp([]);
    expect((await paypal.create(context, { ...input, amount: money(1200, 'KRW') })).kind).toBe('refused');
    expect(sent).toEqual([]);
  });

  test('http links are for sandboxes of a named host only', async () => {
    const links = [{ rel: 'payer-action', href: 'http://127.0.0.1:4000/pay' }];
    const hosts = { PAY_HOSTS: '127.0.0.1:4000' };
    const sandbox = setUp([ok({ ...created, links }, 201)], hosts);
    expect((await paypal.create(sandbox.context, input)).kind).toBe('redirect');
    const live = setUp([ok({ ...created, links }, 201)], hosts, 'live');
    expect((await paypal.create(live.context, input)).kind).toBe('unknown');
  });

  test('a token call without an answer means nothing was made either', async () => {
    const { context } = setUp([]);
    const outbound = () => Promise.reject(new OutboundError('timeout', true, 'late'));
    expect((await paypal.create({ ...context, outbound }, input)).kind).toBe('refused');
  });

  test('no token means nothing was made', async () => {
    const { context } = setUp([]);
    context.cache.clear();
    const outbound = async () => ({ status: 503, headers: {}, text: '<html>' });
    expect((await paypal.create({ ...context, outbound }, input)).kind).toBe('refused');
  });
});

describe('access token', () => {
  test('is fetched once for many calls at the same time and kept', async () => {
    const { context, sent } = setUp([1, 2, 3, 4].map(() => ok(order('CREATED'))));
    await Promise.all([1, 2, 3].map(() => paypal.query(context, payment)));
    await paypal.query(context, payment);
    expect(sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1);
  });

  test('is renewed shortly before it expires', async () => {
    const { context, sent } = setUp([ok(order('CREATED')), ok(order('CREATED')), ok(order('CREATED'))]);
    await paypal.query(context, payment);
    await paypal.query({ ...context, now: () => NOW + 3_530_000 }, payment);
    await paypal.query({ ...context, now: () => NOW + 3_545_000 }, payment);
    expect(sent.filter(({ url }) => url.endsWith('/token'))).toHaveLength(2);
  });

  test('is renewed once on 401, and not for ever', async () => {
    const healed = setUp([ok({}, 401), ok(order('CREATED'))]);
    expect((await paypal.query(healed.context, payment)).status).toBe('pending');
    expect(healed.calls()[1]!.call.headers!['authorization']).toBe('Bearer token-2');
    const hopeless = setUp([ok({}, 401), ok({}, 401)]);
    expect((await paypal.query(hopeless.context, payment)).status).toBe('unknown');
    expect(hopeless.calls()).toHaveLength(2);
  });
});

describe('query', () => {
  test.each<[string, string, unknown[]]>([
    ['pending', 'CREATED', []],
    ['pending', 'SAVED', []],
    ['pending', 'PAYER_ACTION_REQUIRED', []],
    ['approved', 'APPROVED', []],
    ['expired', 'VOIDED', []],
    ['paid_unreadable', 'COMPLETED', []],
    ['unknown', 'SOMETHING_NEW', []],
    ['paid_unreadable', 'COMPLETED', [capture('COMPLETED', { amount: undefined })]],
    ['paid_unreadable', 'COMPLETED', [capture('COMPLETED', { amount: { currency_code: 'XXX', value: '4.99' } })]],
    ['paid_unreadable', 'COMPLETED', [capture('COMPLETED', { amount: '4.99' })]],
    ['paid_unreadable', 'COMPLETED', [capture('COMPLETED', { id: undefined })]],
    ['paid', 'COMPLETED', [capture('COMPLETED')]],
    ['pending', 'COMPLETED', [capture('PENDING', { status_details: { reason: 'ECHECK' } })]],
    ['failed', 'COMPLETED', [capture('DECLINED')]],
    ['failed', 'COMPLETED', [capture('FAILED')]],
    ['refunded', 'COMPLETED', [capture('REFUNDED')]],
    ['refunded', 'COMPLETED', [capture('PARTIALLY_REFUNDED')]],
    ['unknown', 'COMPLETED', [capture('SOMETHING_NEW')]],
    ['pending', 'PAYER_ACTION_REQUIRED', [capture('DECLINED')]],
    ['approved', 'APPROVED', [capture('DECLINED')]],
    ['paid', 'COMPLETED', [capture('DECLINED'), capture('COMPLETED', { id: 'CAP-2' })]],
  ])('%s for order %s with %j', async (status, orderStatus, captures) => {
    const { context } = setUp([ok(order(orderStatus, captures))]);
    expect((await paypal.query(context, payment)).status).toBe(status);
  });

  test('tells reference, amount and capture of a paid order', async () => {
    const { context } = setUp([ok(order('COMPLETED', [capture('COMPLETED', { amount: usd('0.99') })]))]);
    expect(await paypal.query(context, payment)).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      providerRef: 'ORDER-1',
      captureRef: 'CAP-1',
      amount: money(99, 'USD'),
    });
  });

  test.each<[string, Reply]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['500', ok({}, 500)],
    ['an order without a status', ok({ id: 'ORDER-1' })],
    ['404 of a fresh order', fault(404, 'INVALID_RESOURCE_ID')],
  ])('%s is not understood', async (_name, reply) => {
    expect((await paypal.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('an old order that PayPal forgot is expired', async () => {
    const { context } = setUp([fault(404, 'INVALID_RESOURCE_ID')]);
    const old = { ...payment, createdAt: NOW - 4 * 3_600_000 };
    expect((await paypal.query(context, old)).status).toBe('expired');
  });

  test('throws when PayPal cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(paypal.query(context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('capture', () => {
  test.each([
    ['pending', 'ORDER_NOT_APPROVED'],
    ['declined', 'INSTRUMENT_DECLINED'],
    ['pending', 'PAYER_ACTION_REQUIRED'],
    ['unknown', 'DUPLICATE_INVOICE_ID'],
    ['unknown', 'SOMETHING_NEW'],
    ['failed', 'TRANSACTION_REFUSED'],
    ['failed', 'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED'],
    ['failed', 'DECIMAL_PRECISION'],
    ['failed', 'CURRENCY_NOT_SUPPORTED'],
    ['expired', 'ORDER_EXPIRED'],
  ])('is %s on %s', async (status, issue) => {
    const { context } = setUp([fault(422, issue)]);
    const report = await paypal.capture!(context, payment);
    expect(report.status).toBe(status);
    expect(report.reason).toContain(issue);
  });

  test('a second capture asks for the first one', async () => {
    const { context, calls } = setUp([
      fault(422, 'ORDER_ALREADY_CAPTURED'),
      ok(order('COMPLETED', [capture('COMPLETED')])),
    ]);
    expect(await paypal.capture!(context, payment)).toMatchObject({ status: 'paid', captureRef: 'CAP-1' });
    expect(calls().map(({ call }) => call.method)).toEqual(['POST', 'GET']);
  });

  test('takes the money with an empty JSON body and no request id', async () => {
    const { context, calls } = setUp([ok(order('COMPLETED', [capture('COMPLETED')]), 201)]);
    expect(await paypal.capture!(context, payment)).toMatchObject({ status: 'paid', amount: money(499, 'USD') });
    const { url, call } = calls()[0]!;
    expect([url, call.method, call.body]).toEqual([`${API}/v2/checkout/orders/ORDER-1/capture`, 'POST', '{}']);
    expect(call.headers).not.toHaveProperty('paypal-request-id');
  });

  test.each<[string, Reply]>([
    ['500', ok({}, 500)],
    ['HTML', { status: 201, text: '<html>' }],
    ['409', fault(409, 'ALREADY_RUNNING')],
  ])('%s may have taken the money', async (_name, reply) => {
    expect((await paypal.capture!(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('a capture whose answer cannot be read has money', async () => {
    const torn = ok({ ...order('COMPLETED', [capture('COMPLETED')]), id: undefined }, 201);
    expect((await paypal.capture!(setUp([torn]).context, payment)).status).toBe('paid_unreadable');
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: 'CAP-1' };
  test.each<[string, string, Reply]>([
    ['done', 'COMPLETED', ok({ id: 'R-1', status: 'COMPLETED' }, 201)],
    ['done', 'COMPLETED of what was asked', ok({ id: 'R-1', status: 'COMPLETED', amount: usd('4.99') }, 201)],
    ['failed', 'COMPLETED of a part', ok({ id: 'R-1', status: 'COMPLETED', amount: usd('1.99') }, 201)],
    ['pending', 'PENDING', ok({ id: 'R-1', status: 'PENDING' }, 201)],
    ['failed', 'FAILED', ok({ id: 'R-1', status: 'FAILED' }, 201)],
    ['failed', 'CANCELLED', ok({ id: 'R-1', status: 'CANCELLED' }, 201)],
    ['unknown', 'a new status', ok({ id: 'R-1', status: 'NEW' }, 201)],
    ['done', 'CAPTURE_FULLY_REFUNDED', fault(422, 'CAPTURE_FULLY_REFUNDED')],
    ['failed', 'REFUND_AMOUNT_EXCEEDED', fault(422, 'REFUND_AMOUNT_EXCEEDED')],
    ['failed', 'REFUND_TIME_LIMIT_EXCEEDED', fault(422, 'REFUND_TIME_LIMIT_EXCEEDED')],
    ['failed', 'REFUND_FAILED_INSUFFICIENT_FUNDS', fault(422, 'REFUND_FAILED_INSUFFICIENT_FUNDS')],
    ['failed', 'MAX_NUMBER_OF_REFUNDS_EXCEEDED', fault(422, 'MAX_NUMBER_OF_REFUNDS_EXCEEDED')],
    ['unknown', '429', fault(429, 'RATE_LIMIT_REACHED')],
    ['unknown', '500', ok({}, 500)],
    ['unknown', 'HTML', { status: 200, text: '<html>' }],
    ['unknown', 'a timeout', new OutboundError('timeout', true, 'late')],
    ['unknown', 'no connection', new OutboundError('network', false, 'refused')],
  ])('is %s on %s', async (status, _name, reply) => {
    expect((await paypal.refund!(setUp([reply]).context, paid, 'RF-1')).status).toBe(status);
  });

  test('names the refund as request id and the exact amount', async () => {
    const { context, calls } = setUp([ok({ id: 'R-1', status: 'COMPLETED' }, 201)]);
    expect(await paypal.refund!(context, paid, 'RF-1')).toMatchObject({ refundProviderRef: 'R-1' });
    const { url, call } = calls()[0]!;
    expect(url).toBe(`${API}/v2/payments/captures/CAP-1/refund`);
    expect(call.headers!['paypal-request-id']).toBe('RF-1');
    expect(JSON.parse(call.body!)).toEqual({ amount: usd('4.99'), custom_id: REFERENCE });
  });

  test('finds the capture of an order when it is not known', async () => {
    const { context, calls } = setUp([
      ok(order('COMPLETED', [capture('COMPLETED')])),
      ok({ id: 'R-1', status: 'COMPLETED' }, 201),
    ]);
    expect((await paypal.refund!(context, payment, 'RF-1')).status).toBe('done');
    expect(calls()[1]!.url).toContain('/captures/CAP-1/refund');
  });
});

describe('published vectors', () => {
  test('a webhook the sandbox really signed in 2019', () => {
    const certificate = new X509Certificate(CERTIFICATE);
    expect(isSignedBy(certificate, SIGNED_2019.message, SIGNED_2019.signature)).toBe(true);
    expect(
      isSignedBy(certificate, SIGNED_2019.message.replace('|3674300368', '|3674300369'), SIGNED_2019.signature),
    ).toBe(false);
    expect(isSignedBy(certificate, SIGNED_2019.message, SIGNED_2019.signature.slice(0, 40))).toBe(false);
    expect(isSignedBy(certificate, SIGNED_2019.message, 'not base64 at all!')).toBe(false);
  });

  test.each<[string, string, string, string, Buffer | string]>([
    [MESSAGE_2015, 'dfb3be50-fd74-11e4-8bf3-77339302725b', '2015-05-18T15:45:13Z', '4JH86294D6297924G', BODY_2015],
    ['a|b|w|2077941293', 'a', 'b', 'w', '{"id":"WH-TEST-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}'],
    ['a|b|w|3421780262', 'a', 'b', 'w', '123456789'],
  ])('signs %s', (message, id, time, webhookId, body) => {
    const transmission = { id, time, signature: '', certificateUrl: '' };
    expect(signedMessage(transmission, webhookId, Buffer.from(body))).toBe(message);
  });
});

describe('callback', () => {
  const CERT_URL = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270';
  let good: { private: string; cert: string };
  let otherName: typeof good;
  let expired: typeof good;

  beforeAll(async () => {
    const make = (commonName: string, from: number, to: number) =>
      generate([{ name: 'commonName', value: commonName }], {
        notBeforeDate: new Date(from),
        notAfterDate: new Date(to),
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: commonName }] }],
      });
    const name = 'messageverificationcerts.sandbox.paypal.com';
    const day = 86_400_000;
    good = await make(name, NOW - day, NOW + day);
    otherName = await make('www.paypal.com.evil.example', NOW - day, NOW + day);
    expired = await make(name, NOW - 2 * day, NOW - day);
  });

  function signed(webhook: unknown, key = good.private, headers: Record<string, string> = {}): RawCallback {
    const body = Buffer.from(JSON.stringify(webhook));
    const message = `T-1|2026-01-02T03:04:00Z|WH-1|${crc32(body)}`;
    return {
      method: 'POST',
      path: '/callback/paypal',
      topic: '',
      query: {},
      ip: '127.0.0.1',
      body,
      headers: {
        'paypal-transmission-id': 'T-1',
        'paypal-transmission-time': '2026-01-02T03:04:00Z',
        'paypal-transmission-sig': createSign('sha256').update(message).sign(key, 'base64'),
        'paypal-cert-url': CERT_URL,
        'paypal-auth-algo': 'SHA256withRSA',
        ...headers,
      },
    };
  }
  function event(type: string, resource: unknown, resourceType = 'capture') {
    return { id: 'WH-EVENT-1', event_type: type, resource_type: resourceType, resource };
  }
  const certificate = () => ({ status: 200, text: good.cert });
  const paidEvent = event('PAYMENT.CAPTURE.COMPLETED', {
    ...capture('COMPLETED'),
    supplementary_data: { related_ids: { order_id: 'ORDER-1' } },
  });

  test('a paid capture becomes one event and is acknowledged', async () => {
    const { context } = setUp([certificate()]);
    expect(await paypal.readCallback(context, signed(paidEvent))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: '' },
      events: [
        {
          dedupKey: 'WH-EVENT-1',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'ORDER-1',
            captureRef: 'CAP-1',
            amount: money(499, 'USD'),
            merchantAccount: null,
            reason: 'COMPLETED',
          },
        },
      ],
    });
  });

  const refundResource = {
    id: 'R-1',
    status: 'COMPLETED',
    amount: usd('2.00'),
    custom_id: REFERENCE,
    links: [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP-1' }],
  };
  const dispute = {
    dispute_life_cycle_stage: 'CHARGEBACK',
    dispute_amount: usd('4.99'),
    disputed_transactions: [{ seller_transaction_id: 'CAP-1', custom: REFERENCE }],
  };
  test.each<[string, string, unknown, string]>([
    ['approved', 'CHECKOUT.ORDER.APPROVED', order('APPROVED'), 'checkout-order'],
    ['paid', 'CHECKOUT.ORDER.COMPLETED', order('COMPLETED', [capture('COMPLETED')]), 'checkout-order'],
    ['paid', 'PAYMENT.CAPTURE.COMPLETED', capture('COMPLETED'), 'capture'],
    ['unknown', 'PAYMENT.CAPTURE.COMPLETED', capture('SOMETHING_NEW'), 'capture'],
    ['paid_unreadable', 'PAYMENT.CAPTURE.COMPLETED', capture('COMPLETED', { amount: undefined }), 'capture'],
    ['paid_unreadable', 'PAYMENT.CAPTURE.COMPLETED', capture('COMPLETED', { amount: '4.99' }), 'capture'],
    ['paid_unreadable', 'PAYMENT.CAPTURE.REVERSED', capture('COMPLETED', { amount: '4.99' }), 'capture'],
    ['unknown', 'PAYMENT.CAPTURE.PENDING', capture('PENDING', { amount: '4.99' }), 'capture'],
    ['pending', 'PAYMENT.CAPTURE.PENDING', capture('PENDING'), 'capture'],
    ['failed', 'PAYMENT.CAPTURE.DENIED', capture('DECLINED'), 'capture'],
    ['pending', 'PAYMENT.CAPTURE.DECLINED', capture('DECLINED'), 'capture'],
    ['refunded', 'PAYMENT.CAPTURE.REFUNDED', capture('REFUNDED'), 'capture'],
    ['refunded', 'PAYMENT.CAPTURE.REFUNDED', refundResource, 'refund'],
    ['pending', 'PAYMENT.CAPTURE.REFUNDED', { ...refundResource, status: 'PENDING' }, 'refund'],
    ['refund_failed', 'PAYMENT.CAPTURE.REFUNDED', { ...refundResource, status: 'FAILED' }, 'refund'],
    ['chargeback', 'PAYMENT.CAPTURE.REVERSED', capture('COMPLETED'), 'capture'],
    ['chargeback', 'CUSTOMER.DISPUTE.CREATED', dispute, 'dispute'],
    ['unknown', 'PAYMENT.CAPTURE.SOMETHING_NEW', capture('COMPLETED'), 'capture'],
  ])('%s for %s', async (status, type, resource, resourceType) => {
    const { context } = setUp([certificate()]);
    const reading = await paypal.readCallback(context, signed(event(type, resource, resourceType)));
    expect(reading).toMatchObject({ kind: 'events', events: [{ report: { status, reference: REFERENCE } }] });
  });

  test.each([
    ['a reversal that shows the capture', 'PAYMENT.CAPTURE.REVERSED', 'COMPLETED', null],
    ['a refund that shows a capture in part refunded', 'PAYMENT.CAPTURE.REFUNDED', 'PARTIALLY_REFUNDED', null],
    ['a refund that shows a capture all refunded', 'PAYMENT.CAPTURE.REFUNDED', 'REFUNDED', money(499, 'USD')],
  ])('%s tells no more than it says', async (_name, type, status, amount) => {
    const { context } = setUp([certificate()]);
    const reading = await paypal.readCallback(context, signed(event(type, capture(status), 'capture')));
    expect(reading).toMatchObject({ events: [{ report: { amount } }] });
  });

  test('a refund names its capture by the link up, and what went back', async () => {
    const { context } = setUp([certificate()]);
    const reading = await paypal.readCallback(
      context,
      signed(event('PAYMENT.CAPTURE.REFUNDED', refundResource, 'refund')),
    );
    expect(reading).toMatchObject({ events: [{ report: { captureRef: 'CAP-1', amount: money(200, 'USD') } }] });
  });

  test.each<[string, unknown]>([
    ['VAULT.PAYMENT-TOKEN.CREATED', {}],
    ['CUSTOMER.DISPUTE.CREATED', { ...dispute, dispute_life_cycle_stage: 'INQUIRY' }],
    ['CUSTOMER.DISPUTE.RESOLVED', dispute],
  ])('%s is acknowledged and ignored', async (type, resource) => {
    const { context } = setUp([certificate()]);
    expect(await paypal.readCallback(context, signed(event(type, resource)))).toMatchObject({
      kind: 'ignored',
      answer: { status: 200 },
    });
  });

  test.each<[string, (raw: RawCallback) => RawCallback]>([
    ['a changed amount', (raw) => ({ ...raw, body: Buffer.from(raw.body.toString().replace('4.99', '0.99')) })],
    ['a body cut short', (raw) => ({ ...raw, body: raw.body.subarray(0, -1) })],
    ['an empty body', (raw) => ({ ...raw, body: Buffer.alloc(0) })],
    [
      'a signature cut short',
      (raw) => withHeader(raw, 'paypal-transmission-sig', raw.headers['paypal-transmission-sig']!.slice(0, 100)),
    ],
    ['a missing signature', (raw) => withHeader(raw, 'paypal-transmission-sig', '')],
    ['a missing time', (raw) => withHeader(raw, 'paypal-transmission-time', '')],
    ['another transmission id', (raw) => withHeader(raw, 'paypal-transmission-id', 'T-2')],
    ['another algorithm', (raw) => withHeader(raw, 'paypal-auth-algo', 'none')],
    [
      'a foreign certificate host',
      (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('api.sandbox.paypal.com', 'evil.example')),
    ],
    [
      'a host that only begins like PayPal',
      (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('paypal.com', 'paypal.com.evil.example')),
    ],
    [
      'a user name that looks like a host',
      (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('api.', 'x@api.')),
    ],
    [
      'the live certificate host in a sandbox',
      (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('sandbox.', '')),
    ],
    ['plain http', (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('https', 'http'))],
    ['another path', (raw) => withHeader(raw, 'paypal-cert-url', 'https://api.sandbox.paypal.com/v1/files/mine')],
    ['a query', (raw) => withHeader(raw, 'paypal-cert-url', `${CERT_URL}?x=1`)],
    ['an empty query', (raw) => withHeader(raw, 'paypal-cert-url', `${CERT_URL}?`)],
    ['a fragment', (raw) => withHeader(raw, 'paypal-cert-url', `${CERT_URL}#x`)],
    ['another spelling', (raw) => withHeader(raw, 'paypal-cert-url', CERT_URL.replace('https', 'HTTPS'))],
    ['no address', (raw) => withHeader(raw, 'paypal-cert-url', 'certificate')],
  ])('%s is not believed', async (_name, spoil) => {
    const { context, sent } = setUp([certificate()]);
    const reading = await paypal.readCallback(context, spoil(signed(paidEvent)));
    expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 401 } });
    expect(sent.every(({ url }) => url === CERT_URL)).toBe(true);
  });

  test('a signature of another key, webhook or an own certificate is not believed', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect((await paypal.readCallback(setUp([certificate()]).context, signed(paidEvent, key))).kind).toBe('invalid');
    const other = setUp([certificate()], { WEBHOOK_ID: 'WH-2' });
    expect((await paypal.readCallback(other.context, signed(paidEvent))).kind).toBe('invalid');
    const named = setUp([{ status: 200, text: otherName.cert }]);
    expect((await paypal.readCallback(named.context, signed(paidEvent, otherName.private))).kind).toBe('invalid');
    const old = setUp([{ status: 200, text: expired.cert }]);
    expect((await paypal.readCallback(old.context, signed(paidEvent, expired.private))).kind).toBe('invalid');
    const none = setUp([{ status: 200, text: '<html>' }]);
    expect((await paypal.readCallback(none.context, signed(paidEvent))).kind).toBe('invalid');
  });

  test('without a webhook id nothing is believed', async () => {
    const { context } = setUp([certificate()], { WEBHOOK_ID: '' });
    expect((await paypal.readCallback(context, signed(paidEvent))).kind).toBe('invalid');
  });

  test.each<[string, Reply]>([
    ['cannot be reached', new OutboundError('timeout', true, 'late')],
    ['answers 503', { status: 503, text: '' }],
  ])('a certificate host that %s makes PayPal send again', async (_name, reply) => {
    expect((await paypal.readCallback(setUp([reply]).context, signed(paidEvent))).kind).toBe('unavailable');
  });

  test('the certificate is fetched once', async () => {
    const { context, sent } = setUp([certificate()]);
    await paypal.readCallback(context, signed(paidEvent));
    expect((await paypal.readCallback(context, signed(paidEvent))).kind).toBe('events');
    expect(sent).toHaveLength(1);
  });

  test('a named simulator may use http and its own certificate, in a sandbox only', async () => {
    const url = 'http://127.0.0.1:4000/cert.pem';
    const hosts = { CERT_HOSTS: '127.0.0.1:4000' };
    const raw = signed(paidEvent, otherName.private, { 'paypal-cert-url': url });
    const sandbox = setUp([{ status: 200, text: otherName.cert }], hosts);
    expect((await paypal.readCallback(sandbox.context, raw)).kind).toBe('events');
    const live = setUp([{ status: 200, text: otherName.cert }], hosts, 'live');
    expect((await paypal.readCallback(live.context, raw)).kind).toBe('invalid');
  });

  test('a signed body that is no webhook is not believed', async () => {
    expect((await paypal.readCallback(setUp([certificate()]).context, signed({ hello: 1 }))).kind).toBe('invalid');
  });
});

function withHeader(raw: RawCallback, name: string, value: string): RawCallback {
  return { ...raw, headers: { ...raw.headers, [name]: value } };
}

describe('hosts', () => {
  test('official ones unless set', () => {
    expect(paypal.apiHosts({}, 'live')).toEqual(['api-m.paypal.com', 'api.paypal.com']);
    expect(paypal.apiHosts({ API_BASE: 'http://127.0.0.1:4000/', CERT_HOSTS: '127.0.0.1:4000' }, 'demo')).toEqual([
      '127.0.0.1:4000',
    ]);
    expect(paypal.payHosts({}, 'live')).toEqual(['www.paypal.com']);
    expect(() => paypal.apiHosts({ API_BASE: 'http://api-m.paypal.com' }, 'live')).toThrow('https');
  });
});
