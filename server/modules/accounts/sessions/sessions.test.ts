// A player's own sessions: seen from each of them, ended from one, and never somebody else's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnSession } from '#contracts/sessions.ts';
import { WITH_TENDERS, issueTestCards } from '#testing/cards.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36';

type List = { list: OwnSession[]; canEnd: boolean };
const listOf = async (session: TestPlayer) => (await shop.get<List>('/util/login/sessions', { session })).content;
const isLive = async (session: TestPlayer) =>
  (await shop.get('/util/login/get_user_info?client_id=70021', { session })).code === 1;

/** One more session of the same player. */
async function again(
  player: TestPlayer,
  more: { kind?: 'web' | 'sdk'; authMethod?: string; userAgent?: string } = {},
): Promise<TestPlayer> {
  const { token } = await openSession(shop.db, {
    playerId: player.playerId as PlayerId,
    brandKey: player.brand as BrandKey,
    kind: 'web',
    authMethod: 'password',
    replaces: null,
    ...more,
  });
  return { ...player, token };
}

test('a player sees their sessions, the current one first, by device and way', async () => {
  const first = await shop.logIn();
  const second = await again(first, { authMethod: 'apple', userAgent: PHONE });
  const { list, canEnd } = await listOf(second);
  expect(canEnd).toBe(true);
  expect(list.map(({ isCurrent, device, method }) => [isCurrent, device, method])).toEqual([
    [true, 'Chrome, Android', 'ios'],
    [false, '', 'password'],
  ]);
  for (const { openedAt, seenAt } of list) {
    expect(Math.abs(Date.now() - openedAt)).toBeLessThan(60_000);
    expect(seenAt).toBeGreaterThanOrEqual(openedAt);
  }
  expect((await listOf(first)).list.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  expect(JSON.stringify(list)).not.toContain('rf1_');
});

test('one is ended, the others stay; ending it again is no fault', async () => {
  const first = await shop.logIn();
  const [second, third] = [await again(first), await again(first, { userAgent: PHONE })];
  const { list } = await listOf(first);
  const id = list.find(({ device }) => device !== '')?.id ?? '';
  for (let time = 0; time < 2; time += 1)
    expect((await shop.post('/util/login/end_session', { id }, { session: first })).code).toBe(1);
  expect([await isLive(first), await isLive(second), await isLive(third)]).toEqual([true, true, false]);
  expect((await listOf(first)).list).toHaveLength(2);
});

test('the current one is not ended here: that is what logging out is for', async () => {
  const player = await shop.logIn();
  const id = (await listOf(player)).list[0]?.id ?? '';
  await shop.post('/util/login/end_session', { id }, { session: player });
  expect(await isLive(player)).toBe(true);
});

test('all others are ended at once', async () => {
  const first = await shop.logIn();
  const others = [await again(first), await again(first, { kind: 'sdk' })];
  expect((await shop.post('/util/login/end_other_sessions', {}, { session: first })).code).toBe(1);
  expect(await Promise.all(others.map(isLive))).toEqual([false, false]);
  expect((await listOf(first)).list).toHaveLength(1);
});

test('nobody ends the session of somebody else, nor sees it', async () => {
  const [mine, theirs] = [await shop.logIn(), await shop.logIn()];
  const id = (await listOf(theirs)).list[0]?.id ?? '';
  expect((await listOf(mine)).list.map((one) => one.id)).not.toContain(id);
  await shop.post('/util/login/end_session', { id }, { session: mine });
  await shop.post('/util/login/end_other_sessions', {}, { session: mine });
  expect(await isLive(theirs)).toBe(true);
});

test('without a session there is nothing to see', async () => {
  expect((await shop.get('/util/login/sessions')).code).toBe(-600);
  expect((await shop.post('/util/login/end_other_sessions', {})).code).toBe(-600);
});

test('a session opened by a card or by a game may look, not end', async () => {
  const player = await shop.logIn();
  const [issued] = await issueTestCards(shop.db, 1, {}, { issuedTo: player.playerId });
  if (!issued) throw new Error('no card');
  const sent = {
    card_number: encodeCredential(issued.cardId, 'aB3'),
    card_password: encodeCredential(issued.password, 'x9Z'),
    client_id: '70021',
  };
  const answer = await shop.post('/util/login/card_auth', sent, { headers: { 'user-agent': PHONE } });
  const byCard = { ...player, token: answer.cookies[0]?.value ?? '' };
  const shown = await listOf(byCard);
  expect(shown.canEnd).toBe(false);
  expect(shown.list[0]).toMatchObject({ isCurrent: true, method: 'card', device: 'Chrome, Android' });
  const byGame = await again(player, { kind: 'sdk' });
  for (const session of [byCard, byGame])
    expect((await shop.post('/util/login/end_other_sessions', {}, { session })).code).toBe(-1045);
  expect(await isLive(player)).toBe(true);
});
