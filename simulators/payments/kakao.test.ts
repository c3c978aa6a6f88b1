// KakaoPay over HTTP: ready, page, approve, order, cancel, and what it refuses.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callJson, createManualClock, newDataFolder, pressButton } from '#simulators/kit/test-harness.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';

const clock = createManualClock();
let simulators: Simulators;

const setting = (name: string) => simulators.environment[`REFILL_KAKAO_DEMO_${name}`]!;
const call = (verb: string, body: object, key = `SECRET_KEY ${setting('SECRET_KEY')}`) =>
  callJson(`${setting('API_BASE')}/online/v1/payment/${verb}`, {
    headers: { authorization: key },
    body: { cid: setting('CID'), ...body },
  });

beforeAll(async () => {
  simulators = await startSimulators({ port: 0, dataDir: newDataFolder(), shopUrl: 'http://127.0.0.1:1', clock });
});
afterAll(async () => simulators.close());

let count = 0;
function order(extra: object = {}) {
  count += 1;
  return {
    partner_order_id: `BILL-K-${count}`,
    partner_user_id: 'player-1',
    item_name: '300 gems',
    quantity: 1,
    total_amount: 5900,
    tax_free_amount: 0,
    approval_url: 'http://shop.test/back?ref=1',
    cancel_url: 'http://shop.test/cancel',
    fail_url: 'http://shop.test/fail',
    ...extra,
  };
}
const control = (verb: string, body: unknown) => callJson(`${simulators.url}/control/kakao/${verb}`, { body });

/** Ready, and the button pressed: what approve needs, and where the browser went. */
async function agree(action = 'pay', note = '') {
  const asked = order();
  const { body } = await call('ready', asked);
  const answer = await pressButton(body.next_redirect_pc_url, { action, note });
  const back = answer.headers.get('location') ?? '';
  const pgToken = back ? new URL(back).searchParams.get('pg_token') : null;
  const { partner_order_id, partner_user_id } = asked;
  return { tid: body.tid, back, approval: { tid: body.tid, partner_order_id, partner_user_id, pg_token: pgToken } };
}

it('refuses wrong keys, another CID and incomplete orders', async () => {
  expect((await call('ready', order(), 'SECRET_KEY nobody')).body.error_code).toBe(-401);
  expect((await call('ready', order({ cid: 'C000000001' }))).body.error_code).toBe(-731);
  expect((await call('ready', order({ total_amount: 5900.5 }))).status).toBe(400);
  expect((await call('ready', order({ approval_url: `http://shop.test/${'a'.repeat(255)}` }))).status).toBe(400);
});

it('takes money by approve alone, once', async () => {
  const { approval, back, tid } = await agree();
  expect(back).toMatch(/^http:\/\/shop\.test\/back\?ref=1&pg_token=[0-9a-f]{20}$/);
  expect((await call('order', { tid })).body.status).toBe('AUTH_PASSWORD');
  expect((await call('approve', { ...approval, pg_token: 'guess' })).body.error_code).toBe(-780);
  expect((await call('approve', { ...approval, partner_user_id: 'other' })).body.error_code).toBe(-780);
  expect((await call('approve', { ...approval, total_amount: 5899 })).body.error_code).toBe(-780);
  expect((await call('approve', { ...approval, total_amount: 5900 })).body.amount).toMatchObject({
    total: 5900,
    vat: 536,
  });
  expect((await call('approve', approval)).body.error_code).toBe(-702);
  const asked = (await call('order', { tid })).body;
  expect(asked).toMatchObject({ status: 'SUCCESS_PAYMENT', cancel_available_amount: { total: 5900 } });
  expect(asked.payment_action_details).toMatchObject([{ payment_action_type: 'PAYMENT', amount: 5900 }]);
});

it('sends a payer who declines to the cancel address', async () => {
  const { back, tid, approval } = await agree('decline');
  expect(back).toBe('http://shop.test/cancel');
  expect((await call('order', { tid })).body.status).toBe('QUIT_PAYMENT');
  expect((await call('approve', approval)).body.error_code).toBe(-780);
});

it('keeps the browser of who pays later, and lets the way back be asked for', async () => {
  const { back, tid } = await agree('later');
  expect(back).toBe('');
  expect((await control('settle', { id: tid })).body.returnUrl).toContain('pg_token=');
});

it('lets a page die after 15 minutes', async () => {
  const { body } = await call('ready', order());
  const { approval } = await agree();
  clock.advance(15 * 60_000 + 1);
  const answer = await pressButton(body.next_redirect_mobile_url, { action: 'pay', note: '' });
  expect(answer.headers.get('location')).toBe('http://shop.test/fail');
  expect((await call('approve', approval)).body.error_code).toBe(-780);
});

it('cancels what is there, in parts, and no more', async () => {
  const { approval, tid } = await agree();
  const cancel = (won: number, left?: number) =>
    call('cancel', {
      tid,
      cancel_amount: won,
      cancel_tax_free_amount: 0,
      ...(left ? { cancel_available_amount: left } : {}),
    });
  expect((await cancel(100)).body.error_code).toBe(-781);
  await call('approve', approval);
  expect((await cancel(900, 5900)).body).toMatchObject({
    status: 'PART_CANCEL_PAYMENT',
    cancel_available_amount: { total: 5000 },
  });
  expect((await cancel(900, 5900)).body.error_code).toBe(-781);
  expect((await cancel(5000)).body.status).toBe('CANCEL_PAYMENT');
});

it('does what the note says', async () => {
  const less = await agree('pay', 'wrong-amount');
  expect((await call('approve', less.approval)).body.amount.total).toBe(5899);
  const other = await agree('pay', 'wrong-reference wrong-merchant');
  expect((await call('approve', other.approval)).body).toMatchObject({
    cid: `${setting('CID')}X`,
    partner_order_id: expect.stringMatching(/^BILL-K-\d+X$/),
  });
  const failing = await agree('pay', 'error500');
  expect((await call('order', { tid: failing.tid })).status).toBe(500);
  expect((await call('order', { tid: failing.tid })).status).toBe(200);
});
