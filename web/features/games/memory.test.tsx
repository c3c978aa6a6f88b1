// The last character per game, also when somebody wrote nonsense there.
import { beforeEach, expect, test } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { setBoot } from '#web/platform/boot.ts';
import { loadGameInfo, readGameInfo, rememberGame, rememberRole } from './memory.ts';

beforeEach(() => {
  localStorage.clear();
  setBoot({ brand: { tracking: null }, language: 'en' } as unknown as PageData);
});

const role = { role_id: 'r1', server_id: 's1', area_id: '' };

test('every game keeps its own character', () => {
  rememberRole('1', role);
  rememberRole('2', { ...role, role_id: 'r2' });
  rememberGame('1');
  expect(loadGameInfo()).toEqual({ client_id: '1', roles: { 1: role, 2: { ...role, role_id: 'r2' } } });
});

test.each([[null], ['x'], [{ client_id: 5, roles: 7 }], [{ roles: { 1: { role_id: 1 }, 2: null } }]])(
  'storage holding %j is nothing',
  (value) => {
    expect(readGameInfo(value)).toEqual({ client_id: '', roles: {} });
  },
);
