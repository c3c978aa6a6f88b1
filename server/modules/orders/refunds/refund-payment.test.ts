// The worker that pays back: several at once, and each answer counts only while its call is the newest.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { callBack, eventOn, placeOrder, PRICE, stateOf, waitUntil } from '#testing/pay.ts';
import type { RefundOutcome, RefundedPayment } from '#server/modules/payments/provider.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { findOperatedOrder, operatorRefund } from '#server/modules/orders/operator/operate-store.ts';
import { processDueRefunds } from './refund-payment.ts';
import { leaseRefunds, finishRefund, requestRefund } from './refund-store.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await createTestShop();
});
afterEach(() => shop.close());

const done: RefundOutcome = { status: 'done', refundProviderRef: 'RF', reason: null };

/** A paid order whose money is to go back. */
async function owe(): Promise<BillingNo> {
  const order = await placeOrder(shop);
  await callBack(shop, eventOn(order, 'paid'));
  const input = { playerId: order.player.playerId, billingNo: order.billingNo, attemptNo: 1, reason: 'r', by: 'anna' };
  expect(await requestRefund(shop.db, input)).toBe('due');
  return order.billingNo;
}

const refundOf = async (billingNo: string) =>
  (
    await shop.db.query<{ state: string; tries: number }>('select state, tries from refund where billing_no = $1', [
      billingNo,
    ])
  ).rows[0];
const run = () => {
  const { db, log, payments, games } = shop.services;
  return processDueRefunds({ db, log, payments, games });
};

test('a call that hangs holds up no other refund, and nobody pays back by hand meanwhile', async () => {
  const [first, second] = [await owe(), await owe()];
  let answer: (outcome: RefundOutcome) => void = () => undefined;
  const hanging = new Promise<RefundOutcome>((resolve) => {
    answer = resolve;
  });
  Object.assign(shop.paypal, {
    refund: (_context: unknown, { reference }: { reference: string }) => (reference.startsWith(first) ? hanging : done),
  });
  const running = run();
  await waitUntil('the second', async () => (await refundOf(second))?.state === 'done');
  expect(await refundOf(first)).toMatchObject({ state: 'calling' });
  // A minute and more later the slowest provider may still be about to pay.
  await shop.db.query(`update refund set next_at = next_at - interval '80 seconds' where billing_no = $1`, [first]);
  expect(await leaseRefunds(shop.db, 10, 60)).toEqual([]);
  const order = await findOperatedOrder(shop.db, first);
  const byHand = { attemptNo: 1, reason: 'r', by: 'bert', isDone: true };
  expect(await operatorRefund(shop.db, order!, byHand)).toBe('refunding_now');
  answer(done);
  expect(await running).toBe(false);
  expect((await stateOf(shop, first)).state).toBe('refunded');
});

test('after a part went back the provider is told what is left to give back, and what was paid in all', async () => {
  const order = await placeOrder(shop);
  await callBack(shop, eventOn(order, 'paid'));
  await callBack(shop, eventOn(order, 'refunded', { amount: { ...PRICE, amountMinor: 40 } }));
  const input = { playerId: order.player.playerId, billingNo: order.billingNo, attemptNo: 1, reason: 'r', by: 'anna' };
  expect(await requestRefund(shop.db, input)).toBe('due');
  const asked: RefundedPayment[] = [];
  Object.assign(shop.paypal, {
    refund: (_context: unknown, payment: RefundedPayment) => {
      asked.push(payment);
      return done;
    },
  });
  await run();
  expect(asked).toMatchObject([{ amount: { ...PRICE, amountMinor: 59 }, paidAmount: PRICE }]);
});

test('a refund that is refused learns what went back in the pages of the provider, each part once', async () => {
  const billingNo = await owe();
  const part = (dedupKey: string, amountMinor: number) => ({ dedupKey, amount: { ...PRICE, amountMinor } });
  const said = { providerRef: null, captureRef: 'C', amount: PRICE, merchantAccount: null, reason: null };
  let refunds = [part('CANCEL:1', 30), part('CANCEL:2', 30)];
  Object.assign(shop.paypal, {
    refund: () => ({ status: 'failed', refundProviderRef: null, reason: 'less is left' }),
    query: (_context: unknown, { reference }: { reference: string }) => ({
      ...said,
      status: 'refunded',
      reference,
      refunds,
    }),
  });
  const rowOf = async () =>
    (
      await shop.db.query<{ state: string; amount_minor: number; back: number }>(
        `select r.state, r.amount_minor, o.refunded_minor as back from refund r join orders o using (billing_no)
         where r.billing_no = $1`,
        [billingNo],
      )
    ).rows[0];
  await run();
  expect(await rowOf()).toEqual({ state: 'manual', amount_minor: PRICE.amountMinor - 60, back: 60 });
  // A third part, and the first two told again.
  refunds = [...refunds, part('CANCEL:3', 10)];
  await shop.db.query(`update refund set state = 'due', next_at = now() where billing_no = $1`, [billingNo]);
  await run();
  expect(await rowOf()).toEqual({ state: 'manual', amount_minor: PRICE.amountMinor - 70, back: 70 });
});

test.each([
  ['another payment', { reference: 'X-1' }],
  ['another merchant account', { merchantAccount: 'M-2' }],
  ['none', { refunds: undefined }],
])('a list of refunds of %s books nothing', async (_name, over) => {
  const billingNo = await owe();
  const refunds = [{ dedupKey: 'CANCEL:1', amount: { ...PRICE, amountMinor: 30 } }];
  Object.assign(shop.paypal, {
    accountOf: () => 'M-1',
    refund: () => ({ status: 'failed', refundProviderRef: null, reason: 'no' }),
    query: (_context: unknown, { reference }: { reference: string }) => ({
      status: 'refunded',
      reference,
      providerRef: null,
      captureRef: 'C',
      amount: PRICE,
      merchantAccount: null,
      reason: null,
      refunds,
      ...over,
    }),
  });
  await run();
  const { rows } = await shop.db.query('select refunded_minor from orders where billing_no = $1', [billingNo]);
  expect(rows).toEqual([{ refunded_minor: null }]);
});

test('twenty are asked for at once, and it says when more may be due', async () => {
  for (let count = 0; count < 21; count += 1) await owe();
  let calls = 0;
  Object.assign(shop.paypal, {
    refund: () => {
      calls += 1;
      return done;
    },
  });
  expect(await run()).toBe(true);
  expect(calls).toBe(20);
  expect(await run()).toBe(false);
  expect(calls).toBe(21);
});

test('one whose answer cannot be written is asked for again, and the others are not', async () => {
  const [first, second] = [await owe(), await owe()];
  Object.assign(shop.paypal, { refund: () => done });
  await shop.db.query(`create function forbid() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`);
  await shop.db.query(
    `create trigger forbid before insert on ledger_entry for each row
      when (new.billing_no = '${first}') execute function forbid()`,
  );
  await expect(run()).rejects.toThrow('not now');
  expect(await refundOf(first)).toMatchObject({ state: 'calling' });
  expect(await refundOf(second)).toMatchObject({ state: 'done' });
  await shop.db.query('drop trigger forbid on ledger_entry');
  await shop.db.query('update refund set next_at = now()');
  await run();
  expect(await refundOf(first)).toMatchObject({ state: 'done', tries: 2 });
});

test('what an older call was told does not stand over what the newest was told, unless the money is back', async () => {
  const billingNo = await owe();
  const [old] = await leaseRefunds(shop.db, 1, 0);
  const [young] = await leaseRefunds(shop.db, 1, 60);
  const outcome = { ref: null, error: null, retrySeconds: 3600 };
  await finishRefund(shop.db, young!, { ...outcome, kind: 'pending' });
  await finishRefund(shop.db, old!, { ...outcome, kind: 'manual', error: 'refunded before' });
  expect(await refundOf(billingNo)).toEqual({ state: 'pending', tries: 2 });
  await finishRefund(shop.db, old!, { ...outcome, kind: 'done' });
  expect(await refundOf(billingNo)).toEqual({ state: 'done', tries: 2 });
});
