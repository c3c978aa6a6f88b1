// Hands rewards over to games: leases due rows, calls the game with no transaction open, writes what it answered. The
// row is the job, as with the deliveries of orders; few come at a time, so each is written by itself.
import type { GameId } from '#kernel/ids.ts';
import type { Environment } from '#kernel/environment.ts';
import { type FindGameServer, grant, readOutcome, type SealFacts } from '#server/modules/orders/service.ts';
import { type Db, isDatabaseDown } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { type Repeat, repeatByTimer } from '#server/platform/repeat.ts';
import { finishReward, leaseRewards, type LeasedReward } from './store.ts';

/** Grant timeout 10 s + 5 s, as with orders: a dead process's calls are taken up again after this. */
const LEASE_SECONDS = 15;
const MAX_BATCH_SIZE = 20;
/** Our choice: calls of one game at once; a game that hangs holds up its own rewards alone. */
const SLOTS_PER_GAME = 20;
/** Our choice: a reward is seen in the game within a second, also when another process received it. */
const POLL_MS = 1000;

export type RewardLoop = { start(): void; wake(): void; stop(): Promise<void> };

type RewardDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly environment: Environment;
  readonly gameServer: FindGameServer;
  readonly sealFacts?: SealFacts | undefined;
  readonly random?: (() => number) | undefined;
};

export function createRewardLoop(deps: RewardDeps & { readonly repeat?: Repeat | undefined }): RewardLoop {
  const { log, repeat = repeatByTimer } = deps;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let isStopped = false;
  let stopPolling: (() => void) | undefined;

  const inFlight = new Map<GameId, number>();
  const calls = new Set<Promise<void>>();

  function begin(reward: LeasedReward): void {
    const { game_id: game } = reward;
    inFlight.set(game, (inFlight.get(game) ?? 0) + 1);
    const { reward_no, tries } = reward;
    const call = handOver(deps, reward)
      .catch((error: unknown) => say(error, { reward_no, tries }))
      .finally(() => {
        calls.delete(call);
        inFlight.set(game, (inFlight.get(game) ?? 1) - 1);
        // A slot is free, and more of this game may be due.
        wake();
      });
    calls.add(call);
  }

  async function workOff(): Promise<void> {
    do {
      isWoken = false;
      const busy = [...inFlight].filter(([, count]) => count >= SLOTS_PER_GAME).map(([game]) => game);
      const leased = await leaseRewards(deps.db, MAX_BATCH_SIZE, LEASE_SECONDS, busy);
      leased.forEach(begin);
      isWoken ||= leased.length === MAX_BATCH_SIZE;
    } while (isWoken && !isStopped);
  }

  const say = (error: unknown, about = {}): void =>
    log[isDatabaseDown(error) ? 'warn' : 'error'](
      { err: error, ...about },
      'rewards stopped half-way; the next round goes on',
    );

  function wake(): void {
    isWoken = true;
    if (running || isStopped) return;
    running = workOff()
      .catch(say)
      .finally(() => {
        running = null;
      });
  }

  return {
    wake,
    start: () => {
      stopPolling = repeat(POLL_MS, wake);
      wake();
    },
    stop: async () => {
      isStopped = true;
      stopPolling?.();
      await running;
      await Promise.all(calls);
    },
  };
}

async function handOver(deps: RewardDeps, reward: LeasedReward): Promise<void> {
  const recovery = deps.sealFacts?.(reward.facts) ?? null;
  const outcome = await grant(deps, reward, { key: reward.reward_no, gifts: reward.gifts, paid: null, recovery });
  const answer = readOutcome(outcome, reward.tries, (deps.random ?? Math.random)());
  const { reason } = answer;
  const state = await finishReward(deps.db, reward, answer);
  if (state === 'done') return;
  const fields = { reward_no: reward.reward_no, tries: reward.tries, reason };
  if (state === 'dead')
    deps.log.error({ alert: 'reward', ...fields }, 'a reward was not handed over; needs manual review');
  else if (state === 'rejected') deps.log.warn(fields, 'the game declined a reward; the player can receive it again');
  else deps.log.warn(fields, 'a reward was not confirmed; will retry');
}
