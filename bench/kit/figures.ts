// Sums over samples: medians, percentiles, and whether a goal is met. Pure.

/** `p` from 0 to 100, nearest rank; NaN without samples. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((p / 100) * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 50);
}

/** n, median, p95 and p99 of one measured thing, milliseconds. */
export type Spread = { readonly n: number; readonly p50: number; readonly p95: number; readonly p99: number };

export function spread(samples: readonly number[]): Spread {
  return {
    n: samples.length,
    p50: percentile(samples, 50),
    p95: percentile(samples, 95),
    p99: percentile(samples, 99),
  };
}

export type Goal = {
  readonly name: string;
  readonly limit: number;
  readonly sense: 'at least' | 'at most';
  readonly unit: string;
};

/** A figure that could not be measured meets nothing. */
export function meets(goal: Goal, value: number): boolean {
  if (Number.isNaN(value)) return false;
  return goal.sense === 'at least' ? value >= goal.limit : value <= goal.limit;
}
