// Tables for the terminal, and on what machine and day the figures were taken.
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { type Goal, meets } from './figures.ts';

/** Kind of machine, software and date; the load tells whether somebody else was at work on it. */
export function describeMachine(): string {
  const processors = cpus();
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GiB`;
  return [
    `${processors.length} x ${processors[0]?.model.trim() || 'unknown processor'}, ${memory}, ${platform()} ` +
      `${release()}`,
    `Node ${process.version}; ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC; load average at ` +
      `the start ${loadavg()[0]?.toFixed(2)}`,
  ].join('\n');
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  console.log(line(header));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
  console.log('');
}

/** Three significant digits at least, no more than the figure is worth. */
export function show(value: number, unit = ''): string {
  if (Number.isNaN(value)) return 'not measured';
  const size = Math.abs(value);
  const digits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.01 ? 2 : 5;
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

/** Answers whether all were met. */
export function printGoals(rows: readonly { goal: Goal; value: number; note?: string }[]): boolean {
  printTable(
    ['goal', 'wanted', 'measured', ''],
    rows.map(({ goal, value, note }) => [
      goal.name,
      `${goal.sense} ${show(goal.limit, goal.unit)}`,
      show(value, goal.unit) + (note ? ` (${note})` : ''),
      meets(goal, value) ? 'met' : 'missed',
    ]),
  );
  return rows.every(({ goal, value }) => meets(goal, value));
}
