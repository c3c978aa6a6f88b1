// The payment region of a visit. @source specification section 4, "Payment region"
import { expect, test } from 'vitest';
import { type RegionQuestion, resolveRegion } from './guard.ts';

const several = ['universal', 'ja', 'sea'] as const;

const cases: [string, Partial<RegionQuestion>, string | null][] = [
  ['the address decides', { asked: 'ja', stored: 'sea', assumed: 'universal' }, 'ja'],
  ['an address with a region of others is refused', { asked: 'kr' }, null],
  ['an address with nonsense is refused', { asked: 'moon' }, null],
  ['also where there is only one region', { asked: 'kr', offered: ['ja'] }, null],
  ['a single region is taken', { stored: null, assumed: null, offered: ['ja'] }, 'ja'],
  ['a single region wins over an old choice', { stored: 'sea', offered: ['ja'] }, 'ja'],
  ['the stored choice comes before what the server assumed', { stored: 'sea', assumed: 'ja' }, 'sea'],
  ['a stored choice that is no longer sold is refused', { stored: 'kr', assumed: 'ja' }, null],
  ['without a choice it is what the server assumed', { assumed: 'ja' }, 'ja'],
  ['nothing known at all', {}, null],
];

test.each(cases)('%s', (_name, question, region) => {
  expect(resolveRegion({ asked: undefined, stored: null, assumed: null, offered: several, ...question })).toBe(region);
});
