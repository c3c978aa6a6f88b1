// Runs steps one after the other in a scratch folder, prints what each one took and saw, and ends what it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '#scripts/run-tool.ts';

/** Steps hand this to those after them. */
export type World = {
  /** Removed at the end. */
  readonly scratch: string;
  /** Folder of the shop. */
  readonly shop: string;
  /** Settings of the shop as a process and of the operator's commands. */
  readonly environment: Record<string, string>;
  /** Filled by the steps. */
  readonly facts: { url?: string; game?: { url: string; language: string }; billingNo?: string; backup?: string };
  /** The operator's command in the shop's folder, as `npx refill` runs it. Throws with what it printed. */
  refill(
    args: readonly string[],
    options?: { mayEndWith?: number; environment?: Record<string, string> },
  ): Promise<string>;
  /** A process that runs until the end; resolves with the first line that fits. Throws when it ends before. */
  start(command: readonly string[], environment: Record<string, string>, isReady: RegExp): Promise<string>;
  /** Undone at the end, the last first. */
  defer(undo: () => Promise<unknown>): void;
};

export type Step = {
  readonly name: string;
  /** Describes the step as a person would do it. */
  readonly about: string;
  /** It stands on no step before it, and can be asked for by itself. */
  readonly isAlone?: true;
  /** @returns what was seen, or what it lacks to run at all, one sentence; throws when it did not go well */
  readonly run: (world: World) => Promise<string | { readonly notRun: string }>;
};

const READY_MS = 120_000;
/** A shop drains for 12 s at most. */
const STOP_MS = 20_000;

/** @returns whether all went well */
export async function runSteps(steps: readonly Step[]): Promise<boolean> {
  const scratch = await mkdtemp(join(tmpdir(), 'refill-rehearsal-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(scratch, { recursive: true, force: true })];
  const world = createWorld(scratch, undo);
  const begun = performance.now();
  const notRun: string[] = [];
  const undoAll = async (): Promise<void> => {
    // Taken out first: a signal in the middle of the end must not undo anything twice.
    for (const one of undo.splice(0).toReversed()) await one().catch((error: unknown) => console.error(String(error)));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void undoAll().then(() => process.exit(1)));
  try {
    for (const { about, name, run } of steps) {
      const from = performance.now();
      const seen = await run(world);
      if (typeof seen !== 'string') notRun.push(name);
      const line = typeof seen === 'string' ? seen : `NOT RUN: ${seen.notRun}`;
      console.log(`${minutes(from).padStart(6)}  ${name.padEnd(12)}${about}\n${' '.repeat(20)}${line}`);
    }
    const ran = steps.length - notRun.length;
    const rest = notRun.length > 0 ? ` Not run: ${notRun.join(', ')}.` : '';
    console.log(`${minutes(begun).padStart(6)}  minutes in all: ${ran} steps, each as it should be.${rest}`);
    // Whoever asks for nothing but what could not be done has seen nothing.
    return ran > 0;
  } catch (error) {
    const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(`\nThe rehearsal ended after ${minutes(begun)} minutes:\n${failed}`);
    return false;
  } finally {
    await undoAll();
  }
}

const minutes = (from: number): string => ((performance.now() - from) / 60_000).toFixed(2);

function createWorld(scratch: string, undo: (() => Promise<unknown>)[]): World {
  const shop = join(scratch, 'fjord');
  const environment: Record<string, string> = {};
  const variables = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
    // Nothing of whoever runs this: the shop has settings of its own.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(REFILL_|DATABASE_URL|PORT$)/.test(name))),
    ...environment,
    ...more,
  });
  return {
    scratch,
    shop,
    environment,
    facts: {},
    defer: (one) => void undo.push(one),
    async refill(args, { environment: more, mayEndWith = 0 } = {}) {
      // A shop that the command is about to make cannot be named yet.
      const named = args[0] === 'new' ? [] : ['--shop', shop];
      const child = spawn(process.execPath, [join(projectRoot, 'scripts', 'refill.mjs'), ...named, ...args], {
        env: variables(more),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.on('data', (part: Buffer) => out.push(String(part)));
      child.stderr.on('data', (part: Buffer) => err.push(String(part)));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code === 0 || code === mayEndWith) return out.join('');
      throw new Error(`refill ${args.join(' ')} ended with ${code}:\n${out.join('')}${err.join('')}`);
    },
    async start([program = '', ...args], more, isReady) {
      const child = spawn(program, args, { env: variables(more), stdio: ['ignore', 'pipe', 'pipe'] });
      undo.push(() => end(child));
      const words: string[] = [];
      child.stderr.on('data', (part: Buffer) => words.push(String(part)));
      return new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${program} ${args.join(' ')} ${why}:\n${words.join('')}`));
        const timer = setTimeout(() => fail(`said nothing of ${isReady} within two minutes`), READY_MS);
        child.once('error', (error) => fail(error.message));
        child.once('exit', (code) => fail(`ended with ${code}`));
        createInterface({ input: child.stdout }).on('line', (line) => {
          words.push(`${line}\n`);
          if (!isReady.test(line)) return;
          clearTimeout(timer);
          resolve(line);
        });
      });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}
