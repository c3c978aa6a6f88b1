// Three kinds of tests: those outside of web/ run in plain Node, most of them against a real PostgreSQL;
// web/**/*.test.ts as Vite reads them, web/**/*.test.tsx in happy-dom as well.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { stripSchemas } from './scripts/strip-schemas.ts';

// Programs are read once for a whole run, by its workers and by the many processes that tests start: parsing, and
// taking the types away, is a third of what a command of an operator costs.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.data', 'compile-cache');

const notOurs = ['**/node_modules/**', 'web/dist/**', 'testing/fixtures/**', '.data/**'];

/** The page's tests read the contracts as the page's build leaves them: a rule that it cuts away fails here. */
const asBuilt = {
  plugins: [stripSchemas()],
  resolve: {
    alias: [{ find: /^typebox$/, replacement: fileURLToPath(new URL('web/platform/no-schemas.ts', import.meta.url)) }],
  },
};

export default defineConfig({
  test: {
    // Our choice: PostgreSQL runs beside the tests, so more than two workers only make single tests slower.
    maxWorkers: 2,
    // These files touch every test, for `npm test -- --changed`: packages, and how tests are read.
    forceRerunTriggers: ['**/package-lock.json', '**/vitest.config.ts', '**/vite.config.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Our choice: what is waited for comes at once, and on a busy machine a good while later.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['**/*.test.ts'],
          exclude: [...notOurs, 'web/**'],
          globalSetup: ['testing/global-temporary.ts', 'testing/global-database.ts'],
          // Node reads the files itself, as it does in a shop: nothing is rewritten first.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // A worker reads the modules once for all of its files: that costs a second and more for each. What a module
          // remembers, it remembers of a database, a log or a context, never by itself.
          isolate: false,
        },
      },
      {
        extends: true,
        ...asBuilt,
        test: { name: 'web rules', environment: 'node', include: ['web/**/*.test.ts'], exclude: notOurs },
      },
      {
        extends: true,
        ...asBuilt,
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['web/**/*.test.tsx'],
          exclude: notOurs,
          setupFiles: ['testing/no-network.ts'],
        },
      },
    ],
  },
});
