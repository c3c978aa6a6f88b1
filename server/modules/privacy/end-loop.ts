// Ends what is over: once an hour each kind of end is one worker's turn, which ends it batch by batch until nothing is
// left, and rests as long between two batches as the one before took, so that orders never wait behind it.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type { Db } from '#server/platform/database/db.ts';
import { isDatabaseDown } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { createRounds, type Repeat } from '#server/platform/repeat.ts';
import { endBatch, noteEnded, readEndLag, leaseEnd } from './end-store.ts';
import { ENDS, type End, daysOf } from './ends.ts';

/** Our choice: an hour is short beside the shortest span, a day. */
const EVERY_SECONDS = HOUR_SECONDS;
/** Our choice: a look at whose turn it is costs one statement for each kind of end. */
const LOOK_MS = 300_000;
/** Our choice: a batch holds its locks for some milliseconds. */
const BATCH = 500;

export type EndLoop = { start(): void; stop(): Promise<void> };

type EndDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly configuration: () => { readonly brands: Parameters<typeof daysOf>[1] };
};

export function createEndLoop(deps: EndDeps & { readonly repeat?: Repeat | undefined }): EndLoop {
  const rounds = createRounds(deps.repeat);
  let isStopped = false;
  const tell = (error: unknown) =>
    deps.log[isDatabaseDown(error) ? 'warn' : 'error'](
      { err: error },
      'what is over did not end; the next round goes on',
    );
  return {
    start: () => rounds.every(LOOK_MS, () => endAll(deps, () => isStopped), tell),
    stop: async () => {
      isStopped = true;
      await rounds.stop();
    },
  };
}

/** Ends whatever is over and whose turn it is; safe to run anywhere and twice. */
export async function endAll(deps: EndDeps, isStopped: () => boolean = () => false): Promise<void> {
  for (const end of ENDS) {
    if (isStopped()) return;
    if (await leaseEnd(deps.db, end.what, EVERY_SECONDS)) await endOne(deps, end, isStopped);
  }
}

async function endOne({ db, log, configuration }: EndDeps, { what, keep }: End, isStopped: () => boolean) {
  const days = daysOf(keep, configuration().brands);
  let sum = 0;
  for (;;) {
    const began = performance.now();
    const ended = await endBatch(db, what, days, BATCH);
    sum += ended;
    if (ended > 0) countEvent('endedRows', { what }, ended);
    await noteEnded(db, what, ended, ended === 0);
    if (ended === 0 || isStopped()) break;
    await new Promise((resolve) => setTimeout(resolve, performance.now() - began));
  }
  if (sum > 0) log.info({ what, ended: sum, days: days['*'] }, 'what was over has ended');
}

/** Kinds of ends that were not through for more than `hours`. @returns null for hours: never */
export async function findLaggingEnds(db: Db, hours: number): Promise<{ what: string; hours: number | null }[]> {
  const lags = await readEndLag(
    db,
    ENDS.map(({ what }) => what),
  );
  return lags.filter((lag) => lag.hours === null || lag.hours >= hours);
}
