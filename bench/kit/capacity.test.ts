// The model against what was measured, and the tables of docs/scaling.md against the model.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OrderCost, predictRate, sizeFor } from './capacity.ts';

const cost = (server: number, postgres: number, driver: number): OrderCost => ({ server, postgres, driver });

/** Of two processors each: orders a second at full load. @source docs/benchmarks.md, docs/scaling.md */
const MEASURED: readonly [string, OrderCost, number][] = [
  ['a fast day, whole path', cost(0.62, 1.2, 0.44), 640],
  ['a fast day, web and worker apart', cost(0.87, 1.6, 0.51), 540],
  ['a slow day, whole path', cost(1.76, 2.72, 1.02), 311],
  ['a slow day, whole path again', cost(1.8, 2.9, 1.05), 292],
  ['a slow day, placing alone', cost(0.88, 1.09, 0.35), 717],
  ['a slow day, placing alone again', cost(0.93, 1.23, 0.41), 621],
  ['before months and masks, whole path', cost(1.28, 2.22, 1.03), 358],
  ['before months and masks, placing alone', cost(0.7, 0.99, 0.4), 763],
  ['the first commit with a bench, whole path', cost(1.1, 1.78, 0.87), 430],
  ['the first commit with a bench, placing alone', cost(0.62, 0.8, 0.31), 888],
];

test.each(MEASURED)('the model tells within 20 %%: %s', (_, costs, measured) => {
  const predicted = predictRate(2, costs);
  expect(measured / predicted).toBeGreaterThan(0.8);
  expect(measured / predicted).toBeLessThan(1.2);
});

test('the table of docs/scaling.md is what the model says of the cost that it names', () => {
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  const [, server, postgres, wal, database, disk] =
    /^\| an order \| ([\d.]+) ms \| ([\d.]+) ms \| ([\d.]+) KB \| ([\d.]+) KB \| ([\d.]+) KB \|$/m
      .exec(page)
      ?.map(Number) ?? [];
  const need = (rate: number) =>
    sizeFor(
      rate,
      { server: server ?? 0, postgres: postgres ?? 0 },
      { wal: (wal ?? 0) * 1000, database: (database ?? 0) * 1000, disk: (disk ?? 0) * 1000 },
    );
  const line = (rate: number) => {
    const { serverProcessors, postgresProcessors, walMegabytes, databaseMegabits, diskGigabytesADay } = need(rate);
    const figures = [
      serverProcessors.toFixed(0),
      postgresProcessors.toFixed(0),
      `${walMegabytes.toFixed(0)} MB/s`,
      `${databaseMegabits.toFixed(0)} Mbit/s`,
      `${diskGigabytesADay.toFixed(0)} GB`,
    ];
    return `| ${rate.toLocaleString('en-US')} a second | ${figures.join(' | ')} |`;
  };
  expect(serverIsNamed(server)).toBe(true);
  for (const rate of [100, 1000, 10_000, 100_000]) expect(page).toContain(line(rate));
});

const serverIsNamed = (server: number | undefined): boolean => server !== undefined && server > 0;
