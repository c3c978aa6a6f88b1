import type { Environment } from '#kernel/environment.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';
import { readAmount, writeAmount } from './amounts.ts';
import { xsolla } from './provider.ts';
import { isSigned, signBody } from './webhook.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const SECRET = 'PROJECT_SECRET_KEY';
const MERCHANT = 'https://api.xsolla.com/merchant/v2/merchants/2340';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { MERCHANT_ID: '2340', PROJECT_ID: '44056', API_KEY: 'key', PROJECT_SECRET: SECRET, ...extra },
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
const fault = (status: number) => ok({ http_status_code: status, message: 'no' }, status);

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'USD'),
  productName: '60 "Embers" "amount":""',
  brandName: 'Watt',
  playerRef: 'p-1',
  playerName: 'Ann',
  country: 'US',
  locale: 'zh-Hant-TW',
  channelId: '1380',
  returnUrl: 'https://shop.example/back',
  cancelUrl: 'https://shop.example/cancel',
  notifyUrl: 'https://shop.example/callback/xsolla',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: true, os: 'android', userAgent: 'Mozilla/5.0 (Linux; Android 14)', ip: '192.0.2.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: REFERENCE,
  captureRef: null,
  amount: money(499, 'USD'),
  createdAt: NOW - 60_000,
  approval: null,
  playerRef: 'player',
  channelId: '',
};

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['USD', 499, '4.99'],
    ['USD', 490, '4.90'],
    ['USD', 10, '0.10'],
    ['EUR', 70_368_744_177_667, '703687441776.67'],
    ['THB', 15_900, '159.00'],
    ['MYR', 2190, '21.90'],
    ['TRY', 14_999, '149.99'],
    ['BRL', 2490, '24.90'],
    ['RUB', 44_900, '449.00'],
    ['JPY', 120, '120'],
    ['KRW', 5900, '5900'],
    ['VND', 24_000, '24000'],
    ['IDR', 7_900_000, '79000'],
    ['IDR', 7_900_050, null],
    ['TWD', 15_000, '150'],
    ['TWD', 15_050, null],
    ['MMK', 100, null],
    ['USD', 0, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    const written = writeAmount(money(amountMinor, currency));
    expect(written).toBe(text);
    expect(readAmount(written ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([['4.999'], ['1e2'], ['-4.99'], ['']])('%j is no amount', (text) => {
    expect(readAmount(text, 'USD')).toBeNull();
  });
});

describe('create', () => {
  test('sends our reference, the mode and the price as a number written digit by digit', async () => {
    const { context, calls } = setUp([ok({ token: 'abc/d' })]);
    expect(await xsolla.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://sandbox-secure.xsolla.com/paystation4/?token=abc%2Fd',
      providerRef: REFERENCE,
    });
    const { url, call } = calls[0]!;
    expect(url).toBe(`${MERCHANT}/token`);
    expect(call.headers!['authorization']).toBe(`Basic ${Buffer.from('2340:key').toString('base64')}`);
    expect(call.body).toContain('"amount":4.99}');
    expect(JSON.parse(call.body!)).toEqual({
      user: { id: { value: 'p-1' }, name: { value: 'Ann' }, country: { value: 'US', allow_modify: true } },
      settings: {
        project_id: 44_056,
        external_id: REFERENCE,
        currency: 'USD',
        return_url: 'https://shop.example/back',
        language: 'tw',
        payment_method: 1380,
        mode: 'sandbox',
      },
      purchase: { checkout: { currency: 'USD', amount: 4.99 }, description: { value: '60 "Embers" "amount":""' } },
      custom_parameters: { reference: REFERENCE },
    });
  });

  test('keeps a trailing zero, names no mode on the live side, and goes to the live page', async () => {
    const { context, calls } = setUp([ok({ token: 'abc' })], {}, 'live');
    const outcome = await xsolla.create(context, { ...input, amount: money(490, 'USD'), channelId: '', country: '' });
    expect(outcome).toMatchObject({ url: 'https://secure.xsolla.com/paystation4/?token=abc' });
    expect(calls[0]!.call.body).toContain('"amount":4.90}');
    const body = JSON.parse(calls[0]!.call.body!);
    expect(body.settings).not.toHaveProperty('mode');
    expect(body.settings).not.toHaveProperty('payment_method');
    expect(body.user).not.toHaveProperty('country');
  });

  test.each([
    ['en', 'en'],
    ['pt-BR', 'pt'],
    ['zh-CN', 'cn'],
    ['zh', 'cn'],
    ['zh-HK', 'tw'],
    ['xx', undefined],
    ['cn', undefined],
  ])('locale %s becomes language %s', async (locale, language) => {
    const { context, calls } = setUp([ok({ token: 'abc' })]);
    await xsolla.create(context, { ...input, locale });
    expect(JSON.parse(calls[0]!.call.body!).settings.language).toBe(language);
  });

  test.each<[string, Reply, string]>([
    ['a timeout', new OutboundError('timeout', true, 'late'), 'unknown'],
    ['a connection never made', new OutboundError('network', false, 'refused'), 'refused'],
    ['500', fault(500), 'unknown'],
    ['an HTML page', { status: 200, text: '<html>busy</html>' }, 'unknown'],
    ['an HTML 403 of somebody between', { status: 403, text: '<html>no</html>' }, 'unknown'],
    ['no token', ok({}), 'unknown'],
    ['an empty token', ok({ token: '' }), 'unknown'],
    ['401', fault(401), 'refused'],
    ['422', fault(422), 'refused'],
    ['409', fault(409), 'unknown'],
  ])('%s ends as it must', async (_name, reply, kind) => {
    expect((await xsolla.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('an amount Xsolla cannot take is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await xsolla.create(context, { ...input, amount: money(15_050, 'TWD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('http pay pages and foreign ones are for named sandbox hosts only', async () => {
    const base = { PAY_STATION_BASE: 'http://127.0.0.1:4000' };
    expect(await xsolla.create(setUp([ok({ token: 'a' })], base).context, input)).toMatchObject({
      url: 'http://127.0.0.1:4000/paystation4/?token=a',
    });
    const elsewhere = setUp([ok({ token: 'a' })], { ...base, PAY_HOSTS: 'secure.xsolla.com' });
    expect((await xsolla.create(elsewhere.context, input)).kind).toBe('unknown');
    await expect(xsolla.create(setUp([ok({ token: 'a' })], base, 'live').context, input)).rejects.toThrow('https');
  });
});

describe('query', () => {
  function found(status: string | undefined, extra = {}) {
    return {
      transaction: { id: 1, external_id: REFERENCE, status },
      purchase: { simple_checkout: { amount: 4.99, currency: 'USD' } },
      ...extra,
    };
  }
  test.each<[string, string, unknown[]]>([
    ['paid', 'done', [found('done')]],
    ['refunded', 'refunded', [found('refunded')]],
    ['refunded', 'partial_refunded', [found('partial_refunded')]],
    ['pending', 'created', [found('created')]],
    ['pending', 'processing', [found('processing')]],
    ['pending', 'review', [found('review')]],
    ['paid_unreadable', 'awaitingRefund', [found('awaitingRefund')]],
    ['unknown', 'something new', [found('something new')]],
    ['unknown', 'no status', [found(undefined)]],
    ['unknown', 'a failed try and something new', [found('error'), found('something new')]],
    ['declined', 'canceled while the page is open', [found('canceled')]],
    ['declined', 'error while the page is open', [found('error')]],
    ['pending', 'nothing', []],
    ['paid', 'a failed try and a paid one', [found('error'), found('done')]],
    [
      'unknown',
      "a stranger's payment",
      [{ ...found('done'), transaction: { id: 1, external_id: 'x', status: 'done' } }],
    ],
    ['paid_unreadable', 'a payment without a price', [found('done', { purchase: {} })]],
    [
      'paid_unreadable',
      'a price in the shape of the webhooks',
      [found('done', { purchase: { checkout: { amount: 4.99, currency: 'USD' } } })],
    ],
    [
      'paid_unreadable',
      'a price of another shape',
      [found('error'), found('done', { purchase: { simple_checkout: '4.99 USD' } })],
    ],
    ['unknown', 'a failed try of another shape', [found('error', { purchase: { simple_checkout: '4.99 USD' } })]],
  ])('%s for %s', async (status, _name, list) => {
    expect((await xsolla.query(setUp([ok(list)]).context, payment)).status).toBe(status);
  });

  const old = { ...payment, createdAt: NOW - 26 * 3_600_000 };
  test.each<[string, string, unknown[]]>([
    ['expired', 'nothing', []],
    ['failed', 'canceled', [found('canceled')]],
    ['failed', 'error', [found('error')]],
    ['paid', 'done', [found('done')]],
    ['paid_unreadable', 'a transaction without a reference', [{ transaction: { id: 1, status: 'done' } }]],
    ['unknown', 'a failed one without a reference', [{ transaction: { id: 1, status: 'error' } }]],
  ])('%s for %s when the token is over', async (status, _name, list) => {
    expect((await xsolla.query(setUp([ok(list)]).context, old)).status).toBe(status);
  });

  // @source developers.xsolla.com, Pay Station API, "Find transactions", response sample; with
  // our reference and its status
  test('the published sample of an answer is read', async () => {
    const sample = {
      payment_details: {
        payment: { amount: 7.96, amount_from_ps: 7.96, currency: 'RUB' },
        sales_tax: { amount: 0, percent: 0 },
      },
      payment_system: { decline_reason: null },
      purchase: {
        pin_codes: { amount: null, content: null, currency: null },
        simple_checkout: { amount: 7.96, currency: 'RUB' },
        subscription: { name: null },
        virtual_currency: { amount: 0, name: null },
        virtual_items: null,
      },
      transaction: {
        create_date: '2021-10-20',
        dry_run: 0,
        external_id: REFERENCE,
        id: 123456789,
        is_refund_allowed: 0,
        payment_method: { id: 1, name: 'PayPal' },
        project: { id: 123456, name: 'Example' },
        refund_reason: null,
        status: 'done',
        transfer_date: '2021-10-20',
      },
      user: { country: 'RU', custom: null, email: 'email@example.com', id: 'example-id', name: 'Example', phone: null },
    };
    expect(await xsolla.query(setUp([ok([sample])]).context, payment)).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: null,
      captureRef: '123456789',
      amount: money(796, 'RUB'),
      merchantAccount: '123456',
      reason: 'done',
    });
  });

  test('asks by our reference and tells amount and transaction', async () => {
    const { context, calls } = setUp([ok([found('done')])]);
    expect(await xsolla.query(context, payment)).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: null,
      captureRef: '1',
      amount: money(499, 'USD'),
      merchantAccount: null,
      reason: 'done',
    });
    const url = new URL(calls[0]!.url);
    expect(url.pathname).toBe('/merchant/v2/merchants/2340/reports/transactions/search.json');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      external_id: REFERENCE,
      project_id: '44056',
      datetime_from: '2026-01-01T03:03:05.000Z',
      datetime_to: '2026-01-03T03:04:05.000Z',
      show_dry_run: '1',
    });
  });

  test.each<[string, Reply]>([
    ['HTML', { status: 200, text: '<html>' }],
    ['500', fault(500)],
    ['404', fault(404)],
    ['an object', ok({ data: [] })],
  ])('%s is not understood', async (_name, reply) => {
    expect((await xsolla.query(setUp([reply]).context, old)).status).toBe('unknown');
  });

  test('throws when Xsolla cannot be reached', async () => {
    const { context } = setUp([new OutboundError('network', false, 'refused')]);
    await expect(xsolla.query(context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: '1' };
  const gone = (status: string, simple_checkout: object | undefined = { amount: 4.99, currency: 'USD' }) =>
    ok([{ transaction: { id: 1, external_id: REFERENCE, status }, purchase: { simple_checkout } }]);
  test.each<[string, string, Reply[]]>([
    ['pending', '204', [{ status: 204, text: '' }]],
    ['pending', '200 with a message', [ok({ message: 'by hand' })]],
    ['unknown', '500', [fault(500)]],
    ['unknown', 'HTML', [{ status: 404, text: '<html>' }]],
    ['unknown', '429', [fault(429)]],
    ['unknown', 'a timeout', [new OutboundError('timeout', true, 'late')]],
    ['failed', '422', [fault(422), ok([{ transaction: { id: 1, external_id: REFERENCE, status: 'done' } }])]],
    ['failed', '401', [fault(401), fault(401)]],
    ['done', '422 of one made before', [fault(422), gone('refunded')]],
    ['failed', '422 of another amount', [fault(422), gone('refunded', { amount: 4.98, currency: 'USD' })]],
    [
      'failed',
      '422 of one without an amount',
      [fault(422), ok([{ transaction: { id: 1, external_id: REFERENCE, status: 'refunded' } }])],
    ],
    ['failed', '422 after a part', [fault(422), gone('partial_refunded')]],
    ['pending', '422 of one on its way', [fault(422), gone('awaitingRefund')]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await xsolla.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });

  const rest = { ...paid, amount: { ...payment.amount, amountMinor: 199 }, paidAmount: payment.amount };
  test('asks for what is left after parts, and never for the whole', async () => {
    const { context, calls } = setUp([{ status: 204, text: '' }]);
    expect((await xsolla.refund!(context, rest, 'RF-1')).status).toBe('pending');
    expect(calls[0]!.url).toMatch(/\/reports\/transactions\/1\/partial_refund$/);
    expect(calls[0]!.call.body).toBe('{"description":"Refund RF-1","refund_amount":1.99}');
  });

  test.each([
    ['done', 'refunded'],
    ['failed', 'partial_refunded'],
  ])('what is left is %s when the transaction is %s', async (status, word) => {
    expect((await xsolla.refund!(setUp([fault(422), gone(word)]).context, rest, 'RF-1')).status).toBe(status);
  });

  test('puts a description to the transaction', async () => {
    const { context, calls } = setUp([{ status: 204, text: '' }]);
    await xsolla.refund!(context, paid, 'RF-1');
    const { url, call } = calls[0]!;
    expect([call.method, url]).toEqual(['PUT', `${MERCHANT}/reports/transactions/1/refund`]);
    expect(JSON.parse(call.body!)).toEqual({ description: 'Refund RF-1' });
  });

  test('without a transaction nothing is refunded yet', async () => {
    expect((await xsolla.refund!(setUp([ok([])]).context, payment, 'RF-1')).status).toBe('unknown');
  });
});

function signed(body: unknown, secret = SECRET): RawCallback {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  // Made here by hand, so that a mistake in signBody cannot prove itself.
  const signature = createHash('sha1')
    .update(Buffer.concat([bytes, Buffer.from(secret)]))
    .digest('hex');
  const headers = { authorization: `Signature ${signature}` };
  return { method: 'POST', path: '/callback/xsolla', topic: '', headers, query: {}, body: bytes, ip: '185.30.20.1' };
}

describe('signature', () => {
  test.each([
    ['{"notification_type": "payment"}', '89404631c86da9f508954da7b50799199a6b1d3a'],
    ['{"notification_type":"user_validation","user":{"id":"player-1"}}', '4d124bc4d579b4d09dcda911a59a44a1e6f7eee0'],
  ])('%s', (body, signature) => {
    expect(signBody(Buffer.from(body), SECRET)).toBe(signature);
    expect(isSigned(`Signature ${signature}`, Buffer.from(body), [SECRET])).toBe(true);
    expect(isSigned(`Signature ${signature}`, Buffer.from(`${body} `), [SECRET])).toBe(false);
  });

  test.each<[string, string | undefined]>([
    ['a missing header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Basic 89404631c86da9f508954da7b50799199a6b1d3a'],
    ['a signature cut short', 'Signature 89404631c86da9f508954da7b50799199a6b1d3'],
    ['capitals', 'Signature 89404631C86DA9F508954DA7B50799199A6B1D3A'],
    ['no hex', `Signature ${'z'.repeat(40)}`],
    ['a wrong one', `Signature ${'0'.repeat(40)}`],
  ])('%s is not believed', async (_name, header) => {
    const raw = signed('{"notification_type": "payment"}');
    const reading = await xsolla.readCallback(setUp([]).context, {
      ...raw,
      headers: header === undefined ? {} : { authorization: header },
    });
    expect(reading).toEqual({
      kind: 'invalid',
      reason: 'the signature does not fit the body',
      answer: {
        status: 400,
        contentType: 'application/json',
        body: '{"error":{"code":"INVALID_SIGNATURE","message":"the signature does not fit the body"}}',
      },
    });
  });

  test('an empty secret proves nothing, although sha1 of the body alone would fit it', async () => {
    for (const PROJECT_SECRET of ['', ' , ']) {
      const { context } = setUp([], { PROJECT_SECRET });
      expect((await xsolla.readCallback(context, signed(validation, ''))).kind).toBe('invalid');
    }
  });

  test('the old and the new secret both count while they change, no third one', async () => {
    const { context } = setUp([], { PROJECT_SECRET: 'new, old' });
    expect((await xsolla.readCallback(context, signed(validation, 'new'))).kind).toBe('question');
    expect((await xsolla.readCallback(context, signed(validation, 'old'))).kind).toBe('question');
    expect((await xsolla.readCallback(context, signed(validation, 'new, old'))).kind).toBe('invalid');
  });
});

const validation = { notification_type: 'user_validation', user: { id: 'p-1' } };
const paymentHook = {
  notification_type: 'payment',
  settings: { project_id: 44_056 },
  purchase: { checkout: { currency: 'USD', amount: 4.99 } },
  user: { id: 'p-1' },
  transaction: { id: 87_654_321, external_id: REFERENCE, dry_run: 1 },
  payment_details: { payment: { currency: 'EUR', amount: 5.49 } },
  custom_parameters: null,
};
const orderHook = {
  notification_type: 'order_paid',
  order: { id: 77, amount: '4.99', currency: 'USD', invoice_id: '87654321', mode: 'sandbox' },
  billing: { transaction: { id: 87_654_321, external_id: REFERENCE, dry_run: 1 } },
  custom_parameters: { reference: REFERENCE },
};

describe('callback', () => {
  test('a payment becomes one event: the checkout price counts, not what the player paid with tax', async () => {
    expect(await xsolla.readCallback(setUp([]).context, signed(paymentHook))).toEqual({
      kind: 'events',
      answer: { status: 204, contentType: 'text/plain', body: '' },
      events: [
        {
          dedupKey: 'payment:87654321',
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: null,
            captureRef: '87654321',
            amount: money(499, 'USD'),
            merchantAccount: '44056',
            reason: 'payment',
          },
        },
      ],
    });
  });

  const refund = (code: number) => ({
    ...paymentHook,
    notification_type: 'refund',
    refund_details: { code, reason: 'why' },
  });
  test.each<[string, unknown, string, string | null]>([
    ['order_paid', orderHook, 'paid', 'order_paid:77'],
    ['order_canceled', { ...orderHook, notification_type: 'order_canceled' }, 'refunded', 'order_canceled:77'],
    ...[1, 3, 4, 5, 6, 7, 8, 9, 10].map((code): [string, unknown, string, string] => [
      `refund code ${code}`,
      refund(code),
      'refunded',
      'refund:87654321',
    ]),
    ['refund code 2', refund(2), 'chargeback', 'refund:chargeback:87654321'],
    [
      'partial_refund',
      { ...refund(1), notification_type: 'partial_refund' },
      'refunded',
      expect.stringMatching(/^partial_refund:87654321:[0-9a-f]{64}$/),
    ],
  ])('%s', async (_name, body, status, dedupKey) => {
    expect(await xsolla.readCallback(setUp([]).context, signed(body))).toMatchObject({
      kind: 'events',
      answer: { status: 204, body: '' },
      events: [{ dedupKey, report: { status, reference: REFERENCE, captureRef: '87654321' } }],
    });
  });

  test('both kinds of paid tell the same transaction and amount', async () => {
    const reading = await xsolla.readCallback(setUp([]).context, signed(orderHook));
    expect(reading).toMatchObject({ events: [{ report: { captureRef: '87654321', amount: money(499, 'USD') } }] });
  });

  test.each<[string, unknown, ReturnType<typeof money> | null]>([
    ['one cent less', { amount: 4.98, currency: 'USD' }, money(498, 'USD')],
    ['another currency', { amount: 4.99, currency: 'EUR' }, money(499, 'EUR')],
    ['a currency nobody knows', { amount: 4.99, currency: 'XXX' }, null],
    ['too many decimals', { amount: 4.999, currency: 'USD' }, null],
    ['a text', { amount: '4.99', currency: 'USD' }, money(499, 'USD')],
  ])('tells %s as it is', async (_name, checkout, amount) => {
    const reading = await xsolla.readCallback(setUp([]).context, signed({ ...paymentHook, purchase: { checkout } }));
    const status = amount === null ? 'paid_unreadable' : 'paid';
    expect(reading).toMatchObject({ events: [{ report: { status, amount } }] });
  });

  test('a partial refund never counts as the whole price', async () => {
    const body = {
      ...paymentHook,
      notification_type: 'partial_refund',
      refund_details: { code: 1, refund_amount: 1.5 },
    };
    expect(await xsolla.readCallback(setUp([]).context, signed(body))).toMatchObject({
      events: [{ report: { amount: money(150, 'USD'), amountDoubt: 'part' } }],
    });
    const silent = { ...body, refund_details: { code: 1 } };
    expect(await xsolla.readCallback(setUp([]).context, signed(silent))).toMatchObject({
      events: [{ report: { amount: null } }],
    });
  });

  test('each part of a refund is told once, however often it is sent', async () => {
    const keyOf = async (part: number): Promise<unknown> => {
      const body = { ...refund(1), notification_type: 'partial_refund', refund_details: { refund_amount: part } };
      const reading = await xsolla.readCallback(setUp([]).context, signed(body));
      return 'events' in reading ? reading.events[0]?.dedupKey : reading;
    };
    expect(await keyOf(1.5)).toBe(await keyOf(1.5));
    expect(await keyOf(2)).not.toBe(await keyOf(1.5));
  });

  test('a second part of the same amount is no repetition, and of a whole refund nothing is in doubt', async () => {
    const part = { ...refund(1), notification_type: 'partial_refund' };
    const of = async (body: object) => {
      const reading = await xsolla.readCallback(setUp([]).context, signed(body));
      return 'events' in reading ? reading.events[0] : undefined;
    };
    const [first, second] = await Promise.all(
      ['bored', 'bored again'].map((reason) => of({ ...part, refund_details: { code: 1, reason, refund_amount: 1 } })),
    );
    expect(first?.dedupKey).not.toBe(second?.dedupKey);
    expect((await of(refund(1)))?.report).not.toHaveProperty('amountDoubt');
  });

  test('asks whether a player exists, with both answers ready', async () => {
    expect(await xsolla.readCallback(setUp([]).context, signed(validation))).toEqual({
      kind: 'question',
      playerRef: 'p-1',
      yes: { status: 204, contentType: 'text/plain', body: '' },
      no: {
        status: 400,
        contentType: 'application/json',
        body: '{"error":{"code":"INVALID_USER","message":"this player does not exist"}}',
      },
    });
  });

  test.each([['afs_reject'], ['user_search'], ['create_subscription'], ['something_new']])(
    '%s is acknowledged and ignored',
    async (type) => {
      const reading = await xsolla.readCallback(setUp([]).context, signed({ notification_type: type }));
      expect(reading).toMatchObject({ kind: 'ignored', answer: { status: 204 } });
    },
  );

  test.each<[string, unknown]>([
    ['a test payment', paymentHook],
    ['a test payment by true', { ...paymentHook, transaction: { ...paymentHook.transaction, dry_run: true } }],
    ['a test order', { ...orderHook, billing: undefined }],
  ])('%s brings no goods on the live side', async (_name, body) => {
    const { context } = setUp([], {}, 'live');
    expect((await xsolla.readCallback(context, signed(body))).kind).toBe('ignored');
  });

  test('a real payment counts on the live side', async () => {
    const { context } = setUp([], {}, 'live');
    const body = { ...paymentHook, transaction: { ...paymentHook.transaction, dry_run: 0 } };
    expect((await xsolla.readCallback(context, signed(body))).kind).toBe('events');
  });

  test('what is signed but cannot be read is acknowledged, for a person', async () => {
    const transaction = { external_id: REFERENCE, status: 'done' };
    expect(
      await xsolla.readCallback(setUp([]).context, signed({ notification_type: 'payment', transaction })),
    ).toMatchObject({
      kind: 'events',
      events: [{ report: { status: 'paid_unreadable', reference: REFERENCE } }],
      answer: { status: 204 },
    });
  });

  test.each([['{}'], ['[]'], ['not json'], ['']])('a signed %j is no webhook', async (body) => {
    const reading = await xsolla.readCallback(setUp([]).context, signed(body));
    expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 400 } });
  });

  test('a long transaction number keeps all its digits', async () => {
    const body = JSON.stringify(paymentHook).replace('87654321', '12345678901234567891');
    expect(await xsolla.readCallback(setUp([]).context, signed(body))).toMatchObject({
      events: [{ report: { captureRef: '12345678901234567891' } }],
    });
  });
});

test('hosts are the official ones unless set', () => {
  expect(xsolla.apiHosts({}, 'live')).toEqual(['api.xsolla.com']);
  expect(xsolla.payHosts({}, 'live')).toEqual(['secure.xsolla.com']);
  expect(xsolla.payHosts({ PAY_STATION_BASE: 'http://127.0.0.1:4000' }, 'demo')).toEqual(['127.0.0.1:4000']);
  expect(xsolla.accountOf({ PROJECT_ID: '44056' })).toBe('44056');
});
