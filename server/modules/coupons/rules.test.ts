import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import { type CouponTerms, categoryOf, priceWith } from './rules.ts';

const terms = (over: Partial<CouponTerms> = {}): CouponTerms => ({
  discountRate: '0.8',
  minSpend: {},
  games: [],
  products: [],
  ...over,
});

test.each([
  ['a fifth off', terms(), money(499, 'USD'), money(399, 'USD')],
  ['half a cent goes up', terms({ discountRate: '0.5' }), money(499, 'USD'), money(250, 'USD')],
  ['won have no cents', terms({ discountRate: '0.85' }), money(5900, 'KRW'), money(5015, 'KRW')],
  ['the game it is for', terms({ games: ['starlane'] }), money(499, 'USD'), money(399, 'USD')],
  ['another game', terms({ games: ['emberfall'] }), money(499, 'USD'), null],
  ['the product it is for', terms({ products: ['star_260'] }), money(499, 'USD'), money(399, 'USD')],
  ['another product', terms({ products: ['star_50'] }), money(499, 'USD'), null],
  ['exactly the least price', terms({ minSpend: { USD: 499 } }), money(499, 'USD'), money(399, 'USD')],
  ['a cent below it', terms({ minSpend: { USD: 500 } }), money(499, 'USD'), null],
  ['a currency it says nothing of', terms({ minSpend: { JPY: 1 } }), money(499, 'USD'), null],
  ['nothing left to pay', terms({ discountRate: '0.01' }), money(1, 'JPY'), null],
])('%s', (_name, given, price, expected) => {
  expect(priceWith(given, 'starlane', 'star_260', price)).toEqual(expected);
});

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
