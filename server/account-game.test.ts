// An account of one game is one at that game alone, where the games of a brand keep the accounts: over all routes that
// name a client.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { Route } from '#contracts/route.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { WITH_TENDERS, issueTestCards } from '#testing/cards.ts';
import { PAY_BODY } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop, credentials } from '#testing/shop.ts';

const [EMBERFALL, STARLANE, VANGUARD] = ['70013', '70020', '70021'];
const brand = 'dragon';
let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ ...WITH_TENDERS, brands: { watt: { games: ['starlane', 'emberfall'] } } });
});
afterAll(() => shop.close());
afterEach(() => shop.game.reset());

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'input' in value;
const rooms: object[] = await Promise.all(
  readdirSync('contracts').map((name) => import(/* @vite-ignore */ resolve('contracts', name)) as Promise<object>),
);
const routes = rooms
  .flatMap((room) => Object.values(room))
  .flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  .flatMap((one) => (isRoute(one) ? [one] : Array.isArray(one) ? one.filter(isRoute) : []));
type Keys = Record<string, { type?: string; pattern?: string; minLength?: number; enum?: string[] }>;
const keysOf = ({ input }: Route) => (input as unknown as { properties: Keys }).properties;
const required = ({ input }: Route) => (input as unknown as { required?: string[] }).required ?? [];
const CLIENT_KEYS = ['client_id', 'rp_client_id'];
const clientKeyOf = (route: Route) => CLIENT_KEYS.find((key) => key in keysOf(route));
const ofClient = routes.filter(clientKeyOf);

/** A call that the route's schema takes, at this client. */
function inputAt(route: Route, client: string): Record<string, unknown> {
  const keys = keysOf(route);
  const sample = (key: string) =>
    keys[key]?.enum?.[0] ?? (keys[key]?.type === 'integer' ? 1 : 'x'.repeat(Math.max(1, keys[key]?.minLength ?? 1)));
  const known = Object.fromEntries(required(route).map((key) => [key, sample(key)]));
  return { ...known, [clientKeyOf(route) ?? '']: client };
}

function ask(route: Route, client: string, session: TestPlayer | null) {
  const input = inputAt(route, client);
  const who = session ? { session } : { brand };
  return route.kind === 'read'
    ? shop.get(`${route.path}?${new URLSearchParams(input as Record<string, string>)}`, who)
    : shop.post(route.path, input, who);
}

test('there are such routes, and every one of the pay calls is among them', () => {
  expect(ofClient.length).toBeGreaterThan(40);
  expect(ofClient.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/api/pay/paypal_pay', '/api/system/allRoleList', '/api/rsys/evoke', '/util/login/unlink']),
  );
});

const named = (access: Route['access']) =>
  ofClient.filter((route) => route.access === access).map((route) => [route.path, route] as const);

describe.each(named('player'))('%s', (_path, route) => {
  test.each([STARLANE, VANGUARD])('knows nobody of emberfall at %s, and asks the game nothing', async (client) => {
    const player = await shop.logIn({ brand, gameId: 'emberfall' });
    const before = structuredClone(shop.game.calls);
    expect(await ask(route, client, player)).toMatchObject({ status: 200, code: -600, content: null });
    expect(shop.game.calls).toEqual(before);
  });

  test('knows its own: at the game of the account, and at all games where the shop keeps the accounts', async () => {
    const own = await shop.logIn({ brand, gameId: 'emberfall' });
    expect((await ask(route, EMBERFALL, own)).code).not.toBe(-600);
    const subGame = await shop.logIn({ brand, gameId: 'starlane' });
    for (const client of [STARLANE, VANGUARD]) expect((await ask(route, client, subGame)).code).not.toBe(-600);
    const ofShop = await shop.logIn({ brand: 'watt' });
    for (const client of [EMBERFALL, VANGUARD]) expect((await ask(route, client, ofShop)).code).not.toBe(-600);
  });
});

test.each(named('anyone'))('%s answers an account of another game as a visitor', async (_path, route) => {
  const player = await shop.logIn({ brand, gameId: 'emberfall' });
  const seen = async (session: TestPlayer | null) => {
    const { code, text } = await ask(route, VANGUARD, session);
    // A login that begins has a state of its own each time.
    return route.kind === 'read' ? text.replaceAll(/"now":\d+/g, '') : code;
  };
  expect(await seen(player)).toBe(await seen(null));
});

/** A browser that has logged in by password, at the game of this client. */
async function logInAt(client: string, name: string): Promise<TestPlayer> {
  shop.game.script.authenticate = (username) => ({ kind: 'ok', userId: `g-${username}`, username });
  const answer = await shop.post<UserInfo>('/util/login/auth', credentials(name, 'secret', client), { brand });
  expect(answer.code).toBe(1);
  return { brand, token: answer.cookies[0]?.value ?? '', suid: answer.content.suid } as TestPlayer;
}
const rolesAt = (client: string, session: TestPlayer) =>
  shop.get<{ list: unknown[] } | null>(`/api/system/allRoleList?client_id=${client}`, { session });

test('a password of one game opens no character of the same user id in another', async () => {
  const there = await logInAt(EMBERFALL, 'wolf');
  const here = await logInAt(VANGUARD, 'wolf');
  expect(there.suid).toBe(here.suid);
  expect([(await rolesAt(VANGUARD, here)).code, (await rolesAt(VANGUARD, there)).code]).toEqual([1, -600]);
  expect([(await rolesAt(EMBERFALL, here)).code, (await rolesAt(EMBERFALL, there)).code]).toEqual([-600, 1]);
  const buy = (session: TestPlayer) =>
    shop.post('/api/pay/paypal_pay', { ...PAY_BODY, client_id: VANGUARD, product_id: 'star_cadet' }, { session });
  // Once per account stays once per account, whichever game the player came in by.
  expect([(await buy(there)).code, (await buy(here)).code]).toEqual([-600, 1]);
  const { rows } = await shop.db.query('select suid, player_id from orders where suid = $1', [here.suid]);
  expect(rows).toHaveLength(1);
});

test('the account goes on at its own game after a look at another', async () => {
  const player = await logInAt(EMBERFALL, 'lynx');
  const who = (client: string) =>
    shop.get<UserInfo>(`/util/login/get_user_info?client_id=${client}`, { session: player });
  expect((await who(VANGUARD)).code).toBe(-600);
  expect((await who(EMBERFALL)).content).toMatchObject({ suid: player.suid });
});

test('a token that a call names is as good as a cookie, and no better', async () => {
  const old = await createTestShop({ brands: { [brand]: { legacyGet: true, legacyQueryToken: true } } });
  old.game.script.authenticate = (username) => ({ kind: 'ok', userId: 'g-1', username });
  const login = new URLSearchParams(credentials('kite', 'secret', EMBERFALL));
  const { content } = await old.get<UserInfo>(`/util/login/auth?${login}`, { brand });
  const roles = (client: string) =>
    old.get(`/api/system/allRoleList?client_id=${client}&oauth_token=${content.oauth_token}`, { brand });
  expect([(await roles(EMBERFALL)).code, (await roles(VANGUARD)).code]).toEqual([1, -600]);
  await old.close();
});

test('a card opens its account at the game of that account alone', async () => {
  const player = await shop.logIn({ brand, gameId: 'emberfall' });
  const [card] = await issueTestCards(shop.db, 1, { brand_key: brand as BrandKey }, { issuedTo: player.playerId });
  if (!card) throw new Error('no card');
  const { username: card_number, password: card_password } = credentials(card.cardId, card.password);
  const open = (client_id: string) =>
    shop.post('/util/login/card_auth', { card_number, card_password, client_id }, { brand });
  expect([(await open(VANGUARD)).code, (await open(EMBERFALL)).code]).toEqual([-1042, 1]);
});

test('a session of a brand that kept the accounts itself before is one at no game', async () => {
  const player = await shop.logIn({ brand, gameId: 'emberfall' });
  await shop.db.query('delete from player_identity where player_id = $1', [player.playerId]);
  expect((await rolesAt(EMBERFALL, player)).code).toBe(-600);
  expect((await rolesAt('no-such-client', player)).code).toBe(-3001);
});
