// Sessions on real PostgreSQL: opaque, hashed, bound to a brand, with an idle and an absolute end.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer } from '#testing/orders.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type SessionKind, openSession, revokeSession } from './session.ts';
import { findAddressSession, findCallSession, findSession } from './session-find.ts';

const brand = 'watt' as BrandKey;
let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());

const open = (playerId: PlayerId, over: { kind?: SessionKind; replaces?: string } = {}) =>
  openSession(db, {
    playerId,
    brandKey: brand,
    kind: over.kind ?? 'web',
    authMethod: 'password',
    replaces: over.replaces ?? null,
  });
const isLive = async (token: string) => (await findSession(db, token, brand)) !== null;
const hashOf = (token: string) => createHash('sha256').update(token).digest();
/** Lets time pass for one session: all its times move back. */
const age = (token: string, interval: string) =>
  db.query(
    `update session set created_at = created_at - $2::interval, seen_at = seen_at - $2::interval,
       idle_until = idle_until - $2::interval,
       absolute_until = absolute_until - $2::interval where token_hash = $1`,
    [hashOf(token), interval],
  );

test('the token is 256 bits of chance, and the database holds only its hash', async () => {
  const player = await makePlayer(db);
  const opened = await Promise.all(Array.from({ length: 50 }, () => open(player)));
  expect(new Set(opened.map(({ token }) => token)).size).toBe(50);
  for (const { token } of opened) expect(token).toMatch(/^rf1_[A-Za-z0-9_-]{43}$/);
  const { rows } = await db.query('select * from session where player_id = $1', [player]);
  const stored = JSON.stringify(rows);
  for (const { token, publicId } of opened) {
    expect(stored).not.toContain(token.slice(4));
    expect(token).not.toContain(publicId);
  }
});

test('a session is the player, for its own brand only', async () => {
  const player = await makePlayer(db);
  const { token, publicId } = await open(player);
  expect(await findSession(db, token, brand)).toEqual({
    publicId,
    playerId: player,
    brandKey: brand,
    kind: 'web',
    suid: `u-${player}`,
    username: 'kestrel',
    gameId: null,
    bound: null,
  });
  expect(await findSession(db, token, 'product' as BrandKey)).toBeNull();
  expect(await findSession(db, publicId, brand)).toBeNull();
});

test.each([
  ['web', '6 days 23 hours', '7 days 1 minute'],
  ['sdk', '1 hour 59 minutes', '2 hours 1 minute'],
  ['replenish', '23 hours', '24 hours 1 minute'],
] as const)('%s: alive after %s without use, gone after %s', async (kind, alive, gone) => {
  const player = await makePlayer(db);
  const first = await open(player, { kind });
  await age(first.token, alive);
  expect(await isLive(first.token)).toBe(true);
  const second = await open(player, { kind });
  await age(second.token, gone);
  expect(await isLive(second.token)).toBe(false);
});

test.each([
  ['web', '5 days', 6],
  ['sdk', '110 minutes', 7],
] as const)('%s: use every %s keeps it alive, but not beyond its absolute end', async (kind, step, most) => {
  const { token } = await open(await makePlayer(db), { kind });
  let uses = 0;
  while (uses < 20) {
    await age(token, step);
    if (!(await isLive(token))) break;
    uses += 1;
  }
  expect(uses).toBe(kind === 'web' ? 5 : most - 1);
});

test('use within the same minute only reads', async () => {
  const { token } = await open(await makePlayer(db));
  const seenAt = async () =>
    (await db.query<{ seen_at: Date }>('select seen_at from session where token_hash = $1', [hashOf(token)])).rows[0]
      ?.seen_at;
  const before = await seenAt();
  await isLive(token);
  expect(await seenAt()).toEqual(before);
  await age(token, '2 minutes');
  await isLive(token);
  expect(await seenAt()).not.toEqual(before);
});

test('the eleventh session of a player pushes out the oldest; logging in again in one browser pushes out none but its own', async () => {
  const player = await makePlayer(db);
  const tokens: string[] = [];
  for (let n = 0; n < 11; n += 1) tokens.push((await open(player)).token);
  const live = async () => Promise.all(tokens.map(isLive));
  expect(await live()).toEqual([false, ...Array<boolean>(10).fill(true)]);
  const last = tokens.at(-1);
  tokens.push((await open(player, { replaces: last ?? '' })).token);
  expect(await live()).toEqual([false, ...Array<boolean>(9).fill(true), false, true]);
});

test('the limit counts by kind: ten openings by a game push no browser out', async () => {
  const player = await makePlayer(db);
  const web = await open(player);
  const games: string[] = [];
  for (let n = 0; n < 12; n += 1) games.push((await open(player, { kind: 'sdk' })).token);
  expect(await isLive(web.token)).toBe(true);
  expect((await Promise.all(games.map(isLive))).filter(Boolean)).toHaveLength(10);
});

test('a token for page addresses is none in a cookie, lives two hours, and the token of a browser is none in an address', async () => {
  const player = await makePlayer(db);
  const input = { playerId: player, brandKey: brand, kind: 'sdk', authMethod: 'game', replaces: null } as const;
  const handedOut = await openSession(db, { ...input, isAddressToken: true });
  expect(await isLive(handedOut.token)).toBe(false);
  expect(await findAddressSession(db, handedOut.token, brand)).toMatchObject({ playerId: player, kind: 'sdk' });
  for (const { token } of [await open(player), await open(player, { kind: 'sdk' })])
    expect([await findAddressSession(db, token, brand), await findCallSession(db, token, brand)]).toEqual([null, null]);
  const { rows } = await db.query(
    `select extract(epoch from absolute_until - created_at)::integer as seconds from session where public_id = $1`,
    [handedOut.publicId],
  );
  expect(rows).toEqual([{ seconds: 7200 }]);
});

test('revoking and disabling end it at once', async () => {
  const player = await makePlayer(db);
  const [first, second] = [await open(player), await open(player)];
  await revokeSession(db, first.publicId, 'logout');
  expect([await isLive(first.token), await isLive(second.token)]).toEqual([false, true]);
  await db.query('update player set disabled_at = now() where player_id = $1', [player]);
  expect(await isLive(second.token)).toBe(false);
});

test('what is no token is not even looked up', async () => {
  const { token } = await open(await makePlayer(db));
  for (const wrong of ['', 'rf1_', `${token}x`, token.slice(0, -1), token.replace('rf1_', 'rf2_'), `${token}\0`])
    expect(await findSession(db, wrong, brand)).toBeNull();
});
