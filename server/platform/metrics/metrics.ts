// Counts by the table of metrics. One list for the process, as Prometheus reads it: who counts needs nothing handed in.
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from './metric.ts';
import { METRICS, type MetricKey } from './metrics-table.ts';

type Table = typeof METRICS;
type KeyOf<Kind extends Metric['kind']> = { [K in MetricKey]: Table[K]['kind'] extends Kind ? K : never }[MetricKey];
/** Every label of the metric, none else. */
type LabelsOf<K extends MetricKey> = Readonly<Record<keyof Table[K]['labels'] & string, string>>;

const registry = new Registry();
const made = new Map<string, Counter | Gauge | Histogram>(
  Object.entries(METRICS as Record<string, Metric>).map(([key, metric]) => [key, make(metric)]),
);

function make({ about, buckets, kind, labels, name }: Metric): Counter | Gauge | Histogram {
  const base = { name, help: about, labelNames: Object.keys(labels), registers: [registry] };
  if (kind === 'counter') return new Counter(base);
  if (kind === 'histogram') return new Histogram({ ...base, buckets: [...buckets] });
  const gauge = new Gauge(base);
  clearValues(gauge, labels);
  return gauge;
}

/** A gauge without labels would show 0 before anybody has said so. */
function clearValues(gauge: Gauge, labels: Metric['labels']): void {
  gauge.reset();
  if (Object.keys(labels).length === 0) gauge.remove();
}

export function countEvent<K extends KeyOf<'counter'>>(key: K, labels: LabelsOf<K>, by = 1): void {
  (made.get(key) as Counter).inc(labels, by);
}

export function setGauge<K extends KeyOf<'gauge'>>(key: K, labels: LabelsOf<K>, value: number): void {
  (made.get(key) as Gauge).set(labels, value);
}

/** Removes every value of a gauge: what is not set again is not there any more. */
export function clearGauge(key: KeyOf<'gauge'>): void {
  clearValues(made.get(key) as Gauge, METRICS[key].labels);
}

export function observe<K extends KeyOf<'histogram'>>(key: K, labels: LabelsOf<K>, seconds: number): void {
  (made.get(key) as Histogram).observe(labels, seconds);
}

/** Numbers of Node and of the process beside ours; once, by whoever shows them. */
export function watchProcess(): void {
  if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry });
}

/** Everything in the text form of Prometheus. */
export async function writeMetrics(): Promise<{ contentType: string; text: string }> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** Names of all metrics that a scrape shows, those of Node and the process too. */
export async function listMetricNames(): Promise<string[]> {
  watchProcess();
  return (await registry.getMetricsAsJSON()).map(({ name }) => name);
}
