// npm start, npm run dev: installs what is missing, then hands over to scripts/start.ts on the pinned Node 24.
// Plain JavaScript, because this runs on whatever Node (20.19 or newer) the machine has.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, pinnedNode, runOrExplain, SetupError } from './ensure-installed.mjs';

await runOrExplain(async () => {
  await ensureInstalled({ isLean: true });
  const start = fileURLToPath(new URL('start.ts', import.meta.url));
  // The channel is never spoken over: its end tells start.ts that this process was killed.
  const child = spawn(pinnedNode, [start, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // start.ts takes a signal that comes twice (from the terminal and from here) for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  stopWithNpm(child);

  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SetupError(`Could not start ${pinnedNode}: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
});

/**
 * `kill -9` of npm reaches nobody else: only new parents tell, of this process or of the shell in between (which dash leaves standing).
 * Without npm, losing the parent is a wish (nohup).
 */
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const npm = readParent(shell);
  setInterval(() => {
    if (process.ppid !== shell || readParent(shell) !== npm) child.kill('SIGTERM');
  }, 500).unref();
}

/** Parent of another process; undefined where there is no /proc, and then the check above sees no change. */
function readParent(pid) {
  try {
    // The name in brackets may hold anything, even brackets.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
  } catch {
    return undefined;
  }
}
