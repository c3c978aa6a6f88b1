import { expect, test } from 'vitest';
import { money } from '#kernel/money.ts';
import type { Channel } from '#server/modules/configuration/service.ts';
import { type ChannelQuery, visibleChannels } from './rules.ts';

const usd = (minor: number) => money(minor, 'USD');

function channel(file: Partial<Channel['file']>, sub: Channel['sub'] = []): Channel {
  return {
    key: `${file.payway ?? '10201'}_`,
    method: file.method ?? 'x',
    bounds: new Map(),
    sub,
    file: {
      id: 'x', payway: '10201', provider: 'paypal', payPath: 'paypal_pay', channelId: '', name: { en: 'X' }, icon: 'x.svg', sort: 1,
      openCoupon: true, regions: ['sea'], countries: ['GLOBAL'], currencies: ['USD'], ...file,
    } /* a row a line */, // prettier-ignore
  };
}

const query: ChannelQuery = {
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
  ['iOS only on the web', { iosOnly: true }, {}, false],
  ['iOS only on iOS', { iosOnly: true }, { platform: 'ios' as const }, true],
  ['a provider without credentials', {}, { isProviderOn: () => false }, false],
])('%s', (_name, file, over, seen) => {
  expect(sees(file as Partial<Channel['file']>, over)).toBe(seen);
});

const subOf = (bounds: Channel['bounds']): Channel['sub'][number] => ({
  key: '11001_bank',
  method: null,
  bounds,
  file: { channelId: 'bank', name: { en: 'Bank' }, icon: 'bank.svg', sort: 1, openCoupon: false },
});
const from500 = new Map([['USD' as const, { min: usd(500), max: null }]]);
const upTo100 = new Map([['USD' as const, { min: null, max: usd(100) }]]);

test('L119 a channel that names no bounds has those of its sub-channels', () => {
  const withSub = channel({ payway: '11001' }, [subOf(from500)]);
  expect(visibleChannels([withSub], query)).toEqual([]);
  expect(visibleChannels([withSub], { ...query, price: usd(500) })[0]?.subs).toEqual(withSub.sub);
});

test('L119 own bounds or those of a sub-channel list a channel', () => {
  const own = { ...channel({ payway: '11001' }, [subOf(from500)]), bounds: upTo100 };
  expect(visibleChannels([own], { ...query, price: usd(100) })).toEqual([{ channel: own, subs: [] }]);
  expect(visibleChannels([own], { ...query, price: usd(101) })).toEqual([]);
  expect(visibleChannels([own], { ...query, price: usd(500) })[0]?.subs).toEqual(own.sub);
});
