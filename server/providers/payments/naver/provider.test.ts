// Naver Pay against a fake way out: what is sent, what each answer means, what may never be believed.
import type { Environment } from '#kernel/environment.ts';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext, RawCallback } from '#server/modules/payments/provider.ts';
import { OutboundError, type OutboundRequest } from '#server/platform/outbound/outbound.ts';
import { naver } from './provider.ts';
import { readAmount, reportMovements, writeAmount } from './wire.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const PAYMENT_ID = '20260102NP1043587746';
const API = 'https://dev-pay.paygate.naver.com/naverpay-partner/naverpay/payments';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { CLIENT_ID: 'client', CLIENT_SECRET: 'secret', CHAIN_ID: 'chain', ...extra },
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

const json = (body: unknown, status = 200): Reply => ({ status, text: JSON.stringify(body) });
const success = (body: unknown) => json({ code: 'Success', message: '', body });
const fault = (code: string, status = 200) => json({ code, message: 'no' }, status);
const silence = () => new OutboundError('timeout', true, 'late');
const movement = (typeCode: string, extra = {}) => ({
  paymentId: PAYMENT_ID,
  payHistId: 'H1',
  merchantPayKey: REFERENCE,
  admissionTypeCode: typeCode,
  admissionState: 'SUCCESS',
  totalPayAmount: 5900,
  ...extra,
});
const history = (...list: object[]) => success({ list, totalPageCount: 1 });
const applied = (extra = {}) => success({ paymentId: PAYMENT_ID, detail: movement('01', extra) });

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
  returnUrl: `https://shop.example/return/naver?ref=${REFERENCE}`,
  cancelUrl: `https://shop.example/return/naver?ref=${REFERENCE}&cancelled=1`,
  notifyUrl: 'https://shop.example/callback/naver',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'RESERVE1',
  captureRef: null,
  approval: null,
  amount: money(5900, 'KRW'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
const agreed: KnownPayment = { ...payment, approval: PAYMENT_ID };
const paid: KnownPayment = { ...payment, captureRef: PAYMENT_ID };
const old = (of: KnownPayment): KnownPayment => ({ ...of, createdAt: NOW - 3_600_001 });

test.each<[Currency, number, number | null]>([
  ['KRW', 5900, 5900],
  ['KRW', 10, 10],
  ['KRW', 9, null],
  ['KRW', 0, null],
  ['KRW', -10, null],
  ['USD', 499, null],
  ['JPY', 120, null],
])('%s %i is written %s', (currency, amountMinor, won) => {
  expect(writeAmount(money(amountMinor, currency))).toBe(won);
  expect(naver.supportsCurrency(currency)).toBe(currency === 'KRW');
  expect(readAmount(won?.toString())).toEqual(won === null ? null : money(amountMinor, currency));
});

describe('create', () => {
  test('reserves with our key, the sum of its parts and the headers of the partner', async () => {
    const { context, calls } = setUp([success({ reserveId: 'RESERVE1' })]);
    expect(await naver.create(context, input)).toEqual({
      kind: 'redirect',
      url: 'https://test-m.pay.naver.com/payments/RESERVE1',
      providerRef: 'RESERVE1',
    });
    const { url, call } = calls[0]!;
    expect(url).toBe(`${API}/v2/reserve`);
    expect(call.headers).toEqual({
      'X-Naver-Client-Id': 'client',
      'X-Naver-Client-Secret': 'secret',
      'X-NaverPay-Chain-Id': 'chain',
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(JSON.parse(call.body!)).toEqual({
      modelVersion: '2',
      merchantUserKey: 'player-1',
      merchantPayKey: REFERENCE,
      productName: '60 불꽃',
      productCount: 1,
      totalPayAmount: 5900,
      taxScopeAmount: 5900,
      taxExScopeAmount: 0,
      returnUrl: input.returnUrl,
      productItems: [{ categoryType: 'ETC', categoryId: 'ETC', uid: REFERENCE, name: '60 불꽃', count: 1 }],
    });
  });

  test.each<[string, string, Reply]>([
    ['refused', 'a refusal in its form', fault('InvalidMerchant')],
    ['refused', '401', fault('InvalidMerchant', 401)],
    ['refused', 'no connection', new OutboundError('network', false, 'refused')],
    ['unknown', 'a timeout', silence()],
    ['unknown', '500', fault('Fail', 500)],
    ['unknown', '409', fault('Fail', 409)],
    ['unknown', 'HTML', { status: 200, text: '<html>' }],
    ['unknown', 'nothing', { status: 200, text: '' }],
    ['unknown', 'no id', success({})],
  ])('is %s on %s', async (kind, _name, reply) => {
    expect((await naver.create(setUp([reply]).context, input)).kind).toBe(kind);
  });

  test('other currencies and less than ten won are refused without a call', async () => {
    const { context, calls } = setUp([]);
    expect((await naver.create(context, { ...input, amount: money(499, 'USD') })).kind).toBe('refused');
    expect((await naver.create(context, { ...input, amount: money(9, 'KRW') })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });
});

describe('movements', () => {
  test.each<[string, object[], object | null]>([
    ['a payment', [movement('01')], { status: 'paid', amount: money(5900, 'KRW'), captureRef: PAYMENT_ID }],
    ['all back', [movement('01'), movement('03')], { status: 'refunded', amount: money(5900, 'KRW') }],
    [
      'two parts back',
      [movement('01'), movement('04', { totalPayAmount: '900' }), movement('04', { totalPayAmount: '100' })],
      { status: 'refunded', amount: money(1000, 'KRW') },
    ],
    ['a refused apply', [movement('01', { admissionState: 'FAIL' })], { status: 'declined', captureRef: null }],
    [
      'a refused apply and a good one',
      [movement('01', { admissionState: 'FAIL' }), movement('01')],
      { status: 'paid' },
    ],
    ['an unknown state', [movement('01', { admissionState: 'NEW' })], null],
    ['an unknown type', [movement('99')], null],
    ['no amount', [movement('01', { totalPayAmount: undefined })], { status: 'paid', amount: null }],
    ['nothing', [], null],
  ])('%s', (_name, movements, report) => {
    const texts = movements.map((one) => ({
      ...one,
      totalPayAmount: (one as { totalPayAmount?: unknown }).totalPayAmount?.toString(),
    }));
    expect({ report: reportMovements(texts as never) }).toMatchObject({ report });
  });
});

describe('query', () => {
  test('each movement back is listed under its own number, and none when one cannot be told', async () => {
    const back = (payHistId: string | undefined, totalPayAmount: number | undefined, type = '04') =>
      movement(type, { payHistId, totalPayAmount });
    const listed = async (...movements: object[]) =>
      (await naver.query(setUp([history(movement('01'), ...movements)]).context, agreed)).refunds;
    expect(await listed(back('H1', 300), back('H2', 600))).toEqual([
      { dedupKey: 'CANCEL:H1', amount: money(300, 'KRW') },
      { dedupKey: 'CANCEL:H2', amount: money(600, 'KRW') },
    ]);
    expect(await listed(back('H1', 5900, '03'))).toEqual([{ dedupKey: 'CANCEL:H1', amount: money(5900, 'KRW') }]);
    expect(await listed(back('H1', 300), back(undefined, 600))).toBeUndefined();
    expect(await listed(back('H1', 300), back('H2', undefined))).toBeUndefined();
    expect(await listed()).toBeUndefined();
  });

  test('asks by the id that was brought back', async () => {
    const { context, calls } = setUp([history(movement('01'))]);
    expect(await naver.query(context, agreed)).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      captureRef: PAYMENT_ID,
    });
    expect(calls.map(({ url }) => url)).toEqual([`${API}/v2.2/list/history/${PAYMENT_ID}`]);
  });

  test('an id without a movement waits for our apply, after a look among all movements', async () => {
    const { context, calls } = setUp([history(), history(movement('01', { merchantPayKey: 'other' }))]);
    expect((await naver.query(context, agreed)).status).toBe('approved');
    expect(JSON.parse(calls[1]!.call.body!)).toEqual({
      startTime: '20260102115805',
      endTime: '20260102120905',
      approvalType: 'ALL',
      pageNumber: 1,
      rowsPerPage: 50,
    });
  });

  test('finds a payment of another id by our key, page by page', async () => {
    const first = success({ list: [movement('01', { merchantPayKey: 'other' })], totalPageCount: 2 });
    const second = success({ list: [movement('01', { paymentId: 'OLD1' })], totalPageCount: 2 });
    const { context } = setUp([fault('Fail'), first, second]);
    expect(await naver.query(context, agreed)).toMatchObject({ status: 'paid', captureRef: 'OLD1' });
  });

  test('goes on where the number of pages is none', async () => {
    const first = success({ list: [movement('01', { merchantPayKey: 'other' })], totalPageCount: '' });
    const second = success({ list: [movement('01', { paymentId: 'OLD1' })], totalPageCount: 'many' });
    const { context } = setUp([fault('Fail'), first, second]);
    expect(await naver.query(context, agreed)).toMatchObject({ status: 'paid', captureRef: 'OLD1' });
  });

  test('a list whose length is not said is no list', async () => {
    for (const totalPageCount of ['', 'many', '0x1']) {
      const { context } = setUp([success({ list: [movement('01')], totalPageCount })]);
      const movements = naver.listPaymentsSince!(context, NOW - 1000);
      await expect(Array.fromAsync(movements)).rejects.toThrow('does not say how long its history is');
    }
  });

  test('tells another order and another amount as they are', async () => {
    const strange = movement('01', { merchantPayKey: 'other', totalPayAmount: 10 });
    expect(await naver.query(setUp([history(strange)]).context, agreed)).toMatchObject({
      reference: 'other',
      amount: money(10, 'KRW'),
    });
  });

  test('without an id nothing was taken; after an hour nothing will be', async () => {
    expect((await naver.query(setUp([]).context, payment)).status).toBe('pending');
    expect((await naver.query(setUp([]).context, old(payment))).status).toBe('expired');
    expect((await naver.query(setUp([history(), history()]).context, old(agreed))).status).toBe('expired');
    expect((await naver.query(setUp([history(movement('01'))]).context, old(agreed))).status).toBe('paid');
  });

  test.each<[string, () => Reply[]]>([
    ['500', () => [fault('Fail', 500)]],
    ['HTML', () => [{ status: 200, text: '<html>' }]],
    ['a window that is refused', () => [history(), fault('Fail')]],
    ['a movement of an unknown kind', () => [history(movement('99'))]],
  ])('%s proves nothing, however old the payment', async (_name, replies) => {
    expect((await naver.query(setUp(replies()).context, agreed)).status).toBe('unknown');
    expect((await naver.query(setUp(replies()).context, old(agreed))).status).toBe('unknown');
  });

  test.each([[undefined], ['many'], [{ won: 5900 }]])(
    'paid with the amount %j cannot be read',
    async (totalPayAmount) => {
      const { context } = setUp([history(movement('01', { totalPayAmount }))]);
      expect(await naver.query(context, agreed)).toMatchObject({
        status: 'paid_unreadable',
        raw: expect.stringContaining('merchantPayKey'),
      });
    },
  );

  test('throws when Naver Pay cannot be reached', async () => {
    await expect(naver.query(setUp([silence()]).context, agreed)).rejects.toThrow(OutboundError);
  });
});

describe('capture', () => {
  test('applies the id as a form, under a key of its own, and waits a minute', async () => {
    const { context, calls } = setUp([applied()]);
    expect(await naver.capture!(context, agreed)).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      captureRef: PAYMENT_ID,
      amount: money(5900, 'KRW'),
    });
    const { url, call } = calls[0]!;
    expect([url, call.body, call.timeoutMs]).toEqual([`${API}/v2.2/apply/payment`, `paymentId=${PAYMENT_ID}`, 60_000]);
    expect(call.headers).toMatchObject({
      'X-NaverPay-Idempotency-Key': PAYMENT_ID,
      'content-type': 'application/x-www-form-urlencoded',
    });
  });

  test.each<[string, string, Reply[]]>([
    ['paid', 'applied before', [fault('AlreadyComplete'), history(movement('01'))]],
    ['paid', 'an answer that was lost', [silence(), history(movement('01'))]],
    ['paid', 'HTML of a carried out call', [{ status: 200, text: '<html>' }, history(movement('01'))]],
    ['declined', 'a refused card', [applied({ admissionState: 'FAIL' })]],
    ['declined', 'an approval that comes too late', [fault('TimeExpired'), history(), history()]],
    ['unknown', 'too late, but the history is silent', [fault('TimeExpired'), fault('Fail', 500)]],
    ['pending', 'another call in progress', [fault('AlreadyOnGoing'), history(), history()]],
    ['unknown', '500 twice', [fault('Fail', 500), fault('Fail', 500)]],
    ['paid_unreadable', 'an apply without an amount', [applied({ totalPayAmount: undefined }), history(), history()]],
    [
      'paid',
      'an apply without an amount that the history has',
      [applied({ totalPayAmount: undefined }), history(movement('01'))],
    ],
    ['paid_unreadable', 'an apply of another shape', [applied({ totalPayAmount: { won: 5900 } }), fault('Fail', 500)]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await naver.capture!(setUp(replies).context, agreed)).status).toBe(status);
  });

  test('tells another amount and another order as they are', async () => {
    const captured = async (extra: object) => naver.capture!(setUp([applied(extra)]).context, agreed);
    expect((await captured({ totalPayAmount: 5899 })).amount).toEqual(money(5899, 'KRW'));
    expect((await captured({ merchantPayKey: 'other' })).reference).toBe('other');
  });

  test('needs an id, and throws when nobody answers at all', async () => {
    expect((await naver.capture!(setUp([]).context, payment)).status).toBe('pending');
    await expect(naver.capture!(setUp([silence(), silence()]).context, agreed)).rejects.toThrow(OutboundError);
  });
});

describe('refund', () => {
  test('cancels all of it, by the merchant, and only when nothing would be left', async () => {
    const { context, calls } = setUp([success({ paymentId: PAYMENT_ID, payHistId: 'H2' })]);
    expect(await naver.refund!(context, paid, `${REFERENCE}-refund`)).toEqual({
      status: 'done',
      refundProviderRef: 'H2',
      reason: null,
    });
    const { url, call } = calls[0]!;
    expect(url).toBe(`${API}/v1/cancel`);
    expect(call.headers).toMatchObject({ 'X-NaverPay-Idempotency-Key': `${REFERENCE}-refund` });
    expect(Object.fromEntries(new URLSearchParams(call.body))).toEqual({
      paymentId: PAYMENT_ID,
      cancelAmount: '5900',
      cancelReason: 'Refund of the order',
      cancelRequester: '2',
      taxScopeAmount: '5900',
      taxExScopeAmount: '0',
      doCompareRest: '1',
      expectedRestAmount: '0',
    });
  });

  test.each<[string, string, Reply[]]>([
    ['done', 'a repeat', [fault('RestAmountDiff'), history(movement('01'), movement('03'))]],
    ['failed', 'a refusal while the payment stands', [fault('Fail'), history(movement('01'))]],
    [
      'failed',
      'a part that went back before',
      [fault('RestAmountDiff'), history(movement('01'), movement('04', { totalPayAmount: 1 }))],
    ],
    ['unknown', 'one under way', [fault('CancelNotComplete'), history(movement('01'))]],
    ['unknown', 'a refusal that cannot be checked', [fault('Fail'), fault('Fail', 500)]],
    ['unknown', '500', [fault('Fail', 500)]],
    ['unknown', 'HTML', [{ status: 200, text: '<html>' }]],
    ['unknown', 'a timeout', [silence()]],
  ])('is %s on %s', async (status, _name, replies) => {
    expect((await naver.refund!(setUp(replies).context, paid, 'RF-1')).status).toBe(status);
  });

  test.each([
    ['done', [movement('01'), movement('04', { totalPayAmount: 4000 }), movement('04', { totalPayAmount: 1900 })]],
    ['done', [movement('01'), movement('04', { totalPayAmount: 4000 }), movement('03')]],
    ['failed', [movement('01'), movement('04', { totalPayAmount: 4000 })]],
    // As much as was asked, but that was the part before.
    ['failed', [movement('01'), movement('04', { totalPayAmount: 1900 })]],
  ])('what is left after parts is %s after a refusal, by %j', async (status, movements) => {
    const rest = { ...paid, amount: money(1900, 'KRW'), paidAmount: money(5900, 'KRW') };
    const { context, calls } = setUp([fault('RestAmountDiff'), history(...movements)]);
    expect((await naver.refund!(context, rest, 'RF-1')).status).toBe(status);
    expect(calls[0]!.call.body).toContain('cancelAmount=1900');
  });

  test('needs the payment id', async () => {
    expect((await naver.refund!(setUp([]).context, payment, 'RF-1')).status).toBe('failed');
  });
});

const returned = (query: Record<string, string>): RawCallback => ({
  method: 'GET',
  path: '/return/naver',
  topic: '',
  headers: {},
  query,
  body: Buffer.alloc(0),
  ip: '203.0.113.7',
});

describe('return and callback', () => {
  test.each([
    [{ resultCode: 'Success', paymentId: PAYMENT_ID }, PAYMENT_ID],
    [{ resultCode: 'UserCancel', resultMessage: 'userCancel' }, null],
    [{ resultCode: 'Fail', paymentId: PAYMENT_ID }, null],
    [{ paymentId: PAYMENT_ID }, null],
    [{ resultCode: 'Success', paymentId: '../v1/cancel' }, null],
    [{ resultCode: 'Success' }, null],
  ])('%j brings %s', (query, approval) => {
    expect(naver.readReturn!(setUp([]).context, returned(query), payment).approval).toBe(approval);
  });

  test.each(['UserCancel', 'userCancel'])('%s: the player left the page', (resultCode) => {
    const read = naver.readReturn!(setUp([]).context, returned({ resultCode }), payment);
    expect(read).toEqual({ approval: null, hasLeft: true });
  });

  test('nothing that calls back is believed', async () => {
    const raw = { ...returned({}), method: 'POST', body: Buffer.from('{"admissionState":"SUCCESS"}') };
    expect(await naver.readCallback(setUp([]).context, raw)).toMatchObject({
      kind: 'invalid',
      answer: { status: 404 },
    });
  });
});

test('hosts follow the environment, the partner and the settings', async () => {
  expect([naver.apiHosts({}, 'demo'), naver.apiHosts({}, 'live')]).toEqual([
    ['dev-pay.paygate.naver.com'],
    ['pay.paygate.naver.com'],
  ]);
  expect([naver.payHosts({}, 'demo'), naver.payHosts({}, 'live')]).toEqual([
    ['test-m.pay.naver.com'],
    ['m.pay.naver.com'],
  ]);
  expect(() => naver.apiHosts({ API_BASE: 'http://apis.naver.com' }, 'live')).toThrow(/https/);
  const { context, calls } = setUp(
    [history(movement('01'))],
    { API_BASE: 'https://apis.naver.com/', PARTNER_ID: 'p1' },
    'live',
  );
  await naver.query(context, agreed);
  expect(calls[0]!.url).toBe(`https://apis.naver.com/p1/naverpay/payments/v2.2/list/history/${PAYMENT_ID}`);
});
