// The family "signed redirect" over HTTP, by its own reading of the contract.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { type Fields, redirectSign } from './signed-redirect-manner.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_TRAVELLET_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  shop.say = () => 'success';
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

const signed = (fields: Fields, secret = setting('SECRET')) => {
  const all = { merchant_id: setting('MERCHANT_ID'), timestamp: '1704067200', nonce: 'a1', ...fields };
  return { ...all, sign: redirectSign(all, secret) };
};
const order = (order_no: string): Fields => ({
  order_no,
  amount: '4.99',
  currency: 'USD',
  product_name: '60 gems',
  return_url: 'http://shop.test/back',
});
const create = (fields: Fields, secret?: string) => callJson(setting('CREATE_URL'), { body: signed(fields, secret) });
const query = (order_no: string) => callJson(setting('QUERY_URL'), { body: signed({ order_no }) });
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/travellet/${verb}`, { body });
const notices = (order_no: string): Fields[] =>
  shop.received.map(({ body }) => JSON.parse(body) as Fields).filter((one) => one['order_no'] === order_no);

it('signs as the written example does', () => {
  const fields = {
    merchant_id: 'M1001',
    order_no: 'WP20240101000001',
    amount: '50000',
    currency: 'VND',
    product_name: '60 gems',
    user_id: 'u-1',
    return_url: 'https://shop.example/result',
    notify_url: 'https://api.shop.example/notify/funtap',
    timestamp: '1704067200',
    nonce: 'a1b2c3d4e5f60718',
    sign_type: 'HMAC-SHA256',
    sign: 'not part of it',
  };
  expect(redirectSign(fields, 'test-secret')).toBe('6fdf72f48eab982cb9e32141e2a057c2ab0563bb3a8637b54e0c33cfa4d16591');
});

it('refuses a wrong signature, a missing amount and another amount under a used number', async () => {
  expect((await create(order('T-1'), 'wrong')).body.code).toBe('1001');
  expect((await create({ order_no: 'T-1', currency: 'USD' })).body.code).toBe('1002');
  const first = await create(order('T-1'));
  expect((await create(order('T-1'))).body.provider_order_no).toBe(first.body.provider_order_no);
  expect((await create({ ...order('T-1'), amount: '0.99' })).body.code).toBe('1003');
});

it('is paid on its page, tells it signed and sends the payer back', async () => {
  const made = await create(order('T-2'));
  expect(await (await fetch(made.body.pay_url)).text()).toContain('$4.99');
  const back = await pressButton(made.body.pay_url, { action: 'pay', note: '' });
  expect(back.headers.get('location')).toBe('http://shop.test/back?order_no=T-2');
  const [notice = {}] = notices('T-2');
  expect(notice).toMatchObject({ status: 'SUCCESS', amount: '4.99', currency: 'USD', sign_type: 'HMAC-SHA256' });
  expect(notice['sign']).toBe(redirectSign(notice, setting('SECRET')));
  expect((await query('T-2')).body.status).toBe('SUCCESS');
  const refund = { ...order('T-2'), refund_no: 'R1' };
  const refunded = await callJson(setting('REFUND_URL'), { body: signed(refund) });
  const again = await callJson(setting('REFUND_URL'), { body: signed(refund) });
  expect([refunded.body.code, again.body.provider_order_no]).toEqual(['0', refunded.body.provider_order_no]);
  expect((await query('T-2')).body.status).toBe('REFUNDED');
});

it('sends a notice again until the very text comes back', async () => {
  shop.say = () => 'Success';
  await create(order('T-3'));
  await control('pay', { reference: 'T-3' });
  const look = async () => {
    const { body } = await callJson(`${simulators.url}/control/travellet?reference=T-3`);
    return body.pendingCallbacks.filter((one: { reference: string }) => one.reference === 'T-3');
  };
  expect(await look()).toHaveLength(1);
  shop.say = () => 'success';
  await control('callbacks/flush', {});
  await eventually(async () => (await look()).length === 0);
  expect(notices('T-3')).toHaveLength(2);
});
