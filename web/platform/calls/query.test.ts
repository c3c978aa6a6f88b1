// How often a read is tried, and when a backup host takes over. @source specification sections 8 and 9
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { setBoot } from '../boot.ts';
import { currentHost } from './hosts.ts';
import { CallError, shouldRetry } from './query.ts';

const network = new CallError({ kind: 'network' });
const refused = new CallError({ kind: 'code', name: 'limitReached', code: -1010, msg: '', content: null });

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const tries = (error: unknown, most = 20) => {
  let failures = 0;
  while (failures < most && shouldRetry(failures, error)) failures += 1;
  return failures + 1;
};

test('three more tries without backup hosts', () => {
  setBoot({ brand: { backupOrigins: [] as string[] } } as PageData);
  expect(tries(network)).toBe(4);
  expect(currentHost()).toBe('');
});

test('then each backup host in turn, and our own again after the last', () => {
  setBoot({ brand: { backupOrigins: ['https://b1.example', 'https://b2.example'] } } as PageData);
  let failures = 0;
  const hosts: string[] = [];
  do {
    hosts.push(currentHost());
    failures += 1;
  } while (shouldRetry(failures - 1, network));
  const times = (host: string) => hosts.filter((one) => one === host).length;
  expect([times(''), times('https://b1.example'), times('https://b2.example')]).toEqual([4, 4, 4]);
  expect(currentHost()).toBe('');
});

test('an answer is never asked for twice', () => {
  setBoot({ brand: { backupOrigins: ['https://b1.example'] } } as PageData);
  expect(tries(refused)).toBe(1);
  expect(tries(new Error('a bug'))).toBe(1);
});
