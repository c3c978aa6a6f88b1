// All SQL of events and their rewards outside the functions in sql/.
import type { Texts } from '#contracts/files.ts';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, callFunction, query, toJsonb } from '#server/platform/database/db.ts';

/**
 * Records the need of a step as the files state it now: a reward keeps it for ever. Amounts are minor units by
 * currency.
 */
export type RewardBasis = {
  readonly from: string;
  readonly until: string;
  readonly time_zone: string;
  /** Empty: everywhere. */
  readonly regions: readonly string[];
  /** Brands whose orders count; empty: all. Missing: that of the player, as rewards from before have it. */
  readonly brands?: readonly string[];
  /** Earned with orders of another player of the account, whose person was erased since. */
  readonly is_partly_erased?: true;
  /** Received a second time after a restored backup: the number of the first. */
  readonly again_of?: string;
} & (
  | { readonly kind: 'cumulative'; readonly total: Readonly<Record<string, number>> }
  | { readonly kind: 'continuous'; readonly days: number; readonly least: Readonly<Record<string, number>> }
  /** `day` is "2026-11-23" of the zone, `streak` counts the days in a row with this one. */
  | { readonly kind: 'daily'; readonly day: string; readonly streak: number }
);
type Window = Pick<RewardBasis, 'from' | 'until' | 'time_zone' | 'regions' | 'brands'>;

export type RewardState = 'queued' | 'calling' | 'done' | 'rejected' | 'unknown' | 'dead';
export type RewardGift = { readonly id: string; readonly name: string; readonly count: number };

export type RewardRow = {
  player_id: PlayerId; reward_no: string; issue_key: string; brand_key: BrandKey; game_id: GameId; client_id: string; server_id: string; area_id: string;
  role_id: string; role_name: string; suid: string; product_id: string; gifts: RewardGift[]; title: Texts; basis: RewardBasis; state: RewardState;
  tries: number; next_at: Date; receipt_id: string | null; last_error: string | null; created_at: Date; done_at: Date | null;
}; /* a row a line */ // prettier-ignore

type Owner = { readonly playerId: PlayerId; readonly brandKey: BrandKey; readonly gameId: GameId };

/** Sums the payments of a player's account in a window, by day of the calendar and currency. */
export async function readPaidDays(
  db: Queryable,
  { playerId, brandKey, gameId }: Owner,
  { from, until, time_zone, regions, brands }: Window,
): Promise<{ day: string; currency: Currency; amountMinor: number }[]> {
  const rows = await query<{ day: string; currency: Currency; amount_minor: number }>(
    db,
    'event_days',
    'select day::text, currency, amount_minor from event_days($1, $2, $3, $4, null) order by 1, 2',
    [playerId, brandKey, gameId, toJsonb({ from, until, time_zone, regions, brands })],
  );
  return rows.map(({ day, currency, amount_minor: amountMinor }) => ({ day, currency, amountMinor }));
}

/** Rewards of these steps, the newest first: those of the player's account, of whatever brand. */
export function listRewardsOf(
  db: Queryable,
  playerId: PlayerId,
  issueKeys: readonly string[],
): Promise<Pick<RewardRow, 'issue_key' | 'state' | 'role_name'>[]> {
  return query(
    db,
    'rewards_of_steps',
    `select issue_key, state, role_name from reward where account_id = account_of($1) and issue_key = any($2)
     order by created_at desc, reward_no desc`,
    [playerId, issueKeys],
  );
}

export type Receiver = Pick<
  RewardRow,
  'brand_key' | 'game_id' | 'client_id' | 'server_id' | 'area_id' | 'role_id' | 'suid'
>;
export type NewReward = Pick<RewardRow, 'reward_no' | 'issue_key' | 'product_id' | 'gifts' | 'title' | 'basis'>;
export type ReceiveOutcome = { issue_key: string; outcome: 'received' | 'had' | 'locked' };

/** Receives rewards, each once. Null: a character that the game has not shown us lately. */
export function receiveRewards(
  db: Queryable,
  playerId: PlayerId,
  receiver: Receiver,
  rewards: readonly NewReward[],
): Promise<ReceiveOutcome[] | null> {
  return callFunction(db, 'receive_rewards', { player_id: playerId, receiver, rewards });
}

export type DailyStanding = { readonly today: string; readonly streak: number; readonly is_claimed: boolean };

/** Reads the standing of a player's account in a daily reward. @param run what the issue keys of its rewards begin with */
export async function readDailyStanding(
  db: Queryable,
  playerId: PlayerId,
  run: string,
  timeZone: string,
): Promise<DailyStanding> {
  const [row] = await query<DailyStanding>(
    db,
    'daily_standing',
    'select today::text, streak, is_claimed from daily_standing($1, $2, $3)',
    [playerId, run, timeZone],
  );
  if (!row) throw new Error('daily_standing answers one row');
  return row;
}

/** Receives today's, once. Null: a character that the game has not shown us lately. */
export function receiveDaily(
  db: Queryable,
  playerId: PlayerId,
  receiver: Receiver,
  run: string,
  reward: NewReward,
): Promise<ReceiveOutcome[] | null> {
  return callFunction(db, 'receive_daily', { player_id: playerId, receiver, run, reward });
}

/** Made by sql/reward_facts.sql, read by sql/adopt_reward.sql; here are the fields that code looks at. */
export type RewardFacts = Pick<RewardRow, 'player_id' | 'reward_no' | 'game_id' | 'issue_key' | 'product_id'>;
export type LeasedReward = RewardRow & { readonly facts: RewardFacts };

/** Leases due rewards for `leaseSeconds`; committed before the game is called. None of a game that is `busy`. */
export function leaseRewards(
  db: Queryable,
  limit: number,
  leaseSeconds: number,
  busy: readonly GameId[] = [],
): Promise<LeasedReward[]> {
  return query(
    db,
    'lease_rewards',
    `select w.*, reward_facts(w.player_id, w.reward_no) as facts
     from lease_rewards($1, make_interval(secs => $2), $3) w`,
    [limit, leaseSeconds, busy],
  );
}

export function finishReward(
  db: Queryable,
  { player_id, reward_no, tries }: Pick<RewardRow, 'player_id' | 'reward_no' | 'tries'>,
  answer: {
    kind: 'done' | 'declined' | 'unknown';
    receipt_id: string | null;
    reason: string | null;
    /** Null with unknown: given up, for a person to look at. */
    retry_in_seconds: number | null;
  },
): Promise<RewardState> {
  return callFunction(db, 'finish_reward', { player_id, reward_no, tries, ...answer });
}

/** Of a reward, whether the orders still reach its step: false after refunds, and then a person may look. */
export type ShownReward = RewardRow & { is_earned: boolean };

export type RewardFilter = {
  readonly playerId?: PlayerId;
  readonly brandKey?: string;
  readonly gameId?: string;
  /** "emberfall/monthly": the rewards of one event, of all its runs. */
  readonly event?: string;
  readonly state?: RewardState;
  readonly isUnearned?: boolean;
};

/** Rewards for an operator's eyes, the newest first. */
export function listRewards(db: Queryable, filter: RewardFilter, limit: number): Promise<ShownReward[]> {
  return query(
    db,
    'rewards_list',
    `select * from (
       select w.*, event_reached(w.player_id, w.brand_key, w.game_id, w.basis, null) as is_earned from reward w
       where ($1::uuid is null or w.player_id = $1) and ($2::text is null or w.game_id = $2)
         and ($3::text is null or starts_with(w.issue_key, 'event/' || $3 || '/')
           or starts_with(w.issue_key, 'event/' || $3 || '.'))
         and ($4::text is null or w.state = $4) and ($7::text is null or w.brand_key = $7)
     ) r where not $5 or (not r.is_earned and r.state <> 'rejected') order by r.created_at desc, r.reward_no limit $6`,
    [
      filter.playerId ?? null,
      filter.gameId ?? null,
      filter.event ?? null,
      filter.state ?? null,
      filter.isUnearned ?? false,
      limit,
      filter.brandKey ?? null,
    ],
  );
}

/** How many rewards of each event stand in each state. */
export function countRewards(
  db: Queryable,
): Promise<{ game_id: string; event: string; state: RewardState; rewards: number }[]> {
  return query(
    db,
    'rewards_count',
    `select game_id, split_part(split_part(issue_key, '/', 3), '.', 1) as event, state, count(*)::integer as rewards
     from reward group by 1, 2, 3 order by 1, 2, 3`,
    [],
  );
}

/** Asks the game again for a reward that was given up; false when there is none such. */
export async function retryReward(db: Queryable, rewardNo: string): Promise<boolean> {
  const rows = await query(
    db,
    'reward_retry',
    // A fresh row of tries: the schedule begins anew.
    `update reward set state = 'queued', tries = 0, next_at = now()
      where reward_no = $1 and state = 'dead' returning reward_no`,
    [rewardNo],
  );
  return rows.length > 0;
}

/** Of these rewards, those that are known here to be handed over. */
export async function listRewardsDone(db: Queryable, rewardNos: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ reward_no: string }>(
    db,
    'rewards_done',
    `select reward_no from reward where reward_no = any($1) and state = 'done'`,
    [rewardNos],
  );
  return new Set(rows.map((row) => row.reward_no));
}

export type Adoption = {
  readonly outcome: string;
  readonly player_id: PlayerId;
  /** `reward_stopped`: a second one ended before its game was asked; `reward_given_twice`: it may have been. */
  readonly decisions: readonly { decision: 'reward_stopped' | 'reward_given_twice'; second: string }[];
};

export const adoptReward = (db: Queryable, facts: RewardFacts, receiptId: string): Promise<Adoption> =>
  callFunction(db, 'adopt_reward', {
    player_id: facts.player_id,
    reward_no: facts.reward_no,
    facts,
    receipt_id: receiptId,
  });
