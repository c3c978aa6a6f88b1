// Tests 8 to 11, 13 and 15: callbacks repeated, multiplied, reordered, too early, changed, too old.
import { ulid } from 'ulid';
import type { BillingNo } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { retryWaitingCallbacks } from '#server/modules/orders/payments/take-callback.ts';
import { query } from '#server/platform/database/db.ts';
import { PRICE, callBack, eventOn, pay, settleDepsOf } from '#testing/pay.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import type { TestShop } from '#testing/shop.ts';
import {
  type Numbered,
  type Round,
  countStates,
  deliverAll,
  expectSame,
  inTurns,
  makePlayers,
  placeMany,
  times,
} from './numbered-test.ts';

async function expectAppliedOnce(round: Round, answers: readonly { status: number }[]): Promise<void> {
  const { shop, fault } = round;
  const wrong = answers.filter(({ status }) => status !== 202);
  if (wrong.length > 0) fault(`${wrong.length} callbacks were not acknowledged, the first with ${wrong[0]?.status}`);
  const [books] = await query<{ rows: number; sum: number }>(
    shop.db,
    'chaos_books',
    'select count(*)::integer as rows, sum(amount_minor)::integer as sum from ledger_entry',
  );
  expectSame(round, 'entries in the books, and their sum', books, { rows: 2, sum: 0 });
  await deliverAll(shop);
  expectSame(round, 'states', await countStates(shop), { delivered: 1 });
}

const sameCallback: Numbered = {
  number: '8',
  name: 'same-callback',
  about: 'one callback, again and again at once',
  counts: { short: 200, full: 1000 },
  play: async (round) => {
    const [order] = await placeMany(round.shop, 1);
    if (order)
      await expectAppliedOnce(
        round,
        await Promise.all(times(round.count).map(() => callBack(round.shop, eventOn(order, 'paid')))),
      );
  },
};

const manySuccesses: Numbered = {
  number: '9',
  name: 'many-successes',
  about: 'different events that all say "paid", at once',
  counts: { short: 200, full: 1000 },
  play: async (round) => {
    const [order] = await placeMany(round.shop, 1);
    if (order)
      await expectAppliedOnce(
        round,
        await Promise.all(
          times(round.count).map((n) => callBack(round.shop, eventOn(order, 'paid', { dedupKey: `event-${n}` }))),
        ),
      );
  },
};

const ORDERS: readonly (readonly PaymentStatus[])[] = [
  ['paid', 'pending', 'failed'],
  ['paid', 'failed', 'pending'],
  ['pending', 'paid', 'failed'],
  ['pending', 'failed', 'paid'],
  ['failed', 'paid', 'pending'],
  ['failed', 'pending', 'paid'],
];

const reordered: Numbered = {
  number: '10',
  name: 'reordered',
  about: 'success, pending and failure in all six orders',
  counts: { short: 6 * 4, full: 6 * 50 },
  play: async (round) => {
    const { shop, count } = round;
    const orders = await placeMany(shop, count);
    await inTurns(orders, async (order, index) => {
      for (const status of ORDERS[index % 6] as readonly PaymentStatus[]) {
        await callBack(shop, eventOn(order, status));
        // Delivered in between, for some: nothing may come back from there.
        if (index % 4 === 0) await deliverAll(shop);
      }
    });
    await deliverAll(shop);
    expectSame(round, 'states', await countStates(shop), { delivered: count });
  },
};

const early: Numbered = {
  number: '11',
  name: 'early-callback',
  about: 'before the pay call returned, and before the order is there at all',
  counts: { short: 20, full: 200 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const create = shop.paypal.script.create;
    shop.paypal.script.create = async (input, context) => {
      await callBack(shop, eventOn({ reference: input.reference }, 'paid'));
      return create(input, context);
    };
    const players = await makePlayers(shop, count / 2);
    const answers = await inTurns(players, (player) => pay(shop, player));
    if (answers.some((answer) => answer.code !== 1)) fault('a pay call failed because the callback was faster');

    const settle = settleDepsOf(shop);
    const callbacks = { ...settle, accounts: shop.services.accounts };
    await inTurns(times(count / 2), async () => {
      const player = await makePlayer(shop.db);
      const order = { billingNo: ulid() as BillingNo, attemptNo: 1 };
      const first = await report(shop.db, order);
      if (first.outcome !== 'unknown_order') fault(`a callback without an order came to ${first.outcome}`);
      await placeTestOrder(shop.db, placeInput(player, { billing_no: order.billingNo }));
    });
    const [waits] = await query<{ longest: number }>(
      shop.db,
      'chaos_11',
      `select extract(epoch from max(next_try_at - received_at))::integer as longest
        from callback_inbox where state = 'stored'`,
    );
    if ((waits?.longest ?? 99) > 5) fault(`an early callback waits ${waits?.longest} s`);
    await query(shop.db, 'chaos_11_due', `update callback_inbox set next_try_at = now() where state = 'stored'`);
    // Fifty at a time, as the sweeper takes them.
    for (let batch = 0; batch <= count / 100; batch += 1) await retryWaitingCallbacks(callbacks);
    await deliverAll(shop);
    expectSame(round, 'states', await countStates(shop), { delivered: count });
  },
};

const ACCOUNT = 'M-1';
/** Validly signed, and still not the payment that was asked for. */
const CHANGES: readonly ((shop: TestShop) => Partial<PaymentReport>)[] = [
  () => ({ amount: money(PRICE.amountMinor - 1, PRICE.currency) }),
  () => ({ amount: money(PRICE.amountMinor, 'EUR') }),
  () => ({ merchantAccount: 'M-2' }),
];

const changed: Numbered = {
  number: '13',
  name: 'changed-callback',
  about: 'amount, currency, merchant or reference changed in a signed callback',
  counts: { short: 4 * 5, full: 4 * 50 },
  overrides: { environment: { REFILL_PAYPAL_DEMO_ACCOUNT: ACCOUNT } },
  play: async (round) => {
    const { shop, count } = round;
    const orders = await placeMany(shop, count);
    // A dearer order, the reference of which a cheap payment is put under.
    await inTurns(orders, async (order, index) => {
      const change = CHANGES[index % 4];
      if (change) return callBack(shop, eventOn(order, 'paid', { merchantAccount: ACCOUNT, ...change(shop) }));
      const dear = await pay(shop, order.player, { body: { product_id: 'star_260', price_minor: 499 } });
      return callBack(
        shop,
        eventOn({ reference: `${dear.content.billing_no}-1` }, 'paid', { merchantAccount: ACCOUNT }),
      );
    });
    await deliverAll(shop);
    const states = await countStates(shop);
    expectSame(round, 'in review', states['review'], count);
    expectSame(round, 'delivered', states['delivered'], undefined);
    const alerts = shop.logLines.filter((line) => line.includes('"alert":"mismatch"')).length;
    expectSame(round, 'alerts', alerts, count);
  },
};

const yesterday: Numbered = {
  number: '15',
  name: 'old-callback',
  about: 'signed callbacks of yesterday played again',
  counts: { short: 10, full: 50 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const orders = await placeMany(shop, count);
    await inTurns(orders, (order) => callBack(shop, eventOn(order, 'paid')));
    await deliverAll(shop);
    await query(
      shop.db,
      'chaos_15',
      `update callback_inbox set received_at = now() - interval '1 day', applied_at = now() - interval '1 day'`,
    );
    const before = await query(
      shop.db,
      'chaos_15_books',
      'select * from ledger_entry order by billing_no, kind, account',
    );
    const answers = await inTurns(orders, (order) => callBack(shop, eventOn(order, 'paid')));
    if (answers.some(({ status }) => status !== 202)) fault('a repeated callback was not acknowledged');
    await deliverAll(shop);
    const after = await query(
      shop.db,
      'chaos_15_books',
      'select * from ledger_entry order by billing_no, kind, account',
    );
    expectSame(round, 'books', after, before);
  },
};

export const CALLBACK_TESTS: readonly Numbered[] = [sameCallback, manySuccesses, reordered, early, changed, yesterday];
