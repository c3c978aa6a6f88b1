// Puts what the database knows into the metrics: at most once in so many seconds, whoever asks and however often.
import { readOrdersHealth } from '#server/modules/orders/health-store.ts';
import {
  QUEUES,
  readOrderNumbers,
  readQueueNumbers,
  readWebhookNumbers,
} from '#server/modules/orders/metrics-store.ts';
import { readPartitionNumbers } from '#server/modules/orders/partition-store.ts';
import { readEndsDone } from '#server/modules/privacy/end-store.ts';
import { readErasureNumbers } from '#server/modules/privacy/erasing/erasure-numbers-store.ts';
import { readNewestBackup } from '#server/platform/database/backup-record.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { writeWatchOf } from '#server/platform/database/write-watch.ts';
import type { Log } from '#server/platform/log.ts';
import { METRICS } from '#server/platform/metrics/metrics-table.ts';
import { clearGauge, setGauge } from '#server/platform/metrics/metrics.ts';

/** Our choice: twice in the minute that Prometheus asks in by default. */
const GOOD_FOR_MS = 30_000;
/** Our choice: numbers are no reason to keep a busy database busier. */
const TIMEOUT_MS = 2000;

type SharedKey = {
  [K in keyof typeof METRICS]: (typeof METRICS)[K]['isShared'] extends true ? K : never;
}[keyof typeof METRICS];
const SHARED = (Object.keys(METRICS) as (keyof typeof METRICS)[]).filter(
  (key): key is SharedKey => METRICS[key].isShared,
);

/** @returns call it before the metrics are written; it never rejects */
export function createShopNumbers(deps: { db: Db; log: Log; now?: () => number }): () => Promise<void> {
  const { db, log, now = Date.now } = deps;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      const numbers = await readNumbers(db);
      for (const key of SHARED) clearGauge(key);
      tell(numbers);
      const takesWrites = await writeWatchOf(db).probe();
      setGauge('databaseUp', {}, takesWrites ? 1 : 0);
      if (!takesWrites) log.error('the database takes no writes: its disk is full, or it is read-only');
    } catch (error) {
      // Old numbers would look like good ones.
      for (const key of SHARED) clearGauge(key);
      setGauge('databaseUp', {}, 0);
      log.warn({ err: error }, 'the metrics of the database could not be read');
    } finally {
      readAt = now();
      reading = undefined;
    }
  };
  return () => {
    if (reading) return reading;
    if (now() - readAt < GOOD_FOR_MS) return Promise.resolve();
    reading = read();
    return reading;
  };
}

type Numbers = Awaited<ReturnType<typeof readNumbers>>;

function readNumbers(db: Db) {
  return transaction(db, async (client) => {
    // By indexes alone, whatever the statistics of the day say: the tables are as large as the shop is old.
    await client.query(
      `set local statement_timeout = ${TIMEOUT_MS}; set local enable_seqscan = off; set local enable_hashjoin = off;
        set local enable_mergejoin = off`,
    );
    return {
      orders: await readOrderNumbers(client),
      queues: await readQueueNumbers(client),
      webhooks: await readWebhookNumbers(client),
      health: await readOrdersHealth(client),
      partitions: await readPartitionNumbers(client),
      backup: await readNewestBackup(client),
      endsDone: await readEndsDone(client),
      erasures: await readErasureNumbers(client),
    };
  });
}

function tell({ backup, endsDone, erasures, health, orders, partitions, queues, webhooks }: Numbers): void {
  setGauge('partitionsAhead', {}, partitions.monthsAhead);
  setGauge('partitionStrays', {}, partitions.strays);
  setGauge('webhookEndpoints', { state: 'failing' }, webhooks.failing);
  setGauge('webhookEndpoints', { state: 'disabled' }, webhooks.disabled);
  for (const { count, ...labels } of orders.states) setGauge('orders', labels, count);
  setGauge('ordersCut', {}, orders.isCut ? 1 : 0);
  for (const { game, seconds } of orders.delivered)
    for (const [index, quantile] of (['0.5', '0.95', '1'] as const).entries())
      setGauge('paidToDelivered', { game, quantile }, seconds[index] ?? 0);
  for (const queue of QUEUES) {
    const found = queues.find((one) => one.queue === queue);
    setGauge('queueLength', { queue }, found?.length ?? 0);
    setGauge('queueAge', { queue }, found?.age ?? 0);
  }
  setGauge('queueLength', { queue: 'unblocks' }, health.unblocks.waiting);
  setGauge('queueAge', { queue: 'unblocks' }, health.unblocks.oldest_waiting_seconds);
  setGauge('waitsForPerson', { kind: 'reviews' }, health.reviews);
  setGauge('waitsForPerson', { kind: 'dead_letters' }, health.dead_letters);
  setGauge('waitsForPerson', { kind: 'unmatched_payments' }, health.unmatched_payments);
  setGauge('waitsForPerson', { kind: 'refunds_by_hand' }, health.refunds_by_hand);
  setGauge('unknownAttempts', {}, health.unknown_attempts);
  const { breaches, changes_at: changesAt, checked_at: checkedAt, full_at: fullAt } = health.invariants;
  if (checkedAt) setGauge('invariantsChecked', {}, Date.parse(checkedAt) / 1000);
  if (changesAt) setGauge('invariantsChangesChecked', {}, Date.parse(changesAt) / 1000);
  if (fullAt) setGauge('invariantsFullChecked', {}, Date.parse(fullAt) / 1000);
  setGauge('invariantsBroken', {}, breaches.length);
  for (const { breaches: rows, invariant } of breaches) setGauge('invariantBreaches', { invariant }, rows);
  setGauge('erasuresOverdue', {}, erasures.overdue);
  setGauge('erasureOverdueSeconds', {}, erasures.oldestSeconds);
  if (endsDone) setGauge('endsDone', {}, endsDone.getTime() / 1000);
  if (backup) setGauge('backupTaken', {}, backup.takenAt.getTime() / 1000);
}
