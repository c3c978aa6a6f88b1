// Alipay over HTTP: both protocols as a shop that signs by hand would speak them.
import { createSign, createVerify } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  callJson,
  newDataFolder,
  pressButton,
  type RecordingShop,
  startRecordingShop,
} from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { openText, rsaVerify } from './alipay-signature.ts';

let shop: RecordingShop;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_ALIPAY_DEMO_${name}`]!;
const pem = (kind: string, text: string) => `-----BEGIN ${kind} KEY-----\n${text}\n-----END ${kind} KEY-----`;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-L-${++count}`;
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/alipay/${verb}`, { body });

function sign(text: string): string {
  return createSign('RSA-SHA256')
    .update(text)
    .sign(pem('PRIVATE', setting('PRIVATE_KEY')), 'base64');
}
async function antom(verb: string, content: unknown, more: Record<string, string> = {}) {
  const url = new URL(`${setting('API_BASE')}/ams/sandbox/api/v1/payments/${verb}`);
  const body = JSON.stringify(content);
  const signature = sign(`POST ${url.pathname}\n${setting('CLIENT_ID')}.1700000000000.${body}`);
  const headers = {
    'client-id': setting('CLIENT_ID'),
    'request-time': '1700000000000',
    signature: `algorithm=RSA256,keyVersion=1,signature=${encodeURIComponent(signature)}`,
    ...more,
  };
  return callJson(url.href, { headers, body });
}
const amount = { currency: 'USD', value: '499' };
const payBody = (reference: string, extra: Record<string, unknown> = {}) => ({
  productCode: 'CASHIER_PAYMENT',
  paymentRequestId: reference,
  paymentAmount: amount,
  order: { referenceOrderId: reference, orderDescription: '300 gems', orderAmount: amount },
  paymentMethod: { paymentMethodType: 'ALIPAY_CN' },
  paymentRedirectUrl: 'http://shop.test/back',
  paymentNotifyUrl: `${shop.url}/callback/alipay`,
  env: { terminalType: 'WEB' },
  ...extra,
});
const noticesOf = (reference: string) => shop.received.filter(({ body }) => body.includes(reference));

it('refuses strangers, numbers where text is due, raw cards and changed repeats', async () => {
  const code = async (body: unknown, more = {}) => (await antom('pay', body, more)).body.result.resultCode;
  expect(await code(payBody('x'), { 'client-id': 'OTHER' })).toBe('INVALID_CLIENT');
  expect(await code(payBody('x'), { 'request-time': '1' })).toBe('INVALID_SIGNATURE');
  expect(await code(payBody('x', { paymentAmount: { currency: 'USD', value: 499 } }))).toBe('PARAM_ILLEGAL');
  expect(await code(payBody('x', { paymentAmount: { currency: 'USD', value: '4.99' } }))).toBe('PARAM_ILLEGAL');
  expect(await code(payBody('x', { paymentMethod: { paymentMethodType: 'CARD' } }))).toBe('PARAM_ILLEGAL');
  const reference = newReference();
  const [first, same] = [await antom('pay', payBody(reference)), await antom('pay', payBody(reference))];
  expect(same.body).toEqual(first.body);
  expect(await code(payBody(reference, { userRegion: 'US' }))).toBe('REPEAT_REQ_INCONSISTENT');
});

it('takes a payment: signed answer, page, signed notice, inquiry', async () => {
  const reference = newReference();
  const made = await antom('pay', payBody(reference));
  expect(made.body.result).toMatchObject({ resultStatus: 'U', resultCode: 'PAYMENT_IN_PROCESS' });
  const answered = decodeURIComponent(made.headers.get('signature')!.split('signature=')[1]!);
  const time = made.headers.get('response-time');
  const path = new URL(`${setting('API_BASE')}/ams/sandbox/api/v1/payments/pay`).pathname;
  const text = `POST ${path}\n${setting('CLIENT_ID')}.${time}.${JSON.stringify(made.body)}`;
  expect(
    createVerify('RSA-SHA256')
      .update(text)
      .verify(pem('PUBLIC', setting('PUBLIC_KEY')), answered, 'base64'),
  ).toBe(true);
  const page = await (await fetch(made.body.normalUrl)).text();
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Alipay'])
    expect(page).toContain(part);
  const paid = await pressButton(made.body.normalUrl, { action: 'pay', note: '' });
  expect(paid.headers.get('location')).toBe('http://shop.test/back');
  const [notice] = noticesOf(reference);
  expect(JSON.parse(notice!.body)).toMatchObject({
    notifyType: 'PAYMENT_RESULT',
    result: { resultStatus: 'S' },
    paymentAmount: amount,
  });
  const signature = decodeURIComponent(String(notice!.headers['signature']).split('signature=')[1]!);
  const signed = `POST /callback/alipay\n${setting('CLIENT_ID')}.${notice!.headers['request-time']}.${notice!.body}`;
  expect(rsaVerify(signed, signature, setting('PUBLIC_KEY'))).toBe(true);
  expect((await antom('inquiryPayment', { paymentRequestId: reference })).body.paymentStatus).toBe('SUCCESS');
});

it('a card session has no order before somebody pays, and can be tried again', async () => {
  const reference = newReference();
  const card = { paymentMethod: { paymentMethodType: 'CARD' }, productScene: 'CHECKOUT_PAYMENT' };
  const made = await antom('createPaymentSession', payBody(reference, card));
  expect(made.body.result.resultStatus).toBe('S');
  const inquiry = async () => (await antom('inquiryPayment', { paymentRequestId: reference })).body;
  expect((await inquiry()).result.resultCode).toBe('ORDER_NOT_EXIST');
  await pressButton(made.body.normalUrl, { action: 'decline', note: '' });
  expect((await inquiry()).paymentStatus).toBe('FAIL');
  await pressButton(made.body.normalUrl, { action: 'pay', note: '' });
  expect((await inquiry()).paymentStatus).toBe('SUCCESS');
  expect(noticesOf(reference).map(({ body }) => JSON.parse(body).result.resultStatus)).toEqual(['F', 'S']);
});

it('cancels what is open, gives back what is paid, and tells refunds with their metadata', async () => {
  const open = newReference();
  await antom('pay', payBody(open));
  await antom('cancel', { paymentRequestId: open });
  expect((await control('pay', { reference: open })).status).toBe(404);
  const reference = newReference();
  await antom('pay', payBody(reference));
  const { paymentId } = (await control('pay', { reference })).body;
  const body = { refundRequestId: 'R-1', paymentId, refundAmount: amount, metadata: '{"a":"b"}' };
  const [first, same] = [await antom('refund', body), await antom('refund', body)];
  expect([first.body.result.resultStatus, same.body.refundId]).toEqual(['S', first.body.refundId]);
  expect((await antom('refund', { ...body, refundRequestId: 'R-2' })).body.result.resultCode).toBe(
    'REFUND_AMOUNT_EXCEED',
  );
  const notice = async () => shop.received.find((one) => one.body.includes('REFUND_RESULT'));
  await expect.poll(notice).toBeDefined();
  expect(JSON.parse((await notice())!.body)).toMatchObject({
    refundStatus: 'SUCCESS',
    refundRequestId: 'R-1',
    metadata: '{"a":"b"}',
  });
});

it('stops sending only for the exact acknowledgement', async () => {
  const reference = newReference();
  await antom('pay', payBody(reference));
  await control('pay', { reference });
  // The recording shop answers 200 without a body.
  const { pendingCallbacks } = (await callJson(`${simulators.url}/control/alipay`)).body;
  expect(pendingCallbacks.some((one: { reference: string }) => one.reference === reference)).toBe(true);
});

it('signs notices of the Open Platform as the published one is signed', () => {
  // @source test suite of github.com/alipay/alipay-sdk-nodejs-all
  const fields = { version: '1.0', app_id: '2019073166072302', sign_type: 'RSA2', sign: 'x', charset: 'utf-8' };
  expect(openText(fields, ['sign', 'sign_type'])).toBe('app_id=2019073166072302&charset=utf-8&version=1.0');
  expect(openText(fields, ['sign'])).toBe('app_id=2019073166072302&charset=utf-8&sign_type=RSA2&version=1.0');
});

it('spoils the next calls as told', async () => {
  const spoiled = async (fault: string) => {
    await control('faults', { on: 'create', fault });
    return antom('pay', payBody(newReference())).then(
      ({ status }) => status,
      () => 'no answer',
    );
  };
  expect([await spoiled('error500'), await spoiled('html'), await spoiled('reset')]).toEqual([500, 200, 'no answer']);
});
