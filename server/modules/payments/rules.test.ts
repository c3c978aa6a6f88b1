import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { Channel } from '#server/modules/configuration/service.ts';
import { type ChannelQuery, isWithinBounds, visibleChannels } from './rules.ts';

const usd = (minor: number) => money(minor, 'USD');

test.each([
  ['both open', null, null, 1, true],
  ['at most', null, 500, 500, true],
  ['above the most', null, 500, 501, false],
  ['at least', 500, null, 500, true],
  ['below the least', 500, null, 499, false],
  ['between, lower edge', 100, 500, 100, true],
  ['between, upper edge', 100, 500, 500, true],
  ['outside between', 100, 500, 501, false],
])('%s', (_name, min, max, price, inside) => {
  expect(isWithinBounds(usd(price), { min: min === null ? null : usd(min), max: max === null ? null : usd(max) })).toBe(
    inside,
  );
});

function channel(file: Partial<Channel['file']>, sub: Channel['sub'] = []): Channel {
  return {
    key: `${file.payway ?? '10201'}_`,
    bounds: new Map(),
    sub,
    file: {
      id: 'x', payway: '10201', provider: 'paypal', payPath: 'paypal_pay', channelId: '', name: { en: 'X' }, icon: 'x.svg', sort: 1,
      openCoupon: true, regions: ['sea'], countries: ['GLOBAL'], currencies: ['USD'], ...file,
    }, // prettier-ignore
  };
}

const query: ChannelQuery = {
  brandKey: 'watt',
  region: 'sea',
  country: 'GLOBAL',
  price: usd(499),
  platform: 'web',
  isProviderOn: () => true,
};
const sees = (file: Partial<Channel['file']>, over: Partial<ChannelQuery> = {}) =>
  visibleChannels([channel(file)], { ...query, ...over }).length === 1;

test.each([
  ['a plain channel', {}, {}, true],
  ['no icon', { icon: undefined }, {}, false],
  ['another region', { regions: ['kr' as const] }, {}, false],
  ['another country', { countries: ['BR' as const] }, {}, false],
  ['another currency', { currencies: ['EUR' as const] }, {}, false],
  ['another brand', { brands: ['dragon'] }, {}, false],
  ['this brand', { brands: ['watt'] }, {}, true],
  ['iOS only on the web', { iosOnly: true }, {}, false],
  ['iOS only on iOS', { iosOnly: true }, { platform: 'ios' as const }, true],
  ['a provider without credentials', {}, { isProviderOn: () => false }, false],
])('%s', (_name, file, over, seen) => {
  expect(sees(file as Partial<Channel['file']>, over)).toBe(seen);
});

test('a channel with sub-payments shows only while one of them fits the price', () => {
  const sub = {
    key: '11001_bank',
    bounds: new Map([['USD' as const, { min: usd(500), max: null }]]),
    file: { channelId: 'bank', name: { en: 'Bank' }, icon: 'bank.svg', sort: 1, openCoupon: false },
  };
  const withSub = channel({ payway: '11001' }, [sub]);
  expect(visibleChannels([withSub], query)).toEqual([]);
  expect(visibleChannels([withSub], { ...query, price: usd(500) })[0]?.subs).toEqual([sub]);
});
