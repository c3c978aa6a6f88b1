// Tests the browser's memory of the player who is logged in, in super mode and out of it.
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { accountRoutes, type UserInfo } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import { call } from '../calls/api.ts';
import { setBoot } from '../boot.ts';
import { currentUser, dropUser, logout, lookWhoIsAt, setUser, startSession } from './session.ts';
import { load, loadText, save } from './storage.ts';
import { english } from '#testing/english.ts';
import { draw, serve, speak } from '../test-page.tsx';

speak(english);

const kestrel: UserInfo = { username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' };
const tester: UserInfo = { username: 'tester', suid: 'u2', oauth_token: 'public-2', gp_id: '70021' };
const enter = (isBeta: boolean, user: UserInfo | null = null) =>
  setBoot({ isBeta, user, language: 'en', brand: { backupOrigins: [] as string[] } } as unknown as PageData);

beforeEach(() => localStorage.clear());

test('a player is kept by game product id', () => {
  enter(false);
  setUser(kestrel);
  expect([loadText('token'), load('userInfo'), load('userMap')]).toEqual(['public-1', kestrel, { '70021': kestrel }]);
  setUser(null);
  expect([loadText('token'), load('userInfo'), load('userMap')]).toEqual(['', null, null]);
});

test('a beta user is a record of its own: the ordinary one is there again afterwards', () => {
  enter(false);
  setUser(kestrel);
  enter(true);
  setUser(tester);
  expect([load('betaAccount'), load('userInfo')]).toEqual([tester, kestrel]);
  setUser(null);
  expect([load('betaAccount'), load('userInfo'), loadText('token')]).toEqual([null, kestrel, '']);
});

test.each([
  ['is removed in this very tab', () => localStorage.removeItem('refill.token')],
  ['is over', () => save('token', 'public-1', -1)],
  ['is of somebody else', () => save('token', 'public-2')],
])('L100 a token that %s starts the page again at the next call, which is not sent', async (_name, lose) => {
  enter(false, kestrel);
  const reload = vi.fn<() => void>();
  startSession(reload);
  const calls = serve({ '/util/login/get_user_info': { content: kestrel } });
  expect((await call(accountRoutes.getUserInfo, {})).kind).toBe('ok');
  expect([calls.length, reload.mock.calls.length]).toEqual([1, 0]);
  lose();
  await call(accountRoutes.getUserInfo, {});
  expect([calls.length, reload.mock.calls.length]).toEqual([1, 1]);
});

test('L100 nobody logged in is no token lost, nor is a login or a logout', async () => {
  enter(false);
  const reload = vi.fn<() => void>();
  startSession(reload);
  serve({ '/util/login/get_user_info': { name: 'notLoggedIn' }, '/util/login/logout': { content: {} } });
  await call(accountRoutes.getUserInfo, {});
  setUser(kestrel);
  await call(accountRoutes.getUserInfo, {});
  await logout();
  await call(accountRoutes.getUserInfo, {});
  expect(reload).not.toHaveBeenCalled();
});

test('L100 a logout clears who was logged in, and neither language nor area nor draft', async () => {
  enter(false, kestrel);
  startSession(() => undefined);
  const draft = { client_id: '70021', product_id: 'star_50', channelKey: '', payUntil: 0 };
  save('language', 'ja');
  save('domainArea', 'sea');
  save('orderInfo', { draft, unfinished: [] });
  save('gameInfo', { client_id: '70021', roles: {} });
  serve({ '/util/login/logout': { content: {} } });
  expect(await logout()).toBe(true);
  expect([loadText('token'), load('userInfo'), load('userMap')]).toEqual(['', null, null]);
  expect([loadText('language'), loadText('domainArea')]).toEqual(['ja', 'sea']);
  expect(load('orderInfo')).toEqual({ draft, unfinished: [] });
});

test('L194 a logout whose answer was lost is sent once more, and says when it came to nothing', async () => {
  await draw(null);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  enter(false, kestrel);
  startSession(() => undefined);
  const calls = serve({ '/util/login/logout': ['dead', { content: {} }] });
  const done = logout();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await done, calls.length, currentUser()]).toEqual([true, 2, null]);
  setUser(kestrel);
  serve({ '/util/login/logout': 'dead' });
  const lost = logout();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await lost, currentUser()?.username]).toEqual([false, kestrel.username]);
  setUser(null);
});

describe('where each game has accounts of its own', () => {
  const arrive = (user: UserInfo | null) =>
    setBoot({
      isBeta: false,
      user,
      language: 'en',
      brand: { backupOrigins: [] as string[], hasAccountsByGame: true },
    } as unknown as PageData);

  test('who is nobody at this game leaves the login of another tab at another game alone', async () => {
    save('token', 'public-1');
    arrive(null);
    const reload = vi.fn<() => void>();
    startSession(reload);
    serve({ '/util/login/get_user_info': { name: 'notLoggedIn' } });
    await call(accountRoutes.getUserInfo, { client_id: '70013' });
    expect([loadText('token'), currentUser(), reload.mock.calls.length]).toEqual(['public-1', null, 0]);
    // The other tab logs out, or in as somebody else: then this one starts again.
    save('token', 'public-2');
    await call(accountRoutes.getUserInfo, { client_id: '70013' });
    expect(reload).toHaveBeenCalledOnce();
  });

  test('another game of the page is asked who is there, and the game before knows its player again', async () => {
    arrive(kestrel);
    const reload = vi.fn<() => void>();
    startSession(reload);
    const calls = serve({ '/util/login/get_user_info': [{ name: 'notLoggedIn' }, { content: kestrel }] });
    await lookWhoIsAt('70013');
    expect([currentUser(), loadText('token')]).toEqual([null, 'public-1']);
    await lookWhoIsAt('70021');
    expect([currentUser(), loadText('token')]).toEqual([kestrel, 'public-1']);
    expect(calls.map(({ fields }) => fields['client_id'])).toEqual(['70013', '70021']);
    expect(reload).not.toHaveBeenCalled();
  });
});

test('where one account is good for all games nobody asks, and a lost login is lost in every tab', async () => {
  enter(false, kestrel);
  startSession(() => undefined);
  const calls = serve({});
  await lookWhoIsAt('70013');
  expect([calls.length, currentUser()]).toEqual([0, kestrel]);
  dropUser();
  expect([currentUser(), loadText('token')]).toEqual([null, '']);
});
