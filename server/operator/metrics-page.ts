// docs/metrics.md: every metric there is, written from the table that the code counts by.
import type { Metric } from '#server/platform/metrics/metric.ts';
import { METRICS } from '#server/platform/metrics/metrics-table.ts';

const HEAD = `# Metrics

What \`/metrics\` on the operator's port shows, in the text form of Prometheus. Written by \`npm run refill -- metrics\` from the table that the code counts by
(\`server/platform/metrics/metrics-table.ts\`); a test keeps the two equal. How to switch it on, dashboards and alert rules: [operating.md](operating.md#metrics); what an alert means: [runbook.md](runbook.md).

No label names a player, an order or an address.

## Of a process

Each process counts for itself, from its start: add them up (\`sum\`).
`;

const SHARED = `
## Of the database

The same at every process, read at most every 30 seconds and within two seconds: take one of them (\`max\`). When the database cannot be read they are not there, and \`refill_database_up\` is 0.
`;

const NODE = `
## Of Node.js and the process

As prom-client gives them: \`process_...\` (processor, memory, open files, start) and \`nodejs_...\` (heap, collections, lag of the event loop, version).
`;

export function writeMetricsPage(): string {
  const all: readonly Metric[] = Object.values(METRICS);
  return `${HEAD}
${drawMetrics(all.filter(({ isShared }) => !isShared))}
${SHARED}
${drawMetrics(all.filter(({ isShared }) => isShared))}
${NODE}`;
}

function drawMetrics(metrics: readonly Metric[]): string {
  const rows = metrics.map(({ about, buckets, kind, labels, name }) => [
    `\`${name}\``,
    kind,
    buckets.length > 0 ? `${about} (${buckets.join(', ')} s)` : about,
    Object.entries(labels)
      .map(([label, values]) => `\`${label}\`: ${values}`)
      .join('<br>'),
  ]);
  return drawRows(['Metric', 'Kind', 'What it is', 'Labels'], rows);
}

function drawRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
