import type { Environment } from '#kernel/environment.ts';
import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { decimalsOf, readAmount, writeAmount } from './amounts.ts';
import { payermax } from './provider.ts';
import { isSigned, readPublicKeys } from './rsa.ts';
import { fromTradeNo, toTradeNo } from './wire.ts';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const TRADE_NO = '01JGZZZZZZZZZZZZZZZZZZZZZZ_1';
const API = 'https://pay-gate-uat.payermax.com/aggregate-pay/api/gateway';

function makePair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bare = (key: typeof publicKey, type: 'pkcs8' | 'spki') =>
    key.export({ format: 'der', type }).toString('base64');
  return { privateKey, publicKey, privateText: bare(privateKey, 'pkcs8'), publicText: bare(publicKey, 'spki') };
}
const shop = makePair();
const theirs = makePair();
const stranger = makePair();
/** Signed here by hand, so that a mistake of the adapter cannot prove itself. */
const sign = (body: string, key = theirs.privateKey) => createSign('RSA-SHA256').update(body).sign(key, 'base64');

type Reply = { status: number; text: string; headers?: Record<string, string> } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: {
      MERCHANT_NO: 'SP18440851',
      APP_ID: 'app1',
      PRIVATE_KEY: shop.privateText,
      PUBLIC_KEY: theirs.publicText,
      ...extra,
    },
    now: () => NOW,
    cache: new Map(),
    outbound: async (url, call) => {
      calls.push({ url, call });
      const reply = replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { headers: {}, ...reply };
    },
  };
  return { context, calls };
}
function ok(data: unknown, key = theirs.privateKey): Reply {
  const text = JSON.stringify({ code: 'APPLY_SUCCESS', msg: 'Success.', data });
  return { status: 200, text, headers: { sign: sign(text, key) } };
}
const no = (code: string, status = 200): Reply => ({ status, text: JSON.stringify({ code, msg: 'no' }) });
const link = 'https://cashier-n.payermax.com/v2/index.html?tradeToken=T1';
const order = (extra = {}) => ({
  redirectUrl: link,
  outTradeNo: TRADE_NO,
  tradeToken: 'T1',
  status: 'PENDING',
  ...extra,
});

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'ID',
  locale: 'id-ID',
  channelId: '',
  returnUrl: 'https://shop.example/return/payermax?ref=1',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/payermax',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: 'x', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'T1',
  captureRef: null,
  approval: null,
  amount: money(499, 'USD'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['USD', 499, '4.99'],
    ['USD', 400, '4.00'],
    ['EUR', 1, '0.01'],
    ['MYR', 2190, '21.90'],
    ['JPY', 120, '120'],
    ['KRW', 5900, '5900'],
    ['VND', 24_000, '24000'],
    ['IDR', 1_000_000, '10000'],
    ['IDR', 50, null],
    ['TWD', 15_000, '150'],
    ['TWD', 15_050, null],
    ['RUB', 100, null],
    ['CNY', 100, null],
    ['MMK', 100, null],
    ['USD', 0, null],
    ['USD', -1, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    const written = writeAmount(money(amountMinor, currency));
    expect(written).toBe(text);
    expect(readAmount(written ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([
    ['IDR', 0],
    ['TWD', 0],
    ['PKR', 0],
    ['COP', 0],
    ['JPY', 0],
    ['KWD', 2],
    ['BHD', 2],
    ['USD', 2],
  ])('%s has %i decimals at PayerMax', (currency, decimals) => expect(decimalsOf(currency)).toBe(decimals));

  test.each([['4.991'], ['-4.99'], ['1e3'], [''], ['9999999999999999']])('%j is no amount of dollars', (text) => {
    expect(readAmount(text, 'USD')).toBeNull();
  });
});

test('order numbers go there and back', () => {
  expect(toTradeNo(REFERENCE)).toBe(TRADE_NO);
  expect(toTradeNo(REFERENCE)).toMatch(/^\w{1,64}$/);
  expect(fromTradeNo(TRADE_NO)).toBe(REFERENCE);
});

describe('create', () => {
  test('sends the envelope, a number for the amount, and a signature over the very bytes', async () => {
    const { context, calls } = setUp([ok(order())]);
    expect(await payermax.create(context, input)).toEqual({ kind: 'redirect', url: link, providerRef: 'T1' });
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/orderAndPay`]);
    expect(JSON.parse(call.body!)).toEqual({
      version: '1.4',
      keyVersion: '1',
      requestTime: '2026-01-02T03:04:05.678+00:00',
      appId: 'app1',
      merchantNo: 'SP18440851',
      data: {
        outTradeNo: TRADE_NO,
        integrate: 'Hosted_Checkout',
        subject: '60 Embers',
        totalAmount: 4.99,
        currency: 'USD',
        country: 'ID',
        userId: 'player-1',
        language: 'id',
        reference: REFERENCE,
        frontCallbackUrl: input.returnUrl,
        notifyUrl: input.notifyUrl,
        expireTime: '3600',
      },
    });
    expect(call.body).toContain('"totalAmount":4.99,');
    expect(createVerify('RSA-SHA256').update(call.body!).verify(shop.publicKey, call.headers!['sign']!, 'base64')).toBe(
      true,
    );
  });

  test('a pinned method, a service provider and the limit of Pix', async () => {
    const { context, calls } = setUp([ok(order())], { SP_MERCHANT_NO: 'ISV1', MERCHANT_AUTH_TOKEN: 'token' });
    const pix = {
      ...input,
      amount: money(10_000_000_000_001, 'BRL'),
      channelId: 'WALLET:PIX',
      productName: 'x'.repeat(300),
      country: '',
    };
    await payermax.create(context, pix);
    const { body, headers } = calls[0]!.call;
    expect(headers).toMatchObject({ merchant_auth_token: 'token' });
    const sent = JSON.parse(body!);
    expect(sent.spMerchantNo).toBe('ISV1');
    expect(sent.data.paymentDetail).toEqual({ paymentMethodType: 'WALLET', targetOrg: 'PIX' });
    expect([sent.data.subject.length, 'country' in sent.data]).toEqual([43, false]);
    expect(body).toContain('"totalAmount":100000000000.01,');
  });

  test('an amount goes out with the digits it has, and never as a float', async () => {
    const { context, calls } = setUp([ok(order())]);
    await payermax.create(context, { ...input, amount: money(400, 'USD') });
    expect(calls[0]!.call.body).toContain('"totalAmount":4.00,');
  });

  test.each<[string, Reply, string]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a broken connection', new OutboundError('network', true, 'broke'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', { status: 500, text: 'oops' }, 'unknown'],
    ['500 with a refusal', no('PARAMS_INVALID', 500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['no link', ok(order({ redirectUrl: undefined })), 'unknown'],
    ['no token', ok(order({ tradeToken: undefined })), 'unknown'],
    ['no data', ok(undefined), 'unknown'],
    ['a foreign link', ok(order({ redirectUrl: 'https://evil.example/1' })), 'unknown'],
    [
      'a link that only begins like one',
      ok(order({ redirectUrl: 'https://cashier-n.payermax.com.evil.example/' })),
      'unknown',
    ],
    [
      'no signature',
      { status: 200, text: JSON.stringify({ code: 'APPLY_SUCCESS', msg: '', data: order() }) },
      'unknown',
    ],
    ['a signature of a stranger', ok(order(), stranger.privateKey), 'unknown'],
    ['a bad parameter', no('PARAMS_INVALID'), 'refused'],
    ['a wrong signature of ours', no('SIGN_VERIFY_FAILED'), 'refused'],
    ['an amount out of bounds', no('AMOUNT_LIMIT'), 'refused'],
    ['a busy system', no('SYSTEM_ERROR'), 'unknown'],
    ['a timeout behind them', no('REQUEST_TIMEOUT'), 'unknown'],
    ['a code nobody knows', no('ORDER_SOMETHING'), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await payermax.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount PayerMax cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await payermax.create(context, { ...input, amount: money(50, 'IDR') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('http links are for sandboxes only', async () => {
    const hosts = { PAY_HOSTS: '127.0.0.1:4000' };
    const replies = () => [ok(order({ redirectUrl: 'http://127.0.0.1:4000/1' }))];
    expect((await payermax.create(setUp(replies(), hosts).context, input)).kind).toBe('redirect');
    expect((await payermax.create(setUp(replies(), hosts, 'live').context, input)).kind).toBe('unknown');
  });
});

const queried = (status: string, extra = {}) =>
  ok({ outTradeNo: TRADE_NO, tradeToken: 'T1', totalAmount: 4.99, currency: 'USD', status, ...extra });

describe('query and cancel', () => {
  test.each([
    ['SUCCESS', 'paid'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CLOSED', 'expired'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (status, expected) => {
    const { context, calls } = setUp([queried(status)]);
    expect(await payermax.query(context, payment)).toMatchObject({
      status: expected,
      reference: REFERENCE,
      providerRef: 'T1',
      captureRef: 'T1',
      amount: money(499, 'USD'),
      merchantAccount: null,
      reason: expect.stringContaining(status),
    });
    expect([calls[0]!.url, JSON.parse(calls[0]!.call.body!).data]).toEqual([
      `${API}/orderQuery`,
      { outTradeNo: TRADE_NO },
    ]);
  });

  test.each<[string, Reply]>([
    ['an answer of a stranger', ok({ status: 'SUCCESS', totalAmount: 4.99, currency: 'USD' }, stranger.privateKey)],
    ['another refusal', no('SYSTEM_ERROR')],
    ['HTML', { status: 200, text: '<html>' }],
    ['500', { status: 500, text: '' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await payermax.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('an order that is not there is pending', async () => {
    expect((await payermax.query(setUp([no('ORDER_NOT_EXIST')]).context, payment)).status).toBe('pending');
  });

  test.each<[string, object]>([
    ['no amount', { totalAmount: undefined }],
    ['a currency nobody knows', { currency: 'XXX' }],
    ['an amount of another shape', { totalAmount: { USD: 4.99 } }],
  ])('paid with %s cannot be read', async (_name, change) => {
    expect(await payermax.query(setUp([queried('SUCCESS', change)]).context, payment)).toMatchObject({
      status: 'paid_unreadable',
      raw: expect.stringContaining('SUCCESS'),
    });
  });

  test('query throws when PayerMax cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(payermax.query(context, payment)).rejects.toThrow(OutboundError);
  });

  test.each<[string, string, Reply[]]>([
    ['expired', 'a closed order', [ok({ status: 'CLOSED' }), queried('CLOSED')]],
    ['paid', 'an order paid a moment before', [no('ORDER_STATUS_INVALID'), queried('SUCCESS')]],
    ['pending', 'a close that changed nothing', [no('SYSTEM_ERROR'), queried('PENDING')]],
    ['pending', 'a timeout', [new OutboundError('timeout', true, 'late')]],
    ['unknown', 'HTML', [{ status: 502, text: '<html>' }]],
  ])('cancel is %s on %s', async (status, _name, replies) => {
    expect((await payermax.cancel!(setUp(replies).context, payment)).status).toBe(status);
  });
});

describe('refund', () => {
  const refunded = (status: string, extra = {}) => ok({ outRefundNo: 'R', refundTradeNo: 'RT1', status, ...extra });
  const of = (refundAmount: number) => ({ refundAmount, refundCurrency: 'USD' });
  test.each<[string, string, Reply[]]>([
    ['pending', 'a refund under way', [refunded('REFUND_PENDING')]],
    ['done', 'a refund that is through', [refunded('REFUND_SUCCESS')]],
    ['done', 'a refund of what was asked', [refunded('REFUND_SUCCESS', of(4.99))]],
    ['failed', 'a refund of a part', [refunded('REFUND_SUCCESS', of(1.99))]],
    ['failed', 'a number that was used for a part', [no('REFUND_NO_REPEATED'), refunded('REFUND_SUCCESS', of(1.99))]],
    ['failed', 'a refund that failed', [refunded('REFUND_FAILED')]],
    ['unknown', 'a status nobody knows', [refunded('REFUND_MAYBE')]],
    ['done', 'a number that was used, and is through', [no('REFUND_NO_REPEATED'), refunded('REFUND_SUCCESS')]],
    ['failed', 'too little balance', [no('REFUND_INSUFFICIENT_BALANCE'), no('REFUND_NOT_EXIST')]],
    ['unknown', 'a busy system', [no('SYSTEM_ERROR'), no('REFUND_NOT_EXIST')]],
    ['unknown', 'a refusal that could not be looked into', [no('REFUND_NO_REPEATED'), { status: 500, text: '' }]],
    ['unknown', 'a stranger', [ok({ status: 'REFUND_SUCCESS' }, stranger.privateKey)]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [new OutboundError('timeout', true, 'late')]],
  ])('%s on %s', async (status, _name, replies) => {
    expect((await payermax.refund!(setUp(replies).context, payment, `${REFERENCE}-refund`)).status).toBe(status);
  });

  test('names the order and our own number of the refund', async () => {
    const { context, calls } = setUp([refunded('REFUND_PENDING')]);
    const outcome = await payermax.refund!(context, payment, `${REFERENCE}-refund`);
    expect(outcome).toEqual({ status: 'pending', refundProviderRef: 'RT1', reason: 'REFUND_PENDING' });
    expect(calls[0]!.url).toBe(`${API}/refund`);
    expect(JSON.parse(calls[0]!.call.body!).data).toEqual({
      outRefundNo: `${TRADE_NO}_refund`,
      refundAmount: 4.99,
      refundCurrency: 'USD',
      outTradeNo: TRADE_NO,
      comments: 'order',
    });
  });
});

/** The notice of the documentation, with our order. @source docs.payermax.com, notice of a payment */
const notice = {
  code: 'APPLY_SUCCESS',
  msg: '',
  keyVersion: '1',
  appId: 'app1',
  merchantNo: 'SP18440851',
  notifyTime: '2022-01-17T09:33:54.540+00:00',
  notifyType: 'PAYMENT',
  data: {
    outTradeNo: TRADE_NO,
    tradeToken: 'T1',
    totalAmount: 10_000,
    currency: 'IDR',
    country: 'ID',
    status: 'SUCCESS',
    completeTime: '2023-10-20T03:28:23.092Z',
    paymentDetails: [{ paymentMethodType: 'WALLET', targetOrg: 'DANA' }],
    reference: REFERENCE,
  },
};
function raw(body: unknown, key = theirs.privateKey, header?: string): RawCallback {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path: '/callback/payermax',
    topic: '',
    headers: { sign: header ?? sign(text, key) },
    query: {},
    body: Buffer.from(text),
    ip: '127.0.0.1',
  };
}
const read = (callback: RawCallback, extra = {}) => payermax.readCallback(setUp([], extra).context, callback);
const noticeOf = (change: object, data: object = {}) =>
  raw({ ...notice, ...change, data: { ...notice.data, ...data } });

describe('callback', () => {
  test('a success is paid and answered as documented', async () => {
    expect(await read(raw(notice))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'application/json', body: '{"msg":"Success","code":"SUCCESS"}' },
      events: [
        {
          dedupKey: 'PAYMENT:T1:SUCCESS',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'T1',
            captureRef: 'T1',
            amount: money(1_000_000, 'IDR'),
            merchantAccount: 'SP18440851',
            reason: 'SUCCESS',
          },
        },
      ],
    });
  });

  test.each([
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CLOSED', 'expired'],
    ['SOMETHING_NEW', 'unknown'],
  ])('%s is %s, whatever the code says', async (status, expected) => {
    for (const code of ['APPLY_SUCCESS', 'PAYMENT_FAILED'])
      expect(await read(noticeOf({ code }, { status }))).toMatchObject({ events: [{ report: { status: expected } }] });
  });

  test('amounts are told as they are, as numbers or as text', async () => {
    const amounts = [9_999, '10000', '10000.00', 0.5];
    const readings = await Promise.all(amounts.map((totalAmount) => read(noticeOf({}, { totalAmount }))));
    const seen = readings.map((reading) => reading.kind === 'events' && reading.events[0]?.report.amount?.amountMinor);
    expect(seen).toEqual([999_900, 1_000_000, 1_000_000, 50]);
    expect(await read(noticeOf({}, { totalAmount: 4.99, currency: 'USD' }))).toMatchObject({
      events: [{ report: { amount: money(499, 'USD') } }],
    });
    expect(await read(noticeOf({}, { currency: 'XXX' }))).toMatchObject({
      events: [{ report: { status: 'paid_unreadable', amount: null } }],
    });
    expect(await read(noticeOf({}, { totalAmount: { PHP: 4.99 } }))).toMatchObject({
      events: [{ report: { status: 'paid_unreadable', reference: REFERENCE } }],
      answer: { status: 200 },
    });
  });

  test('another merchant or another application is told', async () => {
    expect(await read(noticeOf({ merchantNo: 'SP2' }))).toMatchObject({
      events: [{ report: { merchantAccount: 'SP2' } }],
    });
    expect(await read(noticeOf({ appId: 'app2' }))).toMatchObject({
      events: [{ report: { merchantAccount: 'SP18440851/app2' } }],
    });
    expect(payermax.accountOf({ MERCHANT_NO: 'SP18440851' })).toBe('SP18440851');
  });

  test.each([
    ['REFUND_SUCCESS', 'refunded'],
    ['REFUND_FAILED', 'refund_failed'],
    ['REFUND_PENDING', 'pending'],
  ])('a refund told %s is %s, of its order', async (status, expected) => {
    const data = {
      outRefundNo: `${TRADE_NO}_refund`,
      refundTradeNo: 'RT1',
      outTradeNo: TRADE_NO,
      refundAmount: 4.99,
      refundCurrency: 'USD',
      status,
    };
    expect(await read(raw({ ...notice, appId: undefined, notifyType: 'REFUND', data }))).toMatchObject({
      events: [
        {
          dedupKey: `REFUND:RT1:${status}`,
          report: { status: expected, reference: REFERENCE, amount: money(499, 'USD'), merchantAccount: 'SP18440851' },
        },
      ],
    });
  });

  // The published notice. @source api.json of github.com/payermax-all/payermax-server-sdk,
  // chargeBaclNotifyUrl, its example
  const dispute = (notifyType: string, change: object) =>
    raw({
      ...notice,
      notifyType,
      data: {
        amount: '20000.00', caseId: 'O20230412074414033194005231', caseResult: 'FAIL', currency: 'PHP', expirationDate: '2023-04-12',
        fee: '564.47', outTradeNo: TRADE_NO, originTradeAmount: '20000.00', originTradeCurrency: 'PHP', reasonCode: '4842',
        reasonMessage: 'Late Presentment', status: 'CASE_CLOSED', totalAmount: '20564.47', tradeAmount: '20000.00', tradeCurrency: 'PHP',
        tradeToken: 'T1', ...change,
      } /* a row a line */, // prettier-ignore
    });

  test.each<[string, object, string]>([
    ['CHARGEBACK', {}, 'chargeback'],
    ['DISPUTE', { status: 'DISPUTE_END' }, 'chargeback'],
    ['FRAUD', {}, 'chargeback'],
    ['CUSTOMER COMPLAINT', {}, 'chargeback'],
    ['CHARGEBACK', { caseResult: undefined }, 'paid_unreadable'],
  ])('a lost case of %s with %j is %s, without the fee', async (notifyType, change, status) => {
    expect(await read(dispute(notifyType, change))).toMatchObject({
      kind: 'events',
      events: [{ report: { status, reference: REFERENCE, amount: money(2_000_000, 'PHP') } }],
      answer: { status: 200 },
    });
  });

  test.each([
    ['a part of the payment', { amount: '5000.00' }, money(500_000, 'PHP')],
    ['no word of how much', { amount: undefined }, null],
  ])('a case that froze %s tells that, and not the payment', async (_name, change, amount) => {
    expect(await read(dispute('CHARGEBACK', change))).toMatchObject({ events: [{ report: { amount } }] });
  });

  test('the steps of one case are one loss, another case is another', async () => {
    const keyOf = async (change: object) => {
      const reading = await read(dispute('CHARGEBACK', change));
      return reading.kind === 'events' ? reading.events[0]?.dedupKey : reading.kind;
    };
    expect(await keyOf({ status: 'DISPUTE_END' })).toBe(await keyOf({ status: 'CASE_CLOSED' }));
    expect(await keyOf({ caseId: 'O2' })).not.toBe(await keyOf({}));
  });

  test.each<[string, RawCallback]>([
    ['a case that began', dispute('CHARGEBACK', { status: 'DISPUTE_INQUIRY', caseResult: undefined })],
    ['a case with its papers', dispute('DISPUTE', { status: 'DISPUTE_RECEIVED', caseResult: undefined })],
    ['a case that was won', dispute('DISPUTE', { caseResult: 'WIN' })],
    ['a case that was withdrawn', dispute('DISPUTE', { status: 'CASE_CANCEL', caseResult: undefined })],
    ['a warning of fraud without a case', dispute('FRAUD', { caseId: undefined, status: undefined })],
  ])('%s takes nothing', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'ignored', answer: { status: 200 } });
  });

  test('a refund in a status nobody knows is not understood', async () => {
    expect(await read(noticeOf({ notifyType: 'REFUND' }, { status: 'X' }))).toMatchObject({
      events: [{ report: { status: 'unknown', reference: REFERENCE } }],
    });
  });

  test.each<[string, RawCallback]>([
    ['a type nobody knows', noticeOf({ notifyType: 'SUBSCRIPTION' })],
    ['no data', raw({ ...notice, data: undefined })],
    ['no JSON', raw('hello')],
    ['a list', raw('[]')],
  ])('%s is acknowledged and ignored', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'ignored', answer: { status: 200 } });
  });

  test.each<[string, RawCallback]>([
    ['one rupiah less', { ...raw(notice), body: Buffer.from(JSON.stringify(notice).replace('10000', '9999')) }],
    ['another currency', { ...raw(notice), body: Buffer.from(JSON.stringify(notice).replace('IDR', 'VND')) }],
    ['another order', { ...raw(notice), body: Buffer.from(JSON.stringify(notice).replace('Z_1', 'Z_2')) }],
    [
      'the same, written with a blank',
      { ...raw(notice), body: Buffer.from(JSON.stringify(notice).replace(',', ', ')) },
    ],
    ['no signature', { ...raw(notice), headers: {} }],
    ['an empty signature', raw(notice, theirs.privateKey, '')],
    ['a cut signature', raw(notice, theirs.privateKey, sign(JSON.stringify(notice)).slice(0, -2))],
    ['rubbish', raw(notice, theirs.privateKey, '!!!')],
    ['a stranger', raw(notice, stranger.privateKey)],
    ['our own key', raw(notice, shop.privateKey)],
    ['nothing', { ...raw(''), headers: {} }],
  ])('%s is not believed', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
  });

  test('the old and the new key are both believed while they change; rubbish is none', async () => {
    const both = { PUBLIC_KEY: `${stranger.publicText},${theirs.publicText}` };
    expect((await read(raw(notice, stranger.privateKey), both)).kind).toBe('events');
    expect((await read(raw(notice), both)).kind).toBe('events');
    for (const PUBLIC_KEY of ['', ',', 'bm8ga2V5'])
      expect((await read(raw(notice), { PUBLIC_KEY })).kind).toBe('invalid');
  });

  test('one key and one body give one signature, for PKCS#1 v1.5 has no chance in it', () => {
    expect(sign('{}')).toBe(sign('{}'));
    expect(isSigned('{}', sign('{}'), readPublicKeys(theirs.publicText))).toBe(true);
  });
});

describe('settings', () => {
  test('make the hosts', () => {
    expect(payermax.apiHosts({}, 'demo')).toEqual(['pay-gate-uat.payermax.com']);
    expect(payermax.apiHosts({}, 'live')).toEqual(['pay-gate.payermax.com']);
    expect(payermax.payHosts({}, 'live')).toEqual(['cashier-n.payermax.com']);
    expect(payermax.payHosts({ PAY_HOSTS: 'A.example, b.example:1' }, 'live')).toEqual(['a.example', 'b.example:1']);
    expect(() => payermax.apiHosts({ API_BASE: 'http://gateway.example' }, 'live')).toThrow('https');
  });

  test('a private key that is none is told in one sentence; PEM is taken', async () => {
    await expect(payermax.create(setUp([], { PRIVATE_KEY: 'bm8ga2V5' }).context, input)).rejects.toThrow(
      "PayerMax's PRIVATE_KEY",
    );
    const pem = shop.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect((await payermax.create(setUp([ok(order())], { PRIVATE_KEY: pem }).context, input)).kind).toBe('redirect');
  });
});
