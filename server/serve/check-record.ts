// Whether callbacks could be kept while the database is away: where, and whether there is room. Asked before it
// matters.
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '#server/platform/config.ts';
import { locateCallbackRecord } from '#server/platform/record/locate-record.ts';
import type { Finding } from '#server/platform/settings/finding.ts';

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
    return [{ name, reason: 'cannot be written: callbacks are refused while the database is away', remedy }];
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
