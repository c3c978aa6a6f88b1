// Opens the reads of a process or command, as its settings say.
import type { Config } from '#server/platform/config.ts';
import { type Db, openDb } from './db.ts';
import { type Reads, type ReadsLog, readPrimary, readReplica } from './reads.ts';

export type ReadSettings = Pick<
  Config,
  'databaseReadUrl' | 'replicaMaxBehindSeconds' | 'poolSize' | 'preparesStatements'
>;

/** @param answerMs see openDb */
export function openReads(settings: ReadSettings, primary: Db, log: ReadsLog, answerMs?: number): Reads {
  if (settings.databaseReadUrl === '') return readPrimary(primary);
  const replica = openDb(settings.databaseReadUrl, {
    max: settings.poolSize,
    preparesStatements: settings.preparesStatements,
    onError: (error) => log.warn({ err: error }, 'an idle connection to the replica broke'),
    ...(answerMs !== undefined && { answerMs }),
  });
  return readReplica({ primary, replica, log, maxBehindSeconds: settings.replicaMaxBehindSeconds });
}
