// Patroni, etcd and PostgreSQL as Debian's packages bring them: those of this machine, or those of a Debian in a
// folder, which make-debian-root.sh builds. The embedded PostgreSQL lacks pg_basebackup and pg_rewind.
import { execFile } from 'node:child_process';
import { access, readFile, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Account, ensureAccount, isRoot } from '#server/platform/database/embedded-postgres-account.ts';

const run = promisify(execFile);

/** Patroni calls these programs. */
const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'pg_basebackup', 'pg_rewind'];
const OLDEST_POSTGRES = 16;
/** Written by the script when it is through. */
const COMPLETE = '.complete';

export type PatroniPrograms = {
  readonly patroni: string;
  readonly etcd: string;
  /** Folder of its programs. */
  readonly postgres: string;
  /** The prefix of a command that is to run in the folder's Debian; empty for programs of this machine. */
  readonly prefix: readonly string[];
  /** Whom they run as; null for whoever runs this. */
  readonly account: Account | null;
  /** A test has to make its folders here, so that the programs see them; null: anywhere. */
  readonly home: string | null;
  /** Converts a path of this machine to the one that the programs see. */
  pathOf(path: string): string;
};

/**
 * @param rootFolder of a Debian that make-debian-root.sh has built; undefined for what is installed here
 * @returns the programs, or a sentence that says what is missing and what to do
 */
export function findPatroni(rootFolder: string | undefined): Promise<PatroniPrograms | string> {
  return rootFolder === undefined ? findInstalled() : findInRoot(resolve(rootFolder));
}

async function findInstalled(): Promise<PatroniPrograms | string> {
  const find = (name: string) =>
    run('which', [name]).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
  const [patroni, etcd, postgres] = [await find('patroni'), await find('etcd'), await findPostgres('/')];
  if (!patroni || !etcd || !postgres)
    return (
      'it needs Patroni, etcd and a PostgreSQL 16 or newer with pg_basebackup and pg_rewind: on Debian 13 ' +
      '`apt-get install patroni etcd-server postgresql`, elsewhere as root `sh chaos/kit/make-debian-root.sh ' +
      '<folder>` and then `npm run chaos -- patroni --root <folder>`'
    );
  const account = isRoot() ? await ensureAccount() : null;
  return { patroni, etcd, postgres, prefix: [], account, home: null, pathOf: (path) => path };
}

async function findInRoot(root: string): Promise<PatroniPrograms | string> {
  if (!isRoot()) return 'a test in a Debian of its own (--root) changes into that folder, which only root may do';
  const postgres = (await isThere(join(root, COMPLETE))) ? await findPostgres(root) : null;
  if (!postgres) return `${root} holds no finished Debian: as root \`sh chaos/kit/make-debian-root.sh ${root}\``;
  const account = await readAccount(root);
  // Mounts of its own, so that nothing stays mounted whatever dies: Patroni looks for its PostgreSQL in /proc, and
  // PostgreSQL shares its memory through /dev/shm.
  const script =
    'mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" && ' +
    'exec chroot --userspec="$2" --groups= "$1" "${@:3}"';
  return {
    patroni: '/usr/bin/patroni',
    etcd: '/usr/bin/etcd',
    postgres,
    prefix: ['unshare', '--mount', 'bash', '-c', script, 'bash', root, `${account.uid}:${account.gid}`],
    account,
    home: join(root, 'tmp'),
    pathOf: (path) => join('/', relative(root, path)),
  };
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Finds Debian's folder of the newest PostgreSQL that the shop takes; as seen from inside `root`. */
async function findPostgres(root: string): Promise<string | null> {
  const versions = await readdir(join(root, 'usr/lib/postgresql')).catch(() => []);
  for (const version of versions
    .filter((one) => Number(one) >= OLDEST_POSTGRES)
    .toSorted((a, b) => Number(b) - Number(a))) {
    const folder = `/usr/lib/postgresql/${version}/bin`;
    const found = await Promise.all(POSTGRES_PROGRAMS.map((name) => isThere(join(root, folder, name))));
    if (found.every(Boolean)) return folder;
  }
  return null;
}

/** The account of PostgreSQL as that Debian numbers it. */
async function readAccount(root: string): Promise<Account> {
  const lines = (await readFile(join(root, 'etc/passwd'), 'utf8')).split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith('postgres:'))?.split(':') ?? [];
  if (!uid || !gid) throw new Error(`${root}/etc/passwd has no account postgres`);
  return { uid: Number(uid), gid: Number(gid) };
}
