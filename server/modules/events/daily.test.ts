// The daily reward: once a day whoever presses how often, a streak by the calendar of the brand, and its delivery.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Activity } from '#contracts/events.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { EMBER_CLIENT, handOverRewards, showEmberRole } from '#testing/events.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { daysOfCycle, placeToday } from './daily.ts';
import { listRewards } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
  await shop.db.query(`update reward set state = 'done', receipt_id = 'R' where state not in ('done', 'rejected')`);
  shop.game.reset();
});

test.each([
  ['nothing yet', { streak: 0, is_claimed: false }, 0, ['2026-03-30']],
  ['two days, today to come', { streak: 2, is_claimed: false }, 2, ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['over a change of clocks', { streak: 3, is_claimed: true }, 2, ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['after the last step the first', { streak: 7, is_claimed: false }, 0, ['2026-03-30']],
  [
    'the last step',
    { streak: 7, is_claimed: true },
    6,
    ['2026-03-24', '2026-03-25', '2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'],
  ],
])('the step of today: %s', (_name, standing, place, days) => {
  const now = { today: '2026-03-30', ...standing };
  expect([placeToday(now, 7), daysOfCycle(now, 7)]).toEqual([place, days]);
});

const info = async (who: TestPlayer | null): Promise<Activity> => {
  const path = `/api/cumulative/cumulativeActivityInfo?client_id=${EMBER_CLIENT}&type=daily`;
  const [activity] = (await shop.get<{ list: Activity[] }>(path, { session: who })).content.list;
  if (!activity) throw new Error('no daily reward');
  return activity;
};
const claim = (who: TestPlayer, giftId = 'all') =>
  shop.post<{ gift_ids: string[] }>(
    '/api/cumulative/receiveActivityGift',
    {
      client_id: EMBER_CLIENT,
      type: 'daily',
      activity_id: 'ember_campfire',
      gift_id: giftId,
      server_id: 's1',
      role_id: 'r1',
    },
    { session: who },
  );
const states = async (who: TestPlayer) => (await info(who)).gifts.map(({ state }) => state.slice(0, 4)).join(' ');
/** As if today's were claimed so many days ago, with the days before it. */
async function moveBack(who: TestPlayer, days: number): Promise<void> {
  const { rows } = await shop.db.query('select reward_no from reward where player_id = $1 order by issue_key', [
    who.playerId,
  ]);
  // The oldest first: no two may have one day.
  for (const { reward_no: rewardNo } of rows) {
    await shop.db.query(
      `update limit_counter c set product_id = left(c.product_id, -10) || ((w.basis ->> 'day')::date - $2::integer)::text
       from reward w where w.reward_no = $1 and c.account_id = w.account_id and c.product_id = w.issue_key`,
      [rewardNo, days],
    );
    await shop.db.query(
      `update reward set issue_key = left(issue_key, -10) || ((basis ->> 'day')::date - $2::integer)::text,
         basis = jsonb_set(basis, '{day}', to_jsonb(((basis ->> 'day')::date - $2::integer)::text)),
         created_at = created_at - make_interval(days => $2) where reward_no = $1`,
      [rewardNo, days],
    );
  }
}
async function player(): Promise<TestPlayer> {
  const who = await shop.logIn();
  await showEmberRole(shop.db, who.playerId);
  return who;
}

test('strangers see the days, nothing of them reached', async () => {
  const activity = await info(null);
  expect(activity).toMatchObject({ type: 'daily', end_time: 0, is_over: false, days: 0 });
  expect(new Set(activity.gifts.map(({ state }) => state))).toEqual(new Set(['locked']));
  expect(activity.gifts.map(({ need_days: day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('is claimed by a press, granted like every reward, and not again today', async () => {
  const who = await player();
  expect(await states(who)).toBe('rece lock lock lock lock lock lock');
  expect(await claim(who)).toMatchObject({ code: 1, content: { gift_ids: ['ember_campfire_1'] } });
  await handOverRewards(shop);
  const activity = await info(who);
  expect(activity).toMatchObject({ days: 1, is_today_done: true });
  expect(activity.gifts[0]).toMatchObject({ state: 'received', delivery: 'delivered', role_name: 'Kestrel_07' });
  expect(activity.gifts[1]).toMatchObject({ state: 'locked' });
  expect((await claim(who)).code).not.toBe(1);
  expect((await claim(who, 'ember_campfire_2')).code).not.toBe(1);
  const [reward, ...more] = await listRewards(shop.db, { playerId: who.playerId }, 9);
  expect([reward?.product_id, reward?.state, reward?.is_earned, more]).toEqual(['ember_campfire_1', 'done', true, []]);
});

test('500 presses at once give it once', async () => {
  const who = await player();
  const answers = await Promise.all(Array.from({ length: 500 }, () => claim(who)));
  expect(answers.some(({ code }) => code === 1)).toBe(true);
  expect(await listRewards(shop.db, { playerId: who.playerId }, 9)).toHaveLength(1);
}, 60_000);

describe('a streak', () => {
  test('goes on the day after, and begins anew after a missed day', async () => {
    const who = await player();
    await claim(who);
    await moveBack(who, 1);
    expect([await states(who), (await info(who)).days]).toEqual(['rece rece lock lock lock lock lock', 1]);
    expect((await claim(who)).content).toEqual({ gift_ids: ['ember_campfire_2'] });
    expect((await info(who)).days).toBe(2);
    await moveBack(who, 2);
    expect([await states(who), (await info(who)).days]).toEqual(['rece lock lock lock lock lock lock', 0]);
    expect((await claim(who)).content).toEqual({ gift_ids: ['ember_campfire_1'] });
  });

  test('begins with the first step again after the last', async () => {
    const who = await player();
    for (let day = 1; day <= 7; day += 1) {
      expect((await claim(who)).content).toEqual({ gift_ids: [`ember_campfire_${day}`] });
      await moveBack(who, 1);
    }
    expect((await claim(who)).content).toEqual({ gift_ids: ['ember_campfire_1'] });
    expect(await info(who)).toMatchObject({ days: 8, is_today_done: true });
  });

  test('is by the calendar of the brand: the same moment is another date elsewhere', async () => {
    const dates = await Promise.all(
      ['Pacific/Kiritimati', 'Etc/GMT+12'].map(async (zone) => {
        const { rows } = await shop.db.query(`select today::text from daily_standing(gen_random_uuid(), 'x/', $1)`, [
          zone,
        ]);
        return rows[0].today as string;
      }),
    );
    expect((Date.parse(dates[0] ?? '') - Date.parse(dates[1] ?? '')) / 86_400_000).toBeGreaterThanOrEqual(1);
  });
});

test('what the game declined was not claimed: it is there again the same day', async () => {
  const who = await player();
  await claim(who);
  await shop.db.query(
    `select finish_reward(w.player_id, w.reward_no, w.tries, 'declined', null, 'full', null)
     from lease_rewards(9, interval '1 minute', '{}') w`,
  );
  expect((await info(who)).gifts[0]).toMatchObject({ state: 'receivable', is_declined: true });
  expect((await claim(who)).code).toBe(1);
});

test('nothing of it is claimed once its run is over, whatever the caller has seen', async () => {
  const who = await player();
  const { rows } = await shop.db.query('select (now() at time zone $1)::date::text as day', ['UTC']);
  const basis = { kind: 'daily', day: rows[0].day, streak: 1, time_zone: 'UTC', regions: [] };
  const receive = async (from: string, until: string) => {
    const values = [
      who.playerId,
      'event/emberfall/x/',
      { issue_key: 'event/emberfall/x/1', basis: { ...basis, from, until } },
    ];
    const answer = await shop.db.query(`select receive_daily($1, '{}', $2, $3) as outcomes`, values);
    return answer.rows[0].outcomes;
  };
  expect(await receive('2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z')).toMatchObject([{ outcome: 'locked' }]);
  expect(await receive('2090-01-01T00:00:00Z', '2091-01-01T00:00:00Z')).toMatchObject([{ outcome: 'locked' }]);
});
