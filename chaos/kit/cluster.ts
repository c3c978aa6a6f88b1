// A PostgreSQL that a test may kill, stop and bring back on the same port, and copy into a standby. The embedded
// one, as `npm start` runs it.
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { forkPostgres, type PostgresChild } from '#scripts/start/start-postgres.ts';
import type { Defer } from '#bench/kit/cleanup.ts';
import { createShopDatabase } from '#testing/database.ts';

const run = promisify(execFile);

export type Cluster = {
  /** Its folder: `cluster/` inside is PostgreSQL's own. */
  readonly dataDir: string;
  readonly url: string;
  readonly port: number;
  /** kill -9 of the whole server; resolves when it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
};

export async function createCluster(defer: Defer, dataDir: string, isForgetful = false): Promise<Cluster> {
  let child: PostgresChild | null = await fork();
  defer(async () => child?.stop());
  const { url } = child;

  function fork(): Promise<PostgresChild> {
    // A temporary one removes its folder when it stops, so it can only die once; both are killed with this process.
    return forkPostgres({ dataDir, temporary: isForgetful });
  }
  return {
    dataDir,
    url,
    port: Number(new URL(url).port),
    kill: async () => {
      const dying = child;
      child = null;
      if (!dying) return;
      process.kill(dying.pid, 'SIGKILL');
      await dying.exited;
    },
    stop: async () => {
      const stopping = child;
      child = null;
      await stopping?.stop();
    },
    start: async () => {
      child = await fork();
      if (child.url !== url) throw new Error('PostgreSQL came back on another port: somebody took the old one');
    },
  };
}

/**
 * A database of its own on a server that serves others as well, with the shipped brands: for short forms in which
 * PostgreSQL does not die. Making a whole server takes longer than they do.
 * @param templateUrl see testing/database.ts
 */
export async function borrowCluster(defer: Defer, templateUrl: string): Promise<Cluster> {
  const { url, drop } = await createShopDatabase(templateUrl);
  defer(drop);
  const refuse = async (): Promise<never> => {
    throw new Error('this PostgreSQL serves others as well: it does not die for one test');
  };
  return { dataDir: '', url, port: Number(new URL(url).port), kill: refuse, stop: refuse, start: refuse };
}

/** Runs statements as the superuser, each on its own. */
export async function runSql(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/**
 * Copies the folder of a running server. @returns what has to stand in the copy's backup_label
 * @source https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function copyRunning(primary: Cluster, target: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('${name}', true)`);
    // Files may go away while they are copied: the write-ahead log since the start of the backup has what was in them.
    await run('cp', ['-a', join(primary.dataDir, 'cluster'), target]).catch((error: Error & { stderr?: string }) => {
      const isHarmless = (error.stderr ?? '').split('\n').every((line) => line === '' || /No such file/.test(line));
      if (!isHarmless) throw error;
    });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    return rows[0]?.labelfile ?? '';
  } finally {
    await client.end();
  }
}

/**
 * Copies a running primary and starts the copy as its standby.
 * @param primaryPort where the standby reaches the primary: the port of a proxy, if the wire between them matters
 */
export async function createStandby(
  defer: Defer,
  primary: Cluster,
  dataDir: string,
  primaryPort: number,
): Promise<Cluster> {
  await mkdir(dataDir, { mode: 0o700 });
  const { uid, gid } = await stat(join(primary.dataDir, 'cluster'));
  const target = join(dataDir, 'cluster');
  const label = await copyRunning(primary, target, 'standby');
  await rm(join(target, 'postmaster.pid'), { force: true });
  await rm(join(target, 'postmaster.opts'), { force: true });
  await writeFile(join(target, 'backup_label'), label);
  await writeFile(join(target, 'standby.signal'), '');
  const { password } = new URL(primary.url);
  // The last word on a setting counts: the copy waits for nobody once it is a primary itself.
  await appendFile(
    join(target, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=postgres password=${password} ` +
      `application_name=standby'\nsynchronous_standby_names = ''\n`,
  );
  for (const file of ['backup_label', 'standby.signal']) await chown(join(target, file), uid, gid);
  await writeFile(join(dataDir, 'password'), `${decodeURIComponent(password)}\n`, { mode: 0o600 });
  return createCluster(defer, dataDir);
}
