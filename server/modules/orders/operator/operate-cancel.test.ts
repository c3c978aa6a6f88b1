// Calling off an order, with a provider that a test scripts: every final answer, every answer that is none,
// and its callback coming first.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KnownPayment } from '#server/modules/payments/provider.ts';
import { type PaymentScript, reportOn } from '#testing/fake-payments.ts';
import { callBack, eventOn, makePollDue, placeOrder, settleDepsOf, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type CaptureLease, leaseCapture, releaseCapture } from '#server/modules/orders/payments/capture-store.ts';
import { cancelUnpaidOrder } from './operate-cancel.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
beforeEach(() => shop.paypal.reset());
afterAll(() => shop.close());

function cancel(billingNo: string) {
  return cancelUnpaidOrder({ db: shop.db, by: 'anna' }, settleDepsOf(shop), billingNo);
}
const auditOf = async (billingNo: string) =>
  (await shop.db.query('select details from audit_entry where billing_no = $1', [billingNo])).rows;

test('the callback that the page is closed may come first: called off all the same', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
  shop.paypal.script.cancel = async (payment) => {
    await callBack(shop, eventOn(order, 'expired'));
    return reportOn(payment, 'expired');
  };
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'done', outcome: 'expired' });
  expect(await auditOf(order.billingNo)).toEqual([
    { details: { before: 'pending', after: 'expired', attempts: [{ attempt: 1, reason: 'expired' }] } },
  ]);
});

test('a payment whose capture was begun keeps its order', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
  shop.paypal.script.cancel = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'impossible', outcome: 'still_payable' });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
  expect(await auditOf(order.billingNo)).toEqual([]);
});

test('an order is not called off while its money is being taken, also when that began after we asked', async () => {
  const order = await placeOrder(shop);
  const key = { player_id: order.player.playerId, billing_no: order.billingNo, attempt_no: 1 };
  let lease: CaptureLease | null = null;
  const approved: PaymentScript['query'] = (payment) => ({ ...reportOn(payment, 'approved'), captureRef: null });
  Object.assign(shop.paypal.script, {
    query: approved,
    cancel: async (payment: KnownPayment) => {
      lease = await leaseCapture(shop.db, key, 90);
      return approved(payment, shop.services.payments.account('paypal')!.context);
    },
  });
  await makePollDue(shop, order.billingNo);
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'impossible', outcome: 'still_payable' });
  expect(await cancel(order.billingNo)).toMatchObject({
    kind: 'impossible',
    sentence: expect.stringContaining('its money is being taken at this moment'),
  });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
  expect(await auditOf(order.billingNo)).toEqual([]);
  expect(lease).not.toBeNull();
  await releaseCapture(shop.db, key, lease!);
  shop.paypal.script.cancel = (payment) => reportOn(payment, 'expired');
  await makePollDue(shop, order.billingNo);
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'done', outcome: 'cancelled' });
});

test('money that came while we asked is booked, and the order is not called off', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'impossible', outcome: 'paid' });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'paid', attempts: ['succeeded'] });
});

test('an approval that was never taken ends with the order, and money that comes for it later is late money', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => ({ ...reportOn(payment, 'approved'), captureRef: null });
  shop.paypal.script.cancel = (payment) => ({ ...reportOn(payment, 'approved'), captureRef: null });
  expect(await cancel(order.billingNo)).toMatchObject({ kind: 'done', outcome: 'cancelled' });
  expect(shop.paypal.calls.capture).toEqual([]);
  await callBack(shop, eventOn(order, 'paid'));
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'paid', delivery: 'queued' });
});

test('a provider that cannot be reached changes nothing', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = () => Promise.reject(new Error('down'));
  await expect(cancel(order.billingNo)).rejects.toThrow('down');
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
});
