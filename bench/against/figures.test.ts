// The comparison of two commits: what is read from a run, which turns count, and when a goal is met.
import { expect, test } from 'vitest';
import { type RunFigures, compareTurns, isDisturbed, judgeAgainst, readFigures } from './figures.ts';

/** The end of a run of commit 306c096, as it was printed. */
const PRINTED = `Yardstick: one prepared query cost the driver 214 us of processor time.
Others took 6.5 % of the processors at full load.

Server memory, MB: 177 when ready, 217 after the accounts, 220 after round 1, 220 peak.

goal                                              wanted  measured        
---------------------------------------  ---------------  --------  ------
orders delivered                         at least 600 /s    812 /s     met
placed over HTTP, of the bare function   at least 50.0 %    43.8 %  missed
pay call, p99                            at most 50.0 ms   31.4 ms     met
callback to delivered at 200/s, median   at most 15.0 ms   6.10 ms     met
callback to delivered at 200/s, p99      at most 50.0 ms   1412 ms  missed
callback to delivered at full load, p99   at most 100 ms   95.1 ms     met
server processor time an order           at most 1.00 ms   0.92 ms     met
server memory, peak                       at most 250 MB    220 MB     met

Checked: 616 orders delivered (and 59 only placed), as many keys at the game, 2464 ledger entries that sum to 0.
`;

const figures = (over: Partial<RunFigures> = {}): RunFigures => ({
  deliveredPerSecond: 800,
  payP99Ms: 30,
  steadyMedianMs: 6,
  steadyP99Ms: 30,
  serverMsPerOrder: 0.9,
  peakMemoryMb: 200,
  taken: 0.02,
  ...over,
});
const turn = (now: Partial<RunFigures> = {}, old: Partial<RunFigures> = {}, stolen = 0) => ({
  old: figures(old),
  now: figures(now),
  stolen,
});

test('reads the figures of a run', () => {
  expect(readFigures(PRINTED)).toEqual({
    deliveredPerSecond: 812,
    payP99Ms: 31.4,
    steadyMedianMs: 6.1,
    steadyP99Ms: 1412,
    serverMsPerOrder: 0.92,
    peakMemoryMb: 220,
    taken: 0.065,
  });
});

test('a run whose orders do not add up, or without a figure, is no run', () => {
  expect(() => readFigures(`${PRINTED}WRONG: the game holds a key twice\n`)).toThrow('the game holds a key twice');
  expect(() => readFigures(PRINTED.replace('31.4 ms', 'not measured'))).toThrow('no figure for "pay call, p99"');
  expect(() => readFigures(PRINTED.replace(/^Others.*$/m, ''))).toThrow('how much of the processors');
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
