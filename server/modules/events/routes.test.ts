// Events on the wire: what a player reached, receiving it once, and what refunds change. Emberfall's shipped events.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Activity } from '#contracts/events.ts';
import type { PageConfig } from '#contracts/games.ts';
import { showDate } from '#kernel/calendar.ts';
import { DAY_MS } from '#kernel/time.ts';
import { deliver, EMBER_CLIENT, handOverRewards, showEmberRole, reverseOrder, topUp } from '#testing/events.ts';
import { waitUntil } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { listRewards } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  // Rewards of one test must not be delivered in the next one.
  await shop.db.query(`update reward set state = 'done', receipt_id = 'R' where state not in ('done', 'rejected')`);
  shop.game.reset();
});

const BASE = `client_id=${EMBER_CLIENT}`;
const info = async (who: TestPlayer | null, query = 'type=cumulative', brand = 'watt') =>
  shop.get<{ type: string; list: Activity[] }>(`/api/cumulative/cumulativeActivityInfo?${BASE}&${query}`, {
    session: who,
    brand,
  });
const running = async (who: TestPlayer | null, query?: string): Promise<Activity> => {
  const { content } = await info(who, query);
  const found = content.list.find((one) => !one.is_over);
  if (!found) throw new Error('no event runs');
  return found;
};
const gift = async (who: TestPlayer, id: string, query?: string) =>
  (await running(who, query)).gifts.find(({ gift_id: giftId }) => giftId === id);
const receive = async (who: TestPlayer, giftId: string, over: Record<string, unknown> = {}) =>
  shop.post<{ gift_ids: string[] }>(
    '/api/cumulative/receiveActivityGift',
    {
      client_id: EMBER_CLIENT,
      type: 'cumulative',
      activity_id: (await running(who)).activity_id,
      gift_id: giftId,
      server_id: 's1',
      role_id: 'r1',
      ...over,
    },
    { session: who },
  );
const status = async (who: TestPlayer | null, query = '') =>
  shop.get<{ list: { type: string; receivable: number; activity_id: string }[] }>(
    `/api/cumulative/status?${BASE}${query}`,
    { session: who },
  );
/** A player with a character of Emberfall. */
async function player(brand = 'watt'): Promise<TestPlayer> {
  const who = await shop.logIn({ brand });
  await showEmberRole(shop.db, who.playerId);
  return who;
}
const handOver = () => handOverRewards(shop);
const rewardsOf = (who: TestPlayer) => listRewards(shop.db, { playerId: who.playerId }, 50);
const noon = (daysAgo: number) => `${showDate(Date.now() - daysAgo * DAY_MS, 'Etc/UTC')}T12:00:00Z`;
const config = async (clientId: string, brand = 'watt') =>
  (await shop.get<PageConfig>(`/api/config/recharge?client_id=${clientId}`, { brand })).content;

test('L78 the page config says which kinds of events are open for the game', async () => {
  expect(await config(EMBER_CLIENT)).toMatchObject({
    cumulative_config: { is_has_cumulative: true },
    continue_config: { is_has_continue: true },
  });
  expect(await config('70021')).toMatchObject({
    cumulative_config: { is_has_cumulative: false },
    continue_config: { is_has_continue: false },
  });
});

test('L156 info, receipt and status of both kinds, told apart by type', async () => {
  const who = await player();
  await topUp(shop.db, who.playerId, 2100);
  for (const [type, first] of [
    ['cumulative', 'ember_total_1'],
    ['continue', 'ember_days_1'],
  ] as const) {
    const { code, content } = await info(who, `type=${type}`);
    expect({ code, type: content.type, types: new Set(content.list.map((one) => one.type)) }).toEqual({
      code: 1,
      type,
      types: new Set([type]),
    });
    const open = await running(who, `type=${type}`);
    expect(open).toMatchObject({ type, time_zone: 'Etc/UTC', is_over: false, name: expect.any(String) });
    expect(open.gifts[0]).toMatchObject({ gift_id: first, state: 'receivable', percent: 100 });
    expect(open.gifts[0]?.items[0]).toMatchObject({
      count: expect.any(Number),
      picture: { avif: expect.stringContaining('/pictures/') },
    });
    const answer = await receive(who, first, { type, activity_id: open.activity_id });
    expect(answer).toMatchObject({ code: 1, content: { gift_ids: [first] } });
  }
  expect((await info(who, '')).content.type).toBe('cumulative');
  const left = (await status(who)).content.list.map(({ type, receivable }) => ({ type, receivable }));
  expect(left).toEqual([
    { type: 'cumulative', receivable: 1 },
    { type: 'continue', receivable: 0 },
    { type: 'daily', receivable: 1 },
  ]);
  expect((await status(who, '&type=continue')).content.list.map(({ type }) => type)).toEqual(['continue']);
  expect((await status(null)).content.list.map(({ receivable }) => receivable)).toEqual([0, 0, 0]);
});

describe('L110 receive, receive all, received', () => {
  test('a total counts delivered orders of the game, each once, in the currency of the market', async () => {
    const who = await player();
    expect(await running(who)).toMatchObject({ totals_shown: ['$0.00'] });
    const waiting = await topUp(shop.db, who.playerId, 499, { isDelivered: false });
    expect((await running(who)).totals_shown).toEqual(['$0.00']);
    await deliver(shop.db, waiting);
    await deliver(shop.db, waiting);
    await topUp(shop.db, who.playerId, 800, { currency: 'JPY', region: 'ja', country: 'JP' });
    await topUp(shop.db, who.playerId, 9900, { game_id: 'starlane' as never });
    expect(await running(who)).toMatchObject({ totals_shown: ['$4.99', '¥800.00'] });
    expect(await running(who, 'type=cumulative&domain_area=ja')).toMatchObject({ totals_shown: ['¥800.00', '$4.99'] });
    expect(await gift(who, 'ember_total_1')).toMatchObject({ state: 'receivable', need_shown: '$4.99' });
    expect(await gift(who, 'ember_total_2')).toMatchObject({ state: 'locked', percent: 25, need_shown: '$19.99' });
  });

  test('what was paid before the window or for another brand does not count', async () => {
    const who = await player();
    const { start_time: start } = await running(who);
    await topUp(shop.db, who.playerId, 9900, { paidAt: new Date(start - 1000).toISOString() });
    await topUp(shop.db, who.playerId, 9900, { brand_key: 'rhinos' as never });
    expect((await running(who)).totals_shown).toEqual(['$0.00']);
    // The first moment is part of it.
    await topUp(shop.db, who.playerId, 100, { paidAt: new Date(start).toISOString() });
    expect((await running(who)).totals_shown).toEqual(['$1.00']);
  });

  test('days in a row count by the calendar of the brand, from its least a day', async () => {
    const who = await player();
    for (const daysAgo of [0, 1]) await topUp(shop.db, who.playerId, 99, { paidAt: noon(daysAgo) });
    await topUp(shop.db, who.playerId, 98, { paidAt: noon(2) });
    const now = new Date();
    const days = Math.min(2, now.getUTCDate());
    expect(await running(who, 'type=continue')).toMatchObject({
      days,
      best_days: days,
      is_today_done: true,
      least_shown: '$0.99',
    });
    await topUp(shop.db, who.playerId, 1, { paidAt: noon(2) });
    expect((await running(who, 'type=continue')).days).toBe(Math.min(3, now.getUTCDate()));
  });

  test('one is received for a character, handed over under a key of its own, and shown as delivered', async () => {
    const who = await player();
    await topUp(shop.db, who.playerId, 2100);
    expect(await receive(who, 'ember_total_2')).toMatchObject({ code: 1, content: { gift_ids: ['ember_total_2'] } });
    expect(await gift(who, 'ember_total_2')).toMatchObject({
      state: 'received',
      delivery: 'on_its_way',
      role_name: 'Kestrel_07',
    });
    await handOver();
    const [reward] = await rewardsOf(who);
    expect(shop.game.granted).toEqual([
      {
        billingNo: reward?.reward_no, clientId: EMBER_CLIENT, userId: who.suid, serverId: 's1', areaId: '', roleId: 'r1', productId: 'ember_total_2',
        gifts: [{ id: 'ember_crystal', name: 'Ember Crystals', count: 320 }, { id: 'dragon_key', name: 'Dragon Keys', count: 3 }], paid: null, isSandbox: true, recovery: null,
      },
    ]); /* a row a line */ // prettier-ignore
    expect(reward).toMatchObject({ state: 'done', tries: 1, receipt_id: `R-${reward?.reward_no}`, is_earned: true });
    expect(await gift(who, 'ember_total_2')).toMatchObject({ state: 'received', delivery: 'delivered' });
    // Again is no failure and no second.
    expect((await receive(who, 'ember_total_2')).code).toBe(1);
    expect(await rewardsOf(who)).toHaveLength(1);
  });

  test('all that were reached come at once', async () => {
    const who = await player();
    await topUp(shop.db, who.playerId, 6000);
    expect((await receive(who, 'ember_total_1')).code).toBe(1);
    expect((await receive(who, 'all')).content.gift_ids).toEqual(['ember_total_2', 'ember_total_3']);
    expect((await running(who)).gifts.map(({ state }) => state)).toEqual([
      'received',
      'received',
      'received',
      'locked',
    ]);
    await handOver();
    expect(new Set(shop.game.granted.map(({ billingNo }) => billingNo)).size).toBe(3);
  });

  test('500 parallel receipts give it once', async () => {
    const who = await player();
    await topUp(shop.db, who.playerId, 2100);
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => receive(who, n % 2 ? 'all' : 'ember_total_1')),
    );
    const codes = new Set(answers.map(({ code }) => code));
    expect(codes.has(1)).toBe(true);
    // Whoever came when everything was received already is told that nothing is left.
    expect([...codes].every((code) => code === 1 || code === -1030)).toBe(true);
    await Promise.all([handOver(), handOver(), handOver()]);
    expect((await rewardsOf(who)).map(({ product_id: step }) => step).toSorted()).toEqual([
      'ember_total_1',
      'ember_total_2',
    ]);
    expect(shop.game.applied.size).toBe(2);
    expect(shop.game.granted).toHaveLength(2);
  }, 60_000);
});

describe('money that goes back', () => {
  test.each(['refunded', 'chargeback'] as const)(
    'lowers what was reached; a received reward stays and is flagged: %s',
    async (how) => {
      const who = await player();
      const first = await topUp(shop.db, who.playerId, 499);
      const second = await topUp(shop.db, who.playerId, 1500);
      expect((await receive(who, 'ember_total_1')).code).toBe(1);
      await reverseOrder(shop.db, second, how);
      expect((await running(who)).totals_shown).toEqual(['$4.99']);
      expect(await gift(who, 'ember_total_2')).toMatchObject({ state: 'locked' });
      expect((await rewardsOf(who))[0]).toMatchObject({ is_earned: true });
      await reverseOrder(shop.db, first, how);
      expect(await gift(who, 'ember_total_1')).toMatchObject({ state: 'received' });
      expect((await rewardsOf(who))[0]).toMatchObject({ is_earned: false, state: 'queued' });
      const flagged = await listRewards(shop.db, { isUnearned: true, gameId: 'emberfall' }, 50);
      expect(flagged.map(({ player_id: id }) => id)).toContain(who.playerId);
      expect((await receive(who, 'ember_total_2')).code).toBe(-1030);
    },
  );

  test('a bank that takes back an overpayment changes nothing', async () => {
    const who = await player();
    const order = await topUp(shop.db, who.playerId, 499);
    await shop.db.query(`update orders set review_reason = 'chargeback' where billing_no = $1`, [order.billingNo]);
    expect((await running(who)).totals_shown).toEqual(['$4.99']);
  });
});

describe('L199 claim or receive failed', () => {
  const send = (who: TestPlayer, over: Record<string, unknown>) => receive(who, 'ember_total_1', over);

  test('a step that is not reached, none at all, and a step that does not exist', async () => {
    const who = await player();
    for (const step of ['ember_total_1', 'all', 'nothing', '__proto__'])
      expect(await receive(who, step)).toMatchObject({
        code: -1030,
        msg: 'This could not be claimed. It may be over or yours already.',
      });
    expect(await rewardsOf(who)).toEqual([]);
  });

  test("a character that is not the player's, or that a bound session may not use", async () => {
    const who = await player();
    await topUp(shop.db, who.playerId, 499);
    expect((await send(who, { role_id: 'r9' })).code).toBe(-1006);
    const bound = `update session set bound = '{"client_id":"70021"}'
      where public_id in (select public_id from session where player_id = $1)`;
    const other = await shop.logIn();
    await shop.db.query(bound, [other.playerId]);
    await showEmberRole(shop.db, other.playerId);
    await topUp(shop.db, other.playerId, 499);
    expect((await send(other, {})).code).toBe(-1006);
    expect((await receive({ ...who, token: 'nobody' }, 'all')).code).toBe(-600);
  });

  test('a game that says no beforehand keeps the reward receivable; one that cannot be asked as well', async () => {
    const who = await player();
    await topUp(shop.db, who.playerId, 499);
    shop.game.script.check = () => ({ kind: 'declined', reason: 'bag_full' });
    expect(await receive(who, 'ember_total_1')).toMatchObject({ code: -1034, msg: expect.stringContaining('bag') });
    shop.game.reset();
    shop.game.script.isDown = true;
    expect((await receive(who, 'ember_total_1')).code).toBe(-1013);
    expect(await gift(who, 'ember_total_1')).toMatchObject({ state: 'receivable', is_declined: false });
    expect(await rewardsOf(who)).toEqual([]);
  });

  test('a game that says no to the grant gives the step back, to be received under another key', async () => {
    const who = await player();
    await showEmberRole(shop.db, who.playerId, 'r2');
    await topUp(shop.db, who.playerId, 499);
    await receive(who, 'ember_total_1');
    shop.game.script.grant = () => ({ kind: 'declined', reason: 'role_not_found' });
    await handOver();
    expect(await gift(who, 'ember_total_1')).toMatchObject({ state: 'receivable', is_declined: true });
    shop.game.reset();
    expect((await receive(who, 'ember_total_1', { role_id: 'r2' })).code).toBe(1);
    await handOver();
    const rewards = await rewardsOf(who);
    expect(rewards.map(({ state, role_id: role }) => [state, role])).toEqual([
      ['done', 'r2'],
      ['rejected', 'r1'],
    ]);
    expect(new Set(rewards.map(({ reward_no: no }) => no)).size).toBe(2);
  });
});

test('an answer that is not clear is asked again with the same key, and the game hands it over once', async () => {
  const who = await player();
  await topUp(shop.db, who.playerId, 499);
  await receive(who, 'ember_total_1');
  shop.game.script.grant = ({ billingNo }) => {
    shop.game.applied.set(billingNo, 1);
    return shop.game.granted.length <= 2 ? { kind: 'unknown', reason: 'HTTP 503' } : undefined;
  };
  for (let round = 0; round < 3; round += 1) {
    await handOver();
    await shop.db.query(`update reward set next_at = now() where state = 'unknown'`);
  }
  const [reward] = await rewardsOf(who);
  expect(reward).toMatchObject({ state: 'done', tries: 3 });
  expect(shop.game.granted.map(({ billingNo }) => billingNo)).toEqual(Array(3).fill(reward?.reward_no));
});

test('a fault of ours in one reward is logged with its number, and the reward follows after its lease', async () => {
  const who = await player();
  await topUp(shop.db, who.playerId, 499);
  await receive(who, 'ember_total_1');
  const before = shop.logLines.length;
  const sealFacts = () => {
    throw new Error('a fault of ours');
  };
  await handOverRewards(shop, { sealFacts });
  const [reward] = await rewardsOf(who);
  expect(reward).toMatchObject({ state: 'calling', tries: 1 });
  const lines = shop.logLines.slice(before).map((line) => JSON.parse(line) as { level: number; reward_no?: string });
  expect(lines).toContainEqual(expect.objectContaining({ level: 50, reward_no: reward?.reward_no }));
  await shop.db.query(`update reward set next_at = now() where player_id = $1`, [who.playerId]);
  await handOver();
  expect((await rewardsOf(who))[0]).toMatchObject({ state: 'done', tries: 2 });
});

test('the loop of a worker hands over what is received, and ends what it began before it stops', async () => {
  const who = await player();
  await topUp(shop.db, who.playerId, 499);
  const { rewards } = shop.services.events;
  rewards.start();
  await receive(who, 'ember_total_1');
  rewards.wake();
  await waitUntil('handed over', async () => (await rewardsOf(who))[0]?.state === 'done');
  await rewards.stop();
  expect(shop.game.granted).toHaveLength(1);
});

describe('L193 -3022 activity does not exist', () => {
  test('L183 for an event that is none, and for a kind without one', async () => {
    const who = await player();
    for (const activityId of ['nothing', 'ember_monthly', '__proto__'])
      expect(await receive(who, 'all', { activity_id: activityId })).toMatchObject({
        code: -3022,
        msg: 'This event does not exist any more.',
      });
    const starlane = '/api/cumulative/cumulativeActivityInfo?client_id=70021';
    expect((await shop.get(starlane, { session: who })).code).toBe(-3022);
    expect((await shop.get('/api/cumulative/status?client_id=70021&type=continue', { session: who })).code).toBe(-3022);
    expect((await shop.get('/api/cumulative/status?client_id=70021', { session: who })).content).toEqual({ list: [] });
    expect((await info(who, 'type=other')).code).toBe(-1001);
  });

  test('for one that is over, and for one of the other kind', async () => {
    const who = await player();
    const { activity_id: now } = await running(who);
    expect((await receive(who, 'all', { activity_id: now.replace(/\d{4}-/, '2020-') })).code).toBe(-3022);
    expect((await receive(who, 'all', { activity_id: now, type: 'continue' })).code).toBe(-3022);
  });

  test("for another brand's", async () => {
    const game = shop.configuration.games.get('emberfall' as never);
    const [monthly] = game?.events ?? [];
    if (!monthly) throw new Error('no event');
    const who = await player();
    const { activity_id: id } = await running(who);
    Object.assign(monthly.file, { brands: ['rhinos'] });
    try {
      expect((await receive(who, 'all', { activity_id: id }).catch(() => ({ code: 0 }))).code).not.toBe(1);
      const body = { client_id: EMBER_CLIENT, activity_id: id, gift_id: 'all', server_id: 's1', role_id: 'r1' };
      expect((await shop.post('/api/cumulative/receiveActivityGift', body, { session: who })).code).toBe(-3022);
      expect((await info(who)).code).toBe(-3022);
      const there = await player('rhinos');
      expect((await info(there, 'type=cumulative', 'rhinos')).code).toBe(1);
    } finally {
      Object.assign(monthly.file, { brands: undefined });
    }
  });
});

test('every reward stands on orders that were delivered before it', async () => {
  const { rows } = await shop.db.query(`select invariant, breaches from invariant_breach where breaches > 0`);
  expect(rows).toEqual([]);
  const who = await player();
  await topUp(shop.db, who.playerId, 499);
  await receive(who, 'ember_total_1');
  await shop.db.query(`update orders set amount_minor = 1 where player_id = $1`, [who.playerId]);
  const broken = await shop.db.query('select from invariant_i40_rewards_were_earned where player_id = $1', [
    who.playerId,
  ]);
  expect(broken.rowCount).toBe(1);
});
