// Real names on the wire: no payment without one where a brand asks for it, whichever way it goes; beginning the check,
// and what comes of it. Coupons and rewards are nobody's payment.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BrandFile } from '#contracts/brand-file.ts';
import { payRoutes } from '#contracts/payments.ts';
import type { RealNameState } from '#contracts/realname.ts';
import { CONFIRM_CARD, findPayable, type Payable } from '#testing/payables.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { createFakeProvider } from '#testing/fake-payments.ts';
import { EMBER_CLIENT, showEmberRole, topUp } from '#testing/events.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const PROVIDERS =
  'paypal adyen xsolla codapay pagsmile razer naver alipay payermax travellet pingpong ebanx funtap mycard ' +
  'airwallex welcome kakao';
const KEYS =
  'watt dragon ko product ru joynet ssgame joyage acenet acenetJp rhinosTwhk rhinos spotJp rhinosJp rhinosSea brandEn';
const realName: Partial<BrandFile> = { realName: 'game' };

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  const fakes = PROVIDERS.split(' ').map((name) => createFakeProvider(name));
  shop = await createTestShop({
    ...WITH_TENDERS,
    providers: [...fakes, ...(WITH_TENDERS.moreProviders ?? [])],
    environment: {
      ...WITH_TENDERS.environment,
      ...Object.fromEntries(
        PROVIDERS.split(' ').map((name) => [`REFILL_${name.toUpperCase()}_DEMO_KEY`, `${name}-sandbox`]),
      ),
    },
    brands: Object.fromEntries(KEYS.split(' ').map((key) => [key, realName])),
  });
  player = await shop.logIn();
  await showRoles(shop, player);
});
afterAll(() => shop.close());
afterEach(() => shop.game.reset());

const evoke = (who: TestPlayer, client_id = '70021') =>
  shop.post<{ state: RealNameState; url: string }>('/api/rsys/evoke', { client_id }, { session: who });
const state = (who: TestPlayer) =>
  shop.get<{ state: RealNameState }>('/api/rsys/state?client_id=70021', { session: who });
const rowOf = async (who: TestPlayer) =>
  (await shop.db.query('select * from real_name where player_id = $1', [who.playerId])).rows[0];
async function ready(): Promise<TestPlayer> {
  const made = await shop.logIn();
  await showRoles(shop, made);
  return made;
}
/** The game says this at the next question. */
function answer(outcome: Awaited<ReturnType<NonNullable<TestShop['game']['checkRealName']>>>) {
  const asked: unknown[] = [];
  shop.game.checkRealName = async (question) => {
    asked.push(question);
    return outcome;
  };
  return asked;
}
const URL_OF_CHECK = 'https://id.game.test/start';

describe('no order without a real name', () => {
  // own_pay is that of a shop's own providers, and the demonstration has none.
  const named = Object.keys(payRoutes).filter((name) => name !== 'own_pay');
  test.each(named)('L183 %s answers 6001, and nothing is kept', async (name) => {
    const payable = findPayable(shop, name);
    const who = await readyFor(payable);
    const body = { ...payable.body, ...(name === 'card_pay' && { card_info: cardInfo('ABCDEFGHJKMN', 'X') }) };
    expect(await shop.post(payRoutes[name as 'card_pay'].path, body, { session: who })).toMatchObject({ code: 6001 });
    expect((await shop.db.query('select from orders where player_id = $1', [who.playerId])).rows).toEqual([]);
    // Only the missing name stands against the call: once verified, it goes on.
    await verify(who);
    expect((await shop.post(payRoutes[name as 'card_pay'].path, body, { session: who })).code).not.toBe(6001);
  });

  test('L183 card_confirm answers 6001, and the card stays good', async () => {
    const goods = { game_id: 'starlane', product_id: 'star_540', gems_number: 540 };
    const [card] = await issueTestCards(shop.db, 1, goods);
    const who = await ready();
    const confirm = () =>
      shop.post(
        CONFIRM_CARD,
        { client_id: '70021', server_id: 's1', role_id: 'r1', card_info: cardInfo(card!.cardId, card!.password) },
        { session: who },
      );
    expect((await confirm()).code).toBe(6001);
    expect((await shop.db.query('select state from gift_card where card_id = $1', [card!.cardId])).rows).toEqual([
      { state: 'active' },
    ]);
    await verify(who);
    expect((await confirm()).code).toBe(1);
  });

  test('L110 rewards need no real-name check, neither those of events nor the daily one', async () => {
    const who = await shop.logIn();
    await showEmberRole(shop.db, who.playerId);
    await topUp(shop.db, who.playerId, 2100);
    expect((await pay(shop, who)).code).toBe(6001);
    for (const type of ['cumulative', 'continue', 'daily']) {
      const { content } = await shop.get<{
        list: { activity_id: string; is_over: boolean; gifts: { gift_id: string; state: string }[] }[];
      }>(`/api/cumulative/cumulativeActivityInfo?client_id=${EMBER_CLIENT}&type=${type}`, { session: who });
      const open = content.list.find(({ is_over: isOver }) => !isOver);
      const gift = open?.gifts.find(({ state: gifted }) => gifted === 'receivable');
      const body = {
        client_id: EMBER_CLIENT,
        type,
        activity_id: open?.activity_id,
        gift_id: gift?.gift_id,
        server_id: 's1',
        role_id: 'r1',
      };
      const received = await shop.post('/api/cumulative/receiveActivityGift', body, { session: who });
      expect({ type, code: received.code, content: received.content }).toEqual({
        type,
        code: 1,
        content: { gift_ids: [gift?.gift_id] },
      });
    }
  });

  test('L105 a coupon can be claimed all the same', async () => {
    const who = await ready();
    const code = await giveTestCoupon(shop.db, who.playerId, { isClaimable: true });
    expect((await shop.post('/api/coupons/receiveCoupons', { client_id: '70021', code }, { session: who })).code).toBe(
      1,
    );
  });

  async function readyFor({ brand, clientId }: Payable): Promise<TestPlayer> {
    const who = await shop.logIn({ brand });
    await shop.get(`/api/system/allRoleList?client_id=${clientId}`, { session: who });
    return who;
  }
  const verify = (who: TestPlayer) =>
    shop.db.query(
      `insert into real_name (player_id, state, source, decided_at) values ($1, 'verified', 'test', now())`,
      [who.playerId],
    );
});

describe('the check', () => {
  test('L158 evoke begins it at the game, which learns where the player comes back to', async () => {
    const who = await ready();
    const asked = answer({ kind: 'unfinished', url: URL_OF_CHECK });
    expect((await state(who)).content).toEqual({ state: 'unfinished' });
    expect(asked).toEqual([]);
    expect((await evoke(who)).content).toEqual({ state: 'unfinished', url: URL_OF_CHECK });
    expect(asked).toEqual([
      {
        clientId: '70021',
        userId: who.suid,
        returnUrl: expect.stringMatching(
          /^http:\/\/watt\.demo\.localhost(:\d+)?\/certifiedReal\?client_id=70021&spec_lang=en$/,
        ),
      },
    ]);
    expect(await rowOf(who)).toMatchObject({ state: 'started', source: 'game:starlane', decided_at: null });
  });

  test('L158 verified: kept with its day and source, never asked again, and the player can pay', async () => {
    const who = await ready();
    answer({ kind: 'unfinished', url: URL_OF_CHECK });
    await evoke(who);
    const asked = answer({ kind: 'verified' });
    expect((await state(who)).content).toEqual({ state: 'verified' });
    expect(await rowOf(who)).toMatchObject({
      state: 'verified',
      source: 'game:starlane',
      decided_at: expect.any(Date),
    });
    answer({ kind: 'refused', reason: 'underage' });
    expect((await state(who)).content).toEqual({ state: 'verified' });
    expect((await evoke(who)).content).toEqual({ state: 'verified', url: '' });
    expect(asked).toHaveLength(1);
    expect((await pay(shop, who)).code).toBe(1);
  });

  test('L158 refused: told so until the player begins anew', async () => {
    const who = await ready();
    answer({ kind: 'unfinished', url: URL_OF_CHECK });
    await evoke(who);
    answer({ kind: 'refused', reason: 'underage' });
    expect((await state(who)).content).toEqual({ state: 'refused' });
    expect((await pay(shop, who)).code).toBe(6001);
    answer({ kind: 'unfinished', url: URL_OF_CHECK });
    expect((await state(who)).content).toEqual({ state: 'refused' });
    expect((await evoke(who)).content).toEqual({ state: 'unfinished', url: URL_OF_CHECK });
  });

  test('L199 a check that cannot be asked is told, and verifies nobody', async () => {
    const who = await ready();
    answer({ kind: 'unknown', reason: 'the game answered 500 to real-name' });
    const answered = await evoke(who);
    expect(answered).toMatchObject({ code: -1060, content: null });
    expect(answered.msg).toContain('go to the first page');
    answer(null);
    expect((await evoke(who)).code).toBe(-1060);
    expect((await pay(shop, who)).code).toBe(6001);
  });

  test.each(['http://id.game.test/start', 'javascript:alert(1)', 'https://a:b@id.game.test/', 'nonsense'])(
    'an address that may not be opened is no address: %s',
    async (url) => {
      answer({ kind: 'unfinished', url });
      expect(await evoke(await ready())).toMatchObject({ code: -1060, content: null });
    },
  );

  test('a client of another brand is no game, and nobody asks without a login', async () => {
    expect((await evoke(await ready(), '99999')).code).toBe(-3001);
    expect((await shop.post('/api/rsys/evoke', { client_id: '70021' }, { brand: 'watt' })).code).toBe(-600);
  });
});
