// Tests the browser's storage: which values, for how long, and what happens where it keeps nothing.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import { clear, isStorageOpen, load, loadText, save } from './storage.ts';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a value expires after its days', () => {
  save('orderInfo', { a: 1 });
  vi.setSystemTime(1_000_000 + 7 * DAY_MS - 1);
  expect(load('orderInfo')).toEqual({ a: 1 });
  vi.setSystemTime(1_000_000 + 7 * DAY_MS);
  expect(load('orderInfo')).toBeNull();
  expect(localStorage.length).toBe(0);
});

test('a value without days stays', () => {
  save('uuid', 'u');
  vi.setSystemTime(1_000_000 + 5000 * DAY_MS);
  expect(loadText('uuid')).toBe('u');
});

test('what a player wrote there is no value of ours', () => {
  for (const nonsense of ['', 'x', '{}', 'null', '{"value":1}', '[1]']) {
    localStorage.setItem('refill.game_info', nonsense);
    expect(load('gameInfo')).toBeNull();
  }
});

test('language and region go to the server as cookies, and leave with their value', () => {
  save('language', 'ja');
  save('domainArea', 'sea');
  save('token', 'public id');
  expect(document.cookie).toContain('refill_lang=ja');
  expect(document.cookie).toContain('refill_area=sea');
  expect(document.cookie).not.toContain('public');
  clear('domainArea');
  expect(document.cookie).not.toContain('refill_area=sea');
});

test('a shut storage is replaced by memory', () => {
  const refuse = () => {
    throw new Error('quota');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  save('gameInfo', 'kept');
  expect(load('gameInfo')).toBe('kept');
  expect(isStorageOpen()).toBe(false);
  clear('gameInfo');
  expect(load('gameInfo')).toBeNull();
});
