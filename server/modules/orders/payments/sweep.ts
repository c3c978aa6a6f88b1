// What keeps orders moving when nobody is looking: callbacks that wait, the query ladder, expiry. Any replica may run it; rows are
// claimed with SKIP LOCKED, so two do not do the same.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, isDatabaseDown } from '#server/platform/database/db.ts';
import type { Jobs } from '#server/platform/database/jobs.ts';
import type { Log } from '#server/platform/log.ts';
import { type Repeat, allAtOnce, repeatByTimer } from '#server/platform/repeat.ts';
import { type ExpiredOrder, takeDueAttempts, takeExpiredOrders } from './attempt-store.ts';
import { checkInvariantsHourly } from '#server/modules/invariants/service.ts';
import { SETTLE_QUEUE } from './queues.ts';
import { type RefundDeps, refundDue, revokeDue } from '#server/modules/orders/refunds/refund-payment.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';
import { type CallbackDeps, retryWaitingCallbacks } from './take-callback.ts';

export type Sweeper = { start(): Promise<void>; stop(): Promise<void> };

/** Our choice: an early callback is applied within 5 s (RELIABILITY test 11), a due question asked within 5 s, expiry within 30 s. */
const CALLBACKS_MS = 2000;
const LADDER_MS = 5000;
const EXPIRY_MS = 30_000;
const REFUNDS_MS = 5000;
const LADDER_AT_ONCE = 100;
/** Our choice: a provider that hangs then holds up twenty orders for one call, and not a hundred one after the other. */
const EXPIRED_AT_ONCE = 20;
/** How often a worker looks whether the hourly check is due: one of them finds that it is. */
const INVARIANTS_MS = 300_000;

type SettleJob = {
  playerId: PlayerId;
  billingNo: BillingNo;
  attemptNo: number;
  asked?: number;
  everySeconds?: number;
  isExpiring?: boolean;
};

export function createSweeper(deps: {
  db: Db;
  log: Log;
  jobs: Jobs;
  settle: SettleDeps;
  callbacks: CallbackDeps;
  refunds: RefundDeps;
  repeat?: Repeat | undefined;
}): Sweeper {
  const { db, log, jobs, repeat = repeatByTimer } = deps;
  const stops: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  let isStopped = false;

  /** @param work answers true when it left something over: then it goes on at once */
  function every(ms: number, name: string, work: () => Promise<boolean | void>): void {
    let isRunning = false;
    const workOff = async () => {
      while ((await work()) === true && !isStopped);
    };
    const run = () => {
      if (isRunning) return;
      isRunning = true;
      const task = workOff()
        .catch((error: unknown) =>
          log[isDatabaseDown(error) ? 'warn' : 'error'](
            { err: error },
            `${name} stopped half-way; the next round goes on`,
          ),
        )
        .finally(() => {
          isRunning = false;
          running.delete(task);
        });
      running.add(task);
    };
    stops.push(repeat(ms, run));
    run();
  }

  async function climbLadder(): Promise<boolean> {
    const attempts = await takeDueAttempts(db, LADDER_AT_ONCE);
    for (const due of attempts) {
      // Named by its turn, not by the number of the question: a turn that a poll had just taken leaves the number as it was.
      await jobs.send(null, SETTLE_QUEUE, `${due.billing_no}-${due.attempt_no}-${due.next_query_at.getTime()}`, {
        playerId: due.player_id, billingNo: due.billing_no, attemptNo: due.attempt_no, asked: due.query_count,
      } satisfies SettleJob); // prettier-ignore
    }
    return attempts.length === LADDER_AT_ONCE;
  }

  async function expireOrders(): Promise<boolean> {
    const orders = await takeExpiredOrders(db, EXPIRED_AT_ONCE);
    await allAtOnce(orders, closeExpired);
    return orders.length === EXPIRED_AT_ONCE;
  }

  async function closeExpired(order: ExpiredOrder): Promise<void> {
    const { player_id: playerId, billing_no: billingNo } = order;
    for (const attemptNo of order.attempts) {
      await settlePayment(deps.settle, { playerId, billingNo, attemptNo }, { isExpiring: true }).catch(
        (error: unknown) => log.warn({ err: error, billing_no: billingNo }, 'an unpaid order could not be closed yet'),
      );
    }
  }

  return {
    start: async () => {
      isStopped = false;
      await jobs.work<SettleJob>(SETTLE_QUEUE, async (job) => {
        const { asked, everySeconds, isExpiring, ...attempt } = job;
        await settlePayment(deps.settle, attempt, {
          ...(asked === undefined ? {} : { asked }),
          ...(everySeconds === undefined ? {} : { everySeconds }),
          ...(isExpiring ? { isExpiring } : {}),
        });
      });
      every(CALLBACKS_MS, 'waiting callbacks', () => retryWaitingCallbacks(deps.callbacks));
      every(LADDER_MS, 'the query ladder', climbLadder);
      every(EXPIRY_MS, 'expiry', expireOrders);
      every(REFUNDS_MS, 'refunds', () => refundDue(deps.refunds));
      every(REFUNDS_MS, 'revocations', () => revokeDue(deps.refunds));
      every(INVARIANTS_MS, 'the invariants', () => checkInvariantsHourly(deps));
    },
    stop: async () => {
      isStopped = true;
      for (const stop of stops) stop();
      await Promise.all(running);
    },
  };
}
