import type { Environment } from '#kernel/environment.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { decimalsOf, readAmount, writeAmount } from './amounts.ts';
import { pingpong } from './provider.ts';
import { isSigned, joined, signFields } from './signature.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const API = 'https://sandbox-acquirer-payment.pingpongx.com';
/** The published sandbox account. @source acquirer-api-docs-v4-en.pingpongx.com, signature */
const ACC_ID = '2018092714313010016291';
const CLIENT_ID = '2018092714313010016';
const SALT = 'F78BC96A55548B2319EE68E0';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { ACC_ID, SALT, ...extra },
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

/** Signed here by hand, so that a mistake of the adapter cannot prove itself. */
function signed(fields: Record<string, string>, salt = SALT, algorithm = 'sha256'): Record<string, string> {
  const text = Object.keys(fields)
    .toSorted()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
  return {
    ...fields,
    sign: createHash(algorithm)
      .update(salt + text)
      .digest('hex')
      .toUpperCase(),
  };
}
const own = { accId: ACC_ID, clientId: CLIENT_ID, signType: 'SHA256' };
function answer(
  code: string,
  content?: object,
  options: { salt?: string; status?: number; extra?: Record<string, string> } = {},
): Reply {
  const fields = {
    ...own,
    code,
    description: 'said',
    ...(content ? { bizContent: JSON.stringify(content) } : {}),
    ...options.extra,
  };
  return { status: options.status ?? 200, text: JSON.stringify(signed(fields, options.salt)) };
}
const no = (code: string, status = 200): Reply => ({ status, text: JSON.stringify({ code, description: 'no' }) });
const link = 'https://sandbox-acquirer-payment-ssr.pingpongx.com/v3/checkout?token=EU:vr_Y';
const made = (extra = {}) => ({
  transactionId: '2023092050004591',
  merchantTransactionId: REFERENCE,
  amount: '4.99',
  currency: 'USD',
  paymentUrl: link,
  ...extra,
});

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 "Embers" <b> & {more}: 5%',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'US',
  locale: 'en-US',
  channelId: '',
  returnUrl: 'https://shop.example/return/pingpong?ref=1',
  cancelUrl: 'https://shop.example/return/pingpong?cancelled=1',
  notifyUrl: 'https://shop.example/callback/pingpong',
  expiresAt: NOW + 3_600_123,
  device: { isMobile: false, os: 'other', userAgent: 'x', ip: '222.126.52.23' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: '2023092050004591',
  captureRef: null,
  approval: null,
  amount: money(499, 'USD'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};

describe('published signatures', () => {
  /** @source acquirer-api-docs-v4-en.pingpongx.com, prePay, request and answer */
  const request = {
    accId: ACC_ID,
    bizContent:
      '{"captureDelayHours":"0","amount":"1000","currency":"USD","merchantTransactionId":"PMT-PR5GFUNZQP1695182276082","payResultUrl":"https://test-acquirerpay.pingpongx.com/qa/result.html","payCancelUrl":"https://test-acquirerpay.pingpongx.com/qa/result.html","shopperIP":"222.126.52.23","customer":{"identificationId":"211","lastName":"LeBronbb","email":"test@pingpongx.com","phone":"9157030054"}}',
    clientId: CLIENT_ID,
    signType: 'SHA256',
    version: '1.0',
  };
  const response = {
    accId: ACC_ID,
    bizContent:
      '{"amount":"1000","paymentUrl":"https://sandbox-acquirer-payment-ssr.pingpongx.com/v3/checkout?token=EU:vr_YVR8u7rn7C1gG97DOg9_-Y66ubtNtoayJ_wiEEzdCnxCHYIk0pXordJYBjq1g","transactionId":"2023092050004591","token":"EU:vr_YVR8u7rn7C1gG97DOg9_-Y66ubtNtoayJ_wiEEzdCnxCHYIk0pXordJYBjq1g","merchantTransactionId":"PMT-PR5GFUNZQP1695182276082","currency":"USD","innerJsUrl":"https://paycdn.pingpongx.com/production/static/sdk/ppPay.min.js?token=EU:vr_YVR8u7rn7C1gG97DOg9_-Y66ubtNtoayJ_wiEEzdCnxCHYIk0pXordJYBjq1g"}',
    clientId: CLIENT_ID,
    code: '000000',
    description: 'Transaction succeeded',
    signType: 'SHA256',
  };

  test('of a request and of its answer are made again', () => {
    expect(signFields(request, SALT, 'SHA256')).toBe(
      '28178F3C0B0AF10343F715211B9C7791AB4CF091EB4580505E053318E8F37B85',
    );
    expect(signFields(response, SALT, 'SHA256')).toBe(
      '337DE4525BECC73D56E262E04CCCC210C7BA70C78D48DA3BB128E4FEC6D01561',
    );
  });

  test('the published answer starts a payment', async () => {
    const text = JSON.stringify({
      ...response,
      sign: '337DE4525BECC73D56E262E04CCCC210C7BA70C78D48DA3BB128E4FEC6D01561',
    });
    const outcome = await pingpong.create(setUp([{ status: 200, text }]).context, input);
    expect(outcome).toMatchObject({ kind: 'redirect', providerRef: '2023092050004591' });
  });

  test('blank fields and the signature itself are left out', () => {
    expect(joined({ b: '2', sign: 'x', a: '1', empty: '', blank: ' ' })).toBe('a=1&b=2');
  });
});

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['USD', 499, '4.99'],
    ['EUR', 1, '0.01'],
    ['TWD', 15_050, '150.50'],
    ['IDR', 1_000_050, '10000.50'],
    ['JPY', 120, '120'],
    ['KRW', 5900, '5900'],
    ['VND', 24_000, '24000'],
    ['EUR', 99_999_999_999, '999999999.99'],
    ['EUR', 100_000_000_000, null],
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
    ...[
      'BIF',
      'CLP',
      'DJF',
      'GNF',
      'ISK',
      'JPY',
      'KMF',
      'KRW',
      'PYG',
      'RWF',
      'UGX',
      'UYI',
      'VND',
      'VUV',
      'XAF',
      'XOF',
      'XPF',
    ].map((one) => [one, 0] as const),
    ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((one) => [one, 3] as const),
    ...['USD', 'IDR', 'TWD', 'COP', 'HUF'].map((one) => [one, 2] as const),
  ])('%s has %i decimals at PingPong', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  test('padded answers are the same amount; rubbish is none', () => {
    expect(readAmount('100.000000', 'USD')).toEqual(money(10_000, 'USD'));
    expect(readAmount('120.000000', 'JPY')).toEqual(money(120, 'JPY'));
    for (const text of ['4.991', '-4.99', '1e3', '', '9999999999999999']) expect(readAmount(text, 'USD')).toBeNull();
  });
});

describe('create', () => {
  test('sends the very text that was signed, and the end of the order', async () => {
    const { context, calls } = setUp([answer('001000', made())]);
    expect(await pingpong.create(context, input)).toEqual({
      kind: 'redirect',
      url: link,
      providerRef: '2023092050004591',
    });
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/v4/payment/prePay`]);
    const { sign, ...fields } = JSON.parse(call.body!) as Record<string, string>;
    expect({ ...fields, bizContent: '' }).toEqual({ ...own, version: '1.0', bizContent: '' });
    expect(sign).toBe(signed(fields)['sign']);
    expect(JSON.parse(fields['bizContent']!)).toEqual({
      captureDelayHours: '0',
      amount: '4.99',
      currency: 'USD',
      merchantTransactionId: REFERENCE,
      payResultUrl: input.returnUrl,
      payCancelUrl: input.cancelUrl,
      notificationUrl: input.notifyUrl,
      shopperIP: '222.126.52.23',
      timeExpire: '1767326645',
      language: 'en',
      tradeCountry: 'US',
      merchantUserId: 'player-1',
      remark: '60 Embers b more 5',
    });
  });

  test('MD5, another merchant number, a pinned method and no address of the payer', async () => {
    const settings = { SIGN_TYPE: 'MD5', CLIENT_ID: '77' };
    const content = { ...own, signType: 'MD5', code: '001000', bizContent: JSON.stringify(made()) };
    const { context, calls } = setUp([{ status: 200, text: JSON.stringify(signed(content, SALT, 'md5')) }], settings);
    const outcome = await pingpong.create(context, {
      ...input,
      channelId: 'VISA',
      country: '',
      device: { ...input.device, ip: '' },
    });
    expect(outcome.kind).toBe('redirect');
    const { sign, ...fields } = JSON.parse(calls[0]!.call.body!) as Record<string, string>;
    expect([fields['clientId'], fields['signType']]).toEqual(['77', 'MD5']);
    expect(sign).toBe(signed(fields, SALT, 'md5')['sign']);
    const sent = JSON.parse(fields['bizContent']!);
    expect([sent.paymentMethods, sent.shopperIP, 'tradeCountry' in sent]).toEqual([['VISA'], '0.0.0.0', false]);
  });

  test('the same order is the same request', async () => {
    const { context, calls } = setUp([answer('001000', made()), answer('001000', made())]);
    await pingpong.create(context, input);
    await pingpong.create({ ...context, now: () => NOW + 5000 }, input);
    expect(calls[1]!.call.body).toBe(calls[0]!.call.body);
  });

  test.each<[string, Reply, string]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a broken connection', new OutboundError('network', true, 'broke'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', { status: 500, text: 'oops' }, 'unknown'],
    ['500 with a refusal', no('102000', 500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['no link', answer('001000', made({ paymentUrl: undefined })), 'unknown'],
    ['no id', answer('001000', made({ transactionId: undefined })), 'unknown'],
    ['no content', answer('001000'), 'unknown'],
    ['a foreign link', answer('001000', made({ paymentUrl: 'https://evil.example/1' })), 'unknown'],
    [
      'a link that only begins like one',
      answer('001000', made({ paymentUrl: `${link.split('/v3')[0]}.evil.example/` })),
      'unknown',
    ],
    ['another salt', answer('001000', made(), { salt: 'x' }), 'unknown'],
    ['another shop', answer('001000', made(), { extra: { accId: '1' } }), 'unknown'],
    [
      'no signature',
      { status: 200, text: JSON.stringify({ ...own, code: '001000', bizContent: JSON.stringify(made()) }) },
      'unknown',
    ],
    ['a bad parameter', no('102000'), 'refused'],
    ['a wrong shop', no('103000'), 'refused'],
    ['a wrong signature of ours', no('104000'), 'refused'],
    ['a currency', no('106000'), 'refused'],
    ['a duplicate', no('107000'), 'unknown'],
    ['a gateway', no('500001'), 'unknown'],
    ['a code nobody knows', no('999999'), 'unknown'],
    ['no code', { status: 200, text: '{}' }, 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await pingpong.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount PingPong cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await pingpong.create(context, { ...input, amount: money(100, 'RUB') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('http links are for sandboxes only', async () => {
    const hosts = { PAY_HOSTS: '127.0.0.1:4000' };
    const replies = () => [answer('001000', made({ paymentUrl: 'http://127.0.0.1:4000/1' }))];
    expect((await pingpong.create(setUp(replies(), hosts).context, input)).kind).toBe('redirect');
    expect((await pingpong.create(setUp(replies(), hosts, 'live').context, input)).kind).toBe('unknown');
  });
});

const found = (status: string, extra = {}) =>
  answer('000000', {
    merchantTransactionId: REFERENCE,
    transactionId: 'T1',
    amount: '4.990000',
    currency: 'USD',
    status,
    ...extra,
  });

describe('query', () => {
  test.each([
    ['INIT', 'pending'],
    ['PROCESSING', 'pending'],
    ['AUTH_SUCCESS', 'pending'],
    ['SUCCESS', 'paid'],
    ['FAILED', 'declined'],
    ['CLOSED', 'expired'],
    ['CANCEL', 'failed'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (status, expected) => {
    const { context, calls } = setUp([found(status)]);
    expect(await pingpong.query(context, payment)).toMatchObject({
      status: expected,
      reference: REFERENCE,
      providerRef: 'T1',
      captureRef: 'T1',
      amount: money(499, 'USD'),
      merchantAccount: null,
      reason: expect.stringContaining(status),
    });
    expect(calls[0]!.url).toBe(`${API}/v4/payment/query`);
    expect(JSON.parse(JSON.parse(calls[0]!.call.body!).bizContent)).toEqual({ merchantTransactionId: REFERENCE });
  });

  test.each<[string, Reply]>([
    ['another salt', answer('000000', { status: 'SUCCESS', amount: '4.99', currency: 'USD' }, { salt: 'x' })],
    ['another refusal', no('500000')],
    ['HTML', { status: 200, text: '<html>' }],
    ['500', { status: 500, text: '' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await pingpong.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('an order that is not there is pending', async () => {
    expect((await pingpong.query(setUp([no('107001')]).context, payment)).status).toBe('pending');
  });

  test.each<[string, object]>([
    ['no amount', { amount: undefined }],
    ['a currency nobody knows', { currency: 'XXX' }],
    ['an amount of another shape', { amount: { USD: 4.99 } }],
  ])('paid with %s cannot be read', async (_name, change) => {
    expect(await pingpong.query(setUp([found('SUCCESS', change)]).context, payment)).toMatchObject({
      status: 'paid_unreadable',
      raw: expect.stringContaining('SUCCESS'),
    });
  });

  test('query throws when PingPong cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(pingpong.query(context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('refund', () => {
  const refunded = (status: string, extra = {}) =>
    answer('002000', { merchantRefundId: 'RF-1', refundId: 'R1', status, ...extra });
  test.each<[string, string, Reply[]]>([
    ['pending', 'a refund under way', [refunded('PROCESSING')]],
    ['done', 'a refund that is through', [refunded('SUCCESS')]],
    ['done', 'a refund of what was asked', [refunded('SUCCESS', { amount: '4.99', currency: 'USD' })]],
    ['failed', 'a refund of a part', [refunded('SUCCESS', { amount: '1.99', currency: 'USD' })]],
    ['failed', 'a refund that failed', [refunded('FAILED')]],
    ['unknown', 'a status nobody knows', [refunded('MAYBE')]],
    ['done', 'a number that was used, and is through', [no('107000'), refunded('SUCCESS')]],
    ['failed', 'a refusal', [no('108001'), no('107002')]],
    ['unknown', 'a gateway', [no('500000'), no('107002')]],
    ['unknown', 'a refusal that could not be looked into', [no('108001'), { status: 500, text: '' }]],
    ['unknown', 'another salt', [answer('000000', { status: 'SUCCESS' }, { salt: 'x' })]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [new OutboundError('timeout', true, 'late')]],
  ])('%s on %s', async (status, _name, replies) => {
    expect((await pingpong.refund!(setUp(replies).context, payment, 'RF-1')).status).toBe(status);
  });

  test('names the order and our own number of the refund', async () => {
    const { context, calls } = setUp([refunded('PROCESSING')]);
    expect(await pingpong.refund!(context, payment, 'RF-1')).toEqual({
      status: 'pending',
      refundProviderRef: 'R1',
      reason: 'PROCESSING',
    });
    expect(calls[0]!.url).toBe(`${API}/v4/payment/refund`);
    expect(JSON.parse(JSON.parse(calls[0]!.call.body!).bizContent)).toEqual({
      merchantTransactionId: REFERENCE,
      merchantRefundId: 'RF-1',
      amount: '4.99',
      currency: 'USD',
    });
  });
});

const notice = {
  notifyType: 'RECHARGE',
  merchantTransactionId: REFERENCE,
  transactionId: 'T1',
  requestId: 'Q1',
  amount: '4.99',
  currency: 'USD',
  status: 'SUCCESS',
  transactionTime: '1767323045000',
  paymentMethod: { type: 'VISA' },
};
function raw(
  content: object | string,
  options: { salt?: string; fields?: Record<string, string>; spoil?: Record<string, string>; ip?: string } = {},
): RawCallback {
  const bizContent = typeof content === 'string' ? content : JSON.stringify(content);
  const message = {
    ...signed({ ...own, version: '1.0', bizContent, ...options.fields }, options.salt),
    ...options.spoil,
  };
  return {
    method: 'POST',
    path: '/callback/pingpong',
    topic: '',
    headers: {},
    query: {},
    body: Buffer.from(JSON.stringify(message)),
    ip: options.ip ?? '127.0.0.1',
  };
}
const read = (callback: RawCallback, extra = {}) => pingpong.readCallback(setUp([], extra).context, callback);

describe('callback', () => {
  test('a success is paid and answered OK', async () => {
    expect(await read(raw(notice))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'OK' },
      events: [
        {
          dedupKey: 'RECHARGE:T1:SUCCESS',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'T1',
            captureRef: 'T1',
            amount: money(499, 'USD'),
            merchantAccount: ACC_ID,
            reason: 'SUCCESS',
          },
        },
      ],
    });
  });

  test.each([
    ['FAILED', 'declined'],
    ['AUTH_SUCCESS', 'pending'],
    ['CLOSED', 'expired'],
    ['toString', 'unknown'],
  ])('%s is %s', async (status, expected) => {
    expect(await read(raw({ ...notice, status }))).toMatchObject({
      events: [{ dedupKey: `RECHARGE:T1:${status}`, report: { status: expected } }],
    });
  });

  test.each([
    ['SUCCESS', 'refunded'],
    ['FAILED', 'refund_failed'],
    ['PROCESSING', 'pending'],
    ['valueOf', 'unknown'],
  ])('a refund told %s is %s, of its order', async (status, expected) => {
    const refund = { ...notice, notifyType: 'REFUND', merchantRefundId: 'RF-1', refundId: 'R1', status };
    expect(await read(raw(refund))).toMatchObject({
      events: [
        {
          dedupKey: `REFUND:R1:${status}`,
          report: { status: expected, reference: REFERENCE, amount: money(499, 'USD') },
        },
      ],
    });
  });

  test('a second payment of one order has a key of its own', async () => {
    expect(await read(raw({ ...notice, transactionId: 'T2' }))).toMatchObject({
      events: [{ dedupKey: 'RECHARGE:T2:SUCCESS', report: { captureRef: 'T2' } }],
    });
  });

  test('amounts, currencies and shops are told as they are', async () => {
    expect(await read(raw({ ...notice, amount: '4.98' }))).toMatchObject({
      events: [{ report: { amount: money(498, 'USD') } }],
    });
    expect(await read(raw({ ...notice, currency: 'EUR' }))).toMatchObject({
      events: [{ report: { amount: money(499, 'EUR') } }],
    });
    expect(await read(raw({ ...notice, currency: 'XXX' }))).toMatchObject({
      events: [{ report: { status: 'paid_unreadable', amount: null } }],
    });
    expect(await read(raw({ ...notice, amount: { USD: 4.99 } }))).toMatchObject({
      events: [{ report: { status: 'paid_unreadable', reference: REFERENCE } }],
    });
    expect(await read(raw(notice, { fields: { accId: '2018092714313010016999' } }))).toMatchObject({
      events: [{ report: { merchantAccount: '2018092714313010016999' } }],
    });
    expect(pingpong.accountOf({ ACC_ID })).toBe(ACC_ID);
  });

  test('fields nobody knows are signed like the others', async () => {
    expect((await read(raw(notice, { fields: { code: '000000', description: 'x', zone: 'EU' } }))).kind).toBe('events');
    expect((await read(raw(notice, { spoil: { zone: 'EU' } }))).kind).toBe('invalid');
  });

  test.each<[string, RawCallback]>([
    ['a type nobody knows', raw({ ...notice, notifyType: 'TOKEN' })],
    ['no order', raw({ ...notice, merchantTransactionId: undefined })],
    ['no JSON inside', raw('hello')],
  ])('%s is acknowledged and ignored', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'ignored', answer: { status: 200, body: 'OK' } });
  });

  const body = (text: string): RawCallback => ({ ...raw(notice), body: Buffer.from(text) });
  test.each<[string, RawCallback]>([
    ['one cent less', raw(notice, { spoil: { bizContent: JSON.stringify({ ...notice, amount: '4.98' }) } })],
    [
      'another order',
      raw(notice, { spoil: { bizContent: JSON.stringify({ ...notice, merchantTransactionId: 'x' }) } }),
    ],
    ['another shop', raw(notice, { spoil: { accId: '2018092714313010016999' } })],
    ['another salt', raw(notice, { salt: 'x' })],
    ['no signature', raw(notice, { spoil: { sign: '' } })],
    ['a cut signature', raw(notice, { spoil: { sign: 'ABCD' } })],
    ['another kind of signature', raw(notice, { fields: { signType: 'MD5' } })],
    ['fields hidden in a number', raw(notice, { fields: { accId: `${ACC_ID}&bizContent={}` } })],
    ['no JSON', body('hello')],
    ['a list', body('[]')],
    ['nothing', body('')],
    ['content that is no text', body(JSON.stringify({ ...own, bizContent: notice, sign: 'X' }))],
  ])('%s is not believed', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'invalid', answer: { status: 401, body: 'FAIL' } });
  });

  test('without a salt nobody can sign', async () => {
    expect((await read(raw(notice, { salt: '' }), { SALT: '' })).kind).toBe('invalid');
    expect(isSigned(signed({ ...own }, ''), undefined, 'SHA256')).toBe(false);
  });

  test('where addresses are set, only they count', async () => {
    const SOURCE_IPS = '3.125.243.2, 3.126.196.22';
    expect((await read(raw(notice, { ip: '3.126.196.22' }), { SOURCE_IPS })).kind).toBe('events');
    expect((await read(raw(notice, { ip: '52.76.198.228' }), { SOURCE_IPS })).kind).toBe('invalid');
  });
});

test('settings make the hosts; a kind of signature nobody knows never starts', () => {
  expect(pingpong.apiHosts({}, 'demo')).toEqual(['sandbox-acquirer-payment.pingpongx.com']);
  expect(pingpong.apiHosts({}, 'live')).toEqual(['acquirer-payment.pingpongx.com']);
  expect(pingpong.payHosts({}, 'demo')).toEqual(['sandbox-acquirer-payment-ssr.pingpongx.com']);
  expect(pingpong.payHosts({ PAY_HOSTS: 'A.example, b.example:1' }, 'live')).toEqual(['a.example', 'b.example:1']);
  expect(() => pingpong.apiHosts({ API_BASE: 'http://api.example' }, 'live')).toThrow('https');
  expect(() => pingpong.apiHosts({ SIGN_TYPE: 'HMAC' }, 'demo')).toThrow('SHA256 or MD5');
});
