// The game's word before money, through HTTP: a no tells why and costs nothing, a silence goes by the game's file.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { GameId } from '#kernel/ids.ts';
import { PAY, PAY_BODY, pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(() => {
  shop.paypal.reset();
  shop.game.reset();
});

const ready = async (): Promise<TestPlayer> => {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return player;
};
const openOrders = async (player: TestPlayer) =>
  (await shop.db.query('select from orders where player_id = $1 and is_unpaid', [player.playerId])).rowCount;
const setCheck = (check: 'required' | 'when_reachable') => {
  const file = shop.configuration.games.get('starlane' as GameId)?.file;
  if (!file) throw new Error('starlane is not configured');
  Object.assign(file, { check });
  onTestFinished(() => void Object.assign(file, { check: 'required' }));
};

test.each([
  ['level_too_low', 'en', 'Your character’s level is too low for this. Nothing was charged.'],
  ['bag_full', 'de', 'Das Inventar deines Charakters ist voll.'],
  ['our_own_reason', 'en', 'The game cannot hand this to your character right now. Nothing was charged.'],
])('a game that declines with %s is quoted in the language of the player (%s)', async (reason, language, sentence) => {
  const player = await ready();
  shop.game.script.check = () => ({ kind: 'declined', reason });
  const answer = await shop.post(PAY, PAY_BODY, { session: player, headers: { 'accept-language': language } });
  expect(answer).toMatchObject({ code: -1034, msg: expect.stringContaining(sentence) });
  expect(answer.text).not.toContain(reason);
  expect(shop.paypal.calls.create).toEqual([]);
  expect(await openOrders(player)).toBe(0);
  // Once the game agrees, the same goods can be bought: nothing is held.
  shop.game.reset();
  expect((await pay(shop, player)).code).toBe(1);
});

test('a game that cannot be reached sells nothing, and says so', async () => {
  const player = await ready();
  shop.game.script.isDown = true;
  expect(await pay(shop, player)).toMatchObject({
    code: -1035,
    msg: expect.stringMatching(/cannot be reached.*Nothing was charged/),
  });
  expect(shop.paypal.calls.create).toEqual([]);
  expect(await openOrders(player)).toBe(0);
});

test('with when_reachable silence is no reason, a no still is', async () => {
  setCheck('when_reachable');
  const player = await ready();
  shop.game.script.check = () => ({ kind: 'declined', reason: 'already_owned' });
  expect(await pay(shop, player)).toMatchObject({ code: -1034 });
  shop.game.script.isDown = true;
  expect((await pay(shop, player)).code).toBe(1);
  expect(shop.paypal.calls.create).toHaveLength(1);
});

test('a crowd at a limited stock asks the game for nothing: only who has a piece does', async () => {
  const { rows } = await shop.db.query<{ product_id: string; total: number }>(
    `select product_id, total from product_stock where game_id = 'starlane'`,
  );
  const [limited] = rows;
  if (!limited) throw new Error('nothing of starlane is limited');
  const setTotal = (total: number) =>
    shop.db.query('update product_stock set total = $1 where product_id = $2', [total, limited.product_id]);
  await setTotal(0);
  onTestFinished(() => void setTotal(limited.total));
  const player = await ready();
  const order = () => pay(shop, player, { body: { product_id: limited.product_id, price_minor: 2999, country: 'US' } });
  expect(await order()).toMatchObject({ code: -1011 });
  expect(shop.game.calls.checkGrant).toBe(0);
  // One look, and nothing is written.
  expect(await shop.countStatements(order)).toEqual(['session_find', 'order_is_sold_out']);

  await setTotal(1);
  shop.game.script.check = () => ({ kind: 'declined', reason: 'bag_full' });
  expect(await order()).toMatchObject({ code: -1034 });
  expect(shop.game.calls.checkGrant).toBe(1);
  // Given back: the piece is there for the next press.
  shop.game.reset();
  expect((await order()).code).toBe(1);
});
