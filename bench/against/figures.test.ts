// The comparison of two commits: which turns count, and when a goal is met.
import { expect, test } from 'vitest';
import { type RunFigures, compareTurns, isDisturbed, judgeAgainst } from './figures.ts';

const figures = (over: Partial<RunFigures> = {}): RunFigures => ({
  deliveredPerSecond: 800,
  payP99Ms: 30,
  steadyMedianMs: 6,
  steadyP99Ms: 30,
  serverMsPerOrder: 0.9,
  postgresMsPerOrder: 2,
  driverMsPerOrder: 1,
  peakMemoryMb: 200,
  taken: 0.02,
  ...over,
});
const turn = (now: Partial<RunFigures> = {}, old: Partial<RunFigures> = {}, stolen = 0) => ({
  old: figures(old),
  now: figures(now),
  stolen,
});

test.each([
  ['quiet', turn(), false],
  ['a tenth is still allowed', turn({ taken: 0.1 }), false],
  ['others beside the new commit', turn({ taken: 0.11 }), true],
  ['others beside the old commit', turn({}, { taken: 0.5 }), true],
  ['the host took its share', turn({}, {}, 0.2), true],
  ['not measured', turn({ taken: Number.NaN }), true],
])('%s', (_name, one, expected) => {
  expect(isDisturbed(one)).toBe(expected);
});

const missed = (now: Partial<RunFigures>, old: Partial<RunFigures> = {}) =>
  judgeAgainst(compareTurns([turn(now, old), turn(now, old), turn(now, old)]))
    .filter(({ isMet }) => !isMet)
    .map(({ goal }) => goal.name);

test('nothing is missed at nine tenths of the old commit, at the limits', () => {
  expect(
    missed({
      deliveredPerSecond: 720,
      payP99Ms: 50,
      steadyMedianMs: 15,
      steadyP99Ms: 50,
      serverMsPerOrder: 1,
      peakMemoryMb: 250,
    }),
  ).toEqual([]);
});

test.each([
  [{ deliveredPerSecond: 719 }, 'orders delivered, of the old commit'],
  [{ payP99Ms: 51 }, 'pay call, p99'],
  [{ steadyMedianMs: 16 }, 'callback to delivered at 200/s, median'],
  [{ steadyP99Ms: 51 }, 'callback to delivered at 200/s, p99'],
  [{ serverMsPerOrder: 1.1 }, 'server processor time an order'],
  [{ peakMemoryMb: 251 }, 'server memory, peak'],
])('%j misses its goal', (now, name) => {
  expect(missed(now)).toEqual([name]);
});

test('one odd turn does not decide', () => {
  const rows = compareTurns([turn(), turn({ deliveredPerSecond: 1 }), turn()]);
  expect(judgeAgainst(rows).every(({ isMet }) => isMet)).toBe(true);
});

test('the ratio is that of turns, for the whole machine may be slower in one of them', () => {
  const slow = turn({ deliveredPerSecond: 190 }, { deliveredPerSecond: 200 });
  const [row] = compareTurns([slow, slow, turn({ deliveredPerSecond: 800 })]);
  expect(row).toMatchObject({ old: 200, now: 190, ratio: 0.95 });
  const uneven = compareTurns([
    turn({ deliveredPerSecond: 790 }),
    slow,
    turn({ deliveredPerSecond: 300 }, { deliveredPerSecond: 310 }),
  ]);
  expect(uneven[0]).toMatchObject({ old: 310, now: 300, ratio: 300 / 310 });
});
