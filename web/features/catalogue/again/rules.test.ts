// Tests which goods are offered to a player who returns.
import { expect, test } from 'vitest';
import type { Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import { suggestAgain } from './rules.ts';

const goods = (value: string, isLimit = false) => ({ value, isLimit }) as Goods;
const limit = (product_id: string, left: number, frequency = 3, day_info = 7): LimitProductInfo => ({
  product_id,
  limit_type: 'time',
  frequency,
  day_info,
  extra_pay_times: left,
  next_pay_time: 0,
});
const before = (...bought: string[]) => ({
  product_id: bought[0] ?? '',
  channel_key: 'k',
  channel_name: 'PayPal',
  bought,
});
const GOODS = [goods('small'), goods('weekly', true), goods('monthly', true), goods('once', true)];
const suggest = (...args: Parameters<typeof suggestAgain>) =>
  suggestAgain(...args).map(({ goods: { value }, reason }) => `${value} ${reason}`);

test.each([
  ['the last purchase', before('small'), [], ['small last']],
  ['not what is sold no more', before('gone', 'small'), [], []],
  ['not a limited one while its limit is unknown', before('weekly'), [], []],
  ['a limited one of which some is left', before('weekly'), [limit('weekly', 1)], ['weekly last']],
  ['not one that is used up', before('weekly', 'small'), [limit('weekly', 0)], []],
  ['one whose period began anew', before('small', 'weekly'), [limit('weekly', 3)], ['small last', 'weekly due']],
  ['none that was bought in this period', before('small', 'weekly'), [limit('weekly', 2)], ['small last']],
  ['none without a period', before('small', 'once'), [limit('once', 1, 1, 0)], ['small last']],
  ['the last one once only', before('weekly'), [limit('weekly', 3)], ['weekly last']],
  ['none that was never bought', before('small'), [limit('monthly', 1, 1, 30)], ['small last']],
] as const)('%s', (_case, known, limits, expected) => {
  expect(suggest(known, GOODS, limits)).toEqual(expected);
});
