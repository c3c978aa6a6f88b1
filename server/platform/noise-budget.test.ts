import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { createNoiseBudget } from './noise-budget.ts';
import { noteSecurity } from './security-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const reported: Readonly<Record<string, number>>[] = [];
  return { reported, ...createNoiseBudget((unwritten) => void reported.push(unwritten)) };
}
const count = (times: number, take: (n: number) => boolean) =>
  Array.from({ length: times }, (_, n) => take(n)).filter(Boolean).length;

test('a network has thirty of a kind in a minute, another one its own', () => {
  const { takes } = setUp();
  expect(count(100, () => takes('a', '198.51.100.1'))).toBe(30);
  expect(count(100, (n) => takes('b', `2001:db8::${n}`))).toBe(30);
  expect(takes('a', '198.51.100.2')).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(takes('a', '198.51.100.1')).toBe(true);
});

test('all networks have three hundred', () => {
  const { takes } = setUp();
  expect(count(5000, (n) => takes(`kind ${n % 7}`, `10.${n % 200}.${n % 256}.1`))).toBe(300);
});

test('what is not written is told once, a minute later', () => {
  const { takes, reported } = setUp();
  count(100, () => takes('a', '198.51.100.1'));
  count(50, () => takes('b', '198.51.100.1'));
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(reported).toEqual([{ a: 70, b: 20 }]);
  vi.advanceTimersByTime(600_000);
  expect(reported).toHaveLength(1);
  count(31, () => takes('a', '198.51.100.1'));
  vi.advanceTimersByTime(60_000);
  expect(reported[1]).toEqual({ a: 1 });
});

test('events of strangers are budgeted in the log, those of players are not', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  expect(count(100, () => noteSecurity(log, 'callback_refused', { ip: '198.51.100.1' }))).toBe(30);
  expect(count(100, () => noteSecurity(log, 'login_ok', { ip: '198.51.100.1' }))).toBe(100);
  expect(lines).toHaveLength(130);
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toContain('"unwritten":{"callback_refused":70}');
});
