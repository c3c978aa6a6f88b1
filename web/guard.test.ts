// The payment region of a visit, and what a step of the classic version needs. @source specification sections 2 and 4
import { describe, expect, test } from 'vitest';
import { originAfter, type RegionQuestion, resolveRegion, resolveStep } from './guard.ts';

const several = ['universal', 'ja', 'sea'] as const;

const cases: [string, Partial<RegionQuestion>, string | null][] = [
  ['the address decides', { asked: 'ja', stored: 'sea', assumed: 'universal' }, 'ja'],
  ['an address with a region of others is refused', { asked: 'kr' }, null],
  ['an address with nonsense is refused', { asked: 'moon' }, null],
  ['also where there is only one region', { asked: 'kr', offered: ['ja'] }, null],
  ['a single region is taken', { stored: null, assumed: null, offered: ['ja'] }, 'ja'],
  ['a single region wins over an old choice', { stored: 'sea', offered: ['ja'] }, 'ja'],
  ['the client of the address comes before the stored choice', { tied: 'ja', stored: 'sea', assumed: 'sea' }, 'ja'],
  ['the address comes before its client', { asked: 'sea', tied: 'ja' }, 'sea'],
  ['a client tied to a region that is not sold', { tied: 'kr', stored: 'sea' }, 'sea'],
  ['the stored choice comes before what the server assumed', { stored: 'sea', assumed: 'ja' }, 'sea'],
  ['a stored choice that is no longer sold is refused', { stored: 'kr', assumed: 'ja' }, null],
  ['without a choice it is what the server assumed', { assumed: 'ja' }, 'ja'],
  ['nothing known at all', {}, null],
];

test.each(cases)('L98 %s', (_name, question, region) => {
  expect(
    resolveRegion({ asked: undefined, tied: null, stored: null, assumed: null, offered: several, ...question }),
  ).toBe(region);
});

describe('L42 the steps of the classic version', () => {
  const nothing = { hasGame: false, hasChoice: false, hasOrder: false };
  const game = { ...nothing, hasGame: true };
  const choice = { ...game, hasChoice: true };
  const order = { ...choice, hasOrder: true };

  test.each([
    ['/selectGame', nothing, null],
    ['/selectGame', order, null],
    ['/selectGoods', nothing, '/selectGame'],
    ['/selectGoods', game, null],
    ['/recharge', nothing, '/selectGame'],
    ['/recharge', game, '/selectGoods'],
    ['/recharge', choice, null],
    ['/recharge', order, null],
    ['/result', nothing, '/selectGame'],
    ['/result', game, '/selectGoods'],
    ['/result', choice, '/recharge'],
    ['/result', order, null],
    // A link to an order needs nothing that was chosen here.
    ['/result', { ...nothing, hasOrder: true }, null],
    // Pages that are no step are nobody's business.
    ['/my', nothing, null],
    ['/replenishGoods', nothing, null],
  ])('%s with %j leads to %s', (path, has, elsewhere) => {
    expect(resolveStep({ path, ...has })).toBe(elsewhere);
  });
});

test.each([
  ['/recharge', '/result', '', 'Recharge'],
  ['/my', '/result', 'Recharge', ''],
  ['/selectGame', '/result', '', ''],
  // A reload, and another order on the same page, change nothing.
  [undefined, '/result', 'Recharge', 'Recharge'],
  ['/result', '/result', 'Recharge', 'Recharge'],
  ['/result', '/recharge', 'Recharge', 'Recharge'],
] as const)('L43 from %s to %s marked as "%s" the origin is "%s"', (from, to, now, origin) => {
  expect(originAfter(from, to, now)).toBe(origin);
});
