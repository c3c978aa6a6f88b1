// Tests how a payment is settled: one question at a time, money taken only for goods that the game can deliver, and no
// end without a final answer.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { reportOn } from '#testing/fake-payments.ts';
import {
  callBack,
  eventOn,
  makePollDue,
  orderInfo,
  pay,
  placeOrder,
  settleDepsOf,
  showRoles,
  stateOf,
} from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';

let shop: TestShop;
let paid = 0;
let deps: SettleDeps;
beforeAll(async () => {
  shop = await createTestShop();
  deps = { ...settleDepsOf(shop), onPaid: () => (paid += 1) };
});
afterAll(() => shop.close());
afterEach(() => {
  shop.paypal.reset();
  shop.game.reset();
  paid = 0;
});

type Order = Awaited<ReturnType<typeof placeOrder>>;
const settle = (order: Order, options: Parameters<typeof settlePayment>[2] = {}) =>
  settlePayment(
    deps,
    { playerId: order.player.playerId, billingNo: order.billingNo, attemptNo: 1 },
    // Below nothing: of two that begin in the same moment neither counts as too early.
    { everySeconds: -60, ...options },
  );
const approve = () => {
  shop.paypal.script.query = (payment) => reportOn({ ...payment, providerRef: 'P-approved' }, 'approved');
};

describe('the answer', () => {
  test('paid: booked, delivery queued, the loop woken, the exchange kept', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
    expect(await settle(order)).toMatchObject({ outcome: 'paid' });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({
      state: 'paid',
      attempts: ['succeeded'],
      delivery: 'queued',
    });
    expect(paid).toBe(1);
    expect(shop.paypal.calls.query).toEqual([
      expect.objectContaining({
        reference: order.reference,
        providerRef: `P-${order.reference}`,
        amount: { amountMinor: 99, currency: 'USD' },
      }),
    ]);
    // Final: nobody asks again.
    expect(await settle(order)).toBeNull();
    expect(shop.paypal.calls.query).toHaveLength(1);
  });

  test('pending changes nothing; failed closes the order', async () => {
    const order = await placeOrder(shop);
    expect(await settle(order)).toBeNull();
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
    shop.paypal.script.query = (payment) => reportOn(payment, 'failed');
    expect(await settle(order)).toMatchObject({ outcome: 'closed' });
    expect((await stateOf(shop, order.billingNo)).state).toBe('failed');
  });

  test.each([
    ['another reference', { reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV-1' }],
    ['a reference that is none', { reference: 'mine' }],
    ['another amount', { amount: { amountMinor: 98, currency: 'USD' as const } }],
  ])('paid with %s is no payment of this order', async (_name, over) => {
    const order = await placeOrder(shop);
    shop.paypal.script.query = (payment) => reportOn(payment, 'paid', over);
    expect(await settle(order)).toMatchObject({ outcome: 'mismatch' });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'review', delivery: null });
    expect(paid).toBe(0);
  });

  test('none at all: the order stays, and the fault is told to the caller', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.query = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    await expect(settle(order)).rejects.toThrow('no answer');
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
  });
});

describe('an approval', () => {
  test('is captured after the game has agreed, and then paid', async () => {
    const order = await placeOrder(shop);
    approve();
    const steps: string[] = [];
    shop.game.script.check = (recipient, productId) => {
      steps.push(`check ${recipient.roleId} ${productId}`);
      return { kind: 'ok' };
    };
    shop.paypal.script.capture = (payment) => {
      steps.push(`capture ${payment.providerRef}`);
      return reportOn(payment, 'paid');
    };
    expect(await settle(order)).toMatchObject({ outcome: 'paid' });
    expect(steps).toEqual(['check r1 star_50', 'capture P-approved']);
  });

  test('that the game declines is never captured; the order fails', async () => {
    const order = await placeOrder(shop);
    approve();
    shop.game.script.check = () => ({ kind: 'declined', reason: 'role_not_found' });
    expect(await settle(order)).toMatchObject({ outcome: 'closed' });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'failed', attempts: ['failed'] });
    expect(shop.paypal.calls.capture).toEqual([]);
  });

  test('while the game is silent waits, and is captured when it speaks', async () => {
    const order = await placeOrder(shop);
    approve();
    shop.game.script.isDown = true;
    expect(await settle(order)).toBeNull();
    expect(shop.paypal.calls.capture).toEqual([]);
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
    shop.game.script.isDown = false;
    expect(await settle(order)).toMatchObject({ outcome: 'paid' });
    expect(shop.paypal.calls.capture).toHaveLength(1);
  });

  test('of an order that was paid another way meanwhile is never captured', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order.player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } });
    await callBack(shop, eventOn({ reference: `${order.billingNo}-2` }, 'paid'), { path: '/callback/adyen' });
    approve();
    expect(await settle(order)).toMatchObject({ outcome: 'closed' });
    expect(shop.paypal.calls.capture).toEqual([]);
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'paid', attempts: ['failed', 'succeeded'] });
  });

  test('whose capture is not done yet stays open', async () => {
    const order = await placeOrder(shop);
    approve();
    shop.paypal.script.capture = (payment) => reportOn(payment, 'pending');
    expect(await settle(order)).toBeNull();
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
  });
});

test('an approval about which the game says yes to one and no to another process is decided once', async () => {
  const order = await placeOrder(shop);
  approve();
  let asked = 0;
  let refuse = () => {};
  const captured = new Promise<void>((resolve) => (refuse = resolve));
  let meet = () => {};
  const bothAsk = new Promise<void>((resolve) => (meet = resolve));
  shop.game.script.check = async () => {
    asked += 1;
    if (asked === 1) {
      await bothAsk;
      return { kind: 'ok' };
    }
    meet();
    await captured;
    return { kind: 'declined', reason: 'the character is gone' };
  };
  // Taken, but the answer is lost: nobody here knows yet.
  shop.paypal.script.capture = async () => {
    refuse();
    await second;
    throw new OutboundError('timeout', true, 'no answer');
  };
  const first = settle(order).catch((error: Error) => error.message);
  // Else the second may ask before the first, and wait for itself.
  await expect.poll(() => asked).toBe(1);
  const second = settle(order);
  expect([await second, await first]).toEqual([null, 'no answer']);
  const { rows } = await shop.db.query(`select state from payment_attempt where billing_no = $1`, [order.billingNo]);
  expect(rows).toEqual([{ state: 'redirected' }]);
});

describe('an approval that the browser brought', () => {
  const bring = (order: Order) =>
    shop.db.query(`update payment_attempt set approval = 'T-1' where billing_no = $1`, [order.billingNo]);
  const capture = (run: () => Promise<'paid' | 'pending'>) => {
    shop.paypal.script.capture = async (payment) => reportOn(payment, await run());
  };

  test('is captured by one process, however long it takes; nobody asks meanwhile', async () => {
    const order = await placeOrder(shop);
    await bring(order);
    approve();
    let finish = (_status: 'paid') => {};
    capture(() => new Promise((resolve) => (finish = resolve)));
    const first = settle(order);
    await expect.poll(() => shop.paypal.calls.capture).toHaveLength(1);
    expect([await settle(order), await settle(order)]).toEqual([null, null]);
    expect(shop.paypal.calls.query).toHaveLength(1);
    finish('paid');
    expect(await first).toMatchObject({ outcome: 'paid' });
    expect(shop.paypal.calls.capture).toHaveLength(1);
  });

  test('is captured once when two processes asked the game side by side', async () => {
    const order = await placeOrder(shop);
    await bring(order);
    approve();
    let asked = 0;
    let agree = () => {};
    const both = new Promise<void>((resolve) => (agree = resolve));
    shop.game.script.check = async () => {
      asked += 1;
      if (asked === 2) agree();
      await both;
      return { kind: 'ok' };
    };
    capture(async () => 'paid');
    const first = settle(order);
    // Begun in the same moment, one of the two would only wait for the question of the other.
    await expect.poll(() => asked).toBe(1);
    const outcomes = await Promise.all([first, settle(order)]);
    expect(outcomes.filter((one) => one !== null)).toMatchObject([{ outcome: 'paid' }]);
    expect(shop.paypal.calls.capture).toHaveLength(1);
  });

  test('is tried again when it came to nothing, or when its process died', async () => {
    const order = await placeOrder(shop);
    await bring(order);
    approve();
    capture(async () => 'pending');
    expect(await settle(order)).toBeNull();
    shop.paypal.script.capture = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    await expect(settle(order)).rejects.toThrow('no answer');
    await shop.db.query(
      `update payment_attempt set capture_lease_until = now() + interval '90 seconds' where billing_no = $1`,
      [order.billingNo],
    );
    expect(await settle(order)).toBeNull();
    expect(shop.paypal.calls.capture).toHaveLength(2);
    await shop.db.query(
      `update payment_attempt set capture_lease_until = now() - interval '1 second' where billing_no = $1`,
      [order.billingNo],
    );
    capture(async () => 'paid');
    expect(await settle(order)).toMatchObject({ outcome: 'paid' });
  });
});

describe('how often a provider is asked', () => {
  test('fifty polls at once are one question, and none again for five seconds', async () => {
    const order = await placeOrder(shop);
    await Promise.all(Array.from({ length: 50 }, (_, n) => orderInfo(shop, order, n % 2 ? 'simple=1' : '')));
    expect(shop.paypal.calls.query).toHaveLength(1);
    await shop.db.query(
      `update payment_attempt set queried_at = now() - interval '4.5 seconds' where billing_no = $1`,
      [order.billingNo],
    );
    await orderInfo(shop, order);
    expect(shop.paypal.calls.query).toHaveLength(1);
    await shop.db.query(
      `update payment_attempt set queried_at = now() - interval '5.1 seconds' where billing_no = $1`,
      [order.billingNo],
    );
    await orderInfo(shop, order);
    expect(shop.paypal.calls.query).toHaveLength(2);
  });

  test('a player who asks leaves the next poll of the workers as it is', async () => {
    const order = await placeOrder(shop);
    const text = 'select next_query_at, query_count from payment_attempt where billing_no = $1';
    const next = async () => (await shop.db.query(text, [order.billingNo])).rows[0];
    const before = await next();
    expect(before).toMatchObject({ query_count: 0 });
    await settle(order);
    expect(shop.paypal.calls.query).toHaveLength(1);
    expect(await next()).toEqual(before);
  });
});

describe('expiry', () => {
  const expire = (order: Order) => settle(order, { isExpiring: true });
  const pastPayable = (order: Order, interval: string) =>
    shop.db.query(`update payment_attempt set payable_until = now() - $2::interval where billing_no = $1`, [
      order.billingNo,
      interval,
    ]);

  test('needs a final answer: pending and still payable stays', async () => {
    const order = await placeOrder(shop);
    expect(await expire(order)).toBeNull();
    await pastPayable(order, '14 minutes');
    expect(await expire(order)).toBeNull();
    expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
  });

  test('comes with the cancellation at the provider', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.cancel = (payment) => reportOn(payment, 'expired');
    expect(await expire(order)).toMatchObject({ outcome: 'closed' });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'expired', attempts: ['expired'] });
  });

  test('comes fifteen minutes after the provider takes no money any more', async () => {
    const order = await placeOrder(shop);
    await pastPayable(order, '16 minutes');
    expect(await expire(order)).toMatchObject({ outcome: 'closed' });
    expect((await stateOf(shop, order.billingNo)).state).toBe('expired');
  });

  test('does not come when the cancellation finds the money, or the provider is silent', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.cancel = (payment) => reportOn(payment, 'paid');
    expect(await expire(order)).toMatchObject({ outcome: 'paid' });
    const other = await placeOrder(shop);
    await pastPayable(other, '1 day');
    shop.paypal.script.query = () => {
      throw new OutboundError('network', true, 'reset');
    };
    await expect(expire(other)).rejects.toThrow('reset');
    expect((await stateOf(shop, other.billingNo)).state).toBe('pending');
  });
});

test('a payment whose provider has lost its credentials is told, not guessed', async () => {
  const player = await shop.logIn();
  await showRoles(shop, player);
  const { content } = await pay(shop, player);
  await shop.db.query(`update payment_attempt set provider = 'gone' where billing_no = $1`, [content.billing_no]);
  await makePollDue(shop, content.billing_no);
  expect(
    await settlePayment(deps, { playerId: player.playerId, billingNo: content.billing_no as never, attemptNo: null }),
  ).toBeNull();
  expect(shop.logLines.at(-1)).toContain('has no credentials here');
});
