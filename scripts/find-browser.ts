// Finds a Chromium for tests and measurements: the one of CHROME_PATH, else an installed one, else the one of the
// package @sparticuz/chromium, which brings its own libraries and so needs nothing from the
// machine (64-bit Intel Linux).
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How to start a browser; `env` is the whole environment for its process. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string> };

const baseArgs = [
  // Our choice: containers and root accounts have no user namespaces for the sandbox; tests only visit our own pages.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
];

// The package's own switches turn off web security, site isolation and separate processes, which would make every test
// of the content security policy worthless.
// @source https://github.com/Sparticuz/chromium, build/index.js, `args`
const unwantedArgs =
  /single-process|no-zygote|disable-web-security|site-isolation|site-per-process|insecure-content|headless|enable-features/;

const installedNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe'];
const installedPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
];

/**
 * The browser to test with, ready to be started.
 * @param environment where CHROME_PATH and PATH are read from
 * @param fixedPaths places outside of PATH to look at
 * @throws Error in one sentence when CHROME_PATH names no program, or when there is no browser at all
 */
export async function findBrowser(
  environment: NodeJS.ProcessEnv = process.env,
  fixedPaths: readonly string[] = installedPaths,
): Promise<Browser> {
  const env = definedEntries(environment);
  if (env.CHROME_PATH) {
    if (!isExecutable(env.CHROME_PATH)) throw new Error(`CHROME_PATH is not a program: ${env.CHROME_PATH}`);
    return { executablePath: env.CHROME_PATH, args: baseArgs, env };
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...folders.flatMap((folder) => installedNames.map((name) => join(folder, name))), ...fixedPaths];
  const installed = candidates.find(isExecutable);
  if (installed !== undefined) return { executablePath: installed, args: baseArgs, env };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBrowser(env);
  throw new Error('No browser found: install Chromium or Google Chrome, or set CHROME_PATH to its program.');
}

async function unpackBrowser(env: Record<string, string>): Promise<Browser> {
  const packageFolder = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  const cache = join(packageFolder, '..', '..', '.cache', `chromium-${version}`);
  const executablePath = join(cache, 'chromium');

  if (!existsSync(executablePath)) {
    // Unpacked beside its place and then renamed: a run that is killed on the way leaves no half browser behind.
    const unfinished = `${cache}.${process.pid}`;
    await mkdir(unfinished, { recursive: true });
    await withTemporaryFolder(unfinished, () =>
      Promise.all([chromium.executablePath(), inflate(join(packageFolder, 'bin', 'al2023.tar.br'))]),
    );
    await rename(unfinished, cache).catch(() => rm(unfinished, { recursive: true }));
  }
  const args = [...new Set([...baseArgs, ...chromium.args.filter((arg) => !unwantedArgs.test(arg))])];
  return { executablePath, args, env: { ...env, ...bundledLibraries(cache, executablePath), ...bundledFonts(cache) } };
}

// The package unpacks into the system's temporary folder, where other versions and other users' files may lie.
async function withTemporaryFolder(folder: string, unpack: () => Promise<unknown>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  // The target paths are read before the first wait inside, so the variable can go back at once.
  const unpacked = unpack();
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await unpacked;
}

function bundledLibraries(cache: string, executablePath: string): Record<string, string> {
  return findsItsLibraries(executablePath) ? {} : { LD_LIBRARY_PATH: join(cache, 'al2023', 'lib') };
}

function findsItsLibraries(executablePath: string): boolean {
  try {
    return !execFileSync('ldd', [executablePath], { encoding: 'utf8' }).includes('not found');
  } catch {
    // No ldd, so no telling: the bundled ones are right for this browser in any case.
    return false;
  }
}

function bundledFonts(cache: string): Record<string, string> {
  return existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(cache, 'fonts') };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function definedEntries(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
