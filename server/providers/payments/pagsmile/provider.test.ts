import type { Environment } from '#kernel/environment.ts';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, type Money, money, toDecimal } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, supportsCurrency, writeAmount } from './amounts.ts';
import { isSignature, readHeader, sign } from './notice.ts';
import { pagsmile } from './provider.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const APP = '16200000000000038';
const KEY = 'Pagsmile_sk_test';
const API = 'https://gateway-test.pagsmile.com/trade';

type Reply = { status: number; text: string } | OutboundError;
const ok = (body: object, status = 200) => ({
  status,
  text: JSON.stringify({ code: '10000', msg: 'Success', ...body }),
});
const no = (code: string, sub_code = '', status = 400) => ok({ code, msg: 'Business Failed', sub_code }, status);
const late = new OutboundError('timeout', true, 'late');

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { APP_ID: APP, SECRET_KEYS: KEY, ...extra },
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
  amount: money(1201, 'BRL'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'BR',
  locale: 'pt',
  channelId: '',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/pagsmile',
  expiresAt: NOW + 90 * 60_000 + 1,
  device: { isMobile: false, os: 'other', userAgent: 'x', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: '2022',
  captureRef: null,
  approval: null,
  amount: money(1201, 'BRL'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
const page = 'https://checkout-testv2.pagsmile.com/?prepay_id=1';
const made = (web_url: unknown = page, extra: object = {}) =>
  ok({ trade_no: '2022', out_trade_no: REFERENCE, web_url, prepay_id: '1', ...extra });
const trade = (trade_status: string, extra: object = {}) =>
  ok({
    trade_no: '2022',
    out_trade_no: REFERENCE,
    trade_status,
    order_amount: '12.01',
    order_currency: 'BRL',
    refuse_detail: '',
    ...extra,
  });

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['BRL', 1201, '12.01'],
    ['BRL', 1200, '12.00'],
    ['BRL', 1, '0.01'],
    ['RUB', 500, '5.00'],
    ['TRY', 9999, '99.99'],
    ['MYR', 2190, '21.90'],
    ['PHP', 100, '1.00'],
    ['THB', 15_950, '159.50'],
    ['CNY', 4, '0.04'],
    ['HKD', 10, '0.10'],
    ['SAR', 500, '5.00'],
    ['AED', 500, '5.00'],
    ['USD', 499, '4.99'],
    ['KRW', 5900, '5900'],
    ['TWD', 15_000, '150'],
    ['TWD', 15_050, null],
    ['IDR', 7_900_000, '79000'],
    ['IDR', 50, null],
    ['JPY', 120, null],
    ['EUR', 499, null],
    ['USD', 99_999_999_900, '999999999.00'],
    ['USD', 99_999_999_901, null],
    ['USD', 100_000_000_000, null],
    ['USD', 0, null],
    ['USD', -499, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(text);
    const back = text === null ? null : readAmount(text, currency);
    expect(back).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([['-12.01'], ['12.011'], ['1e3'], ['12,01'], ['']])('%j is no amount', (value) => {
    expect(readAmount(value, 'BRL')).toBeNull();
  });

  test('currencies without a method are off', () => {
    expect(['JPY', 'EUR', 'VND', 'GBP', 'SGD'].filter((one) => supportsCurrency(one as Currency))).toEqual([]);
  });
});

describe('create', () => {
  test('makes a trade of our number and opens its page', async () => {
    const { context, calls } = setUp([made()], { WEBSITE_URL: 'https://shop.example' });
    expect(await pagsmile.create(context, input)).toEqual({ kind: 'redirect', url: page, providerRef: '2022' });
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/create`]);
    expect(call.headers!['authorization']).toBe(`Basic ${Buffer.from(`${APP}:${KEY}`).toString('base64')}`);
    expect(JSON.parse(call.body!)).toEqual({
      app_id: APP,
      timestamp: '2026-01-02 03:04:05',
      out_trade_no: REFERENCE,
      order_currency: 'BRL',
      order_amount: '12.01',
      subject: '60 Embers',
      content: 'Watt: 60 Embers',
      trade_type: 'WEB',
      version: '2.0',
      timeout_express: '90m',
      cancellation_express: '90m',
      notify_url: 'https://shop.example/callback/pagsmile',
      return_url: 'https://shop.example/back',
      buyer_id: 'player-1',
      regions: ['BRA'],
      website_url: 'https://shop.example',
    });
  });

  test.each<[Partial<CreatePayment>, Record<string, unknown>]>([
    [{ channelId: 'PIX' }, { method: 'PIX', channel: undefined }],
    [{ channelId: 'Wallet.LINEPay' }, { method: 'Wallet', channel: 'LINEPay' }],
    [{ country: 'JP' }, { regions: undefined }],
    [{ country: '' }, { regions: undefined }],
    [{ expiresAt: NOW }, { timeout_express: '1m' }],
    [{ expiresAt: NOW * 2 }, { timeout_express: '21600m', cancellation_express: '21600m' }],
    [{ productName: 'x'.repeat(300) }, { subject: 'x'.repeat(128), content: `Watt: ${'x'.repeat(249)}` }],
  ])('%j is written %j', async (change, wire) => {
    const { context, calls } = setUp([made()]);
    await pagsmile.create(context, { ...input, ...change });
    const body = JSON.parse(calls[0]!.call.body!);
    expect(Object.fromEntries(Object.keys(wire).map((key) => [key, body[key]]))).toEqual(wire);
  });

  test.each<[string, Environment, string | undefined, string | null]>([
    ['plain http becomes https', 'demo', 'http://checkout-testv2.pagsmile.com?prepay_id=1', page],
    [
      'also on the live side',
      'live',
      'http://checkout.pagsmile.com?prepay_id=1',
      'https://checkout.pagsmile.com/?prepay_id=1',
    ],
    ['a foreign page', 'demo', 'https://evil.example/?prepay_id=1', null],
    ['one that only begins like one', 'live', 'https://checkout.pagsmile.com.evil.example/', null],
    ['one with a user', 'live', 'https://checkout.pagsmile.com@evil.example/', null],
    ['no page', 'live', undefined, null],
    ['no address', 'live', 'javascript:alert(1)', null],
  ])('%s', async (_name, environment, web, url) => {
    const outcome = await pagsmile.create(setUp([made(web ?? null)], {}, environment).context, input);
    expect(outcome).toMatchObject(url === null ? { kind: 'unknown' } : { kind: 'redirect', url });
  });

  test.each<[string, Reply, string]>([
    ['a timeout', late, 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', no('20000', '', 500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['no trade number', made(page, { trade_no: undefined }), 'unknown'],
    ['20000, unavailable', no('20000'), 'refused'],
    ['40001, an argument missing', no('40001'), 'refused'],
    ['40004, a method', no('40004'), 'refused'],
    ['a wrong key', no('40002', 'invalid-signature'), 'refused'],
    ['another app', no('40002', 'app-not-match', 200), 'refused'],
    ['made and REFUSED', no('40002', 'SYS-0001'), 'refused'],
    ['risk', no('70001', '10004'), 'refused'],
    ['the bank', no('90001', '116'), 'refused'],
    ['a code nobody knows', no('30303'), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await pagsmile.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test.each<[string, Reply, string]>([
    ['paid', trade('SUCCESS'), 'paid'],
    ['refused', trade('REFUSED'), 'refused'],
    ['expired', trade('EXPIRED'), 'refused'],
    ['open', trade('INITIAL'), 'unknown'],
    ['not to be found', no('40002', 'trade-not-exist'), 'unknown'],
    ['not to be asked', late, 'unknown'],
  ])('a number that was used before, by a trade that is %s', async (_name, reply, kind) => {
    const { context, calls } = setUp([no('40002', 'duplicate-out_trade_no'), reply]);
    expect((await pagsmile.create(context, input)).kind).toBe(kind);
    expect(JSON.parse(calls[1]!.call.body!)).toMatchObject({ out_trade_no: REFERENCE });
  });

  test('an amount Pagsmile cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await pagsmile.create(context, { ...input, amount: money(15_050, 'TWD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('query', () => {
  test.each([
    ['INITIAL', 'pending'],
    ['PROCESSING', 'pending'],
    ['RISK_CONTROLLING', 'pending'],
    ['SUCCESS', 'paid'],
    ['REFUSED', 'failed'],
    ['CANCEL', 'failed'],
    ['EXPIRED', 'expired'],
    ['REFUND_VERIFYING', 'paid_unreadable'],
    ['REFUND_PROCESSING', 'paid_unreadable'],
    ['REFUNDED', 'refunded'],
    ['REFUND_REVOKE', 'refund_failed'],
    ['REFUND_REFUSED', 'refund_failed'],
    ['DISPUTE', 'paid_unreadable'],
    ['CHARGEBACK', 'chargeback'],
    ['CHARGEBACK_REVERSED', 'paid_unreadable'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (word, status) => {
    const { context, calls } = setUp([trade(word)]);
    expect(await pagsmile.query(context, payment)).toMatchObject({
      status,
      reference: REFERENCE,
      providerRef: '2022',
      captureRef: status.startsWith('paid') ? '2022' : null,
      amount: status === 'refunded' ? null : money(1201, 'BRL'),
      merchantAccount: null,
      reason: expect.stringContaining(word),
    });
    expect(calls[0]!.url).toBe(`${API}/query`);
    expect(JSON.parse(calls[0]!.call.body!)).toEqual({
      app_id: APP,
      timestamp: '2026-01-02 03:04:05',
      trade_no: '2022',
    });
  });

  test('amounts as numbers, to the last cent; a number of ours where theirs never came', async () => {
    const reply = { ...trade('SUCCESS'), text: trade('SUCCESS').text.replace('"12.01"', '12.00') };
    const { context, calls } = setUp([reply]);
    const report = await pagsmile.query(context, { ...payment, providerRef: null });
    expect(report.amount).toEqual(money(1200, 'BRL'));
    expect(JSON.parse(calls[0]!.call.body!)).toMatchObject({ out_trade_no: REFERENCE });
  });

  test.each([[undefined], ['many'], [{ BRL: 12.01 }]])(
    'paid with the amount %j cannot be read',
    async (order_amount) => {
      const { context } = setUp([trade('SUCCESS', { order_amount })]);
      expect(await pagsmile.query(context, payment)).toMatchObject({
        status: 'paid_unreadable',
        raw: expect.stringContaining('SUCCESS'),
      });
    },
  );

  test.each<[string, Reply]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['a refusal', no('40002', 'invalid-signature')],
    ['500', { status: 500, text: '' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await pagsmile.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('a trade that is not there is pending', async () => {
    const { context } = setUp([no('40002', 'trade-not-exist')]);
    expect((await pagsmile.query(context, payment)).status).toBe('pending');
  });

  test('throws when Pagsmile cannot be reached', async () => {
    await expect(pagsmile.query(setUp([late]).context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: '2022' };
  const done = (refund_status?: string, back?: Money) =>
    ok({
      trade_no: '2022',
      refund_status,
      ...(back ? { refund_amount: toDecimal(back), refund_currency: back.currency } : {}),
    });
  test.each<[string, string, Reply[]]>([
    ['pending', 'REFUND_PROCESSING', [done('REFUND_PROCESSING')]],
    ['pending', 'REFUND_VERIFYING', [done('REFUND_VERIFYING')]],
    ['done', 'REFUNDED', [done('REFUNDED')]],
    ['failed', 'REFUND_REFUSED', [done('REFUND_REFUSED')]],
    ['pending', 'no status', [done()]],
    ['failed', 'a refusal of a trade that is paid', [no('40002', 'x'), trade('SUCCESS')]],
    ['pending', 'a refusal of a trade that goes back already', [no('40002', 'x'), trade('REFUND_PROCESSING')]],
    ['failed', 'a refusal of a trade of which a part or all went back', [no('40002', 'x'), trade('REFUNDED')]],
    ['done', 'the amount that was asked', [done('REFUNDED', payment.amount)]],
    ['failed', 'another amount', [done('REFUNDED', { ...payment.amount, amountMinor: 1 })]],
    ['failed', 'another amount on its way', [done('REFUND_PROCESSING', { ...payment.amount, amountMinor: 1 })]],
    ['unknown', 'a refusal, and nobody to ask', [no('40002', 'x'), { status: 500, text: '' }]],
    ['unknown', 'a refusal, and no answer', [no('40002', 'x'), late]],
    ['unknown', '20000, unavailable', [no('20000')]],
    ['unknown', '500', [no('40002', '', 500)]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [late]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await pagsmile.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });

  test('names the trade, the amount and a number of at most 16 characters', async () => {
    const numberOf = async (refundRef: string) => {
      const { context, calls } = setUp([done('REFUNDED')]);
      await pagsmile.refund!(context, paid, refundRef);
      expect(calls[0]!.url).toBe(`${API}/refund`);
      const body = JSON.parse(calls[0]!.call.body!);
      expect(body).toMatchObject({ trade_no: '2022', refund_amount: '12.01', refund_currency: 'BRL' });
      return body.out_request_no as string;
    };
    const first = await numberOf('RF-1');
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect([await numberOf('RF-1'), (await numberOf('RF-2')) === first]).toEqual([first, false]);
  });
});

const body = (change: Record<string, unknown> = {}) => ({
  trade_no: '2022',
  out_trade_no: REFERENCE,
  out_request_no: '',
  app_id: APP,
  trade_status: 'SUCCESS',
  amount: '12.01',
  method: 'Boleto',
  channel: '',
  currency: 'BRL',
  timestamp: '1645516741',
  user: { buyer_id: '' },
  ...change,
});

/** Signed here by hand, so that a mistake in `sign` cannot prove itself. */
function raw(content: unknown = body(), options: { key?: string; t?: number; between?: string } = {}): RawCallback {
  const { key = KEY, t = NOW / 1000, between = ',' } = options;
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const v2 = createHmac('sha256', key).update(bytes).digest('hex');
  const headers = { 'pagsmile-signature': `t=${t}${between}v2=${v2}` };
  return { method: 'POST', path: '/callback/pagsmile', topic: '', headers, query: {}, body: bytes, ip: '127.0.0.1' };
}
const read = (callback: RawCallback, extra: Record<string, string> = {}) =>
  pagsmile.readCallback(setUp([], extra).context, callback);

describe('notification', () => {
  test('the formula of the documentation, with a vector of our own', () => {
    const text =
      '{"trade_no":"2022022201111100011","out_trade_no":"ORDER0001","out_request_no":"","app_id":"16200000000000038","trade_status":"SUCCESS","amount":"12.01","method":"Boleto","channel":"","currency":"BRL","timestamp":"1645516741"}';
    const wanted = 'eb88ea5b4f9e5fb71f028419db1280ea4cb58328f2ccf1e4047da5486cb3f342';
    expect(sign(Buffer.from(text), KEY)).toBe(wanted);
    expect(isSignature(wanted, Buffer.from(text), ['old', KEY])).toBe(true);
    expect(isSignature(wanted, Buffer.from(`${text} `), [KEY])).toBe(false);
  });

  test.each([
    ['t=1577808000,v2=52', { t: '1577808000', v2: '52' }],
    ['t=1577808000, v2=52', { t: '1577808000', v2: '52' }],
    ['v1=00,v2=5=2,t=1', { t: '1', v2: '5=2' }],
    ['', { t: '', v2: '' }],
    [undefined, { t: '', v2: '' }],
    [',,=', { t: '', v2: '' }],
  ])('the header %j is %j', (header, parts) => {
    expect(readHeader(header)).toEqual(parts);
  });

  test.each([[','], [', ']])('a success, with %j in the header, is paid and answered success', async (between) => {
    expect(await read(raw(body(), { between }))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'success' },
      events: [
        {
          dedupKey: '2022:SUCCESS:',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: '2022',
            captureRef: '2022',
            amount: money(1201, 'BRL'),
            merchantAccount: APP,
            reason: 'SUCCESS Boleto',
          },
        },
      ],
    });
  });

  test('one cent less, another currency and another app are told as they are', async () => {
    expect(await read(raw(body({ amount: '12.00', currency: 'USD', app_id: '1' })))).toMatchObject({
      events: [{ report: { amount: money(1200, 'USD'), merchantAccount: '1' } }],
    });
    expect(pagsmile.accountOf({ APP_ID: APP })).toBe(APP);
    expect(await read(raw(body({ currency: 'XXX' })))).toMatchObject({
      events: [{ report: { status: 'paid_unreadable', amount: null } }],
    });
    expect(await read(raw(body({ amount: { BRL: 12.01 } })))).toMatchObject({
      kind: 'events',
      events: [{ report: { status: 'paid_unreadable', reference: REFERENCE } }],
      answer: { body: 'success' },
    });
  });

  test.each([
    ['PROCESSING', '', 'pending'],
    ['REFUSED', '', 'failed'],
    ['CANCEL', '', 'failed'],
    ['EXPIRED', '', 'expired'],
    ['REFUNDED', 'R1', 'refunded'],
    ['REFUND_REVOKE', 'R1', 'refund_failed'],
    ['REFUND_REFUSED', 'R1', 'refund_failed'],
    ['CHARGEBACK', '', 'chargeback'],
    ['OF_TOMORROW', '', 'unknown'],
    ['constructor', '', 'unknown'],
  ])('%s %s is %s', async (word, refundNo, status) => {
    expect(await read(raw(body({ trade_status: word, out_request_no: refundNo })))).toMatchObject({
      kind: 'events',
      events: [{ dedupKey: `2022:${word}:${refundNo}`, report: { status, amount: money(1201, 'BRL') } }],
      answer: { status: 200, body: 'success' },
    });
  });

  test('the amount of a refund may be that of the order, and no other word is in doubt', async () => {
    const reportOf = async (word: string) => {
      const reading = await read(raw(body({ trade_status: word })));
      return 'events' in reading ? reading.events[0]?.report : undefined;
    };
    expect(await reportOf('REFUNDED')).toMatchObject({ amountDoubt: 'whole' });
    for (const word of ['SUCCESS', 'CHARGEBACK', 'REFUND_REVOKE'])
      expect(await reportOf(word)).not.toHaveProperty('amountDoubt');
  });

  test.each([['DISPUTE'], ['CHARGEBACK_REVERSED'], ['REFUND_PROCESSING']])(
    '%s is accepted and ignored',
    async (word) => {
      expect(await read(raw(body({ trade_status: word })))).toMatchObject({
        kind: 'ignored',
        answer: { body: 'success' },
      });
    },
  );

  const good = raw();
  const changed = (change: (text: string) => string) => ({ ...good, body: Buffer.from(change(good.body.toString())) });
  const header = (value: string) => ({ ...good, headers: { 'pagsmile-signature': value } });
  const signature = good.headers['pagsmile-signature']!;
  test.each<[string, RawCallback]>([
    ['one cent less', changed((text) => text.replace('12.01', '12.00'))],
    ['another reference', changed((text) => text.replace(REFERENCE, `${REFERENCE}0`))],
    ['the same, written otherwise', changed((text) => JSON.stringify(JSON.parse(text), null, 1))],
    ['no header', { ...good, headers: {} }],
    ['no signature', header(`t=${NOW / 1000}`)],
    ['an empty signature', header(`t=${NOW / 1000},v2=`)],
    ['a signature cut short', header(signature.slice(0, -6))],
    ['another version', header(signature.replace('v2=', 'v1='))],
    ['another key', raw(body(), { key: 'other' })],
    ['an empty key', raw(body(), { key: '' })],
    ['a time two days ago', raw(body(), { t: NOW / 1000 - 172_800 })],
    ['a time two days ahead', raw(body(), { t: NOW / 1000 + 172_800 })],
    ['no time', header(signature.replace(/^t=\d+/, 't='))],
    ['no JSON', raw('not json')],
    ['no notification', raw('{}')],
  ])('%s is not believed', async (_name, callback) => {
    expect(await read(callback)).toMatchObject({ kind: 'invalid', answer: { status: 401 } });
  });

  test('several keys, another age and a list of addresses', async () => {
    expect((await read(good, { SECRET_KEYS: `new, ${KEY}` })).kind).toBe('events');
    expect((await read(good, { SECRET_KEYS: ',' })).kind).toBe('invalid');
    expect((await read(raw(body(), { t: NOW / 1000 - 600 }), { NOTIFY_MAX_AGE_SECONDS: '300' })).kind).toBe('invalid');
    expect((await read(good, { NOTIFY_IPS: '203.0.113.1' })).kind).toBe('invalid');
    expect((await read({ ...good, ip: '::ffff:203.0.113.1' }, { NOTIFY_IPS: '203.0.113.1' })).kind).toBe('events');
  });
});

describe('hosts', () => {
  test('follow the mode', () => {
    expect(pagsmile.apiHosts({}, 'demo')).toEqual(['gateway-test.pagsmile.com']);
    expect(pagsmile.apiHosts({}, 'live')).toEqual(['gateway.pagsmile.com']);
    expect(pagsmile.payHosts({}, 'live')).toEqual(['checkout.pagsmile.com']);
    expect(pagsmile.payHosts({ PAY_HOSTS: 'Pay.example' }, 'live')).toEqual(['pay.example']);
    expect(() => pagsmile.apiHosts({ API_BASE: 'http://x.example' }, 'live')).toThrow(/https/);
  });

  test('there is no verb that closes a trade', () => {
    expect([pagsmile.cancel, pagsmile.capture]).toEqual([undefined, undefined]);
  });
});
