// Players and their identities on real PostgreSQL.
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
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

describe('an identity that a user id was made of', () => {
  const founding = (subject: string) => identity({ provider: 'google', subject, suid: `google-${subject}` });
  const unlink = (playerId: PlayerId | null) =>
    shop.db.query('delete from player_identity where player_id = $1', [playerId]);
  const countOf = async (suid: string) => (await shop.db.query('select from player where suid = $1', [suid])).rowCount;

  test('leads back to its player after the link has gone, also twenty at once', async () => {
    const first = await ensurePlayer(shop.db, founding('a1'));
    await unlink(first);
    const again = await Promise.all(Array.from({ length: 20 }, () => ensurePlayer(shop.db, founding('a1'))));
    expect(new Set(again)).toEqual(new Set([first]));
    expect(await countOf('google-a1')).toBe(1);
  });

  test('leads to nobody while that player is blocked', async () => {
    const first = await ensurePlayer(shop.db, founding('a2'));
    await unlink(first);
    await shop.db.query('update player set disabled_at = now() where player_id = $1', [first]);
    expect(await ensurePlayer(shop.db, founding('a2'))).toBeNull();
    expect(await countOf('google-a2')).toBe(1);
  });

  test('leads to the older of two that an earlier version has made', async () => {
    const older = await ensurePlayer(shop.db, founding('a3'));
    await shop.db.query(
      `insert into player (player_id, brand_key, suid, username, created_at)
        values (gen_random_uuid(), 'watt', 'google-a3', 'Younger', now() + interval '1 minute')`,
    );
    await unlink(older);
    expect(await ensurePlayer(shop.db, founding('a3'))).toBe(older);
  });

  test('leads to no account with a password, of a game or of another brand, whatever user id that has', async () => {
    const others = await Promise.all([
      ensurePlayer(shop.db, identity({ provider: 'builtin', subject: 'a4', suid: 'google-a4' })),
      ensurePlayer(shop.db, identity({ subject: 'starlane/google-a4', suid: 'google-a4' })),
      ensurePlayer(shop.db, { ...founding('a4'), brandKey: 'product' as BrandKey }),
    ]);
    await unlink(others[2] ?? null);
    expect(others).not.toContain(await ensurePlayer(shop.db, founding('a4')));
  });

  test('waits for the erasing of that player, and is a new one then', async () => {
    const first = await ensurePlayer(shop.db, founding('a5'));
    await unlink(first);
    const erasing = await shop.db.connect();
    await erasing.query('begin');
    await erasing.query('select from player where player_id = $1 for update', [first]);
    const login = ensurePlayer(shop.db, founding('a5'));
    await erasing.query(
      `update player set suid = 'gone', erased_at = now(), disabled_at = now() where player_id = $1`,
      [first],
    );
    await erasing.query('commit');
    erasing.release();
    const fresh = await login;
    expect(fresh).not.toBe(first);
    expect(await isLivePlayer(shop.db, fresh ?? '')).toBe(true);
  });
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
