// A shop as a process: looks at everything, then opens database, services and HTTP, and ends them in order. The
// only file that starts anything.
import type { FastifyInstance } from 'fastify';
import { createApp } from '#server/app.ts';
import { compose } from '#server/compose.ts';
import { type Configuration, loadConfiguration, watchConfiguration } from '#server/modules/configuration/service.ts';
import { operatorParts } from '#server/operator/operator-parts.ts';
import { startOperatorServer } from '#server/operator/operator-server.ts';
import { type Config, inspectConfig } from '#server/platform/config.ts';
import { openDatabaseClock } from '#server/platform/database/clock.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { FOR_BATCHES, splitConnections } from '#server/platform/database/split-connections.ts';
import { type Nodes, openNodes } from '#server/platform/database/nodes.ts';
import { openReads } from '#server/platform/database/reads/open-reads.ts';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';
import { lookAtPoolers } from '#server/platform/database/look-at-pooler.ts';
import { listenFor } from '#server/platform/database/listen.ts';
import { keepProcessRecord } from '#server/platform/database/process-record.ts';
import { listenAt } from '#server/platform/http/listen-at.ts';
import { openLimitStore } from '#server/platform/limits/limit-store.ts';
import { type Log, createLog } from '#server/platform/log.ts';
import { openTelemetry, type Telemetry } from '#server/platform/telemetry/open-telemetry.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { findStrayLines, locateShop } from '#server/platform/settings/shop-folder.ts';
import type { Variables } from '#server/platform/settings/setting.ts';
import { type Adapters, loadAdapters } from '#server/own-modules/load-modules.ts';
import { readVersion } from '#server/platform/version.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { mountStorefront } from '#server/shell/mount.ts';
import { checkCallbackRecord, warnOfRecovery } from './check-record.ts';
import { explainStart, leaveBehind } from './explain-start.ts';
import { createLeave } from './leave.ts';
import { startLoops } from './loops.ts';
import { checkPages, checkSettings, checkShop, describeFaults } from './preflight.ts';
import { reachDatabase } from './reach-database.ts';
import { closeApp } from './stop-listening.ts';

/** Longest drain: a grant in flight has 10 s. */
const DRAIN_MS = 12_000;

/**
 * Runs until a signal ends the process. With faults: prints them on stderr, opens nothing and sets exit code 1.
 * @param variables as an operator set them; the environment of the process unless given
 * @param optionOf the option of the command line that a variable came from, which is what an operator has to mend
 * @returns whether the shop is running
 */
export async function serve(variables?: Variables, optionOf: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const { config, ...inspected } = inspectConfig(variables);
  const warnings = [...inspected.warnings, ...findStrayLines({ REFILL_SHOP: config.shopFolder })];
  const findings = inspected.findings.map((finding) => ({ ...finding, name: optionOf[finding.name] ?? finding.name }));
  const telemetry = await openTelemetry(config, { ...config, version: readVersion() });
  const log = createLog(config.logLevel, null, telemetry.logLines);
  telemetry.watch(log);
  const ready = await lookAtEverything(config, { findings, warnings }, log);
  if (!ready) {
    await leaveBehind([() => telemetry.close()]);
    process.exitCode = 1;
    return false;
  }
  const opened: (() => Promise<unknown>)[] = [() => telemetry.close()];
  try {
    await run({ config, log, telemetry }, ready, (end) => opened.push(end));
    return true;
  } catch (error) {
    refuse([explainStart(error, config)], []);
    await leaveBehind(opened);
    // Parts that did start would keep a process without a shop alive, and the pool waits for what they have taken.
    process.exit(1);
  }
}

type Ready = { readonly db: Db; readonly configuration: Configuration; readonly adapters: Adapters };

/** @returns null when there is a fault; it is printed then */
async function lookAtEverything(
  config: Config,
  { findings, warnings }: Pick<ReturnType<typeof inspectConfig>, 'findings' | 'warnings'>,
  log: Log,
): Promise<Ready | null> {
  const { environment } = config;
  const { adapters, faults: inModules } = await loadAdapters(locateShop({ REFILL_SHOP: config.shopFolder }));
  const parts = { config, environment, ...adapters, now: Date.now };
  const modules = inModules.map(({ sentence }) => ({ name: 'a module', reason: 'cannot be taken', remedy: sentence }));
  const faults = [...findings, ...modules, ...checkSettings(parts), ...checkPages(config.role)];
  // Which database, or what for, is not known: there is none to look at.
  if (findings.some(({ name }) => /^(?:DATABASE_URL|REFILL_ENVIRONMENT)/.test(name))) return refuse(faults, warnings);
  const unreachable = await reachDatabase({
    url: config.databaseUrl,
    // An operator with other faults to mend is not kept waiting for the list.
    waitSeconds: faults.length > 0 ? 0 : config.databaseWaitSeconds,
    onRetry: (reason, secondsLeft) =>
      log.warn({ reason, seconds_left: secondsLeft }, 'the database cannot be reached; trying again'),
  });
  if (unreachable) return refuse([...faults, unreachable], warnings);
  faults.push(...(await lookAtPoolers(config)));
  const db = openPool(config, log, splitConnections(config).others);
  const found = await checkShop(parts, db).catch((error: unknown) => ({
    faults: [explainStart(error, config)],
    warnings: [],
    configuration: null,
  }));
  if (faults.length + found.faults.length > 0 || !found.configuration) {
    await leaveBehind([() => db.end()]);
    return refuse([...faults, ...found.faults], [...warnings, ...found.warnings]);
  }
  await assignEnvironment(db, environment);
  const forLater = [...(await checkCallbackRecord(config)), ...warnOfRecovery(config)];
  for (const { name, reason, remedy } of [...warnings, ...found.warnings, ...forLater])
    log.warn({ setting: name, remedy }, `${name} ${reason}`);
  return { db, configuration: found.configuration, adapters };
}

function openPool({ databaseUrl, preparesStatements }: Config, log: Log, max: number): Db {
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke');
  return openDb(databaseUrl, { max, preparesStatements, onError, isKept: true });
}

/** Each node has as many connections for batches as one database would have. */
function openShopNodes(db: Db, config: Config, log: Log): Promise<Nodes> {
  return openNodes(db, config.databaseUrl, {
    open: (databaseUrl) => openPool({ ...config, databaseUrl }, log, FOR_BATCHES),
    onAway: (err) => log.warn({ err }, 'a node of the cluster cannot be reached; its orders go by the coordinator'),
  });
}

function refuse(faults: readonly Finding[], warnings: readonly Finding[]): null {
  process.stderr.write(`${describeFaults(faults, warnings)}\n`);
  return null;
}

type Process = { readonly config: Config; readonly log: Log; readonly telemetry: Telemetry };

/** @param onFailure hears of what has to be ended where the start fails further on; other processes would see it else */
async function run(
  { config, log, telemetry }: Process,
  ready: Ready,
  onFailure: (end: () => Promise<unknown>) => void,
): Promise<void> {
  const { adapters, db } = ready;
  let { configuration } = ready;
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
  // One more listens, in a worker.
  const connections = config.poolSize + (isWorker ? 1 : 0);
  const running = await keepProcessRecord(db, { role: config.role, connections }, log);
  // `refill doctor` would count a process that never served, and one more at each try of a supervisor.
  onFailure(() => running.stop());
  const reads = openReads(config, db, log, { isWatched: true });
  const limits = await openLimitStore(db, config, log);
  // Steps of several players would be one transaction over several machines: there they are shared node by node.
  const isOnNodes = await isSpread(db);
  const sharing = isOnNodes ? { ...config, sharesTransactions: false } : config;
  const nodes = isOnNodes && config.sharesTransactions ? await openShopNodes(db, config, log) : undefined;
  const { forBatches } = splitConnections(sharing);
  const batchDb = forBatches === 0 ? undefined : openPool(config, log, forBatches);
  const shop = compose({
    config: sharing,
    db,
    batchDb,
    nodes,
    reads,
    counts: limits.store,
    log,
    texts: loadTexts(),
    ...adapters,
    // A price that changes by itself does so in every process at one moment: that of the database.
    configuration: () => (configuration = configuration.at(clock.now())),
    now: clock.now,
  });

  const leave = createLeave(config.role === 'worker' ? 0 : config.stopNoticeSeconds, log);
  const { isLeaving } = leave;
  const operator = await startOperatorServer(shop, operatorParts({ ...shop, isLeaving }));
  let app: FastifyInstance | undefined;
  if (config.role !== 'worker') {
    app = await createApp({
      ...shop,
      isLeaving,
      mountStorefront: (instance) => mountStorefront(instance, shop, locateShop({ REFILL_SHOP: config.shopFolder })),
    });
    await listenAt(app, { port: config.port, host: config.host });
  }
  const { delivery, polling } = shop.orders;
  const wakes = { refill_delivery: delivery.wake, refill_payment: polling.wake };
  const ear = isWorker ? await listenFor(config.databaseUrl, wakes, log) : null;
  const endsOfLoops = startLoops(shop);

  const stop = async (isAnnounced: boolean) => {
    if (!(await leave.begin(isAnnounced))) return;
    // Whatever does not end in time is safe to leave: every step is committed before the outside is called.
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    await drain(log, [
      () => app && closeApp(app, isAnnounced),
      () => operator?.close(),
      () => ear?.stop(),
      ...endsOfLoops,
      () => watch.stop(),
      async () => clock.stop(),
      () => shop.outbound.close(),
      limits.close,
      () => running.stop(),
      () => reads.close(),
      () => batchDb?.end(),
      () => nodes?.end(),
      () => db.end(),
      () => telemetry.close(),
    ]);
    process.exit(0);
  };
  // A supervisor sends SIGTERM; Ctrl-C, a closed terminal and a lost parent have nobody waiting for an announcement.
  process.on('SIGTERM', () => void stop(true));
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(false));
  process.on('message', (message) => void (message === 'stop' && stop(false)));
  process.on('disconnect', () => void stop(false));
  process.stdout.write(`${JSON.stringify(describeReady(config, app))}\n`);
}

/** The line that says so; without an address where nothing listens. */
function describeReady(config: Config, app: FastifyInstance | undefined): object {
  const { environment, role } = config;
  const address = app?.server.address();
  if (!address || typeof address !== 'object') return { ready: true, role, environment };
  const isEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = isEverywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return { ready: true, role, environment, url: `http://${host}:${address.port}` };
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
