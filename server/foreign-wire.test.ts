// The specification's own wire, as a program without a browser speaks it: GET for everything, no cookie, no
// header of ours, and the token of the login in the query. At the demonstration's brand that has both legacy flags on,
// with its shipped files.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import { CODES } from '#contracts/errors.ts';
import type { Goods } from '#contracts/catalogue.ts';
import type { GameListItem, PageConfig, RoleItem, ServerItem } from '#contracts/games.ts';
import type { BillingInfo } from '#contracts/orders.ts';
import type { PaymentOption, PayResult } from '#contracts/payments.ts';
import { type Answered, type TestShop, createTestShop, credentials } from '#testing/shop.ts';

let shop: TestShop;
let brand: string;
beforeAll(async () => {
  shop = await createTestShop();
  const found = [...shop.configuration.brands.values()].find(({ file }) => file.legacyGet && file.legacyQueryToken);
  brand = found?.key ?? 'no brand has both legacy flags on';
  shop.game.script.authenticate = (username, password) =>
    password === 'refill-demo' ? { kind: 'ok', userId: `u-${username}`, username } : { kind: 'wrong_credentials' };
});
afterAll(() => shop.close());

/** A call as the specification writes it, and nothing beside it. */
function ask<Content>(path: string, fields: Record<string, string>): Promise<Answered<Content>> {
  return shop.get<Content>(`${path}?${new URLSearchParams(fields).toString()}`, { brand });
}

async function logIn(password: string): Promise<Answered<UserInfo>> {
  const fields = credentials('kestrel', password);
  const games = await ask<{ list: GameListItem[] }>('/api/pay/getGameListV2', {});
  const clientId = Object.values(games.content.list[0]?.sub_game ?? {})[0]?.client_id ?? '';
  return ask<UserInfo>('/util/login/auth', { ...fields, client_id: clientId });
}

test('L139 a program logs in, looks round, pays and asks for its order, all by GET with oauth_token', async () => {
  const list = await ask<{ list: GameListItem[] }>('/api/pay/getGameListV2', { platform: 'web' });
  const [edition] = Object.values(list.content.list[0]?.sub_game ?? {});
  const client_id = edition?.client_id ?? '';
  const place = { client_id, idfv: 'D-1', spec_lang: 'en' };
  const config = await ask<PageConfig>('/api/config/recharge', place);
  expect(config.code).toBe(1);

  const login = await logIn('refill-demo');
  expect(login.code).toBe(1);
  const { oauth_token } = login.content;
  const known = { ...place, oauth_token };

  const servers = await ask<{ servers: ServerItem[] }>('/api/pay/getServerList', known);
  const server_id = servers.content.servers[0]?.value ?? '';
  const roles = await ask<{ list: RoleItem[] }>('/api/pay/getRoleList', { ...known, server_id });
  const role_id = roles.content.list[0]?.value ?? '';
  expect([server_id, role_id]).toEqual(['s1', 'r1']);

  const goods = await ask<{ list: Goods[]; country: string }>('/api/pay/getGoodsList', known);
  const product = goods.content.list.find((one) => !one.isLimit);
  const product_id = product?.value ?? '';
  const limits = await ask('/api/pay/getLimitProductInfo', { ...known, server_id, role_id });
  expect(limits.code).toBe(1);

  const channels = await ask<{ country: string; list: Record<string, PaymentOption[]> }>(
    '/api/pay/getPayChannelList',
    { ...known, product_id, platform: 'web' },
  );
  const option = Object.values(channels.content.list).flat().find((one) => one.pay_path === 'paypal_pay');
  const price = await ask<{ discountPrice: string; price_minor: number }>('/api/pay/calculatePrice', { ...known, product_id });
  expect(price.content.price_minor).toBe(product?.price_minor);

  const pay = await ask<PayResult>(`/api/pay/${option?.pay_path}`, {
    ...known, server_id, role_id, product_id, platform: 'web', game_channel_id: 'web', bcp47_lang: 'en', country: channels.content.country,
    did: 'd-1', session_id: 'v-1', session_time: '1795000000000', traffic_source: 'tube', pay_id: option?.pay_id ?? '',
    channel_id: option?.channel_id ?? '',
  });
  expect(pay).toMatchObject({ status: 200, code: 1, content: { billing_no: expect.any(String), url: expect.stringMatching(/^https:/) } });
  const { billing_no } = pay.content;
  const order = await ask<BillingInfo>('/api/pay/getOrderInfo', { ...known, billing_no, simple: '1' });
  expect(order.content).toMatchObject({ billing_no, status: -1, product_id, client_id });

  // Without the token nobody is there, and a wrong one is nobody as well.
  const { oauth_token: _token, ...nobody } = known;
  for (const token of [undefined, 'rf1_of-nobody', 'made up'])
    expect((await ask('/api/pay/getOrderInfo', { ...nobody, ...(token && { oauth_token: token }), billing_no })).code).toBe(-600);
}); /* a row a line */ // prettier-ignore

test('the token is good for calls under /api/ and for who is logged in, and a wrong password gives none', async () => {
  expect((await logIn('wrong')).code).toBe(CODES.wrongCredentials.code);
  const { oauth_token } = (await logIn('refill-demo')).content;
  expect((await ask('/api/orders/history', { oauth_token })).code).toBe(1);
  expect((await ask('/util/login/get_user_info', { oauth_token })).code).toBe(1);
  expect((await ask('/util/login/sessions', { oauth_token })).code).toBe(-600);
});

test('every other brand of the demonstration keeps the old ways shut', async () => {
  const open = [...shop.configuration.brands.values()].filter(({ file }) => file.legacyGet || file.legacyQueryToken);
  expect(open.map(({ key }) => key)).toEqual([brand]);
});
