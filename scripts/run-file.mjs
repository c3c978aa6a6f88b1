// Runs a TypeScript file of this project on the pinned Node 24, on any machine that has Node 20.19 or newer. Installs
// the packages first when they are missing. Plain JavaScript, as all that runs before them.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { relative, resolve } from 'node:path';
import {
  compilingOnce,
  ensureInstalled,
  pinnedNode,
  projectRoot,
  runOrExplain,
  SetupError,
} from './ensure-installed.mjs';
import { findSetOf } from './package-sets.mjs';
import { stopWithNpm } from './stop-with-npm.mjs';

/** Long work beside a shop that sells: it gets what the shop leaves of the processors, from its own start on. */
const PATIENT = ['archive'];

/** Collects its garbage on one processor: on all of them at once, whoever wakes in the shop finds none. */
const PATIENT_FLAGS = ['--v8-pool-size=0', '--single-threaded-gc'];

/**
 * Linux shares processors among sessions before it looks at the priorities within one, so a patient process has a
 * session of its own, which is told to be patient. Not SCHED_IDLE: a processor that runs such work counts as idle, and
 * whoever is woken there waits for the end of a turn where the two are of different sessions (docs/decisions/0016).
 * @param {number | undefined} pid
 * @source sched(7), "The autogroup feature"
 */
function makePatient(pid) {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // A system without it has no sessions that come before priorities.
  }
}

/** As `npm start` gives it to its server. */
const SERVER_MEMORY = JSON.parse(readFileSync(new URL('server-memory.json', import.meta.url), 'utf8'));

/**
 * Drivers of a bench: looking through all their memory takes both processors of a small machine for a tenth of a
 * second, which the calls that they measure then wait for. Below so many megabytes V8 does not look.
 */
const DRIVER_FLAGS = ['--initial-old-space-size=4096'];

/**
 * Sets the exit code of this process to the file's.
 * @param {string} path relative to the folder of the call, or absolute
 * @param {readonly string[]} args
 */
export const runFile = (path, args) =>
  runOrExplain(async () => {
    const file = relative(projectRoot, resolve(path)).replaceAll('\\', '/');
    await ensureInstalled(findSetOf(file));
    // `--shop` may stand before the command.
    const isServer = file === 'cli/main.ts' && args.includes('serve');
    const { flags, environment } = isServer
      ? SERVER_MEMORY
      : { flags: file === 'bench/main.ts' ? DRIVER_FLAGS : [], environment: {} };
    const isPatient = file === 'cli/main.ts' && args.some((arg) => PATIENT.includes(arg));
    const child = spawn(pinnedNode, [...(isPatient ? PATIENT_FLAGS : []), ...flags, path, ...args], {
      stdio: 'inherit',
      env: { ...environment, ...process.env, ...compilingOnce },
      detached: isPatient,
    });
    if (isPatient) makePatient(child.pid);

    const forward = (signal) => {
      // A terminal hands Ctrl-C to a child of its session by itself; a second one would read as "stop at once".
      if (signal === 'SIGINT' && process.stdin.isTTY && !isPatient) return;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    // A shop must not go on without the npm that was told to end it.
    if (isServer) stopWithNpm(child);

    process.exitCode = await new Promise((settle, reject) => {
      child.on('error', (error) => reject(new SetupError(`Could not start ${pinnedNode}: ${error.message}`)));
      // A child ended by a signal is told to the caller as a shell would: 128 + the signal's number.
      child.on('exit', (code, signal) => settle(code ?? 128 + constants.signals[signal]));
    });
  });
