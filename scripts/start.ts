// npm start and npm run dev (-- --dev), on the pinned Node: puts the real parts into the steps of start-shop.ts.
import { fileURLToPath } from 'node:url';
import { readDatabaseUrl } from '#server/platform/config.ts';
import { locateRunFolder } from './start/start-folder.ts';
import { createLifecycle } from './start/start-lifecycle.ts';
import { readPort } from './start/start-ports.ts';
import { createProgress } from './start/start-progress.ts';
import { startShop } from './start/start-shop.ts';
import { describeFault, endWithTerminal } from './start/start-terminal.ts';

const { env } = process;
const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const progress = createProgress((text) => process.stdout.write(text));
const lifecycle = createLifecycle(progress, (code) => process.exit(code));
endWithTerminal(lifecycle);
try {
  await startShop(
    {
      folder: locateRunFolder(env.REFILL_DATA),
      port: readPort(env.PORT),
      isDev: process.argv.includes('--dev'),
      databaseUrl: readDatabaseUrl(env) ?? undefined,
      env,
    },
    {
      serverFile: fileOf('server/main.ts'),
      simulatorsFile: fileOf('simulators/main.ts'),
      // Loaded when their turn comes: reading them takes longer than starting the database, which must not wait for it.
      build: async () => (await import('./build.ts')).buildIfStale(),
      watchStorefront: async () => (await import('./build.ts')).watchStorefront(),
      configure: async (databaseUrl) => (await import('./start/start-demo.ts')).configureDemo(databaseUrl),
      seed: async (databaseUrl) => (await import('./start/start-demo.ts')).seedDemo(databaseUrl, env),
      settings: (await import('./start/start-demo-settings.ts')).demoSettings,
    },
    progress,
    lifecycle,
  );
} catch (error) {
  await lifecycle.end(1, describeFault(error));
}
