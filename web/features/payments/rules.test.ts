// Price filter, channel list, regions, links and order keys in tables.
import { expect, test } from 'vitest';
import { type PaymentOption, payRoutes } from '#contracts/payments.ts';
import { platformOf } from '#web/platform/device.ts';
import { isPayLink } from './paying/pay-link.ts';
import { keyOfDraft, listChannels, listRegions, tenderOf, type OrderDraft } from './rules.ts';

const option = (key: string, more: Partial<PaymentOption> = {}): PaymentOption => ({
  payway_id: key.split('_')[0] ?? '',
  channel_id: key.split('_')[1] ?? '',
  key,
  pay_id: key,
  name: key,
  icon: '/icon.svg',
  sort: 0,
  min_money: '0',
  max_money: '0',
  min: '0',
  max: '0',
  method: '',
  description: '',
  hint: '',
  open_coupon: false,
  pay_path: 'adyen_pay',
  sub_payment: [],
  ...more,
});
const query = { price: '4.99', currency: 'USD', platform: 'web' } as const;
const keys = (list: readonly { key: string }[]) => list.map((one) => one.key);

test.each([
  ['in order of sort', [option('b', { sort: 2 }), option('a', { sort: 1 })], ['a', 'b']],
  ['without an icon', [option('a', { icon: '' })], []],
  ['out of bounds', [option('a', { min_money: '5' })], []],
  ['out of bounds, but a sub-channel takes it', [option('a', { min_money: '5', sub_payment: [option('a_1')] })], ['a']],
  [
    'out of bounds with its sub-channels',
    [option('a', { min_money: '5', sub_payment: [option('a_1', { max_money: '1' })] })],
    [],
  ],
  [
    'taken by the channel, by none of its own',
    [option('a', { sub_payment: [option('a_1', { min_money: '5' })] })],
    ['a'],
  ],
  ['bounds that are no amounts', [option('a', { min_money: '', max_money: '-1' })], ['a']],
  ['at its most', [option('a', { max_money: '4.99' })], ['a']],
  ['above its most', [option('a', { max_money: '4.98' })], []],
  ['Apple Pay outside iOS', [option('12101_applepay')], []],
  ['the same channel name of another provider', [option('10201_applepay')], ['10201_applepay']],
])('L119 channels: %s', (_name, options, expected) => {
  expect(keys(listChannels(options, query))).toEqual(expected);
});

test('Apple Pay shows on iOS', () => {
  expect(keys(listChannels([option('12101_applepay')], { ...query, platform: 'ios' }))).toEqual(['12101_applepay']);
});

test('L119 only fitting sub-channels with an icon stay', () => {
  const [first] = listChannels(
    [
      option('a', {
        sub_payment: [option('a_1'), option('a_2', { icon: '' }), option('a_3', { min_money: '9' })],
      }),
    ],
    query,
  );
  expect(keys(first?.sub_payment ?? [])).toEqual(['a_1']);
});

test('L119 regions: own country first, GLOBAL last, those without channels left out', () => {
  const list = { GLOBAL: [option('g')], TH: [], US: [option('u', { icon: '' })], MY: [option('m')], ID: [option('i')] };
  expect(listRegions(list, 'ID', query).map((region) => region.code)).toEqual(['ID', 'MY', 'GLOBAL']);
});

test('L123 the prepaid card and the balance are paid here, all other pay calls lead to a page', () => {
  const paidHere = Object.keys(payRoutes).filter((payPath) => tenderOf(payPath) !== 'page');
  expect(paidHere).toEqual(['card_pay', 'platform_pay']);
  expect(paidHere.map(tenderOf)).toEqual(['card', 'balance']);
});

const shop = 'https://pay.watt.example/selectGoods';
const demo = 'http://watt.demo.localhost:8080/selectGoods';
test.each([
  ['https://checkout.example/x', shop, true],
  ['http://checkout.example/x', shop, false],
  ['http://127.0.0.1:9000/x', shop, false],
  ['http://127.0.0.1:9000/x', demo, true],
  ['http://paypal.localhost:9000/x', demo, true],
  ['http://checkout.example/x', demo, false],
  ['http://localhost.evil.example/x', demo, false],
  ['javascript:alert(1)', demo, false],
  ['data:text/html,x', shop, false],
  ['https://user:pass@checkout.example/x', shop, false],
  ['/pay/here', shop, false],
  ['', shop, false],
])('L118 link %s from %s may be opened: %j', (url, page, expected) => {
  expect(isPayLink(url, page)).toBe(expected);
});

test('a draft keeps its key until it changes', () => {
  const draft: OrderDraft = {
    client_id: '1',
    server_id: 's1',
    role_id: 'r',
    area_id: '',
    product_id: 'p',
    price_minor: 499,
    channelKey: 'a',
    coupon_code: '',
    promo_code: '',
  };
  let made = 0;
  const make = () => `key-${++made}`;
  const first = keyOfDraft(draft, null, make);
  expect(keyOfDraft({ ...draft }, first, make)).toBe(first);
  expect(keyOfDraft({ ...draft, channelKey: 'b' }, first, make).key).toBe('key-2');
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari', 0, 'web'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel)', 5, 'android'],
  ['Mozilla/5.0 (Windows NT 10.0)', 10, 'web'],
])('%s with %i touch points is %s', (agent, touches, platform) => {
  expect(platformOf(agent, touches)).toBe(platform);
});
