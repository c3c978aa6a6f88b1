// Finds, reuses and ends a PostgreSQL that is already running on our data folder: kill -9 of its starter leaves
// it behind, alive and usable.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { PostgresFault } from './embedded-postgres-fault.ts';
import { type DataFolder, locateFolder, readIfThere, readPassword } from './embedded-postgres-folder.ts';

export type Running = { pid: number; port: number };

/** Superuser connection string of the embedded server. @param database name inside the cluster */
export function buildUrl(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/**
 * The same server by its socket file, which costs a caller of this machine two thirds of what TCP over loopback does.
 * Anything that stands between caller and server (the chaos tests' proxies) has to take the other address.
 * @returns the TCP address again where the system knows no such files, the path is too long for one, or a server that
 *   was found running has none
 */
export function findSocketUrl(folder: DataFolder, port: number, password: string, database: string): string {
  const tcp = buildUrl(port, password, database);
  const file = join(folder.cluster, `.s.PGSQL.${port}`);
  if (!hasSocket(folder) || !existsSync(file)) return tcp;
  return `${tcp}?host=${encodeURIComponent(folder.cluster)}`;
}

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing zero and the file's own name included. */
export function hasSocket(folder: DataFolder): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(`${folder.cluster}/.s.PGSQL.65535`) < 104;
}

/**
 * The connection string of a Refill that is running from `dataDir` right now, for a command line
 * beside it; undefined when none is.
 */
export async function findRunningUrl(dataDir: string, database = 'refill'): Promise<string | undefined> {
  const folder = locateFolder(dataDir);
  const running = await readPostmaster(folder);
  if (!running) return undefined;
  const password = await readPassword(folder, true);
  return (await canConnect(buildUrl(running.port, password, 'postgres')))
    ? findSocketUrl(folder, running.port, password, database)
    : undefined;
}

/**
 * Reads `postmaster.pid`, if it is true: line 1 is the process id, line 4 the port. A process id may long belong to
 * somebody else, so the command line must name our cluster.
 * @source https://www.postgresql.org/docs/18/storage-file-layout.html
 */
export async function readPostmaster(folder: DataFolder): Promise<Running | undefined> {
  const lines = (await readIfThere(join(folder.cluster, 'postmaster.pid'), folder.root))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined;
  const command = await readCommand(pid);
  const names = [folder.cluster, lines[1]?.trim(), await realpath(folder.cluster).catch(() => undefined)];
  if (!names.some((name) => name && command.includes(name))) return undefined;
  return { pid, port: Number(lines[3]) };
}

/**
 * Waits until the server that holds the cluster either takes connections (reuse it) or is gone (start one).
 * It may be recovering or shutting down just now.
 * @returns the usable server, "none", or "stuck" after `timeoutMs`
 */
export async function settleRunning(
  folder: DataFolder,
  password: string,
  timeoutMs: number,
): Promise<Running | 'none' | 'stuck'> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const running = await readPostmaster(folder);
    if (!running) {
      await removeLockFiles(folder);
      return 'none';
    }
    if (running.port > 0 && (await canConnect(buildUrl(running.port, password, 'postgres')))) return running;
    if (Date.now() > deadline) return 'stuck';
    await sleep(100);
  }
}

/**
 * Takes away what a server that was killed left behind: PostgreSQL refuses to start while the number in one of these
 * files belongs to any live process, even a stranger or a zombie.
 */
async function removeLockFiles(folder: DataFolder): Promise<void> {
  const names = await readdir(folder.cluster).catch(() => []);
  const locks = names.filter((name) => name === 'postmaster.pid' || name.startsWith('.s.PGSQL.'));
  await Promise.all(locks.map((name) => rm(join(folder.cluster, name), { force: true })));
}

/** @throws PostgresFault `no-password` when the server is up but refuses our password: waiting would never help */
export async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    // 28P01 is invalid_password, https://www.postgresql.org/docs/18/errcodes-appendix.html
    if ((error as { code?: string }).code !== '28P01') return false;
    throw new PostgresFault(
      'no-password',
      `PostgreSQL on port ${new URL(url).port} refuses the password that is kept in the data folder: restore the ` +
        'file "password", or remove the folder to begin with an empty database.',
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Ends the server at once but cleanly: SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its "immediate" one
 * (recovery at the next start).
 * @source https://www.postgresql.org/docs/18/server-shutdown.html
 */
export async function stopPid(folder: DataFolder, pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      if ((await readCommand(pid)) === '') return;
      await sleep(20);
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) in ${folder.cluster} did not end.`);
}

/** The command line of a live process; empty when it is gone or a zombie. */
export async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
  }
  return promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    .then((answer) => answer.stdout.trim())
    .catch(() => '');
}
