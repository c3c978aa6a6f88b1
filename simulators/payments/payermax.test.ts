// PayerMax over HTTP, as a shop that signs by hand would speak it.
import { createSign } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  callJson,
  eventually,
  newDataFolder,
  pressButton,
  type RecordingShop,
  startRecordingShop,
} from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { isSigned, readAmount } from './payermax-wire.ts';

let shop: RecordingShop;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_PAYERMAX_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newOrder = (change: Record<string, unknown> = {}) => {
  const outTradeNo = `BILL_M_${++count}`;
  return {
    outTradeNo,
    integrate: 'Hosted_Checkout',
    subject: '300 gems',
    totalAmount: 4.99,
    currency: 'USD',
    userId: 'p1',
    reference: outTradeNo.replaceAll('_', '-'),
    frontCallbackUrl: 'http://shop.test/back?x=1',
    notifyUrl: `${shop.url}/callback/payermax`,
    ...change,
  };
};
function call(name: string, data: unknown, envelope: Record<string, unknown> = {}, sign?: string) {
  const body = JSON.stringify({
    version: '1.4',
    keyVersion: '1',
    requestTime: new Date().toISOString(),
    appId: setting('APP_ID'),
    merchantNo: setting('MERCHANT_NO'),
    data,
    ...envelope,
  });
  const key = `-----BEGIN PRIVATE KEY-----\n${setting('PRIVATE_KEY')}\n-----END PRIVATE KEY-----`;
  const own = createSign('RSA-SHA256').update(body).sign(key, 'base64');
  return callJson(`${setting('API_BASE')}/${name}`, { headers: { sign: sign ?? own }, body });
}
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/payermax/${verb}`, { body });
const noticesOf = (outTradeNo: string) => shop.received.filter(({ body }) => body.includes(`"${outTradeNo}"`));

it('refuses strangers, old requests and incomplete orders', async () => {
  const code = async (...given: Parameters<typeof call>) => (await call(...given)).body.code;
  expect(await code('orderAndPay', newOrder(), { merchantNo: 'X' })).toBe('MERCHANT_INVALID');
  expect(await code('orderAndPay', newOrder(), { appId: 'X' })).toBe('MERCHANT_APP_INVALID');
  expect(await code('orderAndPay', newOrder(), {}, 'AAAA')).toBe('SIGN_VERIFY_FAILED');
  expect(await code('orderAndPay', newOrder(), { requestTime: '2020-01-01T00:00:00.000+00:00' })).toBe(
    'REQ_TIME_OVER_TIME',
  );
  for (const change of [
    { outTradeNo: 'a-b' },
    { totalAmount: 4.999 },
    { totalAmount: 100.5, currency: 'IDR' },
    { integrate: 'Direct' },
    { subject: undefined },
  ])
    expect(await code('orderAndPay', newOrder(change))).toBe('PARAMS_INVALID');
});

it('takes a payment: signed answer, cashier, signed notice, query', async () => {
  const order = newOrder();
  const made = await call('orderAndPay', order);
  expect(made.body).toMatchObject({ code: 'APPLY_SUCCESS', data: { outTradeNo: order.outTradeNo, status: 'PENDING' } });
  expect(isSigned(JSON.stringify(made.body), made.headers.get('sign'), setting('PUBLIC_KEY'))).toBe(true);
  expect((await call('orderAndPay', order)).body.data).toEqual(made.body.data);
  expect((await call('orderAndPay', { ...order, totalAmount: 5 })).body.code).toBe('ORDER_INFO_INCONSISTENT');
  const url = made.body.data.redirectUrl as string;
  const page = await (await fetch(url)).text();
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated PayerMax'])
    expect(page).toContain(part);
  expect((await fetch(url.replace(/tradeToken=.*/, 'tradeToken=x'))).status).toBe(404);
  const paid = await pressButton(url, { action: 'pay', note: '' });
  expect(paid.headers.get('location')).toBe(`http://shop.test/back?x=1&outTradeNo=${order.outTradeNo}&status=SUCCESS`);
  const [notice] = noticesOf(order.outTradeNo);
  expect(isSigned(notice!.body, notice!.headers['sign'], setting('PUBLIC_KEY'))).toBe(true);
  expect(JSON.parse(notice!.body)).toMatchObject({
    notifyType: 'PAYMENT',
    data: { status: 'SUCCESS', totalAmount: 4.99, currency: 'USD' },
  });
  expect((await call('orderQuery', { outTradeNo: order.outTradeNo })).body.data.status).toBe('SUCCESS');
});

it('ends what was declined or closed', async () => {
  const declined = newOrder();
  await call('orderAndPay', declined);
  await control('pay', { reference: declined.reference, decision: 'decline' });
  expect((await call('orderQuery', { outTradeNo: declined.outTradeNo })).body.data.status).toBe('FAILED');
  expect((await control('pay', { reference: declined.reference })).status).toBe(404);
  const closed = newOrder();
  await call('orderAndPay', closed);
  expect((await call('orderClose', { outTradeNo: closed.outTradeNo })).body.data.status).toBe('CLOSED');
  const notice = await eventually(() => noticesOf(closed.outTradeNo)[0]);
  expect(JSON.parse(notice.body).data.status).toBe('CLOSED');
});

it('refunds once under a number, tells it and knows it', async () => {
  const order = newOrder();
  await call('orderAndPay', order);
  const refund = {
    outRefundNo: `R_${order.outTradeNo}`,
    refundAmount: 4.99,
    refundCurrency: 'USD',
    outTradeNo: order.outTradeNo,
  };
  expect((await call('refund', refund)).body.code).toBe('REFUND_AMOUNT_INVALID');
  await control('pay', { reference: order.reference });
  expect((await call('refund', refund)).body.data.status).toBe('REFUND_PENDING');
  expect((await call('refund', refund)).body.code).toBe('REFUND_NO_REPEATED');
  expect((await call('refundQuery', { outRefundNo: refund.outRefundNo })).body.data.status).toBe('REFUND_SUCCESS');
  await expect
    .poll(() => noticesOf(order.outTradeNo).some(({ body }) => body.includes('"notifyType":"REFUND"')))
    .toBe(true);
});

it('does what the note says, and stops only for its acknowledgement', async () => {
  const order = newOrder();
  await call('orderAndPay', order);
  await control('pay', { reference: order.reference, note: 'wrong-amount' });
  expect(JSON.parse(noticesOf(order.outTradeNo)[0]!.body).data.totalAmount).toBe(4.98);
  // The recording shop answers 200 without a body.
  const { pendingCallbacks } = (await callJson(`${simulators.url}/control/payermax`)).body;
  expect(pendingCallbacks.map((one: { reference: string }) => one.reference)).toContain(order.reference);
});

it('reads amounts by its own decimals', () => {
  expect(readAmount(10_000, 'IDR')).toEqual({ amountMinor: 10_000, currency: 'IDR' });
  expect(readAmount('0.99', 'USD')).toEqual({ amountMinor: 99, currency: 'USD' });
  expect(readAmount(0, 'USD')).toBeUndefined();
  expect(readAmount(1.5, 'TWD')).toBeUndefined();
});
