import { expect, test } from 'vitest';
import { categoryOf } from './rules.ts';

const standing = { state: 'free', isUsed: false, isBegun: true, isEnded: false } as const;
test.each([
  [{}, 'avail'],
  [{ isBegun: false }, 'lock'],
  [{ isEnded: true }, 'history'],
  [{ state: 'claimable' }, 'claim'],
  [{ state: 'claimable', isBegun: false }, 'lock'],
  [{ state: 'claimable', isEnded: true }, 'history'],
  [{ state: 'taken' }, 'lock'],
  [{ state: 'taken', isEnded: true }, 'lock'],
  [{ state: 'taken', isUsed: true }, 'history'],
  [{ state: 'void' }, null],
] as const)('%j stands under %s', (over, tab) => {
  expect(categoryOf({ ...standing, ...over })).toBe(tab);
});
