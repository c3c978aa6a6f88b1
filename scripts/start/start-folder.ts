// The data folder of a run: database, logs, what the simulators remember.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureAccount, isRoot, openFolder } from '#server/platform/database/embedded-postgres-account.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { locateData } from '#server/platform/settings/shop-folder.ts';
import { describeFileError } from '#server/platform/database/embedded-postgres-fault.ts';

/** The parts of a run keep their files in these folders. */
export type RunFolder = { root: string; postgres: string; simulators: string; logs: string };

/** @param chosen the variable REFILL_DATA; without it `.data` of the shop's own folder or of the project */
export function locateRunFolder(chosen: string | undefined, shop?: string): RunFolder {
  const root = locateData({ REFILL_DATA: chosen, REFILL_SHOP: shop });
  return { root, postgres: join(root, 'postgres'), simulators: join(root, 'simulators'), logs: join(root, 'logs') };
}

/**
 * Makes the folder. Under root PostgreSQL's account has to pass through it, whatever the umask was.
 * @throws PostgresFault `not-writable`, `no-space`, `no-account`
 */
export async function prepareRunFolder(folder: RunFolder): Promise<void> {
  try {
    await makeFolders(folder.root, 0o700);
    await access(folder.root, constants.W_OK);
    await makeFolders(folder.simulators, 0o700);
    await makeFolders(folder.logs, 0o700);
  } catch (error) {
    throw describeFileError(error, folder.root);
  }
  if (isRoot()) await openFolder(folder.root, await ensureAccount());
}
