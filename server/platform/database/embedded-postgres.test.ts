// The embedded PostgreSQL with real processes: first start, takeover after kill -9, and the faults in one sentence.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { copyCluster } from '#testing/made-cluster.ts';
import { ensureAccount, findAccessPrefix, isRoot } from './embedded-postgres-account.ts';
import { describeServerOutput } from './embedded-postgres-fault.ts';
import { locateFolder, prepareFolder, readProgramFolder } from './embedded-postgres-folder.ts';
import { findRunningUrl, readCommand } from './embedded-postgres-running.ts';

// Every start is a process of its own: only a process can be killed, and under root it may have
// to change its account first.
const starter = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
  try {
    const postgres = await startEmbeddedPostgres(JSON.parse(process.argv[1]));
    const { url, socketUrl, pid, reused } = postgres;
    process.once('message', () => postgres.stop().then(() => process.exit(0)));
    process.send({ url, socketUrl, pid, reused });
    postgres.lost.then(() => process.exit(0));
  } catch ({ code, message, stack }) {
    process.send({ fault: { code, message: code ? message : stack } }, () => process.exit(1));
  }
`;

type Started = {
  url: string;
  socketUrl: string;
  pid: number;
  reused: boolean;
  stop: () => Promise<void>;
  kill: () => Promise<void>;
  gone: Promise<unknown>;
};

async function start(timeoutMs = 20_000): Promise<Started> {
  const [command = '', ...args] = [
    ...(await findAccessPrefix([readProgramFolder()])),
    process.execPath,
    '--input-type=module',
    '--eval',
    starter,
    JSON.stringify({ dataDir, fast: true, timeoutMs }),
  ];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const gone = once(child, 'exit');
  const [answer] = (await once(child, 'message')) as [
    Omit<Started, 'stop'> & { fault?: { code: string; message: string } },
  ];
  if (answer.fault) throw Object.assign(new Error(answer.fault.message), answer.fault);
  const end = async (by: () => unknown): Promise<void> => {
    by();
    await gone;
  };
  return {
    ...answer,
    gone,
    stop: () => end(() => child.send('stop', () => {})),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}

// Several whole starts a test, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 60_000 });

let dataDir: string;

beforeEach(() => {
  dataDir = join(tmpdir(), `refill-embedded-${randomBytes(4).toString('hex')}`);
});

// A server that was killed may write for a moment longer.
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('starts, keeps port, password and data over a restart, and sorts the same on every host', async () => {
  const first = await start();
  await query(first.url, 'CREATE TABLE kept (word text)');
  await query(first.url, "INSERT INTO kept VALUES ('b'), ('a'), ('B'), ('ä')");
  expect(await findRunningUrl(dataDir)).toBe(first.socketUrl);
  // By the socket file and not by the port that stands in the same address.
  expect(first.socketUrl).not.toBe(first.url);
  expect(await query(first.socketUrl, 'SELECT inet_client_addr() AS caller')).toEqual([{ caller: null }]);
  expect(await query(first.url, 'SELECT host(inet_client_addr()) AS caller')).toEqual([{ caller: '127.0.0.1' }]);
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  await first.stop();
  expect(await findRunningUrl(dataDir)).toBeUndefined();
  await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  const second = await start();
  onTestFinished(second.stop);
  expect(second).toMatchObject({ url: first.url, reused: false });
  expect(await query(second.url, "SELECT string_agg(word, '' ORDER BY word) AS sorted FROM kept")).toEqual([
    { sorted: 'Babä' },
  ]);
});

test('takes over the server of a starter that was killed, and ends it cleanly', async () => {
  await copyCluster(dataDir);
  const killed = await start();
  await killed.kill();
  expect(await readCommand(killed.pid)).toContain(dataDir);

  const heir = await start();
  expect(heir).toMatchObject({ pid: killed.pid, url: killed.url, reused: true });
  await heir.stop();
  expect(await readCommand(killed.pid)).toBe('');
  await expect(readFile(join(dataDir, 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('starts again after everything was killed, even when the old process id belongs to a stranger now', async () => {
  await copyCluster(dataDir);
  const first = await start();
  process.kill(first.pid, 'SIGKILL');
  await first.gone;
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  // Of the account that PostgreSQL runs as: it does not mind the processes of others.
  const stranger = spawn('sleep', ['60'], { cwd: '/', ...(isRoot() ? await ensureAccount() : {}) });
  onTestFinished(() => void stranger.kill());
  await writeFile(pidFile, [String(stranger.pid), ...lines.slice(1)].join('\n'));

  const second = await start();
  expect(second.reused).toBe(false);
  await second.stop();
});

test('one owner at a time', async () => {
  await copyCluster(dataDir);
  const owner = await start();
  onTestFinished(owner.stop);
  await expect(start(300)).rejects.toMatchObject({ code: 'in-use', message: expect.stringContaining(dataDir) });
  expect(await query(owner.url, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
});

test('refuses the folder of another PostgreSQL version and leaves it as it was', async () => {
  await mkdir(join(dataDir, 'cluster'), { recursive: true });
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toMatchObject({
    code: 'other-version',
    message: expect.stringMatching(/was made by PostgreSQL 17, but this Refill brings 18: .*REFILL_DATA\.$/),
  });
  expect(await readFile(join(dataDir, 'cluster', 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('says what to do when the password is gone, and does not make a new one', async () => {
  await copyCluster(dataDir);
  await rm(join(dataDir, 'password'));
  await expect(start()).rejects.toMatchObject({ code: 'no-password' });
  await writeFile(join(dataDir, 'password'), 'another one');
  await expect(start()).rejects.toMatchObject({
    code: 'no-password',
    message: expect.stringContaining('refuses the password'),
  });
});

test('says what to do when a file is in the way of the folder', async () => {
  await writeFile(dataDir, '');
  await expect(start()).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining(`${dataDir} cannot be made because a file is in its way`),
  });
});

test('says that a folder cannot be made where a file system takes none', async () => {
  await expect(prepareFolder(locateFolder('/proc/refill/postgres'))).rejects.toMatchObject({ code: 'not-writable' });
});

test.each([
  [
    'initdb: error: could not write file "x": No space left on device',
    undefined,
    'no-space',
    'There is no disk space left for the database in /d',
  ],
  [
    '2026 UTC [1] FATAL:  could not map anonymous shared memory',
    5000,
    'not-started',
    'PostgreSQL did not start in /d on port 5000: could not map anonymous shared memory.',
  ],
  ['', 5000, 'not-started', 'PostgreSQL did not start in /d on port 5000: it ended without a word.'],
])('reads the last words "%s"', (output, port, code, sentence) => {
  expect(describeServerOutput(output, '/d', port)).toMatchObject({ code, message: expect.stringContaining(sentence) });
});
