// Two kinds of tests: *.test.ts run in plain Node (most of them against a real PostgreSQL),
// web/**/*.test.tsx in happy-dom.
import { defineConfig } from 'vitest/config';

const notOurs = ['**/node_modules/**', 'web/dist/**', 'testing/fixtures/**', '.data/**'];

export default defineConfig({
  test: {
    // Our choice: PostgreSQL runs beside the tests, so more than two workers only make single tests slower.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['**/*.test.ts'],
          exclude: notOurs,
          globalSetup: ['testing/global-temporary.ts', 'testing/global-database.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'web', environment: 'happy-dom', include: ['web/**/*.test.tsx'], exclude: notOurs },
      },
    ],
  },
});
