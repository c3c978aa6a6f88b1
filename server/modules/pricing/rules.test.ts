import { expect, test } from 'vitest';
import type { Country, Region } from '#kernel/regions.ts';
import { money } from '#kernel/money.ts';
import { priceOf } from './rules.ts';

const brand = {
  currency: 'USD',
  regions: new Map([
    [
      'sea',
      {
        currency: 'MYR',
        countries: [
          { code: 'MY', currency: 'MYR' },
          { code: 'TH', currency: 'THB' },
          { code: 'SG', currency: 'USD' },
        ],
      },
    ],
    ['ja', { currency: 'JPY', countries: [{ code: 'JP', currency: 'JPY' }] }],
    ['kr', { currency: 'KRW', countries: [{ code: 'KR', currency: 'KRW' }] }],
  ] as const),
} as const;

const product = {
  prices: new Map([
    ['USD', money(499, 'USD')],
    ['MYR', money(1990, 'MYR')],
    ['THB', money(17900, 'THB')],
    ['JPY', money(800, 'JPY')],
  ] as const),
  listPrices: new Map([['USD', money(999, 'USD')]] as const),
  countryPrices: new Map([
    ['TH', money(15900, 'THB')],
    ['SG', money(690, 'SGD')],
  ] as const),
};

test.each([
  ['the brand currency before a region is chosen', null, null, money(499, 'USD'), money(999, 'USD')],
  ['the region currency before a country is chosen', 'sea', null, money(1990, 'MYR'), null],
  ['the region currency', 'ja', 'JP', money(800, 'JPY'), null],
  ["the country's own price point before the price by currency", 'sea', 'TH', money(15900, 'THB'), null],
  ['no country price in another currency than is charged there', 'sea', 'SG', money(499, 'USD'), money(999, 'USD')],
  ['the region currency for a country outside it', 'sea', 'JP', money(1990, 'MYR'), null],
  ['the brand currency in a region it does not sell in', 'ru', 'RU', money(499, 'USD'), money(999, 'USD')],
] as [string, Region | null, Country | null, unknown, unknown][])(
  'takes %s',
  (_, region, country, price, listPrice) => {
    expect(priceOf({ brand, region, country, product })).toEqual({ price, listPrice });
  },
);

test('has no price in a currency the product is not sold in', () => {
  expect(priceOf({ brand, region: 'kr', country: 'KR', product })).toBeNull();
});
