// Alert rules, dashboards and the runbook speak of metrics, labels and commands that there are.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Metric } from '#server/platform/metrics/metric.ts';
import { QUEUES } from '#server/modules/orders/metrics-store.ts';
import { METRICS } from '#server/platform/metrics/metrics-table.ts';
import { listMetricNames } from '#server/platform/metrics/metrics.ts';
import { writeMetricsPage } from '#server/operator/metrics-page.ts';
import { runCommand } from './test-run.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Rule = { alert: string; expr: string; labels: Record<string, string>; annotations: Record<string, string> };
const rules = globSync('deploy/prometheus/*-alerts.yml', { cwd: root }).flatMap((path) =>
  (parse(read(path)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules),
);
type Panel = { title: string; targets: { expr: string }[] };
const panels = globSync('deploy/grafana/*.json', { cwd: root }).flatMap(
  (path) => (JSON.parse(read(path)) as { panels: Panel[] }).panels,
);
const runbook = read('docs/runbook.md');

const byName = new Map((Object.values(METRICS) as Metric[]).map((metric) => [metric.name, metric]));
let others: ReadonlySet<string>;
beforeAll(async () => {
  others = new Set((await listMetricNames()).filter((name) => !byName.has(name)));
});

/** Lists the wrong names of metrics and labels in an expression. */
function findMistakes(expr: string): string[] {
  return [...expr.matchAll(/\b((?:refill|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = '', labels = '']) => {
      const base = name.replace(/_(?:bucket|sum|count)$/, '');
      const metric = byName.get(name) ?? (byName.get(base)?.kind === 'histogram' ? byName.get(base) : undefined);
      if (!metric) return others.has(name) ? [] : [`no metric ${name}`];
      if (metric.kind === 'histogram' && name === metric.name) return [`${name} is a histogram`];
      return [...labels.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)]
        .map(([, label = '']) => label)
        .filter((label) => !(label in metric.labels) && !['job', 'instance', 'le'].includes(label))
        .map((label) => `${name} has no label ${label}`);
    },
  );
}

test('the checker sees a wrong name, a wrong label and a bare histogram', () => {
  expect(findMistakes('refill_nothing > 1 and nodejs_nothing')).toHaveLength(2);
  expect(findMistakes('refill_orders{player="x"}')).toEqual(['refill_orders has no label player']);
  expect(findMistakes('rate(refill_callback_seconds[5m])')).toHaveLength(1);
  expect(findMistakes('process_resident_memory_bytes / refill_callback_seconds_count{provider="x"}')).toEqual([]);
});

test('every alert asks for metrics that there are, and has its section in the runbook', () => {
  expect(rules.length).toBeGreaterThan(20);
  for (const { alert, annotations, expr, labels } of rules) {
    expect([alert, findMistakes(expr)]).toEqual([alert, []]);
    expect(['page', 'ticket']).toContain(labels['severity']);
    const section = `docs/runbook.md#${alert.toLowerCase()}`;
    expect(annotations['runbook_url']).toBe(`https://git.example.com/refill/blob/main/${section}`);
    expect(runbook).toContain(`\n## ${alert}\n\n**Means**`);
  }
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  for (const section of runbook.split(/^## /m).slice(1)) {
    expect(section).toContain('**Look**');
    expect(section).toContain('**Do**');
  }
});

test('every panel of a dashboard asks for metrics that there are', () => {
  expect(panels.length).toBeGreaterThan(30);
  for (const { targets, title } of panels)
    for (const { expr } of targets) expect([title, findMistakes(expr)]).toEqual([title, []]);
});

test('every metric of ours is on a dashboard or in a rule', () => {
  const used = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr).join('\n');
  expect([...byName.keys()].filter((name) => !used.includes(name))).toEqual(['refill_orders_cut']);
});

test('an alert watches every queue, and the list of metrics names it', () => {
  for (const queue of [...QUEUES, 'unblocks']) {
    expect([queue, rules.some(({ expr }) => new RegExp(`queue=~?"[^"]*\\b${queue}\\b`).test(expr))]).toEqual([
      queue,
      true,
    ]);
    expect(METRICS.queueLength.labels.queue).toContain(`\`${queue}\``);
  }
});

test('no label names a player, an order or an address', () => {
  const labels = (Object.values(METRICS) as Metric[]).flatMap((metric) => Object.keys(metric.labels));
  for (const label of labels) expect(label).not.toMatch(/player|user|suid|order|billing|ip|address|host|path|url/);
});

test('docs/metrics.md is what the command writes', async () => {
  expect(read('docs/metrics.md')).toBe(writeMetricsPage());
  expect((await runCommand(['metrics'], {})).out).toBe(writeMetricsPage());
});
