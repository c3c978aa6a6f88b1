// Razer Gold: the manual's printed signatures, payments by wall and by card, callbacks that are
// believed and those that are not.
import type { Environment } from '#kernel/environment.ts';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, writeAmount } from './amounts.ts';
import { razer } from './provider.ts';
import { channelOf, type HashType } from './settings.ts';
import { type Fields, isSigned, signedText, signFields, signText } from './signature.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
/** The manual's example key and application. */
const SECRET = 'Ziu61T9xY227aazS530Pk8C5424y663r';
const APPLICATION = '3f2504e04f8911d39a0c0305e82c3301';
const API = 'https://globalapi.gold-sandbox.razer.com/payout/payments';
const PAGE = 'https://globalapi.gold-sandbox.razer.com/PaymentWall?token=F786';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest; form: Fields }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { APPLICATION_CODE: APPLICATION, SECRET_KEY: SECRET, ...extra },
    now: () => NOW,
    cache: new Map(),
    outbound: async (url, call) => {
      const form = Object.fromEntries(new URLSearchParams(call.body ?? new URL(url).search));
      calls.push({ url, call, form });
      const reply = replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { ...reply, headers: {} };
    },
  };
  return { context, calls };
}

/** Signed here by hand, so that a mistake in signature.ts cannot prove itself. */
function sign(fields: Fields, secret = SECRET): Fields {
  const all: Fields = { ...fields, hashType: 'hmac-sha256' };
  const names = Object.keys(all).toSorted((one, other) => (one < other ? -1 : 1));
  const text = names.map((name) => all[name]).join('');
  return { ...all, signature: createHmac('sha256', secret).update(text).digest('hex') };
}

const ok = (fields: Fields, status = 200): Reply => ({ status, text: JSON.stringify(fields) });
const fault = (status: number, code: string): Reply => ({ status, text: JSON.stringify({ code, message: 'no' }) });
const late = new OutboundError('timeout', true, 'late');

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(1000, 'MYR'),
  productName: 'Product A',
  brandName: 'Watt',
  playerRef: '12321144221',
  playerName: 'Ann',
  country: 'MY',
  locale: 'ms',
  channelId: '',
  returnUrl: `https://shop.example/return/razer?ref=${REFERENCE}`,
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/razer',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'MPO000000000001',
  captureRef: null,
  approval: null,
  amount: input.amount,
  playerRef: input.playerRef,
  channelId: '',
  createdAt: NOW - 60_000,
};
const created = (extra: Fields = {}) => ({
  applicationCode: APPLICATION,
  referenceId: REFERENCE,
  version: 'v1',
  amount: '1000',
  currencyCode: 'MYR',
  paymentId: 'MPO000000000001',
  paymentUrl: PAGE,
  ...extra,
});
const fieldsOf = (extra: Fields = {}): Fields => ({
  applicationCode: APPLICATION,
  referenceId: REFERENCE,
  paymentId: 'MPO000000000001',
  version: 'v1',
  amount: '1000',
  currencyCode: 'MYR',
  paymentStatusCode: '00',
  paymentStatusDate: '2026-01-02T03:03:59Z',
  customerId: '12321144221',
  VirtualCurrencyAmount: '',
  ...extra,
});

describe('signature', () => {
  const base = { applicationCode: APPLICATION, referenceId: 'TRX1708901', version: 'v1' };
  const price = { amount: '1000', currencyCode: 'MYR' };
  const paid = {
    ...base,
    ...price,
    paymentId: 'MPO000000000001',
    paymentStatusCode: '00',
    paymentStatusDate: '2012-12-31T14:59:59Z',
    customerId: '12321144221',
    virtualCurrencyAmount: '',
  };
  const answer = {
    ...base,
    ...price,
    paymentId: 'MPO000000000001',
    paymentUrl: 'https://payout.mol.com/index.aspx?token=F786525494694176A7D1308B479010C3',
  };
  const request = {
    ...base,
    ...price,
    returnUrl: 'http://yoursite.com/result?referenceId=TRX1708901',
    description: 'Product A',
    customerId: '12321144221',
  };

  // The first two are printed in the manual; the others were computed by two implementations apart.
  test.each<[string, Fields, HashType, string]>([
    ['the answer to a new payment', answer, 'md5', '1c01d4d676d4e5445ab064edb2efa7f8'],
    ['a callback', paid, 'md5', '67626c0bde4e0cf66658fa403b91bf57'],
    ['a new payment', request, 'hmac-sha256', '41befb937671d372827324197b3ee6ed7093df11cf8178f691fe8c68a1401fa7'],
    ['a callback', paid, 'hmac-sha256', '46153203baf9562e64daed3cc54bd8d183eb31faaf60778673bd8ce6c1de7890'],
    ['a query', base, 'hmac-sha256', '3bec728c13b0f6f2bdfcf1f0eb2728012bd72948e31f874d3a32fffcf871fa89'],
  ])('of %s, by %#', (_name, fields, type, signature) => {
    const signed = signFields(fields, SECRET, type);
    expect(signed['signature']).toBe(signature);
    expect(isSigned(signed, SECRET, type)).toBe(true);
    expect(isSigned({ ...signed, signature: signature.toUpperCase() }, SECRET, type)).toBe(true);
    expect(isSigned({ ...signed, referenceId: 'TRX1708902' }, SECRET, type)).toBe(false);
    expect(isSigned({ ...signed, signature: signature.slice(1) }, SECRET, type)).toBe(false);
    expect(isSigned(signed, `${SECRET}x`, type)).toBe(false);
  });

  test('the printed HMAC of the sister product, over its printed text', () => {
    const text =
      '10.003f2504e04f8911d39a0c0305e82c3301123456789123456789116MYRSamplehmac-sha256TRX17089011700117001001v1';
    expect(signText(text, SECRET, 'hmac-sha256')).toBe(
      'db0624605d8a8b9c40b3eeb97f906a454195f1b35d1a2f9b75700e1e8cc942ba',
    );
  });

  test('names are sorted by code units: capital letters first', () => {
    const pin = {
      ...base,
      SerialNo: '1234567890',
      Pin: '11112222333344',
      ClientIpAddress: '203.0.113.7',
      currencyCode: 'MYR',
      customerId: 'u-1',
      description: '60 gems',
    };
    const text = '203.0.113.71111222233334412345678903f2504e04f8911d39a0c0305e82c3301MYRu-160 gemsTRX1708901v1';
    expect(signedText(pin)).toBe(text);
    expect(signText(text, 'SECRET0001', 'md5')).toBe('5802d410db6a31ceab018cfd99cfd2ee');
    const cash = { sid: '9919', orderid: 'WP20240101000001', uid: 'u-1', for: '60 gems', channel: 'razerpin' };
    expect(signText(signedText(cash), 'SECRET0001', 'md5')).toBe('b74a14cc3e0810be4009a760901ec4a2');
  });

  test('only in the way we sign ourselves, and never without a secret', () => {
    expect(isSigned(signFields(paid, SECRET, 'md5'), SECRET, 'hmac-sha256')).toBe(false);
    expect(isSigned(signFields(paid, SECRET, 'hmac-sha256'), SECRET, 'md5')).toBe(false);
    const silent = { ...paid, signature: signText(signedText(paid), SECRET, 'hmac-sha256') };
    expect(isSigned(silent, SECRET, 'hmac-sha256')).toBe(false);
    const odd = { ...paid, hashType: 'md5' };
    expect(isSigned({ ...odd, signature: signText(signedText(odd), SECRET, 'md5') }, SECRET, 'md5')).toBe(false);
    expect(isSigned(signFields(paid, '', 'hmac-sha256'), '', 'hmac-sha256')).toBe(false);
  });
});

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['MYR', 1000, '1000'],
    ['USD', 2999, '2999'],
    ['USD', 1, '1'],
    ['TWD', 3000, '3000'],
    ['THB', 9_999_999, '9999999'],
    ['SGD', 50, '50'],
    ['JPY', 120, null],
    ['KRW', 5900, null],
    ['VND', 24_000, null],
    ['IDR', 2_000_000, null],
    ['MYR', 0, null],
    ['MYR', -1000, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(text);
    expect(razer.supportsCurrency(currency)).toBe(!['JPY', 'KRW', 'VND', 'IDR'].includes(currency));
    expect(readAmount(text ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([
    ['20000', 'IDR', money(20_000, 'IDR')],
    ['12000', 'JPY', money(120, 'JPY')],
    ['12001', 'JPY', null],
    ['10.00', 'MYR', null],
    ['-1000', 'MYR', null],
    ['', 'MYR', null],
    ['1000', 'XXX', null],
    [undefined, 'MYR', null],
  ])('%j %s is read as %j', (text, currency, read) => {
    expect(readAmount(text, currency)).toEqual(read);
  });
});

describe('channels', () => {
  test.each<[string, Fields, { number: string | null; isCardPriced: boolean } | null]>([
    ['', {}, { number: null, isCardPriced: false }],
    ['wallet', {}, { number: null, isCardPriced: false }],
    ['wallet', { CHANNEL_WALLET: '1' }, { number: '1', isCardPriced: false }],
    ['pin', { CHANNEL_PIN: '3' }, { number: '3', isCardPriced: true }],
    ['pin', {}, { number: null, isCardPriced: false }],
    ['carrier', { CHANNEL_CARRIER: '16' }, { number: '16', isCardPriced: true }],
    ['carrier', { CHANNEL_CARRIER: 'x' }, { number: null, isCardPriced: false }],
    ['42', {}, { number: '42', isCardPriced: false }],
    ['constructor', {}, null],
  ])('%j with %j', (channelId, given, channel) => {
    expect(channelOf(given, channelId)).toEqual(channel);
  });
});

describe('create', () => {
  test('sends the player to the wall', async () => {
    const { context, calls } = setUp([ok(sign(created()))]);
    expect(await razer.create(context, input)).toEqual({
      kind: 'redirect',
      url: PAGE,
      providerRef: 'MPO000000000001',
    });
    const { url, call, form } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', API]);
    expect(call.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
    expect(form).toEqual(
      sign({
        applicationCode: APPLICATION,
        referenceId: REFERENCE,
        version: 'v1',
        amount: '1000',
        currencyCode: 'MYR',
        returnUrl: input.returnUrl,
        description: 'Product A',
        customerId: '12321144221',
      }),
    );
  });

  test('leaves the amount to the card where the channel takes cards, and names the callback where that is allowed', async () => {
    const { amount: _amount, currencyCode: _currency, ...answer } = created();
    const { context, calls } = setUp([ok(sign(answer))], { CHANNEL_PIN: '3', SENDS_CALLBACK_URL: 'yes' });
    expect((await razer.create(context, { ...input, channelId: 'pin' })).kind).toBe('redirect');
    const { form } = calls[0]!;
    expect([form['amount'], form['currencyCode'], form['channelId']]).toEqual([undefined, undefined, '3']);
    expect(form['callbackUrl']).toBe(input.notifyUrl);
    expect(form['description']).toBe('Product A (MYR 10.00)');
  });

  test('names the price of a PIN whatever the length of the name before it', async () => {
    const { context, calls } = setUp([ok(sign(created()))], { CHANNEL_PIN: '3' });
    await razer.create(context, { ...input, channelId: 'pin', productName: 'x'.repeat(200) });
    expect(calls[0]!.form['description']).toMatch(/^x{88} \(MYR 10\.00\)$/);
  });

  test('an application of old signs by MD5, without a hashType', async () => {
    const md5 = { HASH_TYPE: 'md5' };
    const { context, calls } = setUp([ok(signFields(created(), SECRET, 'md5'))], md5);
    expect((await razer.create(context, input)).kind).toBe('redirect');
    expect(calls[0]!.form['hashType']).toBeUndefined();
    expect(calls[0]!.form['signature']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('an answer whose amount is a number is signed by its text', async () => {
    const body = { ...sign(created()), amount: 1000, virtualCurrencyAmount: null };
    const { context } = setUp([{ status: 200, text: JSON.stringify(body) }]);
    expect((await razer.create(context, input)).kind).toBe('redirect');
  });

  test.each<[string, Reply, string]>([
    ['a timeout', late, 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', fault(500, '50000'), 'unknown'],
    ['503', fault(503, '50300'), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['403 of somebody between', { status: 403, text: '<html>' }, 'unknown'],
    ['no signature', ok(created()), 'unknown'],
    ['a wrong signature', ok(sign(created(), 'x')), 'unknown'],
    ['a signature by MD5', ok(signFields(created(), SECRET, 'md5')), 'unknown'],
    ['another payment', ok(sign(created({ referenceId: 'other' }))), 'unknown'],
    ['no page', ok(sign(created({ paymentUrl: '' }))), 'unknown'],
    ['a foreign page', ok(sign(created({ paymentUrl: 'https://evil.example/' }))), 'unknown'],
    ['plain http', ok(sign(created({ paymentUrl: 'http://globalapi.gold.razer.com/' }))), 'unknown'],
    ['a number used before', fault(400, '40004'), 'unknown'],
    ['a wrong amount', fault(400, '40006'), 'refused'],
    ['a wrong server', fault(401, '40102'), 'refused'],
    ['429', fault(429, '42900'), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await razer.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test.each<[string, Partial<CreatePayment>]>([
    ['a currency', { amount: money(120, 'JPY') }],
    ['a channel', { channelId: 'constructor' }],
  ])('%s that is not taken is refused without a call', async (_name, change) => {
    const { context, calls } = setUp([]);
    expect((await razer.create(context, { ...input, ...change })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('query', () => {
  test('asks by our own number, also when no answer ever came', async () => {
    const { context, calls } = setUp([ok(sign(fieldsOf()))]);
    expect(await razer.query(context, { ...payment, providerRef: null })).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: 'MPO000000000001',
      captureRef: 'MPO000000000001',
      amount: money(1000, 'MYR'),
      merchantAccount: APPLICATION,
      reason: 'status 00 2026-01-02T03:03:59Z',
    });
    const { url, call, form } = calls[0]!;
    expect([call.method, url.split('?')[0]]).toEqual(['GET', API]);
    expect(form).toEqual(sign({ applicationCode: APPLICATION, referenceId: REFERENCE, version: 'v1' }));
  });

  test.each([
    ['00', 'paid'],
    ['01', 'pending'],
    ['02', 'pending'],
    ['03', 'declined'],
    ['99', 'declined'],
    ['77', 'unknown'],
    ['0', 'unknown'],
    ['constructor', 'unknown'],
  ])('status %s is %s', async (paymentStatusCode, status) => {
    const { context } = setUp([ok(sign(fieldsOf({ paymentStatusCode })))]);
    expect((await razer.query(context, payment)).status).toBe(status);
  });

  test('a card of another value, another currency, another application are told as they are', async () => {
    const strange = { amount: '999', currencyCode: 'SGD', applicationCode: 'other' };
    const report = await razer.query(setUp([ok(sign(fieldsOf(strange)))]).context, payment);
    expect(report).toMatchObject({ status: 'paid', amount: money(999, 'SGD'), merchantAccount: 'other' });
    expect(razer.accountOf({ APPLICATION_CODE: APPLICATION })).toBe(APPLICATION);
  });

  test.each<[string, Reply]>([
    ['500', fault(500, '50000')],
    ['HTML', { status: 200, text: '<html>' }],
    ['a wrong signature', ok(sign(fieldsOf(), 'x'))],
    ['a nested answer', { status: 200, text: '{"a":{}}' }],
  ])('%s is not understood', async (_name, reply) => {
    expect((await razer.query(setUp([reply]).context, payment)).status).toBe('unknown');
  });

  test('a payment that is not there is pending; one without an amount is money that cannot be read', async () => {
    expect((await razer.query(setUp([fault(404, '40400')]).context, payment)).status).toBe('pending');
    for (const change of [{ amount: '' }, { currencyCode: 'XXX' }])
      expect(await razer.query(setUp([ok(sign(fieldsOf(change)))]).context, payment)).toMatchObject({
        status: 'paid_unreadable',
        raw: expect.stringContaining('00'),
      });
  });

  test('throws when Razer cannot be reached', async () => {
    await expect(razer.query(setUp([late]).context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('callback', () => {
  const raw = (fields: Fields, query: Fields = {}): RawCallback => ({
    method: 'POST',
    path: '/callback/razer',
    topic: '',
    headers: {},
    query,
    body: Buffer.from(new URLSearchParams(fields).toString()),
    ip: '203.0.113.7',
  });
  const read = (callback: RawCallback, extra = {}) => razer.readCallback(setUp([], extra).context, callback);

  test('of a paid payment', async () => {
    expect(await read(raw(sign(fieldsOf())))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: '200 OK' },
      events: [
        {
          dedupKey: 'MPO000000000001:00',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: 'MPO000000000001',
            captureRef: 'MPO000000000001',
            amount: money(1000, 'MYR'),
            merchantAccount: APPLICATION,
            reason: 'status 00 2026-01-02T03:03:59Z',
          },
        },
      ],
    });
  });

  test('comes by GET as well; what stands in the address of a POST counts for nothing', async () => {
    const get = { ...raw({}), method: 'GET', query: sign(fieldsOf()), body: Buffer.alloc(0) };
    expect((await read(get)).kind).toBe('events');
    expect((await read(raw({}, sign(fieldsOf())))).kind).toBe('invalid');
  });

  test('of a failed try gives nothing to refund and has a key of its own', async () => {
    expect(await read(raw(sign(fieldsOf({ paymentStatusCode: '99' }))))).toMatchObject({
      events: [{ dedupKey: 'MPO000000000001:99', report: { status: 'declined', captureRef: null } }],
    });
  });

  test('one cent less is told as it is', async () => {
    expect(await read(raw(sign(fieldsOf({ amount: '999' }))))).toMatchObject({
      events: [{ report: { status: 'paid', amount: money(999, 'MYR') } }],
    });
  });

  test('by MD5 only where the application signs so', async () => {
    const md5 = raw(signFields(fieldsOf(), SECRET, 'md5'));
    expect((await read(md5)).kind).toBe('invalid');
    expect((await read(md5, { HASH_TYPE: 'md5' })).kind).toBe('events');
    expect((await read(raw(sign(fieldsOf())), { HASH_TYPE: 'md5' })).kind).toBe('invalid');
  });

  test.each<[string, Fields]>([
    ['another amount', { ...sign(fieldsOf()), amount: '1001' }],
    ['another status', { ...sign(fieldsOf({ paymentStatusCode: '99' })), paymentStatusCode: '00' }],
    ['another order', { ...sign(fieldsOf()), referenceId: `${REFERENCE}0` }],
    ['no signature', { ...sign(fieldsOf()), signature: '' }],
    ['a cut signature', { ...sign(fieldsOf()), signature: sign(fieldsOf())['signature']!.slice(0, -1) }],
    ['another key', sign(fieldsOf(), `${SECRET}x`)],
    ['the hash type taken away', { ...sign(fieldsOf()), hashType: '' }],
    ['nothing', {}],
  ])('%s is not believed', async (_name, fields) => {
    expect(await read(raw(fields))).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
  });

  // The signature covers values only, so each of these has a good one.
  const failed = sign(fieldsOf({ paymentId: 'MPO0000000000100', paymentStatusCode: '99' }));
  const renamed = (from: string, to: string) =>
    Object.fromEntries(Object.entries(sign(fieldsOf())).map(([name, value]) => [name === from ? to : name, value]));
  test.each<[string, Fields]>([
    ['a status slipped in between', { ...failed, paymentId: 'MPO00000000001', paymentStatusCode: '00', paymentStatusCodf: '99' }],
    ['a status moved by two digits', { ...failed, paymentId: 'MPO00000000001', paymentStatusCode: '00', paymentStatusDate: `99${failed['paymentStatusDate']}` }],
    ['an amount that gives a digit away', { ...sign(fieldsOf()), VirtualCurrencyAmount: '1', amount: '000' }],
    ['an amount with one before it', sign(fieldsOf({ VirtualCurrencyAmount: '9' }))],
    ['a field by another name', renamed('amount', 'amounu')],
    ['no status', sign(fieldsOf({ paymentStatusCode: '' }))],
  ])('%s is not believed, though its signature fits', async (_name, fields) => {
    expect(isSigned(fields, SECRET, 'hmac-sha256')).toBe(true);
    expect((await read(raw(fields))).kind).toBe('invalid');
  }); /* a row a line */ // prettier-ignore
});

describe('hosts', () => {
  test('are of the environment, or as told', () => {
    expect(razer.apiHosts({}, 'demo')).toEqual(['globalapi.gold-sandbox.razer.com']);
    expect(razer.apiHosts({}, 'live')).toEqual(['globalapi.gold.razer.com']);
    expect(razer.payHosts({}, 'live')).toEqual(['globalapi.gold.razer.com']);
    expect(razer.payHosts({ PAY_HOSTS: 'A.example, b.example:1' }, 'live')).toEqual(['a.example', 'b.example:1']);
  });

  test.each<[Fields, RegExp]>([
    [{ HASH_TYPE: 'sha1' }, /HASH_TYPE/],
    [{ API_BASE: 'http://api.example' }, /https/],
  ])('%j stops the start', (given, said) => {
    expect(() => razer.apiHosts(given, 'live')).toThrow(said);
  });
});
