// `refill event`: what is open, what players received, and a reward that was given up asked again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Run, runCommand } from '#cli/test-run.ts';
import type { Activity } from '#contracts/events.ts';
import { EMBER_CLIENT, showEmberRole, reverseOrder, topUp } from '#testing/events.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
  await showEmberRole(shop.db, player.playerId);
});
afterAll(() => shop.close());

const refill = (...args: string[]): Promise<Run> => runCommand(['event', ...args], { DATABASE_URL: shop.databaseUrl });
const json = async (...args: string[]) => JSON.parse((await refill(...args, '--json')).out);

test('lists events with their open runs, and rewards with a flag for money that went back', async () => {
  const order = await topUp(shop.db, player.playerId, 499);
  const { content } = await shop.get<{ list: Activity[] }>(
    `/api/cumulative/cumulativeActivityInfo?client_id=${EMBER_CLIENT}`,
  );
  const activity = content.list.find((one) => !one.is_over)?.activity_id ?? '';
  const body = { client_id: EMBER_CLIENT, activity_id: activity, gift_id: 'all', server_id: 's1', role_id: 'r1' };
  expect((await shop.post('/api/cumulative/receiveActivityGift', body, { session: player })).code).toBe(1);

  const monthly = (await json('list')).events.find((one: { event: string }) => one.event === 'ember_monthly');
  expect(monthly).toMatchObject({ game: 'emberfall', kind: 'cumulative', steps: 4, rewards: { queued: 1 } });
  expect(monthly.open.map((one: { activity_id: string }) => one.activity_id)).toContain(activity);
  expect((await refill('list')).out).toContain(activity);

  const whose = ['--brand', 'watt', '--player', player.suid];
  const { rewards } = await json('rewards', ...whose);
  expect(rewards).toMatchObject([{ product_id: 'ember_total_1', state: 'queued', is_earned: true, role_id: 'r1' }]);
  expect((await json('rewards', '--flagged')).rewards).toEqual([]);
  await reverseOrder(shop.db, order, 'refunded');
  expect((await json('rewards', '--flagged', '--game', 'emberfall', '--event', 'ember_monthly')).rewards).toHaveLength(
    1,
  );
  expect((await json('rewards', '--brand', 'rhinos')).rewards).toEqual([]);
  expect((await refill('rewards', ...whose)).out).toContain('money went back');
  // At one look with all else that is the player's.
  const look = (...more: string[]) =>
    runCommand(['player', 'show', ...whose, ...more], { DATABASE_URL: shop.databaseUrl });
  expect(JSON.parse((await look('--json')).out).rewards).toMatchObject([{ reward_no: rewards[0].reward_no }]);
  expect((await look()).out).toContain(rewards[0].reward_no);

  const no = rewards[0].reward_no;
  expect((await refill('retry', no)).code).toBe(3);
  await shop.db.query(`update reward set state = 'dead' where reward_no = $1`, [no]);
  expect(await refill('retry', no, '--by', 'anna')).toMatchObject({ code: 0, out: expect.stringContaining(no) });
  expect((await json('rewards', '--state', 'queued')).rewards).toHaveLength(1);
  const { rows } = await shop.db.query(`select actor, details from audit_entry where act = 'reward-retry'`);
  expect(rows).toEqual([{ actor: 'anna', details: { reward: no } }]);
});

test.each([
  [['rewards', '--state', 'gone'], '--state "gone": it must be one of'],
  [['rewards', '--game', 'chess'], '--game "chess": known are'],
  [['rewards', '--event', 'ember_monthly'], '--event: say with --game'],
  [['rewards', '--player', 'u'], '--player: say with --brand'],
])('%j is refused with one sentence', async (args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});
