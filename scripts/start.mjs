#!/usr/bin/env node
// npm start, npm run dev: installs what is missing, then hands over to scripts/start.ts on the pinned Node 24.
// Plain JavaScript, because this runs on whatever Node (20.19 or newer) the machine has.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compilingOnce, ensureInstalled, pinnedNode, runOrExplain, SetupError } from './ensure-installed.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

await runOrExplain(async () => {
  await ensureInstalled('demonstration');
  const start = fileURLToPath(new URL('start.ts', import.meta.url));
  // The channel is never spoken over: its end tells start.ts that this process was killed.
  const child = spawn(pinnedNode, [start, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...compilingOnce },
  });
  // start.ts takes a signal that comes twice (from the terminal and from here) for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  stopWithNpm(child);

  process.exitCode = await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SetupError(`Could not start ${pinnedNode}: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
});
