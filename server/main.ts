// Composition root: configuration of the process -> database -> providers -> services -> HTTP. The only file that starts anything.
import type { FastifyInstance } from 'fastify';
import { createApp } from './app.ts';
import { compose } from './compose.ts';
import { startHealthServer } from './health.ts';
import { loadConfiguration, watchConfiguration } from './modules/configuration/service.ts';
import { openDatabaseClock } from './platform/database/clock.ts';
import { readConfig } from './platform/config.ts';
import { openDb } from './platform/database/db.ts';
import { EnvironmentFault, claimEnvironment } from './platform/database/environment.ts';
import { listenFor } from './platform/database/listen.ts';
import { type Log, createLog } from './platform/log.ts';
import { loadTexts } from './platform/texts.ts';
import { shopProviders } from './providers/shop-payments.ts';
import { mountStorefront } from './shell/mount.ts';

/** Longest drain: a grant in flight has 10 s. */
const DRAIN_MS = 12_000;

async function main(): Promise<void> {
  const read = readConfig();
  if ('faults' in read) {
    process.stderr.write(`${read.faults.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  const { config } = read;
  const log = createLog(config.logLevel);
  const db = openDb(config.databaseUrl, {
    max: config.poolSize,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  });
  try {
    await claimEnvironment(db, config.environment);
  } catch (error) {
    if (!(error instanceof EnvironmentFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    await db.end();
    return;
  }
  let configuration = await loadConfiguration(db);
  if (configuration.brands.size === 0) {
    process.stderr.write('No brand is applied yet: run `npm run refill -- apply` first.\n');
    process.exitCode = 1;
    await db.end();
    return;
  }
  const watch = watchConfiguration(
    db,
    async (revision) => {
      configuration = await loadConfiguration(db);
      log.info({ revision }, 'the configuration changed');
    },
    {
      revision: configuration.revision,
      onError: (error) => log.warn({ err: error }, 'the configuration could not be looked at'),
    },
  );

  const clock = await openDatabaseClock(db, log);
  const isWorker = config.role !== 'web';
  const shop = compose({
    config,
    db,
    log,
    texts: loadTexts(),
    providers: shopProviders,
    configuration: () => configuration,
    now: clock.now,
  });

  const health = await startHealthServer(shop);
  let app: FastifyInstance | undefined;
  if (config.role !== 'worker') {
    app = await createApp({ ...shop, mountStorefront: (instance) => mountStorefront(instance, shop) });
    await app.listen({ port: config.port, host: config.host });
  }
  const { delivery, polling, sweeper } = shop.orders;
  const wakes = { refill_delivery: delivery.wake, refill_payment: polling.wake };
  const ear = isWorker ? await listenFor(config.databaseUrl, wakes, log) : null;
  if (isWorker) for (const worker of [delivery, polling, sweeper]) worker.start();

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    // Whatever does not end in time is safe to leave: every step is committed before the outside is called.
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    await drain(log, [
      () => app?.close(),
      () => health?.close(),
      () => ear?.stop(),
      () => (isWorker ? sweeper.stop() : undefined),
      () => (isWorker ? polling.stop() : undefined),
      () => (isWorker ? delivery.stop() : undefined),
      () => watch.stop(),
      async () => clock.stop(),
      () => shop.outbound.close(),
      () => db.end(),
    ]);
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  process.on('message', (message) => void (message === 'stop' && stop()));
  process.on('disconnect', () => void stop());

  const address = app?.server.address();
  const port = address && typeof address === 'object' ? address.port : config.port;
  process.stdout.write(`${JSON.stringify({ ready: true, url: `http://127.0.0.1:${port}` })}\n`);
}

async function drain(log: Log, steps: readonly (() => Promise<unknown> | undefined)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.warn({ err: error }, 'a part did not stop cleanly');
    }
  }
}

await main();
