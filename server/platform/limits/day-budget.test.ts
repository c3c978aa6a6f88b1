import { expect, test } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import { createDayBudget } from './day-budget.ts';

const SHARES = { perNetwork: { rows: 10, bytes: 100 }, inAll: { rows: 25, bytes: 250 } };
const call = (rows: number, bytes: number) => ({ rows, bytes });

test.each([
  ['rows', call(5, 1)],
  ['bytes', call(1, 50)],
])('a network has its share of %s, all together have theirs, and both begin again the next day', (_, wanted) => {
  let at = 0;
  const budget = createDayBudget(() => at, SHARES);
  const take = (ip: string) => budget.take(ip, wanted);
  expect([take('192.0.2.1'), take('192.0.2.1'), take('192.0.2.1')]).toEqual(['taken', 'taken', 'network']);
  expect([take('192.0.2.2'), take('192.0.2.2'), take('192.0.2.3')]).toEqual(['taken', 'taken', 'taken']);
  expect(take('192.0.2.4')).toBe('all');
  at += DAY_MS;
  expect(take('192.0.2.1')).toBe('taken');
});

test('addresses of one IPv6 household share, and a refused call uses nothing up', () => {
  const budget = createDayBudget(() => 0, SHARES);
  expect(budget.take('2001:db8::1', call(1, 101))).toBe('network');
  expect(budget.take('2001:db8::1', call(10, 1))).toBe('taken');
  expect(budget.take('2001:db8::2', call(1, 1))).toBe('network');
});
