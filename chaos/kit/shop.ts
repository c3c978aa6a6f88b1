// A shop for faults, on loopback: PostgreSQL, simulators and one or more servers, each a process of
// its own that can be killed and come back, with a TCP proxy between any two of them. Everything is taken away again
// through `defer`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Pool } from 'undici';
import { type Child, startChild } from '#scripts/start/start-child.ts';
import type * as demo from '#scripts/start/start-demo.ts';
import { type RunFolder, locateRunFolder, prepareRunFolder } from '#scripts/start/start-folder.ts';
import { findFreePort, findQuietPort } from '#scripts/start/start-ports.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import type { Defer } from '#bench/kit/cleanup.ts';
import { type Proxy, startProxy } from '../proxy.ts';
import { borrowCluster, type Cluster, createCluster } from './cluster.ts';

/** One place where a server runs: its port stays the same over any number of deaths. */
export type Slot = {
  readonly port: number;
  isUp(): boolean;
  pid(): number;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** As a deployment does it: the server finishes what it has begun. */
  stop(): Promise<void>;
  /** Resolves when the server answers; this version, whatever ran before. */
  start(): Promise<void>;
  /** Lines of level error since the first start. */
  readonly troubles: string[];
};

export type ChaosShop = {
  readonly folder: RunFolder;
  readonly postgres: Cluster;
  /** To PostgreSQL, past the link that faults are on. */
  readonly db: Db;
  readonly slots: readonly Slot[];
  /** Variables of the first server, for commands beside it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Before the servers: takes them in turn and passes over dead ones, as a load balancer does. */
  readonly front: Proxy;
  readonly server: Pool;
  readonly simulators: Pool;
  readonly links: {
    readonly database: Proxy;
    readonly provider: Proxy;
    /** One a game, so that what one game feels can be told from the others. */
    readonly games: Readonly<Record<string, Proxy>>;
  };
};

type Simulators = Child<{ url: string; environment: Record<string, string> }>;

export type ShopOptions = {
  readonly servers?: number;
  /** On top of what `npm start` gives; told apart by the place of the server. */
  readonly environment?: (slot: number) => Readonly<Record<string, string>>;
  /** Returns PostgreSQL's ports at this moment, asked for each connection; the shop's own when left out. */
  readonly databasePorts?: () => readonly number[];
  /** A pooler before PostgreSQL, for the servers alone. */
  readonly poolerPort?: number | undefined;
  readonly postgres?: Cluster;
  /** PostgreSQL that forgets at a power cut: for tests in which it does not die. */
  readonly isForgetful?: boolean;
  /**
   * Nothing is cut between callers, server and database: they reach each other without the proxies, whose work on the
   * same processors would be measured as theirs. Of one server only.
   */
  readonly isDirect?: boolean;
  /** In short forms: the template of a database on the PostgreSQL of all tests, instead of a server for this one. */
  readonly templateUrl?: string | undefined;
  /**
   * Folder of another version, with packages and pages: the servers' first life and the
   * database's first shape are its own.
   */
  readonly code?: string;
};

const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];
const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A folder that is gone at the end, with the rights that PostgreSQL's account needs. */
export async function makeFolder(defer: Defer): Promise<RunFolder> {
  const root = await mkdtemp(join(tmpdir(), 'refill-chaos-'));
  defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const folder = locateRunFolder(root);
  await prepareRunFolder(folder);
  return folder;
}

export async function startChaosShop(defer: Defer, options: ShopOptions = {}): Promise<ChaosShop> {
  const folder = await makeFolder(defer);
  const postgres = await openCluster(defer, folder, options);
  // The driver follows a database that moves by a way of its own, which no fault touches.
  const driverUrl = new URL(postgres.url);
  if (options.databasePorts) driverUrl.port = String((await startProxy(defer, options.databasePorts)).port);
  const db = openDb(driverUrl.href, { max: 8, onError: () => undefined });
  defer(() => db.end());

  const ports: number[] = [];
  for (let slot = 0; slot < (options.servers ?? 1); slot += 1)
    ports.push(await (slot === 0 ? findQuietPort() : findFreePort(Number(ports.at(-1)) + 1)));
  const front = await startProxy(defer, () => ports);
  const inherited = Object.fromEntries(INHERITED.map((name) => [name, process.env[name]]));
  const startSimulators = (file: string, logFile: string, data: string): Promise<Simulators> =>
    startChild({
      name: 'simulators',
      file,
      stopMs: 5000,
      logFile: join(folder.logs, logFile),
      onTrouble: (line) => console.error(`simulators: ${line}`),
      env: {
        ...inherited,
        SIMULATORS_PORT: '0',
        SIMULATORS_DATA: data,
        SIMULATORS_DURABLE: '0',
        SHOP_URL: `http://127.0.0.1:${front.port}`,
      },
    });
  const simulators = await startSimulators(fileOf('simulators/main.ts'), 'simulators.log', folder.simulators);
  defer(simulators.stop);
  // A version refuses settings that came after it, so its servers get those that its own simulators would give.
  let isKnownBefore = (_name: string): boolean => true;
  if (options.code !== undefined) {
    const former = await startSimulators(
      join(options.code, 'simulators/main.ts'),
      'simulators-before.log',
      `${folder.simulators}-before`,
    );
    await former.stop();
    isKnownBefore = (name) => name in former.ready.environment || !(name in simulators.ready.environment);
  }
  const outside = Number(new URL(simulators.ready.url).port);
  const database = await startProxy(
    defer,
    options.databasePorts ?? (() => [options.poolerPort ?? Number(new URL(postgres.url).port)]),
  );
  const provider = await startProxy(defer, () => [outside]);
  const games: Record<string, Proxy> = {};
  const throughLinks: Record<string, string> = {};
  for (const [name, value] of Object.entries(simulators.ready.environment)) {
    const game = /^REFILL_GAME_(.+)_DEMO_URL$/.exec(name)?.[1]?.toLowerCase().replaceAll('_', '-');
    if (game) games[game] = await startProxy(defer, () => [outside]);
    const link = game ? games[game] : name.endsWith('_API_BASE') ? provider : null;
    throughLinks[name] = link ? value.replace(`:${outside}`, `:${link.port}`) : value;
  }

  const throughProxy = new URL(postgres.url);
  if (!options.isDirect) throughProxy.port = String(database.port);
  const environmentOf = (index: number) => ({
    ...inherited,
    ...throughLinks,
    // The limits of one player: here an order takes milliseconds.
    REFILL_MAX_ORDERS_PER_MINUTE: '1000',
    REFILL_MAX_OPEN_ORDERS: '1000',
    REFILL_LOGINS_PER_MINUTE: '100000',
    PORT: String(ports[index]),
    DATABASE_URL: throughProxy.href,
    REFILL_ENVIRONMENT: 'demo',
    REFILL_DATA: folder.root,
    ...options.environment?.(index),
  });
  const slots = ports.map((port, index) =>
    createSlot(
      defer,
      port,
      join(folder.logs, `server-${index + 1}.log`),
      { code: options.code, knows: isKnownBefore },
      environmentOf(index),
    ),
  );
  for (const slot of slots) await slot.start();

  const server = openPool(defer, (options.isDirect && ports[0]) || front.port, 300);
  return {
    folder,
    postgres,
    db,
    slots,
    environment: environmentOf(0),
    front,
    server,
    simulators: openPool(defer, outside, 64),
    links: { database, provider, games },
  };
}

async function openCluster(defer: Defer, folder: RunFolder, options: ShopOptions): Promise<Cluster> {
  if (options.templateUrl !== undefined) return borrowCluster(defer, options.templateUrl);
  const cluster = options.postgres ?? (await createCluster(defer, folder.postgres, options.isForgetful));
  await migrate(cluster.url, options.code);
  // Another version writes its own files into its own tables.
  const { configureDemo } = (await import(
    pathToFileURL(join(options.code ?? fileOf(''), 'scripts/start/start-demo.ts')).href
  )) as typeof demo;
  await configureDemo(cluster.url);
  return cluster;
}

/** A browser gives up later than this; a call that hangs must not hang the test. */
const CLIENT_TIMEOUT_MS = 30_000;

function openPool(defer: Defer, port: number, connections: number): Pool {
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections,
    pipelining: 1,
    headersTimeout: CLIENT_TIMEOUT_MS,
    bodyTimeout: CLIENT_TIMEOUT_MS,
  });
  defer(() => pool.destroy());
  return pool;
}

function createSlot(
  defer: Defer,
  port: number,
  logFile: string,
  before: { readonly code: string | undefined; knows(name: string): boolean },
  env: Record<string, string | undefined>,
): Slot {
  let child: Child<{ url: string }> | null = null;
  let lives = 0;
  const troubles: string[] = [];
  defer(async () => child?.stop());
  return {
    port,
    troubles,
    isUp: () => child !== null,
    pid: () => child?.pid ?? 0,
    kill: async () => {
      const dying = child;
      if (!dying) return;
      child = null;
      process.kill(dying.pid, 'SIGKILL');
      await dying.exited;
    },
    stop: async () => {
      const stopping = child;
      child = null;
      await stopping?.stop();
    },
    start: async () => {
      lives += 1;
      const formerCode = lives === 1 ? before.code : undefined;
      const started = await startChild<{ url: string }>({
        name: 'server',
        file: formerCode ? join(formerCode, 'server/main.ts') : fileOf('server/main.ts'),
        stopMs: 15_000,
        logFile: logFile.replace(/\.log$/, `.${lives}.log`),
        onTrouble: (line) => troubles.push(line),
        // Nobody is told beforehand: what a sudden end does is what is tested. Older code may not know the name.
        env: formerCode
          ? Object.fromEntries(Object.entries(env).filter(([name]) => before.knows(name)))
          : { REFILL_STOP_NOTICE: '0', ...env },
      });
      child = started;
      void started.exited.then((how) => {
        if (child !== started) return;
        child = null;
        troubles.push(`the server ended by itself: ${how}`);
      });
    },
  };
}
