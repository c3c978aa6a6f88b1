// When a page asks for the token of its backup hosts, and when it lets go of it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import { startBackupToken } from './backup-token.ts';
import { setBoot } from '../boot.ts';
import { backupToken } from './hosts.ts';
import { setUser } from '../visitor/session.ts';
import { serve, type Call, type Canned } from '../test-page.tsx';

const PATH = '/util/login/backup_token';
const kestrel: UserInfo = { username: 'kestrel', suid: 'u1', oauth_token: 'public-1', gp_id: '70021' };
const token = (name: string): Canned => ({ content: { token: name, expires_in: 900 } });
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

let stop: () => void = () => undefined;
let calls: Call[];
let isHidden: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  isHidden = false;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isHidden ? 'hidden' : 'visible'));
  setBoot({ language: 'en', isBeta: false, brand: { backupOrigins: ['https://b1.example'] } } as unknown as PageData);
  setUser(null);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

async function start(...answers: Canned[]): Promise<void> {
  calls = serve({ [PATH]: answers });
  stop = startBackupToken();
  await minutes(0);
}

test('a guest needs none; whoever logs in gets one, in memory only', async () => {
  await start(token('rh1_first'));
  expect([calls.length, backupToken()]).toEqual([0, null]);
  setUser(kestrel);
  await minutes(0);
  expect([calls.length, backupToken()]).toEqual([1, 'rh1_first']);
  expect(JSON.stringify({ ...localStorage }) + document.cookie).not.toContain('rh1_first');
});

test('it is renewed before it ends', async () => {
  setUser(kestrel);
  await start(token('rh1_first'), token('rh1_second'));
  await minutes(11.9);
  expect(calls).toHaveLength(1);
  await minutes(0.2);
  expect([calls.length, backupToken()]).toEqual([2, 'rh1_second']);
});

test('while our own host is silent it is asked again every minute, and the token is good to its end', async () => {
  setUser(kestrel);
  await start(token('rh1_first'), 'dead', 'dead', token('rh1_late'));
  await minutes(12.5);
  expect([calls.length, backupToken()]).toEqual([2, 'rh1_first']);
  await minutes(1);
  expect([calls.length, backupToken()]).toEqual([3, 'rh1_first']);
  await minutes(1);
  expect(backupToken()).toBe('rh1_late');
});

test('a token that nobody renews is over after a quarter of an hour', async () => {
  setUser(kestrel);
  await start(token('rh1_first'), 'dead');
  await minutes(14.9);
  expect(backupToken()).toBe('rh1_first');
  await minutes(0.2);
  expect(backupToken()).toBeNull();
});

test('an answer that is none of success is not asked for twice', async () => {
  setUser(kestrel);
  await start({ name: 'notFound' });
  await minutes(60);
  expect([calls.length, backupToken()]).toEqual([1, null]);
});

test('it goes with the player, and another player gets one of their own', async () => {
  setUser(kestrel);
  await start(token('rh1_first'), token('rh1_other'));
  setUser(null);
  expect(backupToken()).toBeNull();
  await minutes(30);
  expect(calls).toHaveLength(1);
  setUser({ ...kestrel, oauth_token: 'public-2' });
  await minutes(0);
  expect(backupToken()).toBe('rh1_other');
});

test('a page that nobody looks at asks when somebody does again', async () => {
  setUser(kestrel);
  await start(token('rh1_first'), token('rh1_second'));
  isHidden = true;
  await minutes(40);
  expect([calls.length, backupToken()]).toEqual([1, null]);
  isHidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await minutes(0);
  expect([calls.length, backupToken()]).toEqual([2, 'rh1_second']);
});
