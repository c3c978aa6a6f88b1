// One account of a game that several brands sell: limits, first-purchase bonus, offers and rewards count once, whatever
// brand the player came by and whether in super mode. Brands with accounts of their own count by their player.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LimitProductInfo } from '#contracts/catalogue.ts';
import type { Activity } from '#contracts/events.ts';
import type { Offer } from '#contracts/offers.ts';
import type { BillingNo, BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { listFirstBonuses } from '#server/modules/catalogue/store.ts';
import { ensurePlayer } from '#server/modules/accounts/store.ts';
import { type OfferRun, takeOffer } from '#server/modules/offers/store.ts';
import { checkChanges, checkInvariants } from '#server/modules/invariants/service.ts';
import { erase } from '#server/modules/privacy/service.ts';
import { EMBER_CLIENT, handOverRewards, showEmberRole, topUp } from '#testing/events.ts';
import { type PlaceChanges, placeInput, promoOf, report } from '#testing/orders.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { cancelOrder, type OperatedOrder } from './operator/operate-store.ts';
import { type PlaceInput, type PlaceOutcome, placeOrder } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
  shop.game.reset();
});

const EMBERFALL = 'emberfall' as GameId;
let accounts = 0;
type Both = { readonly dragon: TestPlayer; readonly ssgame: TestPlayer };
/** One account of Emberfall, logged in at two brands. */
async function logInTwice(): Promise<Both> {
  accounts += 1;
  const at = async (brand: string) => {
    const who = await shop.logIn({ brand, suid: `hero-${accounts}`, gameId: EMBERFALL });
    await showEmberRole(shop.db, who.playerId);
    return who;
  };
  return { dragon: await at('dragon'), ssgame: await at('ssgame') };
}

const QUERY = `client_id=${EMBER_CLIENT}&server_id=s1&role_id=r1`;
const pay = (who: TestPlayer, productId: string, body: object = {}) =>
  shop.post<{ billing_no: BillingNo }>(
    '/api/pay/paypal_pay',
    { client_id: EMBER_CLIENT, server_id: 's1', role_id: 'r1', product_id: productId, ...body },
    { session: who },
  );
const leftOf = async (who: TestPlayer, productId: string) =>
  (
    await shop.get<{ list: LimitProductInfo[] }>(`/api/pay/getLimitProductInfo?${QUERY}`, { session: who })
  ).content.list.find((one) => one.product_id === productId)?.extra_pay_times;
const hasBonus = async (who: TestPlayer) =>
  !(await shop.get<{ used: string[] }>(`/api/pay/getFirstBonusInfo?${QUERY}`, { session: who })).content.used.includes(
    'ember_3280',
  );
const event = async (who: TestPlayer, type: 'daily' | 'cumulative') => {
  const path = `/api/cumulative/cumulativeActivityInfo?client_id=${EMBER_CLIENT}&type=${type}`;
  const found = (await shop.get<{ list: Activity[] }>(path, { session: who })).content.list.find((one) => !one.is_over);
  if (!found) throw new Error(`no ${type} event`);
  return found;
};
const receive = async (who: TestPlayer, type: 'daily' | 'cumulative', giftId = 'all') =>
  shop.post<{ gift_ids: string[] }>(
    '/api/cumulative/receiveActivityGift',
    {
      client_id: EMBER_CLIENT,
      type,
      activity_id: (await event(who, type)).activity_id,
      gift_id: giftId,
      server_id: 's1',
      role_id: 'r1',
    },
    { session: who },
  );
const rewardsOf = async ({ dragon, ssgame }: Both) =>
  (
    await shop.db.query(`select from reward where player_id = any ($1) and state <> 'rejected'`, [
      [dragon.playerId, ssgame.playerId],
    ])
  ).rowCount;
/** The order as its brand places it, without the page. */
const inputOf = (who: TestPlayer, changes: PlaceChanges): PlaceInput =>
  placeInput(who.playerId, {
    brand_key: who.brand as BrandKey,
    game_id: EMBERFALL,
    client_id: EMBER_CLIENT,
    product_id: 'ember_3280',
    ...changes,
  });
const place = (who: TestPlayer, changes: PlaceChanges) => placeOrder(shop.db, inputOf(who, changes));
const outcomes = (placed: readonly PlaceOutcome[]) => placed.map(({ outcome }) => outcome).toSorted();
const LIMIT = { times: 1, days: null, subject: 'role:70013//s1/r1' };
const BONUS = { season: 'ever', gifts: [{ id: 'more', name: 'More', count: 5, isCurrency: true }], is_told: true };

describe('two brands of one game account', () => {
  test('goods that are limited are sold once, and both pages say so', async () => {
    const { dragon, ssgame } = await logInTwice();
    expect([await leftOf(dragon, 'ember_newcomer'), await leftOf(ssgame, 'ember_newcomer')]).toEqual([1, 1]);
    expect((await pay(dragon, 'ember_newcomer')).code).toBe(1);
    expect([await leftOf(dragon, 'ember_newcomer'), await leftOf(ssgame, 'ember_newcomer')]).toEqual([0, 0]);
    const refused = await pay(ssgame, 'ember_newcomer');
    expect([refused.code, refused.msg]).not.toEqual([1, '']);
    expect((await shop.db.query('select from orders where player_id = $1', [ssgame.playerId])).rowCount).toBe(0);
  });

  test('what an unpaid order gives back is free at the other brand', async () => {
    const { dragon, ssgame } = await logInTwice();
    const first = await place(dragon, { limit: LIMIT });
    expect(await place(ssgame, { limit: LIMIT })).toEqual({ outcome: 'limit_reached' });
    if (first.outcome !== 'placed') throw new Error(first.outcome);
    const order = { player_id: dragon.playerId, billing_no: first.billing_no } as OperatedOrder;
    expect(await cancelOrder(shop.db, order, [1])).toBe('cancelled');
    expect(await place(ssgame, { limit: LIMIT })).toMatchObject({ outcome: 'placed' });
    // Money that comes late for the first finds it taken.
    expect(await report(shop.db, { billingNo: first.billing_no, attemptNo: 1 })).toMatchObject({
      outcome: 'late_refused',
    });
  });

  test('the first-purchase bonus comes once, its sign goes at both, and an operator sees whose order has it', async () => {
    const { dragon, ssgame } = await logInTwice();
    expect([await hasBonus(dragon), await hasBonus(ssgame)]).toEqual([true, true]);
    const placed = await pay(ssgame, 'ember_3280', { first_bonus: '1' });
    expect(placed.code).toBe(1);
    expect(await hasBonus(dragon)).toBe(false);
    expect(await place(dragon, { first_bonus: BONUS })).toEqual({ outcome: 'bonus_gone' });
    expect(await listFirstBonuses(shop.db, dragon.playerId, 9)).toMatchObject([
      { order: placed.content.billing_no, state: 'held' },
    ]);
  });

  test.each([
    ['a limit', { limit: LIMIT }, 'limit_reached'],
    ['a first-purchase bonus', { first_bonus: BONUS }, 'bonus_gone'],
  ])('of two that press at the same moment one has %s', async (_name, changes, refusal) => {
    for (let round = 0; round < 8; round += 1) {
      const { dragon, ssgame } = await logInTwice();
      const placed = await Promise.all([dragon, ssgame, dragon, ssgame].map((who) => place(who, changes)));
      // The second press of the winner adds an attempt to its own order, the others get the refusal.
      expect(outcomes(placed).filter((one) => one === refusal)).toHaveLength(2);
      expect(new Set(placed.flatMap((one) => ('billing_no' in one ? [one.billing_no] : []))).size).toBe(1);
    }
  });

  test('orders of both that need several counters never wait for each other in a circle', async () => {
    const { dragon, ssgame } = await logInTwice();
    const both = { limit: { ...LIMIT, times: 99 }, first_bonus: { ...BONUS, is_told: false } };
    const placed = await Promise.all(
      Array.from({ length: 24 }, (_, at) => place(at % 2 ? dragon : ssgame, { ...both, product_id: `p${at % 6}` })),
    );
    expect(placed.every(({ outcome }) => outcome === 'placed' || outcome === 'repeat')).toBe(true);
  });

  test('the daily reward is claimed once, and the other page shows it claimed', async () => {
    const both = await logInTwice();
    expect((await receive(both.dragon, 'daily')).content.gift_ids).toEqual(['ember_campfire_1']);
    const shown = await event(both.ssgame, 'daily');
    expect(shown).toMatchObject({ is_today_done: true, days: 1, time_zone: 'Etc/UTC' });
    expect(shown.gifts[0]?.state).toBe('received');
    await receive(both.ssgame, 'daily');
    expect(await rewardsOf(both)).toBe(1);
    // The streak goes on at whatever brand.
    await shop.db.query(
      `update reward set issue_key = left(issue_key, -10) || ((basis ->> 'day')::date - 1)::text,
         basis = jsonb_set(basis, '{day}', to_jsonb(((basis ->> 'day')::date - 1)::text)),
         created_at = created_at - interval '1 day' where player_id = $1`,
      [both.dragon.playerId],
    );
    await shop.db.query(
      `update limit_counter c set product_id = left(product_id, -10) || (right(product_id, 10)::date - 1)::text
       from player p where p.player_id = $1 and c.account_id = p.game_account_id`,
      [both.dragon.playerId],
    );
    expect((await receive(both.ssgame, 'daily')).content.gift_ids).toEqual(['ember_campfire_2']);
    await handOverRewards(shop);
  });

  test('of two that claim at the same moment one has the reward, and the no of the game gives it back to both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const both = await logInTwice();
      await Promise.all([both.dragon, both.ssgame, both.dragon, both.ssgame].map((who) => receive(who, 'daily')));
      expect(await rewardsOf(both)).toBe(1);
      shop.game.script.grant = () => ({ kind: 'declined', reason: 'full' });
      await handOverRewards(shop);
      shop.game.reset();
      expect([
        (await event(both.dragon, 'daily')).is_today_done,
        (await event(both.ssgame, 'daily')).is_today_done,
      ]).toEqual([false, false]);
      expect((await receive(both.ssgame, 'daily')).content.gift_ids).toEqual(['ember_campfire_1']);
      expect(await rewardsOf(both)).toBe(1);
      await handOverRewards(shop);
    }
  });

  test('what both paid counts for an event together, and its reward is received once', async () => {
    const both = await logInTwice();
    const [first] = (await event(both.dragon, 'cumulative')).gifts;
    if (!first) throw new Error('no step');
    const half = 250;
    for (const who of [both.dragon, both.ssgame])
      await topUp(shop.db, who.playerId, half, { brand_key: who.brand as BrandKey });
    const shown = await Promise.all([both.dragon, both.ssgame].map((who) => event(who, 'cumulative')));
    expect(shown.map(({ gifts }) => gifts[0]?.state)).toEqual(['receivable', 'receivable']);
    expect((await receive(both.ssgame, 'cumulative', first.gift_id)).content.gift_ids).toEqual([first.gift_id]);
    expect((await event(both.dragon, 'cumulative')).gifts[0]).toMatchObject({ state: 'received' });
    await receive(both.dragon, 'cumulative', first.gift_id);
    expect(await rewardsOf(both)).toBe(1);
    await handOverRewards(shop);
  });

  test('an offer of a file is taken once, also by two at the same moment', async () => {
    const offers = async (who: TestPlayer) =>
      (await shop.get<{ list: Offer[] }>(`/api/offers/list?${QUERY}`, { session: who })).content.list.map(
        ({ product_id: product }) => product,
      );
    const { dragon, ssgame } = await logInTwice();
    expect(await offers(ssgame)).toContain('ember_keys');
    const run: OfferRun = {
      run: 'emberfall/flash',
      times: 1,
      game_id: EMBERFALL,
      product_id: 'ember_3280',
      name: { en: 'Flash' },
      prices: { USD: 99 },
      valid_from: new Date(Date.now() - 60_000).toISOString(),
      valid_end: new Date(Date.now() + 60_000).toISOString(),
      after: null,
    };
    const order = async (who: TestPlayer) => {
      const brandKey = who.brand as BrandKey;
      const code = 'offer:emberfall/flash:1';
      if (!(await takeOffer(shop.db, { playerId: who.playerId, brandKey, run, code }))) return 'not_open';
      return (await place(who, { coupon: { code, min_charge_minor: 1, quoted_minor: 99 } })).outcome;
    };
    const placed = await Promise.all([dragon, ssgame].map(order));
    expect(placed.filter((one) => one === 'placed')).toHaveLength(1);
    expect(await Promise.all([dragon, ssgame].map(order))).not.toContain('placed');
  });

  test('a code for a first purchase comes too late after one at another brand', async () => {
    const { dragon, ssgame } = await logInTwice();
    const promo = promoOf({ code: 'FIRST', is_first: true });
    await topUp(shop.db, dragon.playerId, 499, { brand_key: 'dragon' as BrandKey });
    expect(await place(ssgame, { promo })).toEqual({ outcome: 'promo_refused', reason: 'not_first' });
    // Of two brands at the same moment one.
    for (let round = 0; round < 5; round += 1) {
      const both = await logInTwice();
      const placed = await Promise.all([
        place(both.dragon, { promo: promoOf({ is_first: true, code: 'DRAGON' }) }),
        place(both.ssgame, { promo: promoOf({ is_first: true, code: 'STAR' }) }),
      ]);
      expect(outcomes(placed)).toEqual(['placed', 'promo_refused']);
    }
  });

  test('the hourly look finds a shared counter that was changed by hand', async () => {
    const { dragon } = await logInTwice();
    await place(dragon, { limit: LIMIT });
    const change = `update limit_counter c set used = $2 from player p
      where p.player_id = $1 and c.account_id = p.game_account_id`;
    await shop.db.query(change, [dragon.playerId, 0]);
    const { results } = await checkChanges(shop.db);
    expect(results.filter(({ breaches }) => breaches > 0)).toMatchObject([{ invariant: 'I6' }]);
    await shop.db.query(change, [dragon.playerId, 1]);
    await checkChanges(shop.db);
  });
});

describe('who shares an account', () => {
  const made = (provider: string, subject: string, brandKey = 'dragon') =>
    ensurePlayer(shop.db, { brandKey: brandKey as BrandKey, provider, subject, suid: subject, username: 'x' });
  const accountOf = async (playerId: PlayerId | null) =>
    (await shop.db.query<{ account: string }>('select account_of($1) as account', [playerId])).rows[0]?.account;

  test('brands and super mode of one account of a game do; other games, other users and accounts of the shop do not', async () => {
    const hero = await accountOf(await made('game', 'emberfall/hero'));
    expect(await accountOf(await made('game', 'emberfall/hero', 'ssgame'))).toBe(hero);
    expect(await accountOf(await made('game~beta', 'emberfall/hero'))).toBe(hero);
    const own = await made('builtin', 'emberfall/hero', 'watt');
    expect(await accountOf(own)).toBe(own);
    const all = [
      hero,
      own,
      await accountOf(await made('game', 'starlane/hero')),
      await accountOf(await made('game', 'emberfall/her')),
    ];
    expect(new Set(all).size).toBe(4);
    // A keyed hash: who reads the table cannot look for a user id.
    expect(hero).not.toContain('hero');
  });

  test('brands with accounts of their own count by their player', async () => {
    const [one, two] = [await shop.logIn({ suid: 'same' }), await shop.logIn({ suid: 'same', brand: 'rhinos' })];
    for (const who of [one, two]) await showEmberRole(shop.db, who.playerId);
    for (const who of [one, two])
      expect(await place(who, { limit: LIMIT, first_bonus: BONUS })).toMatchObject({ outcome: 'placed' });
  });
});

describe('when a person is erased at one brand', () => {
  const eraseOf = async (who: TestPlayer) => {
    await shop.db.query('delete from session where player_id = $1', [who.playerId]);
    return (await erase(shop.db, { playerId: who.playerId, givesUpBalance: false, by: 'anna' })).outcome;
  };
  const buy = async (who: TestPlayer, changes: PlaceChanges) => {
    const placed = await place(who, changes);
    if (placed.outcome !== 'placed') throw new Error(placed.outcome);
    await report(shop.db, { billingNo: placed.billing_no, attemptNo: 1 });
    await shop.db.query(`select record_delivery_results(jsonb_agg(jsonb_build_object('player_id', player_id,
      'billing_no', billing_no, 'tries', tries, 'kind', 'done', 'receipt_id', 'R'))) from delivery
      where billing_no = '${placed.billing_no}'`);
    return placed;
  };

  test('the account has used what it used, at the other brand and for who comes back, and nothing leads to it', async () => {
    const { dragon, ssgame } = await logInTwice();
    await buy(dragon, { limit: LIMIT, first_bonus: BONUS });
    await receive(dragon, 'daily');
    await handOverRewards(shop);
    const before = (await shop.db.query('select account_of($1) as id', [dragon.playerId])).rows[0].id as string;
    expect(await eraseOf(dragon)).toBe('erased');
    const refusedAt = async (who: TestPlayer) => {
      expect(await place(who, { limit: LIMIT })).toEqual({ outcome: 'limit_reached' });
      expect(await place(who, { first_bonus: BONUS })).toEqual({ outcome: 'bonus_gone' });
      expect(await event(who, 'daily')).toMatchObject({ is_today_done: true });
      await receive(who, 'daily');
    };
    await refusedAt(ssgame);
    const again = await shop.logIn({ brand: 'dragon', suid: dragon.suid, gameId: EMBERFALL });
    await showEmberRole(shop.db, again.playerId);
    await refusedAt(again);
    expect(await rewardsOf({ dragon: again, ssgame })).toBe(0);
    const { rows } = await shop.db.query(
      `select (select game_account_id from player where player_id = $1) as account,
         (select count(*)::integer from reservation where player_id = $1 and account_id = $2) as reserved,
         (select count(*)::integer from reward where player_id = $1 and account_id = $2) as rewarded`,
      [dragon.playerId, before],
    );
    expect(rows).toEqual([{ account: null, reserved: 0, rewarded: 0 }]);
  });

  test('the last one leaves no counter that names a character', async () => {
    const { dragon, ssgame } = await logInTwice();
    await buy(dragon, { limit: LIMIT });
    const account = (await shop.db.query('select account_of($1) as id', [dragon.playerId])).rows[0].id as string;
    expect([await eraseOf(dragon), await eraseOf(ssgame)]).toEqual(['erased', 'erased']);
    expect((await shop.db.query('select from limit_counter where account_id = $1', [account])).rowCount).toBe(0);
    const again = await shop.logIn({ brand: 'ssgame', suid: dragon.suid, gameId: EMBERFALL });
    await showEmberRole(shop.db, again.playerId);
    expect(await place(again, { limit: LIMIT })).toEqual({ outcome: 'limit_reached' });
  });

  test('a reward that its orders helped to earn stays right', async () => {
    const both = await logInTwice();
    for (const who of [both.dragon, both.ssgame])
      await topUp(shop.db, who.playerId, 250, { brand_key: who.brand as BrandKey });
    const [first] = (await event(both.ssgame, 'cumulative')).gifts;
    await receive(both.ssgame, 'cumulative', first?.gift_id);
    await handOverRewards(shop);
    expect(await rewardsOf(both)).toBe(1);
    expect(await eraseOf(both.dragon)).toBe('erased');
  });
});
