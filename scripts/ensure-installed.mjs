// Makes sure that node_modules holds what package-lock.json names, before anything that needs a package is started.
// Plain JavaScript without any package: this is the first thing to run on a fresh machine, on whatever Node is there.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SETS_INSIDE, setOfEntry } from './package-sets.mjs';

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

const installedFile = join(projectRoot, 'node_modules', '.package-lock.json');
const lockFile = join(projectRoot, '.data', 'install.lock');
// Our choice: a whole install takes 10 to 60 s; ten minutes without an end means that the holder is stuck or gone.
const lockTimeoutMs = 600_000;
const lockPollMs = 250;

/** A failure that is the machine's, not the program's: told in one sentence, without a stack. */
export class SetupError extends Error {}

/** Path of the pinned Node 24 that the lockfile installs; it runs TypeScript as it is. */
export const pinnedNode = join(
  projectRoot,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/**
 * The environment of a program of ours: Node keeps there what it has compiled, also TypeScript without its types, so
 * that it loads its compiler (WebAssembly of 7 MB) only for what has changed. A command starts in half the time. Beside
 * the packages, where only who may change them writes; who may not starts as before.
 */
export const compilingOnce = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(projectRoot, 'node_modules', '.cache', 'compiled'),
};

/**
 * Installs packages when those that `needed` names are missing or are not the lockfile's: without those of tests,
 * unless tests need them or the checkout had them before.
 * Two calls at once (of two processes) end in one install. Says one line on stderr when it installs, nothing otherwise.
 * @param {import('./package-sets.mjs').PackageSet} needed
 * @returns {Promise<void>}
 * @throws {SetupError} when Node is too old or npm fails
 */
export async function ensureInstalled(needed = 'tests') {
  requireNode(20, 19);
  if (isInstalled(needed)) return;
  await takeLock();
  try {
    // Whoever held the lock before us was most likely installing: look again.
    if (!isInstalled(needed)) await runNpm(needed);
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** Runs `main` and turns a SetupError into one sentence on stderr and exit code 1. */
export async function runOrExplain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  throw new SetupError(
    `Refill needs Node.js ${major}.${minor} or newer to start, but this is ${process.versions.node}: install a ` +
      'newer one from https://nodejs.org/.',
  );
}

/**
 * Compares versions instead of file times: `git checkout` and `npm install` touch the two files in either order.
 * Optional packages are left out, as those of other platforms are rightly missing.
 */
function isInstalled(needed) {
  const installed = readPackages(installedFile);
  if (installed === undefined || !existsSync(pinnedNode)) return false;
  const wanted = readPackages(join(projectRoot, 'package-lock.json')) ?? {};
  // npm itself leaves the packages of tests out under this variable (a production image).
  const isProduction = process.env.NODE_ENV === 'production';
  const sets = SETS_INSIDE[isProduction && needed === 'tests' ? 'demonstration' : needed];
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || !sets.includes(setOfEntry(entry))) return true;
    return installed[path]?.version === entry.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function takeLock() {
  mkdirSync(dirname(lockFile), { recursive: true });
  const giveUpAt = Date.now() + lockTimeoutMs;
  let hasSaidSo = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isHeldByLivingProcess()) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (Date.now() > giveUpAt) {
      throw new SetupError(`Another install has been running for ten minutes; if none is, delete ${lockFile}.`);
    }
    if (!hasSaidSo) process.stderr.write('Waiting for another process that is installing the packages...\n');
    hasSaidSo = true;
    await sleep(lockPollMs);
  }
}

function isHeldByLivingProcess() {
  let holder;
  try {
    holder = Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return false;
  }
  // An empty file is one being written this moment. Our own pid is left over from a former container.
  if (holder === 0) return true;
  if (holder === process.pid) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @returns what to call npm with, and how to name it */
function chooseInstall(needed) {
  const had = Object.values(readPackages(installedFile) ?? {}).some((entry) => setOfEntry(entry) === 'tests');
  if (needed !== 'tests' && !had) return ['ci', '--omit=dev'];
  // `npm ci` removes everything first, also under a shop that runs from here; what is right is only added to.
  return isInstalled('demonstration') ? ['install', '--no-save', '--include=dev'] : ['ci'];
}

function runNpm(needed) {
  const what = chooseInstall(needed);
  process.stderr.write(`Installing the packages of package-lock.json (npm ${what.join(' ')}, once)...\n`);
  const npmScript = process.env.npm_execpath;
  const isNpm = npmScript?.endsWith('npm-cli.js');
  const [command, args] = isNpm ? [process.execPath, [npmScript, ...what]] : ['npm', what];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, '--loglevel=error', '--no-progress'], {
      cwd: projectRoot,
      // npm talks on our stderr, so that the output of the program itself stays clean.
      stdio: ['ignore', 2, 2],
      // Windows knows npm as npm.cmd, which only a shell can start.
      shell: !isNpm && process.platform === 'win32',
      // The browser for tests comes from a package; Playwright's own 150 MB are not needed.
      env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' },
    });
    child.on('error', () =>
      reject(new SetupError('Could not start npm: it comes with Node.js and must be on the PATH.')),
    );
    child.on('close', (code) => {
      if (code === 0 && isInstalled(needed)) return resolve();
      const why = code === 0 ? 'ended well but left packages out' : `failed with exit code ${code}`;
      reject(new SetupError(`npm ${what[0]} ${why}: see its output above; nothing was started.`));
    });
  });
}
