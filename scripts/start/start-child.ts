// Runs one part of Refill (server, simulators) as a child: waits for its ready line, keeps its log, ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import serverMemory from '../server-memory.json' with { type: 'json' };
import { findBatchWay } from './start-batch.ts';
import { StartFault } from './start-postgres.ts';

export type ChildOptions = {
  /** As a person calls it: "server". */
  name: string;
  /** Absolute path of the TypeScript file. */
  file: string;
  env: Record<string, string | undefined>;
  logFile: string;
  /** Lines that a person should see now: errors of the child. */
  onTrouble: (line: string) => void;
  /** How long a stop may take before the child is killed. */
  stopMs: number;
  readyMs?: number;
  /** Gives up on a child that is not ready yet. */
  signal?: AbortSignal;
};

export type Child<Ready> = {
  pid: number;
  ready: Ready;
  /** Resolves with words for how it ended ("exit code 1", "signal SIGKILL"). */
  exited: Promise<string>;
  stop: () => Promise<void>;
};

// Our choice: enough for a message and the place it came from.
const lastWordsKept = 12;

const guard = new URL('./start-guard.ts', import.meta.url).href;

/**
 * @returns once the child has printed a JSON line with `"ready":true`; that line is `ready`
 * @throws StartFault when it ends before that or is not ready after `readyMs` (default 60 s)
 */
export async function startChild<Ready>(options: ChildOptions): Promise<Child<Ready>> {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = createWriteStream(options.logFile, { flags: 'w', mode: 0o600 });
  // A full disk must not end the shop through its log.
  log.on('error', () => {});
  // A process group of its own: the terminal's Ctrl-C is for the launcher, which stops the parts in order.
  const [command = '', ...args] = [
    ...findBatchWay(),
    process.execPath,
    ...serverMemory.flags,
    '--import',
    guard,
    options.file,
  ];
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    // As this process has it (ensure-installed.mjs).
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...serverMemory.environment,
      ...options.env,
    } as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcess & { stdout: Readable; stderr: Readable };
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const lastWords: string[] = [];
  let isReady = false;
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.write(`${line}\n`);
    // Node's own warnings are for developers, who find them in the log.
    if (/^\(node:\d+\)|^\(Use `node /.test(line)) return;
    if (isReady) options.onTrouble(line);
    else if (lastWords.length < lastWordsKept) lastWords.push(line);
  });
  let stopping: Promise<void> | undefined;
  // Once only: a second signal would tell a child to drop what it is draining.
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      const killer = setTimeout(() => child.kill('SIGKILL'), options.stopMs);
      child.kill('SIGTERM');
      await exited;
      clearTimeout(killer);
      log.end();
    })());
  options.signal?.addEventListener('abort', () => void stop(), { once: true });
  const firstReady = new Promise<Ready>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      const message = isReady ? undefined : readReady<Ready>(line);
      isReady ||= message !== undefined;
      if (message !== undefined) resolve(message);
      // Levels of pino: 50 error, 60 fatal.
      else if (/^\{"level":[56]0,/.test(line)) options.onTrouble(line);
    });
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void stop();
  }, options.readyMs ?? 60_000);
  const failed = exited.then((how): never => {
    const words = lastWords.map((line) => `\n  ${line}`).join('');
    const what = isLate ? 'was not ready in time' : `ended with ${how} before it was ready`;
    throw new StartFault(`The ${options.name} ${what}: see ${options.logFile}${words}`);
  });
  // Every child ends one day; of one that had been ready that is no failure to start.
  failed.catch(() => {});
  try {
    const ready = await Promise.race([firstReady, failed]);
    return { pid: child.pid ?? 0, ready, exited, stop };
  } finally {
    clearTimeout(timer);
  }
}

function readReady<Ready>(line: string): Ready | undefined {
  if (!line.startsWith('{') || !line.includes('"ready"')) return undefined;
  try {
    const message = JSON.parse(line) as { ready?: unknown };
    return message.ready === true ? (message as Ready) : undefined;
  } catch {
    return undefined;
  }
}
