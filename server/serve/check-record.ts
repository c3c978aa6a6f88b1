// Checks at a start that what has to outlive the database can be kept: callbacks while it is away, who was erased, and
// the texts by which orders are found after a restored backup.
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#server/platform/config.ts';
import { locateCallbackRecord } from '#server/platform/record/locate-record.ts';
import type { Finding } from '#server/platform/settings/finding.ts';

/** A worker takes no callbacks, and it alone carries out the wishes of persons. */
const LOSSES: Readonly<Record<Config['role'], string>> = {
  web: 'callbacks are refused while the database is away',
  worker: 'who was erased is noted nowhere, and a backup that is brought back has them again',
  all:
    'callbacks are refused while the database is away, and who was erased is noted nowhere for a backup that is ' +
    'brought back',
};

/** Of live: in a demonstration nobody has paid. */
export function warnOfRecovery({ environment, keySecrets }: Pick<Config, 'environment' | 'keySecrets'>): Finding[] {
  if (environment === 'demo' || keySecrets.length > 0) return [];
  return [
    {
      name: 'REFILL_KEY_SECRETS',
      reason: 'is missing: orders that a restored backup lacks cannot be recovered from the games',
      remedy: 'set it (`openssl rand -base64 32`), and keep it where the backups are not',
    },
  ];
}

/** Nothing is made by it. */
export async function checkCallbackRecord(config: Config): Promise<Finding[]> {
  if (config.callbackRecordMb === 0) return [];
  const name = 'REFILL_CALLBACK_RECORD';
  const path = locateCallbackRecord(config);
  const nearest = await findExisting(path);
  const mayWrite = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!mayWrite) {
    const remedy =
      `name a folder that the account of the shop may write, on a disk that outlives the process (now ${path}), or ` +
      'set REFILL_CALLBACK_RECORD_MB=0';
    return [{ name, reason: `cannot be written: ${LOSSES[config.role]}`, remedy }];
  }
  const { bavail, bsize } = await statfs(nearest);
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  if (free >= config.callbackRecordMb) return [];
  const remedy = `make room in ${nearest}, or lower REFILL_CALLBACK_RECORD_MB`;
  return [{ name, reason: `may take ${config.callbackRecordMb} MB, and ${free} MB are free`, remedy }];
}

async function findExisting(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : findExisting(dirname(path));
}
