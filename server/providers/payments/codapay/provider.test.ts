import type { Environment } from '#kernel/environment.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readPrice, supportsCurrency, writePrice } from './amounts.ts';
import { checksumOf } from './notice.ts';
import { codapay } from './provider.ts';
import { judgeStranger, latinName, readOrderId, writeOrderId } from './wire.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const ORDER = `TWD-${REFERENCE}`;
/** One more than a double can tell from its neighbour: read as a number it would be another one. */
const TXN = '6850822175662776971';
const API = 'https://sandbox.codapayments.com/airtime/api/restful/v2.0/Payment';

type Reply = { status: number; text: string } | OutboundError;
const late = new OutboundError('timeout', true, 'late');

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { API_KEY: 'test-api-key', PROJECT_ID: '289', ...extra },
    now: () => NOW,
    cache: new Map(),
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
  amount: money(15_000, 'TWD'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'TW',
  locale: 'zh-TW',
  channelId: '',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/codapay',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: 'x', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: TXN,
  captureRef: null,
  approval: null,
  amount: money(15_000, 'TWD'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};

/** Written by hand, for JSON.stringify cannot write such an id. */
const made = (url = '"redirectUrl":"https://sandbox.codapayments.com/airtime/page"', txn = TXN) => ({
  status: 200,
  text: `{"initResult":{"resultCode":0,"resultDesc":"","txnId":${txn}${url === '' ? '' : `,${url}`}}}`,
});
const refused = (code: number, txn = '0') => ({
  status: 200,
  text: `{"initResult":{"resultCode":${code},"resultDesc":"no","txnId":${txn}}}`,
});
function result(
  code: number | string,
  options: { order?: string; price?: string; txn?: string; isFinal?: boolean | string } = {},
) {
  const { order = `"${ORDER}"`, price = '150', txn = TXN, isFinal } = options;
  const entries = isFinal === undefined ? '' : `{"key":"isStatusFinal","value":${isFinal}}`;
  return {
    status: 200,
    text: `{"paymentResult":{"txnId":${txn},"orderId":${order},"resultCode":${code},"resultDesc":"","totalPrice":${price},"profile":{"entry":[${entries}]}}}`,
  };
}

describe('amounts and markets', () => {
  test.each<[Currency, number, unknown]>([
    ['TWD', 15_000, { country: 158, currency: 901, price: 150 }],
    ['TWD', 15_050, null],
    ['IDR', 7_900_000, { country: 360, currency: 360, price: 79_000 }],
    ['IDR', 50, null],
    ['KRW', 5900, { country: 410, currency: 410, price: 5900 }],
    ['VND', 24_000, { country: 704, currency: 704, price: 24_000 }],
    ['JPY', 120, { country: 392, currency: 392, price: 120 }],
    ['MYR', 2190, { country: 458, currency: 458, price: 21.9 }],
    ['THB', 15_959, { country: 764, currency: 764, price: 159.59 }],
    ['PHP', 1, { country: 608, currency: 608, price: 0.01 }],
    ['SGD', 100, { country: 702, currency: 702, price: 1 }],
    ['USD', 499, { country: 840, currency: 840, price: 4.99 }],
    ['AED', 500, { country: 784, currency: 784, price: 5 }],
    ['TRY', 500, { country: 792, currency: 949, price: 5 }],
    ['BRL', 500, { country: 76, currency: 986, price: 5 }],
    ['EUR', 499, null],
    ['RUB', 499, null],
    ['USD', 0, null],
    ['USD', -1, null],
    ['USD', 9_007_199_254_740_991, null],
  ])('%s %i is %j', (currency, amountMinor, wire) => {
    const written = writePrice(money(amountMinor, currency));
    expect(written).toEqual(wire);
    const back = written && readPrice(JSON.stringify(written.price), currency);
    expect(back).toEqual(written && money(amountMinor, currency));
  });

  test.each([['-5'], ['1e3'], ['5.001'], [''], [undefined]])('%j is no price', (value) => {
    expect(readPrice(value, 'USD')).toBeNull();
  });

  test('a currency that is no market is off', () => {
    expect([supportsCurrency('EUR'), readPrice('5', 'EUR')]).toEqual([false, null]);
  });
});

describe('names and order ids', () => {
  test.each([
    ['60 Embers', '60 Embers'],
    ['Café crème', 'Cafe creme'],
    ['60 個餘燼', 'Game item'],
    ['Pack <b>"1"</b>', 'Pack b1b'],
    ['', 'Game item'],
  ])('%j is sold as %j', (name, wire) => {
    expect(latinName(name)).toBe(wire);
  });

  test('an order id begins with letters and tells the currency', () => {
    expect(writeOrderId(REFERENCE, 'TWD')).toBe(ORDER);
    expect(readOrderId(ORDER)).toEqual({ reference: REFERENCE, currency: 'TWD' });
    expect(readOrderId('BILL1')).toEqual({ reference: 'BILL1', currency: null });
    expect(readOrderId('XXX-1')).toEqual({ reference: '1', currency: null });
  });
});

describe('create', () => {
  test('starts a transaction and keeps all 19 digits of its id', async () => {
    const { context, calls } = setUp([made()]);
    expect(await codapay.create(context, { ...input, productName: '60 個 Embers' })).toEqual({
      kind: 'redirect',
      url: 'https://sandbox.codapayments.com/airtime/page',
      providerRef: TXN,
    });
    expect(String(Number(TXN))).not.toBe(TXN);
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/init.json`]);
    expect(JSON.parse(call.body!)).toEqual({
      initRequest: {
        apiKey: 'test-api-key',
        projectId: 289,
        orderId: ORDER,
        country: 158,
        currency: 901,
        payType: 0,
        items: [{ code: 'topup', name: '60 Embers', price: 150 }],
        profile: {
          entry: [
            { key: 'user_id', value: 'player-1' },
            { key: 'client_ip', value: '203.0.113.7' },
            { key: 'lang_code', value: 'zh_TW' },
            { key: 'return_url', value: 'https://shop.example/back' },
          ],
        },
      },
    });
  });

  test('a channel is a number', async () => {
    const { context, calls } = setUp([made()]);
    await codapay.create(context, { ...input, channelId: '236' });
    expect(JSON.parse(calls[0]!.call.body!).initRequest.payType).toBe(236);
    expect((await codapay.create(setUp([]).context, { ...input, channelId: 'gcash' })).kind).toBe('refused');
  });

  test('without a project it is v1.0, whose answer may name no page', async () => {
    const { context, calls } = setUp([made('')], { PROJECT_ID: '' });
    expect(await codapay.create(context, input)).toMatchObject({
      url: `https://sandbox.codapayments.com/airtime/epc-checkout?type=3&txn_id=${TXN}`,
    });
    expect(calls[0]!.url).toContain('/v1.0/');
    expect(JSON.parse(calls[0]!.call.body!).initRequest).not.toHaveProperty('projectId');
  });

  test.each<[string, Reply, string]>([
    ['a timeout', late, 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', { status: 500, text: '{}' }, 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['an empty answer', { status: 200, text: '' }, 'unknown'],
    ['204, a key that is not registered', refused(204), 'refused'],
    ['203, decimals', refused(203), 'refused'],
    ['a fault with a transaction all the same', refused(430, TXN), 'unknown'],
    ['no transaction', made(undefined, '0'), 'unknown'],
    ['a foreign page', made('"redirectUrl":"https://evil.example/"'), 'unknown'],
    [
      'a page that only begins like one',
      made('"redirectUrl":"https://sandbox.codapayments.com.evil.example/"'),
      'unknown',
    ],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await codapay.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount Codapay cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await codapay.create(context, { ...input, amount: money(15_050, 'TWD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('query', () => {
  test('asks with the id as text', async () => {
    const { context, calls } = setUp([result(0)]);
    expect(await codapay.query(context, payment)).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: TXN,
      captureRef: TXN,
      amount: money(15_000, 'TWD'),
      merchantAccount: null,
      reason: '0',
    });
    expect(calls[0]!.url).toBe(`${API}/inquiryPaymentResult.json`);
    expect(JSON.parse(calls[0]!.call.body!)).toEqual({
      inquiryPaymentRequest: {
        apiKey: 'test-api-key',
        projectId: 289,
        country: 158,
        txnId: TXN,
        needStatusFinal: 'true',
      },
    });
  });

  test.each<[string, { status: number; text: string }, string]>([
    ['being paid', result(431, { isFinal: true }), 'pending'],
    ['being paid, in other words', result(216, { isFinal: true }), 'pending'],
    ['waiting for the user', result(209), 'pending'],
    ['waiting at the counter', result(481, { isFinal: false }), 'pending'],
    ['refused, but not for good', result(210, { isFinal: false }), 'pending'],
    ['refused, nobody says whether for good', result(210), 'pending'],
    ['called off for good', result(210, { isFinal: true }), 'failed'],
    ['called off for good, as text', result(210, { isFinal: '"true"' }), 'failed'],
    ['never opened', result(206, { isFinal: true }), 'expired'],
    ['expired', result(211, { isFinal: true }), 'expired'],
    ['a risk', result(301, { isFinal: true }), 'failed'],
    ['a word of refunds', result(551, { isFinal: true }), 'unknown'],
    ['a code nobody knows', result(999, { isFinal: true }), 'unknown'],
    ['a code nobody knows, not final', result(999, { isFinal: false }), 'unknown'],
    ['paid without a price', result(0, { price: 'null' }), 'paid_unreadable'],
    ['paid with a price of another shape', result(0, { price: '{"amount":150}' }), 'paid_unreadable'],
    ['paid for another transaction', result(0, { txn: '6850822175662776972' }), 'unknown'],
    ['a code that is none', result('"ok"'), 'unknown'],
  ])('%s: %j is %s', async (_name, reply, status) => {
    expect((await codapay.query(setUp([reply]).context, payment)).status).toBe(status);
  });

  test('one dollar less and an order id of digits are told as they are', async () => {
    expect(await codapay.query(setUp([result(0, { price: '149' })]).context, payment)).toMatchObject({
      amount: money(14_900, 'TWD'),
    });
    const { context } = setUp([result(0, { order: '20260102030405060708' })]);
    expect(await codapay.query(context, payment)).toMatchObject({ reference: '20260102030405060708' });
  });

  test.each<[string, Reply]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['404', { status: 404, text: '{}' }],
    ['500', { status: 500, text: '{}' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await codapay.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('throws when Codapay cannot be reached; without an id there is nothing to ask', async () => {
    await expect(codapay.query(setUp([late]).context, payment)).rejects.toThrow(OutboundError);
    expect(await codapay.query(setUp([]).context, { ...payment, providerRef: null })).toMatchObject({
      status: 'pending',
    });
  });

  test('there is no verb for refunds or for closing', () => {
    expect([codapay.refund, codapay.cancel, codapay.capture]).toEqual([undefined, undefined, undefined]);
  });
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Signed here by hand, so that a mistake in checksumOf cannot prove itself. */
function raw(fields: Record<string, string> = {}, options: { key?: string; method?: string } = {}): RawCallback {
  const { key = 'test-api-key', method = 'GET' } = options;
  const given = { TxnId: TXN, OrderId: ORDER, TotalPrice: '150', PaymentType: '236', ResultCode: '0', ...fields };
  const checksum = md5(`${given.TxnId}${key}${given.OrderId}${given.ResultCode}`);
  const query = { Checksum: checksum, ...given };
  const isForm = method === 'POST';
  return {
    method,
    path: '/callback/codapay',
    topic: '',
    headers: {},
    query: isForm ? {} : query,
    body: Buffer.from(isForm ? new URLSearchParams(query).toString() : ''),
    ip: '127.0.0.1',
  };
}

describe('notification', () => {
  test('the formula of the documentation, with a vector of our own', () => {
    const notice = { txnId: '7178589013775074766', orderId: 'ORDER-0001', resultCode: '0' };
    expect(checksumOf(notice, 'test-api-key')).toBe('7ad2d6164d5c65ec29fa1210469432db');
  });

  test.each([['GET'], ['POST']])('by %s: asked about, then paid and answered ResultCode=0', async (method) => {
    const { context, calls } = setUp([result(0)]);
    expect(await codapay.readCallback(context, raw({}, { method }))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'ResultCode=0' },
      events: [
        {
          dedupKey: `${TXN}:0:paid`,
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: TXN,
            captureRef: TXN,
            amount: money(15_000, 'TWD'),
            merchantAccount: null,
            reason: '0',
          },
        },
      ],
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]!.call.body).toContain(`"txnId":"${TXN}"`);
  });

  test('the price of the notification is never believed', async () => {
    const { context } = setUp([result(0, { price: '149' })]);
    expect(await codapay.readCallback(context, raw({ TotalPrice: '150' }))).toMatchObject({
      events: [{ report: { amount: money(14_900, 'TWD') } }],
    });
  });

  test.each<[string, Record<string, string>, Reply, string]>([
    ['called off', { ResultCode: '210' }, result(210, { isFinal: true }), 'failed'],
    ['not opened in time', { ResultCode: '206' }, result(206, { isFinal: true }), 'expired'],
    ['a failure that is not final', { ResultCode: '210' }, result(210, { isFinal: false }), 'pending'],
    ['a failure of what is paid', { ResultCode: '210' }, result(0), 'unknown'],
    ['a code nobody knows', { ResultCode: '999' }, result(0), 'unknown'],
    ['paid without a price', { ResultCode: '0' }, result(0, { price: 'null' }), 'paid_unreadable'],
  ])('%s: %j is what the inquiry says', async (_name, fields, reply, status) => {
    expect(await codapay.readCallback(setUp([reply]).context, raw(fields))).toMatchObject({
      kind: 'events',
      events: [{ dedupKey: `${TXN}:${fields['ResultCode']}:${status}`, report: { status, reference: REFERENCE } }],
      answer: { body: 'ResultCode=0' },
    });
  });

  test.each<[string, Reply]>([
    ['cannot be asked', late],
    ['answers HTML', { status: 200, text: '<html>' }],
    ['answers 500', { status: 500, text: '{}' }],
    ['says that it is being paid', result(431)],
    ['says that it was called off', result(210, { isFinal: true })],
  ])('is to be sent again when Coda %s', async (_name, reply) => {
    expect((await codapay.readCallback(setUp([reply]).context, raw())).kind).toBe('unavailable');
  });

  const good = raw();
  const query = (change: Record<string, string>) => ({ ...good, query: { ...good.query, ...change } });
  const { Checksum: sum = '', ...unsigned } = good.query;
  test.each<[string, RawCallback]>([
    ['another transaction', query({ TxnId: '6850822175662776972' })],
    ['another order', query({ OrderId: `${ORDER}0` })],
    ['another code', query({ ResultCode: '1' })],
    ['no checksum', { ...good, query: unsigned }],
    ['an empty checksum', query({ Checksum: '' })],
    ['a checksum cut short', query({ Checksum: sum.slice(0, 20) })],
    ['the key as checksum', query({ Checksum: 'test-api-key' })],
    ['another key', raw({}, { key: 'other' })],
    ['no key', raw({}, { key: '' })],
    ['an id that is no number', raw({ TxnId: 'abc' })],
    ['nothing at all', { ...good, query: {} }],
  ])('%s is not believed, and nobody is asked', async (_name, callback) => {
    const { context, calls } = setUp([]);
    expect(await codapay.readCallback(context, callback)).toEqual({
      kind: 'invalid',
      reason: 'the checksum does not fit',
      answer: { status: 401, contentType: 'text/plain', body: 'ResultCode=401' },
    });
    expect(calls).toEqual([]);
  });

  test('without a key of our own nothing is believed', async () => {
    expect((await codapay.readCallback(setUp([], { API_KEY: '' }).context, raw({}, { key: '' }))).kind).toBe('invalid');
  });

  test('capitals in the checksum do not matter; another order in the inquiry does', async () => {
    expect((await codapay.readCallback(setUp([result(0)]).context, query({ Checksum: sum.toUpperCase() }))).kind).toBe(
      'events',
    );
    const other = setUp([result(0, { order: '"TWD-other-1"' })]).context;
    expect((await codapay.readCallback(other, good)).kind).toBe('invalid');
    // Nothing stands between order and code in the checksum, so a digit may move; the inquiry tells the order.
    const moved = query({ OrderId: ORDER.slice(0, -1), ResultCode: '10' });
    expect((await codapay.readCallback(setUp([result(0)]).context, moved)).kind).toBe('invalid');
  });

  test('a list of addresses', async () => {
    const given = { NOTIFY_IPS: '203.0.113.1, 203.0.113.2' };
    expect((await codapay.readCallback(setUp([], given).context, good)).kind).toBe('invalid');
    const from = { ...good, ip: '::ffff:203.0.113.2' };
    expect((await codapay.readCallback(setUp([result(0)], given).context, from)).kind).toBe('events');
  });
});

describe('hosts', () => {
  test('follow the mode', () => {
    expect(codapay.apiHosts({}, 'demo')).toEqual(['sandbox.codapayments.com']);
    expect(codapay.apiHosts({}, 'live')).toEqual(['airtime.codapayments.com']);
    expect(codapay.payHosts({}, 'live')).toEqual(['airtime.codapayments.com']);
    expect(codapay.payHosts({ PAY_HOSTS: 'Pay.example, two.example' }, 'live')).toEqual(['pay.example', 'two.example']);
    expect(() => codapay.apiHosts({ API_BASE: 'http://x.example' }, 'live')).toThrow(/https/);
  });
});

test.each([
  ['0', 'ok'],
  ['207', 'ok'],
  ['201', 'ok'],
  ['254', 'ok'],
  ['202', 'refused'],
  ['204', 'refused'],
  ['205', 'refused'],
  ['1', 'unreachable'],
  ['151', 'unreachable'],
  ['255', 'unreachable'],
  ['492', 'unreachable'],
  ['-1', 'unreachable'],
  ['', 'unreachable'],
  [' ', 'unreachable'],
  ['0xcc', 'unreachable'],
])('an inquiry about no transaction that is answered %s: %s', (code, kind) => {
  expect(judgeStranger(code)).toBe(kind);
});
