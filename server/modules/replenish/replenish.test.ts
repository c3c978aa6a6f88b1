// Make-up payments over HTTP: who sees which, that each is sold once at its amount, the unblock, and money that goes
// back.
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { attemptRef, type BillingNo } from '#kernel/ids.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import { callBack, eventOn, orderInfo, stateOf } from '#testing/pay.ts';
import { openTestReplenish, payReplenish, REPLENISH_MINOR } from '#testing/replenish.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { createDeliveryLoop } from '#server/modules/orders/deliveries/deliver.ts';
import { processDueRefunds, processDueRevocations } from '#server/modules/orders/refunds/refund-payment.ts';
import { requestRefund } from '#server/modules/orders/refunds/refund-store.ts';
import { reportReplenish } from './report-store.ts';
import { maskName } from './rules.ts';
import { tellLateUnblocks } from './service.ts';

let shop: TestShop;
let player: TestPlayer;
const SECRET = `whsec_${Buffer.from('a-secret-of-a-game-0123456789').toString('base64')}`;
beforeAll(async () => {
  shop = await createTestShop({
    ...WITH_TENDERS,
    environment: {
      ...WITH_TENDERS.environment,
      REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:9',
      REFILL_GAME_STARLANE_DEMO_SECRETS: SECRET,
    },
  });
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await shop.logIn();
});
afterEach(async () => {
  shop.paypal.reset();
  shop.game.reset();
  const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
  if (broken.rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken.rows)}`);
});

const AMOUNT = { amountMinor: REPLENISH_MINOR, currency: 'USD' } as const;
const info = (id: string, session: TestPlayer = player) =>
  shop.get<ReplenishInfo>(`/api/replenishment/replenishment_info?replenish_id=${id}`, { session });
const settled = (billingNo: string, attemptNo = 1) =>
  callBack(shop, eventOn({ reference: attemptRef(billingNo as BillingNo, attemptNo) }, 'paid', { amount: AMOUNT }));
/** One round of the delivery loop, by hand. */
async function deliver(): Promise<void> {
  const loop = createDeliveryLoop({
    db: shop.db,
    steps: { recordDeliveryResults: async (results) => void (await recordDeliveryResults(shop.db, results)) },
    log: shop.services.log,
    environment: 'demo',
    gameServer: () => shop.game,
    onDeclined: () => 'review',
    repeat: () => () => undefined,
  });
  loop.start();
  await loop.stop();
}
async function payWhole(id: string): Promise<string> {
  const billingNo = (await payReplenish(shop, player, id)).content.billing_no;
  await settled(billingNo);
  await deliver();
  return billingNo;
}

describe('what a link shows', () => {
  test('L38 L68 its account sees game, name, amount, currency and the time that is left', async () => {
    const id = await openTestReplenish(shop, player, { validSeconds: 3600 });
    const { content } = await info(id);
    expect(content).toMatchObject({
      replenish_id: id,
      game_name: 'Starlane Tactics',
      user_name: player.username,
      amount: '12.50',
      currency_code: 'USD',
      amount_shown: '$12.50',
      is_own: true,
      state: 'open',
      billing_no: '',
    });
    expect(content.valid_time).toBeGreaterThan(3590);
    expect(content.valid_time).toBeLessThanOrEqual(3600);
  });

  test('L117 another account is told whose it is, masked, and nothing else', async () => {
    const id = await openTestReplenish(shop, player);
    const other = await shop.logIn();
    const { code, content } = await info(id, other);
    expect(code).toBe(1);
    expect(content).toMatchObject({ is_own: false, user_name: maskName(player.username), amount: '', billing_no: '' });
    expect(JSON.stringify(content)).not.toContain(player.username);
    expect((await payReplenish(shop, other, id)).code).toBe(-1037);
    expect((await shop.db.query('select from orders where player_id = $1', [other.playerId])).rowCount).toBe(0);
  });

  test.each([
    ['kestrel', 'k•••l'],
    ['anna', 'a•••'],
    ['ひ', 'ひ•••'],
    ['👩‍👩‍👧abcde', '👩‍👩‍👧•••e'],
  ])('the name %s is shown as %s', (name, masked) => expect(maskName(name)).toBe(masked));

  test('L189 a link that leads nowhere is -3016, also on another brand; nobody logged in is -600', async () => {
    const id = await openTestReplenish(shop, player);
    expect((await info('RP-00000000000000000000000000')).code).toBe(-3016);
    expect((await info('7')).code).toBe(-3016);
    expect((await info(id, await shop.logIn({ brand: 'product' }))).code).toBe(-3016);
    const path = `/api/replenishment/replenishment_info?replenish_id=${id}`;
    expect((await shop.get(path)).code).toBe(-600);
  });

  test('L143 getGameList names the game of a link to whoever opens it', async () => {
    const id = await openTestReplenish(shop, player);
    type List = { list: { client_id: string; name: string }[] };
    const list = await shop.get<List>(`/api/replenishment/getGameList?replenish_id=${id}`);
    expect(list.content.list.map(({ name }) => name)).toEqual(['Starlane Tactics']);
    expect((await shop.get<List>('/api/replenishment/getGameList?rp_client_id=70021')).content).toEqual(list.content);
    expect((await shop.get('/api/replenishment/getGameList?rp_client_id=99')).code).toBe(-3016);
    expect((await shop.get('/api/replenishment/getGameList')).code).toBe(-3016);
  });

  test('L153 replenishmentCountryList has the countries that charge its currency', async () => {
    const id = await openTestReplenish(shop, player);
    type List = { country: string; list: { value: string; display: string; domain_area: string }[] };
    const path = `/api/pay/replenishmentCountryList?replenish_id=${id}`;
    const { content } = await shop.get<List>(path, { session: player });
    expect(content.list).toContainEqual({ value: 'US', display: 'United States', domain_area: 'universal' });
    expect(content.list.map(({ value }) => value)).not.toContain('JP');
    expect((await shop.get(path, { session: await shop.logIn() })).code).toBe(-3016);
  });

  test('L154 rp_client_id alone shows the open payments of the account, newest first', async () => {
    const [first, second] = [await openTestReplenish(shop, player), await openTestReplenish(shop, player)];
    const over = await openTestReplenish(shop, player, { validSeconds: 1 });
    await shop.db.query(`update replenish set expires_at = now() - interval '1 second' where replenish_id = $1`, [
      over,
    ]);
    const path = '/api/replenishment/replenishment_info?rp_client_id=70021';
    const { content } = await shop.get<ReplenishInfo>(path, { session: player });
    expect(content.replenish_id).toBe(second);
    expect(content.list.map((one) => one.replenish_id)).toEqual([second, first]);
    const none = (await shop.get<ReplenishInfo>(path, { session: await shop.logIn() })).content;
    expect(none).toMatchObject({ state: 'none', list: [], replenish_id: '' });
  });

  test('L164 the in-game login with a game_id opens a session that may pay it', async () => {
    await shop.services.accounts.saveAccount({
      brandKey: 'watt' as never,
      username: 'blocked',
      suid: 'blocked',
      password: 'refill-demo',
    });
    const { encodeCredential } = await import('#contracts/credentials.ts');
    const answer = await shop.post<{ username: string }>('/api/ingame/auth', {
      username: encodeCredential('blocked', 'aB3'),
      password: encodeCredential('refill-demo', 'x9Z'),
      game_id: '70021',
    });
    expect(answer).toMatchObject({ code: 1, content: { username: 'blocked' } });
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=86400');
  });

  test('L199 an expired link says so and can no longer be ordered', async () => {
    const id = await openTestReplenish(shop, player);
    await shop.db.query(`update replenish set expires_at = now() - interval '1 second' where replenish_id = $1`, [id]);
    expect((await info(id)).content).toMatchObject({ state: 'expired', valid_time: 0 });
    expect((await payReplenish(shop, player, id)).code).toBe(-3016);
  });
});

describe('paying', () => {
  test('L102 its amount, once; then the game is asked to unblock, and the page says when it did', async () => {
    const id = await openTestReplenish(shop, player);
    const answer = await payReplenish(shop, player, id);
    expect(answer.code).toBe(1);
    const billingNo = answer.content.billing_no;
    expect((await info(id)).content).toMatchObject({ state: 'paying', billing_no: billingNo });
    // The link is over meanwhile: whoever has begun may finish.
    await shop.db.query(`update replenish set expires_at = now() where replenish_id = $1`, [id]);
    await settled(billingNo);
    expect((await info(id)).content).toMatchObject({ state: 'paid', paid_at: expect.any(Number), unblocked_at: 0 });
    expect(shop.game.unblocks).toEqual([]);
    await deliver();
    expect(shop.game.unblocks).toEqual([
      { billingNo, replenishId: id, clientId: '70021', userId: player.suid, recovery: null },
    ]);
    expect(shop.game.granted).toEqual([]);
    const { content } = await info(id);
    expect(content).toMatchObject({ state: 'unblocked', list: [] });
    expect(content.unblocked_at).toBeGreaterThan(0);
    expect((await orderInfo(shop, { player, billingNo })).content).toMatchObject({
      replenish_id: id,
      status: 1,
      role_name: '',
      product_name: 'Make-up payment',
      price_shown: '$12.50',
    });
    expect((await payReplenish(shop, player, id, { key: 'once-more-key' })).code).toBe(-3016);
  });

  test('the same press twice, and twenty at once, make one order', async () => {
    const id = await openTestReplenish(shop, player);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => payReplenish(shop, player, id, { key: `many-keys-${n}` })),
    );
    expect(new Set(answers.map(({ content }) => content?.billing_no).filter(Boolean)).size).toBe(1);
    expect((await shop.db.query('select from orders where player_id = $1', [player.playerId])).rowCount).toBe(1);
  });

  test.each([
    ['another price', { price_minor: 1 }, -1020],
    ['another client of the brand', { client_id: '70011' }, -3016],
    ['a number that is none', { replenish_id: 'RP-1' }, -3016],
    ['a country that charges another currency', { country: 'DE' }, -1008],
  ])('%s: refused, nothing is kept', async (_what, body, code) => {
    const id = await openTestReplenish(shop, player);
    expect((await payReplenish(shop, player, id, { body })).code).toBe(code);
    expect((await shop.db.query('select from orders where player_id = $1', [player.playerId])).rowCount).toBe(0);
    expect((await info(id)).content.state).toBe('open');
  });

  test('what the SQL is asked to sell otherwise than it is, it does not sell', async () => {
    const id = await openTestReplenish(shop, player);
    const look = (over: Record<string, unknown>) => {
      const asked = {
        player: player.playerId,
        sold: { replenish_id: id, brand_key: 'watt', game_id: 'starlane', client_id: '70021' },
        minor: 1250,
        currency: 'USD',
        ...over,
      };
      return shop.db
        .query('select look_at_replenish($1, $2, $3, $4, null, false, null) as outcome', [
          asked.player,
          JSON.stringify(asked.sold),
          asked.minor,
          asked.currency,
        ])
        .then(({ rows }) => rows[0].outcome as string);
    };
    expect(await look({})).toBe('ok');
    expect(await look({ minor: 1249 })).toBe('price_changed');
    expect(await look({ currency: 'EUR' })).toBe('price_changed');
    expect(await look({ player: (await shop.logIn()).playerId })).toBe('replenish_foreign');
    expect(
      await look({ sold: { replenish_id: id, brand_key: 'watt', game_id: 'emberfall', client_id: '70021' } }),
    ).toBe('replenish_gone');
    await expect(look({ minor: null })).rejects.toThrow('a parameter that decides is missing');
    await expect(look({ sold: {} })).rejects.toThrow('a parameter that decides is missing');
    await expect(
      shop.db.query(`select look_at_replenish($1, $2, 1250, 'USD', null, false, '{}')`, [
        player.playerId,
        JSON.stringify({ replenish_id: id }),
      ]),
    ).rejects.toThrow('no limit, stock or coupon');
  });

  test('an order that ends unpaid gives it back; money that comes late for it is taken once', async () => {
    const id = await openTestReplenish(shop, player);
    const first = (await payReplenish(shop, player, id)).content.billing_no;
    await callBack(shop, eventOn({ reference: attemptRef(first as BillingNo, 1) }, 'failed', { amount: AMOUNT }));
    expect((await info(id)).content).toMatchObject({ state: 'open', billing_no: '' });
    const second = (await payReplenish(shop, player, id)).content.billing_no;
    expect(second).not.toBe(first);
    await settled(second);
    // The first one's money arrives after all: it is not sold again, it goes back.
    await settled(first);
    expect(await stateOf(shop, first)).toMatchObject({ state: 'refund_due' });
    await deliver();
    expect([...shop.game.unblocked.keys()]).toEqual([id]);
    expect((await info(id)).content).toMatchObject({ state: 'unblocked', billing_no: second });
  });

  test('late money for one that nobody paid meanwhile unblocks, also after the last day', async () => {
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id)).content.billing_no;
    await callBack(shop, eventOn({ reference: attemptRef(billingNo as BillingNo, 1) }, 'failed', { amount: AMOUNT }));
    await shop.db.query(`update replenish set expires_at = now() - interval '1 day' where replenish_id = $1`, [id]);
    await settled(billingNo);
    await deliver();
    expect((await info(id)).content.state).toBe('unblocked');
  });

  test('a session of one character pays it and sees its order; an offer beside it is no fault', async () => {
    const id = await openTestReplenish(shop, player);
    await shop.db.query(
      `update session set bound = '{"client_id": "70021", "server_id": "s1", "area_id": "", "role_id": "r1"}'
        where player_id = $1`,
      [player.playerId],
    );
    const paid = await payReplenish(shop, player, id, { body: { offer_code: 'offer:starlane/x:1' } });
    expect(paid.code).toBe(1);
    const asked = await orderInfo(shop, { player, billingNo: paid.content.billing_no });
    expect(asked).toMatchObject({ code: 1, content: { billing_no: paid.content.billing_no } });
  });

  test('a payment of another amount is not called paid: its order is in review', async () => {
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id)).content.billing_no;
    const reference = attemptRef(billingNo as BillingNo, 1);
    await callBack(shop, eventOn({ reference }, 'paid', { amount: { ...AMOUNT, amountMinor: 1 } }));
    expect((await info(id)).content).toMatchObject({ billing_no: billingNo, paid_at: 0, review_kind: 'payment' });
    const other = await openTestReplenish(shop, player);
    expect((await info(other)).content).not.toHaveProperty('review_kind');
  });

  test('the balance pays it too, and it earns neither points nor events', async () => {
    await giveTestBalance(shop.db, player.playerId, 2000);
    const id = await openTestReplenish(shop, player);
    expect((await payReplenish(shop, player, id, { path: '/api/pay/platform_pay' })).code).toBe(1);
    await deliver();
    expect((await info(id)).content.state).toBe('unblocked');
    const { rows } = await shop.db.query('select points from orders where player_id = $1', [player.playerId]);
    expect(rows).toEqual([{ points: null }]);
    const days = await shop.db.query(
      `select * from event_days($1, 'watt', 'starlane',
        '{"from":"2000-01-01","until":"2100-01-01","time_zone":"UTC","regions":[]}', null)`,
      [player.playerId],
    );
    expect(days.rows).toEqual([]);
  });
});

describe('when the game does not unblock', () => {
  test('it is asked again under the same key until it does', async () => {
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id)).content.billing_no;
    await settled(billingNo);
    shop.game.script.unblock = () => ({ kind: 'unknown', reason: 'no answer' });
    await deliver();
    expect((await info(id)).content.state).toBe('paid');
    shop.game.script.unblock = () => undefined;
    await shop.db.query(`update delivery set next_at = now() where billing_no = $1`, [billingNo]);
    await deliver();
    expect(new Set(shop.game.unblocks.map(({ replenishId }) => replenishId))).toEqual(new Set([id]));
    expect(shop.game.unblocks.length).toBeGreaterThanOrEqual(2);
    expect((await info(id)).content.state).toBe('unblocked');
  });

  test('an alarm tells of one that waits for five minutes, once', async () => {
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id)).content.billing_no;
    await settled(billingNo);
    expect(await tellLateUnblocks(shop.services)).toBe(0);
    await shop.db.query(`update orders set paid_at = now() - interval '6 minutes' where billing_no = $1`, [billingNo]);
    const before = shop.logLines.length;
    const counts = await Promise.all(Array.from({ length: 5 }, () => tellLateUnblocks(shop.services)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(shop.logLines.slice(before).join('')).toContain('unblock_late');
    await deliver();
    const lines = await reportReplenish(shop.db, { since: null, until: null, promiseSeconds: 60 });
    expect(lines.find((line) => line.brand_key === 'watt')).toMatchObject({ late: 1 });
  });
});

describe('money that goes back', () => {
  const revocations = async (billingNo: string) =>
    (await shop.db.query('select state, reason from revocation where billing_no = $1', [billingNo])).rows;
  const refundDeps = () => {
    const { db, log, payments, games } = shop.services;
    return { db, log, payments, games };
  };

  test('a refund asks the game to block the account again', async () => {
    await giveTestBalance(shop.db, player.playerId, 2000);
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id, { path: '/api/pay/platform_pay' })).content.billing_no;
    await deliver();
    await requestRefund(shop.db, {
      playerId: player.playerId,
      billingNo: billingNo as BillingNo,
      attemptNo: 1,
      reason: 'r',
      by: 'anna',
    });
    await processDueRefunds(refundDeps());
    expect(await revocations(billingNo)).toMatchObject([{ reason: 'refund' }]);
    await processDueRevocations(refundDeps());
    expect(shop.game.revoked).toEqual([{ billingNo, reason: 'refund', replenishId: id }]);
    expect((await info(id)).content.state).toBe('returned');
  });

  test('refunded before the game said yes, it stays with its order: the game knows its number', async () => {
    await giveTestBalance(shop.db, player.playerId, 2000);
    const id = await openTestReplenish(shop, player);
    const billingNo = (await payReplenish(shop, player, id, { path: '/api/pay/platform_pay' })).content.billing_no;
    await requestRefund(shop.db, {
      playerId: player.playerId,
      billingNo: billingNo as BillingNo,
      attemptNo: 1,
      reason: 'r',
      by: 'anna',
    });
    await processDueRefunds(refundDeps());
    expect((await info(id)).content).toMatchObject({ state: 'returned', billing_no: billingNo });
    expect((await payReplenish(shop, player, id)).code).not.toBe(1);
  });

  test('a chargeback does so too, once', async () => {
    const id = await openTestReplenish(shop, player);
    const billingNo = await payWhole(id);
    const reference = attemptRef(billingNo as BillingNo, 1);
    await callBack(shop, eventOn({ reference }, 'chargeback', { amount: AMOUNT }));
    await callBack(shop, eventOn({ reference }, 'chargeback', { amount: AMOUNT, dedupKey: 'again' }));
    expect(await revocations(billingNo)).toMatchObject([{ reason: 'chargeback' }]);
    await processDueRevocations(refundDeps());
    const asked = shop.game.revoked.filter((one) => one.billingNo === billingNo);
    expect(asked).toEqual([{ billingNo, reason: 'chargeback', replenishId: id }]);
    expect((await info(id)).content.state).toBe('returned');
    const lines = await reportReplenish(shop.db, { since: null, until: null, promiseSeconds: 900 });
    expect(lines.find((line) => line.brand_key === 'watt')?.returned).toBeGreaterThan(0);
  });
});

describe('a game opens one by a signed call', () => {
  const call = (body: Record<string, unknown>, over: { secret?: string; path?: string } = {}) => {
    const path = over.path ?? '/service/replenish/70021';
    const text = JSON.stringify({
      to: `watt.demo.localhost${path}`,
      user_id: player.suid,
      username: player.username,
      amount: '7.25',
      currency: 'USD',
      reference: 'CB-1',
      ...body,
    });
    const id = `msg_${Math.random().toString(36).slice(2)}aaaa`;
    const at = new Date();
    return shop.post(path, text, {
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(over.secret ?? SECRET).sign(id, at, text),
        'content-type': 'application/json',
        'x-refill': undefined,
        'sec-fetch-site': undefined,
      },
    });
  };
  const asBuiltin = () =>
    shop.db.query(
      `insert into player_identity (brand_key, provider, subject, player_id)
        values ('watt', 'builtin', $1, $2) on conflict do nothing`,
      [player.suid, player.playerId],
    );

  test('it answers with the link; the same reference again with the same link, with another amount not', async () => {
    await asBuiltin();
    const reference = `CB-${player.suid}`;
    const first = JSON.parse((await call({ reference, valid_time: 600 })).text);
    expect(first).toMatchObject({ status: 'ok', replenish_id: expect.stringMatching(/^RP-/) });
    expect(first.url).toContain(`/replenishGoods?replenish_id=${first.replenish_id}`);
    expect(JSON.parse((await call({ reference })).text).replenish_id).toBe(first.replenish_id);
    expect((await call({ reference, amount: '8.00' })).status).toBe(409);
    expect((await info(first.replenish_id)).content).toMatchObject({ amount: '7.25', state: 'open' });
  });

  test.each([
    ['a wrong secret', {}, { secret: `whsec_${Buffer.from('x'.repeat(24)).toString('base64')}` }, 401],
    ['another place', { to: 'rhinos.demo.localhost/service/replenish/70021' }, {}, 401],
    ['an amount of nothing', { amount: '0.00' }, {}, 400],
    ['an amount that is none', { amount: '1.234' }, {}, 400],
    ['a currency that is none', { currency: 'ABC' }, {}, 400],
    ['a game that is not here', {}, { path: '/service/replenish/99' }, 404],
  ])('%s: refused', async (_what, body, over, status) => {
    await asBuiltin();
    const before = (await shop.db.query('select from replenish')).rowCount;
    expect((await call(body, over)).status).toBe(status);
    expect((await shop.db.query('select from replenish')).rowCount).toBe(before);
  });

  test('a player who is not here is declined', async () => {
    expect(JSON.parse((await call({ user_id: 'nobody' })).text)).toEqual({
      status: 'declined',
      reason: 'unknown_user',
    });
  });
});

test('two hundred payments with workers that die between payment and unblock: each unblocks once', async () => {
  const players = await Promise.all(Array.from({ length: 10 }, () => shop.logIn()));
  for (const one of players) await giveTestBalance(shop.db, one.playerId, 20 * REPLENISH_MINOR);
  const ids: string[] = [];
  for (const one of players)
    for (let n = 0; n < 20; n += 1) {
      const id = await openTestReplenish(shop, one);
      ids.push(id);
      expect((await payReplenish(shop, one, id, { path: '/api/pay/platform_pay' })).code).toBe(1);
    }
  // A worker leases, perhaps calls the game, and dies before it writes: its leases run out.
  for (let round = 0; round < 4; round += 1) {
    const leased = await leaseDeliveries(shop.db, 60, 15, []);
    for (const [n, { player_id: _player, billing_no, suid, client_id, product }] of leased.entries())
      if (n % 2 === 0)
        await shop.game.unblock({
          billingNo: billing_no,
          replenishId: product.replenishId!,
          clientId: client_id,
          userId: suid,
        });
    await shop.db.query(`update delivery set next_at = now() - interval '1 second' where state = 'calling'`);
  }
  for (let round = 0; round < 20; round += 1) await deliver();
  const { rows } = await shop.db.query<{ count: number }>(
    `select count(*) from orders o join delivery d using (player_id, billing_no)
      where o.replenish_id = any($1) and o.state = 'delivered' and d.state = 'done'`,
    [ids],
  );
  expect(Number(rows[0]!.count)).toBe(200);
  expect(ids.filter((id) => shop.game.unblocked.get(id) === 1)).toHaveLength(200);
}, 60_000);
