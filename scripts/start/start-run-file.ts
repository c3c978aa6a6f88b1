// `run.json` in the data folder: who is running from it. Tells a second start what to wait for or why it may not begin.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommand } from '#server/platform/database/embedded-postgres-running.ts';
import { StartFault } from './start-postgres.ts';

/** `file` is a part of the process's command line: a process id alone may long belong to somebody else. */
type Part = { pid: number; file: string };
type Run = { launcher: Part; port: number; children: Part[] };

export type RunFile = { addChild: (child: Part) => Promise<void>; remove: () => Promise<void> };

// Our choice: a server whose launcher was killed drains for 10 s at most and is cut off by its guard after 15 s.
const timeoutMs = 20_000;

/**
 * Claims the folder. Parts of a former run whose launcher was killed are waited for, then killed.
 * @throws StartFault when another launcher is at work in this folder
 */
export async function lockFolder(dataDir: string, port: number, say: (line: string) => void): Promise<RunFile> {
  const path = join(dataDir, 'run.json');
  const former = await readRun(path);
  if (former && (await isAlive(former.launcher)) && former.launcher.pid !== process.pid) {
    throw new StartFault(
      `Refill is already running from ${dataDir} on port ${former.port} (process ${former.launcher.pid}): stop ` +
        'it first, or start a second one with REFILL_DATA=<another folder> PORT=<another port> npm start',
    );
  }
  if (former) await waitForParts(former.children, say);
  const run: Run = { launcher: { pid: process.pid, file: process.argv[1] ?? 'start.ts' }, port, children: [] };
  const write = (): Promise<void> => writeFile(path, JSON.stringify(run));
  await write();
  return {
    addChild: async (child) => {
      run.children = [...run.children.filter((known) => known.file !== child.file), child];
      await write();
    },
    remove: () => rm(path, { force: true }),
  };
}

async function waitForParts(parts: Part[], say: (line: string) => void): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let hasSaidSo = false;
  for (const part of parts) {
    while (await isAlive(part)) {
      if (!hasSaidSo) say('The former run was cut off; waiting until its last requests are done.');
      hasSaidSo = true;
      if (Date.now() > deadline) process.kill(part.pid, 'SIGKILL');
      await sleep(100);
    }
  }
}

async function isAlive(part: Part): Promise<boolean> {
  return (await readCommand(part.pid)).includes(part.file);
}

async function readRun(path: string): Promise<Run | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Run;
  } catch {
    // Missing, or cut short by a kill: nothing that could be waited for.
    return undefined;
  }
}
