// KakaoPay against a fake way out: what is sent, what each answer means, what may never be believed.
import type { Environment } from '#kernel/environment.ts';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { OutboundError, type OutboundRequest } from '#server/platform/outbound/outbound.ts';
import { kakao } from './provider.ts';
import { readAmount, writeAmount } from './wire.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const TID = 'T0123456789012345678';
const API = 'https://open-api.kakaopay.com/online/v1/payment';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { SECRET_KEY: 'key', CID: 'TC0ONETIME', ...extra },
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
  const sent = () => calls.map(({ url, call }) => [url.slice(API.length + 1), JSON.parse(call.body ?? '') as unknown]);
  return { context, calls, sent };
}

const ok = (body: unknown, status = 200): Reply => ({ status, text: JSON.stringify(body) });
const fault = (code: number, status = 400) => ok({ error_code: code, error_message: 'no' }, status);
const silence = () => new OutboundError('timeout', true, 'late');
const order = (status: string, extra = {}) =>
  ok({
    tid: TID,
    cid: 'TC0ONETIME',
    status,
    partner_order_id: REFERENCE,
    amount: { total: 5900, tax_free: 0 },
    ...extra,
  });
const approved = (extra = {}) =>
  ok({ aid: 'A1', tid: TID, cid: 'TC0ONETIME', partner_order_id: REFERENCE, amount: { total: 5900 }, ...extra });

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(5900, 'KRW'),
  productName: '60 불꽃',
  brandName: 'KO Store',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'KR',
  locale: 'ko',
  channelId: '',
  returnUrl: `https://shop.example/return/kakao?ref=${REFERENCE}`,
  cancelUrl: `https://shop.example/return/kakao?ref=${REFERENCE}&cancelled=1`,
  notifyUrl: 'https://shop.example/callback/kakao',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: TID,
  captureRef: null,
  approval: null,
  amount: money(5900, 'KRW'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
const agreed: KnownPayment = { ...payment, approval: '0123456789abcdef0123' };
const old = (of: KnownPayment): KnownPayment => ({ ...of, createdAt: NOW - 20 * 60_000 - 1 });

const ready = (extra = {}) =>
  ok({
    tid: TID,
    next_redirect_app_url: 'https://online-payment.kakaopay.com/app',
    next_redirect_mobile_url: 'https://online-payment.kakaopay.com/m',
    next_redirect_pc_url: 'https://online-payment.kakaopay.com/pc',
    created_at: '2026-01-02T12:04:05',
    ...extra,
  });

describe('amounts', () => {
  test.each<[Currency, number, number | null]>([
    ['KRW', 5900, 5900],
    ['KRW', 1, 1],
    ['KRW', 9_999_999, 9_999_999],
    ['KRW', 0, null],
    ['KRW', -1, null],
    ['USD', 499, null],
    ['JPY', 120, null],
  ])('%s %i is written %s', (currency, amountMinor, won) => {
    expect(writeAmount(money(amountMinor, currency))).toBe(won);
    expect(kakao.supportsCurrency(currency)).toBe(currency === 'KRW');
    expect(readAmount(won?.toString())).toEqual(won === null ? null : money(amountMinor, currency));
  });

  test.each([['59.5'], ['-5900'], ['5e3'], [''], [undefined]])('%j is no amount of won', (total) => {
    expect(readAmount(total)).toBeNull();
  });
});

describe('create', () => {
  test('sends reference, player, whole won and the addresses', async () => {
    const { context, calls, sent } = setUp([ready()]);
    expect(await kakao.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://online-payment.kakaopay.com/pc',
      providerRef: TID,
    });
    expect(calls[0]!.url).toBe(`${API}/ready`);
    expect(calls[0]!.call).toMatchObject({ method: 'POST', headers: { authorization: 'SECRET_KEY key' } });
    expect(sent()[0]![1]).toEqual({
      cid: 'TC0ONETIME',
      partner_order_id: REFERENCE,
      partner_user_id: 'player-1',
      item_name: '60 불꽃',
      quantity: 1,
      total_amount: 5900,
      tax_free_amount: 0,
      approval_url: input.returnUrl,
      cancel_url: input.cancelUrl,
      fail_url: input.returnUrl,
    });
  });

  test('a phone gets the page for phones', async () => {
    const { context } = setUp([ready()]);
    const outcome = await kakao.create(context, { ...input, device: { ...input.device, isMobile: true } });
    expect(outcome).toMatchObject({ url: 'https://online-payment.kakaopay.com/m' });
  });

  test('a long name is cut at a character, not in one', async () => {
    const { context, sent } = setUp([ready()]);
    await kakao.create(context, { ...input, productName: '🔥'.repeat(101) });
    expect(sent()[0]![1]).toMatchObject({ item_name: '🔥'.repeat(100) });
  });

  test.each<[string, string, Reply]>([
    ['refused', '400 in its form', fault(-731)],
    ['refused', '401', fault(-401, 401)],
    ['refused', 'no connection', new OutboundError('network', false, 'refused')],
    ['unknown', 'a timeout', silence()],
    ['unknown', '500', fault(-500, 500)],
    ['unknown', '503', fault(-503, 503)],
    ['unknown', '409', fault(-785, 409)],
    ['unknown', 'HTML', { status: 200, text: '<html>' }],
    ['unknown', '400 in HTML', { status: 400, text: '<html>' }],
    ['unknown', 'nothing', { status: 200, text: '' }],
    ['unknown', 'no page', ready({ next_redirect_pc_url: null })],
    ['unknown', 'a page elsewhere', ready({ next_redirect_pc_url: 'https://evil.example/pc' })],
    ['unknown', 'a page without TLS', setPlain()],
  ])('is %s on %s', async (kind, _name, reply) => {
    expect((await kakao.create(setUp([reply], {}, 'demo').context, input)).kind).toBe(kind);
  });

  test('other currencies and too long addresses are refused without a call', async () => {
    const { context, calls } = setUp([]);
    const long = { ...input, returnUrl: `https://shop.example/${'a'.repeat(255)}` };
    expect((await kakao.create(context, { ...input, amount: money(499, 'USD') })).kind).toBe('refused');
    expect((await kakao.create(context, long)).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

function setPlain(): Reply {
  return ready({ next_redirect_pc_url: 'ftp://online-payment.kakaopay.com/pc' });
}

describe('query', () => {
  test.each([
    ['READY', 'pending'],
    ['SEND_TMS', 'pending'],
    ['OPEN_PAYMENT', 'pending'],
    ['SELECT_METHOD', 'pending'],
    ['ARS_WAITING', 'pending'],
    ['AUTH_PASSWORD', 'pending'],
    ['ISSUED_SID', 'pending'],
    ['SUCCESS_PAYMENT', 'paid'],
    ['FAIL_AUTH_PASSWORD', 'failed'],
    ['QUIT_PAYMENT', 'failed'],
    ['FAIL_PAYMENT', 'failed'],
    ['SOMETHING_NEW', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s is %s', async (word, status) => {
    expect(await kakao.query(setUp([order(word)]).context, payment)).toMatchObject({ status, reference: REFERENCE });
  });

  test('paid names amount, account and what a refund needs', async () => {
    const { context, sent } = setUp([order('SUCCESS_PAYMENT')]);
    expect(await kakao.query(context, payment)).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: TID,
      captureRef: TID,
      amount: money(5900, 'KRW'),
      merchantAccount: 'TC0ONETIME',
      reason: 'SUCCESS_PAYMENT',
    });
    expect(sent()).toEqual([['order', { cid: 'TC0ONETIME', tid: TID }]]);
  });

  test('a cancelled payment tells what went back', async () => {
    const all = order('CANCEL_PAYMENT', { canceled_amount: { total: 5900 } });
    const part = order('PART_CANCEL_PAYMENT', { canceled_amount: { total: 900 } });
    expect(await kakao.query(setUp([all]).context, payment)).toMatchObject({
      status: 'refunded',
      amount: money(5900, 'KRW'),
    });
    expect(await kakao.query(setUp([part]).context, payment)).toMatchObject({
      status: 'refunded',
      amount: money(900, 'KRW'),
    });
  });

  const action = (aid: string, amount?: number, type = 'CANCEL') => ({ aid, payment_action_type: type, amount });
  test.each([
    ['both parts', [action('A1', 5900, 'PAYMENT'), action('A2', 300), action('A3', 600)], ['CANCEL:A2', 'CANCEL:A3']],
    ['none, where one has no amount', [action('A2', 300), action('A3')], null],
    ['none, where they are not all there', [action('A2', 300)], null],
    ['none, where none is told', undefined, null],
  ])('of two parts that went back it lists %s', async (_name, payment_action_details, keys) => {
    const part = order('PART_CANCEL_PAYMENT', { canceled_amount: { total: 900 }, payment_action_details });
    const { refunds } = await kakao.query(setUp([part]).context, payment);
    expect(refunds?.map(({ dedupKey }) => dedupKey) ?? null).toEqual(keys);
    expect(refunds?.map(({ amount }) => amount.amountMinor) ?? null).toEqual(keys && [300, 600]);
  });

  test('a token in hand makes it approved, until KakaoPay knows better', async () => {
    expect((await kakao.query(setUp([order('AUTH_PASSWORD')]).context, agreed)).status).toBe('approved');
    expect((await kakao.query(setUp([order('SUCCESS_PAYMENT')]).context, agreed)).status).toBe('paid');
    expect((await kakao.query(setUp([order('FAIL_PAYMENT')]).context, agreed)).status).toBe('failed');
  });

  test('after 20 minutes an unpaid page is dead, whatever the token', async () => {
    expect((await kakao.query(setUp([order('AUTH_PASSWORD')]).context, old(agreed))).status).toBe('expired');
    expect((await kakao.query(setUp([order('SUCCESS_PAYMENT')]).context, old(agreed))).status).toBe('paid');
    expect((await kakao.query(setUp([]).context, { ...old(payment), providerRef: null })).status).toBe('expired');
    expect((await kakao.query(setUp([]).context, { ...payment, providerRef: null })).status).toBe('pending');
  });

  test.each<[string, () => Reply]>([
    ['500', () => fault(-500, 500)],
    ['HTML', () => ({ status: 200, text: '<html>' })],
    ['404', () => fault(-780, 404)],
  ])('%s proves nothing, however old the payment', async (_name, reply) => {
    expect((await kakao.query(setUp([reply()]).context, agreed)).status).toBe('unknown');
    expect((await kakao.query(setUp([reply()]).context, old(agreed))).status).toBe('unknown');
  });

  test.each([[{}], [{ total: [5900] }], ['5900']])('paid with the amount %j cannot be read', async (amount) => {
    const { context } = setUp([order('SUCCESS_PAYMENT', { amount })]);
    expect(await kakao.query(context, payment)).toMatchObject({
      status: 'paid_unreadable',
      raw: expect.stringContaining('SUCCESS_PAYMENT'),
    });
  });

  test('throws when KakaoPay cannot be reached', async () => {
    await expect(kakao.query(setUp([silence()]).context, payment)).rejects.toThrow(OutboundError);
  });
});

describe('capture', () => {
  test('approves with the token, the player and the amount', async () => {
    const { context, calls, sent } = setUp([approved()]);
    expect(await kakao.capture!(context, agreed)).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      captureRef: TID,
      amount: money(5900, 'KRW'),
      merchantAccount: 'TC0ONETIME',
    });
    expect(calls[0]!.call.timeoutMs).toBe(15_000);
    expect(sent()).toEqual([
      [
        'approve',
        {
          cid: 'TC0ONETIME',
          tid: TID,
          partner_order_id: REFERENCE,
          partner_user_id: 'player-1',
          pg_token: '0123456789abcdef0123',
          total_amount: 5900,
        },
      ],
    ]);
  });

  test.each<[string, string, Reply[]]>([
    ['paid', 'approved before', [fault(-702), order('SUCCESS_PAYMENT')]],
    ['paid', 'an answer that was lost', [silence(), order('SUCCESS_PAYMENT')]],
    ['paid', 'HTML of a carried out call', [{ status: 200, text: '<html>' }, order('SUCCESS_PAYMENT')]],
    ['failed', 'a refused card', [fault(-780), order('FAIL_PAYMENT')]],
    ['pending', 'another call in progress', [fault(-785), order('AUTH_PASSWORD')]],
    ['unknown', '500 twice', [fault(-500, 500), fault(-500, 500)]],
    [
      'paid',
      'an approval without an amount that the order has',
      [approved({ amount: null }), order('SUCCESS_PAYMENT')],
    ],
    ['paid_unreadable', 'an approval without an amount', [approved({ amount: null }), order('AUTH_PASSWORD')]],
    ['paid_unreadable', 'an approval of another shape', [approved({ amount: 5900 }), fault(-500, 500)]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await kakao.capture!(setUp(replies).context, agreed)).status).toBe(status);
  });

  test('tells another amount, order or account as it is', async () => {
    const captured = async (extra: object) => kakao.capture!(setUp([approved(extra)]).context, agreed);
    expect((await captured({ amount: { total: 5899 } })).amount).toEqual(money(5899, 'KRW'));
    expect((await captured({ partner_order_id: 'other' })).reference).toBe('other');
    expect((await captured({ cid: 'C000000001' })).merchantAccount).toBe('C000000001');
  });

  test('needs a tid and a token', async () => {
    expect((await kakao.capture!(setUp([]).context, payment)).status).toBe('pending');
    expect((await kakao.capture!(setUp([]).context, { ...agreed, providerRef: null })).status).toBe('pending');
  });

  test('throws when nobody answers at all', async () => {
    await expect(kakao.capture!(setUp([silence(), silence()]).context, agreed)).rejects.toThrow(OutboundError);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: TID };
  const gone = order('CANCEL_PAYMENT', { canceled_amount: { total: 5900 } });
  test('cancels all of it, and only when all of it is there', async () => {
    const { context, sent } = setUp([ok({ aid: 'A2', status: 'CANCEL_PAYMENT' })]);
    expect(await kakao.refund!(context, paid, 'RF-1')).toEqual({
      status: 'done',
      refundProviderRef: 'A2',
      reason: null,
    });
    expect(sent()).toEqual([
      [
        'cancel',
        {
          cid: 'TC0ONETIME',
          tid: TID,
          cancel_amount: 5900,
          cancel_tax_free_amount: 0,
          cancel_available_amount: 5900,
        },
      ],
    ]);
  });

  const rest = { ...paid, amount: money(1900, 'KRW'), paidAmount: money(5900, 'KRW') };
  test('of what is left after parts exactly that is asked for', async () => {
    const { context, sent } = setUp([
      ok({ aid: 'A2', status: 'CANCEL_PAYMENT', approved_cancel_amount: { total: 1900 } }),
    ]);
    expect((await kakao.refund!(context, rest, 'RF-1')).status).toBe('done');
    expect(sent()[0]).toMatchObject(['cancel', { cancel_amount: 1900, cancel_available_amount: 1900 }]);
  });

  test.each([
    ['done', gone],
    ['failed', order('PART_CANCEL_PAYMENT', { canceled_amount: { total: 4000 } })],
    // As much as was asked, but that was the part before.
    ['failed', order('PART_CANCEL_PAYMENT', { canceled_amount: { total: 1900 } })],
  ])('what is left is %s after a refusal, by %j', async (status, reply) => {
    expect((await kakao.refund!(setUp([fault(-781), reply]).context, rest, 'RF-1')).status).toBe(status);
  });

  test('another amount cancelled than asked is for a person', async () => {
    const { context } = setUp([ok({ aid: 'A2', status: 'CANCEL_PAYMENT', approved_cancel_amount: { total: 1 } })]);
    expect((await kakao.refund!(context, paid, 'RF-1')).status).toBe('failed');
  });

  test.each<[string, string, Reply[]]>([
    ['done', 'a repeat', [fault(-781), gone]],
    ['failed', 'a refusal while the payment stands', [fault(-781), order('SUCCESS_PAYMENT')]],
    [
      'failed',
      'a part that went back before',
      [fault(-781), order('PART_CANCEL_PAYMENT', { canceled_amount: { total: 1 } })],
    ],
    ['unknown', 'a quota', [fault(-429, 429), order('SUCCESS_PAYMENT')]],
    ['unknown', 'another call in progress', [fault(-785), order('SUCCESS_PAYMENT')]],
    ['unknown', 'a refusal that cannot be checked', [fault(-781), fault(-500, 500)]],
    ['unknown', '500', [fault(-500, 500)]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [silence()]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await kakao.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });
});

const returned = (query: Record<string, string>): RawCallback => ({
  method: 'GET',
  path: '/return/kakao',
  topic: '',
  headers: {},
  query,
  body: Buffer.alloc(0),
  ip: '203.0.113.7',
});

describe('return and callback', () => {
  test.each([
    [{ pg_token: '0123456789abcdef0123' }, '0123456789abcdef0123'],
    [{ pg_token: '' }, null],
    [{ pg_token: 'a b' }, null],
    [{ pg_token: 'x'.repeat(201) }, null],
    [{ cancelled: '1' }, null],
  ])('%j brings %s', (query, approval) => {
    expect(kakao.readReturn!(setUp([]).context, returned(query), payment)).toEqual({ approval });
  });

  test('nothing that calls back is believed', async () => {
    const raw = { ...returned({}), method: 'POST', body: Buffer.from('{"status":"SUCCESS_PAYMENT"}') };
    expect(await kakao.readCallback(setUp([]).context, raw)).toMatchObject({
      kind: 'invalid',
      answer: { status: 404 },
    });
  });
});

describe('hosts', () => {
  test('one API for both sides', () => {
    expect(kakao.apiHosts({}, 'demo')).toEqual(['open-api.kakaopay.com']);
    expect(kakao.apiHosts({ CID: 'C000000001' }, 'live')).toEqual(['open-api.kakaopay.com']);
    expect(kakao.payHosts({ PAY_HOSTS: ' A.example, b.example:8080 ' }, 'live')).toEqual([
      'a.example',
      'b.example:8080',
    ]);
    expect(kakao.accountOf({ CID: 'C000000001' })).toBe('C000000001');
  });

  test.each([[{ CID: 'TC0ONETIME' }], [{ CID: 'C1', API_BASE: 'http://open-api.kakaopay.com' }]])(
    '%j is no live side',
    (given) => {
      expect(() => kakao.apiHosts(given, 'live')).toThrow(/TC0ONETIME|https/);
    },
  );
});
