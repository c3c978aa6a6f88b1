// The delivery loop against a scripted game: once for each order, whatever the game and the processes do.
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GameServer } from '#server/modules/games/gameserver.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { callBack, eventOn, orderInfo, placeOrder, settleDepsOf, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import type { BillingNo, GameId } from '#kernel/ids.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { bookReport } from '#server/modules/orders/payments/book-report.ts';
import { processDueRefunds } from '#server/modules/orders/refunds/refund-payment.ts';
import { type DeliveryLoop, createDeliveryLoop } from './deliver.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';

let shop: TestShop;
const loops: DeliveryLoop[] = [];
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
  await shop.db.query('delete from delivery');
  shop.game.reset();
});

function makeLoop(
  over: {
    gameServer?: (gameId: string) => GameServer | null;
    onDeclined?: () => 'refund' | 'review';
    sealFacts?: (facts: object) => string | null;
    repeat?: Repeat;
  } = {},
): DeliveryLoop {
  const { db, log } = shop.services;
  const loop = createDeliveryLoop({
    db,
    steps: createSteps(db, { isSharing: false }),
    log,
    environment: 'demo',
    gameServer: () => shop.game,
    onDeclined: () => 'review',
    random: () => 0,
    ...over,
  });
  loops.push(loop);
  return loop;
}
const start = (over: Parameters<typeof makeLoop>[0] = {}) => {
  const loop = makeLoop(over);
  loop.start();
  return loop;
};

/** Paid orders of new players, waiting to be delivered. */
async function makePaid(count: number, gameId = 'starlane'): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const order = await placeTestOrder(shop.db, placeInput(await makePlayer(shop.db), { game_id: gameId as never }));
      await report(shop.db, order);
      return order.billingNo;
    }),
  );
}
const countDelivered = async (orders: string[]) =>
  (await shop.db.query(`select from orders where state = 'delivered' and billing_no = any($1)`, [orders])).rowCount ??
  0;
const allDelivered = (orders: string[]) =>
  waitUntil('all delivered', async () => (await countDelivered(orders)) === orders.length);
const deliveryOf = async (billingNo: string) =>
  (
    await shop.db.query<{
      state: string;
      tries: number;
      wait: number;
      last_error: string | null;
      receipt_id: string | null;
    }>(
      `select state, tries, round(extract(epoch from next_at - now()))::integer as wait, last_error, receipt_id
        from delivery where billing_no = $1`,
      [billingNo],
    )
  ).rows[0];
const paidBy = ({ billingNo, attemptNo }: { billingNo: BillingNo; attemptNo: number }) => ({
  provider: 'paypal', billingNo, attemptNo, isOurMerchant: true, callback: null, mustNotify: false,
  report: {
    status: 'paid' as const, reference: null, providerRef: null, captureRef: 'C-1', amount: { amountMinor: 499, currency: 'USD' as const }, merchantAccount: null, reason: null,
  },
}); /* a row a line */ // prettier-ignore
/** The waits of retries are over. */
const makeDue = () => shop.db.query(`update delivery set next_at = now() where state in ('unknown', 'calling')`);

test('a paid order reaches the game with all it needs, and its player sees it', async () => {
  const order = await placeOrder(shop);
  await callBack(shop, eventOn(order, 'paid'));
  expect((await orderInfo(shop, order)).content).toMatchObject({ status: -1, stage: 'paid' });
  start();
  await allDelivered([order.billingNo]);
  expect(shop.game.granted).toEqual([
    {
      billingNo: order.billingNo,
      clientId: '70021',
      userId: order.player.suid,
      serverId: 's1',
      areaId: '',
      roleId: 'r1',
      productId: 'star_50',
      gifts: [],
      paid: { amountMinor: 99, currency: 'USD' },
      isSandbox: true,
      recovery: null,
    },
  ]);
  expect(await deliveryOf(order.billingNo)).toMatchObject({
    state: 'done',
    tries: 1,
    receipt_id: `R-${order.billingNo}`,
  });
  expect((await orderInfo(shop, order)).content).toMatchObject({
    status: 1,
    stage: 'delivered',
    delivered_at: expect.any(Number),
  });
});

test('one delivery is two statements', async () => {
  const [order] = await makePaid(1);
  const loop = makeLoop();
  const statements = await shop.countStatements(async () => {
    loop.wake();
    await waitUntil('granted', () => shop.game.granted.length === 1);
    await loop.stop();
  });
  expect(statements).toEqual(['lease_deliveries', 'record_delivery']);
  expect(await countDelivered([order ?? ''])).toBe(1);
});

test('a payment that finds room is leased with it: from there to the goods are two statements', async () => {
  const { db } = shop.services;
  const loop = start();
  const order = await placeTestOrder(db, placeInput(await makePlayer(db)));
  const onPaid = () => expect.unreachable('nothing was queued');
  const deps = { ...settleDepsOf(shop), reserve: loop.reserve, onPaid };
  const statements = await shop.countStatements(async () => {
    await bookReport(deps, paidBy(order));
    await waitUntil('granted', () => shop.game.granted.length === 1);
    await loop.stop();
  });
  expect(statements.filter((name) => name !== 'lease_deliveries')).toEqual(['receive_report', 'record_delivery']);
  expect(await deliveryOf(order.billingNo)).toMatchObject({ state: 'done', tries: 1 });
});

test('room is kept for what is being booked, given back when nothing came of it, and there is none without a loop that runs', async () => {
  // Without polls, and after a first delivery: no look at the table is under way that began before the room was kept.
  const loop = makeLoop({ repeat: () => () => undefined });
  expect(loop.reserve()).toBeNull();
  const first = await makePaid(1);
  loop.start();
  await allDelivered(first);
  shop.game.reset();
  const kept = Array.from({ length: 32 }, () => loop.reserve());
  expect(kept).not.toContain(null);
  expect(loop.reserve()).toBeNull();
  // Deliveries queued meanwhile wait for the first slot that comes back.
  const [order = ''] = await makePaid(1);
  loop.wake();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(shop.game.granted).toHaveLength(0);
  for (const slot of kept.slice(0, 31)) slot?.fill(null);
  await allDelivered([order]);
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  expect(loop.reserve()).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isStopped).toBe(false);
  kept[31]?.fill(null);
  await stopping;
});

test('a booking that fails gives its room back', async () => {
  const loop = start();
  const order = await placeTestOrder(shop.db, placeInput(await makePlayer(shop.db)));
  const steps = { receiveReport: () => Promise.reject(new Error('the connection broke')) };
  for (let count = 0; count < 40; count += 1)
    await expect(bookReport({ ...settleDepsOf(shop), reserve: loop.reserve, steps }, paidBy(order))).rejects.toThrow(
      'broke',
    );
  const slot = loop.reserve();
  expect(slot).not.toBeNull();
  slot?.fill(null);
});

test('no more than 32 calls to one game at a time; another game is served meanwhile; the rest follows at once', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  shop.game.script.grant = async ({ clientId }) => (clientId === 'slow' ? (await held, undefined) : undefined);
  const slow = await makePaid(100, 'slow-game');
  await shop.db.query(`update orders set client_id = 'slow' where game_id = 'slow-game'`);
  // Without polls: what follows, follows because a place is free.
  const loop = start({ repeat: () => () => undefined });
  await waitUntil('32 in flight', () => shop.game.granted.length >= 32);
  const other = await makePaid(20, 'other-game');
  loop.wake();
  await allDelivered(other);
  expect(shop.game.granted.filter(({ clientId }) => clientId === 'slow')).toHaveLength(32);
  release();
  await allDelivered(slow);
  expect(shop.game.peak).toBeLessThanOrEqual(32 + 20);
  expect(shop.game.granted).toHaveLength(120);
});

test('an answer that is not clear is asked again with the same key, at once and then slower', async () => {
  const [order = ''] = await makePaid(1);
  shop.game.script.grant = (request) => {
    // The goods are there, the answer is not.
    shop.game.applied.set(request.billingNo, 1);
    return shop.game.granted.length <= 2 ? { kind: 'unknown', reason: 'HTTP 503' } : undefined;
  };
  start();
  await waitUntil('two tries', async () => (await deliveryOf(order))?.wait === 2);
  expect(await deliveryOf(order)).toMatchObject({ state: 'unknown', tries: 2, last_error: 'HTTP 503' });
  expect((await stateOf(shop, order)).state).toBe('delivering');
  await makeDue();
  await allDelivered([order]);
  expect(shop.game.granted.map(({ billingNo }) => billingNo)).toEqual([order, order, order]);
  expect(shop.game.applied.get(order)).toBe(1);
});

test('a game that is down holds its orders; back again it gets each once', async () => {
  const orders = await makePaid(40);
  shop.game.script.isDown = true;
  start();
  await waitUntil(
    'all waiting',
    async () => (await shop.db.query(`select from delivery where state = 'unknown' and tries >= 2`)).rowCount === 40,
  );
  expect(shop.game.applied.size).toBe(0);
  shop.game.script.isDown = false;
  await makeDue();
  await allDelivered(orders);
  expect([...shop.game.applied.values()]).toEqual(Array<number>(40).fill(1));
});

describe('a game that declines a paid order', () => {
  /** Lists the balance of an order in the books, by account; empty: it all went back. */
  const booksOf = async (billingNo: string) =>
    (
      await shop.db.query<{ account: string; left: number }>(
        `select account, sum(amount_minor)::integer as left from ledger_entry where billing_no = $1
         group by account having sum(amount_minor) <> 0 order by account`,
        [billingNo],
      )
    ).rows;
  const refundDueOnes = async () => {
    const { db, log, payments, games } = shop.services;
    while (await processDueRefunds({ db, log, payments, games }));
  };
  /** Deliveries of earlier tests were deleted, which breaks some: nothing may be added. */
  const breaches = async () =>
    (await shop.db.query('select invariant, breaches from invariant_breach order by invariant')).rows;
  const decline = () => {
    shop.game.script.grant = () => ({ kind: 'declined', reason: 'level_too_low' });
    Object.assign(shop.paypal, {
      refund: async () => ({ status: 'done', refundProviderRef: 'RF-1', reason: null }),
    });
  };
  const buy = async () => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, 'paid'));
    return order;
  };

  test('the money goes back by itself, and the player sees it', async () => {
    decline();
    const before = await breaches();
    const order = await buy();
    start({ onDeclined: () => 'refund' });
    await waitUntil('declined', async () => (await stateOf(shop, order.billingNo)).state === 'refund_due');
    expect(await deliveryOf(order.billingNo)).toMatchObject({
      state: 'rejected',
      tries: 1,
      last_error: 'level_too_low',
    });
    expect((await orderInfo(shop, order)).content).toMatchObject({ status: -1, stage: 'refunding' });
    const refunds = 'select state, reason, requested_by, amount_minor from refund where billing_no = $1';
    expect((await shop.db.query(refunds, [order.billingNo])).rows).toEqual([
      { state: 'due', reason: 'the game declined', requested_by: 'shop', amount_minor: 99 },
    ]);
    await refundDueOnes();
    expect((await orderInfo(shop, order)).content).toMatchObject({ status: -2, stage: 'refunded' });
    expect(await booksOf(order.billingNo)).toEqual([]);
    const held = `select from reservation where billing_no = $1 and state <> 'released'`;
    expect((await shop.db.query(held, [order.billingNo])).rowCount).toBe(0);
    expect(await breaches()).toEqual(before);
    // Nothing was handed over, so nothing is asked back; and the refusal is not tried again.
    expect((await shop.db.query('select from revocation where billing_no = $1', [order.billingNo])).rowCount).toBe(0);
    await makeDue();
    expect(shop.game.granted).toHaveLength(1);
    expect(shop.logLines.some((line) => line.includes(order.billingNo) && line.includes('its money goes back'))).toBe(
      true,
    );
  });

  test('with review a person decides, and the money stays', async () => {
    decline();
    const order = await buy();
    start({ onDeclined: () => 'review' });
    await waitUntil('declined', async () => (await stateOf(shop, order.billingNo)).state === 'review');
    await refundDueOnes();
    expect(await stateOf(shop, order.billingNo)).toMatchObject({
      state: 'review',
      review_reason: 'game_declined: level_too_low',
    });
    expect(await booksOf(order.billingNo)).toEqual([
      { account: 'goods_owed', left: -99 },
      { account: 'provider_receivable', left: 99 },
    ]);
  });

  test("the shop's own loop goes by the game's file", async () => {
    const game = shop.configuration.games.get('starlane' as GameId);
    if (!game) throw new Error('starlane is not configured');
    expect(game.file).toMatchObject({ check: 'required', declined: 'refund' });
    decline();
    const { delivery } = shop.services.orders;
    loops.push(delivery);
    const first = await buy();
    delivery.start();
    await waitUntil('refund', async () => (await stateOf(shop, first.billingNo)).state === 'refund_due');
    Object.assign(game.file, { declined: 'review' });
    onTestFinished(() => void Object.assign(game.file, { declined: 'refund' }));
    const second = await buy();
    delivery.wake();
    await waitUntil('review', async () => (await stateOf(shop, second.billingNo)).state === 'review');
  });
});

test('a refusal goes to a person and is not tried again, also when its reason is cut in a character', async () => {
  const [order = '', good = ''] = await makePaid(2);
  shop.game.script.grant = ({ billingNo }) =>
    billingNo === order ? { kind: 'declined', reason: `${'x'.repeat(299)}😀\0` } : undefined;
  start();
  await waitUntil('refused', async () => (await stateOf(shop, order)).state === 'review');
  await allDelivered([good]);
  expect(await deliveryOf(order)).toMatchObject({ state: 'rejected', tries: 1 });
  await makeDue();
  expect(shop.game.granted.filter(({ billingNo }) => billingNo === order)).toHaveLength(1);
});

test.each([
  ['no address', () => null, 'no address is set for the game starlane'],
  [
    'settings that make no sense',
    () => {
      throw new Error('the first secret is not base64');
    },
    'the first secret is not base64',
  ],
])('a game with %s waits like one that is down', async (_name, gameServer, reason) => {
  const [order = ''] = await makePaid(1);
  start({ gameServer });
  await waitUntil('a try', async () => (await deliveryOf(order))?.state === 'unknown');
  expect((await deliveryOf(order))?.last_error).toBe(reason);
});

test('stop waits for the calls in flight and writes them, and leases no more', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  shop.game.script.grant = async () => (await held, undefined);
  const orders = await makePaid(5);
  const loop = start();
  await waitUntil('five calls', () => shop.game.granted.length === 5);
  const late = await makePaid(1);
  let isStopped = false;
  const stopping = loop.stop().then(() => (isStopped = true));
  loop.wake();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isStopped).toBe(false);
  release();
  await stopping;
  expect(await countDelivered(orders)).toBe(5);
  expect(await countDelivered(late)).toBe(0);
  expect(shop.game.granted).toHaveLength(5);
});

test('two loops on one database deliver each order once', async () => {
  shop.game.script.grant = () => new Promise((resolve) => setTimeout(resolve, 5, undefined));
  const orders = await makePaid(200);
  start();
  start();
  await allDelivered(orders);
  expect(shop.game.granted).toHaveLength(200);
  expect(new Set(shop.game.granted.map(({ billingNo }) => billingNo)).size).toBe(200);
  const { rows } = await shop.db.query(
    `select count(*)::integer as entries, sum(amount_minor)::integer as sum from ledger_entry
      where kind = 'delivered' and billing_no = any($1)`,
    [orders],
  );
  expect(rows).toEqual([{ entries: 400, sum: 0 }]);
});

test('a database that is away for a moment costs no order', async () => {
  const [order = ''] = await makePaid(1);
  let failures = 2;
  const { db, log } = shop.services;
  const flaky = new Proxy(db, {
    get: (target, key) =>
      key === 'query' && failures > 0
        ? async () => {
            failures -= 1;
            throw Object.assign(new Error('the database system is shutting down'), { code: '57P01' });
          }
        : Reflect.get(target, key),
  });
  const gameServer = () => shop.game;
  const onDeclined = () => 'review' as const;
  const loop = createDeliveryLoop({
    db: flaky,
    steps: createSteps(flaky, { isSharing: false }),
    log,
    environment: 'demo',
    gameServer,
    onDeclined,
  });
  loops.push(loop);
  loop.start();
  await allDelivered([order]);
  expect(failures).toBe(0);
});

test.each(['sealFacts', 'onDeclined'] as const)(
  'a fault of ours in one delivery (%s) is logged with its order, keeps no slot, and the order follows after its lease',
  async (place) => {
    let faults = 40;
    const fail = () => {
      faults -= 1;
      if (faults >= 0) throw new Error('a fault of ours');
      return place === 'sealFacts' ? null : ('review' as const);
    };
    // More than a game has slots: those that were kept would leave none for the last.
    const orders = await makePaid(faults);
    const before = shop.logLines.length;
    const loop = start({ [place]: fail });
    await waitUntil('every call failed', () => faults <= 0);
    expect(await countDelivered(orders)).toBe(0);
    const lines = shop.logLines.slice(before).map((line) => JSON.parse(line) as { level: number; billing_no?: string });
    expect(new Set(lines.filter(({ level }) => level === 50).map((line) => line.billing_no))).toEqual(new Set(orders));
    await makeDue();
    loop.wake();
    await allDelivered(orders);
    await loop.stop();
    expect(shop.game.applied.size).toBe(orders.length);
  },
);
