// Chooses the database for reads that decide nothing about money: the replica of DATABASE_READ_URL while it is near
// enough, else the primary. The lag is measured: the primary's position in its log is noted with the time, and the
// replica's replayed position tells which of these moments it has reached (decision 65).
import { DAY_SECONDS } from '#kernel/time.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { countEvent, setGauge } from '#server/platform/metrics/metrics.ts';
import { type Db, isDatabaseDown, query } from '#server/platform/database/db.ts';

/** `behindSeconds`: at most so old is what was read; null: it came from the primary. */
export type Read<Value> = { readonly value: Value; readonly behindSeconds: number | null };

export type ReplicaState = 'ok' | 'behind' | 'away' | 'no_replica';

export type Reads = {
  /**
   * @param work reads only, and may be done twice: what the replica cannot finish is read at the primary
   * @param waitMs how long a replica may take to catch up; 0 unless given
   */
  read<Value>(work: (db: Db) => Promise<Value>, waitMs?: number): Promise<Read<Value>>;
  /** Null without a replica. */
  look(): Promise<{ state: ReplicaState; behindSeconds: number } | null>;
  close(): Promise<void>;
};

/** Our choice: a look costs both servers one statement, and is as fresh as anybody needs. */
const LOOK_MS = 1000;
/** Our choice: a replica that follows has the last bytes within some milliseconds. */
const ASK_AGAIN_MS = [0, 50, 200];
/** In the place of "nobody knows". */
const LONGEST_SECONDS = DAY_SECONDS;

export const readPrimary = (db: Db): Reads => ({
  read: async (work) => ({ value: await work(db), behindSeconds: null }),
  look: async () => null,
  close: async () => undefined,
});

/** The log of a process, or a command's second output. */
export type ReadsLog = {
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
};

type Options = {
  readonly primary: Db;
  readonly replica: Db;
  readonly log: ReadsLog;
  /** From here on the primary is read. */
  readonly maxBehindSeconds: number;
  /** Milliseconds of a clock that cannot jump. */
  readonly now?: () => number;
};

export function readReplica({
  primary,
  replica,
  log,
  maxBehindSeconds,
  now = () => performance.now(),
}: Options): Reads {
  /** Positions of the primary, the oldest first. */
  let marks: { at: number; position: bigint }[] = [];
  let seen: { at: number; state: ReplicaState; reached: number } | null = null;
  let looking: Promise<void> | null = null;

  const askReplica = () =>
    query<{ is_replica: boolean; position: string | null }>(
      replica,
      'reads_replica',
      `select pg_is_in_recovery() as is_replica, (pg_last_wal_replay_lsn() - '0/0')::text as position`,
    ).then(
      ([row]) => row,
      (error: Error) => error,
    );

  async function lookAnew(): Promise<void> {
    const at = now();
    // Everything acknowledged by now is in the log up to this position.
    const [here] = await query<{ position: string }>(
      primary,
      'reads_primary',
      `select (pg_current_wal_flush_lsn() - '0/0')::text as position`,
    );
    if (!here) throw new Error('the primary told no position');
    marks.push({ at, position: BigInt(here.position) });
    let reached: (typeof marks)[number] | undefined;
    // The last bytes may be on their way: after a pause between looks the mark before is an old one.
    for (const waitMs of ASK_AGAIN_MS) {
      await sleep(waitMs);
      const there = await askReplica();
      if (there instanceof Error) return note('away', there);
      if (!there?.is_replica) return note('no_replica');
      const replayed = BigInt(there.position ?? 0);
      reached = marks.findLast((mark) => mark.position <= replayed);
      if (reached && now() - reached.at < maxBehindSeconds * 1000) break;
    }
    // Older moments say nothing any more.
    if (reached) marks = marks.slice(marks.indexOf(reached));
    // A replica that stands still must not fill the memory; what is older is too old anyway.
    if (marks.length > maxBehindSeconds + 60) marks = [...marks.slice(0, 1), ...marks.slice(-maxBehindSeconds)];
    const behind = reached ? (now() - reached.at) / 1000 : Infinity;
    note(behind > maxBehindSeconds ? 'behind' : 'ok', null, reached?.at);
  }

  function note(state: ReplicaState, error: Error | null = null, reached = -Infinity): void {
    const before = seen?.state ?? 'ok';
    seen = { at: now(), state, reached };
    setGauge('replicaBehind', {}, Math.min(LONGEST_SECONDS, (seen.at - reached) / 1000));
    if (state === before) return;
    if (state === 'ok') log.info({}, 'the replica is read again');
    else log.warn({ state, ...(error && { err: error }) }, `${SENTENCES[state]}; the primary is read`);
  }

  async function look(): Promise<{ state: ReplicaState; behindSeconds: number }> {
    if (!seen || now() - seen.at > LOOK_MS) {
      looking ??= lookAnew().finally(() => (looking = null));
      await looking;
    }
    const { state, reached } = seen ?? { state: 'away', reached: -Infinity };
    return { state, behindSeconds: (now() - reached) / 1000 };
  }

  async function lookFor(waitMs: number): Promise<{ state: ReplicaState; behindSeconds: number }> {
    const until = now() + waitMs;
    for (;;) {
      const found = await look();
      if (found.state !== 'behind' || now() >= until) return found;
      await sleep(LOOK_MS / 4);
    }
  }

  return {
    read: async (work, waitMs = 0) => {
      const found = await lookFor(waitMs);
      if (found.state === 'ok') {
        try {
          const value = await work(replica);
          countEvent('replicaReads', { from: 'replica' });
          return { value, behindSeconds: found.behindSeconds };
        } catch (error) {
          if (!isReplicasFault(error)) throw error;
          note('away', error as Error);
        }
      }
      countEvent('replicaReads', { from: 'primary' });
      return { value: await work(primary), behindSeconds: null };
    },
    look,
    close: () => replica.end(),
  };
}

const SENTENCES: Readonly<Record<Exclude<ReplicaState, 'ok'>, string>> = {
  behind: 'the replica is too far behind',
  away: 'the replica cannot be read',
  no_replica: 'the database of DATABASE_READ_URL is no replica',
};

/** It is gone, or ended a long read that stood in the way of what it has to replay (40001). */
const isReplicasFault = (error: unknown): boolean =>
  isDatabaseDown(error) || (error as { code?: string }).code === '40001';
