// MyCard: hashes of both styles, the three calls, confirmation and its doubts, what MyCard's server sends.
import type { Environment } from '#kernel/environment.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type {
  CreatePayment,
  KnownPayment,
  ProviderContext,
  RawCallback,
  StatementLine,
} from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, writeAmount } from './amounts.ts';
import { encodeLikeDotNet, hashOf, isHash } from './hash.ts';
import { mycard } from './provider.ts';
import { type HashStyle, hashStyle } from './settings.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const KEY = 'TestKeyABC123';
const API = 'https://testb2b.mycard520.com.tw/MyBillingPay/v1.6';
const PAGE = 'https://test.mycard520.com.tw/MyCardPay/?AuthCode=AUTHCODE123';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest; form: URLSearchParams }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { FAC_SERVICE_ID: 'TESTFAC', KEY, FAC_GAME_ID: 'GAME01', ...extra },
    now: () => NOW,
    cache: new Map(),
    outbound: async (url, call) => {
      calls.push({ url, call, form: new URLSearchParams(call.body) });
      const reply = replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { ...reply, headers: {} };
    },
  };
  return { context, calls };
}

const ok = (body: unknown, status = 200): Reply => ({ status, text: JSON.stringify(body) });
const html: Reply = { status: 200, text: '<html>busy</html>' };
const late = new OutboundError('timeout', true, 'late');

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(15_000, 'TWD'),
  productName: "60 Embers <'~!*()> 餘燼",
  brandName: 'Watt & Co',
  playerRef: '5f2c8f5e-0a3c-4a34-9d8e-0a8f5e5f2c8f',
  playerName: 'Ann',
  country: 'TW',
  locale: 'zh-TW',
  channelId: 'INGAME',
  returnUrl: `https://shop.example/return/mycard?ref=${REFERENCE}`,
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/mycard',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'AUTHCODE123:KOF2601020001',
  captureRef: null,
  approval: null,
  amount: input.amount,
  playerRef: input.playerRef,
  channelId: 'INGAME',
  createdAt: NOW - 60_000,
};
const auth = (extra = {}) => ({
  ReturnCode: '1',
  ReturnMsg: '',
  AuthCode: 'AUTHCODE123',
  TradeSeq: 'KOF2601020001',
  InGameSaveType: '2',
  TransactionUrl: PAGE,
  ...extra,
});
const trade = (extra = {}) => ({
  ReturnCode: '1',
  ReturnMsg: 'QueryOK',
  PayResult: '3',
  FacTradeSeq: REFERENCE,
  PaymentType: 'INGAME',
  Amount: '150.00',
  Currency: 'TWD',
  MyCardTradeNo: 'MCTEST00000001',
  MyCardType: '2',
  PromoCode: 'A0000',
  SerialId: '',
  ...extra,
});

describe('hash', () => {
  // Computed by two implementations apart; MyCard publishes none with its key.
  const authValues = [
    'TESTFAC', 'FT20260101000001', 'GAME01', 'TestGame', '2', 's1', 'player_1', '', '', 'Gold Pack 100', '150', 'TWD', 'true',
    'https://pay.example.com/mycard/return',
  ]; /* a row a line */ // prettier-ignore
  const returnValues = ['1', '3', 'FT20260101000001', 'INGAME', '150', 'TWD', 'MCTEST00000001', '2', 'A0000'];
  test.each<[string, string[], HashStyle, string]>([
    ['AuthGlobal', authValues, 'lower', '00e471529ce6d6ed773fe93636c4c25a84b008f98d9aaa6f1467d3c606a5c396'],
    ['AuthGlobal', authValues, 'escapes', '8b8aed96d25a9b08b6eb7bf0d6cec21299fa37ab7ef68a2f07bc152589ecf2df'],
    ['the return', returnValues, 'lower', '8c2fc2320b2379dbb15b56a4c585790a122bdf2d2f2971a38e5ece6adf75d544'],
    ['the return', returnValues, 'escapes', '30bb87a2c493fe304fa180806fbd9fb7749db861cfa8a3b8f0196d60ddff9978'],
    [
      'IngamePay',
      ['AUTHCODE123', 'MCTEST00000001', 'PW1234567890'],
      'lower',
      'be0f0bc51e85c1bf074cdf42c198caf4d200ac0020dd363c71c83b089548a595',
    ],
    [
      'IngamePay',
      ['AUTHCODE123', 'MCTEST00000001', 'PW1234567890'],
      'escapes',
      'e6344bc43073e5a2366730f76e11d29199a7e2117cd5a70c9c077b61f251adfd',
    ],
  ])('of %s, %#: %s', (_name, values, style, hash) => {
    expect(hashOf(values, KEY, style)).toBe(hash);
    expect(isHash(hash.toUpperCase(), values, KEY, style)).toBe(true);
    expect(isHash(hash, [...values, 'x'], KEY, style)).toBe(false);
    expect(isHash(hash.slice(0, -1), values, KEY, style)).toBe(false);
  });

  test('encodes as .NET does', () => {
    expect(encodeLikeDotNet("aZ0-_.!*() '~/:+@金\ud800")).toBe('aZ0-_.!*()+%27%7e%2f%3a%2b%40%e9%87%91%ef%bf%bd');
  });

  test('with an empty key anybody could hash', () => {
    expect(isHash(hashOf(['1'], '', 'lower'), ['1'], '', 'lower')).toBe(false);
  });

  test.each([
    ['', 'lower'],
    ['v1.2', 'lower'],
    ['v1.1', 'escapes'],
    ['api', 'escapes'],
  ])('version %j hashes by %s, unless it is set', (PATH_VERSION, style) => {
    expect(hashStyle({ PATH_VERSION })).toBe(style);
    expect(hashStyle({ PATH_VERSION, HASH_STYLE: 'escapes' })).toBe('escapes');
  });
});

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['TWD', 15_000, '150'],
    ['TWD', 3300, '33'],
    ['TWD', 15_050, null],
    ['TWD', 1, null],
    ['TWD', 0, null],
    ['TWD', -15_000, null],
    ['HKD', 3800, '38'],
    ['HKD', 3850, '38.50'],
    ['USD', 499, '4.99'],
    ['USD', 1, '0.01'],
    ['JPY', 120, null],
    ['EUR', 499, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(text);
    expect(mycard.supportsCurrency(currency)).toBe(!['JPY', 'EUR'].includes(currency));
    expect(readAmount(text ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([
    ['150.00', 'TWD', money(15_000, 'TWD')],
    ['150.5', 'TWD', money(15_050, 'TWD')],
    ['-150', 'TWD', null],
    ['1e2', 'TWD', null],
    ['', 'TWD', null],
    ['150', 'XXX', null],
    [undefined, 'TWD', null],
    ['150', undefined, null],
  ])('%j %s is read as %j', (text, currency, read) => {
    expect(readAmount(text, currency)).toEqual(read);
  });
});

describe('create', () => {
  test('asks for an AuthCode with all fields in order, hashed', async () => {
    const { context, calls } = setUp([ok(auth())]);
    expect(await mycard.create(context, input)).toEqual({
      kind: 'redirect',
      url: PAGE,
      providerRef: 'AUTHCODE123:KOF2601020001',
    });
    const { url, call, form } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/AuthGlobal`]);
    expect(call.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
    const { Hash, ...fields } = Object.fromEntries(form);
    expect(Object.entries(fields)).toEqual(
      Object.entries({
        FacServiceId: 'TESTFAC',
        FacTradeSeq: REFERENCE,
        FacGameId: 'GAME01',
        FacGameName: 'Watt Co',
        TradeType: '2',
        ServerId: '',
        CustomerId: input.playerRef,
        PaymentType: 'INGAME',
        ItemCode: '',
        ProductName: '60 Embers 餘燼',
        Amount: '150',
        Currency: 'TWD',
        SandBoxMode: 'true',
        FacReturnURL: input.returnUrl,
      }),
    );
    expect(Hash).toBe(hashOf(Object.values(fields), KEY, 'lower'));
  });

  test.each(['COSTPOINT', ''])('the channel %j says what the player may pay with', async (channelId) => {
    const { context, calls } = setUp([ok(auth())]);
    await mycard.create(context, { ...input, channelId });
    expect(calls[0]!.form.get('PaymentType')).toBe(channelId);
  });

  test.each<[string, boolean, boolean]>([
    ['api', false, false],
    ['v1.1', false, true],
    ['v1.2', true, true],
  ])('version %s knows of games: %s, of a return address: %s', async (PATH_VERSION, hasGame, hasReturn) => {
    const { context, calls } = setUp([ok(auth())], { PATH_VERSION });
    await mycard.create(context, input);
    const { url, form } = calls[0]!;
    expect(url).toBe(`https://testb2b.mycard520.com.tw/MyBillingPay/${PATH_VERSION}/AuthGlobal`);
    expect([form.has('FacGameId'), form.has('FacGameName'), form.has('FacReturnURL')]).toEqual([
      hasGame,
      hasGame,
      hasReturn,
    ]);
    const values = [...form].filter(([name]) => name !== 'Hash').map(([, value]) => value);
    expect(form.get('Hash')).toBe(hashOf(values, KEY, hasGame ? 'lower' : 'escapes'));
  });

  test('without TransactionUrl the page is made of the AuthCode, and the live side says so', async () => {
    const { context, calls } = setUp([ok(auth({ TransactionUrl: '' }))], {}, 'live');
    expect(await mycard.create(context, input)).toMatchObject({
      url: 'https://www.mycard520.com.tw/MyCardPay/?AuthCode=AUTHCODE123',
    });
    expect(calls[0]!.url).toBe('https://b2b.mycard520.com.tw/MyBillingPay/v1.6/AuthGlobal');
    expect(calls[0]!.form.get('SandBoxMode')).toBe('false');
  });

  test.each<[string, Reply, string]>([
    ['a timeout', late, 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', ok(auth(), 500), 'unknown'],
    ['an HTML page', html, 'unknown'],
    ['403 of somebody between', { status: 403, text: '<html>' }, 'unknown'],
    ['no AuthCode', ok(auth({ AuthCode: '' })), 'unknown'],
    ['a foreign page', ok(auth({ TransactionUrl: 'https://evil.example/?AuthCode=1' })), 'unknown'],
    ['a page with a name in it', ok(auth({ TransactionUrl: 'https://a@test.mycard520.com.tw/' })), 'unknown'],
    ['plain http', ok(auth({ TransactionUrl: 'http://www.mycard520.com.tw/' })), 'unknown'],
    ['a no', ok({ ReturnCode: 'MBP003', ReturnMsg: '%25E5%25A4%25B1%25E6%2595%2597' }), 'refused'],
    ['a number as code', ok(auth({ ReturnCode: 1 })), 'redirect'],
    ['a card form on our page', ok(auth({ InGameSaveType: '1' })), 'refused'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await mycard.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('the reason of a no is readable, however often it was encoded', async () => {
    const { context } = setUp([ok({ ReturnCode: 'MBP003', ReturnMsg: '%25E5%25A4%25B1%25E6%2595%2597' })]);
    expect(await mycard.create(context, input)).toEqual({ kind: 'refused', reason: 'MyCard refused: MBP003 失敗' });
  });

  test('an amount MyCard cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await mycard.create(context, { ...input, amount: money(15_050, 'TWD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('query', () => {
  test('a paid trade waits for our confirmation', async () => {
    const { context, calls } = setUp([ok(trade())]);
    expect(await mycard.query(context, payment)).toEqual({
      status: 'approved',
      reference: REFERENCE,
      providerRef: payment.providerRef,
      captureRef: 'MCTEST00000001:INGAME',
      amount: money(15_000, 'TWD'),
      merchantAccount: null,
      reason: '1 QueryOK PayResult 3',
    });
    expect(calls[0]!.url).toBe(`${API}/TradeQuery`);
    expect(calls[0]!.call.body).toBe('AuthCode=AUTHCODE123');
  });

  test('and is paid once the confirmation is booked', async () => {
    const confirmed = { ...payment, captureRef: 'MCTEST00000001:INGAME' };
    expect((await mycard.query(setUp([ok(trade())]).context, confirmed)).status).toBe('paid');
  });

  test.each<[string, Reply]>([
    ['PayResult 0', ok(trade({ PayResult: '0' }))],
    ['no result', ok(trade({ PayResult: undefined, MyCardTradeNo: '' }))],
    ['ReturnCode alone', ok({ ReturnCode: '1' })],
  ])('%s is pending, and tells no amount', async (_name, reply) => {
    const report = await mycard.query(setUp([reply]).context, payment);
    expect([report.status, report.amount, report.captureRef]).toEqual(['pending', null, null]);
  });

  test.each<[string, Reply]>([
    ['a result nobody knows', ok(trade({ PayResult: '7' }))],
    ['a number of a payment without a result', ok(trade({ PayResult: undefined }))],
    ['a code with a result', ok(trade({ ReturnCode: 'MBP005' }))],
    ['500', ok(trade(), 500)],
    ['HTML', html],
    ['an array', ok([])],
  ])('%s is not understood', async (_name, reply) => {
    const report = await mycard.query(setUp([reply]).context, payment);
    expect([report.status, report.amount, report.captureRef]).toEqual(['unknown', null, null]);
  });

  test.each([[''], ['many'], [{ TWD: 150 }]])('paid with the amount %j cannot be read', async (Amount) => {
    const report = await mycard.query(setUp([ok(trade({ Amount }))]).context, payment);
    expect(report).toMatchObject({ status: 'paid_unreadable', raw: expect.stringContaining('PayResult') });
  });

  test.each([
    ['a card of another value', { Amount: '50' }, money(5000, 'TWD')],
    ['one dollar less', { Amount: '149.00' }, money(14_900, 'TWD')],
    ['another currency', { Currency: 'HKD' }, money(15_000, 'HKD')],
    ['a currency nobody knows', { Currency: 'XXX' }, null],
  ])('%s is told as it is', async (_name, extra, amount) => {
    expect((await mycard.query(setUp([ok(trade(extra))]).context, payment)).amount).toEqual(amount);
  });

  test('throws when MyCard cannot be reached, and says nothing without an AuthCode', async () => {
    await expect(mycard.query(setUp([late]).context, payment)).rejects.toThrow(OutboundError);
    expect((await mycard.query(setUp([]).context, { ...payment, providerRef: null })).status).toBe('pending');
  });
});

describe('capture', () => {
  const take = async (replies: Reply[], extra: Record<string, string> = {}, known = payment) => {
    const { context, calls } = setUp(replies, extra);
    const report = await mycard.capture!(context, known);
    return { report, calls: calls.map(({ url }) => url.slice(API.length + 1)) };
  };
  const yes = ok({ ReturnCode: '1', ReturnMsg: 'OK', FacTradeSeq: REFERENCE, TradeSeq: 'KOF2601020001' });
  const no = ok({ ReturnCode: 'MBP099', ReturnMsg: 'No' });

  test('asks, confirms, and only then is it paid', async () => {
    const { report, calls } = await take([ok(trade()), yes]);
    expect(calls).toEqual(['TradeQuery', 'PaymentConfirm']);
    expect(report).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      captureRef: 'MCTEST00000001:INGAME',
      amount: money(15_000, 'TWD'),
    });
  });

  test('a card of another value is confirmed and told with its own amount', async () => {
    const { report } = await take([ok(trade({ Amount: '50' })), yes]);
    expect(report).toMatchObject({ status: 'paid', amount: money(5000, 'TWD') });
  });

  test.each<[string, Reply[], string]>([
    ['unpaid', [ok(trade({ PayResult: '0' }))], 'pending'],
    ['not known', [html], 'unknown'],
    ['paid with no amount', [ok(trade({ Amount: '' }))], 'paid_unreadable'],
  ])('a trade that is %s is not confirmed', async (_name, replies, status) => {
    const { report, calls } = await take(replies);
    expect([report.status, calls]).toEqual([status, ['TradeQuery']]);
  });

  test('a trade that names another order is not confirmed, and differs from what was asked', async () => {
    const { report, calls } = await take([ok(trade({ FacTradeSeq: `${REFERENCE}0` }))]);
    expect([report.status, calls]).toEqual(['paid', ['TradeQuery']]);
    expect(report.reference).not.toBe(REFERENCE);
  });

  test('what is booked already is not confirmed again', async () => {
    const { report, calls } = await take([ok(trade())], {}, { ...payment, captureRef: 'MCTEST00000001:INGAME' });
    expect([report.status, calls]).toEqual(['paid', ['TradeQuery']]);
  });

  test.each<[string, Reply]>([
    ['500', ok({}, 500)],
    ['HTML', html],
    ['nothing', { status: 200, text: '' }],
  ])('%s in answer to the confirmation is a doubt, with no second confirmation', async (_name, reply) => {
    const { report, calls } = await take([ok(trade()), reply]);
    expect([report.status, calls]).toEqual(['unknown', ['TradeQuery', 'PaymentConfirm']]);
  });

  test('a confirmation without an answer throws, for the shop to ask again', async () => {
    await expect(take([ok(trade()), late])).rejects.toThrow(OutboundError);
  });

  test('"confirmed before" is paid, where the operator has told the code', async () => {
    expect((await take([ok(trade()), no], { CONFIRMED_CODES: 'MBP098, MBP099' })).report.status).toBe('paid');
    expect((await take([ok(trade()), no], { CONFIRMED_CODES: 'MBP09' })).report.status).toBe('unknown');
  });

  test('a refusal that stays goes to a person', async () => {
    const old = { ...payment, createdAt: NOW - 16 * 60_000 };
    expect((await take([ok(trade()), no], {}, old)).report).toMatchObject({
      status: 'paid_unreadable',
      reason: 'confirmation refused: MBP099 No',
      raw: expect.stringContaining('MBP099'),
    });
  });
});

function raw(topic: string, fields: Record<string, string>, ip = '218.32.37.148'): RawCallback {
  const body = Buffer.from(new URLSearchParams(fields).toString());
  return { method: 'POST', path: `/callback/mycard/${topic}`, topic, headers: {}, query: {}, body, ip };
}

describe('return', () => {
  const signed = {
    ReturnCode: '1',
    PayResult: '3',
    FacTradeSeq: REFERENCE,
    PaymentType: 'INGAME',
    Amount: '150',
    Currency: 'TWD',
    MyCardTradeNo: 'MCTEST00000001',
    MyCardType: '2',
    PromoCode: 'A0000',
  };
  /** Hashed here by hand, so that a mistake in hash.ts cannot prove itself: nothing in these values needs an escape. */
  const hash = (values: object, key = KEY) =>
    createHash('sha256')
      .update((Object.values(values).join('') + key).toLowerCase())
      .digest('hex');
  const back = (fields: Record<string, string>, userAgent: string) =>
    mycard.readReturn!(setUp([]).context, { ...raw('', fields), headers: { 'user-agent': userAgent } }, payment);
  const good = { ...signed, ReturnMsg: 'x', SerialId: '', Hash: hash(signed) };

  test("of the player's browser is never an approval", () => {
    expect(back(good, 'Mozilla/5.0')).toEqual({ approval: null });
  });

  test("of MyCard's server is answered 200, and is no approval either", () => {
    expect(back(good, 'MyCardGlobalBilling/1.0')).toEqual({
      approval: null,
      answer: { status: 200, contentType: 'text/plain', body: 'OK' },
    });
  });

  test.each<[string, Record<string, string>]>([
    ['another amount', { ...good, Amount: '15' }],
    ['another result', { ...good, PayResult: '0' }],
    ['another card', { ...good, MyCardTradeNo: 'MCTEST00000002' }],
    ['no hash', { ...good, Hash: '' }],
    ['a cut hash', { ...good, Hash: good.Hash.slice(1) }],
    ['another key', { ...good, Hash: hash(signed, 'TestKeyABC124') }],
    ['another order', { ...good, FacTradeSeq: 'X-1', Hash: hash({ ...signed, FacTradeSeq: 'X-1' }) }],
    ['nothing', {}],
  ])('with %s is not answered so', (_name, fields) => {
    expect(back(fields, 'MyCardGlobalBilling/1.0').answer?.status).toBe(403);
  });
});

describe('make-up notice', () => {
  const notice = {
    ReturnCode: '1',
    ReturnMsg: 'QueryOK',
    FacServiceId: 'TESTFAC',
    TotalNum: 2,
    FacTradeSeq: ['A-1', 'B-1'],
  };
  const read = (data: unknown, ip?: string, extra = {}) =>
    mycard.readCallback(setUp([], extra).context, raw('makeup', { DATA: JSON.stringify(data) }, ip));

  test('makes the shop ask for each number', async () => {
    const reading = await read(notice);
    expect(reading).toMatchObject({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'OK' },
      events: ['A-1', 'B-1'].map((reference) => ({
        dedupKey: `makeup:${reference}`,
        report: { status: 'approved', reference, amount: null, captureRef: null, merchantAccount: 'TESTFAC' },
      })),
    });
    expect(await read(notice)).toEqual(reading);
    expect(mycard.accountOf({ FAC_SERVICE_ID: 'TESTFAC' })).toBe('TESTFAC');
  });

  test.each<[string, unknown]>([
    ['another service', { ...notice, FacServiceId: 'OTHER' }],
    ['no service', { ...notice, FacServiceId: undefined }],
    ['a number that is none', { ...notice, FacTradeSeq: ['A-1', "B'1"] }],
    ['no list', { ...notice, FacTradeSeq: 'A-1' }],
    ['an array', [notice]],
    ['null', null],
  ])('%s is not believed', async (_name, data) => {
    expect(await read(data)).toMatchObject({ kind: 'invalid', answer: { status: 403, body: '' } });
  });

  test('an empty one and one of another code are of no interest', async () => {
    const answer = { status: 200, body: 'OK' };
    expect(await read({ ...notice, FacTradeSeq: [] })).toMatchObject({ kind: 'ignored', answer });
    expect(await read({ ...notice, ReturnCode: '0' })).toMatchObject({ kind: 'ignored', answer });
  });

  test('comes from the addresses of its side only', async () => {
    expect((await read(notice, '220.130.127.125')).kind).toBe('invalid');
    expect((await read(notice, '')).kind).toBe('invalid');
    expect((await read(notice, '::ffff:40.83.124.36')).kind).toBe('events');
    const live = setUp([], {}, 'live').context;
    const data = { DATA: JSON.stringify(notice) };
    expect((await mycard.readCallback(live, raw('makeup', data, '220.130.127.125'))).kind).toBe('events');
    expect((await mycard.readCallback(live, raw('makeup', data))).kind).toBe('invalid');
    const own = { CALLBACK_IPS: '203.0.113.9, 2001:db8::1' };
    expect((await read(notice, '2001:db8::1', own)).kind).toBe('events');
    expect((await read(notice, '218.32.37.148', own)).kind).toBe('invalid');
  });

  test.each(['', 'x', 'constructor'])('the topic %j is none of MyCard', async (topic) => {
    const data = { DATA: JSON.stringify(notice) };
    expect((await mycard.readCallback(setUp([]).context, raw(topic, data))).kind).toBe('invalid');
  });
});

describe('difference report', () => {
  const ask = (fields: Record<string, string>, ip?: string) =>
    mycard.readCallback(setUp([]).context, raw('difference', fields, ip));
  const line: StatementLine = {
    reference: 'A-1',
    providerRef: 'AUTHCODE123:KOF2601020001',
    captureRef: 'MCTEST00000001:INGAME',
    amount: money(15_000, 'TWD'),
    playerRef: 'player-1',
    paidAt: Date.parse('2026-01-01T16:00:01.900Z'),
  };

  test('by time, in UTC+8, byte for byte', async () => {
    const reading = await ask({ StartDateTime: '2026-01-02T00:00:00', EndDateTime: '2026-01-02T23:59:59' });
    expect(reading).toMatchObject({
      kind: 'statement',
      wanted: { from: Date.parse('2026-01-01T16:00:00Z'), to: Date.parse('2026-01-02T16:00:00Z') },
    });
    if (reading.kind !== 'statement') throw new Error('no statement');
    const points = { ...line, reference: 'B-2', captureRef: 'MMS170:COSTPOINT', amount: money(499, 'USD') };
    expect(reading.answer([line, points])).toEqual({
      status: 200,
      contentType: 'text/plain; charset=utf-8',
      body:
        'INGAME,KOF2601020001,MCTEST00000001,A-1,player-1,150,TWD,2026-01-02T00:00:01<BR>' +
        'COSTPOINT,KOF2601020001,MMS170,B-2,player-1,4.99,USD,2026-01-02T00:00:01<BR>',
    });
    expect(reading.answer([]).body).toBe('');
  });

  test("by MyCard's number, in the address too", async () => {
    expect(await ask({ MyCardTradeNo: 'MCTEST00000001' })).toMatchObject({ wanted: { captureRef: 'MCTEST00000001' } });
    const get = { ...raw('difference', {}), method: 'GET', query: { MyCardTradeNo: 'MMS170' } };
    expect(await mycard.readCallback(setUp([]).context, get)).toMatchObject({ wanted: { captureRef: 'MMS170' } });
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['a start alone', { StartDateTime: '2026-01-02T00:00:00' }],
    ['a time backwards', { StartDateTime: '2026-01-02T00:00:00', EndDateTime: '2026-01-01T00:00:00' }],
    ['no day', { StartDateTime: '2026-13-02T00:00:00', EndDateTime: '2026-13-03T00:00:00' }],
    ['a pattern for a number', { MyCardTradeNo: '%' }],
  ])('%s is no question', async (_name, fields) => {
    expect((await ask(fields)).kind).toBe('invalid');
  });

  test('is answered to MyCard only', async () => {
    expect((await ask({ MyCardTradeNo: 'MCTEST00000001' }, '203.0.113.9')).kind).toBe('invalid');
  });
});

describe('settings', () => {
  test('hosts are of the environment, or as told', () => {
    expect(mycard.apiHosts({}, 'demo')).toEqual(['testb2b.mycard520.com.tw']);
    expect(mycard.apiHosts({}, 'live')).toEqual(['b2b.mycard520.com.tw']);
    expect(mycard.payHosts({}, 'live')).toEqual(['www.mycard520.com.tw']);
    expect(mycard.payHosts({ PAY_BASE: 'https://pay.example/x' }, 'live')).toEqual(['pay.example']);
    expect(mycard.payHosts({ PAY_HOSTS: 'A.example, b.example:1' }, 'live')).toEqual(['a.example', 'b.example:1']);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ PATH_VERSION: 'v9' }, /PATH_VERSION/],
    [{ HASH_STYLE: 'md5' }, /HASH_STYLE/],
    [{ API_BASE: 'http://b2b.example/MyBillingPay' }, /https/],
  ])('%j stops the start', (given, said) => {
    expect(() => mycard.apiHosts(given, 'live')).toThrow(said);
  });
});
