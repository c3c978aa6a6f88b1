// The family's verbs with a provider that answers what a test says, as FunTap and Travellet configure it.
import type { Environment } from '#kernel/environment.ts';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type {
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  ProviderContext,
  RawCallback,
} from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { funtap } from '../funtap/provider.ts';
import { travellet } from '../travellet/provider.ts';
import { amountsOf } from './amounts.ts';
import { readOptions } from './options.ts';
import { signedText, signText } from './signature.ts';
import { readForm, readJson } from './wire.ts';

const NOW = 1_704_067_261_000;
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const BASE = {
  CREATE_URL: 'https://pay.example/create',
  QUERY_URL: 'https://pay.example/query',
  REFUND_URL: 'https://pay.example/refund',
  MERCHANT_ID: 'M1001',
  SECRET: 'test-secret',
};
const profile = { name: 'funtap', title: 'FunTap', currencies: ['VND'], defaults: {} };
const optionsOf = (extra: Record<string, string> = {}) => readOptions(profile, { ...BASE, ...extra }, 'live');

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'live') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { ...BASE, ...extra },
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
const ok = (body: unknown, status = 200) => ({ status, text: JSON.stringify(body) });
const link = { code: '0', message: 'ok', pay_url: 'https://pay.example/p/1', provider_order_no: 'P-1' };

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(50_000, 'VND'),
  productName: '60 gems',
  brandName: 'Watt',
  playerRef: 'u-1',
  playerName: 'Ann',
  country: 'VN',
  locale: 'vi',
  channelId: '',
  returnUrl: 'https://shop.example/result?a=1',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/funtap',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: true, os: 'android', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'P-1',
  captureRef: null,
  approval: null,
  amount: input.amount,
  playerRef: 'u-1',
  channelId: '',
  createdAt: NOW - 60_000,
};

/** A signed notice, or answer to a query. */
function signed(fields: Record<string, string>, extra: Record<string, string> = {}): Record<string, string> {
  const options = optionsOf(extra);
  return { ...fields, [options.names.sign]: signText(options, signedText(options, 'notify', fields)) };
}
const notice = {
  merchant_id: 'M1001',
  order_no: REFERENCE,
  provider_order_no: 'P-1',
  amount: '50000',
  currency: 'VND',
  status: 'SUCCESS',
  paid_at: '1704067260',
  timestamp: '1704067261',
  nonce: '0f1e2d3c4b5a6978',
  sign_type: 'HMAC-SHA256',
};
const paid = {
  status: 'paid',
  reference: REFERENCE,
  providerRef: null,
  captureRef: 'P-1',
  amount: money(50_000, 'VND'),
  merchantAccount: 'M1001',
  reason: 'SUCCESS',
};

function raw(fields: Record<string, string>, over: Partial<RawCallback> = {}): RawCallback {
  return {
    method: 'POST',
    path: '/callback/funtap',
    topic: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    query: {},
    body: Buffer.from(new URLSearchParams(fields).toString()),
    ip: '203.0.113.9',
    ...over,
  };
}

describe('amounts', () => {
  test.each<[string, Currency, number, Record<string, string>, string | null]>([
    ['minor_int', 'VND', 50_000, {}, '50000'],
    ['minor_int', 'USD', 5, {}, '5'],
    ['minor_int', 'USD', 499, {}, '499'],
    ['minor_int', 'IDR', 7_900_000, { IDR: '0' }, '79000'],
    ['minor_int', 'IDR', 50, { IDR: '0' }, null],
    ['major_decimal', 'USD', 5, {}, '0.05'],
    ['major_decimal', 'TWD', 15_050, {}, '150.50'],
    ['major_decimal', 'KRW', 5900, {}, '5900'],
    ['major_decimal', 'JPY', 120, {}, '120'],
    ['major_decimal', 'TWD', 15_000, { TWD: '0' }, '150'],
    ['major_decimal', 'USD', 0, {}, null],
    ['major_decimal', 'EUR', 100, {}, null],
  ])('%s: %s %i with %j is written %s', (format, currency, amountMinor, decimals, text) => {
    const amounts = amountsOf({
      title: 'Any',
      amountFormat: format as 'minor_int' | 'major_decimal',
      currencies: ['VND', 'USD', 'IDR', 'TWD', 'KRW', 'JPY'] as const,
      decimals: Object.fromEntries(Object.entries(decimals).map(([code, digits]) => [code, Number(digits)])),
    });
    expect(amounts.write(money(amountMinor, currency))).toBe(text);
    expect(text === null || amounts.read(text, currency)).toEqual(text === null || money(amountMinor, currency));
  });

  test.each(['4.99', '-1', '1e3', '', ' 5', '9999999999999999'])('%j is no whole amount', (text) => {
    expect(amountsOf(optionsOf()).read(text, 'VND')).toBeNull();
    expect(amountsOf(optionsOf()).read('5', 'XXX')).toBeNull();
  });
});

describe('create', () => {
  test('FunTap gets a signed form', async () => {
    const { context, calls } = setUp([ok(link)]);
    expect(await funtap.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://pay.example/p/1',
      providerRef: 'P-1',
    });
    const { url, call } = calls[0]!;
    expect([url, call.method, call.headers?.['content-type']]).toEqual([
      BASE.CREATE_URL,
      'POST',
      'application/x-www-form-urlencoded',
    ]);
    const { sign, nonce, ...sent } = readForm(call.body!)!;
    expect(sent).toEqual({
      merchant_id: 'M1001',
      order_no: REFERENCE,
      amount: '50000',
      currency: 'VND',
      product_name: '60 gems',
      user_id: 'u-1',
      return_url: input.returnUrl,
      notify_url: input.notifyUrl,
      timestamp: '1704067261',
      sign_type: 'HMAC-SHA256',
    });
    expect(nonce).toMatch(/^[0-9a-f]{16}$/);
    expect(sign).toBe(signText(optionsOf(), signedText(optionsOf(), 'create', { ...sent, nonce: nonce! })));
  });

  test('Travellet gets JSON in decimals, only in currencies of its contract', async () => {
    const { context, calls } = setUp([ok(link)], { CURRENCIES: 'USD,TWD' });
    await travellet.create(context, { ...input, amount: money(15_050, 'TWD') });
    expect(JSON.parse(calls[0]!.call.body!)).toMatchObject({ amount: '150.50', currency: 'TWD' });
    expect((await travellet.create(context, { ...input, amount: money(499, 'EUR') })).kind).toBe('refused');
    expect(calls).toHaveLength(1);
  });

  test('a browser is sent there itself, with their names and nothing empty', async () => {
    const extra = {
      MODE: 'browser_redirect',
      FIELD_MAP: 'order_no=orderId,sign=mac',
      CREATE_URL: 'https://pay.example/go?v=1',
    };
    const { context, calls } = setUp([], extra);
    const outcome = await funtap.create(context, { ...input, productName: '' });
    expect(outcome).toMatchObject({ kind: 'redirect', providerRef: REFERENCE });
    const url = new URL(outcome.kind === 'redirect' ? outcome.url : '');
    const { mac, v, ...sent } = Object.fromEntries(url.searchParams);
    expect([url.host, v, sent['orderId'], 'product_name' in sent]).toEqual(['pay.example', '1', REFERENCE, false]);
    expect(mac).toBe(signText(optionsOf(extra), signedText(optionsOf(extra), 'create', sent)));
    expect(calls).toEqual([]);
  });

  test.each<[string, Reply, string, Record<string, string>?]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', ok({ code: '9' }, 500), 'unknown'],
    ['HTML', { status: 200, text: '<html>' }, 'unknown'],
    ['nothing', { status: 200, text: '' }, 'unknown'],
    ['a refusal', ok({ code: '12', message: 'no' }), 'refused'],
    ['a number that was used before', ok({ code: '77' }), 'unknown', { DUPLICATE_CODES: '77' }],
    ['no link', ok({ code: '0' }), 'unknown'],
    ['a foreign link', ok({ ...link, pay_url: 'https://evil.example/p/1' }), 'unknown'],
    ['a link without https', ok({ ...link, pay_url: 'http://pay.example/p/1' }), 'unknown'],
    [
      'a link to a host of PAY_HOSTS',
      ok({ ...link, pay_url: 'https://p2.example/p/1' }),
      'redirect',
      { PAY_HOSTS: 'P2.example' },
    ],
    ['a code that is a number', { status: 200, text: JSON.stringify({ ...link, code: 0 }) }, 'redirect'],
  ])('%s ends as it must', async (_name, reply, kind, extra) => {
    expect((await funtap.create(setUp([reply], extra).context, input)).kind).toBe(kind);
  });
});

describe('notices', () => {
  const accepted = { status: 200, contentType: 'text/plain', body: 'success' };
  const refused = { status: 400, contentType: 'text/plain', body: 'fail' };
  const read = (given: RawCallback, extra?: Record<string, string>, replies: Reply[] = []) =>
    funtap.readCallback(setUp(replies, extra).context, given);

  test('a signed one is told as it is', async () => {
    const reading = await read(raw(signed(notice)));
    expect(reading).toEqual({
      kind: 'events',
      events: [{ dedupKey: `${REFERENCE}:P-1:SUCCESS`, report: paid }],
      answer: accepted,
    });
  });

  test('JSON is read with numbers as they were written', async () => {
    const fields = signed({ ...notice, amount: '50000', provider_order_no: '12345678901234567890' });
    const body = JSON.stringify(fields)
      .replace('"50000"', '50000')
      .replace('"12345678901234567890"', '12345678901234567890');
    const reading = await read(
      raw({}, { headers: { 'content-type': 'application/json; charset=utf-8' }, body: Buffer.from(body) }),
    );
    expect(reading).toMatchObject({ events: [{ report: { ...paid, captureRef: '12345678901234567890' } }] });
  });

  test.each([
    ['SUCCESS', 'paid'],
    ['FAIL', 'failed'],
    ['CANCEL', 'failed'],
    ['EXPIRED', 'expired'],
    ['REFUNDED', 'refunded'],
    ['WAITING', 'pending'],
    ['success', 'unknown'],
    ['TOMORROW', 'unknown'],
    ['', 'unknown'],
  ])('the word %j is %s', async (word, status) => {
    expect(await read(raw(signed({ ...notice, status: word })))).toMatchObject({ events: [{ report: { status } }] });
  });

  test.each<[string, Record<string, string>, object]>([
    ['one unit less', { amount: '49999' }, { amount: money(49_999, 'VND') }],
    ['another currency', { currency: 'USD' }, { amount: money(50_000, 'USD') }],
    ['an amount that is none', { amount: '5e4' }, { amount: null, status: 'paid_unreadable' }],
    ['another merchant', { merchant_id: 'M2' }, { merchantAccount: 'M2' }],
    ['another order', { order_no: 'X' }, { reference: 'X' }],
  ])('%s is told as it is', async (_name, over, report) => {
    expect(await read(raw(signed({ ...notice, ...over })))).toMatchObject({ events: [{ report }] });
  });

  test('each refunded part has a key of its own, a repetition the same, and so has a refund by its number', async () => {
    const keyOf = async (over: Record<string, string>) => {
      const reading = await read(raw(signed({ ...notice, status: 'REFUNDED', ...over })));
      return 'events' in reading ? reading.events[0]?.dedupKey : reading;
    };
    const keys = [
      await keyOf({ amount: '20000' }),
      await keyOf({ amount: '30000' }),
      await keyOf({ amount: '30000', refund_no: 'R-1' }),
      await keyOf({ amount: '30000', refund_no: 'R-2' }),
      await keyOf({ status: 'SUCCESS' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(await keyOf({ amount: '20000', timestamp: notice.timestamp })).toBe(keys[0]);
    expect(await keyOf({ amount: '30000', refund_no: 'R-2' })).toBe(keys[3]);
    // Of what is no refund the amount is no part of the key: a payment is told once.
    expect(await keyOf({ status: 'SUCCESS', amount: '1' })).toBe(keys[4]);
  });

  test('a refund without its number is in doubt as a part', async () => {
    const reportOf = async (over: Record<string, string>) => {
      const reading = await read(raw(signed({ ...notice, ...over })));
      return 'events' in reading ? reading.events[0]?.report : undefined;
    };
    expect(await reportOf({ status: 'REFUNDED' })).toMatchObject({ amountDoubt: 'part' });
    expect(await reportOf({ status: 'REFUNDED', refund_no: 'R-1' })).not.toHaveProperty('amountDoubt');
    expect(await reportOf({})).not.toHaveProperty('amountDoubt');
  });

  const good = signed(notice);
  test.each<[string, RawCallback, Record<string, string>?]>([
    ['no signature', raw(notice)],
    ['an empty signature', raw({ ...notice, sign: '' })],
    ['another amount', raw({ ...good, amount: '1' })],
    ['a field more', raw({ ...good, more: 'x' })],
    ['another algorithm in the message', raw(signed({ ...notice, sign_type: 'MD5' }))],
    ['a field twice, the signed one last', raw({}, { body: Buffer.from(`amount=1&${raw(good).body.toString()}`) })],
    ['another content type', raw(good, { headers: { 'content-type': 'text/xml' } })],
    ['GET', raw({}, { method: 'GET', query: good })],
    ['too much', raw({ ...good, more: 'x'.repeat(70_000) })],
    ['an address off the list', raw(good), { IP_ALLOW: '203.0.113.1, 203.0.113.2' }],
    ['another hour, with nobody to ask', raw(signed({ ...notice, timestamp: '1704060000' })), { QUERY_URL: '' }],
    ['nested JSON', raw({}, { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":{"b":1}}') })],
  ])('%s is not believed', async (_name, given, extra) => {
    expect(await read(given, extra)).toMatchObject({ kind: 'invalid', answer: refused });
  });

  test('the address on the list, GET where the contract writes queries, and no clock where it is off', async () => {
    expect((await read(raw(good), { IP_ALLOW: '203.0.113.9' })).kind).toBe('events');
    expect((await read(raw({}, { method: 'GET', query: good }), { ENCODING: 'query' })).kind).toBe('events');
    const old = raw(signed({ ...notice, timestamp: '1704060000' }));
    expect(await read(old, { QUERY_URL: '', MAX_SKEW_S: '0' })).toMatchObject({ events: [{ report: paid }] });
  });

  test('an old one is asked about, under a key of its own', async () => {
    const old = raw(signed({ ...notice, timestamp: '1704060000' }));
    const reading = await read(old, {}, [ok(signed(notice))]);
    expect(reading).toMatchObject({ events: [{ report: paid, dedupKey: `${REFERENCE}:P-1:SUCCESS:asked:paid` }] });
    expect(await read(old, {}, [ok({ code: '4' })])).toMatchObject({ events: [{ report: { status: 'unknown' } }] });
    expect(await read(old, {}, [new OutboundError('timeout', true, 'late')])).toMatchObject({ kind: 'unavailable' });
  });

  test('their own words, names and texts', async () => {
    const extra = {
      FIELD_MAP: 'order_no=orderId,amount=money,status=state,sign=mac',
      STATUS_MAP: '1=paid,2=failed',
      ACK_OK: 'OK\n',
      ACK_CONTENT_TYPE: 'text/html',
    };
    const fields = { orderId: REFERENCE, money: '50000', state: '1', timestamp: '1704067261' };
    expect(await read(raw(signed(fields, extra)), extra)).toMatchObject({
      events: [{ report: { status: 'paid', reference: REFERENCE, amount: money(50_000, 'VND') } }],
      answer: { status: 200, contentType: 'text/html', body: 'OK\n' },
    });
  });
});

describe('query and refund', () => {
  test('a signed answer is believed, a wrongly signed one is none', async () => {
    const { context, calls } = setUp([ok(signed(notice)), ok({ ...signed(notice), amount: '1' })]);
    expect(await funtap.query(context, payment)).toEqual(paid);
    expect((await funtap.query(context, payment)).status).toBe('unknown');
    const sent = readForm(calls[0]!.call.body!)!;
    expect(sent).toMatchObject({ merchant_id: 'M1001', order_no: REFERENCE });
    expect(sent['sign']).toBe(signText(optionsOf(), signedText(optionsOf(), 'query', sent)));
  });

  test.each<[string, Reply, string]>([
    ['unsigned', ok(notice), 'paid'],
    ['without an amount', ok({ ...notice, amount: '' }), 'paid_unreadable'],
    ['a refusal', ok({ code: '4', message: 'none' }), 'unknown'],
    ['500', ok(notice, 500), 'unknown'],
    ['HTML', { status: 200, text: '<html>' }, 'unknown'],
  ])('%s', async (_name, reply, status) => {
    expect((await funtap.query(setUp([reply]).context, payment)).status).toBe(status);
  });

  test('an unknown order is pending by the codes of the contract alone', async () => {
    const { context } = setUp([ok({ code: '4', message: 'none' })], { NOT_FOUND_CODES: '4' });
    expect((await funtap.query(context, payment)).status).toBe('pending');
  });

  test('it throws when nobody answers, and asks nobody without an address', async () => {
    const lost = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(funtap.query(lost.context, payment)).rejects.toThrow(OutboundError);
    const { context, calls } = setUp([], { QUERY_URL: '' });
    expect((await funtap.query(context, payment)).status).toBe('pending');
    expect(calls).toEqual([]);
  });

  test.each<[string, string, Reply, Record<string, string>?]>([
    ['done', 'the code of success', ok({ code: '0', provider_order_no: 'R-1' })],
    ['done', 'with a word', ok({ code: '0', status: 'REFUNDED', provider_order_no: 'R-1' })],
    ['done', 'the amount that was asked', ok({ code: '0', amount: '50000' })],
    ['failed', 'another amount', ok({ code: '0', status: 'REFUNDED', amount: '20000' })],
    ['failed', 'another currency', ok({ code: '0', amount: '50000', currency: 'USD' })],
    ['pending', 'with a word of waiting', ok({ code: '0', status: 'WAITING' })],
    ['unknown', 'with a word nobody knows', ok({ code: '0', status: 'WAIT' })],
    ['failed', 'with a word of failure', ok({ code: '0', status: 'FAIL' })],
    ['failed', 'a refusal', ok({ code: '5', message: 'no' })],
    ['unknown', 'a number used before', ok({ code: '77' }), { DUPLICATE_CODES: '77' }],
    ['unknown', '500', ok({ code: '0' }, 500)],
    ['unknown', 'HTML', { status: 200, text: '<html>' }],
    ['unknown', 'a timeout', new OutboundError('timeout', true, 'late')],
  ])('a refund is %s on %s', async (status, _name, reply, extra) => {
    const { context, calls } = setUp([reply], extra);
    expect((await funtap.refund!(context, payment, 'RF-1')).status).toBe(status);
    expect(readForm(calls[0]!.call.body!)).toMatchObject({ order_no: REFERENCE, refund_no: 'RF-1', amount: '50000' });
  });

  test('without a refund call a person does it', async () => {
    const { context } = setUp([], { REFUND_URL: '' });
    expect(await funtap.refund!(context, payment, 'RF-1')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('console'),
    });
  });
});

test('JSON that is no flat object is none', () => {
  for (const text of ['', '[]', 'null', '1', '{"a":[1]}', '{"a":{}}', '{']) expect(readJson(text)).toBeNull();
  expect(readJson('{"a":1.50,"b":true,"c":null,"d":"x"}')).toEqual({ a: '1.50', b: 'true', c: '', d: 'x' });
});

test.each<[PaymentProvider, string[]]>([
  [funtap, ['CREATE_URL', 'MERCHANT_ID', 'SECRET']],
  [travellet, ['CREATE_URL', 'MERCHANT_ID', 'SECRET', 'CURRENCIES']],
])('$name is off until its contract is set', (provider, required) => {
  expect(provider.settings.filter((one) => one.isRequired).map((one) => one.name)).toEqual(required);
  expect(provider.settings.filter((one) => one.isSecret).map((one) => one.name)).toEqual(['SECRET']);
  expect(() => provider.apiHosts({}, 'live')).toThrow('are needed');
  expect(provider.apiHosts({ ...BASE, CURRENCIES: 'USD' }, 'live')).toContain('pay.example');
  expect(provider.accountOf(BASE)).toBe('M1001');
});

test('FunTap takes dong alone', () => {
  expect(['VND', 'USD', 'EUR'].filter((one) => funtap.supportsCurrency(one as Currency))).toEqual(['VND']);
});
