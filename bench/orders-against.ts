// Is this commit slower than another one? Both run `bench -- orders` in turn on the same machine, each with its own
// code, processes and database.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type RunFigures,
  type Turn,
  MOST_TAKEN,
  compareTurns,
  isDisturbed,
  judgeAgainst,
  readFigures,
} from './against/figures.ts';
import { type Defer, withCleanup } from './kit/cleanup.ts';
import { median } from './kit/figures.ts';
import { printGoals, printTable, show } from './kit/print.ts';

export type AgainstOptions = {
  /** An installed checkout of the other commit. */
  readonly checkout: string;
  readonly provider: string;
  readonly players: number;
  readonly seconds: number;
  /** The checkout that is compared with it; this one unless told. */
  readonly here?: string;
  /** What the processors did so far; the system's own word unless told. */
  readonly processors?: () => Processors;
  /** Turns that count; as many again may be given up because others used the machine. */
  readonly turns: number;
};

/** Ticks of all processors since the start, and those that the host gave to others. */
export type Processors = { readonly all: number; readonly stolen: number };

export type Verdict = 'met' | 'missed' | 'not_judged';

type Side = { readonly name: 'old' | 'new'; readonly folder: string; readonly commit: string };

const HERE = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

export function benchAgainst(options: AgainstOptions): Promise<Verdict> {
  return withCleanup(async (defer) => {
    const sides = await Promise.all([
      openSide('old', resolve(options.checkout)),
      openSide('new', options.here ?? HERE),
    ]);
    const [old, now] = sides as [Side, Side];
    for (const side of sides) await build(defer, side);
    console.log(
      `old: ${old.commit} in ${old.folder}\nnew: ${now.commit} in ${now.folder}\n${options.provider}, ` +
        `${options.players} players, ${options.turns} turns, each a round of ${options.seconds} s a phase\n`,
    );
    const turns: Turn[] = [];
    let left = options.turns * 2;
    for (let number = 1; turns.length < options.turns && left > 0; number += 1, left -= 1) {
      const turn = await playTurn(defer, { old, now, isNewFirst: number % 2 === 0 }, options);
      const isLost = isDisturbed(turn);
      if (!isLost) turns.push(turn);
      console.log(tellTurn(number, turn, isLost));
    }
    if (turns.length < options.turns) {
      console.log(
        `\nNot judged: in ${options.turns * 2 - turns.length} of ${options.turns * 2} turns more than ` +
          `${MOST_TAKEN * 100} % of the processors were taken by others. Run it again on a quiet machine.`,
      );
      return 'not_judged';
    }
    return judge(turns) ? 'met' : 'missed';
  });
}

/** @throws RangeError of one sentence when it is no checkout that can be measured */
async function openSide(name: Side['name'], folder: string): Promise<Side> {
  if (!existsSync(join(folder, 'bench/main.ts')))
    throw new RangeError(`--against is "${folder}": it must be a checkout of this project, and has no bench/main.ts.`);
  if (!existsSync(join(folder, 'node_modules')))
    throw new RangeError(`--against is "${folder}": its packages are missing; run "npm ci" there.`);
  const { stdout } = await run('git', ['-C', folder, 'log', '-1', '--format=%h %s']).catch(() => ({ stdout: '' }));
  return { name, folder, commit: stdout.trim() || 'no commit' };
}

/** The server serves what was built; an old checkout may never have been. */
async function build(defer: Defer, side: Side): Promise<void> {
  const { code, text } = await runIn(defer, side, ['scripts/build.ts']);
  if (code !== 0) throw new Error(`The storefront of the ${side.name} commit cannot be built:\n${tail(text)}`);
}

async function playTurn(
  defer: Defer,
  { old, now, isNewFirst }: { old: Side; now: Side; isNewFirst: boolean },
  options: AgainstOptions,
): Promise<Turn> {
  // Who goes first changes with every turn, so that what the machine does over time falls on both.
  const first = await measure(defer, isNewFirst ? now : old, options);
  const second = await measure(defer, isNewFirst ? old : now, options);
  const [ofOld, ofNew] = isNewFirst ? [second, first] : [first, second];
  return { old: ofOld.figures, now: ofNew.figures, stolen: Math.max(ofOld.stolen, ofNew.stolen) };
}

async function measure(
  defer: Defer,
  side: Side,
  { provider, players, seconds, processors = readProcessors }: AgainstOptions,
): Promise<{ figures: RunFigures; stolen: number }> {
  const before = processors();
  const { text } = await runIn(defer, side, [
    'bench/main.ts',
    'orders',
    '--rounds',
    '1',
    '--players',
    String(players),
    '--seconds',
    String(seconds),
    '--provider',
    provider,
  ]);
  const after = processors();
  try {
    // Its exit code tells of goals that are not ours to judge here.
    return { figures: readFigures(text), stolen: (after.stolen - before.stolen) / (after.all - before.all) };
  } catch (error) {
    throw new Error(`The ${side.name} commit could not be measured: ${(error as Error).message}\n${tail(text)}`, {
      cause: error,
    });
  }
}

/** On the same Node for both, so that a newer one is not taken for faster code. */
function runIn(defer: Defer, side: Side, args: readonly string[]): Promise<{ code: number; text: string }> {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: side.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const keep = (chunk: Buffer) => void (text += chunk.toString('utf8'));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<number>((fulfil, reject) => {
    child.once('error', reject);
    child.once('close', (code) => fulfil(code ?? 1));
  });
  // Told to stop, it takes its processes and folders away itself.
  defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  return ended.then((code) => ({ code, text }));
}

const tail = (text: string): string => text.trimEnd().split('\n').slice(-12).join('\n');

/** NaN where the system does not tell. @source proc_stat(5) */
function readProcessors(): Processors {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    // user, nice, system, idle, iowait, irq, softirq, steal; guest time is within user
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks[7] ?? Number.NaN };
  } catch {
    return { all: Number.NaN, stolen: Number.NaN };
  }
}

function tellTurn(number: number, { old, now, stolen }: Turn, isLost: boolean): string {
  const rates = `old ${show(old.deliveredPerSecond)}/s, new ${show(now.deliveredPerSecond)}/s delivered`;
  const taken = Math.max(old.taken, now.taken, stolen) * 100;
  return `turn ${number}: ${rates}; others took up to ${show(taken)} %${isLost ? ': does not count' : ''}`;
}

function judge(turns: readonly Turn[]): boolean {
  const rows = compareTurns(turns);
  console.log('');
  printTable(
    ['median of the turns', 'old', 'new', 'new / old'],
    rows.map(({ name, old, now, unit }) => [name, show(old, unit), show(now, unit), (now / old).toFixed(2)]),
  );
  const shares = turns.map(({ now, old }) => now.deliveredPerSecond / old.deliveredPerSecond);
  console.log(
    `Delivered, new / old, turn by turn: ${shares.map((share) => share.toFixed(2)).join(', ')} (median ` +
      `${median(shares).toFixed(2)}).\n`,
  );
  return printGoals(judgeAgainst(rows));
}
