// The three sets of packages, and what runs from which: package.json lists the packages, this file the programs.
// `npm run check -- packages` compares the imports of these programs with the sets. Plain JavaScript without any
// package, because it is read before the packages are there. Why npm's peers: docs/decisions/0073.

/**
 * - server: `dependencies`, what a shop in production needs.
 * - demonstration: also `peerDependencies`, what `npm start` and the build of the storefront need beside it.
 * - tests: also `devDependencies`.
 * @typedef {'server' | 'demonstration' | 'tests'} PackageSet
 */

/**
 * The first files of programs that run without the packages of tests.
 * @type {Readonly<Record<'server' | 'demonstration', readonly string[]>>}
 */
export const PROGRAMS = {
  server: ['cli/main.ts', 'server/main.ts', 'scripts/audit.ts'],
  demonstration: [
    'scripts/build.ts',
    'scripts/postgres-process.ts',
    'scripts/start.ts',
    'simulators/main.ts',
    'vite.config.ts',
    'web/main.tsx',
  ],
};

/**
 * Parts of the demonstration that a program of the server loads by `import()` where it is asked for them: simulated
 * payments, and a database of its own where `DATABASE_URL` is not set.
 */
export const LOADED_LATER = ['simulators/', 'server/platform/database/embedded-postgres.ts'];

/** Packages that no import names: the Node that runs everything, and the minifier that Vite loads. */
export const USED_BY_NAME = { node: 'scripts/ensure-installed.mjs', terser: 'vite.config.ts' };

/**
 * The set that a file of this project needs to run; a shop's own file needs the demonstration.
 * @param {string} file relative to the project, with slashes
 * @returns {PackageSet}
 */
export function findSetOf(file) {
  if (PROGRAMS.server.includes(file)) return 'server';
  return PROGRAMS.demonstration.includes(file) || file.startsWith('../') ? 'demonstration' : 'tests';
}

/**
 * The set that an entry of package-lock.json belongs to, by npm's own marks.
 * @param {{ dev?: boolean, peer?: boolean }} entry
 * @returns {PackageSet}
 */
export const setOfEntry = ({ dev, peer }) => (dev ? 'tests' : peer ? 'demonstration' : 'server');

/** The sets that each set brings with it. @type {Readonly<Record<PackageSet, readonly PackageSet[]>>} */
export const SETS_INSIDE = {
  server: ['server'],
  demonstration: ['server', 'demonstration'],
  tests: ['server', 'demonstration', 'tests'],
};
