// `npm start` with real processes and a real database, but fakes in place of server and simulators: coming
// up, going down, being killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readCommand } from '#server/platform/database/embedded-postgres-running.ts';
import { openTestDatabase } from '#testing/database.ts';
import { copyCluster } from '#testing/made-cluster.ts';
import { findQuietPort, readPort, requireFreePort } from './start/start-ports.ts';

const launcher = fileURLToPath(new URL('../testing/fixtures/start/launcher.ts', import.meta.url));

// Several whole runs a test, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dataDir: string;
let port: number;
let runs: ChildProcess[];

beforeEach(async () => {
  dataDir = join(tmpdir(), `refill-start-${randomBytes(4).toString('hex')}`);
  port = await findQuietPort();
  runs = [];
});

afterEach(async () => {
  for (const run of runs) run.kill('SIGTERM');
  await Promise.all(
    runs.filter((run) => run.exitCode === null && run.signalCode === null).map((run) => once(run, 'exit')),
  );
  await waitUntilGone(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

type Run = { process: ChildProcess; lines: string[]; exited: Promise<unknown[]> };

/** A run before this one has left its database. */
const haveDatabase = () => copyCluster(join(dataDir, 'postgres'));

/** Resolves when the run said `ready` or ended. */
async function launch(variables: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, [launcher], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REFILL_DATA: dataDir, PORT: String(port), REFILL_ENVIRONMENT: undefined, ...variables },
  });
  runs.push(child);
  const lines: string[] = [];
  const exited = once(child, 'exit');
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line === 'ready') resolve();
    });
    child.once('close', () => resolve());
  });
  return { process: child, lines, exited };
}

const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();

async function readPids(): Promise<{ launcher: number; children: number[]; postgres: number }> {
  const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as {
    launcher: { pid: number };
    children: { pid: number }[];
  };
  const postmaster = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return {
    launcher: run.launcher.pid,
    children: run.children.map((child) => child.pid),
    postgres: parseInt(postmaster, 10),
  };
}

async function waitUntilGone(folder: string): Promise<void> {
  const pids = await readPids().catch(() => undefined);
  if (!pids) return;
  const all = [pids.launcher, ...pids.children, pids.postgres];
  for (const deadline = Date.now() + 15_000; Date.now() < deadline;) {
    const commands = await Promise.all(all.map(readCommand));
    if (!commands.some((command) => command.includes(folder) || command.includes('testing/fixtures/start'))) return;
    await sleep(50);
  }
  throw new Error(`Still running: ${all.join(' ')}`);
}

test('comes up in order, serves with the demo environment, and drains before it goes', async () => {
  const run = await launch();
  const steps = run.lines.flatMap((line) => /^(.+) \.\.\. \d+\.\d s$/.exec(line)?.[1] ?? []);
  expect(steps).toEqual([
    'Storefront',
    'PostgreSQL',
    'Migrations',
    'Brands, games and channels',
    'Simulators',
    'Server',
    'Demo accounts',
  ]);
  expect(run.lines).toContain(`  joynetJp  http://joynetjp.demo.localhost:${port}`);
  expect(run.lines.at(-1)).toBe('ready');
  expect(await ask('/')).toBe('hello');

  const pids = await readPids();
  const slow = ask('/slow');
  await sleep(200);
  run.process.kill('SIGINT');
  // Ctrl-C in a terminal arrives twice: from the terminal and from npm.
  run.process.kill('SIGINT');
  expect(await slow).toBe('hello');
  expect(await run.exited).toEqual([0, null]);
  const stops = run.lines.flatMap((line) => /^Stopping (.+) \.\.\. /.exec(line)?.[1] ?? []);
  expect(stops).toEqual(['the server', 'the simulators', 'PostgreSQL']);
  expect(await Promise.all([...pids.children, pids.postgres].map(readCommand))).toEqual(['', '', '']);
});

test('kill -9 of the launcher: the parts finish their work and end, and a start right after waits for them', async () => {
  await haveDatabase();
  const run = await launch();
  const pids = await readPids();
  const slow = ask('/slow');
  await sleep(200);
  run.process.kill('SIGKILL');
  await run.exited;
  const second = await launch();
  expect(await slow).toBe('hello');
  expect(second.lines).toContain('The former run was cut off; waiting until its last requests are done.');
  expect(second.lines.at(-1)).toBe('ready');
  expect(await Promise.all(pids.children.map(readCommand))).toEqual(['', '']);
});

test('kill -9 of everything at once leaves nothing that stops the next start', async () => {
  await haveDatabase();
  const run = await launch();
  const pids = await readPids();
  for (const pid of [pids.launcher, ...pids.children, pids.postgres]) process.kill(pid, 'SIGKILL');
  await run.exited;
  const second = await launch();
  expect(second.lines.at(-1)).toBe('ready');
  expect(await ask('/')).toBe('hello');
});

/** A database that holds a shop, or nothing at all; what a start did to it is told by its tables. */
async function openForeign(isEmpty: boolean): Promise<{ url: string; listTables: () => Promise<string[]> }> {
  const { db, drop, url } = await openTestDatabase(1);
  onTestFinished(drop);
  if (isEmpty) await db.query('drop schema public cascade; create schema public');
  const listTables = async () => {
    const { rows } = await db.query<{ name: string }>(
      "select relname as name from pg_class where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace",
    );
    return rows.map(({ name }) => name).toSorted();
  };
  return { url, listTables };
}

test('a database that npm start did not make is refused in one sentence and stays as it is', async () => {
  const { listTables, url } = await openForeign(false);
  const before = await listTables();
  for (const environment of [{}, { REFILL_ENVIRONMENT: 'demo' }]) {
    const run = await launch({ START_DATABASE_URL: url, ...environment });
    expect(await run.exited).toEqual([1, null]);
    const sentence = run.lines.filter((line) => line.includes('(DATABASE_URL) was not made by npm start'));
    expect(sentence).toEqual([
      expect.stringMatching(/"npm run refill -- serve".*an empty database and REFILL_ENVIRONMENT=demo\.$/),
    ]);
    expect(run.lines).not.toContain('ready');
  }
  expect(await listTables()).toEqual(before);
});

test('an empty database is taken when that was said, and is its own from then on', async () => {
  const { listTables, url } = await openForeign(true);
  const unsaid = await launch({ START_DATABASE_URL: url });
  expect(await unsaid.exited).toEqual([1, null]);
  expect(unsaid.lines.join('\n')).toMatch(/is empty, and npm start would make .*: say so by REFILL_ENVIRONMENT=demo/);
  expect(await listTables()).toEqual([]);
  for (const environment of [{ REFILL_ENVIRONMENT: 'demo' }, {}]) {
    const run = await launch({ START_DATABASE_URL: url, ...environment });
    expect(run.lines.at(-1)).toBe('ready');
    run.process.kill('SIGINT');
    await run.exited;
  }
  expect(await listTables()).toContain('made_by_npm_start');
});

test('variables of a live shop stop a demonstration before it begins', async () => {
  const run = await launch({ REFILL_ENVIRONMENT: 'live' });
  expect(await run.exited).toEqual([1, null]);
  expect(run.lines.join('\n')).toContain('REFILL_ENVIRONMENT is "live", but npm start is a demonstration');
});

test('a part that dies ends the whole with a sentence and exit code 1', async () => {
  await haveDatabase();
  const run = await launch();
  const pids = await readPids();
  await ask('/die').catch(() => undefined);
  expect(await run.exited).toEqual([1, null]);
  expect(run.lines).toContain(
    `Refill ends because the server ended unexpectedly (exit code 3): see ${join(dataDir, 'logs', 'server.log')}`,
  );
  expect(await Promise.all([...pids.children, pids.postgres].map(readCommand))).toEqual(['', '', '']);
});

test('with reload it says each rebuild of the pages, and goes on after one that failed', async () => {
  const { lines, process: child, exited } = await launch({ START_DEV: '1' });
  const said = lines.join('\n');
  expect(said.match(/Rebuilding the storefront \.\.\./g)).toHaveLength(2);
  expect(said).toMatch(/a typing mistake\n/);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('a second start from the same folder is refused and leaves the first alone', async () => {
  await haveDatabase();
  const first = await launch();
  const second = await launch();
  expect(await second.exited).toEqual([1, null]);
  expect(second.lines.join('\n')).toContain(
    `Refill is already running from ${dataDir} on port ${port} (process ${first.process.pid}): stop it first`,
  );
  expect(await ask('/')).toBe('hello');
});

test.each(['127.0.0.1', '::', '0.0.0.0'])(
  'a port that is taken on %s is named, with a free one beside it',
  async (host) => {
    const other = createServer().listen(port, host);
    await once(other, 'listening');
    await expect(requireFreePort(port)).rejects.toThrow(
      new RegExp(
        `^Port ${port} is already in use: stop what listens there, or choose another one, for instance PORT=\\d+ ` +
          'npm start$',
      ),
    );
    other.close();
    await once(other, 'close');
    await expect(requireFreePort(port)).resolves.toBeUndefined();
  },
);

test('PORT must be a port', () => {
  expect(readPort(undefined)).toBe(8080);
  expect(readPort('8081')).toBe(8081);
  for (const text of ['', '0', '65536', '80.5', 'http', '-1'])
    expect(() => readPort(text)).toThrow('PORT must be a number');
});
