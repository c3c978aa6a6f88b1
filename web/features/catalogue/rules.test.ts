// Shelf order and limit words in tables.
import { expect, test } from 'vitest';
import type { Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel/time.ts';
import {
  canBuy,
  fillShelves,
  groupGifts,
  type LimitState,
  listSpecials,
  nextBest,
  readLimit,
  tellLimit,
} from './rules.ts';

const goods = (value: string, typeKey: string, goodsSort: number, isSpecial = false) =>
  ({ value, typeKey, goodsSort, isSpecial }) as Goods;
const shelf = (typeKey: string, typeSort: number) => ({ typeKey, typeSort, display: typeKey.toUpperCase(), unit: '' });

test('shelves follow typeSort, goods goodsSort; specials stand apart; empty shelves are left out', () => {
  const list = [goods('b', 'gems', 2), goods('s', 'gems', 1, true), goods('a', 'gems', 1), goods('p', 'passes', 9)];
  const filled = fillShelves([shelf('passes', 5), shelf('nothing', 0), shelf('gems', 1)], list);
  expect(filled.map((one) => [one.display, one.goods.map((item) => item.value)])).toEqual([
    ['GEMS', ['a', 'b']],
    ['PASSES', ['p']],
  ]);
  expect(listSpecials(list).map((item) => item.value)).toEqual(['s']);
});

test('goods of a shelf nobody named still show, at the end', () => {
  expect(
    fillShelves([shelf('gems', 1)], [goods('x', 'stray', 1), goods('a', 'gems', 1)]).map((one) => one.typeKey),
  ).toEqual(['gems', 'stray']);
});

test('gifts are grouped by product', () => {
  const gift = (product_id: string, id: string) => ({ product_id, id, name: id, count: 1 });
  const grouped = groupGifts([gift('a', '1'), gift('b', '2'), gift('a', '3')]);
  expect(grouped.get('a')?.map((one) => one.id)).toEqual(['1', '3']);
});

const NOW = Date.UTC(2026, 10, 21, 12);
const limit = (more: Partial<LimitProductInfo>): LimitProductInfo => ({
  product_id: 'p',
  limit_type: 'time',
  frequency: 3,
  day_info: 7,
  extra_pay_times: 0,
  next_pay_time: 0,
  ...more,
});
const inMs = (ms: number) => Math.round((NOW + ms) / 1000);

test.each([
  ['time, two left', limit({ extra_pay_times: 2 }), { key: 'limit.left_in_days', values: { left: 2, days: 7 } }, true],
  [
    'character, untouched',
    limit({ limit_type: 'role', frequency: 1, extra_pay_times: 1, day_info: 0 }),
    { key: 'limit.per_character', values: { times: 1 } },
    true,
  ],
  [
    'character, one used',
    limit({ limit_type: 'role', extra_pay_times: 2, day_info: 0 }),
    { key: 'limit.left', values: { left: 2, times: 3 } },
    true,
  ],
  [
    'account, untouched',
    limit({ limit_type: 'game', extra_pay_times: 3, day_info: 0 }),
    { key: 'limit.left', values: { left: 3, times: 3 } },
    true,
  ],
  [
    'stock left',
    limit({ limit_type: 'stock', extra_pay_times: 40 }),
    { key: 'limit.stock_left', values: { left: 40 } },
    true,
  ],
  ['stock gone', limit({ limit_type: 'stock' }), { key: 'limit.sold_out', values: {} }, false],
  ['reached for ever', limit({ limit_type: 'role' }), { key: 'limit.reached', values: {} }, false],
  [
    'days to go, with hours and minutes',
    limit({ next_pay_time: inMs(3 * DAY_MS + 4 * HOUR_MS + 9 * MINUTE_MS) }),
    { key: 'limit.again_days', values: { days: 3, hours: '04', minutes: '09' } },
    false,
  ],
  [
    'whole days to go',
    limit({ next_pay_time: inMs(DAY_MS) }),
    { key: 'limit.again_days', values: { days: 1, hours: '00', minutes: '00' } },
    false,
  ],
  [
    'hours to go',
    limit({ next_pay_time: inMs(5 * HOUR_MS + 7 * MINUTE_MS) }),
    { key: 'limit.again_hours', values: { hours: 5, minutes: '07' } },
    false,
  ],
  [
    'minutes to go',
    limit({ next_pay_time: inMs(9 * MINUTE_MS) }),
    { key: 'limit.again_minutes', values: { minutes: 9 } },
    false,
  ],
  [
    'under a minute is one minute',
    limit({ next_pay_time: inMs(20_000) }),
    { key: 'limit.again_minutes', values: { minutes: 1 } },
    false,
  ],
  [
    'the wait is over',
    limit({ next_pay_time: inMs(-1000) }),
    { key: 'limit.left_in_days', values: { left: 1, days: 7 } },
    true,
  ],
] as const)('L204 limit: %s', (_name, info, words, isOpen) => {
  const state = readLimit(info, NOW);
  expect(tellLimit(state)).toEqual(words);
  expect(canBuy(state)).toBe(isOpen);
});

test('goods without a limit can be bought', () => {
  expect(canBuy(null)).toBe(true);
});

const priced = (value: string, typeKey: string, price_minor: number) => ({ value, typeKey, price_minor }) as Goods;
const shop = [
  priced('small', 'gems', 99),
  priced('middle', 'gems', 499),
  priced('large', 'gems', 999),
  priced('pass', 'passes', 500),
];
const reached = (...values: string[]) => new Map<string, LimitState>(values.map((one) => [one, { kind: 'reached' }]));

test.each<[string, string[], string | undefined]>([
  ['small', ['small'], 'middle'],
  ['middle', ['middle'], 'large'],
  ['large', ['large'], 'middle'],
  ['small', ['small', 'middle', 'large'], 'pass'],
  ['small', ['small', 'middle', 'large', 'pass'], undefined],
])('in place of %s, with %j used up, %s is offered', (value, used, offered) => {
  const closed = shop.find((one) => one.value === value) ?? priced('', '', 0);
  expect(nextBest(shop, closed, reached(...used))?.value).toBe(offered);
});
