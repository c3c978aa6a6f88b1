// Forks scripts/postgres-process.ts and speaks with it. Used by `npm start`, the tests and the benches.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findAccessPrefix } from '#server/platform/database/embedded-postgres-account.ts';
import { readProgramFolder } from '#server/platform/database/embedded-postgres-folder.ts';
import type { PostgresMessage, PostgresOrder } from '#scripts/postgres-process.ts';
import { findBatchWay } from './start-batch.ts';

/** `message` is one sentence for a person (or a stack when nobody foresaw the failure). */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}

export type PostgresChild = {
  /** Over TCP on loopback. */
  url: string;
  /** The way for this machine's own processes; the same as `url` where there is no socket file. */
  socketUrl: string;
  /** Process id of PostgreSQL itself. */
  pid: number;
  reused: boolean;
  /** Resolves when the process has ended, wanted or not. */
  exited: Promise<void>;
  /** Should this process be killed, the database outlives the process `pid`. */
  keepFor: (pid: number) => void;
  stop: () => Promise<void>;
};

/**
 * Starts PostgreSQL in a process of its own, in a process group of its own (a Ctrl-C in the
 * terminal must not reach it).
 * @param options.temporary fast and forgetful; the folder is removed at the end. For tests.
 * @throws StartFault
 */
export async function forkPostgres(options: { dataDir: string; temporary?: boolean }): Promise<PostgresChild> {
  const child = await spawnProcess(options.dataDir, options.temporary ? ['--temporary'] : []);
  const exited = once(child, 'exit').then(() => undefined);
  const answer = await new Promise<PostgresMessage>((settle) => {
    child.once('message', (message) => settle(message as PostgresMessage));
    void exited.then(() =>
      settle({ kind: 'fault', message: 'The database process ended before it was ready.', isPlain: true }),
    );
  });
  if (answer.kind === 'fault') {
    await exited;
    throw new StartFault(answer.message);
  }
  const order = (message: PostgresOrder): void => {
    if (child.connected) child.send(message, () => {});
  };
  const stop = async (): Promise<void> => {
    order('stop');
    await exited;
  };
  const { url, socketUrl, pid, reused } = answer;
  return { url, socketUrl, pid, reused, exited, keepFor: (user) => order({ keepFor: user }), stop };
}

async function spawnProcess(dataDir: string, flags: string[]): Promise<ChildProcess> {
  const { PATH, HOME, TEMP, SystemRoot } = process.env;
  const file = fileURLToPath(new URL('../postgres-process.ts', import.meta.url));
  const [command = '', ...args] = [
    ...findBatchWay(),
    ...(await findAccessPrefix([readProgramFolder(), dirname(resolve(dataDir))])),
    process.execPath,
    file,
    dataDir,
    ...flags,
  ];
  return spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // A handful of variables: neither our secrets nor a stray PGPORT are the database's business.
    // TMPDIR: while it initialises, the package puts the password into a file that all may read;
    // our folder is closed to others.
    env: { PATH, HOME, TMPDIR: resolve(dataDir), TEMP, SystemRoot, LC_ALL: 'C' },
  });
}
