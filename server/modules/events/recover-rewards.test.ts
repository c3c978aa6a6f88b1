// Rewards that a restored database does not know: received in one copy of a database, taken in by the other.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ulid } from 'ulid';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { adoptOrder, type RecoveryFacts } from '#server/modules/orders/recovery/recovery-store.ts';
import { sealFacts } from '#server/modules/orders/service.ts';
import { type Db, openDb, query } from '#server/platform/database/db.ts';
import { createTestDatabase, openTestDatabase } from '#testing/database.ts';
import { EMBER_CLIENT, showEmberRole, topUp } from '#testing/events.ts';
import { makePlayer } from '#testing/orders.ts';
import { findLostRewards, recoverRewards } from './recover-rewards.ts';
import {
  finishReward,
  leaseRewards,
  readDailyStanding,
  type RewardFacts,
  receiveDaily,
  receiveRewards,
} from './store.ts';

const KEYS = ['reward-test-secret-0123456789'];
const GAME = 'emberfall' as GameId;
const RUN = 'event/emberfall/ember_campfire/';
const ZONE = 'Etc/UTC';
const YEAR = { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z', time_zone: ZONE, regions: [] };

let base: Awaited<ReturnType<typeof openTestDatabase>>;
let player: PlayerId;
let lost: Db;
let here: Db;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  base = await openTestDatabase(2);
  player = await makePlayer(base.db);
  await showEmberRole(base.db, player);
  await query(
    base.db,
    'test_identity',
    `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', 'test', 'kestrel', $1)`,
    [player],
  );
  await base.db.end();
});
afterAll(() => base.drop().catch(() => undefined));
beforeEach(async () => {
  const open = async () => {
    const { url, drop } = await createTestDatabase(base.url);
    const db = openDb(url, { max: 2, onError: () => undefined });
    ends.push(async () => {
      await db.end();
      await drop();
    });
    return db;
  };
  [lost, here] = [await open(), await open()];
});
afterEach(async () => {
  try {
    for (const db of [lost, here]) {
      const broken = (await db.query('select * from invariant_breach where breaches > 0')).rows;
      if (broken.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken)}`);
    }
  } finally {
    await Promise.all(ends.splice(0).map((end) => end()));
  }
});

const receiver = {
  brand_key: 'watt' as BrandKey, game_id: GAME, client_id: EMBER_CLIENT, server_id: 's1', area_id: '', role_id: 'r1',
  suid: 'S-1',
}; /* a row a line */ // prettier-ignore
const given = { product_id: 'd1', gifts: [{ id: 'gem', name: 'Gem', count: 5 }], title: { en: 'Day 1' } };

/** Today's, received. @returns its number */
async function claim(db: Db): Promise<string> {
  const { today, streak } = await readDailyStanding(db, player, RUN, ZONE);
  const reward = {
    ...given,
    reward_no: `RW-${ulid()}`,
    issue_key: `${RUN}${today}`,
    basis: { ...YEAR, kind: 'daily', day: today, streak: streak + 1 } as const,
  };
  const outcomes = await receiveDaily(db, player, receiver, RUN, reward);
  expect(outcomes).toMatchObject([{ outcome: 'received' }]);
  return reward.reward_no;
}

/** The game gets it, with its facts. */
async function handOver(db: Db, answer = true): Promise<RewardFacts[]> {
  const leased = await leaseRewards(db, 10, 15);
  for (const reward of leased)
    if (answer)
      await finishReward(db, reward, { kind: 'done', receipt_id: 'R-1', reason: null, retry_in_seconds: null });
  return leased.map((reward) => reward.facts);
}

const applied = (facts: RewardFacts, recovery: string | null = sealFacts('live', KEYS, facts)) => ({
  key: facts.reward_no,
  receiptId: `R-${facts.reward_no}`,
  recovery,
});
const evidenceOf = (...rewards: ReturnType<typeof applied>[]) =>
  findLostRewards(here, rewards, { gameId: GAME, environment: 'live', keySecrets: KEYS });
const recover = async (facts: readonly RewardFacts[], isActing = true) =>
  recoverRewards({ db: here, by: 'anna', isActing }, await evidenceOf(...facts.map((one) => applied(one))));
const rowsOf = async (db: Db) =>
  (await db.query('select reward_no, issue_key, state, receipt_id, basis from reward order by reward_no')).rows;

test('a daily reward of the lost time is taken in once, and today is received', async () => {
  const rewardNo = await claim(lost);
  const facts = await handOver(lost);
  expect(await recover(facts, false)).toMatchObject([{ reward_no: rewardNo, outcome: 'adopted', decisions: [] }]);
  expect(await rowsOf(here)).toEqual([]);
  expect(await recover(facts)).toMatchObject([{ reward_no: rewardNo, outcome: 'adopted', decisions: [] }]);
  expect(await recover(facts)).toEqual([]);
  const [there] = await rowsOf(lost);
  expect(await rowsOf(here)).toEqual([{ ...there, receipt_id: `R-${rewardNo}` }]);
  expect(await readDailyStanding(here, player, RUN, ZONE)).toMatchObject({ streak: 1, is_claimed: true });
  const { rows } = await here.query('select actor, act, details from audit_entry');
  expect(rows).toMatchObject([{ actor: 'anna', act: 'adopt-reward', details: { reward_no: rewardNo } }]);
});

test('a second one that no game was asked for ends; one that was asked for is told', async () => {
  const first = await claim(lost);
  const facts = await handOver(lost);
  const second = await claim(here);
  expect(await recover(facts)).toMatchObject([
    { outcome: 'adopted', decisions: [{ decision: 'reward_stopped', second }] },
  ]);
  expect(await leaseRewards(here, 10, 15)).toEqual([]);
  expect((await rowsOf(here)).map((row) => row.state)).toEqual(['done', 'rejected']);
  expect((await rowsOf(here))[0]).toMatchObject({ reward_no: first });
});

test('goods that were given twice stand in the books twice, and the day is received once', async () => {
  const first = await claim(lost);
  const facts = await handOver(lost);
  const second = await claim(here);
  await handOver(here);
  expect(await recover(facts)).toMatchObject([{ decisions: [{ decision: 'reward_given_twice', second }] }]);
  expect(await rowsOf(here)).toMatchObject([
    { reward_no: first, state: 'done' },
    { reward_no: second, state: 'done', basis: { again_of: first } },
  ]);
  expect(await readDailyStanding(here, player, RUN, ZONE)).toMatchObject({ streak: 1, is_claimed: true });
});

test('one that was received before the backup and handed over after it is done', async () => {
  const rewardNo = await claim(lost);
  await here.query('insert into reward select * from jsonb_populate_record(null::reward, $1::jsonb)', [
    JSON.stringify((await lost.query('select * from reward')).rows[0]),
  ]);
  const facts = await handOver(lost);
  expect(await recover(facts)).toMatchObject([{ outcome: 'adopted', decisions: [] }]);
  expect(await rowsOf(here)).toMatchObject([{ reward_no: rewardNo, state: 'done' }]);
});

test('a step that orders reached holds with orders that were taken in', async () => {
  const { billingNo } = await topUp(lost, player, 500);
  const basis = { ...YEAR, kind: 'cumulative', total: { USD: 500 } } as const;
  const reward = { ...given, reward_no: `RW-${ulid()}`, issue_key: 'event/emberfall/total/t1', basis };
  expect(await receiveRewards(lost, player, receiver, [reward])).toMatchObject([{ outcome: 'received' }]);
  const [facts] = await handOver(lost);
  const { rows } = await lost.query<{ facts: RecoveryFacts }>('select recovery_facts($1, $2) as facts', [
    player,
    billingNo,
  ]);
  await adoptOrder(here, rows[0]?.facts as RecoveryFacts, 'R');
  expect(await recover([facts as RewardFacts])).toMatchObject([{ outcome: 'adopted' }]);
  expect(await receiveRewards(here, player, receiver, [reward])).toMatchObject([{ outcome: 'had' }]);
});

test('a text that is missing or of another reward is for a person', async () => {
  await claim(lost);
  const [facts] = (await handOver(lost)) as [RewardFacts];
  const other = { ...facts, reward_no: `RW-${ulid()}` };
  const evidence = await evidenceOf(applied(facts, null), applied(other, sealFacts('live', KEYS, facts)));
  const outcomes = (await recoverRewards({ db: here, by: 'anna', isActing: true }, evidence)).map((one) => one.outcome);
  expect(outcomes).toEqual(['no_recovery_text', 'not_our_recovery_text']);
  expect(await rowsOf(here)).toEqual([]);
});

test('a grant that is sent again has the text that it had', async () => {
  await claim(lost);
  const [first] = (await handOver(lost, false)) as [RewardFacts];
  await lost.query('update reward set next_at = now()');
  const [second] = (await handOver(lost)) as [RewardFacts];
  expect(sealFacts('live', KEYS, second)).toBe(sealFacts('live', KEYS, first));
});
