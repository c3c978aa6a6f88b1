// The replica of DATABASE_READ_URL: whether it is one, and of this database, and how far behind it is.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#server/platform/config.ts';
import { openCommandDb } from '#cli/database.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { readReplica } from '#server/platform/database/reads/reads.ts';
import { ill, type Look, well } from './look.ts';

const NAME = 'DATABASE_READ_URL';
/** Our choice: one that follows at all has caught up by then. */
const LOOKS = 4;
const BETWEEN_MS = 1100;

/** @returns nothing where none is set */
export async function lookAtReplica(
  primary: Db,
  { databaseReadUrl, replicaMaxBehindSeconds }: Pick<Config, 'databaseReadUrl' | 'replicaMaxBehindSeconds'>,
): Promise<Look[]> {
  if (databaseReadUrl === '') return [];
  const replica = openCommandDb(databaseReadUrl);
  const reads = readReplica({
    primary,
    replica,
    maxBehindSeconds: replicaMaxBehindSeconds,
    log: { info: () => undefined, warn: () => undefined },
  });
  try {
    const other = await findOther(primary, replica);
    if (other) return [other];
    let found = await reads.look();
    for (let look = 1; look < LOOKS && found?.state === 'behind'; look += 1) {
      await sleep(BETWEEN_MS);
      found = await reads.look();
    }
    if (found?.state === 'ok')
      return [well('database', NAME, `leads to a replica that is ${found.behindSeconds.toFixed(1)} s behind at most`)];
    if (found?.state === 'behind') {
      const reason = `leads to a replica that is further behind than ${replicaMaxBehindSeconds} s, so the primary is read`;
      const remedy = 'see pg_stat_replication at the primary and the log of the replica';
      return [ill('database', 'warning', { name: NAME, reason, remedy })];
    }
    return [unreachable('it does not answer')];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [unreachable(message || (code ?? 'it does not answer'))];
  } finally {
    await reads.close();
  }
}

const unreachable = (why: string): Look =>
  ill('database', 'warning', {
    name: NAME,
    reason: `leads to no database: ${why}; the primary is read meanwhile`,
    remedy: 'start it, or see that the setting names it with the right account',
  });

/**
 * A setting that names something else than a replica of this database is a fault: it would show the data of another.
 */
async function findOther(primary: Db, replica: Db): Promise<Look | null> {
  const text = 'select pg_is_in_recovery() as is_replica, system_identifier::text as system from pg_control_system()';
  type Server = { is_replica: boolean; system: string };
  const [here] = await query<Server>(primary, 'doctor_server', text);
  const [there] = await query<Server>(replica, 'doctor_server', text);
  const fault = (reason: string) =>
    ill('database', 'fault', {
      name: NAME,
      reason,
      remedy: 'name a streaming replica of DATABASE_URL, or leave it out',
    });
  if (here?.system !== there?.system)
    return fault('leads to another database than DATABASE_URL, and not to its replica');
  return there?.is_replica ? null : fault('leads to a primary, and not to a replica');
}
