// Background jobs by pg-boss for everything that is not the hot path. A job is a hint: the tables say what is true, and the sweeper
// can send any job again, so losing one loses nothing.
import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import type { Queryable } from './db.ts';
import type { Log } from '#server/platform/log.ts';

export type Jobs = {
  /**
   * Sends a job, inside the caller's transaction when `db` is its client. `identity` makes the id: the same identity twice is one job.
   */
  send(
    db: Queryable | null,
    queue: string,
    identity: string,
    data: object,
    options?: { startAfterSeconds?: number },
  ): Promise<void>;
  /** Works a queue in this process; a throw makes the job run again. */
  work<Data extends object>(queue: string, handler: (data: Data) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

/** @param queues must be named up front: pg-boss refuses a send to a queue that does not exist */
export async function startJobs(options: {
  databaseUrl: string;
  log: Log;
  queues: readonly string[];
  isWorker: boolean;
}): Promise<Jobs> {
  const { log } = options;
  const boss = new PgBoss({
    connectionString: options.databaseUrl,
    application_name: 'refill-jobs',
    max: 3,
    supervise: options.isWorker,
    schedule: false,
    // A dead worker's job runs again within 30 s. @source RELIABILITY section 2, rule 8
    monitorIntervalSeconds: 10,
    superviseIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue has trouble'));
  await boss.start();
  for (const queue of options.queues) {
    await boss.createQueue(queue, {
      retryLimit: 20,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 300,
      expireInSeconds: 25,
      deleteAfterSeconds: 3600,
    });
  }
  return {
    send: async (db, queue, identity, data, { startAfterSeconds } = {}) => {
      await boss.send(queue, data, {
        id: uuidOf(`${queue}:${identity}`),
        ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
        ...(db
          ? { db: { executeSql: (text: string, values?: unknown[]) => db.query(text, values as unknown[]) } }
          : {}),
      });
    },
    work: async (queue, handler) => {
      await boss.work<object>(
        queue,
        { batchSize: 20, burstWhenBatchFull: true, perJobResults: true, pollingIntervalSeconds: 0.5 },
        async (jobs) =>
          Promise.all(
            jobs.map(async (job) => {
              try {
                await handler(job.data as never);
                return { id: job.id, status: 'completed' as const };
              } catch (error) {
                log.warn({ err: error, queue }, 'a job failed and will run again');
                return { id: job.id, status: 'failed' as const, output: { reason: (error as Error).message } };
              }
            }),
          ),
      );
    },
    stop: () => boss.stop({ graceful: true, timeout: 8000 }),
  };
}

/** A UUID (version 8 layout) out of a hash, so that sending the same thing twice is one job. */
function uuidOf(identity: string): string {
  const hex = createHash('sha256').update(identity).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
