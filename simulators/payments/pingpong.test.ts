// PingPong over HTTP: prePay, checkout, signed notices, query, refunds and the note.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  callJson,
  newDataFolder,
  pressButton,
  type RecordingShop,
  startRecordingShop,
} from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { signMessage, writeAmount } from './pingpong-wire.ts';

let shop: RecordingShop;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_PINGPONG_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newOrder = (change: Record<string, unknown> = {}) => ({
  captureDelayHours: '0',
  amount: '4.99',
  currency: 'USD',
  merchantTransactionId: `BILL-P-${++count}`,
  payResultUrl: 'http://shop.test/back',
  payCancelUrl: 'http://shop.test/cancel',
  notificationUrl: `${shop.url}/callback/pingpong`,
  shopperIP: '222.126.52.23',
  remark: '300 gems',
  ...change,
});
async function call(path: string, content: unknown, change: Record<string, unknown> = {}) {
  const message = {
    accId: setting('ACC_ID'),
    clientId: setting('ACC_ID').slice(0, -3),
    signType: 'SHA256',
    version: '1.0',
    bizContent: JSON.stringify(content),
    ...change,
  };
  const sign = signMessage(message, setting('SALT'));
  const answer = (await callJson(`${setting('API_BASE')}${path}`, { body: { sign, ...message } })).body;
  return {
    answer,
    code: answer.code as string,
    content: answer.bizContent ? JSON.parse(answer.bizContent) : undefined,
  };
}
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/pingpong/${verb}`, { body });
const noticesOf = (reference: string) =>
  shop.received
    .map(({ body }) => JSON.parse(body))
    .filter((one) => JSON.parse(one.bizContent).merchantTransactionId === reference);

it('signs as the published examples do', () => {
  // @source acquirer-api-docs-v4-en.pingpongx.com, prePay, request
  const bizContent =
    '{"captureDelayHours":"0","amount":"1000","currency":"USD","merchantTransactionId":"PMT-PR5GFUNZQP1695182276082","payResultUrl":"https://test-acquirerpay.pingpongx.com/qa/result.html","payCancelUrl":"https://test-acquirerpay.pingpongx.com/qa/result.html","shopperIP":"222.126.52.23","customer":{"identificationId":"211","lastName":"LeBronbb","email":"test@pingpongx.com","phone":"9157030054"}}';
  const message = {
    version: '1.0',
    accId: '2018092714313010016291',
    clientId: '2018092714313010016',
    signType: 'SHA256',
    bizContent,
    sign: 'x',
    empty: '',
  };
  expect(signMessage(message, 'F78BC96A55548B2319EE68E0')).toBe(
    '28178F3C0B0AF10343F715211B9C7791AB4CF091EB4580505E053318E8F37B85',
  );
});

it('refuses strangers and incomplete orders', async () => {
  const code = async (...given: Parameters<typeof call>) => (await call(...given)).code;
  const prePay = '/v4/payment/prePay';
  expect(await code(prePay, newOrder(), { accId: '1' })).toBe('103000');
  expect(await code(prePay, newOrder(), { sign: 'X' })).toBe('104000');
  expect(await code(prePay, newOrder(), { version: '2.0' })).toBe('102000');
  const wrong = [
    { amount: '4.999' },
    { amount: '1234567890.12' },
    { shopperIP: undefined },
    { remark: 'a <b>' },
    { notificationUrl: 'http://shop.test/?a=1' },
    { captureDelayHours: 0 },
  ];
  for (const change of wrong) expect(await code(prePay, newOrder(change))).toBe('102000');
});

it('takes a payment: signed answer, page, another try, signed notice, query', async () => {
  const order = newOrder();
  const reference = order.merchantTransactionId;
  const made = await call('/v4/payment/prePay', order);
  expect([made.code, made.answer.sign]).toEqual(['001000', signMessage(made.answer, setting('SALT'))]);
  expect((await call('/v4/payment/prePay', { ...order, amount: '9.99' })).content).toEqual(made.content);
  const url = made.content.paymentUrl as string;
  const page = await (await fetch(url)).text();
  for (const part of ['300 gems', '$4.99', '>Pay<', '>Decline<', '>Pay later<', 'Simulated PingPong'])
    expect(page).toContain(part);
  const { token } = made.content;
  const declined = await pressButton(url, { action: 'decline', note: '', token });
  expect(await declined.text()).toContain('href="http://shop.test/cancel"');
  const status = async () => (await call('/v4/payment/query', { merchantTransactionId: reference })).content.status;
  expect(await status()).toBe('FAILED');
  const paid = await pressButton(url, { action: 'pay', note: '', token });
  expect(paid.headers.get('location')).toBe('http://shop.test/back');
  expect(await status()).toBe('SUCCESS');
  const notices = noticesOf(reference);
  expect(notices.map((one) => JSON.parse(one.bizContent).status)).toEqual(['FAILED', 'SUCCESS']);
  expect(notices.every((one) => one.sign === signMessage(one, setting('SALT')))).toBe(true);
  expect(JSON.parse(notices[1].bizContent)).toMatchObject({
    notifyType: 'RECHARGE',
    amount: '4.990000',
    currency: 'USD',
  });
});

it('refunds once under a number, tells it and knows it', async () => {
  const order = newOrder();
  const merchantTransactionId = order.merchantTransactionId;
  await call('/v4/payment/prePay', order);
  const refund = { merchantTransactionId, merchantRefundId: 'R-1', amount: '4.99', currency: 'USD' };
  expect((await call('/v4/payment/refund', refund)).code).toBe('108001');
  await control('pay', { reference: merchantTransactionId });
  expect((await call('/v4/payment/refund', refund)).content.status).toBe('PROCESSING');
  expect((await call('/v4/payment/refund', refund)).code).toBe('107000');
  expect((await call('/v4/refund/query', refund)).content).toMatchObject({
    status: 'SUCCESS',
    merchantRefundId: 'R-1',
  });
  const hasNotice = () =>
    noticesOf(merchantTransactionId).some((one) => JSON.parse(one.bizContent).notifyType === 'REFUND');
  await expect.poll(hasNotice).toBe(true);
});

it('does what the note says and knows no other orders', async () => {
  const order = newOrder();
  await call('/v4/payment/prePay', order);
  await control('pay', { reference: order.merchantTransactionId, note: 'wrong-amount bad-signature' });
  const [notice] = noticesOf(order.merchantTransactionId);
  expect(JSON.parse(notice.bizContent).amount).toBe('4.980000');
  expect(notice.sign).not.toBe(signMessage(notice, setting('SALT')));
  expect((await call('/v4/payment/query', { merchantTransactionId: 'nobody' })).code).toBe('107001');
  expect(writeAmount({ amountMinor: 120, currency: 'JPY' })).toBe('120.000000');
});
