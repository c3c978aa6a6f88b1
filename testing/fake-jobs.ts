// Jobs in this process: kept until a test runs them, one for one identity as the real queue does it.
import type { Jobs } from '#server/platform/database/jobs.ts';

export type SentJob = { queue: string; identity: string; data: object };

export type FakeJobs = Jobs & {
  /** Sent and not yet run. */
  readonly waiting: SentJob[];
  /** Every send fails with this while it is set. */
  failure: Error | null;
  /** Runs what waits, one after the other, with the handlers given to `work`. */
  run(): Promise<void>;
};

export function createFakeJobs(): FakeJobs {
  const handlers = new Map<string, (data: never) => Promise<void>>();
  const seen = new Set<string>();
  const waiting: SentJob[] = [];
  const jobs: FakeJobs = {
    waiting,
    failure: null,
    send: async (_db, queue, identity, data) => {
      if (jobs.failure) throw jobs.failure;
      const key = `${queue}:${identity}`;
      if (seen.has(key)) return;
      seen.add(key);
      waiting.push({ queue, identity, data });
    },
    work: async (queue, handler) => {
      handlers.set(queue, handler as (data: never) => Promise<void>);
    },
    run: async () => {
      for (const job of waiting.splice(0)) await handlers.get(job.queue)?.(job.data as never);
    },
    stop: async () => undefined,
  };
  return jobs;
}
