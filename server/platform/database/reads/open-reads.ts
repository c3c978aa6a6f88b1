// Opens the reads of a process or command, as its settings say.
import type { Config } from '#server/platform/config.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { type Reads, type ReadsLog, readPrimary, readReplica } from './reads.ts';

export type ReadSettings = Pick<
  Config,
  'databaseReadUrl' | 'replicaMaxBehindSeconds' | 'poolSize' | 'preparesStatements'
>;

/** Our choice: the metric of a process that reads nothing for a while is no older than this. */
const WATCH_MS = 15_000;

/**
 * @param options.answerMs see openDb
 * @param options.isWatched looks now and then, also while nothing is read: for a process that tells metrics
 */
export function openReads(
  settings: ReadSettings,
  primary: Db,
  log: ReadsLog,
  options: { answerMs?: number; isWatched?: boolean } = {},
): Reads {
  if (settings.databaseReadUrl === '') return readPrimary(primary);
  const { answerMs, isWatched = false } = options;
  const replica = openDb(settings.databaseReadUrl, {
    max: settings.poolSize,
    preparesStatements: settings.preparesStatements,
    onError: (error) => log.warn({ err: error }, 'an idle connection to the replica broke'),
    ...(answerMs !== undefined && { answerMs }),
  });
  const reads = readReplica({ primary, replica, log, maxBehindSeconds: settings.replicaMaxBehindSeconds });
  // A primary that is away is told by everything else.
  const timer = isWatched ? setInterval(() => void reads.look().catch(() => undefined), WATCH_MS) : undefined;
  timer?.unref();
  return {
    ...reads,
    close: async () => {
      clearInterval(timer);
      await reads.close();
    },
  };
}
