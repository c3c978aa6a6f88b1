import { expect, test } from 'vitest';
import { isWithinBound } from './bound.ts';

const target = { client_id: '70021', server_id: 's1', role_id: 'r1' };

test.each([
  [null, target, true],
  [{ client_id: '70021' }, target, true],
  [{ client_id: '70021', server_id: 's1', role_id: 'r1' }, target, true],
  [{ client_id: '70021', area_id: 'asia' }, { ...target, area_id: 'asia' }, true],
  [{ client_id: '70021', area_id: 'asia' }, target, false],
  [{ client_id: '70022' }, target, false],
  [{ client_id: '70021', role_id: 'r2' }, target, false],
  [{ client_id: '70021', server_id: 's2' }, target, false],
] as const)('%o and %o: %s', (bound, wanted, isWithin) => {
  expect(isWithinBound(bound, wanted)).toBe(isWithin);
});
