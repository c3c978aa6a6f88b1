// Naver Pay over HTTP: reserve, page, apply, history, cancel, and what it refuses.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, createManualClock, newDataFolder, pressButton } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

const clock = createManualClock();
let simulators: Simulators;

const setting = (name: string) => simulators.environment[`REFILL_NAVER_DEMO_${name}`]!;
const headers = () => ({
  'x-naver-client-id': setting('CLIENT_ID'),
  'x-naver-client-secret': setting('CLIENT_SECRET'),
  'x-naverpay-chain-id': setting('CHAIN_ID'),
});
const call = (path: string, body: unknown, more: Record<string, string> = {}) =>
  callJson(`${setting('API_BASE')}/naverpay-partner/naverpay/payments/${path}`, {
    headers: { ...headers(), ...more },
    body,
  });
const form = (path: string, fields: Record<string, string>, more: Record<string, string> = {}) =>
  call(path, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded', ...more });

beforeAll(async () => {
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: 'http://127.0.0.1:1', clock });
});
afterAll(async () => simulators.close());

let count = 0;
function reservation(extra: object = {}) {
  count += 1;
  return {
    modelVersion: '2',
    merchantUserKey: 'player-1',
    merchantPayKey: `BILL-N-${count}`,
    productName: '300 gems',
    productCount: 1,
    totalPayAmount: 5900,
    taxScopeAmount: 5900,
    taxExScopeAmount: 0,
    returnUrl: 'http://shop.test/back?ref=1',
    productItems: [{ categoryType: 'ETC', categoryId: 'ETC', uid: '1', name: '300 gems', count: 1 }],
    ...extra,
  };
}

/** Reserved, and the button pressed: where the browser went. */
async function agree(action = 'pay', note = '') {
  const asked = reservation();
  const { reserveId } = (await call('v2/reserve', asked)).body.body;
  const answer = await pressButton(`${setting('PAY_BASE')}/payments/${reserveId}`, { action, note });
  const location = answer.headers.get('location');
  const query = location ? new URL(location).searchParams : new URLSearchParams();
  return { key: asked.merchantPayKey, reserveId, query, paymentId: query.get('paymentId') ?? '' };
}
const apply = (paymentId: string, more = {}) => form('v2.2/apply/payment', { paymentId }, more);
const historyOf = async (paymentId: string) => (await call(`v2.2/list/history/${paymentId}`, {})).body.body.list;

it('refuses strangers, sums that do not add up and less than ten won', async () => {
  expect((await call('v2/reserve', reservation(), { 'x-naver-client-secret': 'guess' })).body.code).toBe(
    'InvalidMerchant',
  );
  expect((await call('v2/reserve', reservation({ taxScopeAmount: 5000 }))).body.code).toBe('InvalidParameter');
  expect((await call('v2/reserve', reservation({ totalPayAmount: 9, taxScopeAmount: 9 }))).body.code).toBe(
    'InvalidParameter',
  );
});

it('takes money by apply alone, once, and repeats its answer for a key', async () => {
  const { paymentId, query, key } = await agree();
  expect([query.get('resultCode'), query.get('ref')]).toEqual(['Success', '1']);
  expect(await historyOf(paymentId)).toEqual([]);
  const first = await apply(paymentId, { 'x-naverpay-idempotency-key': 'k-1' });
  expect(first.body.body.detail).toMatchObject({
    merchantPayKey: key,
    admissionState: 'SUCCESS',
    totalPayAmount: 5900,
  });
  expect((await apply(paymentId, { 'x-naverpay-idempotency-key': 'k-1' })).body).toEqual(first.body);
  expect((await apply(paymentId)).body.code).toBe('AlreadyComplete');
  expect(await historyOf(paymentId)).toMatchObject([{ admissionTypeCode: '01', totalPayAmount: 5900 }]);
});

it('lists a window of time in pages', async () => {
  const { paymentId } = await agree();
  await apply(paymentId);
  const time = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const window = (startTime: string, endTime: string) =>
    call('v2.2/list/history', { startTime, endTime, approvalType: 'ALL', pageNumber: 1, rowsPerPage: 1 });
  const found = (await window(time(clock.now() - 60_000), time(clock.now() + 60_000))).body.body;
  expect(found).toMatchObject({ responseCount: 1, currentPageNumber: 1, totalPageCount: found.totalCount });
  expect((await window(time(clock.now() + 60_000), time(clock.now() + 61_000))).body.body.totalCount).toBe(0);
});

it('says why a payer did not agree, and keeps who pays later', async () => {
  const declined = await agree('decline');
  expect([declined.query.get('resultCode'), declined.query.get('resultMessage')]).toEqual(['userCancel', 'userCancel']);
  const later = await agree('later');
  expect(later.paymentId).toBe('');
  const { body } = await callJson(`${simulators.url}/control/naver/settle`, { body: { reference: later.key } });
  expect(body.returnUrl).toContain('resultCode=Success&paymentId=');
});

it('takes no apply that comes too late', async () => {
  const { paymentId } = await agree();
  clock.advance(10 * 60_000 + 1);
  expect((await apply(paymentId)).body.code).toBe('TimeExpired');
});

it('cancels what is there, and compares the rest when asked', async () => {
  const { paymentId } = await agree();
  await apply(paymentId);
  const cancel = (won: number, rest: number) =>
    form('v1/cancel', {
      paymentId,
      cancelAmount: String(won),
      cancelReason: 'test',
      cancelRequester: '2',
      taxScopeAmount: String(won),
      taxExScopeAmount: '0',
      doCompareRest: '1',
      expectedRestAmount: String(rest),
    });
  expect((await cancel(900, 0)).body.code).toBe('RestAmountDiff');
  expect((await cancel(900, 5000)).body.body).toMatchObject({ totalRestAmount: 5000 });
  expect((await cancel(5900, 0)).body.code).toBe('RestAmountDiff');
  expect((await cancel(5000, 0)).body.body).toMatchObject({ totalRestAmount: 0 });
  expect((await historyOf(paymentId)).map((one: { admissionTypeCode: string }) => one.admissionTypeCode)).toEqual([
    '01',
    '04',
    '04',
  ]);
});

it('does what the note says', async () => {
  const less = await agree('pay', 'wrong-amount wrong-reference');
  expect((await apply(less.paymentId)).body.body.detail).toMatchObject({
    totalPayAmount: 5899,
    merchantPayKey: `${less.key}X`,
  });
  const failing = await agree('pay', 'error500');
  expect((await call(`v2.2/list/history/${failing.paymentId}`, {})).status).toBe(500);
  expect((await call(`v2.2/list/history/${failing.paymentId}`, {})).status).toBe(200);
});
