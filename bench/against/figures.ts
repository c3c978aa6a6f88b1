// Computes the result of several turns of two commits. Pure: it knows no process.
import { type Goal, median, meets } from '../kit/figures.ts';

export type RunFigures = {
  /** Orders a second at full load. */
  readonly deliveredPerSecond: number;
  readonly payP99Ms: number;
  /** From the callback to the goods, at the steady rate. */
  readonly steadyMedianMs: number;
  readonly steadyP99Ms: number;
  readonly serverMsPerOrder: number;
  readonly postgresMsPerOrder: number;
  /** Of the driver and the simulators: what both sides should cost alike, but for calls that only one makes. */
  readonly driverMsPerOrder: number;
  readonly peakMemoryMb: number;
  /** Of the processors, 0 to 1: what processes that are not the bench's took at full load. */
  readonly taken: number;
};

/**
 * One turn: both commits, right after one another. `stolen`: what the host took from this machine
 * meanwhile, 0 to 1, the larger of both.
 */
export type Turn = { readonly old: RunFigures; readonly now: RunFigures; readonly stolen: number };

/** More than this taken by others, and a turn says nothing. @source docs/benchmarks.md, "Goals" */
export const MAX_TAKEN = 0.1;

/** NaN (not measured) is disturbed as well: what nobody can tell is no ground to judge by. */
export function isDisturbed({ old, now, stolen }: Turn): boolean {
  return ![old.taken, now.taken, stolen].every((share) => share <= MAX_TAKEN);
}

/** `ratio`: new by old, the median of what each turn says by itself, for a turn is the same minute for both. */
export type Row = {
  readonly name: string;
  readonly old: number;
  readonly now: number;
  readonly ratio: number;
  readonly unit: string;
};

const FIGURES: readonly { key: keyof Omit<RunFigures, 'taken'>; name: string; unit: string }[] = [
  { key: 'deliveredPerSecond', name: 'orders delivered', unit: '/s' },
  { key: 'payP99Ms', name: 'pay call, p99', unit: 'ms' },
  { key: 'steadyMedianMs', name: 'callback to delivered at 200/s, median', unit: 'ms' },
  { key: 'steadyP99Ms', name: 'callback to delivered at 200/s, p99', unit: 'ms' },
  { key: 'serverMsPerOrder', name: 'server processor time an order', unit: 'ms' },
  { key: 'postgresMsPerOrder', name: 'PostgreSQL processor time an order', unit: 'ms' },
  { key: 'driverMsPerOrder', name: 'driver and simulators, processor time an order', unit: 'ms' },
  { key: 'peakMemoryMb', name: 'server memory, peak', unit: 'MB' },
];

/** Medians over the turns, so that one odd turn does not decide. */
export function compareTurns(turns: readonly Turn[]): Row[] {
  return FIGURES.map(({ key, name, unit }) => ({
    name,
    unit,
    old: median(turns.map((turn) => turn.old[key])),
    now: median(turns.map((turn) => turn.now[key])),
    ratio: median(turns.map((turn) => turn.now[key] / turn.old[key])),
  }));
}

/**
 * Not slower than before, and within what a player and a machine are promised. @source
 * docs/benchmarks.md, "Against another commit"
 */
const AGAINST_GOALS: readonly { goal: Goal; of: (row: (name: string) => Row) => number }[] = [
  {
    goal: { name: 'orders delivered, of the old commit', limit: 0.9, sense: 'at least', unit: 'x' },
    of: (row) => row('orders delivered').ratio,
  },
  ...(
    [
      ['pay call, p99', 50, 'ms'],
      ['callback to delivered at 200/s, median', 15, 'ms'],
      ['callback to delivered at 200/s, p99', 50, 'ms'],
      ['server processor time an order', 1, 'ms'],
      ['server memory, peak', 250, 'MB'],
    ] as const
  ).map(([name, limit, unit]) => ({
    goal: { name, limit, sense: 'at most' as const, unit },
    of: (row: (name: string) => Row) => row(name).now,
  })),
];

export function judgeAgainst(rows: readonly Row[]): { goal: Goal; value: number; isMet: boolean }[] {
  const row = (name: string): Row => {
    const found = rows.find((one) => one.name === name);
    if (!found) throw new Error(`there is no figure ${name}`);
    return found;
  };
  return AGAINST_GOALS.map(({ goal, of }) => ({ goal, value: of(row), isMet: meets(goal, of(row)) }));
}
