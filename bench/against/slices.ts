// Declares the messages between the comparison and its two sides, and computes the result of the slices. Pure.
import { median, percentile } from '../kit/figures.ts';
import type { RunFigures } from './figures.ts';

/** `play` is answered with a `Slice`, `analyze` with `Ready`, `finish` with the faults of the books. */
export type Ask =
  /** @param rate orders a second; as many at once as there are players when left out */
  | { readonly do: 'play'; readonly seconds: number; readonly rate?: number }
  | { readonly do: 'analyze' }
  | { readonly do: 'finish' };

export type Ready = { readonly isReady: true };

/** Some seconds of load on one side. */
export type Slice = {
  readonly orders: number;
  readonly seconds: number;
  readonly payMs: readonly number[];
  /** From the callback to the goods. */
  readonly callbackMs: readonly number[];
  /** Processor milliseconds; the driver's are also the simulators'. */
  readonly usedMs: { readonly server: number; readonly postgres: number; readonly driver: number };
  readonly peakMemoryMb: number;
};

/** Slices of one side in one turn. `taken`: of the processors by others in each slice at full load, 0 to 1. */
export type Played = {
  readonly full: readonly Slice[];
  readonly steady: readonly Slice[];
  readonly taken: readonly number[];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export function figuresOf({ full, steady, taken }: Played): RunFigures {
  const orders = sum(full.map((slice) => slice.orders));
  const delays = steady.flatMap((slice) => slice.callbackMs);
  return {
    deliveredPerSecond: orders / sum(full.map((slice) => slice.seconds)),
    payP99Ms: percentile(
      full.flatMap((slice) => slice.payMs),
      99,
    ),
    steadyMedianMs: median(delays),
    steadyP99Ms: percentile(delays, 99),
    serverMsPerOrder: sum(full.map((slice) => slice.usedMs.server)) / orders,
    postgresMsPerOrder: sum(full.map((slice) => slice.usedMs.postgres)) / orders,
    driverMsPerOrder: sum(full.map((slice) => slice.usedMs.driver)) / orders,
    peakMemoryMb: Math.max(...[...full, ...steady].map((slice) => slice.peakMemoryMb)),
    taken: median(taken),
  };
}
