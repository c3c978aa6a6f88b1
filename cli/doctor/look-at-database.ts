// The database as a shop needs it: version, tables, connections, time, and the work that waits in it.
import type { Environment } from '#kernel/environment.ts';
import type { Config } from '#server/platform/config.ts';
import { readNewestBackup } from '#server/platform/database/backup-record.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { lookAtPoolers } from '#server/platform/database/look-at-pooler.ts';
import { findUnapplied } from '#server/platform/database/migrate.ts';
import { readOrdersHealth } from '#server/modules/orders/health-store.ts';
import { readPartitionNumbers } from '#server/modules/orders/partition-store.ts';
import { findLaggingEnds } from '#server/modules/privacy/end-loop.ts';
import { readErasureNumbers } from '#server/modules/privacy/erasing/erasure-numbers-store.ts';
import { lookAtConnections } from './look-at-connections.ts';
import { lookAtReplica } from './look-at-replica.ts';
import { ill, type Look, well } from './look.ts';

/** Our choice: a statement on the way of an order costs this once or twice, an order has eight. */
const SLOW_MS = 20;
/** @source server/platform/database/clock.ts: from here on a server says so in its log */
const WRONG_CLOCK_MS = 5000;
/** @source docs/reliability.md, P7: what is stuck is seen within five minutes */
const STUCK_SECONDS = 300;
/** The worker does it hourly. @source docs/reliability.md, "Invariants" */
const INVARIANTS_HOURS = 3;
/** It is meant to be each night; the alert RefillFullCheckOld says the same. */
const FULL_DAYS = 3;
/** Our choice: one a night, and two hours in which it may be late. */
const BACKUP_HOURS = 26;
/** The next one is made within an hour of the month's first. */
const PARTITIONS_AHEAD = 1;
/** A worker ends it hourly. */
const ENDS_HOURS = 26;
/** Our choice: a refusal is looked at again every hour. */
const ERASURE_HOURS = 3;
const LOOKS = 5;

export async function lookAtDatabase(
  db: Db,
  config: Pick<
    Config,
    'poolSize' | 'databaseUrl' | 'databaseReadUrl' | 'replicaMaxBehindSeconds' | 'preparesStatements'
  >,
): Promise<Look[]> {
  const pooler = (await lookAtPoolers(config)).map((fault) => ill('database', 'fault', fault));
  const tables = await lookAtTables(db);
  const replica = await lookAtReplica(db, config);
  // The record of the processes is a table of this version.
  const connections = tables.some(({ state }) => state === 'fault') ? [] : [await lookAtConnections(db, config)];
  return [
    ...pooler,
    ...tables,
    await lookAtWay(db),
    await lookAtCompiling(db),
    ...connections,
    ...replica,
    await lookAtClock(db),
  ];
}

async function lookAtTables(db: Db): Promise<Look[]> {
  const [row] = await query<{ version: string; size: string }>(
    db,
    'doctor_version',
    `select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  const looks = [well('database', 'PostgreSQL', `is ${row?.version ?? 'unknown'} and holds ${row?.size ?? 'nothing'}`)];
  const missing = await findUnapplied(db);
  if (missing.length === 0)
    return [...looks, well('database', 'tables', 'are those of this version'), await lookAtPartitions(db)];
  const reason = `lack ${missing.join(', ')} of this version`;
  const remedy = 'run `npm run refill -- apply`';
  return [...looks, ill('database', 'fault', { name: 'tables', reason, remedy })];
}

async function lookAtPartitions(db: Db): Promise<Look> {
  const { monthsAhead, strays } = await readPartitionNumbers(db);
  const name = 'partitions';
  if (strays > 0) {
    const reason = `lack the month of ${strays} orders, which lie in orders_default`;
    const remedy = 'run a worker always; these orders are well, but stay when their month is archived';
    return ill('database', 'warning', { name, reason, remedy });
  }
  const reason = `are made for ${monthsAhead} month${monthsAhead === 1 ? '' : 's'} to come`;
  if (monthsAhead >= PARTITIONS_AHEAD) return well('database', name, reason);
  const remedy = 'run a worker, which makes them, or `npm run refill -- apply`';
  return ill('database', 'warning', { name, reason, remedy });
}

/**
 * The functions of the money path forbid reading whole tables (decision 12). Before PostgreSQL 18 that is told to the
 * planner as a price, so high that it would compile a statement over a small table without an index at each call.
 */
async function lookAtCompiling(db: Db): Promise<Look> {
  const [row] = await query<{ jit: string; version: number }>(
    db,
    'doctor_jit',
    `select current_setting('jit') as jit, current_setting('server_version_num')::integer as version`,
  );
  return judgeCompiling(row?.jit === 'on', row?.version ?? 0);
}

/** @param version as `server_version_num` has it, 170004 */
export function judgeCompiling(isOn: boolean, version: number): Look {
  const name = 'compiling (jit)';
  if (!isOn) return well('database', name, 'is off');
  if (version >= 180_000) return well('database', name, 'is on, which costs orders nothing from PostgreSQL 18 on');
  const reason = 'is on: before PostgreSQL 18 it may cost each order some tenths of a second';
  const remedy = 'run deploy/postgres/roles.sql again, or `alter role <account of DATABASE_URL> set jit = off`';
  return ill('database', 'warning', { name, reason, remedy });
}

/** The quickest of a few: what the way costs, without what else the machine did. */
async function lookAtWay(db: Db): Promise<Look> {
  const taken: number[] = [];
  for (let time = 0; time < LOOKS; time += 1) {
    const begun = performance.now();
    await query(db, 'doctor_way', 'select 1');
    taken.push(performance.now() - begun);
  }
  const quickest = Math.min(...taken);
  const reason = `takes ${quickest.toFixed(1)} ms for the shortest question`;
  if (quickest <= SLOW_MS) return well('database', 'the way there', reason);
  const remedy = 'run server and database in the same data centre';
  return ill('database', 'warning', { name: 'the way there', reason, remedy });
}

async function lookAtClock(db: Db): Promise<Look> {
  const asked = Date.now();
  const [row] = await query<{ at: number }>(
    db,
    'doctor_clock',
    'select extract(epoch from clock_timestamp())::float8 * 1000 as at',
  );
  const took = Date.now() - asked;
  const apart = Math.round((row?.at ?? 0) - asked - took / 2);
  const name = "this machine's clock";
  if (Math.abs(apart) <= WRONG_CLOCK_MS + took)
    return well('clock', name, `is within ${took + 1} ms of the database's`);
  const reason = `is ${Math.round(Math.abs(apart) / 1000)} s ${apart > 0 ? 'behind' : 'ahead of'} the database's`;
  return ill('clock', 'warning', {
    name,
    reason,
    remedy: 'set both by NTP: games refuse calls signed five minutes off',
  });
}

/** Looks at the newest backup: anything later would be lost with the database. */
export async function lookAtBackup(db: Db): Promise<Look> {
  const newest = await readNewestBackup(db);
  const name = 'the newest backup';
  const remedy = 'run `npm run refill -- backup`, and let a timer do it each night';
  if (!newest) return ill('database', 'warning', { name, reason: 'is none that this database knows of', remedy });
  const hours = Math.floor(newest.ageSeconds / 3600);
  const reason = `is ${hours} hours old (${newest.kind}, ${(newest.bytes / 1024 ** 2).toFixed(1)} MB)`;
  return hours < BACKUP_HOURS ? well('database', name, reason) : ill('database', 'warning', { name, reason, remedy });
}

/** Compares the ends of personal data with docs/privacy.md. */
export async function lookAtEnds(db: Db): Promise<Look> {
  const name = 'what is over';
  const late = await findLaggingEnds(db, ENDS_HOURS);
  const [latest] = late;
  if (!latest) return well('work', name, 'has ended within a day, as docs/privacy.md says');
  const since = latest.hours === null ? 'were never gone through' : `were gone through ${latest.hours} hours ago`;
  const reason = `is kept for too long: ${late.map(({ what }) => what).join(', ')} ${since}`;
  return ill('work', 'warning', { name, reason, remedy: 'run a worker: it ends what is over every hour' });
}

/** Looks for players who asked to be erased and are not. */
export async function lookAtErasures(db: Db): Promise<Look> {
  const { overdue, oldestSeconds, reasons } = await readErasureNumbers(db);
  const name = 'erasing of persons';
  const hours = Math.floor(oldestSeconds / 3600);
  // A worker needs a minute, and an hour where something has just ended.
  if (hours < ERASURE_HOURS) return well('work', name, 'is done as players asked for it');
  const because = reasons.length > 0 ? `because of ${reasons.join(', ')}` : 'and nothing stands in the way';
  return ill('work', 'warning', {
    name,
    reason: `is overdue for ${overdue} players, by ${hours} hours, ${because}`,
    remedy: reasons.length > 0 ? 'see RefillErasuresLate in docs/runbook.md' : 'run a worker',
  });
}

/** Checks that orders from after the backup could be taken in again. */
export function lookAtRecovery({ keySecrets }: Pick<Config, 'keySecrets'>): Look {
  const name = 'recovery after a restored backup';
  if (keySecrets.length > 0) return well('database', name, 'has its texts at the games (`refill recover`)');
  const reason = 'is not possible: grants go out without the text that says which order they are of';
  return ill('database', 'warning', {
    name,
    reason,
    remedy: 'set REFILL_KEY_SECRETS, and keep it where the backups are not',
  });
}

/** Counts the work that waits, and the work that waits for a person. */
export async function lookAtWork(db: Db, environment: Environment): Promise<Look[]> {
  const health = await readOrdersHealth(db);
  const oldest = health.deliveries.oldest_waiting_seconds;
  const { checked_at: checkedAt, full_at: fullAt, ok, breaches } = health.invariants;
  const hoursSince = (at: string | null) => (at === null ? null : (Date.now() - Date.parse(at)) / 3_600_000);
  const [age, fullAge] = [hoursSince(checkedAt), hoursSince(fullAt)];
  const waits: [name: string, count: number, remedy: string][] = [
    ['what a machine has given up', health.dead_letters, 'see `refill order deadletters`'],
    ['payments of no order', health.unmatched_payments, 'see `refill order deadletters`'],
    ['orders in review', health.reviews, 'see `refill order review --list`'],
    ['refunds to make by hand', health.refunds_by_hand, 'pay them back and say so: `refill order refund --done`'],
  ];
  return [
    oldest <= STUCK_SECONDS
      ? well('work', 'deliveries', `wait for ${oldest} s at most, ${health.deliveries.due} are due`)
      : ill('work', 'fault', {
          name: 'deliveries',
          reason: `wait for ${oldest} s: ${health.deliveries.due} are due`,
          remedy: `see that a worker runs (REFILL_ROLE=worker or all, ${environment}) and that the games answer`,
        }),
    ...waits.map(([name, count, remedy]) =>
      count === 0
        ? well('work', name, 'are none')
        : ill('work', 'warning', { name, reason: `are ${count} and wait for a person`, remedy }),
    ),
    ok === false
      ? ill('work', 'fault', {
          name: 'the books',
          reason: `break ${breaches.map(({ invariant }) => invariant).join(', ')}`,
          remedy: 'see `refill invariants`, and RefillInvariantBroken in docs/runbook.md',
        })
      : age === null || age > INVARIANTS_HOURS
        ? ill('work', 'warning', {
            name: 'the books',
            reason: age === null ? 'were never looked at' : `were last looked at ${Math.floor(age)} hours ago`,
            remedy: 'run a worker, or `refill invariants` now',
          })
        : fullAge === null || fullAge > FULL_DAYS * 24
          ? ill('work', 'warning', {
              name: 'the books',
              reason:
                fullAge === null
                  ? 'were never looked at as a whole'
                  : `were last looked at as a whole ${Math.floor(fullAge / 24)} days ago`,
              remedy: 'run a worker, or `refill invariants` now',
            })
          : well('work', 'the books', `were right at ${checkedAt}, and as a whole at ${fullAt}`),
  ];
}
