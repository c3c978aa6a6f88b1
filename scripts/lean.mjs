// npm run lean: leaves of node_modules what a server needs, after the storefront is built. The image is made by it
// (deploy/Containerfile), and scripts/lean.test.ts runs what is left. Plain JavaScript on the machine's own Node: the
// packages go away under it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const USAGE = `Usage: npm run lean [-- <folder>]

Removes from node_modules of a checkout (this one) what only npm start, the build and tests need, and files that no
program reads. "npm ci --omit=dev" brings everything back.`;

/** Files of the remaining packages that no program reads, by their path in node_modules; the only list of them. */
const REMOVALS = [
  { what: 'source maps', path: /\.map$/ },
  { what: 'type declarations', path: /\.d\.[cm]?ts$/ },
  { what: 'code that was compiled for the build', path: /^\.cache\// },
];

/**
 * Leaves out two sets of package.json (scripts/package-sets.mjs), and what no lockfile names: `node` brings 67 MB of C
 * headers when it is installed.
 */
const PRUNE = ['prune', '--omit=dev', '--omit=peer', '--no-audit', '--no-fund', '--loglevel=error'];

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** @returns {string[]} every file below a folder */
const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Counts a file with several names once, as a disk does. */
const weigh = (files) => {
  const sizes = new Map(files.map((file) => [statSync(file).ino, statSync(file).size]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

function makeLean(root) {
  const modules = join(root, 'node_modules');
  const before = weigh(listFiles(modules));
  const npmScript = process.env.npm_execpath;
  const isNpm = npmScript?.endsWith('npm-cli.js');
  const { status } = spawnSync(isNpm ? process.execPath : 'npm', isNpm ? [npmScript, ...PRUNE] : PRUNE, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !isNpm && process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm prune has failed');
  for (const { what, path } of REMOVALS) {
    const found = listFiles(modules).filter((file) => path.test(relative(modules, file).replaceAll('\\', '/')));
    const weight = weigh(found);
    for (const file of found) rmSync(file);
    console.log(`${what}: ${found.length} files, ${megabytes(weight)}`);
  }
  console.log(`node_modules: ${megabytes(before)} before, ${megabytes(weigh(listFiles(modules)))} now`);
}

const given = process.argv.slice(2);
const root = resolve(given[0] ?? join(import.meta.dirname, '..'));
if (given.includes('--help') || given.includes('-h')) console.log(USAGE);
else if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
  console.error(`${root} has no node_modules that npm has installed.`);
  process.exitCode = 1;
} else makeLean(root);
