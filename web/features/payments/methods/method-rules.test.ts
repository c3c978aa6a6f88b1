// Which methods show, in which groups, and what a kept choice leads to, in tables.
import { expect, test } from 'vitest';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import { findChoice, groupMethods, type MethodView, viewMethods } from './method-rules.ts';
import { canApplePay, canGooglePay } from './device-pay.ts';

const option = (key: string, method: string, subs: PaymentOption['sub_payment'] = []): PaymentOption => ({
  payway_id: '1', channel_id: key, key, pay_id: key, name: key, icon: '/i.svg', sort: 0, min_money: '0', max_money: '0', min: '0', max: '0', method,
  description: '', hint: '', open_coupon: false, pay_path: 'adyen_pay', sub_payment: subs,
}); /* a row a line */ // prettier-ignore
const sub = (key: string, method = ''): PaymentOption['sub_payment'][number] => option(key, method);
const method = (key: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  key,
  name: key,
  mark: '',
  networks: [],
  hint: '',
  group: 'country',
  device: '',
  option: `${key}_1`,
  second: '',
  ...more,
});
const NONE = { applePay: false, googlePay: false };

const regions = [
  {
    code: 'JP',
    channels: [
      option('store_1', 'store', [sub('a'), sub('b'), sub('wallet_1', 'wallet')]),
      option('card_1', 'card'),
      option('card_2', 'card'),
      option('apple_1', 'apple'),
    ],
  },
];
const shown = (methods: PaymentMethod[], device = NONE) =>
  viewMethods(methods, regions, device).map(({ key, route, seconds }) =>
    [key, route?.key ?? null, ...seconds.map((one) => one.key)].join(' '),
  );

test.each([
  ['a method by its channel', [method('card')], ['card card_1']],
  ['a way inside a channel as a method of its own', [method('wallet')], ['wallet wallet_1']],
  ['a second choice, without what is a method of its own', [method('store')], ['store store_1 a b']],
  ['L119 none whose channel is not listed for this price', [method('gone')], []],
  ['one whose providers are all away', [method('card', { option: '' })], ['card ']],
])('shows %s', (_name, methods, expected) => {
  expect(shown(methods)).toEqual(expected);
});

test('what only some devices can do shows on those', () => {
  const apple = [method('apple', { device: 'applePay' })];
  expect(shown(apple)).toEqual([]);
  expect(shown(apple, { applePay: true, googlePay: false })).toEqual(['apple apple_1']);
});

const view = (key: string, group: PaymentMethod['group'], device: PaymentMethod['device'] = ''): MethodView => ({
  ...method(key, { group, device }),
  route: sub(`${key}_1`),
  seconds: [],
  optionKeys: [],
});
const keys = (views: MethodView[], remembered = '') => {
  const { last, express, usual, more } = groupMethods(views, remembered);
  return [last?.key ?? '', ...[express, usual, more].map((group) => group.map(({ key }) => key).join(' '))];
};
const card = view('card', 'country');
const far = ['x', 'y', 'z'].map((key) => view(key, 'more'));

test.each([
  ['the country first, the rest behind a fold', [card, ...far], '', ['', '', 'card', 'x y z']],
  ['two more are not worth a fold', [card, ...far.slice(1)], '', ['', '', 'card y z', '']],
  ['nothing is usual: nothing is folded', far, '', ['', '', 'x y z', '']],
  ["the server's last one first", [view('p', 'last'), card, ...far], 'x', ['p', '', 'card', 'x y z']],
  ['else what this browser remembers', [card, view('p', 'country'), ...far], 'p/second', ['p', '', 'card', 'x y z']],
  ['in one step by the device', [card, view('a', 'country', 'applePay'), ...far], '', ['', 'a', 'card', 'x y z']],
])('groups: %s', (_name, views, remembered, expected) => {
  expect(keys(views, remembered)).toEqual(expected);
});

test.each([
  ['a method', 'card', 'card', 'card_1'],
  ['a method with its second choice', 'store/b', 'store', 'b'],
  ['a method whose second choice is missing', 'store', 'store', null],
  ['a second choice that is gone', 'store/z', 'store', null],
  ['the key of a channel, as orders keep it', 'card_1', 'card', 'card_1'],
  ['the key of a channel that is not the route now', 'card_2', 'card', 'card_1'],
  ['the key of a second choice', 'b', 'store', 'b'],
  ['nothing', '', null, null],
  ['what is offered no more', 'gone', null, null],
])('choice: %s', (_name, chosen, key, paid) => {
  const choice = findChoice(viewMethods([method('card'), method('store')], regions, NONE), chosen);
  expect([choice?.method.key ?? null, choice?.option?.key ?? null]).toEqual([key, paid]);
});

test('Apple Pay is there where Safari says so', () => {
  expect(canApplePay({})).toBe(false);
  expect(canApplePay({ ApplePaySession: { canMakePayments: () => true } })).toBe(true);
  const throws = () => {
    throw new Error('insecure');
  };
  expect(canApplePay({ ApplePaySession: { canMakePayments: throws } })).toBe(false);
});

test.each([
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10) Chrome/156.0 Mobile Safari/537.36', {}, true],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) Chrome/156.0 Mobile Safari/537.36', undefined, false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/156.0 Safari/537.36', {}, false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) CriOS/156.0', {}, false],
])('Google Pay in %s, with payment sheets %j: %j', (userAgent, sheets, expected) => {
  expect(canGooglePay({ PaymentRequest: sheets, navigator: { userAgent, maxTouchPoints: 5 } })).toBe(expected);
});
