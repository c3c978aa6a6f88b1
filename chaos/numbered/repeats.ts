// Tests 30 to 33: the same wish more than once, and two ends of one order at the same moment.
import { query } from '#server/platform/database/db.ts';
import { PRICE, callBack, eventOn, pay, settleDepsOf } from '#testing/pay.ts';
import { processDueRefunds } from '#server/modules/orders/refunds/refund-payment.ts';
import {
  type Numbered,
  countStates,
  deliverAll,
  expectSame,
  inTurns,
  makePlayers,
  placeMany,
  times,
} from './numbered-test.ts';

const ADYEN = { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } };

const doubleClicks: Numbered = {
  number: '30',
  name: 'double-clicks',
  about: 'eight taps on one button, in tabs, after reloads, going back',
  counts: { short: 8, full: 50 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const players = await makePlayers(shop, count);
    await inTurns(players, async (player) => {
      // Four at once, as two tabs and two clicks; then four more, as reloads and the back button.
      const taps = await Promise.all(times(4).map(() => pay(shop, player)));
      for (let reload = 0; reload < 4; reload += 1) taps.push(await pay(shop, player));
      const numbers = new Set(taps.map((answer) => answer.content?.billing_no));
      const first = taps.filter((answer) => answer.code === 1);
      const repeats = taps.filter((answer) => answer.code === 10);
      if (numbers.size !== 1 || first.length !== 1 || repeats.length !== 7)
        fault(`eight taps are ${first.length} orders, ${repeats.length} repeats, ${numbers.size} numbers`);
    });
    expectSame(round, 'payments begun at the provider', shop.paypal.calls.create.length, count);
  },
};

const sameKey: Numbered = {
  number: '31',
  name: 'idempotency-key',
  about: 'one key a hundred times at once, with another body, and afterwards',
  counts: { short: 60, full: 300 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const [player, other] = await makePlayers(shop, 2);
    if (!player || !other) return;
    const key = '8c7c3e0e-31a1-4b5e-9d2f-0c5a7f6e1d31';
    const answers = await Promise.all(times(count / 3).map(() => pay(shop, player, { key })));
    const made = answers.filter((answer) => answer.code === 1);
    const running = answers.filter((answer) => answer.status === 409);
    if (made.length === 0 || made.length + running.length !== answers.length)
      fault(`one key: ${made.length} made, ${running.length} running of ${answers.length}`);
    const different = await inTurns(times(count / 3), () =>
      pay(shop, player, { key, body: { product_id: 'star_260', price_minor: 499 } }),
    );
    if (different.some((answer) => answer.status !== 422)) fault('another body under the same key was not refused');
    const replays = await inTurns(times(count / 3), () => pay(shop, player, { key }));
    const texts = new Set([...made, ...replays].map((answer) => JSON.stringify(answer.content)));
    if (texts.size !== 1 || replays.some((answer) => answer.code !== 1)) fault(`one key has ${texts.size} answers`);
    const ofOther = await pay(shop, other, { key });
    if (ofOther.code !== 1 || ofOther.content.billing_no === made[0]?.content.billing_no)
      fault("another player's key is the same key");
    expectSame(round, 'payments begun at the provider', shop.paypal.calls.create.length, 2);
  },
};

const twoChannels: Numbered = {
  number: '32',
  name: 'two-channels',
  about: 'one order paid in two ways',
  counts: { short: 15, full: 100 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const refunds: string[] = [];
    const refund = async (_context: unknown, payment: { reference: string }, refundRef: string) => {
      refunds.push(refundRef);
      return { status: 'done' as const, refundProviderRef: `RF-${payment.reference}`, reason: null };
    };
    for (const provider of [shop.paypal, shop.adyen]) Object.assign(provider, { refund });
    const orders = await placeMany(shop, count);
    await inTurns(orders, async (order) => {
      const second = await pay(shop, order.player, ADYEN);
      if (second.content.billing_no !== order.billingNo) fault('another way to pay made another order');
      const both = [
        callBack(shop, eventOn(order, 'paid')),
        callBack(shop, eventOn({ reference: `${order.billingNo}-2` }, 'paid'), { path: '/callback/adyen' }),
      ];
      for (const answer of await Promise.all(both))
        if (answer.status !== 202) fault(`a callback was answered ${answer.status}`);
    });
    await deliverAll(shop);
    for (let batch = 0; batch <= count / 20; batch += 1) await processDueRefunds(settleDepsOf(shop));
    expectSame(round, 'states', await countStates(shop), { delivered: count });
    expectSame(round, 'refunds asked for, each once', [refunds.length, new Set(refunds).size], [count, count]);
    const [books] = await query<{ owed: number; kept: number }>(
      shop.db,
      'chaos_32',
      `select coalesce(sum(amount_minor) filter (where account = 'refund_owed'), 0)::integer as owed,
         coalesce(sum(amount_minor) filter (where account = 'provider_receivable'), 0)::integer as kept
           from ledger_entry`,
    );
    expectSame(round, 'books', books, { owed: 0, kept: count * PRICE.amountMinor });
  },
};

const expiryRace: Numbered = {
  number: '33',
  name: 'expiry-race',
  about: 'an order that expires in the moment in which it is paid',
  counts: { short: 40, full: 500 },
  play: async (round) => {
    const { shop, count, fault } = round;
    const orders = await placeMany(shop, count, { body: { product_id: 'star_pass', price_minor: 499 } });
    const amount = { amountMinor: 499, currency: 'USD' as const };
    await inTurns(orders, async (order, index) => {
      const paid = () => callBack(shop, eventOn(order, 'paid', { amount }));
      const expired = () => callBack(shop, eventOn(order, 'expired', { amount }));
      const turns = index % 2 === 0 ? [paid(), expired()] : [expired(), paid()];
      for (const answer of await Promise.all(turns))
        if (answer.status !== 202) fault(`a callback was answered ${answer.status}`);
    });
    await deliverAll(shop);
    // The piece was still to be had whoever came first, so all of them have their goods.
    expectSame(round, 'states', await countStates(shop), { delivered: count });
    const rows = await query<{ state: string; count: number }>(
      shop.db,
      'chaos_33',
      'select state, count(*)::integer as count from reservation group by state',
    );
    expectSame(round, 'reservations', rows, [{ state: 'used', count }]);
  },
};

export const REPEAT_TESTS: readonly Numbered[] = [doubleClicks, sameKey, twoChannels, expiryRace];
