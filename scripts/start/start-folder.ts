// The data folder of a run: database, logs, what the simulators remember.
import { access, constants, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureAccount, isRoot, openFolder } from '#server/platform/database/embedded-postgres-account.ts';
import { describeFileError } from '#server/platform/database/embedded-postgres-fault.ts';

/** Where the parts of a run keep their things. */
export type RunFolder = { root: string; postgres: string; simulators: string; logs: string };

/** @param chosen the variable REFILL_DATA, relative to where the command was called; default `.data` in the project */
export function locateRunFolder(chosen: string | undefined): RunFolder {
  const root = chosen ? resolve(chosen) : fileURLToPath(new URL('../../.data', import.meta.url));
  return { root, postgres: join(root, 'postgres'), simulators: join(root, 'simulators'), logs: join(root, 'logs') };
}

/**
 * Makes the folder. Under root PostgreSQL's account has to pass through it, whatever the umask was.
 * @throws PostgresFault `not-writable`, `no-space`, `no-account`
 */
export async function prepareRunFolder(folder: RunFolder): Promise<void> {
  try {
    await mkdir(folder.root, { recursive: true, mode: 0o700 });
    await access(folder.root, constants.W_OK);
    await mkdir(folder.simulators, { recursive: true, mode: 0o700 });
    await mkdir(folder.logs, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw describeFileError(error, folder.root);
  }
  if (isRoot()) await openFolder(folder.root, await ensureAccount());
}
