// Hands the callbacks of the local record on when the database is back, through the door of those that arrive.
import { DAY_MS } from '#kernel/time.ts';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { HEARTBEAT_MS, type Taken } from '#server/platform/record/durable-record.ts';
import { type Repeat, repeatByTimer } from '#server/platform/repeat.ts';
import { applyProven, type CallbackDeps, takeUnproven } from '#server/modules/orders/payments/take-callback.ts';
import type { CallbackRecord, ProvenCallback, UnprovenCallback } from './callback-record.ts';

/** `waiting`: what still lies in files of this process. */
export type ReplayOutcome = { readonly replayed: number; readonly waiting: number; readonly isDatabaseAway: boolean };

export type RecordLoop = {
  start(): void;
  /** Leaves what still lies here to whoever comes next. */
  stop(): Promise<void>;
  /** One round at once, also over files that others left. */
  runOnce(): Promise<ReplayOutcome>;
};

/** Files of dead processes are looked for at the start and in every so many rounds. */
const ROUNDS_A_LOOK = 12;
/** Our choice: what nobody could prove in a week will not be proven. */
const UNPROVEN_DAYS = 7;

export function createRecordLoop(deps: {
  readonly record: CallbackRecord;
  readonly callbacks: CallbackDeps;
  readonly repeat?: Repeat | undefined;
}): RecordLoop {
  const { callbacks, record, repeat = repeatByTimer } = deps;
  const { log, now } = callbacks;
  let round = 0;
  let running: Promise<unknown> | null = null;
  let stopRounds: (() => void) | null = null;
  let isStopped = false;

  async function replayAll(): Promise<ReplayOutcome> {
    let replayed = 0;
    let isDatabaseAway = false;
    const counting =
      <One extends ProvenCallback | UnprovenCallback>(take: (one: One) => Promise<Taken>) =>
      async (one: One): Promise<Taken> => {
        // A process that ends leaves the rest where it lies.
        if (isStopped) return 'stop';
        const how = await take(one).catch((error: unknown): Taken => {
          if (isDatabaseDown(error)) isDatabaseAway = true;
          else log.error({ err: error, provider: one.provider }, 'a callback of the local record cannot be applied');
          return isDatabaseAway ? 'stop' : 'later';
        });
        if (how === 'done') {
          replayed += 1;
          countEvent('callbacksRecorded', { provider: one.provider, outcome: 'replayed' });
        }
        return how;
      };
    // The cache serves the checks of this round only, and none of the callbacks that arrive.
    const cache: ProviderContext['cache'] = new Map();
    const mayGoOn = await record.proven.replay(
      counting(async (one: ProvenCallback) => ((await applyProven(callbacks, one)) ? 'done' : 'later')),
    );
    if (mayGoOn) await record.unproven.replay(counting((one: UnprovenCallback) => takeLater(one, cache)));
    if (replayed > 0)
      log.warn({ replayed, waiting: record.figures().entries }, 'callbacks of the local record were applied');
    return { replayed, waiting: record.figures().entries, isDatabaseAway };
  }

  async function takeLater(one: UnprovenCallback, cache: ProviderContext['cache']): Promise<Taken> {
    if ((await takeUnproven(callbacks, one, cache)) === 'done') return 'done';
    if (now() - Date.parse(one.at) < UNPROVEN_DAYS * DAY_MS) return 'later';
    countEvent('callbacksRecorded', { provider: one.provider, outcome: 'dropped' });
    log.error({ provider: one.provider, at: one.at, alert: 'callback_record' }, 'a callback was never proven: dropped');
    return 'done';
  }

  async function takeLeftovers(): Promise<void> {
    await record.proven.takeLeftovers();
    await record.unproven.takeLeftovers();
  }

  async function beat(): Promise<void> {
    await record.proven.beat();
    await record.unproven.beat();
  }

  const run = (isLooking: boolean): Promise<ReplayOutcome> => {
    const work = (async () => {
      await beat();
      if (isLooking) await takeLeftovers();
      return replayAll();
    })();
    running = work;
    return work.finally(() => {
      if (running === work) running = null;
    });
  };

  return {
    start: () => {
      isStopped = false;
      const next = () => {
        // While one round works off a long record, its files are touched by it.
        if (running) return;
        const isLooking = round % ROUNDS_A_LOOK === 0;
        round += 1;
        if (!isLooking && record.figures().entries === 0) return;
        run(isLooking).catch((error: unknown) => log.error({ err: error }, 'the local record could not be looked at'));
      };
      stopRounds = repeat(HEARTBEAT_MS, next);
      next();
    },
    stop: async () => {
      isStopped = true;
      stopRounds?.();
      await running?.catch(() => undefined);
      await record.proven.release();
      await record.unproven.release();
    },
    runOnce: async () => {
      await running?.catch(() => undefined);
      return run(true);
    },
  };
}
