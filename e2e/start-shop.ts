// Starts for one run of the flows what `npm start` starts for a person: the same launcher,
// database, simulators and server, on ports and in folders of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import type { RunningShop } from './running-shop.ts';

// Our choice: a first build takes 10 s on two cores, a machine under load several times that.
const READY_MS = 120_000;
// The launcher's own parts take 14 s at most to drain.
const STOP_MS = 30_000;

/** @throws Error with the launcher's last words when the shop does not come up */
export async function startShop(): Promise<{ shop: RunningShop; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-e2e-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const database = await openDatabase(folder);
    undo.push(database.close);
    const port = await findQuietPort();
    const launcher = spawn(process.execPath, [join(projectRoot, 'scripts', 'start.ts')], {
      cwd: projectRoot,
      // The channel carries nothing: its end tells the launcher that this process was killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: database.url,
        REFILL_ENVIRONMENT: 'demo',
        REFILL_DATA: folder,
        // All players of a run come from one address and buy faster than people do.
        REFILL_LOGINS_PER_MINUTE: '100000',
        REFILL_MAX_ORDERS_PER_MINUTE: '100000',
      },
    });
    undo.push(
      () => cp(join(folder, 'logs'), join(projectRoot, '.data', 'e2e', 'logs'), { recursive: true }).catch(() => {}),
      () => endChild(launcher),
    );
    const words = await waitUntilReady(launcher);
    const shop = { port, databaseUrl: database.url, simulatorsUrl: readSimulatorsUrl(words), cards: readCards(words) };
    return { shop, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A fresh database: on the server of DATABASE_URL, else on an embedded one that forgets everything. */
async function openDatabase(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  const given = process.env['DATABASE_URL'];
  if (!given) {
    const server = await forkPostgres({ dataDir: join(folder, 'postgres'), temporary: true });
    return { url: server.socketUrl, close: server.stop };
  }
  const name = `refill_e2e_${randomBytes(4).toString('hex')}`;
  await runStatement(given, `CREATE DATABASE ${name}`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => runStatement(given, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** @returns everything that the launcher has printed */
async function waitUntilReady(launcher: ChildProcess): Promise<readonly string[]> {
  const words: string[] = [];
  const ready = new Promise<readonly string[]>((resolve) => {
    for (const stream of [launcher.stdout, launcher.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        words.push(line);
        if (line === 'ready') resolve(words);
      });
    }
  });
  const failed = once(launcher, 'exit').then(([code]) => {
    throw new Error(`The shop ended with ${code} before it was ready:\n${words.join('\n')}`);
  });
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The shop was not ready in time:\n${words.join('\n')}`)), READY_MS);
    timer.unref();
  });
  // Every launcher ends one day; after `ready` that is no failure to start.
  failed.catch(() => {});
  late.catch(() => {});
  return Promise.race([ready, failed, late]);
}

function readSimulatorsUrl(words: readonly string[]): string {
  const inbox = words.findLast((word) => /^\s+http:\/\/\S+\/game$/.test(word));
  if (inbox === undefined) throw new Error('The launcher did not name the simulated inbox.');
  return inbox.trim().replace(/\/game$/, '');
}

/** The prepaid cards, as `describeWelcome` prints them. */
function readCards(words: readonly string[]): NonNullable<RunningShop['cards']> {
  return words.flatMap((word) => {
    const [, number, password, note] = /^ {2}(DEMO\w+) {2}([\w-]+) {2}(.*)$/.exec(word) ?? [];
    return number && password ? [{ number, password, note: note ?? '' }] : [];
  });
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(killer);
}
