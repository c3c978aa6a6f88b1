// Runs one part of Refill (server, simulators) as a child: waits for its ready line, keeps its log, ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
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
  const child = spawn(process.execPath, ['--import', guard, options.file], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: options.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcess & { stdout: Readable; stderr: Readable };
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.write(`${line}\n`);
    options.onTrouble(line);
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
  const ready = await new Promise<Ready>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new StartFault(
          `The ${options.name} was not ready after ${(options.readyMs ?? 60_000) / 1000} s: see ${options.logFile}`,
        ),
      );
    }, options.readyMs ?? 60_000);
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      const message = readReady<Ready>(line);
      if (message !== undefined) resolve(message);
      // Levels of pino: 50 error, 60 fatal.
      else if (/^\{"level":[56]0,/.test(line)) options.onTrouble(line);
    });
    void exited.then((how) => {
      clearTimeout(timer);
      return reject(
        new StartFault(`The ${options.name} ended with ${how} before it was ready: see ${options.logFile}`),
      );
    });
  });
  return { pid: child.pid ?? 0, ready, exited, stop };
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
