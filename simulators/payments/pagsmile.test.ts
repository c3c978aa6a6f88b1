// Pagsmile over HTTP: trades, page, signed notifications, refunds and the note.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, eventually, newDataFolder, pressButton, startRecordingShop } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

let shop: Awaited<ReturnType<typeof startRecordingShop>>;
let simulators: Simulators;
const setting = (name: string) => simulators.environment[`REFILL_PAGSMILE_DEMO_${name}`]!;

beforeAll(async () => {
  shop = await startRecordingShop();
  shop.say = () => 'success';
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: shop.url });
});
afterAll(async () => {
  await simulators.close();
  await shop.close();
});

let count = 0;
const newReference = () => `BILL-P-${++count}`;
const basic = (key: string) => `Basic ${Buffer.from(`${setting('APP_ID')}:${key}`).toString('base64')}`;
const post = (verb: string, sent: Record<string, unknown>, key = setting('SECRET_KEYS')) =>
  callJson(`${setting('API_BASE')}/trade/${verb}`, {
    headers: { authorization: basic(key) },
    body: { app_id: setting('APP_ID'), timestamp: '2026-01-02 03:04:05', ...sent },
  });
const order = (reference: string) => ({
  out_trade_no: reference,
  order_currency: 'BRL',
  order_amount: '12.01',
  subject: '300 gems',
  content: '300 gems',
  trade_type: 'WEB',
  version: '2.0',
  notify_url: 'http://shop.test/callback/pagsmile',
  return_url: 'http://shop.test/back',
  buyer_id: 'player-1',
});
const create = (reference: string, extra: Record<string, unknown> = {}) =>
  post('create', { ...order(reference), ...extra });
const query = (reference: string) => post('query', { out_trade_no: reference });
const control = (verb: string, sent: unknown) => callJson(`${simulators.url}/control/pagsmile/${verb}`, { body: sent });
const posts = (reference: string) =>
  shop.received.filter((one) => one.path === '/callback/pagsmile' && JSON.parse(one.body).out_trade_no === reference);
const statuses = (reference: string) => posts(reference).map((one) => JSON.parse(one.body).trade_status as string);
const isSigned = (one: (typeof shop.received)[number]) =>
  (one.headers['pagsmile-signature'] as string).endsWith(
    `, v2=${createHmac('sha256', setting('SECRET_KEYS')).update(one.body).digest('hex')}`,
  );

it('refuses a wrong key, another app and incomplete orders', async () => {
  expect((await post('create', order('x'), 'wrong')).body.sub_code).toBe('invalid-signature');
  expect((await create('x', { app_id: '1' })).body.sub_code).toBe('app-not-match');
  const codeOf = async (extra: Record<string, unknown>) => {
    const { status, body } = await create('x', extra);
    expect(status).toBe(400);
    return body.code as string;
  };
  expect(await codeOf({ buyer_id: undefined })).toBe('40001');
  expect(await codeOf({ version: '1.0' })).toBe('40001');
  expect(await codeOf({ order_amount: '12.011' })).toBe('40001');
  expect(await codeOf({ order_currency: 'IDR', order_amount: '12.01' })).toBe('40001');
  expect(await codeOf({ timeout_express: '16d' })).toBe('40001');
  expect(await codeOf({ method: 'Wallet' })).toBe('40004');
  expect(await codeOf({ order_currency: 'Real' })).toBe('40002');
});

it('takes a payment: page, signed notification, SUCCESS', async () => {
  const reference = newReference();
  const made = await create(reference);
  expect(made.body).toMatchObject({
    code: '10000',
    out_trade_no: reference,
    trade_no: expect.stringMatching(/^\d{21}$/),
  });
  expect((await query(reference)).body.trade_status).toBe('INITIAL');
  const page = await (await fetch(made.body.web_url)).text();
  for (const part of ['300 gems', 'R$12.01', '>Pay<', '>Decline<', '>Pay later<', 'Simulated Pagsmile'])
    expect(page).toContain(part);
  const back = await pressButton(made.body.web_url, { action: 'pay', note: '', return_url: 'http://shop.test/back' });
  expect(back.headers.get('location')).toBe('http://shop.test/back');
  expect((await query(reference)).body).toMatchObject({ trade_status: 'SUCCESS', order_amount: '12.01' });
  const [notice, ...more] = posts(reference);
  expect(JSON.parse(notice!.body)).toMatchObject({ trade_status: 'SUCCESS', amount: '12.01', currency: 'BRL' });
  expect([isSigned(notice!), more]).toEqual([true, []]);
  expect((await create(reference)).body.sub_code).toBe('duplicate-out_trade_no');
});

it('lets a return_url in the address come first', async () => {
  const made = await create(newReference());
  const page = await (
    await fetch(`${made.body.web_url}&return_url=${encodeURIComponent('http://shop.test/other')}`)
  ).text();
  expect(page).toContain('value="http://shop.test/other"');
});

it('tells what was declined, and completes what is paid later', async () => {
  const declined = newReference();
  await create(declined);
  await control('pay', { reference: declined, decision: 'decline' });
  expect([(await query(declined)).body.trade_status, statuses(declined)]).toEqual(['REFUSED', ['REFUSED']]);
  const later = newReference();
  await create(later);
  await control('pay', { reference: later, decision: 'later' });
  expect([(await query(later)).body.trade_status, statuses(later)]).toEqual(['PROCESSING', []]);
  await control('settle', { reference: later });
  expect([(await query(later)).body.trade_status, statuses(later)]).toEqual(['SUCCESS', ['SUCCESS']]);
});

it('sends again until it is answered success', async () => {
  const reference = newReference();
  await create(reference);
  shop.say = () => 'OK';
  await control('pay', { reference });
  const waiting = async () =>
    (await callJson(`${simulators.url}/control/pagsmile`)).body.pendingCallbacks as { reference: string }[];
  expect((await waiting()).map((one) => one.reference)).toEqual([reference]);
  shop.say = () => 'success';
  await control('callbacks/flush', {});
  expect(await waiting()).toEqual([]);
});

it('refunds once, and not where the payer has to be named', async () => {
  const reference = newReference();
  await create(reference, { method: 'CreditCard' });
  const refund = (extra: Record<string, unknown> = {}) =>
    post('refund', {
      out_trade_no: reference,
      out_request_no: 'r1',
      refund_amount: '12.01',
      refund_currency: 'BRL',
      ...extra,
    });
  expect((await refund()).body.sub_code).toBe('refund-not-allowed');
  await control('pay', { reference });
  expect((await refund({ refund_amount: '12.02' })).body.sub_code).toBe('refund-not-allowed');
  expect((await refund({ out_request_no: 'x'.repeat(17) })).body.code).toBe('40001');
  expect((await refund()).body.refund_status).toBe('REFUND_PROCESSING');
  expect((await refund()).body.sub_code).toBe('refund-not-allowed');
  const notice = await eventually(() => posts(reference).find((one) => one.body.includes('"REFUNDED"')));
  expect(JSON.parse(notice.body)).toMatchObject({ amount: '12.01', out_request_no: 'r1' });
  expect((await query(reference)).body.trade_status).toBe('REFUNDED');
  const pix = newReference();
  await create(pix, { method: 'PIX' });
  await control('pay', { reference: pix });
  expect((await refund({ out_trade_no: pix })).body.code).toBe('40001');
  expect((await refund({ out_trade_no: pix, user_info: { name: 'Ann' } })).body.code).toBe('10000');
});

it('takes money back by chargeback, once', async () => {
  const reference = newReference();
  await create(reference);
  expect((await control('chargeback', { reference })).status).toBe(404);
  await control('pay', { reference });
  await control('chargeback', { reference });
  expect(statuses(reference)).toEqual(['SUCCESS', 'CHARGEBACK']);
  expect((await control('chargeback', { reference })).status).toBe(404);
});

it('does what the note says', async () => {
  const paid = async (note: string) => {
    const reference = newReference();
    await create(reference);
    await control('pay', { reference, note });
    return { reference, posts: posts(reference) };
  };
  const wrong = await paid('wrong-amount');
  expect([JSON.parse(wrong.posts[0]!.body).amount, (await query(wrong.reference)).body.order_amount]).toEqual([
    '12',
    '12',
  ]);
  expect(JSON.parse((await paid('wrong-currency')).posts[0]!.body).currency).toBe('USD');
  expect(isSigned((await paid('bad-signature')).posts[0]!)).toBe(false);
  const merchant = (await paid('wrong-merchant')).posts[0]!;
  expect([JSON.parse(merchant.body).app_id === setting('APP_ID'), isSigned(merchant)]).toEqual([false, true]);
  const other = await paid('wrong-reference');
  expect([other.posts.length, posts(`${other.reference}X`).length]).toEqual([0, 1]);
  expect((await paid('duplicate')).posts).toHaveLength(3);
  expect((await paid('lost')).posts).toEqual([]);
  const failing = await paid('error500');
  expect([(await query(failing.reference)).status, (await query(failing.reference)).status]).toEqual([500, 200]);
  const { reference } = await paid('reorder');
  expect(await eventually(() => statuses(reference).length === 2 && statuses(reference))).toEqual([
    'EXPIRED',
    'SUCCESS',
  ]);
});
