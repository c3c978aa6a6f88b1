// Logins with number and password of a prepaid card: to the account it was issued to, and neutral in everything else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import { WITH_TENDERS, issueTestCards } from '#testing/cards.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());

const body = (number: string, password: string, more: object = { client_id: '70021' }) => ({
  card_number: encodeCredential(number, 'aB3'),
  card_password: encodeCredential(password, 'x9Z'),
  ...more,
});
let addresses = 0;
const card = async (sent: object, path = '/util/login/card_auth') => {
  addresses += 1;
  return shop.post<UserInfo>(path, sent, { remoteAddress: `192.0.2.${addresses}` });
};

test('a card opens the account it was issued to, spent or not, and changes nothing about it', async () => {
  const player = await shop.logIn();
  const [issued] = await issueTestCards(shop.db, 1, {}, { issuedTo: player.playerId });
  if (!issued) throw new Error('no card');
  const answer = await card(body(issued.cardId, issued.password));
  expect(answer).toMatchObject({ code: 1, content: { suid: player.suid, username: player.username, gp_id: '70021' } });
  const token = answer.cookies[0]?.value ?? '';
  const session = { token, brand: 'watt' } as TestPlayer;
  expect((await shop.get<UserInfo>('/util/login/get_user_info?client_id=70021', { session })).content).toEqual(
    answer.content,
  );
  // Whoever finds a card must not be able to stay.
  const list = await shop.get<{ isFresh: boolean }>('/util/login/identities', { session });
  expect(list.content.isFresh).toBe(false);
  const ingame = await card(body(issued.cardId, issued.password, { game_id: '70021' }), '/api/ingame/card_auth');
  expect(ingame.headers['set-cookie']).toContain('Max-Age=86400');
});

test('wrong, unknown, issued to nobody, disabled, over-long: one answer', async () => {
  const player = await shop.logIn();
  const [issued, lost] = [
    (await issueTestCards(shop.db, 1, {}, { issuedTo: player.playerId }))[0],
    (await issueTestCards(shop.db, 1))[0],
  ];
  if (!issued || !lost) throw new Error('no card');
  const answers = [
    await card(body(issued.cardId, 'WRONG')),
    await card(body('NOSUCHCARD', issued.password)),
    await card(body(lost.cardId, lost.password)),
    await card(body('9'.repeat(81), issued.password)),
    await card({ ...body(issued.cardId, 'x'), card_password: '!!' }),
  ];
  await shop.db.query('update player set disabled_at = now() where player_id = $1', [player.playerId]);
  answers.push(await card(body(issued.cardId, issued.password)));
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 200, code: -1002, content: null, cookies: [] });
    expect(answer.text).toBe(answers[0]?.text);
  }
  expect(shop.logLines.join('\n')).not.toContain(issued.password);
});

test('a card of another brand, or a game that this brand does not sell, opens nothing', async () => {
  const player = await shop.logIn({ brand: 'product' });
  const [issued] = await issueTestCards(shop.db, 1, { brand_key: 'product' }, { issuedTo: player.playerId });
  if (!issued) throw new Error('no card');
  expect((await card(body(issued.cardId, issued.password))).code).toBe(-1002);
  expect((await card(body(issued.cardId, issued.password, { client_id: '99999' }))).code).toBe(-3001);
});

test('after five misses even the right password waits', async () => {
  const player = await shop.logIn();
  const [issued] = await issueTestCards(shop.db, 1, {}, { issuedTo: player.playerId });
  if (!issued) throw new Error('no card');
  const codes: number[] = [];
  for (let n = 0; n < 6; n += 1) codes.push((await card(body(issued.cardId, `WRONG${n}`))).code);
  expect(codes.slice(0, 5)).toEqual([-1002, -1002, -1002, -1002, -1002]);
  expect((await card(body(issued.cardId, issued.password))).code).not.toBe(1);
});
