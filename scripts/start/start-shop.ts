// `npm start` and `npm run dev`: the order of the steps. What each step does lives in the start-*.ts beside it.
import { join } from 'node:path';
import { assignForDemonstration } from '#server/platform/database/demonstration.ts';
import { migrate, MigrationFault } from '#server/platform/database/migrate.ts';
import type { ChildOptions } from './start-child.ts';
import { assignDatabase, refuseLive, requireDatabase } from './start-database.ts';
import { watchFolders } from './start-dev.ts';
import { prepareRunFolder, type RunFolder } from './start-folder.ts';
import type { Lifecycle } from './start-lifecycle.ts';
import type { OwnShop } from './start-own-shop.ts';
import { createPart, type Part } from './start-part.ts';
import { findFreePort, requireFreePort } from './start-ports.ts';
import { forkPostgres, StartFault } from './start-postgres.ts';
import { type Demo, describeWelcome } from './start-print.ts';
import type { Progress } from './start-progress.ts';
import { lockFolder } from './start-run-file.ts';

export type ShopOptions = {
  folder: RunFolder;
  port: number;
  isDev: boolean;
  /** Set when the shop is somebody's own instead of the demonstration. */
  own: OwnShop | undefined;
  /** Set when the operator brings a database. */
  databaseUrl: string | undefined;
  /** The variables that this command was called with; they win over the simulators'. */
  env: Record<string, string | undefined>;
};

/** The parts of Refill that a start puts together. */
export type ShopParts = {
  serverFile: string;
  simulatorsFile: string;
  build: () => Promise<{ built: boolean }>;
  /** @param rebuild runs each later build, and says so: whoever edits reloads the page then */
  watchStorefront: (rebuild: (build: () => Promise<void>) => Promise<void>) => Promise<{ close: () => void }>;
  /** Brings brands, games and channels from their files into the database. @returns the keys of the brands */
  configure: (databaseUrl: string) => Promise<string[]>;
  /** Settings of a demonstration, weaker than the simulators' and the caller's own. */
  settings: Readonly<Record<string, string>>;
  seed: (databaseUrl: string) => Promise<Demo>;
};

type SimulatorsReady = { url: string; environment: Record<string, string> };

// Our choice: the server drains for 12 s at most (a grant in flight has 10 s); whoever needs longer hangs.
const serverStopMs = 14_000;
const simulatorsStopMs = 5_000;

export async function startShop(
  options: ShopOptions,
  parts: ShopParts,
  progress: Progress,
  lifecycle: Lifecycle,
): Promise<void> {
  const { folder, port } = options;
  const { step, say } = progress;
  /** A signal in the middle of a step: the parts are being stopped already, so nothing more may begin. */
  const next = <Result>(label: string, work: () => Promise<Result>): Promise<Result> =>
    lifecycle.isStopping() ? new Promise(() => {}) : step(label, work);

  refuseLive(options.env.REFILL_ENVIRONMENT);
  await prepareRunFolder(folder);
  const run = await lockFolder(folder.root, port, say);
  lifecycle.add(undefined, run.remove);
  await requireFreePort(port);

  // Database and simulators come up while the storefront is looked at: on two cores that is a second less to wait.
  const opening = openDatabase(options, lifecycle);
  const onStart = async (child: { pid: number; file: string }): Promise<void> => {
    (await opening).keepFor(child.pid);
    await run.addChild(child);
  };
  const simulatorsPort = await findFreePort(port + 1);
  const simulators = keepPart<SimulatorsReady>(
    options,
    lifecycle,
    onStart,
    'the simulators',
    () => ({
      name: 'simulators',
      file: parts.simulatorsFile,
      stopMs: simulatorsStopMs,
      env: {
        // The shop's own credentials are none of the simulators' business.
        ...Object.fromEntries(Object.entries(options.env).filter(([name]) => !name.startsWith('REFILL_'))),
        SIMULATORS_PORT: String(simulatorsPort),
        SIMULATORS_DATA: folder.simulators,
        // Callbacks of a shop of one's own name a brand that is there.
        SHOP_URL: `http://${options.own?.host ?? '127.0.0.1'}:${port}`,
        ...(options.own ? { SIMULATORS_GAMES: JSON.stringify(options.own.simulatedGames) } : {}),
      },
    }),
    say,
  );
  const simulating = simulators.restart();
  // Told at their own steps below; until then a failure is not unheard, only early.
  opening.catch(() => {});
  simulating.catch(() => {});

  await next('Storefront', parts.build);
  const { url: databaseUrl } = await next('PostgreSQL', () => opening);
  await next('Migrations', () => migrateShop(options, databaseUrl));
  const brands = await next('Brands, games and channels', () => parts.configure(databaseUrl));
  // The server reads its code meanwhile; nobody is told its addresses before both are done.
  const seeding = parts.seed(databaseUrl);
  seeding.catch(() => {});
  let { url: inbox, environment } = await next('Simulators', () => simulating);

  const server = keepPart<{ url: string }>(
    options,
    lifecycle,
    onStart,
    'the server',
    () => ({
      name: 'server',
      file: parts.serverFile,
      stopMs: serverStopMs,
      env: {
        // No balancer has to hear of a stop.
        REFILL_STOP_NOTICE: '0',
        ...parts.settings,
        ...environment,
        ...options.env,
        REFILL_ENVIRONMENT: 'demo',
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        // It would win over the line above.
        DATABASE_URL_FILE: undefined,
        REFILL_DATA: folder.root,
      },
    }),
    say,
  );
  await next('Server', server.restart);
  const demo = await next('Demo accounts', () => seeding);

  if (options.isDev) await watchAll();
  say(describeWelcome({ port, brands, ...demo, inbox: `${inbox}/game`, logs: folder.logs, own: options.own }));

  async function watchAll(): Promise<void> {
    const restart = (label: string, work: () => Promise<unknown>): Promise<void> =>
      // A typing mistake must not end a developer's session: the next change gets its chance.
      step(label, work).then(
        () => undefined,
        (error: unknown) => say(error instanceof Error ? error.message : String(error)),
      );
    const watchers = [
      watchFolders(['server', 'kernel', 'contracts', 'messages', 'generated'], () =>
        restart('Restarting the server', server.restart),
      ),
      watchFolders([...watchedFiles(options.own), 'migrations'], () =>
        restart('Applying the configuration', async () => {
          await migrateShop(options, databaseUrl);
          // The running server follows what is applied by itself.
          await parts.configure(databaseUrl);
        }),
      ),
      watchFolders(['simulators'], () =>
        restart('Restarting the simulators', async () => {
          ({ url: inbox, environment } = await simulators.restart());
          await server.restart();
        }),
      ),
    ];
    watchers.push(await parts.watchStorefront((build) => restart('Rebuilding the storefront', build)));
    lifecycle.add(undefined, async () => watchers.forEach((watcher) => watcher.close()));
  }
}

/** Absolute for a shop of one's own. */
function watchedFiles(own: OwnShop | undefined): string[] {
  const folders = ['brands', 'games', 'channels', 'regions'];
  return own ? [...folders, 'messages'].map((folder) => join(own.folder, folder)) : folders;
}

type Database = { url: string; keepFor: (pid: number) => void };

async function openDatabase(options: ShopOptions, lifecycle: Lifecycle): Promise<Database> {
  if (options.databaseUrl !== undefined) {
    await requireDatabase(options.databaseUrl);
    await assignDatabase(options.databaseUrl, options.env.REFILL_ENVIRONMENT);
    return { url: options.databaseUrl, keepFor: () => {} };
  }
  const starting = forkPostgres({ dataDir: options.folder.postgres });
  // Registered before it is up, so that a signal in between leaves nothing behind.
  lifecycle.add('PostgreSQL', async () => (await starting.catch(() => undefined))?.stop());
  const postgres = await starting;
  await assignForDemonstration(postgres.url, 'any');
  const logFile = join(options.folder.postgres, 'postgres.log');
  void postgres.exited.then(() => lifecycle.lose('PostgreSQL', 'it is gone', logFile));
  return { url: postgres.socketUrl, keepFor: postgres.keepFor };
}

async function migrateShop(options: ShopOptions, databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl);
  } catch (error) {
    if (!(error instanceof MigrationFault) || options.databaseUrl !== undefined) throw error;
    throw new StartFault(
      `${error.message}\nTo begin with an empty database instead, remove ${options.folder.postgres}.`,
    );
  }
}

/** A part whose unexpected end is the end of the run (of a developer's run: a word on the terminal). */
function keepPart<Ready>(
  options: ShopOptions,
  lifecycle: Lifecycle,
  onStart: (child: { pid: number; file: string }) => Promise<void>,
  label: string,
  describe: () => Omit<ChildOptions, 'logFile' | 'onTrouble'>,
  say: (line: string) => void,
): Part<Ready> {
  const logFile = join(options.folder.logs, `${label.replace('the ', '')}.log`);
  const part = createPart<Ready>(
    () => ({ ...describe(), logFile, onTrouble: (line) => say(`${label.replace('the ', '')}: ${line}`) }),
    (child) => onStart({ pid: child.pid, file: describe().file }),
    (how) => {
      if (options.isDev) say(`${label} ended (${how}); it starts again at the next change.`);
      else lifecycle.lose(label, how, logFile);
    },
  );
  lifecycle.add(label, part.stop);
  return part;
}
