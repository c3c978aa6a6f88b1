// Notices a database that answers and takes no writes: its disk is full, or it is read-only. Reads go on there, so a
// `select 1` says nothing of whether an order can be placed.
import { type Db, isDatabaseDown, transaction } from './db.ts';

/** Our choice: pages, longer than what a table has free in its last one. */
const PROBE = `create temporary table refill_write_probe on commit drop as
  select repeat('x', 1000) as filler from generate_series(1, 200)`;

/** Our choice: balancers ask each second, and a probe is no load for a database that has just been refused one. */
const PROBE_MS = 2000;

export type WriteWatch = {
  /** True unless a write was refused since the last one that worked; then it tries one, now and then. */
  takesWrites(): Promise<boolean>;
  /** Tries one now. @throws what the database said, when it is not there at all */
  probe(): Promise<boolean>;
};

/** 53100: disk full, of tables or of the log; 25006: read-only, as a managed database is before its disk is full. */
const isWriteRefused = (error: unknown): boolean =>
  ['53100', '25006'].includes((error as { code?: string }).code ?? '');

/** A client of a pool, with the events that the types of pg leave out. */
type Connected = { connection: { on(event: 'errorMessage', listener: (error: unknown) => void): void } };

const watches = new WeakMap<Db, WriteWatch>();

/** One for each pool; it listens to all connections that are used from now on. */
export function writeWatchOf(db: Db): WriteWatch {
  const watch = watches.get(db) ?? createWriteWatch(db);
  watches.set(db, watch);
  return watch;
}

export function createWriteWatch(db: Db, now: () => number = Date.now): WriteWatch {
  let isInDoubt = false;
  let probedAt = -Infinity;
  const watched = new WeakSet<object>();
  db.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    // A statement of the pool, of a transaction or of a library: all errors pass here.
    (client as unknown as Connected).connection.on('errorMessage', (error) => {
      isInDoubt ||= isWriteRefused(error);
    });
  });
  const probe = async () => {
    probedAt = now();
    try {
      await transaction(db, (client) => client.query(PROBE));
      isInDoubt = false;
    } catch (error) {
      if (!isWriteRefused(error)) {
        // Not allowed to make temporary tables: nothing can be tried, so the next refused write speaks again.
        isInDoubt = false;
        if (isDatabaseDown(error)) throw error;
        return true;
      }
      isInDoubt = true;
    }
    return !isInDoubt;
  };
  return {
    probe,
    takesWrites: async () => {
      if (!isInDoubt) return true;
      return now() - probedAt < PROBE_MS ? false : probe();
    },
  };
}
