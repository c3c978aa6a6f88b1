// EBANX against a fake way out: what is sent, what each answer means, whose notifications are believed.
import { createHash, sign, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { OutboundError, type OutboundRequest } from '#server/platform/outbound/outbound.ts';
import { decimalsOf, readAmount, supportsCurrency, writeAmount } from './amounts.ts';
import { ebanx } from './provider.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const HASH = '59ad5dd18a6d5ba0e24327c2ba92a730115a80bd58b3baa5';
const API = 'https://sandbox.ebanxpay.com/ws';

type Pair = { privateKey: string; certificate: string };
let own: Pair;
let next: Pair;
beforeAll(async () => {
  const make = async (): Promise<Pair> => {
    const pair = await generate([{ name: 'commonName', value: 'EBANX' }], { keySize: 2048, algorithm: 'sha256' });
    return { privateKey: pair.private, certificate: pair.cert };
  };
  [own, next] = [await make(), await make()];
});

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}) {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment: 'demo',
    settings: {
      INTEGRATION_KEY: 'key',
      PAYER_EMAIL: 'pay+{player}@shop.example',
      CERTIFICATES: own.certificate,
      ...extra,
    },
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
  const forms = () =>
    calls.map(({ url, call }) => [url.slice(API.length + 1), Object.fromEntries(new URLSearchParams(call.body))]);
  return { context, calls, forms };
}

const json = (body: unknown, status = 200): Reply => ({ status, text: JSON.stringify(body) });
const fault = (code: string, status = 200) =>
  json({ status: 'ERROR', status_code: code, status_message: 'no' }, status);
const silence = () => new OutboundError('timeout', true, 'late');
const paymentOf = (status: string, extra = {}) => ({
  hash: HASH,
  pin: '719987654',
  merchant_payment_code: REFERENCE,
  status,
  amount_br: '25.00',
  amount_ext: '24.90',
  currency_ext: 'BRL',
  ...extra,
});
const queried = (status: string, extra = {}) => json({ status: 'SUCCESS', payment: paymentOf(status, extra) });
const requested = (redirect_url: string | null = `https://checkout.ebanx.com/checkout?hash=${HASH}`) =>
  json({ status: 'SUCCESS', redirect_url, payment: paymentOf('OP') });

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(2490, 'BRL'),
  productName: '60 Embers',
  brandName: 'Joy',
  playerRef: '7b1e-1',
  playerName: 'Ana',
  country: 'BR',
  locale: 'pt',
  channelId: '',
  returnUrl: 'https://shop.example/return/ebanx',
  cancelUrl: 'https://shop.example/return/ebanx?cancelled=1',
  notifyUrl: 'https://shop.example/callback/ebanx',
  expiresAt: Date.parse('2026-01-06T03:04:05Z'),
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: HASH,
  captureRef: null,
  approval: null,
  amount: money(2490, 'BRL'),
  playerRef: '7b1e-1',
  channelId: '',
  createdAt: NOW - 60_000,
};

describe('amounts', () => {
  test.each<[Currency, number, string | null]>([
    ['BRL', 2490, '24.90'],
    ['USD', 1, '0.01'],
    ['EUR', 9_999_999, '99999.99'],
    ['BRL', 0, null],
    ['USD', -499, null],
    ['KRW', 5900, null],
    ['GBP', 499, null],
  ])('%s %i is written %s', (currency, amountMinor, text) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(text);
    expect(readAmount(text ?? undefined, currency)).toEqual(text === null ? null : money(amountMinor, currency));
  });

  test.each([
    ['USD', 2],
    ['EUR', 2],
    ['BRL', 2],
    ['MXN', 2],
    ['ARS', 2],
    ['COP', 2],
    ['PEN', 2],
    ['BOB', 2],
    ['UYU', 2],
    ['GTQ', 2],
    ['CLP', 0],
    ['PYG', 0],
    ['JPY', null],
    ['constructor', null],
  ])('%s has %s decimals at EBANX', (currency, decimals) => {
    expect(supportsCurrency(currency as Currency) ? decimalsOf(currency) : null).toBe(decimals);
  });

  test.each([
    ['24.9', 'BRL', 2490],
    ['24', 'BRL', 2400],
    ['24.901', 'BRL', null],
    ['2,490', 'BRL', null],
    ['24.90', 'MXN', 2490],
    ['24.90', 'XXX', null],
    ['24.90', undefined, null],
  ])('%s %s is read %s', (text, currency, amountMinor) => {
    expect(readAmount(text, currency)).toEqual(amountMinor === null ? null : money(amountMinor, currency as Currency));
  });
});

describe('create', () => {
  test('sends payer, amount, code, addresses and the last day', async () => {
    const { context, calls } = setUp([requested()]);
    expect(await ebanx.create(context, input)).toEqual({
      kind: 'redirect',
      url: `https://checkout.ebanx.com/checkout?hash=${HASH}`,
      providerRef: HASH,
    });
    expect(calls[0]!.url).toBe(`${API}/request`);
    expect(JSON.parse(calls[0]!.call.body!)).toEqual({
      integration_key: 'key',
      name: 'Ana',
      email: 'pay+7b1e-1@shop.example',
      country: 'br',
      currency_code: 'BRL',
      amount: '24.90',
      merchant_payment_code: REFERENCE,
      order_number: REFERENCE,
      payment_type_code: '_all',
      instalments: '1-1',
      redirect_url: input.returnUrl,
      notification_url: input.notifyUrl,
      due_date: '06/01/2026',
      customer_ip: '203.0.113.7',
    });
  });

  test('one method, a nameless player, a country by the currency', async () => {
    const { context, calls } = setUp([requested()]);
    await ebanx.create(context, { ...input, channelId: 'pix', playerName: ' ', country: '' });
    expect(JSON.parse(calls[0]!.call.body!)).toMatchObject({ payment_type_code: 'pix', name: 'Player', country: 'br' });
  });

  test.each<[string, string, () => Reply]>([
    ['refused', 'an error in its form', () => fault('BP-SA-1')],
    ['refused', 'no connection', () => new OutboundError('network', false, 'refused')],
    ['unknown', 'a timeout', silence],
    ['unknown', '500', () => fault('BP-X', 500)],
    ['unknown', 'HTML', () => ({ status: 200, text: '<html>' })],
    ['unknown', '403 in HTML', () => ({ status: 403, text: '<html>' })],
    ['unknown', 'no link', () => requested(null)],
    ['unknown', 'a link elsewhere', () => requested('https://evil.example/checkout')],
  ])('is %s on %s', async (kind, _name, reply) => {
    expect((await ebanx.create(setUp([reply()]).context, input)).kind).toBe(kind);
  });

  test.each<[string, Reply[], object]>([
    [
      'open',
      [queried('OP')],
      { kind: 'redirect', url: `https://sandbox.ebanxpay.com/checkout?hash=${HASH}`, providerRef: HASH },
    ],
    ['pending', [queried('PE')], { kind: 'redirect', providerRef: HASH }],
    ['paid', [queried('CO')], { kind: 'paid', report: { status: 'paid', amount: money(2490, 'BRL') } }],
    ['cancelled', [queried('CA')], { kind: 'refused' }],
    ['of another amount', [queried('OP', { amount_ext: '1.00' })], { kind: 'unknown' }],
    ['not shown', [fault('BP-QR-3')], { kind: 'unknown' }],
    ['asked in vain', [silence()], { kind: 'unknown' }],
  ])('takes up a payment of the same code that is %s', async (_name, replies, outcome) => {
    const { context, forms } = setUp([fault('BP-DR-0'), ...replies]);
    expect(await ebanx.create(context, input)).toMatchObject(outcome);
    expect(forms()[1]).toEqual(['query', { integration_key: 'key', merchant_payment_code: REFERENCE }]);
  });

  test('what EBANX does not sell is refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await ebanx.create(context, { ...input, amount: money(5900, 'KRW') })).kind).toBe('refused');
    expect((await ebanx.create(context, { ...input, country: 'KR' })).kind).toBe('refused');
    expect((await ebanx.create(context, { ...input, country: '', amount: money(499, 'USD') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('query', () => {
  const refund = (status: string, amount_ext?: string) => ({
    id: 'R1',
    merchant_refund_code: 'RF-1',
    status,
    amount_ext,
  });
  test.each<[string, object, object]>([
    ['OP', {}, { status: 'pending', captureRef: null }],
    ['PE', {}, { status: 'pending' }],
    ['CO', {}, { status: 'paid', reference: REFERENCE, captureRef: HASH, amount: money(2490, 'BRL') }],
    ['CA', {}, { status: 'failed' }],
    ['ZZ', {}, { status: 'unknown' }],
    ['constructor', {}, { status: 'unknown' }],
    ['CO', { amount_ext: null }, { status: 'paid_unreadable', captureRef: HASH }],
    ['CO', { currency_ext: 'XXX' }, { status: 'paid_unreadable', amount: null }],
    ['CO', { amount_ext: { value: 24.9 } }, { status: 'paid_unreadable', reference: REFERENCE }],
    ['CO', { amount_ext: 24.9 }, { status: 'paid', amount: money(2490, 'BRL') }],
    ['CO', { amount_ext: '24.89' }, { status: 'paid', amount: money(2489, 'BRL') }],
    ['CO', { merchant_payment_code: 'other' }, { status: 'paid', reference: 'other' }],
    ['CO', { refunds: [refund('PE', '24.90')] }, { status: 'paid' }],
    ['CO', { refunds: [refund('CO', '24.90')] }, { status: 'refunded', amount: money(2490, 'BRL') }],
    [
      'CO',
      { refunds: [refund('CO', '1.00'), refund('CO', '0.50'), refund('CA', '9.00')] },
      { status: 'refunded', amount: money(150, 'BRL') },
    ],
    ['CO', { refunds: [refund('CO')] }, { status: 'refunded', amount: null }],
    ['CO', { chargeback: { description: 'Fraud' } }, { status: 'chargeback', amount: null }],
    ['CO', { chargeback: [] }, { status: 'paid' }],
  ])('%s with %j is %j', async (status, extra, report) => {
    expect(await ebanx.query(setUp([queried(status, extra)]).context, payment)).toMatchObject(report);
  });

  test('asks by hash, or by our code while the hash is not known; the key stays out of the address', async () => {
    const { context, calls, forms } = setUp([queried('OP'), queried('OP')]);
    await ebanx.query(context, payment);
    await ebanx.query(context, { ...payment, providerRef: null });
    expect(forms().map(([, form]) => form)).toEqual([
      { integration_key: 'key', hash: HASH },
      { integration_key: 'key', merchant_payment_code: REFERENCE },
    ]);
    expect(calls.every(({ url }) => url === `${API}/query`)).toBe(true);
  });

  test.each<[string, () => Reply]>([
    ['500', () => fault('BP-X', 500)],
    ['HTML', () => ({ status: 200, text: '<html>' })],
    ['an error', () => fault('BP-X-1')],
  ])('%s is not understood', async (_name, reply) => {
    expect((await ebanx.query(setUp([reply()]).context, payment)).status).toBe('unknown');
  });

  test('a payment that is not there is pending', async () => {
    expect((await ebanx.query(setUp([fault('BP-QR-3')]).context, payment)).status).toBe('pending');
  });

  test('throws when EBANX cannot be reached', async () => {
    await expect(ebanx.query(setUp([silence()]).context, payment)).rejects.toThrow(OutboundError);
  });
});

const body = (kind: string, hashes = HASH) =>
  `operation=payment_status_change&notification_type=${kind}&hash_codes=${hashes}`;

/** Signed here by hand, in either spelling of the headers. */
function notification(text: string, by: Pair = own, dash = '-'): RawCallback {
  const fingerprint = createHash('sha1').update(new X509Certificate(by.certificate).raw).digest('hex').toUpperCase();
  return {
    method: 'POST',
    path: '/callback/ebanx',
    topic: '',
    query: {},
    headers: {
      [`x-signature${dash}type`]: 'rsa,sha1',
      [`x-signature${dash}fingerprint`]: fingerprint,
      [`x-signature${dash}content`]: sign('RSA-SHA1', Buffer.from(text), by.privateKey).toString('base64'),
    },
    body: Buffer.from(text),
    ip: '203.0.113.9',
  };
}

describe('notifications', () => {
  test('say whom to ask about; the answer is told', async () => {
    const { context, forms } = setUp([queried('CO')]);
    expect(await ebanx.readCallback(context, notification(body('update')))).toEqual({
      kind: 'events',
      answer: { status: 200, contentType: 'text/plain', body: 'OK' },
      events: [
        {
          dedupKey: `update:${HASH}:CO`,
          report: {
            status: 'paid',
            reference: REFERENCE,
            providerRef: HASH,
            captureRef: HASH,
            amount: money(2490, 'BRL'),
            merchantAccount: null,
            reason: 'CO',
          },
        },
      ],
    });
    expect(forms()).toEqual([['query', { integration_key: 'key', hash: HASH }]]);
  });

  test('both spellings of the headers, several hashes, the old and the new certificate', async () => {
    const both = { CERTIFICATES: `${own.certificate}${next.certificate}`.replaceAll('\n', '\\n') };
    const { context, forms } = setUp([queried('CO'), queried('CA')], both);
    const reading = await ebanx.readCallback(
      context,
      notification(body('update', `${HASH},${'a'.repeat(48)}`), next, ''),
    );
    expect(reading).toMatchObject({
      kind: 'events',
      events: [{ report: { status: 'paid' } }, { report: { status: 'failed' } }],
    });
    expect(forms()).toHaveLength(2);
  });

  test.each<[string, object, string]>([
    ['chargeback', {}, 'chargeback'],
    ['refund', { refunds: [{ id: 'R1', status: 'CA', amount_ext: '24.90' }] }, 'refund_failed'],
    ['refund', { refunds: [{ id: 'R1', status: 'CO', amount_ext: '24.90' }] }, 'refunded'],
    ['refund', { refunds: [{ id: 'R1', status: 'PE' }] }, 'paid'],
  ])('%s with %j is %s', async (kind, extra, status) => {
    const reading = await ebanx.readCallback(setUp([queried('CO', extra)]).context, notification(body(kind)));
    expect(reading).toMatchObject({ kind: 'events', events: [{ report: { status } }] });
  });

  const eventsOf = async (kind: string, refunds: object[]) => {
    const { context } = setUp([queried('CO', { refunds })]);
    const reading = await ebanx.readCallback(context, notification(body(kind)));
    return reading.kind === 'events' ? reading.events : expect.fail(reading.kind);
  };
  const back = (id: string, amount_ext: string, status = 'CO') => ({ id, status, amount_ext });

  test('each part that went back is told once, with its own amount and not the sum', async () => {
    const first = await eventsOf('refund', [back('R1', '4.00')]);
    const both = await eventsOf('refund', [back('R1', '4.00'), back('R2', '6.00')]);
    expect(both.map(({ report }) => report)).toMatchObject([
      { status: 'refunded', amount: money(400, 'BRL') },
      { status: 'refunded', amount: money(600, 'BRL') },
    ]);
    expect(both[0]!.dedupKey).toBe(first[0]!.dedupKey);
    expect(both[1]!.dedupKey).not.toBe(first[0]!.dedupKey);
  });

  test('a refund that fails after all, or beside one that was done, is told as such', async () => {
    const [done] = await eventsOf('refund', [back('R1', '24.90')]);
    const [lost] = await eventsOf('refund', [back('R1', '24.90', 'CA')]);
    expect(lost!.report.status).toBe('refund_failed');
    expect(lost!.dedupKey).not.toBe(done!.dedupKey);
    const mixed = await eventsOf('refund', [back('R1', '4.00'), back('R2', '6.00', 'CA')]);
    expect(mixed.map(({ report }) => report.status)).toEqual(['refunded', 'refund_failed']);
  });

  test('a dispute after a part went back is a dispute, of an amount nobody tells', async () => {
    const [event] = await eventsOf('chargeback', [back('R1', '4.00')]);
    expect(event!.report).toMatchObject({ status: 'chargeback', amount: null });
  });

  test.each([['chargeback_credit'], ['med'], ['something_new']])('%s is acknowledged and ignored', async (kind) => {
    const reading = await ebanx.readCallback(setUp([]).context, notification(body(kind)));
    expect(reading).toMatchObject({ kind: 'ignored', answer: { status: 200, body: 'OK' } });
  });

  test.each<[string, (raw: RawCallback) => RawCallback]>([
    ['another body', (raw) => ({ ...raw, body: Buffer.from(body('update', 'b'.repeat(48))) })],
    ['no headers', (raw) => ({ ...raw, headers: {} })],
    ['an empty signature', (raw) => ({ ...raw, headers: { ...raw.headers, 'x-signature-content': '' } })],
    ['another type', (raw) => ({ ...raw, headers: { ...raw.headers, 'x-signature-type': 'none' } })],
    [
      'another fingerprint',
      (raw) => ({ ...raw, headers: { ...raw.headers, 'x-signature-fingerprint': 'AB'.repeat(20) } }),
    ],
    [
      'a cut signature',
      (raw) => ({
        ...raw,
        headers: { ...raw.headers, 'x-signature-content': raw.headers['x-signature-content']!.slice(0, -4) },
      }),
    ],
  ])('%s is not believed, and nobody is asked', async (_name, spoil) => {
    const { context, calls } = setUp([]);
    const reading = await ebanx.readCallback(context, spoil(notification(body('update'))));
    expect(reading).toMatchObject({ kind: 'invalid', answer: { status: 401, body: '' } });
    expect(calls).toEqual([]);
  });

  test('without a certificate, or under another key, nothing is believed', async () => {
    for (const CERTIFICATES of ['', 'rubbish', next.certificate]) {
      const { context } = setUp([], { CERTIFICATES });
      expect((await ebanx.readCallback(context, notification(body('update')))).kind).toBe('invalid');
    }
  });

  test.each([
    [''],
    ['{}'],
    ['operation=other&notification_type=update&hash_codes=a'],
    [body('')],
    [body('update', '')],
    [body('update', '../query')],
    [body('update', Array.from({ length: 21 }, (_, index) => `${index}`.padStart(48, 'a')).join(','))],
  ])('%j is no notification', async (text) => {
    expect((await ebanx.readCallback(setUp([]).context, notification(text))).kind).toBe('invalid');
  });

  test.each<[string, () => Reply]>([
    ['silence', silence],
    ['500', () => fault('BP-X', 500)],
  ])('%s of the query has the notification sent again', async (_name, reply) => {
    const reading = await ebanx.readCallback(setUp([reply()]).context, notification(body('update')));
    expect(reading.kind).toBe('unavailable');
  });
});

describe('cancel', () => {
  test.each<[string, string, Reply[]]>([
    ['failed', 'a page nobody finished', [queried('OP'), queried('CA')]],
    ['pending', 'a voucher in the hand', [queried('PE')]],
    ['paid', 'a payment', [queried('CO')]],
    ['paid', 'a payment made meanwhile', [queried('OP'), fault('BP-CAN-2'), queried('CO')]],
    ['pending', 'silence', [silence()]],
    ['pending', 'a cut cancellation', [queried('OP'), silence()]],
    ['pending', 'nonsense', [fault('BP-QR-3')]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await ebanx.cancel!(setUp(replies).context, payment)).status).toBe(status);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: HASH };
  const made = (status: string) =>
    json({ status: 'SUCCESS', refund: { id: 'R1', merchant_refund_code: 'RF-1', status } });
  test('names hash, amount, reason and our number', async () => {
    const { context, forms } = setUp([made('RE')]);
    expect(await ebanx.refund!(context, paid, 'RF-1')).toMatchObject({ status: 'pending', refundProviderRef: 'R1' });
    expect(forms()).toEqual([
      [
        'refund',
        {
          integration_key: 'key',
          operation: 'request',
          hash: HASH,
          amount: '24.90',
          description: 'Refund of the order',
          merchant_refund_code: 'RF-1',
        },
      ],
    ]);
  });

  const first = (status: string, amount_ext = '24.90') =>
    queried('CO', { refunds: [{ id: 'R1', merchant_refund_code: 'RF-1', status, amount_ext }] });
  test.each<[string, string, Reply[]]>([
    ['pending', 'PE', [made('PE')]],
    ['done', 'CO', [made('CO')]],
    ['failed', 'CA', [made('CA')]],
    ['unknown', 'a state nobody knows', [made('ZZ')]],
    ['done', 'a repeat', [fault('BP-REF-3'), first('CO')]],
    ['failed', 'a repeat of another amount', [fault('BP-REF-3'), first('CO', '1.00')]],
    ['pending', 'a repeat while the first is under way', [fault('BP-REF-3'), first('PE')]],
    ['failed', 'a refusal', [fault('BP-REF-3'), queried('CO')]],
    ['unknown', 'a refusal that cannot be checked', [fault('BP-REF-3'), fault('BP-X', 500)]],
    ['unknown', '500', [fault('BP-X', 500)]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [silence()]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await ebanx.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });
});

test('hosts follow the mode', () => {
  expect([ebanx.apiHosts({}, 'demo'), ebanx.apiHosts({}, 'live')]).toEqual([
    ['sandbox.ebanxpay.com'],
    ['api.ebanxpay.com'],
  ]);
  expect(ebanx.payHosts({}, 'live')).toContain('checkout.ebanx.com');
  expect(ebanx.payHosts({ PAY_HOSTS: 'A.example' }, 'live')).toEqual(['a.example']);
  expect(() => ebanx.apiHosts({ API_BASE: 'http://api.ebanxpay.com' }, 'live')).toThrow(/https/);
});
