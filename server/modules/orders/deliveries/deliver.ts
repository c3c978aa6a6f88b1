// The delivery loop: lease due rows, call the game with no transaction open, close the finished ones together. No job
// can be lost, because the row is the job: woken after commit, by NOTIFY between processes, and by a poll that keeps it
// correct without either.
import type { Environment } from '#kernel/environment.ts';
import { money } from '#kernel/money.ts';
import type { GrantOutcome } from '#server/modules/games/gameserver.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { traced } from '#server/platform/telemetry/telemetry.ts';
import { type Repeat, repeatByTimer } from '#server/platform/repeat.ts';
import { type DeliveryResult, leaseDeliveries } from './delivery-store.ts';
import { type FindGameServer, grant, type GrantDeps, readOutcome, unblock } from './grant.ts';
import type { Steps } from '#server/modules/orders/steps/steps.ts';
import type { LeasedDelivery } from '#server/modules/orders/payments/report-store.ts';

/** Grant timeout 10 s + 5 s: a dead process's calls are taken up again after this. @source RELIABILITY section 2 */
const LEASE_SECONDS = 15;
/** Floor that keeps delivery correct when no wake arrives. */
const POLL_MS = 500;
/** Our choice: calls in flight at once, and of one game, so that a slow game cannot eat every slot. */
const SLOTS = 64;
const SLOTS_PER_GAME = 32;
/** Two writers at a time: while they write, finished calls gather and share the next statement. */
const FLUSHES = 2;

/** Room for one call of the game. `fill` comes once: with the leased delivery, or null. */
export type Slot = { readonly leaseSeconds: number; fill(leased: LeasedDelivery | null): void };

export type DeliveryLoop = {
  start(): void;
  wake(): void;
  /** Room for a delivery that is leased in the transaction that makes it; null: no room, it is queued. */
  reserve(): Slot | null;
  stop(): Promise<void>;
};

export function createDeliveryLoop(deps: {
  db: Db;
  steps: Pick<Steps, 'recordDeliveryResults'>;
  log: Log;
  environment: Environment;
  gameServer: FindGameServer;
  sealFacts?: GrantDeps['sealFacts'];
  /** Returns the game's policy after it declined for certain, by its file. */
  onDeclined: (gameId: string) => 'refund' | 'review';
  random?: (() => number) | undefined;
  repeat?: Repeat | undefined;
}): DeliveryLoop {
  const { db, steps, log, random = Math.random, repeat = repeatByTimer } = deps;
  const inFlight = new Map<string, number>();
  let calls = 0;
  /** Slots kept for deliveries that are being made; of which game is not known yet. */
  let reserved = 0;
  let flushes = 0;
  let finished: DeliveryResult[] = [];
  let isLeasing = false;
  let isWoken = false;
  /**
   * All slots, or those of one game, were taken at the last lease: what is due may be waiting for the next that comes
   * free.
   */
  let isFull = false;
  let isStopped = false;
  let stopPolling: (() => void) | undefined;
  let settleIdle: (() => void) | undefined;

  async function lease(): Promise<void> {
    if (isLeasing || isStopped) {
      isWoken = true;
      return;
    }
    isLeasing = true;
    try {
      do {
        isWoken = false;
        const busy = [...inFlight].filter(([, count]) => count >= SLOTS_PER_GAME).map(([game]) => game);
        const busiest = Math.max(0, ...[...inFlight.values()].filter((count) => count < SLOTS_PER_GAME));
        const limit = Math.min(SLOTS - calls, SLOTS_PER_GAME - busiest) - reserved;
        isFull = limit <= 0 || busy.length > 0;
        if (limit <= 0) break;
        const leased = await leaseDeliveries(db, limit, LEASE_SECONDS, busy);
        for (const delivery of leased) void call(delivery);
        if (leased.length === limit) isWoken = true;
      } while (isWoken && !isStopped);
    } catch (error) {
      log.warn({ err: error }, 'deliveries could not be leased; trying again');
    } finally {
      isLeasing = false;
      resolveIfIdle();
    }
  }

  /** Never rejects: a fault of ours ends one call, and the others go on. */
  async function call(delivery: LeasedDelivery): Promise<void> {
    const { billing_no, game_id: game, tries } = delivery;
    calls += 1;
    inFlight.set(game, (inFlight.get(game) ?? 0) + 1);
    try {
      const outcome = await traced('hand over', 'internal', { game }, () => handOver(deps, delivery));
      countEvent('grants', { game, outcome: outcome.kind });
      const result = closing(delivery, outcome, deps.onDeclined(game), random());
      if (outcome.kind !== 'done') log.warn(describe(result), SENTENCES[followsFrom(result)]);
      finished.push(result);
    } catch (error) {
      // The same key is called again: the game that did hand it over answers with the same receipt.
      log.error({ err: error, billing_no, game, tries }, 'a delivery failed on our side; its lease will run out');
    } finally {
      calls -= 1;
      inFlight.set(game, (inFlight.get(game) ?? 1) - 1);
    }
    goOn();
  }

  /** Writes what has finished; with nothing to write, what is due may have the slot that came free. */
  function goOn(): void {
    if (finished.length > 0) void flush();
    else if (isWoken || isFull) void lease();
    resolveIfIdle();
  }

  async function flush(): Promise<void> {
    if (flushes >= FLUSHES || finished.length === 0) return;
    flushes += 1;
    const batch = finished;
    finished = [];
    try {
      await steps.recordDeliveryResults(batch);
      // A grant that may be retried at once should not wait for the next poll.
      if (batch.some((entry) => entry.retry_in_seconds === 0)) void lease();
    } catch (error) {
      // The lease runs out and the same key is called again: the game answers with the same receipt.
      log.error(
        { err: error, orders: batch.length },
        'finished grants could not be written; their leases will run out',
      );
    } finally {
      flushes -= 1;
    }
    goOn();
  }

  function resolveIfIdle(): void {
    if (isStopped && calls === 0 && reserved === 0 && flushes === 0 && finished.length === 0 && !isLeasing)
      settleIdle?.();
  }

  function reserve(): Slot | null {
    const isFree = stopPolling && !isStopped && calls + reserved < SLOTS;
    if (!isFree || Math.max(0, ...inFlight.values()) + reserved >= SLOTS_PER_GAME) return null;
    reserved += 1;
    return {
      leaseSeconds: LEASE_SECONDS,
      fill: (leased) => {
        reserved -= 1;
        if (leased) void call(leased);
        else if (isFull) void lease();
        resolveIfIdle();
      },
    };
  }

  return {
    reserve,
    start: () => {
      stopPolling = repeat(POLL_MS, () => void lease());
      void lease();
    },
    wake: () => void lease(),
    stop: () =>
      new Promise((resolve) => {
        isStopped = true;
        stopPolling?.();
        settleIdle = resolve;
        resolveIfIdle();
      }),
  };
}

/** A make-up payment hands nothing over: the account is unblocked. */
function handOver(deps: GrantDeps, delivery: LeasedDelivery): Promise<GrantOutcome> {
  const { billing_no: key, product, amount_minor: amountMinor, currency } = delivery;
  const recovery = delivery.facts ? (deps.sealFacts?.(delivery.facts) ?? null) : null;
  if (product.replenishId) return unblock(deps, delivery, { key, replenishId: product.replenishId, recovery });
  return grant(deps, delivery, { key, gifts: product.gifts, paid: money(amountMinor, currency), recovery });
}

function closing(
  delivery: LeasedDelivery,
  outcome: GrantOutcome,
  onDeclined: DeliveryResult['on_declined'],
  jitter: number,
): DeliveryResult {
  const { player_id, billing_no, tries } = delivery;
  return { player_id, billing_no, tries, ...readOutcome(outcome, tries, jitter), on_declined: onDeclined };
}

const SENTENCES = {
  retry: 'a grant was not confirmed; will retry',
  refund: 'the game declined a paid order; its money goes back',
  review: 'a paid order was not delivered and needs manual review',
} as const;

function followsFrom(result: DeliveryResult): keyof typeof SENTENCES {
  if (result.kind === 'declined') return result.on_declined;
  return result.retry_in_seconds === null ? 'review' : 'retry';
}

const describe = ({ billing_no, tries, kind, reason }: DeliveryResult) => ({ billing_no, tries, kind, reason });
