// Under root PostgreSQL runs as the system account `postgres`: this makes the account and sees to it
// that it reaches the data folder.
// Does nothing for a plain user.
import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, lchown, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresFault } from './embedded-postgres-fault.ts';

const run = promisify(execFile);

export type Account = { uid: number; gid: number };

export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The account that PostgreSQL runs as when we are root, made if missing. `embedded-postgres` makes it only while
 * initialising, which is too late for a container that was rebuilt around an old data folder.
 * @throws PostgresFault `no-account`
 */
export async function ensureAccount(): Promise<Account> {
  const found = await findAccount('postgres');
  if (found) return found;
  try {
    await run('groupadd', ['--force', '--system', 'postgres']);
    await run('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres']);
  } catch {
    // The sentence below says what to do, whichever of the two tools is missing or refused.
  }
  const made = await findAccount('postgres');
  if (made) return made;
  throw new PostgresFault(
    'no-account',
    'PostgreSQL refuses to run as root and the account `postgres` could not be made: start as a plain user, or ' +
      'set DATABASE_URL.',
  );
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function findName(uid: number): Promise<string | undefined> {
  try {
    return (await run('id', ['-un', String(uid)])).stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * Walks down to each of `folders` as `account`, because only the kernel knows all of modes, groups, ACLs and mounts.
 * @returns the first folder on the way that the account may not enter
 */
export function findClosedFolder(folders: string[], account: Account): string | undefined {
  const steps = folders.flatMap(listSteps);
  const script = 'for step; do cd "$step" 2>/dev/null || { printf %s "$step"; exit 1; }; done';
  const walk = spawnSync('/bin/sh', ['-c', script, 'sh', ...steps], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  return walk.status === 1 ? walk.stdout : undefined;
}

/** The folder and all above it, from the root down. */
function listSteps(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [...listSteps(above), folder];
}

/**
 * A checkout of root's below /root is closed to the account that PostgreSQL runs as. Rather than
 * opening /root to all, the process
 * changes to that account with one right kept: passing through closed folders. access() drops that right
 * unless the securebit is set.
 * @param folders where PostgreSQL has to get
 * @returns what to put in front of the command; nothing where nothing is closed or the tool is missing
 *   (the fault then says what to do)
 */
export async function findAccessPrefix(folders: string[]): Promise<string[]> {
  if (!isRoot()) return [];
  const account = await ensureAccount();
  if (findClosedFolder(folders, account) === undefined) return [];
  const way = [
    'setpriv',
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
  return spawnSync(way[0] ?? '', [...way.slice(1), 'true']).status === 0 ? way : [];
}

/**
 * Lets `account` pass through a folder of root's own, by group, so that nobody else gets in.
 * `mktemp -d` and a strict umask make folders that only root may enter.
 */
export async function openFolder(folder: string, account: Account): Promise<void> {
  const { uid, gid, mode } = await lstat(folder);
  const isOpen = (mode & 0o001) !== 0 || (gid === account.gid && (mode & 0o010) !== 0);
  if (uid !== 0 || isOpen || (mode & 0o070) !== 0) return;
  await chown(folder, uid, account.gid);
  await chmod(folder, (mode & 0o777) | 0o010);
}

/**
 * Gives a cluster to `account` when its owner no longer exists (a rebuilt container numbers its accounts anew).
 * @throws PostgresFault `not-writable` when the cluster belongs to another living account:
 *   taking it would lock that user out
 */
export async function adoptCluster(cluster: string, account: Account): Promise<void> {
  const owner = (await lstat(cluster)).uid;
  if (owner === account.uid) return;
  // Root's own is a copy that somebody made as root: nobody is locked out.
  const name = owner === 0 ? undefined : await findName(owner);
  if (name !== undefined) {
    throw new PostgresFault(
      'not-writable',
      `The database in ${cluster} belongs to the user ${name}: start as ${name}, or choose another folder with ` +
        'REFILL_DATA.',
    );
  }
  await lchown(cluster, account.uid, account.gid);
  for (const entry of await readdir(cluster, { recursive: true }))
    await lchown(join(cluster, entry), account.uid, account.gid);
}
