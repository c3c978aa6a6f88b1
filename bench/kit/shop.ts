// A whole shop on loopback for a bench: PostgreSQL with the settings of `npm start` and the server, each
// a process of its own, and the simulators in this one, in a temporary folder that is gone afterwards. No load is made
// here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinBatch } from '#scripts/start/start-batch.ts';
import { startChild } from '#scripts/start/start-child.ts';
import { configureDemo } from '#scripts/start/start-demo.ts';
import { locateRunFolder, prepareRunFolder } from '#scripts/start/start-folder.ts';
import { findFreePort, findQuietPort } from '#scripts/start/start-ports.ts';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import type { Defer } from './cleanup.ts';
import { configureStatements } from './statements.ts';

export type BenchShop = {
  readonly databaseUrl: string;
  /** `http://127.0.0.1:<port>`: connect here, and name the brand in the Host header. */
  readonly serverOrigin: string;
  readonly port: number;
  /**
   * In this process: the driver is the payer as well, and an order is one HTTP exchange
   * less that no shop takes part in.
   */
  readonly simulators: Simulators;
  /** `servers`: one, or the one that serves and the one that delivers. */
  readonly pids: { readonly servers: readonly number[]; readonly postgres: readonly number[] };
  /** Ends the server as a deployment would; its processor profile is written then. */
  stopServer(): Promise<void>;
  /** After `stopServer`: the same again, at the same address. `pids.servers` stays that of the first. */
  startServer(): Promise<void>;
};

/**
 * Room for what other people's machines need to find their own programs; nothing else of the
 * environment may change a figure.
 */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot'];

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * @param options.serverEnvironment on top of what `npm start` gives the server
 * @param options.profileFolder the server writes a processor profile there when it ends
 * @param options.isSplit a process that serves and one that delivers, instead of one for both
 * @param options.countsStatements PostgreSQL keeps count of every statement, also inside
 *   functions; costs a few per cent
 */
export async function startShop(
  defer: Defer,
  options: {
    serverEnvironment?: Record<string, string>;
    profileFolder?: string | undefined;
    countsStatements?: boolean;
    isSplit?: boolean;
    /** Instead of a PostgreSQL of its own: an empty database, and the servers (postmasters) that carry it. */
    database?: { readonly url: string; readonly pids: readonly number[] } | undefined;
    onGrant?: (billingNo: string) => void;
  } = {},
): Promise<BenchShop> {
  // Else this process, woken by an answer, would take the processor from the shop that it measures.
  joinBatch();
  const root = await mkdtemp(join(tmpdir(), 'refill-bench-'));
  defer(() => rm(root, { recursive: true, force: true }));
  const folder = locateRunFolder(root);
  await prepareRunFolder(folder);

  const postgres = options.database
    ? { ...options.database, socketUrl: options.database.url }
    : await startPostgres(defer, folder.postgres, options.countsStatements === true);
  await migrate(postgres.url);
  await configureDemo(postgres.url);

  const port = await findQuietPort();
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const simulators = await startSimulators({
    port: 0,
    dataDir: folder.simulators,
    shopUrl: `http://127.0.0.1:${port}`,
    // The bench measures the shop alone: a simulator that writes each change to the disk would be measured too.
    durable: false,
    onGrant: options.onGrant,
  });
  defer(() => simulators.close());

  const env = {
    ...inherited,
    ...simulators.environment,
    DATABASE_URL: postgres.socketUrl,
    REFILL_ENVIRONMENT: 'demo',
    REFILL_STOP_NOTICE: '0',
    REFILL_DATA: root,
    ...(options.profileFolder ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profileFolder}` } : {}),
    ...options.serverEnvironment,
  };
  const startOne = async (name: string, own: Record<string, string>) => {
    const child = await startChild<{ url: string }>({
      name,
      file: fileOf('server/main.ts'),
      stopMs: 15_000,
      logFile: join(folder.logs, `${name}.log`),
      onTrouble: (line) => console.error(`${name}: ${line}`),
      env: { ...env, ...own },
    });
    defer(child.stop);
    return child;
  };
  const startServers = async () => {
    const started = [await startOne('server', { PORT: String(port), REFILL_ROLE: options.isSplit ? 'web' : 'all' })];
    if (options.isSplit)
      started.push(await startOne('worker', { PORT: String(await findFreePort(port + 1)), REFILL_ROLE: 'worker' }));
    return started;
  };
  let servers = await startServers();

  return {
    databaseUrl: postgres.url,
    serverOrigin: `http://127.0.0.1:${port}`,
    port,
    simulators,
    pids: { servers: servers.map(({ pid }) => pid), postgres: postgres.pids },
    stopServer: async () => void (await Promise.all(servers.map((server) => server.stop()))),
    startServer: async () => void (servers = await startServers()),
  };
}

async function startPostgres(
  defer: Defer,
  dataDir: string,
  countsStatements: boolean,
): Promise<{ url: string; socketUrl: string; pids: readonly number[] }> {
  let postgres = await forkPostgres({ dataDir });
  defer(() => postgres.stop());
  if (countsStatements) {
    await configureStatements(postgres.url);
    await postgres.stop();
    postgres = await forkPostgres({ dataDir });
  }
  return { url: postgres.url, socketUrl: postgres.socketUrl, pids: [postgres.pid] };
}
