// Is this commit slower than another one? Both stand side by side, each with its own code, processes and database, and
// are loaded in turn for a few seconds each, so that a machine that is slower for a minute is slower for both.
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Turn, MAX_TAKEN, compareTurns, isDisturbed, judgeAgainst } from './against/figures.ts';
import { type Ask, type Played, type Ready, type Slice, figuresOf } from './against/slices.ts';
import { type Defer, withCleanup } from './kit/cleanup.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import { MS_PER_TICK } from './kit/usage.ts';
import { STEADY_RATE } from './money-path/round.ts';

export type AgainstOptions = {
  /** An installed checkout of the other commit. */
  readonly checkout: string;
  readonly provider: string;
  readonly players: number;
  /** Of each phase, in each turn and on each side. */
  readonly seconds: number;
  /** Compiled code and filled caches, each side; 15 unless told. */
  readonly warmUpSeconds?: number;
  /** The checkout that is compared with it; this one unless told. */
  readonly here?: string;
  /** Reads the processors' use so far; from the system unless given. */
  readonly processors?: () => Processors;
  /** Turns that count; as many again may be given up because others used the machine. */
  readonly turns: number;
};

/** Milliseconds of all processors since the start: that passed, that were busy, that the host gave to others. */
export type Processors = { readonly all: number; readonly busy: number; readonly stolen: number };

export type Verdict = 'met' | 'missed' | 'not_judged';

type Side = { readonly name: 'old' | 'new'; readonly folder: string; readonly commit: string };
type LiveSide = Side & { ask<Answer>(what: Ask): Promise<Answer> };

/** Our choice: so short that a machine rarely changes between a slice and the other side's, which follows at once. */
const SLICES = 4;
const WARM_UP_SECONDS = 15;

const HERE = fileURLToPath(new URL('..', import.meta.url));
const SIDE = fileURLToPath(new URL('./against/side.ts', import.meta.url));
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
        `${options.players} players, ${options.turns} turns, each ${options.seconds} s a phase in ${SLICES} slices\n`,
    );
    const both = [await startSide(defer, old, options), await startSide(defer, now, options)] as const;
    for (const side of both) {
      await side.ask<Slice>({ do: 'play', seconds: options.warmUpSeconds ?? WARM_UP_SECONDS });
      // A shop has statistics of its tables from its second minute on.
      await side.ask<Ready>({ do: 'analyze' });
    }
    const turns: Turn[] = [];
    let left = options.turns * 2;
    for (let number = 1; turns.length < options.turns && left > 0; number += 1, left -= 1) {
      const turn = await playTurn(both, options);
      const isLost = isDisturbed(turn);
      if (!isLost) turns.push(turn);
      console.log(tellTurn(number, turn, isLost));
    }
    for (const side of both) {
      const { faults } = await side.ask<{ faults: string[] }>({ do: 'finish' });
      if (faults.length > 0)
        throw new Error(`The orders of the ${side.name} commit do not add up: ${faults.join('; ')}`);
    }
    if (turns.length < options.turns) {
      console.log(
        `\nNot judged: in ${options.turns * 2 - turns.length} of ${options.turns * 2} turns more than ` +
          `${MAX_TAKEN * 100} % of the processors were taken by others. Run it again on a quiet machine.`,
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

/** A process of its own, so that neither side's code knows the other's. */
async function startSide(defer: Defer, side: Side, { provider, players }: AgainstOptions): Promise<LiveSide> {
  const child = fork(SIDE, [resolve(side.folder), provider, String(players)], {
    cwd: side.folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  const keep = (chunk: Buffer) => void (text += chunk.toString('utf8'));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<void>((fulfil) => child.once('close', () => fulfil()));
  defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  });
  const answer = <Answer>(): Promise<Answer> =>
    new Promise((fulfil, reject) => {
      const fail = () => {
        child.off('message', receive);
        reject(new Error(`The ${side.name} commit could not be measured:\n${tail(text)}`));
      };
      const receive = (message: unknown) => {
        child.off('close', fail);
        fulfil(message as Answer);
      };
      child.once('message', receive);
      child.once('close', fail);
    });
  await answer<Ready>();
  return {
    ...side,
    ask<Answer>(what: Ask) {
      const result = answer<Answer>();
      child.send(what);
      return result;
    },
  };
}

async function playTurn(
  [old, now]: readonly [LiveSide, LiveSide],
  { seconds, processors = readProcessors }: AgainstOptions,
): Promise<Turn> {
  const played = { old: noSlices(), new: noSlices() };
  const before = processors();
  for (let slice = 0; slice < SLICES; slice += 1) {
    // The sides change places, so that any drift of the machine falls on both.
    const order = slice % 2 === 0 ? [old, now] : [now, old];
    for (const side of order) {
      const start = processors();
      const full = await side.ask<Slice>({ do: 'play', seconds: seconds / SLICES });
      const end = processors();
      played[side.name].full.push(full);
      played[side.name].taken.push((end.busy - start.busy - usedBy(full)) / (end.all - start.all));
    }
    for (const side of order)
      played[side.name].steady.push(
        await side.ask<Slice>({ do: 'play', seconds: seconds / SLICES, rate: STEADY_RATE }),
      );
  }
  const after = processors();
  const stolen = (after.stolen - before.stolen) / (after.all - before.all);
  return { old: figuresOf(played.old), now: figuresOf(played.new), stolen };
}

const usedBy = ({ usedMs }: Slice): number => usedMs.server + usedMs.postgres + usedMs.driver;
const noSlices = () => ({ full: [], steady: [], taken: [] }) as { [Key in keyof Played]: Played[Key][number][] };

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
    const ms = line
      .trim()
      .split(/\s+/)
      .slice(1, 9)
      .map((ticks) => Number(ticks) * MS_PER_TICK);
    const all = ms.reduce((sum, part) => sum + part, 0);
    const [idle = Number.NaN, waiting = Number.NaN] = ms.slice(3, 5);
    const stolen = ms[7] ?? Number.NaN;
    return { all, busy: all - idle - waiting - stolen, stolen };
  } catch {
    return { all: Number.NaN, busy: Number.NaN, stolen: Number.NaN };
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
    rows.map(({ name, old, now, ratio, unit }) => [name, show(old, unit), show(now, unit), ratio.toFixed(2)]),
  );
  const shares = turns.map(({ now, old }) => now.deliveredPerSecond / old.deliveredPerSecond);
  console.log(`Delivered, new / old, turn by turn: ${shares.map((share) => share.toFixed(2)).join(', ')}.\n`);
  return printGoals(judgeAgainst(rows));
}
