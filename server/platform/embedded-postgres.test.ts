// The embedded PostgreSQL with real processes: first start, takeover after kill -9, and the faults in one sentence.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { describeServerOutput } from './embedded-postgres-fault.ts';
import { findRunningUrl, readCommand } from './embedded-postgres-running.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

// A whole process of its own, because only a process can be killed.
const starter = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
  const { url, pid } = await startEmbeddedPostgres({ dataDir: process.argv[1], fast: true });
  process.send({ url, pid });
`;

let dataDir: string;

beforeEach(() => {
  dataDir = join(tmpdir(), `refill-embedded-${randomBytes(4).toString('hex')}`);
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

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
  const first = await startEmbeddedPostgres({ dataDir, fast: true });
  await query(first.url, 'CREATE TABLE kept (word text)');
  await query(first.url, "INSERT INTO kept VALUES ('b'), ('a'), ('B'), ('ä')");
  expect(await findRunningUrl(dataDir)).toBe(first.url);
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  await first.stop();
  expect(await findRunningUrl(dataDir)).toBeUndefined();
  await expect(query(first.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  const second = await startEmbeddedPostgres({ dataDir, fast: true });
  onTestFinished(() => second.stop());
  expect(second).toMatchObject({ url: first.url, reused: false });
  expect(await query(second.url, "SELECT string_agg(word, '' ORDER BY word) AS sorted FROM kept")).toEqual([
    { sorted: 'Babä' },
  ]);
});

test('takes over the server of a starter that was killed, and ends it cleanly', async () => {
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', starter, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [left] = (await once(killed, 'message')) as [{ url: string; pid: number }];
  killed.kill('SIGKILL');
  await once(killed, 'exit');

  expect(await readCommand(left.pid)).toContain(dataDir);
  const heir = await startEmbeddedPostgres({ dataDir, fast: true });
  expect(heir).toMatchObject({ pid: left.pid, url: left.url, reused: true });
  await heir.stop();
  expect(await readCommand(left.pid)).toBe('');
  await expect(readFile(join(dataDir, 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

test('starts again after everything was killed, even when the old process id belongs to a stranger now', async () => {
  const first = await startEmbeddedPostgres({ dataDir, fast: true });
  process.kill(first.pid, 'SIGKILL');
  await first.lost;
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));

  const second = await startEmbeddedPostgres({ dataDir, fast: true });
  expect(second.reused).toBe(false);
  await second.stop();
});

test('one owner at a time', async () => {
  const owner = await startEmbeddedPostgres({ dataDir, fast: true });
  onTestFinished(() => owner.stop());
  await expect(startEmbeddedPostgres({ dataDir, fast: true, patienceMs: 300 })).rejects.toMatchObject({
    code: 'in-use',
    message: expect.stringContaining(dataDir),
  });
  expect(await query(owner.url, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
});

test('refuses the folder of another PostgreSQL version and leaves it as it was', async () => {
  await mkdir(join(dataDir, 'cluster'), { recursive: true });
  await writeFile(join(dataDir, 'cluster', 'PG_VERSION'), '17\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    code: 'other-version',
    message: expect.stringMatching(/was made by PostgreSQL 17, but this Refill brings 18: .*REFILL_DATA\.$/),
  });
  expect(await readFile(join(dataDir, 'cluster', 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('says what to do when the password is gone, and does not make a new one', async () => {
  await (await startEmbeddedPostgres({ dataDir, fast: true })).stop();
  await rm(join(dataDir, 'password'));
  await expect(startEmbeddedPostgres({ dataDir, fast: true })).rejects.toMatchObject({ code: 'no-password' });
  await writeFile(join(dataDir, 'password'), 'another one');
  const wrong = startEmbeddedPostgres({ dataDir, fast: true });
  await expect(wrong).rejects.toMatchObject({
    code: 'no-password',
    message: expect.stringContaining('refuses the password'),
  });
});

test('says what to do when a file is in the way of the folder', async () => {
  await writeFile(dataDir, '');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining(`${dataDir} cannot be made because a file is in its way`),
  });
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
