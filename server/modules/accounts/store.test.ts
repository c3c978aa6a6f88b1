// Players and their identities on real PostgreSQL.
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import { type TestShop, createTestShop, credentials } from '#testing/shop.ts';
import { ensurePlayer, findBuiltinAccount, isLivePlayer, savePassword, subjectOf } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const identity = (over: Partial<Parameters<typeof ensurePlayer>[1]> = {}) => ({
  brandKey: 'watt' as BrandKey,
  provider: 'game',
  subject: 'starlane/7',
  suid: '7',
  username: 'Seven',
  ...over,
});

test('twenty first logins at once make one player', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => ensurePlayer(shop.db, identity())));
  expect(new Set(ids).size).toBe(1);
  expect((await shop.db.query(`select from player where suid = '7'`)).rowCount).toBe(1);
  expect(await ensurePlayer(shop.db, identity())).toBe(ids[0]);
});

test('another brand, provider or subject is another player', async () => {
  const ids = await Promise.all([
    ensurePlayer(shop.db, identity({ subject: 'x' })),
    ensurePlayer(shop.db, identity({ subject: 'y' })),
    ensurePlayer(shop.db, identity({ subject: 'x', provider: 'builtin' })),
    ensurePlayer(shop.db, identity({ subject: 'x', brandKey: 'product' as BrandKey })),
  ]);
  expect(new Set(ids).size).toBe(4);
});

test('a disabled player is nobody', async () => {
  const playerId = (await ensurePlayer(shop.db, identity({ subject: 'off' }))) ?? '';
  expect(await isLivePlayer(shop.db, playerId)).toBe(true);
  await shop.db.query('update player set disabled_at = now() where player_id = $1', [playerId]);
  expect(await ensurePlayer(shop.db, identity({ subject: 'off' }))).toBeNull();
  expect(await isLivePlayer(shop.db, playerId)).toBe(false);
});

test('names are compared in one form', () => {
  expect(subjectOf('  Ａｃｃｏｕｎｔ ')).toBe('account');
  expect(subjectOf('ÅSA')).toBe(subjectOf('åsa'));
});

test('an old hash is renewed by the login that proves it', async () => {
  const { accounts } = shop.services;
  const playerId = await accounts.saveAccount({
    brandKey: 'watt' as BrandKey,
    username: 'Olden',
    suid: 'o',
    password: 'x',
  });
  await savePassword(shop.db, playerId, await hash('x', { memoryCost: 8192, timeCost: 1, parallelism: 1 }));
  const stored = async () => (await findBuiltinAccount(shop.db, 'watt', 'olden'))?.hash;
  const old = await stored();
  expect((await shop.post('/util/login/auth', credentials('olden', 'wrong'))).code).toBe(-1002);
  expect(await stored()).toBe(old);
  expect((await shop.post('/util/login/auth', credentials('olden', 'x'))).code).toBe(1);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('an account made again is the same player with a new password', async () => {
  const { accounts } = shop.services;
  const account = { brandKey: 'watt' as BrandKey, username: 'Twice', suid: 't' };
  const first = await accounts.saveAccount({ ...account, password: 'one' });
  expect(await accounts.saveAccount({ ...account, username: 'twice', password: 'two' })).toBe(first);
  expect((await shop.post('/util/login/auth', credentials('Twice', 'one'))).code).toBe(-1002);
  expect((await shop.post('/util/login/auth', credentials('Twice', 'two'))).code).toBe(1);
});
