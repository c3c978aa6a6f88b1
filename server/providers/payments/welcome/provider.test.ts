// Welcome against a fake way out: signed pages, what the browser may bring, and that money is
// taken clearly or given back.
import type { Environment } from '#kernel/environment.ts';
import { describe, expect, test } from 'vitest';
import { type Currency, money } from '#kernel/money.ts';
import type {
  CreatePayment,
  KnownPayment,
  PayPage,
  ProviderContext,
  RawCallback,
} from '#server/modules/payments/provider.ts';
import { OutboundError, type OutboundRequest } from '#server/platform/outbound/outbound.ts';
import { welcome } from './provider.ts';
import { mKeyOf, signApproval, signCancel, signMobileForm, signPcForm } from './signature.ts';
import { readAmount, writeAmount } from './wire.ts';

const NOW = Date.parse('2024-01-01T03:00:00Z');
const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';
const SIGN_KEY = 'TESTSIGNKEY0001';
const AUTH_URL = 'https://tstdpay.paywelcome.co.kr/api/payAuth';
const NET_CANCEL_URL = 'https://tstdpay.paywelcome.co.kr/api/netCancel';
const REQ_URL = 'https://tmobile.paywelcome.co.kr/smart/payReq.ini';

type Reply = { status: number; text: string } | OutboundError;

function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: { MID: 'testmid001', SIGN_KEY, BUYER_TEL: '02-000-0000', ...extra },
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
  const forms = () => calls.map(({ url, call }) => [url, Object.fromEntries(new URLSearchParams(call.body))]);
  return { context, calls, forms };
}

const json = (body: unknown, status = 200): Reply => ({ status, text: JSON.stringify(body) });
const silence = () => new OutboundError('timeout', true, 'late');
const unsent = () => new OutboundError('network', false, 'refused');
const approved = (extra = {}) =>
  json({
    resultCode: '0000',
    resultMsg: 'ok',
    tid: 'TID1',
    MOID: REFERENCE,
    TotPrice: '5900',
    payMethod: 'Card',
    ...extra,
  });
const refused = () => json({ resultCode: '1003', resultMsg: 'no' });
const undone = () => json({ resultCode: '0000', resultMsg: 'undone' });

const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(5900, 'KRW'),
  productName: '60 불꽃',
  brandName: 'KO Store',
  playerRef: 'player-1',
  playerName: '안나',
  country: 'KR',
  locale: 'ko-KR',
  channelId: '',
  returnUrl: `https://shop.example/return/welcome?ref=${REFERENCE}`,
  cancelUrl: `https://shop.example/return/welcome?ref=${REFERENCE}&cancelled=1`,
  notifyUrl: 'https://shop.example/callback/welcome',
  expiresAt: NOW + 3_600_000,
  device: { isMobile: false, os: 'other', userAgent: '', ip: '203.0.113.7' },
};
const onPhone = { ...input, device: { ...input.device, isMobile: true } };
const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: null,
  captureRef: null,
  approval: null,
  amount: money(5900, 'KRW'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
const pc = { way: 'pc', token: 'AUTHTOKEN+/=', url: AUTH_URL, netCancelUrl: NET_CANCEL_URL };
const mobile = { way: 'mobile', token: 'MTID1', url: REQ_URL };
const agreed = (approval: object): KnownPayment => ({ ...payment, approval: JSON.stringify(approval) });

/** Computed from the manual's rule with another tool: the manual's own example is not the hash of its text. */
describe('signatures', () => {
  test.each([
    ['mKey', mKeyOf(SIGN_KEY), '9ab84b8d907e292e513c9f90ec8b5615d5b798f3b4605cf2a0ea299096142eb5'],
    [
      'the desktop form',
      signPcForm(SIGN_KEY, 'ORDER-1001', '10000', '1700000000000'),
      '93b1c1fea9ce26311a80d3c107ff1724bc7b89fd790d151fbf318e64e532dffe',
    ],
    [
      'the form for phones',
      signMobileForm(SIGN_KEY, '10000', 'ORDER-1001', '1700000000000'),
      'd4511dc9e756f6eadc4fe9ba5fe12dcf3c1ce773f61b544d5fefa94b50c4635e',
    ],
    [
      'an approval',
      signApproval('AUTHTOKEN+/=', '1700000000000'),
      '463e46c03e47002e88d6ce69717928b2fe19f3b61741d0a1eb13f13c9691d365',
    ],
    [
      'a cancellation',
      signCancel(SIGN_KEY, 'testmid001', '20240101120000'),
      'f142cc5377ae10f1b7f8a6144f70f2c1c724226b3f69631ef1fa5df377455603',
    ],
  ])('%s', (_name, signature, expected) => {
    expect(signature).toBe(expected);
  });
});

test.each<[Currency, number, object | null]>([
  ['KRW', 5900, { price: '5900', currency: 'WON' }],
  ['KRW', 1, { price: '1', currency: 'WON' }],
  ['USD', 499, { price: '499', currency: 'USD' }],
  ['KRW', 0, null],
  ['USD', -1, null],
  ['JPY', 120, null],
])('%s %i is written %j', (currency, amountMinor, written) => {
  expect(writeAmount(money(amountMinor, currency))).toEqual(written);
  expect(welcome.supportsCurrency(currency)).toBe(currency !== 'JPY');
});

test.each([['59.00'], ['-5900'], ['5,900'], [''], [undefined]])('%j is no amount', (text) => {
  expect(readAmount(text, 'KRW')).toBeNull();
});

describe('create and page', () => {
  test('a page of ours, without a call', async () => {
    const { context, calls } = setUp([]);
    expect(await welcome.create(context, input)).toEqual({ kind: 'page', providerRef: null });
    expect((await welcome.create(context, { ...input, amount: money(120, 'JPY') })).kind).toBe('refused');
    expect((await welcome.create(context, { ...input, channelId: 'vbank' })).kind).toBe('refused');
    expect(calls).toEqual([]);
  });

  test('on a desktop the script runs over a signed form', async () => {
    const page = (await welcome.payPage!(setUp([]).context, input, null)) as Extract<PayPage, { kind: 'script' }>;
    expect(page).toMatchObject({
      kind: 'script',
      src: 'https://tstdpay.paywelcome.co.kr/stdjs/WelStdPay.js',
      data: null,
      sources: ['https://*.paywelcome.co.kr'],
    });
    expect(page.fields).toEqual({
      version: '1.0',
      mid: 'testmid001',
      oid: REFERENCE,
      goodname: '60 불꽃',
      price: '5900',
      currency: 'WON',
      buyername: '안나',
      buyertel: '02-000-0000',
      timestamp: String(NOW),
      signature: signPcForm(SIGN_KEY, REFERENCE, '5900', String(NOW)),
      mKey: mKeyOf(SIGN_KEY),
      returnUrl: input.returnUrl,
      closeUrl: input.cancelUrl,
      gopaymethod: 'Card',
      charset: 'UTF-8',
      payViewType: 'overlay',
      languageView: 'ko',
      acceptmethod: 'HPP(1):below1000',
    });
    expect(JSON.stringify(page)).not.toContain(SIGN_KEY);
    // Nothing of the payment stands in code.
    expect(page.run).not.toContain('5900');
  });

  test.each(['WelStdPay', 'WelStdpay', 'INIStdPay'])('the page runs %s, whichever the script has', async (name) => {
    const page = (await welcome.payPage!(setUp([]).context, input, null)) as Extract<PayPage, { kind: 'script' }>;
    const paid: string[] = [];
    const run = new Function(name, page.run) as (script: object) => void;
    run({ pay: (form: string) => paid.push(form) });
    expect(paid).toEqual(['pay']);
  });

  test.each([
    ['', '/smart/wcard/', 'block_isp=Y'],
    ['card', '/smart/wcard/', 'below1000=Y'],
    ['bank', '/smart/bank/', 'twotrs_bank=Y'],
    ['phone', '/smart/mobile/', 'apprun_check=Y'],
  ])('on a phone %j is a form in EUC-KR to %s', async (channelId, path, reserved) => {
    const page = await welcome.payPage!(setUp([]).context, { ...onPhone, channelId }, null);
    expect(page).toMatchObject({
      kind: 'form',
      action: `https://tmobile.paywelcome.co.kr${path}`,
      charset: 'euc-kr',
      fields: {
        P_MID: 'testmid001',
        P_OID: REFERENCE,
        P_AMT: '5900',
        P_GOODS: '60 불꽃',
        P_NEXT_URL: input.returnUrl,
        P_SIGNATURE: signMobileForm(SIGN_KEY, '5900', REFERENCE, String(NOW)),
        P_CHARSET: 'utf8',
        P_RESERVED: expect.stringContaining(reserved),
      },
    });
  });

  test('an order that is over has no page any more', async () => {
    expect((await welcome.payPage!(setUp([]).context, { ...input, expiresAt: NOW }, null)).kind).toBe('closed');
  });
});

const returned = (fields: Record<string, string>, query: Record<string, string> = {}): RawCallback => ({
  method: 'POST',
  path: '/return/welcome',
  topic: '',
  headers: {},
  query,
  body: Buffer.from(new URLSearchParams(fields).toString()),
  ip: '203.0.113.7',
});
const pcFields = {
  resultCode: '0000',
  resultMsg: 'ok',
  mid: 'testmid001',
  orderNumber: REFERENCE,
  authToken: 'AUTHTOKEN+/=',
  authUrl: AUTH_URL,
  netCancelUrl: NET_CANCEL_URL,
};
const mobileFields = { P_STATUS: '00', P_TID: 'MTID1', P_REQ_URL: REQ_URL, P_AMT: '5900' };

describe('what the browser brings', () => {
  const approvalOf = (raw: RawCallback, context = setUp([]).context) =>
    welcome.readReturn!(context, raw, payment).approval;
  test('is kept as it came, the same each time', () => {
    const approval = approvalOf(returned(pcFields));
    expect(JSON.parse(approval ?? '')).toEqual(pc);
    expect(approvalOf(returned(pcFields))).toBe(approval);
    expect(JSON.parse(approvalOf(returned(mobileFields)) ?? '')).toEqual(mobile);
    expect(JSON.parse(approvalOf({ ...returned({}, mobileFields), method: 'GET' }) ?? '')).toEqual(mobile);
  });

  test.each<[string, Record<string, string>]>([
    ['a payer who left', { ...pcFields, resultCode: 'V013' }],
    ['nothing', {}],
    ['no token', { ...pcFields, authToken: '' }],
    ['another merchant', { ...pcFields, mid: 'testmid002' }],
    ['another order', { ...pcFields, orderNumber: 'other' }],
    ['a refused phone', { ...mobileFields, P_STATUS: '01' }],
    ['no number', { ...mobileFields, P_TID: '' }],
  ])('%s is no approval', (_name, fields) => {
    expect(approvalOf(returned(fields))).toBeNull();
  });

  test.each([
    ['https://evil.example/api'],
    ['http://169.254.169.254/latest'],
    ['https://tstdpay.paywelcome.co.kr.evil.example/'],
    ['https://evil.example/?tstdpay.paywelcome.co.kr'],
    ['https://tstdpay.paywelcome.co.kr@evil.example/'],
    ['https://user@tstdpay.paywelcome.co.kr/'],
    ['https://tstdpay.paywelcome.co.kr:8443/'],
    ['file:///etc/passwd'],
    ['//tstdpay.paywelcome.co.kr/'],
    [''],
  ])('%j is nowhere to send a payment', async (url) => {
    expect(approvalOf(returned({ ...pcFields, authUrl: url }))).toBeNull();
    expect(approvalOf(returned({ ...pcFields, netCancelUrl: url }))).toBeNull();
    expect(approvalOf(returned({ ...mobileFields, P_REQ_URL: url }))).toBeNull();
    const { context, calls } = setUp([]);
    expect((await welcome.capture!(context, agreed({ ...pc, url: url || 'x' }))).status).toBe('failed');
    expect(calls).toEqual([]);
  });

  test('plain http is for sandboxes alone', () => {
    const live = setUp([], { APPROVAL_HOSTS: 'pay.example' }, 'live').context;
    const sandbox = setUp([], { APPROVAL_HOSTS: 'pay.example' }).context;
    const raw = returned({ ...mobileFields, P_REQ_URL: 'http://pay.example/req' });
    expect([approvalOf(raw, live), approvalOf(raw, sandbox) === null]).toEqual([null, false]);
  });
});

describe('query', () => {
  test('knows only what the browser brought, and time', async () => {
    const { context, calls } = setUp([]);
    const old = NOW - 2 * 3_600_000;
    expect((await welcome.query(context, payment)).status).toBe('pending');
    expect((await welcome.query(context, agreed(pc))).status).toBe('approved');
    expect((await welcome.query(context, { ...payment, createdAt: old })).status).toBe('expired');
    // Only the approval finds out its worth, or its undoing.
    expect((await welcome.query(context, { ...agreed(pc), createdAt: old })).status).toBe('approved');
    expect((await welcome.query(context, { ...agreed(pc), captureRef: 'TID1', createdAt: old })).status).toBe(
      'pending',
    );
    expect(calls).toEqual([]);
  });
});

describe('capture on a desktop', () => {
  test('asks the address of this payment, signed', async () => {
    const { context, calls, forms } = setUp([approved()]);
    expect(await welcome.capture!(context, agreed(pc))).toEqual({
      status: 'paid',
      reference: REFERENCE,
      providerRef: null,
      captureRef: 'TID1',
      amount: money(5900, 'KRW'),
      merchantAccount: null,
      reason: 'Card',
    });
    expect(calls[0]!.call.timeoutMs).toBe(15_000);
    expect(forms()).toEqual([
      [
        AUTH_URL,
        {
          mid: 'testmid001',
          authToken: 'AUTHTOKEN+/=',
          price: '5900',
          timestamp: String(NOW),
          signature: signApproval('AUTHTOKEN+/=', String(NOW)),
          charset: 'UTF-8',
          format: 'JSON',
        },
      ],
    ]);
  });

  test('tells another amount and another order as they are', async () => {
    const captured = async (extra: object) => welcome.capture!(setUp([approved(extra)]).context, agreed(pc));
    expect((await captured({ TotPrice: 5899 })).amount).toEqual(money(5899, 'KRW'));
    expect((await captured({ MOID: 'other' })).reference).toBe('other');
  });

  test.each<[string, string, () => Reply[]]>([
    ['failed', 'a lost answer that was undone', () => [silence(), undone()]],
    ['failed', 'HTML that was undone', () => [{ status: 200, text: '<html>' }, undone()]],
    ['failed', '500 that was undone', () => [json({}, 500), undone()]],
    ['failed', 'a virtual account, undone', () => [approved({ payMethod: 'VBank' }), undone()]],
    ['failed', 'a success without an amount, undone', () => [approved({ TotPrice: null }), undone()]],
    ['failed', 'a clear no with nothing to undo', () => [refused(), refused()]],
    ['failed', 'a second call that found the first, undone', () => [refused(), undone()]],
    ['unknown', 'a lost answer whose undoing is refused', () => [silence(), refused()]],
    ['unknown', 'a lost answer whose undoing is lost', () => [silence(), silence()]],
    ['unknown', 'a clear no whose undoing is lost', () => [refused(), silence()]],
    ['unknown', 'a clear no whose undoing makes no sense', () => [refused(), json({}, 500)]],
    ['paid_unreadable', 'a success without an amount, not undone', () => [approved({ TotPrice: null }), refused()]],
    ['paid_unreadable', 'a success of another shape, not undone', () => [approved({ TotPrice: [5900] }), silence()]],
  ])('is %s on %s', async (status, _name, replies) => {
    const { context, forms } = setUp(replies());
    expect((await welcome.capture!(context, agreed(pc))).status).toBe(status);
    const [[url, sent], [undoUrl, undoSent]] = forms() as [[string, object], [string, object]];
    expect([url, undoUrl]).toEqual([AUTH_URL, NET_CANCEL_URL]);
    expect(undoSent).toEqual(sent);
  });

  test('a call that was never sent undoes nothing and may be made again', async () => {
    const { context, calls } = setUp([unsent()]);
    expect((await welcome.capture!(context, agreed(pc))).status).toBe('pending');
    expect(calls).toHaveLength(1);
  });

  test.each<[string, KnownPayment]>([
    ['nothing', payment],
    ['rubbish', { ...payment, approval: '{"way":"pc"}' }],
    ['what is paid already', { ...agreed(pc), captureRef: 'TID1' }],
  ])('calls nobody for %s', async (_name, known) => {
    const { context, calls } = setUp([]);
    expect((await welcome.capture!(context, known)).status).toBe('pending');
    expect(calls).toEqual([]);
  });
});

describe('capture on a phone', () => {
  const answer = () => ({
    status: 200,
    text: `P_STATUS=00&P_TID=MTID1&P_TYPE=CARD&P_OID=${REFERENCE}&P_AMT=5900&P_RMESG1=성공\r\n`,
  });
  const no = { status: 200, text: 'P_STATUS=01&P_RMESG1=no' };
  const account = { status: 200, text: 'P_STATUS=00&P_TID=MTID1&P_TYPE=VBANK&P_AMT=5900' };
  const cancelled = () => json({ ResultCode: '00', ResultMsg: 'ok', Tid: 'MTID1' });

  test('asks the address of this payment', async () => {
    const { context, forms } = setUp([answer()]);
    expect(await welcome.capture!(context, agreed(mobile))).toMatchObject({
      status: 'paid',
      reference: REFERENCE,
      captureRef: 'MTID1',
      amount: money(5900, 'KRW'),
    });
    expect(forms()).toEqual([[REQ_URL, { P_TID: 'MTID1', P_MID: 'testmid001' }]]);
  });

  test.each<[string, string, () => Reply[]]>([
    ['failed', 'a lost answer that was cancelled', () => [silence(), cancelled()]],
    ['failed', 'HTML that was cancelled', () => [{ status: 200, text: '<html>' }, cancelled()]],
    ['failed', 'a virtual account, cancelled', () => [account, cancelled()]],
    ['failed', 'a clear no with nothing to cancel', () => [no, json({ ResultCode: '01', ResultMsg: 'no' })]],
    ['unknown', 'a lost answer whose cancelling is lost', () => [silence(), silence()]],
    ['unknown', 'a lost answer whose cancelling is refused', () => [silence(), json({ ResultCode: '01' })]],
  ])('is %s on %s', async (status, _name, replies) => {
    const { context, forms } = setUp(replies());
    expect((await welcome.capture!(context, agreed(mobile))).status).toBe(status);
    expect(forms()[1]).toEqual([
      'https://tpayapi.paywelcome.co.kr/cancel/cancel',
      {
        payType: 'card',
        mid: 'testmid001',
        tid: 'MTID1',
        price: '5900',
        currency: 'WON',
        timestamp: '20240101120000',
        signature: 'f142cc5377ae10f1b7f8a6144f70f2c1c724226b3f69631ef1fa5df377455603',
        cancelType: 'C',
      },
    ]);
  });
});

describe('refund', () => {
  const paid = { ...payment, captureRef: 'TID1', channelId: 'phone' };
  test.each<[string, string, Reply]>([
    ['done', '00', json({ ResultCode: '00', ResultMsg: 'ok' })],
    ['done', 'a repeat', json({ ResultCode: '01', ResultMsg: '이미 취소된 거래입니다.' })],
    ['failed', 'a refusal', json({ ResultCode: '01', ResultMsg: '취소할 수 없는 거래입니다.' })],
    ['failed', 'a part before', json({ ResultCode: '01', ResultMsg: '이미 부분취소된 거래입니다.' })],
    ['failed', '00 of another amount', json({ ResultCode: '00', Price: '900' })],
    ['unknown', '500', json({}, 500)],
    ['unknown', 'HTML', { status: 200, text: '<html>' }],
    ['unknown', 'a timeout', silence()],
  ])('is %s on %s', async (status, _name, reply) => {
    expect((await welcome.refund!(setUp([reply]).context, paid, 'RF-1')).status).toBe(status);
  });

  const rest = { ...paid, amount: money(1900, 'KRW'), paidAmount: money(5900, 'KRW') };
  test.each<[string, string, Reply]>([
    ['done', '00', json({ ResultCode: '00', Price: '1900', RmainPrice: '0' })],
    ['failed', 'another amount', json({ ResultCode: '00', Price: '900' })],
    // Of a part no word proves that it was this one.
    ['failed', 'one cancelled before', json({ ResultCode: '01', ResultMsg: '이미 취소된 거래입니다.' })],
    ['unknown', 'a timeout', silence()],
  ])('what is left after parts is %s on %s', async (status, _name, reply) => {
    const { context, forms } = setUp([reply]);
    expect((await welcome.refund!(context, rest, 'RF-1')).status).toBe(status);
    const [url, sent] = forms()[0]!;
    expect(url).toMatch(/\/cancel\/repay$/);
    expect(sent).toMatchObject({
      payType: 'hpp',
      tid: 'TID1',
      cancelPrice: '1900',
      confirmPrice: '0',
      currency: 'WON',
    });
    expect(sent).not.toHaveProperty('price');
  });

  test('names the way it was paid, and is no network cancellation', async () => {
    const { context, forms } = setUp([json({ ResultCode: '00' })]);
    await welcome.refund!(context, paid, 'RF-1');
    const [, sent] = forms()[0]!;
    expect(sent).toMatchObject({ payType: 'hpp', tid: 'TID1', price: '5900' });
    expect(sent).not.toHaveProperty('cancelType');
    expect((await welcome.refund!(setUp([]).context, payment, 'RF-1')).status).toBe('failed');
  });
});

test('nothing that calls back is believed', async () => {
  const raw = { ...returned({ no_oid: REFERENCE, amt_input: '5900', type_msg: '0200' }), path: '/callback/welcome' };
  expect(await welcome.readCallback(setUp([]).context, raw)).toMatchObject({
    kind: 'invalid',
    answer: { status: 404 },
  });
});

test('hosts follow the environment and the settings', () => {
  expect(welcome.apiHosts({}, 'live')).toEqual([
    'payapi.paywelcome.co.kr',
    'stdpay.paywelcome.co.kr',
    'mobile.paywelcome.co.kr',
  ]);
  expect(welcome.payHosts({}, 'demo')).toEqual(['tstdpay.paywelcome.co.kr', 'tmobile.paywelcome.co.kr']);
  expect(() => welcome.payHosts({ PC_BASE: 'http://stdpay.paywelcome.co.kr' }, 'live')).toThrow(/https/);
});
