import { expect, test } from 'vitest';
import { isPersonal, percentOff, personalCode, runOfCode } from './rules.ts';

test.each([
  ['offer:emberfall/flash:1', 'emberfall/flash', false],
  ['offer:emberfall/flash.2026-11-23:12', 'emberfall/flash.2026-11-23', false],
  [personalCode('emberfall', 'welcome-back'), null, true],
  ['offer:emberfall/flash', null, false],
  ['offer:emberfall/flash:100', null, false],
  ['ABCDEF234567', null, false],
])('the run of the code %s is %s', (code, run, personal) => {
  expect([runOfCode(code), isPersonal(code)]).toEqual([run, personal]);
});

test.each([
  [279, 399, 30],
  [349, 499, 30],
  [498, 499, 0],
  [1, 1000, 99],
])('%d instead of %d takes %d %% off, rounded down', (price, was, percent) => {
  expect(percentOff(price, was)).toBe(percent);
});
