import { createSign, createVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { RawCallback } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { decimalsOf, readAmount, writeAmount } from './amounts.ts';
import { alipaySide, input, NOW, payment, REFERENCE, type Reply, setUp, shop, stranger } from './fake-outside.ts';
import { alipay } from './provider.ts';

const API = 'https://open-sea-global.alipay.com/ams/sandbox/api/v1/payments';
const PATH = '/ams/sandbox/api/v1/payments';

/** Signed here by hand, so that a mistake of the adapter cannot prove itself. */
function header(text: string, key = alipaySide.privateKey): string {
  const signature = createSign('RSA-SHA256').update(text).sign(key, 'base64');
  return `algorithm=RSA256,keyVersion=1,signature=${encodeURIComponent(signature)}`;
}
function answer(
  verb: string,
  body: unknown,
  options: { status?: number; key?: typeof alipaySide.privateKey } = {},
): Reply {
  const text = JSON.stringify(body);
  const time = '2026-01-02T03:04:06+00:00';
  const signed = `POST ${PATH}/${verb}\nSANDBOX_5Y.${time}.${text}`;
  return {
    status: options.status ?? 200,
    text,
    headers: { 'client-id': 'SANDBOX_5Y', 'response-time': time, signature: header(signed, options.key) },
  };
}
const S = { resultStatus: 'S', resultCode: 'SUCCESS', resultMessage: 'success' };
const U = { resultStatus: 'U', resultCode: 'PAYMENT_IN_PROCESS', resultMessage: 'in process' };
const F = (resultCode: string) => ({ resultStatus: 'F', resultCode, resultMessage: 'no' });
const link = 'https://global.alipay.com/281002040093';
const created = (extra = {}) =>
  answer('pay', { result: U, paymentId: 'P1', paymentRequestId: REFERENCE, normalUrl: link, ...extra });

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['USD', 499, '499'],
    ['EUR', 1, '1'],
    ['CNY', 1_000_000, '1000000'],
    ['HKD', 3800, '3800'],
    ['MYR', 2190, '2190'],
    ['JPY', 120, '120'],
    ['KRW', 5900, '5900'],
    ['VND', 24_000, '24000'],
    ['IDR', 1_000_000, null],
    ['TWD', 15_000, null],
    ['RUB', 100, null],
    ['MMK', 100, null],
    ['USD', 0, null],
    ['USD', -499, null],
  ])('%s %i is written %s', (currency, amountMinor, value) => {
    const written = writeAmount(money(amountMinor, currency));
    expect(written).toEqual(value === null ? null : { currency, value });
    expect(readAmount(written?.value, currency)).toEqual(written && money(amountMinor, currency));
  });

  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['VND', 0],
    ['USD', 2],
    ['CNY', 2],
  ])('%s has %i decimals', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  test.each([['4.99'], ['-499'], ['1e3'], [''], ['9999999999999999']])('%j is no amount', (value) => {
    expect(readAmount(value, 'USD')).toBeNull();
  });
});

describe('create', () => {
  test('sends text only, signed over path, client, time and the very bytes', async () => {
    const { context, calls } = setUp([created()]);
    expect(await alipay.create(context, input)).toEqual({ kind: 'redirect', url: link, providerRef: 'P1' });
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/pay`]);
    expect(JSON.parse(call.body!)).toEqual({
      productCode: 'CASHIER_PAYMENT',
      paymentRequestId: REFERENCE,
      paymentAmount: { currency: 'CNY', value: '499' },
      order: {
        referenceOrderId: REFERENCE,
        orderDescription: '60 Embers & more',
        orderAmount: { currency: 'CNY', value: '499' },
        buyer: { referenceBuyerId: 'player-1' },
      },
      paymentMethod: { paymentMethodType: 'ALIPAY_CN' },
      paymentRedirectUrl: input.returnUrl,
      paymentNotifyUrl: input.notifyUrl,
      paymentExpiryTime: '2026-01-02T04:04:05Z',
      env: { terminalType: 'WEB', clientIp: '203.0.113.7', userAgent: 'Mozilla/5.0' },
      userRegion: 'CN',
    });
    const { 'client-id': clientId, 'request-time': time, signature = '' } = call.headers!;
    expect([clientId, time]).toEqual(['SANDBOX_5Y', String(NOW)]);
    const given = decodeURIComponent(signature.slice('algorithm=RSA256,keyVersion=1,signature='.length));
    const text = `POST ${PATH}/pay\nSANDBOX_5Y.${NOW}.${call.body}`;
    expect(createVerify('RSA-SHA256').update(text).verify(shop.publicKey, given, 'base64')).toBe(true);
  });

  test('a phone is told as one, with what the contract adds', async () => {
    const { context, calls } = setUp([created()], {
      SETTLEMENT_CURRENCY: 'USD',
      MERCHANT_REGION: 'SG',
      KEY_VERSION: '3',
    });
    const device = { isMobile: true, os: 'ios', userAgent: '', ip: '' } as const;
    await alipay.create(context, { ...input, channelId: 'ALIPAY_HK', country: '', device });
    const body = JSON.parse(calls[0]!.call.body!);
    expect(body).toMatchObject({
      paymentMethod: { paymentMethodType: 'ALIPAY_HK' },
      settlementStrategy: { settlementCurrency: 'USD' },
      merchantRegion: 'SG',
    });
    expect(body.env).toEqual({ terminalType: 'WAP', osType: 'IOS' });
    expect(body).not.toHaveProperty('userRegion');
    expect(calls[0]!.call.headers!['signature']).toContain('keyVersion=3,');
  });

  test('a card goes by a session with a hosted page, never by raw card data', async () => {
    const page = 'https://checkout.antom.com/checkout-page/pages/payment/index.html?s=1';
    const reply = answer('createPaymentSession', {
      result: S,
      paymentSessionId: 'X',
      paymentSessionData: 'Y',
      normalUrl: page,
    });
    const { context, calls } = setUp([reply]);
    const outcome = await alipay.create(context, { ...input, channelId: 'CARD' });
    expect(outcome).toEqual({ kind: 'redirect', url: page, providerRef: REFERENCE });
    expect(calls[0]!.url).toBe(`${API}/createPaymentSession`);
    expect(JSON.parse(calls[0]!.call.body!)).toMatchObject({
      productCode: 'CASHIER_PAYMENT',
      productScene: 'CHECKOUT_PAYMENT',
      paymentFactor: { captureMode: 'AUTOMATIC' },
      paymentMethod: { paymentMethodType: 'CARD' },
    });
  });

  test.each<[string, Reply, string]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a broken connection', new OutboundError('network', true, 'broke'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', { status: 500, text: 'oops' }, 'unknown'],
    ['500 with a refusal', answer('pay', { result: F('INVALID_API') }, { status: 500 }), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['no link', created({ normalUrl: undefined }), 'unknown'],
    [
      'a link of the form',
      created({ normalUrl: undefined, redirectActionForm: { method: 'GET', redirectUrl: link } }),
      'redirect',
    ],
    [
      'a form to post',
      created({ normalUrl: undefined, redirectActionForm: { method: 'POST', redirectUrl: link } }),
      'unknown',
    ],
    ['a foreign link', created({ normalUrl: 'https://evil.example/1' }), 'unknown'],
    ['a link that only begins like one', created({ normalUrl: 'https://global.alipay.com.evil.example/' }), 'unknown'],
    ['a link with a name in front', created({ normalUrl: 'https://x@global.alipay.com/' }), 'unknown'],
    [
      'an answer without a signature',
      { status: 200, text: JSON.stringify({ result: U, paymentId: 'P1', normalUrl: link }) },
      'redirect',
    ],
    [
      'an answer signed by a stranger',
      answer('pay', { result: U, paymentId: 'P1', normalUrl: link }, { key: stranger.privateKey }),
      'unknown',
    ],
    ['an answer to another call', answer('refund', { result: U, paymentId: 'P1', normalUrl: link }), 'unknown'],
    ['a bad parameter', answer('pay', { result: F('PARAM_ILLEGAL') }), 'refused'],
    ['a wrong signature', answer('pay', { result: F('INVALID_SIGNATURE') }), 'refused'],
    ['another order of this number', answer('pay', { result: F('REPEAT_REQ_INCONSISTENT') }), 'unknown'],
    ['an order that is closed', answer('pay', { result: F('ORDER_IS_CLOSED') }), 'unknown'],
    ['a status nobody knows', answer('pay', { result: { resultStatus: 'Q' } }), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await alipay.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount Antom cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await alipay.create(context, { ...input, amount: money(1000, 'IDR') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('http links are for sandboxes only', async () => {
    const hosts = { PAY_HOSTS: '127.0.0.1:4000' };
    const reply = () => [
      { status: 200, text: JSON.stringify({ result: U, paymentId: 'P1', normalUrl: 'http://127.0.0.1:4000/1' }) },
    ];
    expect((await alipay.create(setUp(reply(), hosts).context, input)).kind).toBe('redirect');
    expect((await alipay.create(setUp(reply(), hosts, 'live').context, input)).kind).toBe('unknown');
  });

  test('the live side has a path of its own', async () => {
    const { context, calls } = setUp([new OutboundError('timeout', true, 'late')], {}, 'live');
    await alipay.create(context, input);
    expect(calls[0]!.url).toBe('https://open-sea-global.alipay.com/ams/api/v1/payments/pay');
  });
});

const inquiry = (paymentStatus: string, extra = {}) =>
  answer('inquiryPayment', {
    result: S,
    paymentStatus,
    paymentRequestId: REFERENCE,
    paymentId: 'P1',
    paymentAmount: { currency: 'CNY', value: '499' },
    ...extra,
  });

describe('query and cancel', () => {
  test.each([
    ['SUCCESS', '', 'paid'],
    ['FAIL', '', 'failed'],
    ['FAIL', 'CARD', 'declined'],
    ['CANCELLED', '', 'failed'],
    ['PROCESSING', '', 'pending'],
    ['PENDING', '', 'pending'],
    ['SOMETHING_NEW', '', 'unknown'],
    ['constructor', '', 'unknown'],
  ])('%s by channel %j is %s', async (paymentStatus, channelId, status) => {
    const { context, calls } = setUp([inquiry(paymentStatus)]);
    expect(await alipay.query(context, { ...payment, channelId })).toMatchObject({
      status,
      reference: REFERENCE,
      providerRef: 'P1',
      captureRef: 'P1',
      amount: money(499, 'CNY'),
      merchantAccount: null,
      reason: expect.stringContaining(paymentStatus),
    });
    expect(calls[0]!.call.body).toBe(`{"paymentRequestId":"${REFERENCE}"}`);
  });

  test.each<[string, Reply]>([
    ['another refusal', answer('inquiryPayment', { result: F('PARAM_ILLEGAL') })],
    [
      'an answer signed by a stranger',
      answer('inquiryPayment', { result: S, paymentStatus: 'SUCCESS' }, { key: stranger.privateKey }),
    ],
    ['HTML', { status: 200, text: '<html>' }],
    ['500', { status: 500, text: '' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await alipay.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('an order that is not there yet is pending', async () => {
    const { context } = setUp([answer('inquiryPayment', { result: F('ORDER_NOT_EXIST') })]);
    expect((await alipay.query(context, payment)).status).toBe('pending');
  });

  test.each([
    ['no amount', undefined],
    ['a currency nobody knows', { currency: 'XXX', value: '499' }],
    ['an amount of another shape', ['499']],
  ])('paid with %s cannot be read, and is not cancelled', async (_name, paymentAmount) => {
    const { context, calls } = setUp([inquiry('SUCCESS', { paymentAmount }), inquiry('SUCCESS', { paymentAmount })]);
    expect(await alipay.query(context, payment)).toMatchObject({
      status: 'paid_unreadable',
      raw: expect.stringContaining('SUCCESS'),
    });
    expect((await alipay.cancel!(context, payment)).status).toBe('paid_unreadable');
    expect(calls.map(({ url }) => url)).toEqual([`${API}/inquiryPayment`, `${API}/inquiryPayment`]);
  });

  test('query throws when Antom cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(alipay.query(context, payment)).rejects.toThrow(OutboundError);
  });

  test('cancel asks first, for it would give a payment back', async () => {
    const { context, calls } = setUp([inquiry('SUCCESS')]);
    expect((await alipay.cancel!(context, payment)).status).toBe('paid');
    expect(calls.map(({ url }) => url)).toEqual([`${API}/inquiryPayment`]);
    const open = setUp([inquiry('PROCESSING'), answer('cancel', { result: S })]);
    expect((await alipay.cancel!(open.context, payment)).status).toBe('failed');
    expect(open.calls[1]!.url).toBe(`${API}/cancel`);
  });

  test.each<[string, Reply[]]>([
    ['a refusal', [inquiry('PROCESSING'), answer('cancel', { result: F('ORDER_NOT_EXIST') })]],
    ['a timeout', [inquiry('PROCESSING'), new OutboundError('timeout', true, 'late')]],
    ['silence from the start', [new OutboundError('timeout', true, 'late')]],
  ])('cancel is pending on %s', async (_name, replies) => {
    expect((await alipay.cancel!(setUp(replies).context, payment)).status).toBe('pending');
  });

  test('a cancel whose answer is not understood may have been carried out', async () => {
    const { context } = setUp([inquiry('PROCESSING'), { status: 502, text: '<html>' }]);
    expect((await alipay.cancel!(context, payment)).status).toBe('unknown');
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: 'P1' };
  test.each<[string, string, Reply]>([
    ['done', 'S', answer('refund', { result: S, refundId: 'R1' })],
    ['done', 'S of what was asked', answer('refund', { result: S, refundAmount: { value: '499', currency: 'CNY' } })],
    ['failed', 'S of a part', answer('refund', { result: S, refundAmount: { value: '199', currency: 'CNY' } })],
    ['pending', 'U', answer('refund', { result: { ...U, resultCode: 'REFUND_IN_PROCESS' }, refundId: 'R1' })],
    ['failed', 'F', answer('refund', { result: F('REFUND_WINDOW_EXCEED') })],
    ['unknown', 'a status nobody knows', answer('refund', { result: { resultStatus: 'Q' } })],
    ['unknown', 'a word of the language', answer('refund', { result: { resultStatus: 'constructor' } })],
    ['unknown', 'an answer signed by a stranger', answer('refund', { result: S }, { key: stranger.privateKey })],
    ['unknown', '500', { status: 500, text: 'oops' }],
    ['unknown', 'a timeout', new OutboundError('timeout', true, 'late')],
  ])('%s on %s', async (status, _name, reply) => {
    expect((await alipay.refund!(setUp([reply]).context, paid, 'RF-1')).status).toBe(status);
  });

  test('names the payment, our own number of the refund, and the order for its notice', async () => {
    const { context, calls } = setUp([
      answer('refund', { result: S, refundId: 'R1' }),
      answer('refund', { result: S, refundId: 'R1' }),
    ]);
    expect(await alipay.refund!(context, paid, 'RF-1')).toEqual({
      status: 'done',
      refundProviderRef: 'R1',
      reason: 'SUCCESS success',
    });
    await alipay.refund!(context, paid, 'RF-1');
    expect(JSON.parse(calls[0]!.call.body!)).toEqual({
      refundRequestId: 'RF-1',
      paymentId: 'P1',
      refundAmount: { currency: 'CNY', value: '499' },
      metadata: `{"reference":"${REFERENCE}"}`,
    });
    expect(calls[1]!.call.body).toBe(calls[0]!.call.body);
  });

  test('a payment whose id never came cannot be refunded yet', async () => {
    expect((await alipay.refund!(setUp([]).context, payment, 'RF-1')).status).toBe('unknown');
  });
});

const notice = {
  notifyType: 'PAYMENT_RESULT',
  result: S,
  paymentRequestId: REFERENCE,
  paymentId: 'P1',
  paymentAmount: { currency: 'CNY', value: '499' },
  paymentMethodType: 'ALIPAY_CN',
};

function raw(
  body: unknown,
  options: { key?: typeof shop.privateKey; path?: string; client?: string } = {},
): RawCallback {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { key = alipaySide.privateKey, path = '/callback/alipay', client = 'SANDBOX_5Y' } = options;
  const time = '2026-01-02T03:04:05+00:00';
  const signature = header(`POST ${path}\n${client}.${time}.${text}`, key);
  return {
    method: 'POST',
    path: '/callback/alipay',
    topic: '',
    headers: { 'client-id': client, 'request-time': time, signature },
    query: {},
    body: Buffer.from(text),
    ip: '127.0.0.1',
  };
}
const read = (callback: RawCallback, extra = {}) => alipay.readCallback(setUp([], extra).context, callback);

describe('callback', () => {
  test('a result with S is paid and answered as documented', async () => {
    expect(await read(raw(notice))).toEqual({
      kind: 'events',
      answer: {
        status: 200,
        contentType: 'application/json',
        body: '{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}',
      },
      events: [
        {
          dedupKey: 'PAYMENT_RESULT:P1:S',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'P1',
            captureRef: 'P1',
            amount: money(499, 'CNY'),
            merchantAccount: 'SANDBOX_5Y',
            reason: 'PAYMENT_RESULT SUCCESS success',
          },
        },
      ],
    });
  });

  test.each<[string, object, string]>([
    ['a refused wallet', { result: F('USER_BALANCE_NOT_ENOUGH') }, 'failed'],
    ['a refused card', { result: F('RISK_REJECT'), paymentMethodType: 'CARD' }, 'declined'],
    ['a payment on its way', { notifyType: 'PAYMENT_PENDING' }, 'pending'],
    ['a result with a status nobody knows', { result: { resultStatus: 'Q' } }, 'unknown'],
    ['a result without a result', { result: undefined }, 'unknown'],
    ['a payment without an amount', { paymentAmount: undefined }, 'paid_unreadable'],
    ['a payment of another shape', { paymentAmount: 499 }, 'paid_unreadable'],
    [
      'a refund in a status nobody knows',
      { notifyType: 'REFUND_RESULT', refundStatus: 'valueOf', metadata: `{"reference":"${REFERENCE}"}` },
      'unknown',
    ],
    ['a capture that failed', { notifyType: 'CAPTURE_RESULT', result: F('X'), captureId: 'C1' }, 'chargeback'],
    [
      'a lost dispute',
      {
        notifyType: undefined,
        result: undefined,
        disputeNotificationType: 'DISPUTE_JUDGED',
        disputeJudgedResult: 'ACCEPT_BY_MERCHANT',
        disputeId: 'D1',
      },
      'chargeback',
    ],
  ])('%s is %s', async (_name, change, status) => {
    expect(await read(raw({ ...notice, ...change }))).toMatchObject({
      kind: 'events',
      events: [{ report: { status, reference: REFERENCE } }],
    });
  });

  test.each<[string, object, string]>([
    ['MERCHANT_ACCEPTED', { disputeAcceptReason: 'MERCHANT_ACCEPTED' }, 'DISPUTE_ACCEPTED'],
    ['TIMEOUT, by silence', { disputeAcceptReason: 'TIMEOUT' }, 'DISPUTE_ACCEPTED'],
    ['MANUAL_PROCESSING_ACCEPTED', { disputeAcceptReason: 'MANUAL_PROCESSING_ACCEPTED' }, 'DISPUTE_ACCEPTED'],
    ['rapid dispute resolution', {}, 'RDR_RESOLVED'],
    ['the judgement', { disputeJudgedResult: 'ACCEPT_BY_MERCHANT' }, 'DISPUTE_JUDGED'],
  ])('a dispute that was lost by %s is one chargeback', async (_name, change, disputeNotificationType) => {
    const dispute = {
      disputeNotificationType,
      paymentRequestId: REFERENCE,
      paymentId: 'P1',
      disputeId: 'D1',
      disputeAmount: { currency: 'CNY', value: '499' },
      ...change,
    };
    expect(await read(raw(dispute))).toMatchObject({
      kind: 'events',
      events: [
        { dedupKey: 'DISPUTE:D1', report: { status: 'chargeback', reference: REFERENCE, amount: money(499, 'CNY') } },
      ],
    });
  });

  test.each([
    ['SUCCESS', 'refunded'],
    ['FAIL', 'refund_failed'],
  ])('a refund told %s is %s, of the payment it was sent with', async (refundStatus, status) => {
    const refund = {
      notifyType: 'REFUND_RESULT',
      result: S,
      refundStatus,
      refundRequestId: 'RF-1',
      refundId: 'R1',
      refundAmount: { currency: 'CNY', value: '499' },
      metadata: `{"reference":"${REFERENCE}"}`,
    };
    expect(await read(raw(refund))).toMatchObject({
      events: [
        {
          dedupKey: `REFUND_RESULT:R1:${refundStatus}`,
          report: { status, reference: REFERENCE, amount: money(499, 'CNY') },
        },
      ],
    });
  });

  test('a refund of the Dashboard names no payment, and leaves its key to the inquiry', async () => {
    const refundAmount = { currency: 'CNY', value: '100' };
    const refund = { notifyType: 'REFUND_RESULT', result: S, refundStatus: 'SUCCESS', refundId: 'R9', refundAmount };
    expect(await read(raw(refund))).toMatchObject({
      events: [{ dedupKey: 'REFUND_RESULT:R9:SUCCESS:unnamed', report: { reference: null, providerRef: null } }],
    });
    const transaction = (transactionId: string | undefined, over: object = {}) => ({
      transactionId,
      transactionType: 'REFUND',
      transactionStatus: 'SUCCESS',
      transactionAmount: refundAmount,
      ...over,
    });
    const listed = async (...transactions: object[]) =>
      (await alipay.query(setUp([inquiry('SUCCESS', { transactions })]).context, payment)).refunds;
    const others = [
      transaction('R1', { transactionStatus: 'FAIL' }),
      transaction('C1', { transactionType: 'CAPTURE' }),
    ];
    expect(await listed(...others, transaction('R9'))).toEqual([
      { dedupKey: 'REFUND_RESULT:R9:SUCCESS', amount: money(100, 'CNY') },
    ]);
    expect(await listed(transaction('R9'), transaction(undefined))).toBeUndefined();
    expect(await listed(...others)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['a capture that succeeded', { ...notice, notifyType: 'CAPTURE_RESULT' }],
    ['a dispute that began', { disputeNotificationType: 'DISPUTE_CREATED', paymentRequestId: REFERENCE }],
    [
      'a dispute that was won',
      { disputeNotificationType: 'DISPUTE_JUDGED', disputeJudgedResult: 'ACCEPT_BY_CUSTOMER' },
    ],
    ['a type nobody knows', { ...notice, notifyType: 'SOMETHING_NEW' }],
    ['no JSON', 'hello'],
    ['a list', '[]'],
  ])('%s is acknowledged and ignored', async (_name, body) => {
    expect(await read(raw(body))).toMatchObject({ kind: 'ignored', answer: { status: 200 } });
  });

  test.each<[string, (given: RawCallback) => RawCallback]>([
    ['one fen less', (given) => ({ ...given, body: Buffer.from(given.body.toString().replace('"499"', '"498"')) })],
    ['another currency', (given) => ({ ...given, body: Buffer.from(given.body.toString().replace('CNY', 'HKD')) })],
    ['another order', (given) => ({ ...given, body: Buffer.from(given.body.toString().replace('-1', '-2')) })],
    ['a blank more', (given) => ({ ...given, body: Buffer.from(`${given.body.toString()} `) })],
    ['another client', (given) => ({ ...given, headers: { ...given.headers, 'client-id': 'SANDBOX_5Z' } })],
    ['another time', (given) => ({ ...given, headers: { ...given.headers, 'request-time': '2026' } })],
    ['another path', (given) => ({ ...given, path: '/callback/other' })],
    ['no client', (given) => ({ ...given, headers: { ...given.headers, 'client-id': '' } })],
    ['no signature', (given) => ({ ...given, headers: { ...given.headers, signature: '' } })],
    [
      'no value in the signature',
      (given) => ({ ...given, headers: { ...given.headers, signature: 'algorithm=RSA256,keyVersion=1,signature=' } }),
    ],
    [
      'a cut signature',
      (given) => ({ ...given, headers: { ...given.headers, signature: given.headers['signature']!.slice(0, -2) } }),
    ],
    [
      'a signature without its padding',
      (given) => ({
        ...given,
        headers: { ...given.headers, signature: given.headers['signature']!.replace('%3D%3D', '') },
      }),
    ],
    [
      'a signature that is no URL text',
      (given) => ({ ...given, headers: { ...given.headers, signature: 'signature=%E0%A4%A' } }),
    ],
  ])('%s is not believed', async (_name, change) => {
    expect(await read(change(raw(notice)))).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
  });

  test('a stranger is not believed, nor our own key; the old and the new one both are while they change', async () => {
    expect((await read(raw(notice, { key: stranger.privateKey }))).kind).toBe('invalid');
    expect((await read(raw(notice, { key: shop.privateKey }))).kind).toBe('invalid');
    const both = { PUBLIC_KEY: `${stranger.publicText}, ${alipaySide.publicText}` };
    expect((await read(raw(notice, { key: stranger.privateKey }), both)).kind).toBe('events');
    expect((await read(raw(notice), both)).kind).toBe('events');
  });

  test.each([[''], [','], ['bm8ga2V5']])('PUBLIC_KEY %j believes nobody', async (PUBLIC_KEY) => {
    expect((await read(raw(notice), { PUBLIC_KEY })).kind).toBe('invalid');
  });

  test('a signed notice of another client says so', async () => {
    expect(await read(raw(notice, { client: 'SANDBOX_OTHER' }))).toMatchObject({
      events: [{ report: { merchantAccount: 'SANDBOX_OTHER' } }],
    });
    expect(alipay.accountOf({ CLIENT_ID: 'SANDBOX_5Y' })).toBe('SANDBOX_5Y');
  });

  test('a wrong amount, a wrong currency and one nobody knows are told as they are', async () => {
    const amounts = [
      { currency: 'CNY', value: '498' },
      { currency: 'HKD', value: '499' },
      { currency: 'XXX', value: '499' },
    ];
    const readings = await Promise.all(amounts.map((paymentAmount) => read(raw({ ...notice, paymentAmount }))));
    const reported = readings.map((reading) => reading.kind === 'events' && reading.events[0]?.report.amount);
    expect(reported).toEqual([money(498, 'CNY'), money(499, 'HKD'), null]);
  });

  test('a number stays the text it was written in', async () => {
    const body = JSON.stringify(notice).replace('"P1"', '20190608114010800100188820200355883');
    expect(await read(raw(body))).toMatchObject({
      events: [{ report: { captureRef: '20190608114010800100188820200355883' } }],
    });
  });
});

describe('settings', () => {
  test('make the hosts', () => {
    expect(alipay.apiHosts({}, 'demo')).toEqual(['open-sea-global.alipay.com']);
    expect(alipay.apiHosts({ API_BASE: 'https://open-de-global.alipay.com/' }, 'live')).toEqual([
      'open-de-global.alipay.com',
    ]);
    expect(alipay.payHosts({ PAY_HOSTS: 'A.example, b.example:1' }, 'live')).toEqual(['a.example', 'b.example:1']);
    expect(alipay.payHosts({}, 'live')).toContain('checkout.antom.com');
  });

  test.each([{ PROTOCOL: 'alipay' }, { PROTOCOL: 'open_platform' }, { API_BASE: 'http://gateway.example' }])(
    '%j is no live side',
    (given) => {
      expect(() => alipay.apiHosts(given, 'live')).toThrow(/PROTOCOL|SELLER_ID|https/);
    },
  );

  test('a private key that is none is told in one sentence', async () => {
    await expect(alipay.create(setUp([], { PRIVATE_KEY: 'bm8ga2V5' }).context, input)).rejects.toThrow(
      "Alipay's PRIVATE_KEY",
    );
  });

  test('the private key may be PEM, or PKCS#1', async () => {
    for (const type of ['pkcs8', 'pkcs1'] as const) {
      const pem = shop.privateKey.export({ format: 'pem', type }).toString();
      expect((await alipay.create(setUp([created()], { PRIVATE_KEY: pem }).context, input)).kind).toBe('redirect');
    }
  });
});
