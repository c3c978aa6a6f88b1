// The pure decisions: names, return paths, and which way into an account may go.
import { describe, expect, test } from 'vitest';
import type { LoginKind } from '#contracts/logins.ts';
import { displayName, mayUnlink, readReturnPath, shownIdentities } from './login-rules.ts';

test.each([
  ['  Ada  ', 'Ada'],
  [null, 'Player 6789'],
  ['\u202e\u0000\u200b', 'Player 6789'],
  ['\u202eadmin\n', 'admin'],
  ['x'.repeat(100), 'x'.repeat(60)],
  ['👩‍🚀'.repeat(70), '👩🚀'.repeat(30)],
  ['\ud800half', '\ufffdhalf'],
])('the name %j is shown as %s', (given, shown) => expect(displayName(given, '123456789')).toBe(shown));

describe('the way back', () => {
  const origin = 'https://pay.watt.example';
  const read = (asked: string | undefined) => readReturnPath(asked, origin, ['oauth_token', 'ticket']);
  test.each([
    [undefined, '/'],
    ['', '/'],
    ['/my?client_id=7&oauth_token=rf1_x&ticket=t', '/my?client_id=7'],
    ['/selectGoods?q=a%20b#part', '/selectGoods?q=a+b'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/..//evil.example', '/evil.example'],
    ['https://pay.watt.example.evil/', '/'],
    ['javascript:alert(1)', '/'],
    ['my', '/'],
  ])('%j becomes %s', (asked, path) => expect(read(asked)).toBe(path));
});

describe('ways into an account', () => {
  const providers = new Map<LoginKind, string>([
    ['google', 'google'],
    ['vk', 'vk'],
  ]);
  const own = ['builtin', 'game'];
  const way = (provider: string, subject = 's') => ({ provider, subject });

  test('are shown for this game', () => {
    const ways = [way('builtin'), way('google~gone'), way('vk', 'emberfall/1'), way('google', 'starlane/1')];
    expect(shownIdentities(ways, providers, '').map(({ kind }) => kind)).toEqual(['google', 'vk']);
    expect(shownIdentities(ways, providers, 'emberfall/').map(({ kind }) => kind)).toEqual(['vk']);
  });

  test.each([
    [['google'], false],
    [['google', 'vk'], true],
    [['google', 'builtin'], true],
    [['google', 'game'], true],
    // Its company has declared it over.
    [['google', 'vk~gone'], false],
  ])('of %j one may go: %s', (names, may) => {
    const ways = names.map((name) => way(name));
    expect(mayUnlink(ways, ways[0] as never, providers, own)).toBe(may);
  });
});
