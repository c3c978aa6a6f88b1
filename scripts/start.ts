// npm start and npm run dev (-- --dev), on the pinned Node: puts the real parts into the steps of start-shop.ts.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readDatabaseUrl } from '#server/platform/config.ts';
import { locateShop, withShopSettings } from '#server/platform/settings/shop-folder.ts';
import { configureIfChanged } from './start/start-applied.ts';
import { locateRunFolder } from './start/start-folder.ts';
import { createLifecycle } from './start/start-lifecycle.ts';
import { readPort } from './start/start-ports.ts';
import { createProgress } from './start/start-progress.ts';
import { readOwnShop } from './start/start-own-shop.ts';
import { StartFault } from './start/start-postgres.ts';
import { startShop } from './start/start-shop.ts';
import { describeFault, endWithTerminal } from './start/start-terminal.ts';
import { answerHelp } from './usage.ts';

const fileOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

answerHelp(`Usage: npm start [-- --shop <folder>]
       npm run dev [-- --shop <folder>]

A demonstration on this machine: database, simulated providers and games, the shop; dev reloads what changes.
--shop <folder>  a shop of your own (npm run refill -- new <folder>) instead of the demonstration brands
PORT, REFILL_DATA, DATABASE_URL: README.md, "Two commands". Ctrl-C ends it.`);
const progress = createProgress((text) => process.stdout.write(text));
const lifecycle = createLifecycle(progress, (code) => process.exit(code));
endWithTerminal(lifecycle);
try {
  const { dev, shop } = readArguments();
  const env = withShopSettings(process.env, shop);
  const own = env.REFILL_SHOP ? await readOwnShop(env.REFILL_SHOP, env) : undefined;
  const folder = locateRunFolder(env.REFILL_DATA, env.REFILL_SHOP);
  await startShop(
    {
      folder,
      port: readPort(env.PORT),
      isDev: dev,
      own,
      databaseUrl: readDatabaseUrl(env) ?? undefined,
      env,
    },
    {
      serverFile: fileOf('server/main.ts'),
      simulatorsFile: fileOf('simulators/main.ts'),
      // Loaded when their turn comes: reading them takes longer than starting the database, which must not wait for it.
      build: async () => (await import('./build.ts')).buildIfStale({ isQuick: true }),
      watchStorefront: async (rebuild) => (await import('./build.ts')).watchStorefront(rebuild),
      configure: async (databaseUrl) => {
        const configure = async () =>
          (await import('./start/start-demo.ts')).configureDemo(databaseUrl, locateShop(env));
        // A shop of somebody's own is small, and may have modules from anywhere.
        return own ? configure() : configureIfChanged(databaseUrl, join(folder.root, 'applied.json'), configure);
      },
      seed: async (databaseUrl) => (await import('./start/start-demo.ts')).seedDemo(databaseUrl, env, own),
      settings: (await import('./start/start-demo-settings.ts')).demoSettings,
    },
    progress,
    lifecycle,
  );
} catch (error) {
  await lifecycle.end(1, describeFault(error));
}

/** @throws StartFault with one sentence for what is none of them */
function readArguments(): { dev: boolean; shop: string | undefined } {
  try {
    const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false }, shop: { type: 'string' } } });
    return { dev: values.dev, shop: values.shop };
  } catch (error) {
    throw new StartFault(`${(error as Error).message}. npm start takes --shop <folder>.`);
  }
}
