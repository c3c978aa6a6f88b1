import { createSign, createVerify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { RawCallback } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { alipaySide, input, payment, REFERENCE, type Reply, setUp, shop, stranger } from './fake-outside.ts';
import { isNoticeSigned, noticeText, reportNotice, signedPart } from './open-wire.ts';
import { alipay } from './provider.ts';
import { isSignedBy, readPublicKeys } from './rsa.ts';

const OPEN = { PROTOCOL: 'open_platform', CLIENT_ID: '2019073166072302' };
const GATEWAY = 'https://openapi-sandbox.dl.alipaydev.com/gateway.do';

/** A notice with its key, published by Alipay. @source test suite of github.com/alipay/alipay-sdk-nodejs-all */
const PUBLISHED_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB';
const PUBLISHED_TEXT =
  'app_id=2019073166072302&auth_app_id=2019073166072302&buyer_id=2088102534368455&buyer_logon_id=xud***@126.com&buyer_pay_amount=0.10&charset=utf-8&fund_bill_list=[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]&gmt_create=2019-08-15 ' +
  '15:56:22&gmt_payment=2019-08-15 ' +
  '15:56:24&invoice_amount=0.10&notify_id=2019081500222155624068450559358070&notify_time=2019-08-15 ' +
  '15:56:25&notify_type=trade_status_sync&out_trade_no=20190815155618536-564-57&point_amount=0.00&receipt_amount=0.10&seller_email=z97-yuquerevenue@service.aliyun.com&seller_id=2088531891668739&subject=语雀空间 ' +
  '500人规模&total_amount=0.10&trade_no=2019081522001468450512505578&trade_status=TRADE_SUCCESS&version=1.0';
const PUBLISHED_SIGN =
  'QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==';
const published = Object.fromEntries(
  PUBLISHED_TEXT.split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);

function sign(text: string, key = alipaySide.privateKey): string {
  return createSign('RSA-SHA256').update(text).sign(key, 'base64');
}
/** Joined here by hand, so that a mistake of the adapter cannot prove itself. */
function joined(fields: Record<string, string>): string {
  const keys = Object.keys(fields).filter((key) => key !== 'sign' && key !== 'sign_type');
  return keys
    .toSorted()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
}
function answer(method: string, said: unknown, key = alipaySide.privateKey): Reply {
  const part = JSON.stringify(said);
  return { status: 200, text: `{"${method.replaceAll('.', '_')}_response":${part},"sign":"${sign(part, key)}"}` };
}
const fine = { code: '10000', msg: 'Success' };
const failed = (sub_code: string) => ({ code: '40004', msg: 'Business Failed', sub_code, sub_msg: 'no' });

describe('the published notice', () => {
  const keys = readPublicKeys(PUBLISHED_KEY);

  test('is signed without sign_type, and not with it', () => {
    const fields = { ...published, sign_type: 'RSA2', sign: PUBLISHED_SIGN };
    expect(noticeText(fields)).toBe(PUBLISHED_TEXT);
    expect(isNoticeSigned(fields, keys)).toBe(true);
    const withType = PUBLISHED_TEXT.replace('&subject', '&sign_type=RSA2&subject');
    expect(isSignedBy([withType], PUBLISHED_SIGN, keys)).toBe(false);
  });

  test('comes in as a form and is paid', async () => {
    const body = new URLSearchParams({ ...published, sign_type: 'RSA2', sign: PUBLISHED_SIGN }).toString();
    const { context } = setUp([], { ...OPEN, PUBLIC_KEY: PUBLISHED_KEY });
    expect(await alipay.readCallback(context, raw(body))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'success' },
      events: [
        {
          dedupKey: 'TRADE_SUCCESS:2019081522001468450512505578:',
          report: {
            status: 'paid',
            reference: '20190815155618536-564-57',
            providerRef: null,
            captureRef: '2019081522001468450512505578',
            amount: money(10, 'CNY'),
            merchantAccount: '2019073166072302/2088531891668739',
            reason: 'TRADE_SUCCESS',
          },
        },
      ],
    });
    expect(alipay.accountOf(context.settings)).toBe('2019073166072302/2088531891668739');
  });
});

function raw(body: string): RawCallback {
  return {
    method: 'POST',
    path: '/callback/alipay',
    topic: '',
    headers: {},
    query: {},
    body: Buffer.from(body),
    ip: '127.0.0.1',
  };
}
const trade = {
  app_id: '2019073166072302',
  seller_id: '2088531891668739',
  out_trade_no: REFERENCE,
  trade_no: 'T1',
  trade_status: 'TRADE_SUCCESS',
  total_amount: '4.99',
  subject: '60 Embers & more = 1+1',
  charset: 'utf-8',
};
function notice(
  change: Record<string, string> = {},
  options: { key?: typeof shop.privateKey; type?: string; spoil?: Record<string, string> } = {},
): RawCallback {
  const fields: Record<string, string> = { ...trade, ...change };
  const signed = {
    ...fields,
    sign_type: options.type ?? 'RSA2',
    sign: sign(joined(fields), options.key),
    ...options.spoil,
  };
  return raw(new URLSearchParams(signed).toString());
}
const read = (callback: RawCallback) => alipay.readCallback(setUp([], OPEN).context, callback);

describe('create', () => {
  test('is a signed link, without any call', async () => {
    const { context, calls } = setUp([], OPEN);
    const outcome = await alipay.create(context, input);
    if (outcome.kind !== 'redirect') throw new Error(JSON.stringify(outcome));
    expect([calls, outcome.providerRef]).toEqual([[], REFERENCE]);
    const url = new URL(outcome.url);
    expect(`${url.origin}${url.pathname}`).toBe(GATEWAY);
    const { sign: signature = '', ...fields } = Object.fromEntries(url.searchParams);
    expect(fields).toMatchObject({
      app_id: '2019073166072302',
      method: 'alipay.trade.page.pay',
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: '2026-01-02 11:04:05',
      version: '1.0',
      return_url: input.returnUrl,
      notify_url: input.notifyUrl,
    });
    expect(JSON.parse(fields['biz_content']!)).toEqual({
      out_trade_no: REFERENCE,
      total_amount: '4.99',
      subject: '60 Embers & more',
      product_code: 'FAST_INSTANT_TRADE_PAY',
      time_expire: '2026-01-02 12:04:05',
    });
    const text = Object.keys(fields)
      .toSorted()
      .map((key) => `${key}=${fields[key]}`)
      .join('&');
    expect(text).toContain('&sign_type=RSA2&');
    expect(createVerify('RSA-SHA256').update(text).verify(shop.publicKey, signature, 'base64')).toBe(true);
  });

  test('a phone gets the mobile page', async () => {
    const { context } = setUp([], OPEN);
    const outcome = await alipay.create(context, { ...input, device: { ...input.device, isMobile: true } });
    const fields = new URL(outcome.kind === 'redirect' ? outcome.url : '').searchParams;
    expect(fields.get('method')).toBe('alipay.trade.wap.pay');
    expect(JSON.parse(fields.get('biz_content')!)).toMatchObject({
      product_code: 'QUICK_WAP_WAY',
      quit_url: input.cancelUrl,
    });
  });

  test.each([
    ['dollars', { amount: money(499, 'USD') }],
    ['nothing', { amount: money(0, 'CNY') }],
    ['a card, which only Antom has', { channelId: 'CARD' }],
  ])('%s are refused', async (_name, change) => {
    expect((await alipay.create(setUp([], OPEN).context, { ...input, ...change })).kind).toBe('refused');
  });
});

describe('query, cancel and refund', () => {
  const queried = (trade_status: string, extra = {}) =>
    answer('alipay.trade.query', {
      ...fine,
      out_trade_no: REFERENCE,
      trade_no: 'T1',
      trade_status,
      total_amount: '4.99',
      ...extra,
    });

  test.each([
    ['TRADE_SUCCESS', {}, 'paid'],
    ['TRADE_FINISHED', {}, 'paid'],
    ['WAIT_BUYER_PAY', {}, 'pending'],
    ['TRADE_CLOSED', {}, 'expired'],
    ['TRADE_CLOSED', { send_pay_date: '2026-01-02 11:04:05' }, 'refunded'],
    ['TRADE_SUCCESS', { total_amount: undefined }, 'paid_unreadable'],
    ['TRADE_SUCCESS', { total_amount: '4.999' }, 'paid_unreadable'],
    ['SOMETHING_NEW', {}, 'unknown'],
    ['constructor', {}, 'unknown'],
  ])('%s with %j is %s', async (tradeStatus, extra, status) => {
    const { context, calls } = setUp([queried(tradeStatus, extra)], OPEN);
    expect(await alipay.query(context, payment)).toMatchObject({ status, reference: REFERENCE, captureRef: 'T1' });
    const url = new URL(calls[0]!.url);
    const fields = {
      ...Object.fromEntries(url.searchParams),
      ...Object.fromEntries(new URLSearchParams(calls[0]!.call.body)),
    };
    expect(fields).toMatchObject({ method: 'alipay.trade.query', biz_content: `{"out_trade_no":"${REFERENCE}"}` });
    const text = Object.keys(fields)
      .filter((key) => key !== 'sign')
      .toSorted()
      .map((key) => `${key}=${(fields as Record<string, string>)[key]}`)
      .join('&');
    expect(
      createVerify('RSA-SHA256')
        .update(text)
        .verify(shop.publicKey, (fields as Record<string, string>)['sign']!, 'base64'),
    ).toBe(true);
  });

  test.each<[string, Reply]>([
    [
      'an answer of a stranger',
      answer(
        'alipay.trade.query',
        { ...fine, trade_status: 'TRADE_SUCCESS', total_amount: '4.99' },
        stranger.privateKey,
      ),
    ],
    [
      'an answer to another call',
      answer('alipay.trade.close', { ...fine, trade_status: 'TRADE_SUCCESS', total_amount: '4.99' }),
    ],
    [
      'no signature',
      {
        status: 200,
        text: '{"alipay_trade_query_response":{"code":"10000","trade_status":"TRADE_SUCCESS","total_amount":"4.99"}}',
      },
    ],
    ['HTML', { status: 200, text: '<html>' }],
    ['500', { status: 500, text: '' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await alipay.query(setUp([reply], OPEN).context, payment)).status).toBe('unknown');
  });

  test('a trade that does not exist yet is pending; a paid one of another shape cannot be read', async () => {
    const none = answer('alipay.trade.query', failed('ACQ.TRADE_NOT_EXIST'));
    expect((await alipay.query(setUp([none], OPEN).context, payment)).status).toBe('pending');
    const torn = queried('TRADE_SUCCESS', { total_amount: { value: '4.99' } });
    expect(await alipay.query(setUp([torn], OPEN).context, payment)).toMatchObject({
      status: 'paid_unreadable',
      raw: expect.stringContaining('TRADE_SUCCESS'),
    });
  });

  test('query throws when Alipay cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')], OPEN);
    await expect(alipay.query(context, payment)).rejects.toThrow(OutboundError);
  });

  test.each<[string, string, Reply[]]>([
    ['failed', 'a closed trade', [answer('alipay.trade.close', fine)]],
    ['pending', 'a trade that may still come to be', [answer('alipay.trade.close', failed('ACQ.TRADE_NOT_EXIST'))]],
    [
      'paid',
      'a trade paid a moment before',
      [answer('alipay.trade.close', failed('ACQ.TRADE_STATUS_ERROR')), queried('TRADE_SUCCESS')],
    ],
    ['pending', 'a timeout', [new OutboundError('timeout', true, 'late')]],
  ])('cancel is %s on %s', async (status, _name, replies) => {
    expect((await alipay.cancel!(setUp(replies, OPEN).context, payment)).status).toBe(status);
  });

  const refunded = (fund_change: string) => answer('alipay.trade.refund', { ...fine, fund_change });
  const asked = (extra: object) => answer('alipay.trade.fastpay.refund.query', { ...fine, ...extra });
  test.each<[string, string, Reply[]]>([
    ['done', 'money that moved', [refunded('Y')]],
    ['done', 'a repeated refund', [refunded('N'), asked({ refund_status: 'REFUND_SUCCESS' })]],
    [
      'failed',
      'a repeated refund of another amount',
      [refunded('N'), asked({ refund_status: 'REFUND_SUCCESS', refund_amount: '1.00' })],
    ],
    ['unknown', 'a refund that is not there yet', [refunded('N'), asked({})]],
    ['unknown', 'a busy system', [answer('alipay.trade.refund', failed('ACQ.SYSTEM_ERROR'))]],
    ['unknown', 'a service that is not available', [answer('alipay.trade.refund', { code: '20000', msg: 'x' })]],
    ['failed', 'a refusal', [answer('alipay.trade.refund', failed('ACQ.SELLER_BALANCE_NOT_ENOUGH'))]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [new OutboundError('timeout', true, 'late')]],
  ])('refund is %s on %s', async (status, _name, replies) => {
    expect((await alipay.refund!(setUp(replies, OPEN).context, payment, 'RF-1')).status).toBe(status);
  });

  test('the signed part is what was written, braces in texts and all', () => {
    const part = '{"code":"10000","sub_msg":"a \\"}{ b"  ,"n":{"x":1.0}}';
    const text = `{"sign":"${sign(part)}" , "x_response": ${part}}`;
    expect(signedPart(text, 'x_response', readPublicKeys(alipaySide.publicText))).toBe(part);
    expect(signedPart(text.replace('1.0', '1'), 'x_response', readPublicKeys(alipaySide.publicText))).toBeNull();
  });
});

describe('callback', () => {
  test.each<[Record<string, string>, string, number]>([
    [{ trade_status: 'TRADE_FINISHED' }, 'paid', 499],
    [{ trade_status: 'WAIT_BUYER_PAY' }, 'pending', 499],
    [{ trade_status: 'TRADE_CLOSED' }, 'expired', 499],
    [{ trade_status: 'TRADE_CLOSED', refund_fee: '4.99' }, 'refunded', 499],
    [{ trade_status: 'toString' }, 'unknown', 499],
    [{ total_amount: '4.98' }, 'paid', 498],
  ])('%j is %s', async (change, status, amountMinor) => {
    expect(await read(notice(change))).toMatchObject({
      kind: 'events',
      events: [{ report: { status, reference: REFERENCE, captureRef: 'T1', amount: money(amountMinor, 'CNY') } }],
      answer: { body: 'success' },
    });
  });

  test('another application or seller is told', async () => {
    expect(await read(notice({ seller_id: '2088000000000000' }))).toMatchObject({
      events: [{ report: { merchantAccount: '2019073166072302/2088000000000000' } }],
    });
    expect(await read(notice({ app_id: 'x' }))).toMatchObject({
      events: [{ report: { merchantAccount: 'x/2088531891668739' } }],
    });
  });

  test('notices about no trade, and of a trade that merely ended after a part, are of no interest', async () => {
    expect(reportNotice({ notify_type: 'dut_user_sign' })).toBeNull();
    const ended = notice({ trade_status: 'TRADE_FINISHED', refund_fee: '1.00' });
    expect(await read(ended)).toMatchObject({ kind: 'ignored', answer: { body: 'success' } });
  });

  const asked = (extra: object) => answer('alipay.trade.fastpay.refund.query', { ...fine, ...extra });
  const part = (refund_fee: string, out_biz_no: string) => notice({ refund_fee, out_biz_no });

  test('each part that went back is told with its own amount, not with the sum of all', async () => {
    const tell = async (callback: RawCallback, refund_amount: string) => {
      const { context, calls } = setUp([asked({ refund_status: 'REFUND_SUCCESS', refund_amount })], OPEN);
      const reading = await alipay.readCallback(context, callback);
      expect(new URLSearchParams(calls[0]!.call.body).get('biz_content')).toMatch(/"out_request_no":"RF-[12]"/);
      if (!('events' in reading)) throw new Error(JSON.stringify(reading));
      return reading.events[0]!;
    };
    const first = await tell(part('1.00', 'RF-1'), '1.00');
    const again = await tell(part('1.00', 'RF-1'), '1.00');
    const second = await tell(part('3.00', 'RF-2'), '2.00');
    expect([first, second].map(({ report }) => report)).toMatchObject([
      { status: 'refunded', reference: REFERENCE, amount: money(100, 'CNY') },
      { status: 'refunded', reference: REFERENCE, amount: money(200, 'CNY') },
    ]);
    expect(again.dedupKey).toBe(first.dedupKey);
    expect(second.dedupKey).not.toBe(first.dedupKey);
  });

  const untold = { kind: 'events', events: [{ report: { status: 'refunded', amount: null } }] };
  test.each<[string, object, Reply[]]>([
    ['a refund that Alipay does not know', untold, [asked({})]],
    ['a refund without an amount', untold, [asked({ refund_status: 'REFUND_SUCCESS' })]],
    ['HTML', { kind: 'unavailable' }, [{ status: 200, text: '<html>' }]],
    ['a timeout', { kind: 'unavailable' }, [new OutboundError('timeout', true, 'late')]],
  ])('on %s a part is told without an amount, or later: %j', async (_name, expected, replies) => {
    expect(await alipay.readCallback(setUp(replies, OPEN).context, part('1.00', 'RF-1'))).toMatchObject(expected);
  });

  test('a part without its number is told without an amount, and nobody is asked', async () => {
    const reading = await read(notice({ refund_fee: '1.00' }));
    expect(reading).toMatchObject(untold);
  });

  test.each<[string, RawCallback]>([
    ['a stranger', notice({}, { key: stranger.privateKey })],
    ['our own key', notice({}, { key: shop.privateKey })],
    ['RSA with SHA-1', notice({}, { type: 'RSA' })],
    ['one fen less', notice({}, { spoil: { total_amount: '4.98' } })],
    ['another order', notice({}, { spoil: { out_trade_no: `${REFERENCE}0` } })],
    ['a field more', notice({}, { spoil: { gmt_refund: 'x' } })],
    ['no signature', notice({}, { spoil: { sign: '' } })],
    ['a cut signature', notice({}, { spoil: { sign: sign(joined(trade)).slice(0, 20) } })],
    ['nothing', raw('')],
    ['JSON', raw('{"trade_status":"TRADE_SUCCESS"}')],
  ])('%s is not believed', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'invalid', answer: { status: 401, body: 'fail' } });
  });
});
