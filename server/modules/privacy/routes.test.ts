// My data on the wire: who may see, download and erase what, and how lately they must have logged in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErasureState, PrivacyState } from '#contracts/privacy.ts';
import { FRESH_MINUTES } from '#contracts/privacy.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { placeOrder } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { eraseDue } from './service.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ brands: { joynet: { erasureDays: 0 } } });
});
afterAll(() => shop.close());

const ERASE = '/api/privacy/erase';
const EXPORT = '/api/privacy/export';
type Document = { data: Record<string, Record<string, unknown>[]>; parts: { table: string }[] };

const stateOf = async (session: TestPlayer) =>
  (await shop.get<PrivacyState>('/api/privacy/state', { session })).content;
const erase = (session: TestPlayer, body: object = {}) =>
  shop.post<ErasureState>(ERASE, { name: session.username, ...body }, { session });
/** The login was that long ago. */
const age = (minutes: number) =>
  shop.db.query('update session set created_at = created_at - make_interval(mins => $1)', [minutes]);

/** A session of the same player that a game, a card or a make-up payment opened. */
async function opened(player: TestPlayer, kind: 'sdk' | 'replenish' | 'web', authMethod: string, isBound = false) {
  const { token } = await openSession(shop.db, {
    playerId: player.playerId,
    brandKey: player.brand as BrandKey,
    kind,
    authMethod,
    replaces: null,
    ...(isBound ? { bound: { client_id: '70021' } } : {}),
  });
  return { ...player, token };
}

test('a player downloads what is held about them, and nothing of anybody else', async () => {
  const [mine, theirs] = [await placeOrder(shop), await placeOrder(shop)];
  const answer = await shop.post<Document>(EXPORT, {}, { session: mine.player });
  expect(answer).toMatchObject({ status: 200, code: 1 });
  expect(answer.headers['cache-control']).toContain('no-store');
  expect(answer.content.data.orders).toHaveLength(1);
  expect(answer.text).toContain(mine.billingNo);
  expect(answer.text).not.toContain(theirs.billingNo);
  expect(answer.text).not.toContain(theirs.player.playerId);
  expect(answer.text).not.toContain(mine.player.token);
});

test('download and erasing ask for a login of the last minutes, made in the shop', async () => {
  const player = await shop.logIn();
  for (const session of [
    await opened(player, 'sdk', 'game', true),
    await opened(player, 'web', 'game', true),
    await opened(player, 'web', 'card'),
    await opened(player, 'replenish', 'password'),
  ]) {
    expect(await stateOf(session)).toMatchObject({ can_act: false, is_fresh: false });
    for (const path of [EXPORT, ERASE, '/api/privacy/keep'])
      expect((await shop.post(path, { name: player.username }, { session })).code).toBe(-1045);
  }
  const stale = await shop.logIn();
  expect(await stateOf(stale)).toMatchObject({ can_act: true, is_fresh: true, wait_days: 7, erasure: null });
  await age(FRESH_MINUTES);
  expect(await stateOf(stale)).toMatchObject({ can_act: true, is_fresh: false });
  expect((await erase(stale)).code).toBe(-1045);
  expect((await shop.post(EXPORT, {}, { session: stale })).code).toBe(-1045);
  expect((await shop.post(EXPORT, {})).code).toBe(-600);
});

test('a wish needs the name, ends other sessions, is there once, and is taken back', async () => {
  const player = await shop.logIn();
  const other = await opened(player, 'web', 'password');
  expect((await erase(player, { name: 'somebody' })).code).toBe(-1001);
  const asked = await erase(player, { name: ` ${player.username.toUpperCase()} ` });
  expect(asked.content).toMatchObject({ state: 'waiting', ended_at: 0 });
  expect(asked.content.due_at - asked.content.asked_at).toBe(7 * 86_400_000);
  expect((await shop.get('/api/privacy/state', { session: other })).code).toBe(-600);
  expect((await erase(player)).content.erasure_no).toBe(asked.content.erasure_no);
  expect((await shop.post('/api/privacy/keep', {}, { session: player })).code).toBe(1);
  expect((await stateOf(player)).erasure?.state).toBe('withdrawn');
  expect((await shop.post('/api/privacy/keep', {}, { session: player })).code).toBe(1);
});

test('an open order, or a balance that is not given up, is told instead', async () => {
  const { player, billingNo } = await placeOrder(shop);
  expect((await stateOf(player)).refusals).toEqual([{ reason: 'open_order', about: billingNo }]);
  const refused = await erase(player);
  expect([refused.code, refused.msg]).toEqual([-1068, expect.stringContaining('not paid yet')]);
  const saver = await shop.logIn();
  await giveTestBalance(shop.db, saver.playerId, 1250);
  expect((await stateOf(saver)).balances).toEqual(['$12.50']);
  expect((await erase(saver)).msg).toContain('balance');
  expect((await erase(saver, { gives_up_balance: 1 })).content.state).toBe('waiting');
});

test('without days to wait it is done at once, and the number tells so when nobody is there any more', async () => {
  const player = await shop.logIn({ brand: 'joynet' });
  await giveTestBalance(shop.db, player.playerId, 700);
  const { erasure_no: no } = (await erase(player, { gives_up_balance: 1 })).content;
  expect(await eraseDue(shop.services)).toBeGreaterThan(0);
  expect((await shop.get('/api/privacy/state', { session: player })).code).toBe(-600);
  const look = (brand: string, erasureNo = no) =>
    shop.get<ErasureState>(`/api/privacy/erasure?erasure_no=${erasureNo}`, { brand });
  expect((await look('joynet')).content).toMatchObject({ state: 'done', refusals: [] });
  expect((await look('watt')).code).toBe(-1009);
  expect((await look('joynet', `ER-${'0'.repeat(26)}`)).code).toBe(-1009);
  const { rows } = await shop.db.query(
    `select kind, balance_minor from wallet_account where player_id = $1 and balance_minor <> 0 order by kind`,
    [player.playerId],
  );
  expect(rows).toEqual([
    { kind: 'cash_in', balance_minor: -700 },
    { kind: 'forfeited', balance_minor: 700 },
  ]);
});

test('whoever downloads again and again has to wait', async () => {
  const player = await shop.logIn();
  const codes: number[] = [];
  for (let count = 0; count < 6; count += 1) codes.push((await shop.post(EXPORT, {}, { session: player })).code);
  expect(codes).toEqual([1, 1, 1, 1, 1, -1003]);
});
