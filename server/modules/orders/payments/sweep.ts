// Keeps orders moving when nobody is looking: callbacks that wait, expiry, refunds, revocations. Any replica may run
// it; rows are leased, so two do not do the same. Payment status polling is in poll-payments.ts.
import { HOUR_MS } from '#kernel/time.ts';
import { type Db, isDatabaseDown } from '#server/platform/database/db.ts';
import { type Reads, readPrimary } from '#server/platform/database/reads/reads.ts';
import type { Log } from '#server/platform/log.ts';
import { countShardsWithout } from '#server/platform/database/schema/shard-schemas.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';
import { createPace, unpaced } from '#server/platform/pace.ts';
import { type Repeat, allAtOnce, createRounds } from '#server/platform/repeat.ts';
import { type ExpiredOrder, leaseExpiredOrders } from './attempt-store.ts';
import { makePartitions } from '#server/modules/orders/partition-store.ts';
import { checkInvariantsHourly } from '#server/modules/invariants/service.ts';
import {
  type RefundDeps,
  processDueRefunds,
  processDueRevocations,
} from '#server/modules/orders/refunds/refund-payment.ts';
import { type SettleDeps, settlePayment } from './settle-payment.ts';
import { type CallbackDeps, retryWaitingCallbacks } from './take-callback.ts';

export type Sweeper = { start(): void; stop(): Promise<void> };

/** Our choice: an early callback is applied within 5 s (docs/reliability.md, test 11), expiry comes within 30 s. */
const CALLBACKS_MS = 2000;
export const EXPIRY_MS = 30_000;
const REFUNDS_MS = 5000;
/**
 * Our choice: a provider that hangs then holds up twenty orders for one call, and not a hundred one after the other.
 */
const EXPIRED_AT_ONCE = 20;
/** Our choice: an order that stays open is looked at again after five minutes. */
export const EXPIRY_LEASE_SECONDS = 300;
/** How often a worker looks whether the hourly check is due: one of them finds that it is. */
const INVARIANTS_MS = 300_000;
/** Our choice: months of time are left when it fails, and it costs next to nothing when there is nothing to make. */
const PARTITIONS_MS = HOUR_MS;

export function createSweeper(deps: {
  db: Db;
  log: Log;
  settle: SettleDeps;
  callbacks: CallbackDeps;
  refunds: RefundDeps;
  reads?: Reads | undefined;
  /** Of the night's look at all books, in UTC. */
  fullCheckHour?: number | undefined;
  repeat?: Repeat | undefined;
}): Sweeper {
  const { db, log, reads = readPrimary(db), fullCheckHour: fullHour = 3 } = deps;
  const rounds = createRounds(deps.repeat);
  // Whoever tells the time of the rounds tells all of it: nothing rests by the clock of the machine.
  const newPace = deps.repeat ? () => unpaced : createPace;
  let isStopped = false;

  /** @param work answers true when it left something over: then it goes on at once */
  function every(ms: number, name: string, work: () => Promise<boolean | void>): void {
    const workOff = async () => {
      while ((await work()) === true && !isStopped);
    };
    rounds.every(ms, workOff, (error) =>
      log[isDatabaseDown(error) ? 'warn' : 'error']({ err: error }, `${name} stopped half-way; the next round goes on`),
    );
  }

  async function expireOrders(): Promise<boolean> {
    const orders = await leaseExpiredOrders(db, EXPIRED_AT_ONCE, EXPIRY_LEASE_SECONDS);
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
    start: () => {
      isStopped = false;
      every(CALLBACKS_MS, 'waiting callbacks', () => retryWaitingCallbacks(deps.callbacks));
      every(EXPIRY_MS, 'expiry', expireOrders);
      every(REFUNDS_MS, 'refunds', () => processDueRefunds(deps.refunds));
      every(REFUNDS_MS, 'revocations', () => processDueRevocations(deps.refunds));
      every(INVARIANTS_MS, 'the invariants', () => checkInvariantsHourly({ db, log, reads, fullHour, newPace }));
      every(PARTITIONS_MS, 'the partitions', async () => {
        const made = await makePartitions(db);
        if (made.length > 0) log.info({ made }, 'partitions of coming months were made');
      });
      every(PARTITIONS_MS, 'the schemas of shards', async () => {
        const count = (await isSpread(db)) ? await countShardsWithout(db) : 0;
        if (count > 0)
          log.warn(
            { count },
            'shards have no schema, and orders of their players take longer: refill database distribute',
          );
      });
    },
    stop: async () => {
      isStopped = true;
      await rounds.stop();
    },
  };
}
