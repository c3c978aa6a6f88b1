// The kinds of metrics there are.

/** Name of a label and what its values are, for the page of all metrics. */
type Labels = Readonly<Record<string, string>>;

export type Metric<L extends Labels = Labels> = {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  /** A clause without its full stop. */
  readonly about: string;
  readonly labels: L;
  /** Of a histogram: upper ends, seconds. */
  readonly buckets: readonly number[];
  /** The same number at every process, read from the database; else each process has its own, and they add up. */
  readonly isShared: boolean;
};

export const counter = <const L extends Labels>(name: string, about: string, labels: L) =>
  ({ kind: 'counter', name, about, labels, buckets: [], isShared: false }) as const satisfies Metric<L>;

export const gauge = <const L extends Labels>(name: string, about: string, labels: L) =>
  ({ kind: 'gauge', name, about, labels, buckets: [], isShared: false }) as const satisfies Metric<L>;

export const histogram = <const L extends Labels>(name: string, about: string, buckets: readonly number[], labels: L) =>
  ({ kind: 'histogram', name, about, labels, buckets, isShared: false }) as const satisfies Metric<L>;

export const fromDatabase = <const L extends Labels>(name: string, about: string, labels: L) =>
  ({ kind: 'gauge', name, about, labels, buckets: [], isShared: true }) as const satisfies Metric<L>;
