// What the browser keeps of who is logged in, in super mode and out of it.
import { beforeEach, expect, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import { setBoot } from './boot.ts';
import { setUser } from './session.ts';
import { load, loadText } from './storage.ts';

const kestrel: UserInfo = { username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' };
const tester: UserInfo = { username: 'tester', suid: 'u2', oauth_token: 'public-2', gp_id: '70021' };
const enter = (isBeta: boolean) => setBoot({ isBeta, user: null } as unknown as PageData);

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
