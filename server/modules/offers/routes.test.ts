// Offers over HTTP: what is open for a visitor, buying by one, and the signed call by which a game gives one.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Offer } from '#contracts/offers.ts';
import { EMBER_CLIENT, showEmberRole, topUp } from '#testing/events.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let shop: TestShop;
beforeAll(async () => {
  const environment = {
    REFILL_GAME_EMBERFALL_DEMO_URL: 'http://127.0.0.1:1/game',
    REFILL_GAME_EMBERFALL_DEMO_SECRETS: SECRET,
  };
  shop = await createTestShop({ environment });
});
afterAll(() => shop.close());
afterEach(async () => {
  const broken = (await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(JSON.stringify(broken));
});

const list = async (who: TestPlayer | null, query = '', headers = {}) =>
  shop.get<{ now: number; list: Offer[] }>(`/api/offers/list?client_id=${EMBER_CLIENT}&country=US${query}`, {
    session: who,
    headers,
  });
const offerOf = async (who: TestPlayer | null, productId: string, query?: string) =>
  (await list(who, query)).content.list.find(({ product_id: id }) => id === productId);
const pay = (who: TestPlayer, productId: string, over: Record<string, unknown> = {}) =>
  shop.post<{ billing_no: string }>(
    '/api/pay/paypal_pay',
    { client_id: EMBER_CLIENT, server_id: 's1', role_id: 'r1', product_id: productId, country: 'US', ...over },
    { session: who },
  );
async function player(): Promise<TestPlayer> {
  const who = await shop.logIn();
  await showEmberRole(shop.db, who.playerId);
  // An account that the shop keeps: what a game's call finds by the user id.
  await shop.db.query(
    `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', 'builtin', $1, $2)`,
    [who.username, who.playerId],
  );
  return who;
}
const orders = async (who: TestPlayer) =>
  (
    await shop.db.query(
      `select coupon_code, amount_minor::integer as amount, discount_minor::integer as off from orders
        where player_id = $1 order by billing_no`,
      [who.playerId],
    )
  ).rows;

test('strangers see what is on for everybody, in their money and language, with the clock of the server', async () => {
  const { content } = await list(null, '', { 'accept-language': 'ja' });
  expect(Math.abs(content.now - Date.now())).toBeLessThan(5000);
  expect(content.list).toEqual([
    {
      code: expect.stringMatching(/^offer:emberfall\/daily_keys\.\d{4}-\d\d-\d\d:1$/),
      kind: 'timed',
      name: '本日のお買い得',
      product_id: 'ember_keys',
      price: '2.79',
      price_minor: 279,
      price_shown: '$2.79',
      currency: 'USD',
      was_shown: '$3.99',
      off_percent: 30,
      ends_at: expect.any(Number),
    },
  ]);
  expect(content.list[0]?.ends_at).toBeGreaterThan(content.now);
  expect((await list(null, '&domain_area=nowhere')).code).toBe(-3014);
});

test('an order by an offer has its price and its code; a second one is refused, and the offer is gone', async () => {
  const who = await player();
  const offer = await offerOf(who, 'ember_keys');
  const answer = await pay(who, 'ember_keys', { offer_code: offer?.code, price_minor: offer?.price_minor });
  expect(answer.code).toBe(1);
  expect(await orders(who)).toEqual([{ coupon_code: offer?.code, amount: 279, off: 120 }]);
  const other = await player();
  expect((await pay(other, 'ember_keys', { offer_code: offer?.code, price_minor: 278 })).code).not.toBe(1);
  expect(await orders(other)).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ['nonsense', { offer_code: 'offer:emberfall/none:1' }],
  ['a code that is no offer', { offer_code: 'ABCDEF234567' }],
  ['the code of an offer as a coupon', { coupon_code: 'offer:emberfall/@x' }],
  ['an offer beside a coupon', { offer_code: 'offer:emberfall/@x', coupon_code: 'ABCDEF234567' }],
  ['what no purchase has opened', { offer_code: 'offer:emberfall/one_more.2026-11-01:1' }],
  ['a personal offer that was not given', { offer_code: 'offer:emberfall/@x' }],
])('%s is refused like a coupon that does not work', async (_name, codes) => {
  const who = await player();
  expect((await pay(who, 'ember_320', codes)).code).toBe(-3062);
  expect(await orders(who)).toEqual([]);
});

test('one that a purchase opens stands as long as its file says', async () => {
  const who = await player();
  expect(await offerOf(who, 'ember_320')).toBeUndefined();
  await topUp(shop.db, who.playerId, 999, { product_id: 'ember_680' });
  const offer = await offerOf(who, 'ember_320');
  expect(offer).toMatchObject({
    kind: 'after',
    price_shown: '$3.49',
    was_shown: '$4.99',
    name: 'One more, for less',
  });
  expect(Math.round(((offer?.ends_at ?? 0) - Date.now()) / 60_000)).toBe(30);
  expect((await pay(who, 'ember_320', { offer_code: offer?.code, price_minor: 349 })).code).toBe(1);
});

describe('a game gives a personal offer', () => {
  const PATH = `/api/ingame/offers/${EMBER_CLIENT}`;
  const HOST = 'watt.demo.localhost';
  // Once for all calls: a repeated one must be the same, also when a second has gone by between the two.
  const until = Math.floor(Date.now() / 1000) + 3600;
  const wanted = (who: TestPlayer, over: Record<string, unknown> = {}) => ({
    to: `${HOST}${PATH}`,
    user_id: who.suid,
    username: who.username,
    offer_id: 'back',
    product_id: 'ember_pass',
    prices: { USD: '0.50' },
    until,
    name: { en: 'Welcome back', ja: 'おかえりなさい' },
    ...over,
  });
  const call = async (body: object, { secret = SECRET, path = PATH, atMs = Date.now() } = {}) => {
    const payload = JSON.stringify(body);
    const id = `offer-${randomUUID()}`;
    const at = new Date(Math.floor(atMs / 1000) * 1000);
    const answer = await shop.app.inject({
      method: 'POST',
      url: path,
      headers: {
        host: HOST,
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(at.getTime() / 1000),
        'webhook-signature': new Webhook(secret).sign(id, at, payload),
      },
      payload,
    });
    return { status: answer.statusCode, body: answer.body.startsWith('{') ? answer.json() : answer.body };
  };
  const audited = async (who: TestPlayer) =>
    (await shop.db.query(`select actor, act from audit_entry where details ->> 'player' = $1`, [who.playerId])).rows;

  test('the player sees and buys it; the grant is in the audit, once', async () => {
    const who = await player();
    const code = 'offer:emberfall/@back';
    expect(await call(wanted(who))).toEqual({ status: 200, body: { status: 'ok', offer: code, is_new: true } });
    expect(await call(wanted(who))).toEqual({ status: 200, body: { status: 'ok', offer: code, is_new: false } });
    expect(await call(wanted(who, { prices: { USD: '0.40' } }))).toMatchObject({ status: 409 });
    expect(await audited(who)).toEqual([{ actor: 'game:emberfall', act: 'offer-give' }]);
    const [first] = (await list(who)).content.list;
    expect(first).toMatchObject({ code, kind: 'personal', name: 'Welcome back', price_shown: '$0.50' });
    expect(await offerOf(await player(), 'ember_pass')).toBeUndefined();
    expect((await pay(who, 'ember_pass', { offer_code: code, price_minor: 50 })).code).toBe(1);
    expect(await orders(who)).toMatchObject([{ coupon_code: code, amount: 50 }]);
  });

  test('50 equal calls at once give it once', async () => {
    const who = await player();
    const body = wanted(who);
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(body)));
    expect(answers.filter(({ body: { is_new: isNew } }) => isNew)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await audited(who)).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>, number, string]>([
    ['a product that is not there', { product_id: 'ember_none' }, 200, 'unknown_product'],
    ['a price that is none', { prices: { USD: '0' } }, 200, 'bad_price'],
    ['a price that is not below its own', { prices: { USD: '99.99' } }, 200, 'bad_price'],
    ['a currency that it is not sold in', { prices: { USD: '0.50', XYZ: '1' } }, 200, 'bad_price'],
    ['more decimals than there are', { prices: { JPY: '1.5' } }, 200, 'bad_price'],
    ['an end that has passed', { until: 1_600_000_000 }, 200, 'over'],
    ['an end too far away', { until: 4_000_000_000 }, 200, 'too_long'],
    ['a user that the shop does not know', { user_id: 'nobody' }, 200, 'unknown_user'],
    ['no offer_id', { offer_id: undefined }, 400, 'body'],
    ['an offer_id that is none', { offer_id: '@back' }, 400, 'body'],
    ['another address', { to: `product.demo.localhost${PATH}` }, 401, 'to'],
  ])('%s is refused', async (_name, over, status, reason) => {
    const who = await player();
    expect(await call(wanted(who, over))).toMatchObject({ status, body: { reason } });
    expect(await audited(who)).toEqual([]);
  });

  test('the signature must be that of the game, and new', async () => {
    const who = await player();
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    expect(await call(wanted(who), { secret: other })).toMatchObject({ status: 401, body: { reason: 'signature' } });
    expect(await call(wanted(who), { atMs: Date.now() - 301_000 })).toMatchObject({ status: 401 });
    // Starlane has no secret here, and 99999 is nobody's.
    expect(await call(wanted(who), { path: '/api/ingame/offers/70021' })).toMatchObject({ status: 401 });
    expect(await call(wanted(who), { path: '/api/ingame/offers/99999' })).toMatchObject({ status: 404 });
  });
});
