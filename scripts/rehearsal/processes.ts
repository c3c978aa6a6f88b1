// Programs of a rehearsal: started with their output kept, waited for, ended in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type Program = {
  readonly name: string;
  /** Returns the text it has printed so far, both streams. */
  readonly said: () => string;
  /** SIGTERM, and SIGKILL for who takes too long. @returns how it ended and after how many milliseconds */
  stop(): Promise<{ code: number | null; ms: number }>;
  readonly child: ChildProcess;
};

/** Longer than the longest announced stop. */
const STOP_MS = 40_000;

export function startProgram(name: string, command: readonly string[], env: Record<string, string>): Program {
  const [file = '', ...args] = command;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(file, args, { env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => void (said += text));
  child.on('error', (error) => void (said += `${error.message}\n`));
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined);
  return {
    name,
    child,
    said: () => said,
    stop: async () => {
      const began = performance.now();
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      if (child.exitCode === null) child.kill('SIGTERM');
      const [code] = await ended;
      clearTimeout(killer);
      return { code, ms: Math.round(performance.now() - began) };
    },
  };
}

/** Runs a program to its end. */
export async function runProgram(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const program = startProgram(command[0] ?? '', command, env);
  const code = await new Promise<number>((resolve) => {
    program.child.on('close', (ended) => resolve(ended ?? 1));
    program.child.on('error', () => resolve(127));
  });
  return { code, said: program.said() };
}

/** @throws when it does not come true in time, with what the program said */
export async function waitFor(what: string, isTrue: () => Promise<boolean>, program?: Program): Promise<void> {
  // Our choice: a start of a shop on a machine that others keep busy.
  const deadline = Date.now() + 180_000;
  let last = '';
  while (Date.now() < deadline) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      last = (error as Error).message;
    }
    if (program && program.child.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`${what} did not come about: ${last}\n${program?.said().slice(-3000) ?? ''}`);
}
