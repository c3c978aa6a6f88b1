// A change that gets no answer is sent again, with one key, and nowhere but where the player is somebody.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { CODES, type CodeName } from '#contracts/errors.ts';
import { orderRoutes } from '#contracts/orders.ts';
import { setBoot } from '../boot.ts';
import { change } from './change.ts';
import { currentHost, keepBackupToken } from './hosts.ts';

type Said = 'dead' | CodeName;
const sent: { host: string; key: string | null; at: number }[] = [];
let answers: Said[];
let began: number;

beforeEach(() => {
  vi.useFakeTimers();
  began = Date.now();
  sent.length = 0;
  keepBackupToken(null);
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('location', { search: '' });
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    const host = url.startsWith('https:') ? new URL(url).host : '';
    sent.push({ host, key: new Headers(headers).get('Idempotency-Key'), at: Date.now() - began });
    const said = answers[sent.length - 1] ?? answers.at(-1) ?? 'dead';
    if (said === 'dead') throw new TypeError('no line');
    return Response.json({ code: CODES[said].code, msg: '', content: said === 'success' ? {} : null });
  });
  withBackups([]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const withBackups = (backupOrigins: string[]) =>
  setBoot({ language: 'en', brand: { backupOrigins } } as unknown as PageData);

async function send(said: Said[]) {
  answers = said;
  const waits: number[] = [];
  const onWait = () => waits.push(Date.now() - began);
  const outcome = change(orderRoutes.cancel, { billing_no: 'B1' }, { onWait });
  await vi.runAllTimersAsync();
  return { outcome: await outcome, waits };
}

test('L194 L208 three more times, four seconds apart, under one key; the waiting is told once', async () => {
  const { outcome, waits } = await send(['dead']);
  expect(outcome.kind).toBe('network');
  expect(sent.map(({ at }) => at)).toEqual([0, 4000, 8000, 12_000]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(waits).toEqual([0]);
});

test('an answer ends it', async () => {
  expect((await send(['dead', 'success'])).outcome.kind).toBe('ok');
  expect(sent).toHaveLength(2);
});

test('a first try that is still at work is waited for; without one it is an answer', async () => {
  expect((await send(['dead', 'requestRunning', 'success'])).outcome.kind).toBe('ok');
  sent.length = 0;
  expect((await send(['requestRunning'])).outcome).toMatchObject({ name: 'requestRunning' });
  expect(sent).toHaveLength(1);
});

test('any other answer is not asked for twice', async () => {
  expect((await send(['gameUnavailable'])).waits).toEqual([]);
  expect(sent).toHaveLength(1);
});

test('then the backup hosts, where a token stands for the player, and our own again after them', async () => {
  withBackups(['https://b1.example']);
  keepBackupToken('rh1_x', 3600);
  await send(['dead']);
  const hosts = sent.map(({ host }) => host);
  expect(hosts).toEqual([...Array<string>(4).fill(''), ...Array<string>(4).fill('b1.example')]);
  expect(currentHost()).toBe('');
});

test('without a token no backup host is asked, nor taken for what comes after', async () => {
  withBackups(['https://b1.example']);
  await send(['dead']);
  expect(sent.map(({ host }) => host)).toEqual(['', '', '', '']);
  expect(currentHost()).toBe('');
});
