// The wire of the specification: every path of its section 7 is called over HTTP, and its envelope, code and fields are
// judged. A path that is missing fails here.
import { type Dispatcher, Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { EMBER_CLIENT, showEmberRole, topUp } from '#testing/events.ts';
import { createFakeProvider } from '#testing/fake-payments.ts';
import { findPayable } from '#testing/payables.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { openTestReplenish } from '#testing/replenish.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import {
  type Made,
  PAY_CALLS,
  PAY_EXTRAS,
  TRACKING,
  type WireCall,
  cardConfirm,
  dataCalls,
  loginCalls,
} from './wire-calls.ts';

const PROVIDERS =
  'paypal adyen xsolla codapay pagsmile razer naver alipay payermax travellet pingpong ebanx funtap mycard ' +
  'airwallex welcome kakao';
const PASSWORD = 'correct horse';
/** @source specification section 5: trimmed, with a random prefix of three characters, encoded */
const encode = (prefix: string, value: string) => Buffer.from(`${prefix}${value}`).toString('base64url');
const LOGIN = { username: encode('aB3', 'Wire'), password: encode('x9Z', PASSWORD) };
/** Ours, for a login by a company that comes to nothing. */
const LOGIN_FAILED = -1041;

let shop: TestShop;
let http: Pool;
let who: TestPlayer;
let made: Made;
let lastCard: string;
beforeAll(async () => {
  shop = await createTestShop({
    ...WITH_TENDERS,
    providers: [...PROVIDERS.split(' ').map((name) => createFakeProvider(name)), ...(WITH_TENDERS.moreProviders ?? [])],
    environment: {
      ...WITH_TENDERS.environment,
      ...Object.fromEntries(
        PROVIDERS.split(' ').map((name) => [`REFILL_${name.toUpperCase()}_DEMO_KEY`, `${name}-sandbox`]),
      ),
    },
  });
  http = new Pool(await shop.app.listen({ port: 0, host: '127.0.0.1' }));
  await shop.services.accounts.saveAccount({
    brandKey: 'watt' as never,
    username: 'Wire',
    suid: 'wire',
    password: PASSWORD,
  });
  who = await shop.logIn();
  await showRoles(shop, who);
  await showEmberRole(shop.db, who.playerId);
  await topUp(shop.db, who.playerId, 2100);
  const goods = { game_id: 'starlane', product_id: 'star_540', gems_number: 540, extra_gems: 54 };
  const [card, last] = await issueTestCards(shop.db, 2, goods);
  if (!card || !last) throw new Error('no cards');
  lastCard = cardInfo(last.cardId, last.password);
  const event = await call(
    { method: 'GET', path: '/api/cumulative/cumulativeActivityInfo', input: { client_id: EMBER_CLIENT } },
    who,
  );
  const open = at(event.content, 'list.0') as { activity_id: string; gifts: { gift_id: string }[] };
  made = {
    role: { server_id: 's1', role_id: 'r1' },
    billingNo: (await pay(shop, who)).content.billing_no,
    replenishId: await openTestReplenish(shop, who),
    coupon: await giveTestCoupon(shop.db, who.playerId, { isClaimable: true }),
    cardInfo: cardInfo(card.cardId, card.password),
    event: { activity_id: open.activity_id, gift_id: open.gifts[0]?.gift_id ?? '' },
  };
});
afterAll(async () => {
  await http.close();
  await shop.close();
});

type Body = { code: number; msg: string; content: unknown };

async function call(
  { method, path, input }: { method: 'GET' | 'POST'; path: string; input: object },
  session: TestPlayer | null,
  brand = 'watt',
): Promise<Body> {
  const query =
    method === 'GET'
      ? `?${new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))}`
      : '';
  const options: Dispatcher.RequestOptions = {
    method,
    path: `${path}${query}`,
    headers: {
      host: `${brand.toLowerCase()}.demo.localhost`,
      'accept-language': 'en',
      ...(session && { cookie: `refill-demo=${session.token}` }),
      ...(method === 'POST' && {
        'content-type': 'application/json',
        'x-refill': '1',
        'sec-fetch-site': 'same-origin',
      }),
    },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  };
  const { statusCode, body } = await http.request(options);
  const text = await body.text();
  const read = JSON.parse(text) as Body;
  const isEnvelope = Object.keys(read).join() === 'code,msg,content' && Number.isInteger(read.code);
  if (!isEnvelope || typeof read.msg !== 'string' || statusCode >= 500)
    throw new Error(`${path} answers ${statusCode}, not in the envelope: ${text.slice(0, 300)}`);
  return read;
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, key) => (found as Record<string, unknown> | null)?.[key], value);

/** Compares the wire with the specification. */
async function judge(one: WireCall) {
  const stranger = one.needsPlayer ? (await call(one, null)).code : null;
  const { code, msg, content } = await call(one, one.needsPlayer ? who : null);
  const missing = one.fields.filter((field) => at(content, field) === undefined);
  const found = { path: one.path, stranger, code, missing, answer: missing.length > 0 ? JSON.stringify(content) : '' };
  const said = {
    path: one.path,
    stranger: one.needsPlayer ? -600 : null,
    code: one.code ?? 1,
    missing: [],
    answer: '',
  };
  return { found: found.code === said.code ? found : { ...found, msg }, said };
}

const nothing: Made = {
  role: { server_id: '', role_id: '' },
  billingNo: '',
  replenishId: '',
  coupon: '',
  cardInfo: '',
  event: { activity_id: '', gift_id: '' },
};
const logins = loginCalls(LOGIN, LOGIN_FAILED);

describe('L139 all calls of section 7 on the wire', () => {
  test.each(dataCalls(nothing).map(({ line, path }, index) => [line, path, index] as const))(
    '%s %s',
    async (_line, _path, index) => {
      const { found, said } = await judge(dataCalls(made)[index] as WireCall);
      expect(found).toEqual(said);
    },
  );

  test('L177 /api/pay/card_confirm', async () => {
    const { found, said } = await judge(cardConfirm(made, lastCard));
    expect(found).toEqual(said);
  });

  test.each(logins.map((one) => [one.line, one.path, one] as const))('%s %s', async (_line, _path, one) => {
    const { found, said } = await judge(one);
    expect(found).toEqual(said);
  });

  test.each(PAY_CALLS.map(({ name, path }) => [path, name] as const))('L173 L174 %s', async (path, name) => {
    const { brand, clientId, body } = findPayable(shop, name);
    const input = { ...body, ...PAY_EXTRAS };
    expect((await call({ method: 'POST', path, input }, null, brand)).code).toBe(-600);
    const payer = await shop.logIn({ brand });
    await shop.get(`/api/system/allRoleList?client_id=${clientId}`, { session: payer });
    await prepare(payer, name);
    const [card] =
      name === 'card_pay' ? await issueTestCards(shop.db, 1, { face_minor: 100_000, brand_key: brand }) : [];
    const whole = card ? { ...input, card_info: cardInfo(card.cardId, card.password) } : input;
    const answer = await call({ method: 'POST', path, input: whole }, payer, brand);
    expect(answer).toMatchObject({ code: 1, content: { billing_no: expect.stringMatching(/^[0-9A-Z]{26}$/) } });
    expect(at(answer.content, 'url')).toBeTypeOf('string');
  });

  test.each(TRACKING.map((one) => [one.line, one.path, one] as const))('%s %s', async (_line, path, { input }) => {
    expect((await call({ method: 'POST', path, input }, null)).code).toBe(1);
  });

  test('L139 each of them is in the OpenAPI document too', () => {
    const { paths = {} } = shop.app.swagger() as { paths?: object };
    const named = [...dataCalls(nothing), ...logins, cardConfirm(nothing, ''), ...PAY_CALLS].map(({ path }) => path);
    expect(new Set(named).size).toBe(66);
    expect(named.filter((path) => !(path in paths))).toEqual([]);
  });
});

/** Prepares a purchase beside the login: the age where it is asked, a balance where it pays. */
async function prepare(payer: TestPlayer, name: string): Promise<void> {
  const said = { birth_year: 1990, birth_month: 3 };
  await shop.post('/api/spending/declareAge', said, { session: payer });
  await shop.db.query(
    `insert into real_name (player_id, state, source, decided_at) values ($1, 'verified', 'test', now())`,
    [payer.playerId],
  );
  if (name === 'platform_pay') await giveTestBalance(shop.db, payer.playerId, 100_000);
}
