import type { Environment } from '#kernel/environment.ts';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { decimalsOf, readAmount, writeAmount } from './amounts.ts';
import { adyen } from './provider.ts';
import { isSignature, sign, signedText } from './webhook.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const LIBRARY_KEY = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';
const DOCS_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const API = 'https://checkout-test.adyen.com/v72';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { API_KEY: 'key', MERCHANT_ACCOUNT: 'WattECOM', HMAC_KEYS: LIBRARY_KEY, ...extra },
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

function ok(body: unknown, status = 200): { status: number; text: string } {
  return { status, text: JSON.stringify(body) };
}
const fault = (status: number) => ok({ status, errorCode: '14_000', message: 'no', errorType: 'validation' }, status);

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 Embers',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'US',
  locale: 'en-US',
  channelId: 'scheme',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/adyen',
  expiresAt: NOW + 3_600_123,
  device: { isMobile: true, os: 'android', userAgent: 'Mozilla/5.0 (Linux; Android 14)', ip: '192.0.2.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'PL1',
  captureRef: null,
  amount: money(499, 'USD'),
  createdAt: NOW - 60_000,
  approval: null,
  playerRef: 'player',
  channelId: '',
};
function link(status: string, extra = {}) {
  return {
    id: 'PL1',
    status,
    url: 'https://test.adyen.link/PL1',
    reference: REFERENCE,
    merchantAccount: 'WattECOM',
    amount: { currency: 'USD', value: 499 },
    ...extra,
  };
}

describe('amounts', () => {
  test.each<[Currency, number, number | null]>([
    ['USD', 499, 499],
    ['EUR', 1, 1],
    ['GBP', 1_000_000, 1_000_000],
    ['TWD', 15_050, 15_050],
    ['THB', 15_900, 15_900],
    ['MYR', 2190, 2190],
    ['HKD', 3800, 3800],
    ['JPY', 120, 120],
    ['KRW', 5900, 5900],
    ['VND', 24_000, 24_000],
    ['IDR', 1_000_000, 10_000],
    ['IDR', 7_900_000, 79_000],
    ['IDR', 50, null],
    ['RUB', 100, null],
    ['MMK', 100, null],
    ['USD', 0, null],
    ['USD', -499, null],
  ])('%s %i is written %s', (currency, amountMinor, value) => {
    const written = writeAmount(money(amountMinor, currency));
    expect(written).toEqual(value === null ? null : { currency, value });
    expect(readAmount(written?.value.toString(), currency)).toEqual(written && money(amountMinor, currency));
  });

  test.each([
    ['CLP', 2],
    ['ISK', 2],
    ['CVE', 0],
    ['IDR', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['OMR', 3],
    ['JOD', 3],
    ['TND', 3],
    ['TWD', 2],
    ['XOF', 0],
    ['PYG', 0],
    ['IQD', 3],
  ])('%s has %i decimals at Adyen', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  test.each([['4.99'], ['-499'], ['1e3'], [''], ['9999999999999999']])('%j is no amount', (value) => {
    expect(readAmount(value, 'USD')).toBeNull();
  });
});

describe('create', () => {
  test('sends our reference, an idempotency key, minor units and the end of the link', async () => {
    const { context, calls } = setUp([ok(link('active'), 201)]);
    expect(await adyen.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://test.adyen.link/PL1',
      providerRef: 'PL1',
    });
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['POST', `${API}/paymentLinks`]);
    expect(call.headers).toMatchObject({ 'x-api-key': 'key', 'idempotency-key': REFERENCE });
    expect(JSON.parse(call.body!)).toEqual({
      merchantAccount: 'WattECOM',
      reference: REFERENCE,
      amount: { currency: 'USD', value: 499 },
      returnUrl: 'https://shop.example/back',
      expiresAt: '2026-01-02T04:04:05Z',
      reusable: false,
      description: '60 Embers',
      shopperReference: 'player-1',
      countryCode: 'US',
      shopperLocale: 'en-US',
      allowedPaymentMethods: ['scheme'],
    });
  });

  test('leaves out what Adyen would refuse', async () => {
    const { context, calls } = setUp([ok(link('active'), 201)]);
    const far = { ...input, playerRef: 'p', country: '', locale: 'zh-Hant-TW', channelId: '', expiresAt: NOW * 2 };
    await adyen.create(context, far);
    const body = JSON.parse(calls[0]!.call.body!);
    expect(Object.keys(body).toSorted()).toEqual(
      ['amount', 'description', 'expiresAt', 'merchantAccount', 'reference', 'returnUrl', 'reusable'].toSorted(),
    );
    expect(body.expiresAt).toBe('2026-03-13T03:04:05Z');
  });

  test.each<[string, Reply, string]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a broken connection', new OutboundError('network', true, 'broke'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', fault(500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['no link', ok(link('active', { url: undefined }), 201), 'unknown'],
    ['a foreign link', ok(link('active', { url: 'https://evil.example/PL1' }), 201), 'unknown'],
    [
      'a link that only begins like one',
      ok(link('active', { url: 'https://test.adyen.link.evil.example/' }), 201),
      'unknown',
    ],
    ['401', fault(401), 'refused'],
    ['422', fault(422), 'refused'],
    ['409 of the same key at work', fault(409), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await adyen.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount Adyen cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await adyen.create(context, { ...input, amount: money(50, 'IDR') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('http links are for sandboxes only', async () => {
    const replies = () => [ok(link('active', { url: 'http://127.0.0.1:4000/PL1' }), 201)];
    const hosts = { PAY_HOSTS: '127.0.0.1:4000', LIVE_PREFIX: 'abc-Watt' };
    expect((await adyen.create(setUp(replies(), hosts).context, input)).kind).toBe('redirect');
    expect((await adyen.create(setUp(replies(), hosts, 'live').context, input)).kind).toBe('unknown');
  });
});

describe('query and cancel', () => {
  test.each([
    ['active', 'pending'],
    ['paymentPending', 'pending'],
    ['completed', 'paid'],
    ['paid', 'paid'],
    ['expired', 'expired'],
    ['somethingNew', 'unknown'],
  ])('a link that is %s is %s', async (status, expected) => {
    const { context, calls } = setUp([ok(link(status))]);
    expect(await adyen.query(context, payment)).toMatchObject({
      status: expected,
      reference: REFERENCE,
      providerRef: 'PL1',
      captureRef: null,
      amount: money(499, 'USD'),
      merchantAccount: 'WattECOM',
      reason: expect.stringContaining(status),
    });
    expect([calls[0]!.call.method, calls[0]!.url]).toEqual(['GET', `${API}/paymentLinks/PL1`]);
  });

  test.each<[string, object]>([
    ['no price', { amount: undefined }],
    ['a currency nobody knows', { amount: { currency: 'XXX', value: 499 } }],
    ['a price of another shape', { amount: '4.99 USD' }],
    ['no id', { id: undefined }],
  ])('a paid link with %s is money that cannot be read', async (_name, change) => {
    const { context } = setUp([ok(link('paid', change))]);
    const report = await adyen.query(context, payment);
    expect(report).toMatchObject({ status: 'paid_unreadable', reference: REFERENCE, amount: null });
    expect(report.raw).toContain('"status":"paid"');
  });

  test.each<[string, Exclude<Reply, Error>]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['404', fault(404)],
    ['500', fault(500)],
  ])('%s is not understood', async (_name, reply) => {
    expect(await adyen.query(setUp([reply]).context, payment)).toMatchObject({ status: 'unknown', raw: reply.text });
  });

  test('query throws when Adyen cannot be reached', async () => {
    const { context } = setUp([new OutboundError('timeout', true, 'late')]);
    await expect(adyen.query(context, payment)).rejects.toThrow(OutboundError);
  });

  test('cancel closes the link', async () => {
    const { context, calls } = setUp([ok(link('expired'))]);
    expect((await adyen.cancel!(context, payment)).status).toBe('expired');
    const { url, call } = calls[0]!;
    expect([call.method, url, call.body]).toEqual(['PATCH', `${API}/paymentLinks/PL1`, '{"status":"expired"}']);
  });

  test.each<[string, string, Reply[]]>([
    ['paid', 'a link paid a moment before', [fault(422), ok(link('completed'))]],
    ['pending', 'a timeout', [new OutboundError('timeout', true, 'late')]],
    ['pending', 'a refusal and a timeout', [fault(422), new OutboundError('timeout', true, 'late')]],
    ['unknown', '500 twice', [fault(500), fault(500)]],
  ])('cancel is %s on %s', async (status, _name, replies) => {
    expect((await adyen.cancel!(setUp(replies).context, payment)).status).toBe(status);
  });

  test('a payment whose link never came back cannot be told', async () => {
    const lost = { ...payment, providerRef: null };
    expect((await adyen.query(setUp([]).context, lost)).status).toBe('pending');
    expect((await adyen.cancel!(setUp([]).context, lost)).status).toBe('pending');
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: '8515' };
  test.each<[string, string, Reply]>([
    ['pending', 'received', ok({ pspReference: '993', status: 'received' }, 201)],
    ['failed', '422', fault(422)],
    ['failed', '403', fault(403)],
    ['unknown', '429', fault(429)],
    ['unknown', '500', fault(500)],
    ['unknown', 'HTML', { status: 201, text: '<html>' }],
    ['unknown', 'a timeout', new OutboundError('timeout', true, 'late')],
  ])('is %s on %s', async (status, _name, reply) => {
    expect((await adyen.refund!(setUp([reply]).context, paid, 'RF-1')).status).toBe(status);
  });

  test('names the payment, the amount and an idempotency key', async () => {
    const { context, calls } = setUp([ok({ pspReference: '993', status: 'received' }, 201)]);
    expect(await adyen.refund!(context, paid, 'RF-1')).toMatchObject({ refundProviderRef: '993' });
    const { url, call } = calls[0]!;
    expect(url).toBe(`${API}/payments/8515/refunds`);
    expect(call.headers!['idempotency-key']).toBe('RF-1');
    expect(JSON.parse(call.body!)).toEqual({
      merchantAccount: 'WattECOM',
      amount: { currency: 'USD', value: 499 },
      reference: REFERENCE,
      merchantRefundReason: 'OTHER',
    });
  });

  test('waits for the PSP reference', async () => {
    expect((await adyen.refund!(setUp([]).context, payment, 'RF-1')).status).toBe('unknown');
  });
});

describe('published vectors', () => {
  test.each([
    [
      LIBRARY_KEY,
      'pspReference:originalReference:merchantAccount:reference:1000:EUR:EVENT:true',
      'ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=',
    ],
    [
      LIBRARY_KEY,
      'pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true',
      'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=',
    ],
    [
      DOCS_KEY,
      '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true',
      'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=',
    ],
  ])('%s signs %s', (key, text, signature) => {
    const bytes = createSecretKey(key, 'hex');
    expect(sign(text, bytes)).toBe(signature);
    expect(isSignature(signature, text, [bytes])).toBe(true);
    expect(isSignature(signature, `${text} `, [bytes])).toBe(false);
    expect(isSignature('A'.repeat(44), text, [bytes])).toBe(false);
  });

  test('an item is joined in that order, with nothing for what is missing', () => {
    const item = {
      eventCode: 'AUTHORISATION',
      success: 'true' as const,
      pspReference: '7914073381342284',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { value: '1130', currency: 'EUR' },
    };
    expect(signedText(item)).toBe(
      '7914073381342284::TestMerchant:TestPayment-1407325143704:1130:EUR:AUTHORISATION:true',
    );
    expect(signedText({ eventCode: 'REPORT_AVAILABLE', success: 'true', pspReference: 'p' })).toBe(
      'p::::::REPORT_AVAILABLE:true',
    );
  });
});

type Item = Record<string, unknown> & { amount?: { value: number; currency: string } };
const authorisation: Item = {
  eventCode: 'AUTHORISATION',
  success: 'true',
  eventDate: '2026-01-02T04:04:00+01:00',
  merchantAccountCode: 'WattECOM',
  merchantReference: REFERENCE,
  pspReference: '8515',
  amount: { value: 499, currency: 'USD' },
  paymentMethod: 'visa',
  reason: '033899:1111:03/2030',
  operations: ['CANCEL', 'CAPTURE', 'REFUND'],
};

/** Signed here by hand, so that a mistake in signedText cannot prove itself. */
function hmacOf(item: Item, key: string): string {
  const { amount } = item;
  const text = [
    item['pspReference'],
    item['originalReference'] ?? '',
    item['merchantAccountCode'] ?? '',
    item['merchantReference'] ?? '',
    amount?.value ?? '',
    amount?.currency ?? '',
    item['eventCode'],
    item['success'],
  ].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');
}

function raw(items: Item[], options: { key?: string; live?: string; spoil?: (item: Item) => Item } = {}): RawCallback {
  const { key = LIBRARY_KEY, live = 'false', spoil = (item: Item) => item } = options;
  const notificationItems = items.map((item) => ({
    NotificationRequestItem: spoil({
      ...item,
      additionalData: { hmacSignature: hmacOf(item, key), cardSummary: '1111' },
    }),
  }));
  const body = Buffer.from(JSON.stringify({ live, notificationItems }));
  return { method: 'POST', path: '/callback/adyen', topic: '', headers: {}, query: {}, body, ip: '127.0.0.1' };
}

describe('callback', () => {
  test('an authorisation is paid and answered [accepted]', async () => {
    expect(await adyen.readCallback(setUp([]).context, raw([authorisation]))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: '[accepted]' },
      events: [
        {
          dedupKey: 'AUTHORISATION:8515:true',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: null,
            captureRef: '8515',
            amount: money(499, 'USD'),
            merchantAccount: 'WattECOM',
            reason: 'AUTHORISATION 033899:1111:03/2030',
          },
        },
      ],
    });
  });

  const later = (eventCode: string, success: string): Item => ({
    ...authorisation,
    eventCode,
    success,
    pspReference: '993',
    originalReference: '8515',
  });
  test.each([
    ['REFUND', 'true', 'refunded'],
    ['REFUND', 'false', 'refund_failed'],
    ['REFUND_FAILED', 'true', 'refund_failed'],
    ['REFUNDED_REVERSED', 'true', 'refund_failed'],
    ['CANCEL_OR_REFUND', 'true', 'refunded'],
    ['CANCEL_OR_REFUND', 'false', 'refund_failed'],
    ['CANCELLATION', 'true', 'refunded'],
    ['TECHNICAL_CANCEL', 'true', 'refunded'],
    ['CHARGEBACK', 'true', 'chargeback'],
    ['SECOND_CHARGEBACK', 'true', 'chargeback'],
    ['CAPTURE_FAILED', 'true', 'chargeback'],
    ['OFFER_CLOSED', 'true', 'pending'],
    ['PENDING', 'true', 'pending'],
    ['EXPIRE', 'true', 'pending'],
  ])('%s %s is %s, of the original payment', async (eventCode, success, status) => {
    expect(await adyen.readCallback(setUp([]).context, raw([later(eventCode, success)]))).toMatchObject({
      kind: 'events',
      events: [
        { dedupKey: `${eventCode}:993:${success}`, report: { status, captureRef: '8515', reference: REFERENCE } },
      ],
    });
  });

  test('a refused authorisation is no end and gives nothing to refund', async () => {
    const reading = await adyen.readCallback(
      setUp([]).context,
      raw([{ ...authorisation, success: 'false', reason: 'Refused' }]),
    );
    expect(reading).toMatchObject({
      events: [
        {
          dedupKey: 'AUTHORISATION:8515:false',
          report: { status: 'declined', captureRef: null, reason: 'AUTHORISATION Refused' },
        },
      ],
    });
  });

  test.each([
    ['REPORT_AVAILABLE', 'true'],
    ['CAPTURE', 'true'],
    ['CAPTURE', 'false'],
    ['CHARGEBACK_REVERSED', 'true'],
    ['NOTIFICATION_OF_CHARGEBACK', 'true'],
    ['CANCELLATION', 'false'],
    ['SOMETHING_NEW', 'true'],
    ['constructor', 'true'],
  ])('%s %s is accepted and ignored', async (eventCode, success) => {
    const reading = await adyen.readCallback(setUp([]).context, raw([later(eventCode, success)]));
    expect(reading).toMatchObject({ kind: 'ignored', answer: { status: 200, body: '[accepted]' } });
  });

  test('a batch becomes several events', async () => {
    const batch = [authorisation, later('REPORT_AVAILABLE', 'true'), later('REFUND', 'true')];
    const reading = await adyen.readCallback(setUp([]).context, raw(batch));
    expect(reading).toMatchObject({
      kind: 'events',
      events: [{ dedupKey: 'AUTHORISATION:8515:true' }, { dedupKey: 'REFUND:993:true' }],
    });
  });

  test('one bad item spoils the batch', async () => {
    const spoil = (item: Item) => (item['eventCode'] === 'REFUND' ? { ...item, merchantReference: 'x' } : item);
    const reading = await adyen.readCallback(
      setUp([]).context,
      raw([authorisation, later('REFUND', 'true')], { spoil }),
    );
    expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 401 } });
  });

  test.each<[string, (item: Item) => Item]>([
    ['one cent less', (item) => ({ ...item, amount: { value: 498, currency: 'USD' } })],
    ['another currency', (item) => ({ ...item, amount: { value: 499, currency: 'IDR' } })],
    ['another reference', (item) => ({ ...item, merchantReference: `${REFERENCE}0` })],
    ['another account', (item) => ({ ...item, merchantAccountCode: 'Other' })],
    ['another event', (item) => ({ ...item, eventCode: 'REFUND' })],
    ['success turned', (item) => ({ ...item, success: 'false' })],
    ['no signature', (item) => ({ ...item, additionalData: {} })],
    ['no additional data', (item) => ({ ...item, additionalData: undefined })],
    ['an empty signature', (item) => ({ ...item, additionalData: { hmacSignature: '' } })],
    [
      'a signature cut short',
      (item) => ({ ...item, additionalData: { hmacSignature: hmacOf(authorisation, LIBRARY_KEY).slice(0, 20) } }),
    ],
    ['44 x A, which decodes to 33 bytes', (item) => ({ ...item, additionalData: { hmacSignature: 'A'.repeat(44) } })],
  ])('%s is not believed', async (_name, spoil) => {
    const reading = await adyen.readCallback(setUp([]).context, raw([authorisation], { spoil }));
    expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
  });

  test('another key is not believed; the old and the new one both are while they change', async () => {
    const { context } = setUp([], { HMAC_KEYS: `${DOCS_KEY}, ${LIBRARY_KEY}` });
    expect((await adyen.readCallback(context, raw([authorisation], { key: DOCS_KEY }))).kind).toBe('events');
    expect((await adyen.readCallback(context, raw([authorisation]))).kind).toBe('events');
    expect((await adyen.readCallback(setUp([]).context, raw([authorisation], { key: DOCS_KEY }))).kind).toBe('invalid');
  });

  test.each([[''], ['not hex'], [','], ['ab'], [`${'0'.repeat(63)}`]])(
    'HMAC_KEYS %j can sign nothing',
    async (HMAC_KEYS) => {
      const { context } = setUp([], { HMAC_KEYS });
      for (const key of ['', HMAC_KEYS]) {
        expect((await adyen.readCallback(context, raw([authorisation], { key }))).kind).toBe('invalid');
      }
    },
  );

  test('the two sides never cross', async () => {
    expect((await adyen.readCallback(setUp([]).context, raw([authorisation], { live: 'true' }))).kind).toBe('invalid');
    const live = setUp([], {}, 'live').context;
    expect((await adyen.readCallback(live, raw([authorisation]))).kind).toBe('invalid');
    expect((await adyen.readCallback(live, raw([authorisation], { live: 'true' }))).kind).toBe('events');
  });

  test('a signed webhook of another merchant account says so', async () => {
    const reading = await adyen.readCallback(
      setUp([]).context,
      raw([{ ...authorisation, merchantAccountCode: 'Other' }]),
    );
    expect(reading).toMatchObject({ events: [{ report: { merchantAccount: 'Other' } }] });
    expect(adyen.accountOf({ MERCHANT_ACCOUNT: 'WattECOM' })).toBe('WattECOM');
  });

  test('a currency nobody knows is told as no amount', async () => {
    const item = { ...authorisation, amount: { value: 499, currency: 'XXX' } };
    expect(await adyen.readCallback(setUp([]).context, raw([item]))).toMatchObject({
      events: [{ report: { amount: null } }],
    });
  });

  test.each([['{}'], ['[]'], ['not json'], [''], ['{"live":"false","notificationItems":[]}']])(
    '%j is no webhook',
    async (text) => {
      const reading = await adyen.readCallback(setUp([]).context, { ...raw([authorisation]), body: Buffer.from(text) });
      expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 401 } });
    },
  );
});

describe('hosts', () => {
  test('are made of the environment and the live prefix', () => {
    expect(adyen.apiHosts({}, 'demo')).toEqual(['checkout-test.adyen.com']);
    const prefix = { LIVE_PREFIX: '1797a841fbb37ca7-AdyenDemo' };
    expect(adyen.apiHosts(prefix, 'live')).toEqual(['1797a841fbb37ca7-adyendemo-checkout-live.adyenpayments.com']);
    expect(adyen.payHosts({}, 'live')).toEqual(['eu.adyen.link']);
  });

  test.each([{}, { LIVE_PREFIX: 'evil.example/' }, { API_BASE: 'http://checkout.example' }])(
    '%j is no live side',
    (given) => {
      expect(() => adyen.apiHosts(given, 'live')).toThrow(/LIVE_PREFIX|https/);
    },
  );

  test('the live address has the extra path', async () => {
    const { context, calls } = setUp([ok(link('active'))], { LIVE_PREFIX: 'abc-Watt' }, 'live');
    await adyen.query(context, payment);
    expect(calls[0]!.url).toBe('https://abc-watt-checkout-live.adyenpayments.com/checkout/v72/paymentLinks/PL1');
  });
});
