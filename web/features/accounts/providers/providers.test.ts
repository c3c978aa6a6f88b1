// Which logins are shown, and how each of them can go where.
import { expect, test } from 'vitest';
import { LOGIN_KINDS } from '#contracts/logins.ts';
import { BLANK_CONFIG, offeredKinds, wayOfLogin } from './providers.ts';

const full = {
  ...BLANK_CONFIG,
  gg_id: 'g',
  fb_id: 'f',
  ios_id: 'i',
  vk_id: 'v',
  twitterHtml: 'https://shop.example/util/login/callback/twitter',
  json_type: ['vk', 'google', 'ios', 'facebook', 'twitter', 'huawei'],
};

test('the brand decides which and in what order', () => {
  expect(offeredKinds(full)).toEqual(['vk', 'google', 'ios', 'facebook', 'twitter', 'huawei']);
  expect(offeredKinds({ ...full, json_type: ['huawei', 'google'] })).toEqual(['huawei', 'google']);
});

test('a blank id, an unknown kind, no configuration: no button', () => {
  expect(offeredKinds({ ...full, gg_id: '', twitterHtml: '' })).toEqual(['vk', 'ios', 'facebook', 'huawei']);
  expect(offeredKinds({ ...full, json_type: ['myspace', 'vk'] })).toEqual(['vk']);
  expect(offeredKinds({ ...full, ios_id: '', json_type: ['ios'] })).toEqual(['ios']);
  expect(offeredKinds(BLANK_CONFIG)).toEqual([]);
});

const BROWSER =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36';
const ANDROID_VIEW =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
  'Chrome/130.0.6723.58 Mobile Safari/537.36';
const IOS_VIEW =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

test.each(LOGIN_KINDS)('%s: a window in browsers, nothing where nothing is known', (kind) => {
  expect(wayOfLogin(kind, BROWSER)).toBe('window');
  expect(wayOfLogin(kind, '')).toBe('refused');
});

test.each([
  ['google', 'refused', 'refused'],
  ['facebook', 'refused', 'page'],
  ['ios', 'page', 'page'],
  ['twitter', 'page', 'page'],
  ['vk', 'page', 'page'],
  ['huawei', 'page', 'page'],
  ['own', 'page', 'page'],
] as const)('%s in a view of an app: %s on Android, %s on iOS', (kind, onAndroid, onIos) => {
  expect(wayOfLogin(kind, ANDROID_VIEW)).toBe(onAndroid);
  expect(wayOfLogin(kind, IOS_VIEW)).toBe(onIos);
});
