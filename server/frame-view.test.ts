// The view in a frame of a game's page: its document, its session by Bearer alone, super mode, and a code for another
// device.
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BootData } from '#contracts/boot.ts';
import type { FrameSession } from '#contracts/links.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { PAY_BODY, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { createApp } from './app.ts';
import { redeemLinkKeys } from './modules/accounts/links/link-routes.ts';
import { issueBetaKey, revokeBetaKey } from './platform/http/beta.ts';
import { gatherBootData } from './shell/boot-data.ts';
import { openFrame } from './shell/frame-view.ts';
import { registerShell } from './shell/routes.ts';
import { assets } from './shell/test-boot.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PARENT = 'http://localhost:8081';
const HOST = 'watt.demo.localhost';
const VIEW = '/userCenter?visit=sdk&client_id=70021';
const FRAMED = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' };
const HOLDER = { username: 'Ticket Holder', suid: 'game-user-77' };

let shop: TestShop;
let app: FastifyInstance;
beforeAll(async () => {
  shop = await createTestShop({
    environment: {
      REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:1/game',
      REFILL_GAME_STARLANE_DEMO_SECRETS: SECRET,
      REFILL_GAME_POCKET_PITCH_DEMO_URL: 'http://127.0.0.1:1/game',
      REFILL_GAME_POCKET_PITCH_DEMO_SECRETS: SECRET,
      REFILL_DEMO_EMBED_PARENTS: PARENT,
    },
    brands: { product: { legacyQueryToken: true } },
  });
  const { services } = shop;
  app = await createApp({
    ...services,
    mountStorefront: async (instance) =>
      registerShell(instance, {
        assets: () => assets,
        bootFor: (request) =>
          gatherBootData(
            services,
            { messagesOf: () => ({ messages: {}, messagesUrls: {} }), readPicture: async () => ({ url: '/logo.svg' }) },
            request,
          ),
        takeKeys: (request, reply, keys, path) =>
          redeemLinkKeys(services, services.loginLinks, { request, reply }, keys, path),
        openFrame: (request, keys) => openFrame(services, request, keys),
      }),
  });
  await app.ready();
  for (const brandKey of ['watt', 'joynet', 'product'] as BrandKey[])
    await services.accounts.saveAccount({ brandKey, ...HOLDER, password: 'correct horse' });
});
afterAll(async () => {
  await app.close();
  await shop.close();
});
beforeEach(() => shop.db.query('delete from rate_limit'));

let messages = 0;
/** A call that a game's server signs. */
async function ask<Answer = { ticket: string; code: string; url: string; oauth_token: string; reason?: string }>(
  more: object = {},
  { host = HOST, client = '70021' } = {},
): Promise<Answer> {
  messages += 1;
  const [id, at] = [`msg_frame_${messages}`, new Date()];
  const path = `/service/tickets/${client}`;
  const body = JSON.stringify({ to: host + path, user_id: HOLDER.suid, username: HOLDER.username, ...more });
  const answer = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      host,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, body),
    },
    payload: body,
  });
  return answer.json<Answer>();
}

const open = (url: string, headers: Record<string, string> = {}, host = HOST) =>
  app.inject({ url, headers: { host, accept: 'text/html', ...headers } });
/** A call of a page of ours, as in a frame: no cookie. */
const call = async <Content = unknown>(
  url: string,
  body: object,
  headers: Record<string, string> = {},
  host = HOST,
) => {
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: {
      host,
      'content-type': 'application/json',
      'x-refill': '1',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: JSON.stringify(body),
  });
  const { code, content, msg } = answer.json<{ code: number; content: Content; msg: string }>();
  return { status: answer.statusCode, code, content, msg, cookies: answer.cookies };
};
const enter = (body: object, headers: Record<string, string> = {}, host = HOST) =>
  call<FrameSession>('/util/login/frame_auth', { client_id: '70021', ...body }, headers, host);
const who = async (token: string, headers: Record<string, string> = {}) =>
  (
    await app.inject({
      url: '/util/login/get_user_info?client_id=70021',
      headers: { host: HOST, authorization: `Bearer ${token}`, ...headers },
    })
  ).json<{ content: { username: string } | null }>().content?.username ?? null;
const bootOf = (html: string): BootData =>
  JSON.parse(/<script id="boot"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? '{}') as BootData;

describe('the document', () => {
  test('L30 L134 keeps its ticket for the page to exchange: no 303 in a frame, no cookie, nobody by the cookie', async () => {
    const { ticket } = await ask();
    const other = await shop.logIn();
    const answer = await open(`${VIEW}&ticket=${ticket}`, { ...FRAMED, cookie: `refill-demo=${other.token}` });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(answer.headers['content-security-policy']).toContain(`frame-ancestors ${PARENT};`);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const boot = bootOf(answer.body);
    expect(boot).toMatchObject({ user: null, frameParents: [PARENT] });
    expect(answer.body).not.toContain(ticket);
    expect((await enter({ ticket })).content.user.username).toBe(HOLDER.username);
  });

  test('is for the view alone: any other page in a frame takes the ticket as ever, and is framed by nobody', async () => {
    const { ticket } = await ask();
    const answer = await open(`/my?ticket=${ticket}`, FRAMED);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login-link']);
    const plain = await open('/selectGoods', FRAMED);
    expect(plain.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(bootOf(plain.body).frameParents).toEqual([]);
  });

  test('outside of a frame the view takes it by a redirect, and asks who comes from elsewhere', async () => {
    const first = await open(`${VIEW}&ticket=${(await ask()).ticket}`, {
      'sec-fetch-site': 'none',
      'sec-fetch-dest': 'document',
    });
    expect([first.statusCode, first.headers.location]).toEqual([303, VIEW]);
    const second = await open(`${VIEW}&ticket=${(await ask()).ticket}`, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'document',
    });
    expect(second.headers.location).toBe('/login-link');
  });
});

describe('the session', () => {
  test('L134 comes of the ticket, once, as a Bearer token and never as a cookie', async () => {
    const { ticket } = await ask();
    const entered = await enter({ ticket });
    expect(entered).toMatchObject({ code: 1, cookies: [], content: { user: { ...HOLDER, gp_id: '70021' } } });
    expect(entered.content.user.oauth_token).not.toBe(entered.content.token);
    expect(await who(entered.content.token)).toBe(HOLDER.username);
    expect((await enter({ ticket })).code).toBe(-600);
  });

  test('eight pages at once: one gets in', async () => {
    const { ticket } = await ask();
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await enter({ ticket })).code));
    expect(codes.filter((code) => code === 1)).toHaveLength(1);
  });

  test('a second ticket ends the session before it', async () => {
    const first = (await enter({ ticket: (await ask()).ticket })).content.token;
    const second = await enter({ ticket: (await ask()).ticket }, { authorization: `Bearer ${first}` });
    expect([await who(first), await who(second.content.token)]).toEqual([null, HOLDER.username]);
  });

  test('is bound as the ticket: it pays for its character, without any cookie', async () => {
    const { ticket } = await ask({ server_id: 's1', role_id: 'r1' });
    const { token } = (await enter({ ticket })).content;
    await showRoles(shop, { brand: 'watt', token } as TestPlayer);
    const headers = { authorization: `Bearer ${token}` };
    expect((await call('/api/pay/paypal_pay', { ...PAY_BODY, role_id: 'r2' }, headers)).code).toBe(-1006);
    expect((await call('/api/pay/paypal_pay', PAY_BODY, headers)).code).toBe(1);
  });

  test.each([
    ['no ticket', () => ({})],
    ['a wrong one', () => ({ ticket: `rt1_${'A'.repeat(43)}` })],
    ['the token of a browser', async () => ({ oauth_token: (await shop.logIn()).token })],
  ])('is not opened by %s', async (_name, body) => {
    expect((await enter(await body())).code).toBe(-600);
  });

  test('of another brand it is none, and the ticket stays good at its own', async () => {
    const { ticket } = await ask();
    expect((await enter({ ticket }, {}, 'joynet.demo.localhost')).code).toBe(-600);
    expect((await enter({ ticket })).code).toBe(1);
  });

  test('a page of another site cannot exchange one', async () => {
    const { ticket } = await ask();
    expect((await enter({ ticket }, { 'sec-fetch-site': 'cross-site' })).code).not.toBe(1);
    expect((await enter({ ticket })).code).toBe(1);
  });

  test('L134 an oauth_token of the address opens one as well, where the brand hands some out', async () => {
    const host = 'product.demo.localhost';
    const { oauth_token } = await ask({ kind: 'token' }, { host });
    const entered = await enter({ oauth_token }, {}, host);
    expect(entered).toMatchObject({ code: 1, content: { user: HOLDER } });
    expect(entered.content.token).not.toBe(oauth_token);
  });
});

test('L65 super mode in a frame: the page names the key in its calls, and the session hangs on it', async () => {
  const { id, key } = await issueBetaKey(shop.db, { brandKey: 'watt' as BrandKey, label: 'test', days: 1, by: 'test' });
  const { ticket } = await ask();
  const document = await open(`${VIEW}&ticket=${ticket}&beta_key=${key}`, FRAMED);
  expect(bootOf(document.body)).toMatchObject({ isBeta: true, user: null });
  expect(document.body).not.toContain(key);
  const named = { 'x-refill-beta': key };
  const { token } = (await enter({ ticket }, named)).content;
  expect([await who(token, named), await who(token)]).toEqual([HOLDER.username, null]);
  await revokeBetaKey(shop.db, 'watt' as BrandKey, id);
  expect(await who(token, named)).toBeNull();
});

describe('a code for another device', () => {
  const enterCode = async (code: string, more: { address?: string; cookie?: string; host?: string } = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/util/login/code_auth',
      remoteAddress: more.address ?? '198.51.100.7',
      headers: {
        host: more.host ?? HOST,
        'content-type': 'application/json',
        'x-refill': '1',
        'sec-fetch-site': 'same-origin',
        ...(more.cookie ? { cookie: more.cookie } : {}),
      },
      payload: JSON.stringify({ code }),
    });
    const question = answer.cookies.find(({ name }) => name === 'refill-demo-link')?.value ?? '';
    return { ...answer.json<{ code: number; content: { to: string } | null }>(), question, cookies: answer.cookies };
  };
  const choose = (question: string, choice: string, cookie = '') =>
    app.inject({
      method: 'POST',
      url: '/login-link',
      headers: {
        host: HOST,
        cookie: `refill-demo-link=${question}; ${cookie}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `choice=${choice}`,
    });

  test('is told with a link that keeps it behind #, and is good for five minutes', async () => {
    const answer = await ask<{ code: string; url: string; expires_in: number }>({ kind: 'code' });
    expect(answer).toMatchObject({ status: 'ok', expires_in: 300 });
    expect(answer.code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(answer.url).toBe(`http://${HOST}:8080/code?client_id=70021#${answer.code.replace('-', '')}`);
    await shop.db.query(`update login_link set expires_at = expires_at - interval '301 seconds' where used_at is null`);
    expect((await enterCode(answer.code)).code).toBe(-1002);
  });

  test('asks before anybody is logged in, then opens one session bound to the character, once', async () => {
    const { code } = await ask({ kind: 'code', server_id: 's1', role_id: 'r1' });
    const asked = await enterCode(` ${code.toLowerCase()} `);
    expect(asked).toMatchObject({ code: 1, content: { to: '/login-link' } });
    expect(asked.cookies.map(({ name }) => name)).toEqual(['refill-demo-link']);
    const page = await open('/login-link', { cookie: `refill-demo-link=${asked.question}` });
    expect(page.body).toContain(HOLDER.username);
    const answer = await choose(asked.question, 'switch');
    expect(answer.headers.location).toBe('/?client_id=70021');
    const token = answer.cookies.find(({ name }) => name === 'refill-demo')?.value ?? '';
    const { rows } = await shop.db.query('select kind, bound from session order by created_at desc limit 1');
    expect(rows).toEqual([{ kind: 'sdk', bound: { client_id: '70021', server_id: 's1', role_id: 'r1' } }]);
    expect(await who(token)).toBe(HOLDER.username);
    expect((await enterCode(code)).code).toBe(-1002);
    expect((await choose(asked.question, 'switch')).cookies.find(({ name }) => name === 'refill-demo')).toBeUndefined();
  });

  test('"not my account" opens nothing', async () => {
    const { question } = await enterCode((await ask({ kind: 'code' })).code);
    const answer = await choose(question, 'stay');
    expect(answer.cookies.find(({ name }) => name === 'refill-demo')).toBeUndefined();
  });

  test('of another brand it is none', async () => {
    const { code } = await ask({ kind: 'code' });
    expect((await enterCode(code, { host: 'joynet.demo.localhost' })).code).toBe(-1002);
    expect((await enterCode(code)).code).toBe(1);
  });

  test('ten wrong ones from an address, and not even the right one is taken there; elsewhere it is', async () => {
    const { code } = await ask({ kind: 'code' });
    for (let guess = 0; guess < 10; guess += 1) expect((await enterCode('BCDF-GHJK')).code).toBe(-1002);
    expect((await enterCode(code)).code).toBe(-1003);
    expect((await enterCode(code, { address: '203.0.113.5' })).code).toBe(1);
    expect(shop.logLines.join('')).toContain('login_link_refused');
  });

  test('and by an account, whatever address it comes from', async () => {
    const { code } = await ask({ kind: 'code' });
    const guesser = await shop.logIn();
    const cookie = `refill-demo=${guesser.token}`;
    for (let guess = 0; guess < 10; guess += 1)
      await enterCode('BCDF-GHJK', { address: `203.0.113.${guess + 10}`, cookie });
    expect((await enterCode(code, { address: '203.0.113.99', cookie })).code).toBe(-1003);
    expect((await enterCode(code, { address: '203.0.113.99' })).code).toBe(1);
  });

  test('what cannot be a code counts for nothing', async () => {
    for (let slip = 0; slip < 12; slip += 1) expect((await enterCode('hello')).code).toBe(-1002);
    expect((await enterCode((await ask({ kind: 'code' })).code)).code).toBe(1);
  });

  test('is given by games alone that show codes', async () => {
    expect(await ask({ kind: 'code' }, { client: '70031' })).toEqual({
      status: 'declined',
      reason: 'code_not_allowed',
    });
  });

  test('whoever is logged in as its player already stays', async () => {
    const first = await enterCode((await ask({ kind: 'code' })).code);
    const token = (await choose(first.question, 'switch')).cookies.find(({ name }) => name === 'refill-demo')?.value;
    const again = await enterCode((await ask({ kind: 'code' })).code, { cookie: `refill-demo=${token}` });
    expect(again.content).toEqual({ to: '/?client_id=70021' });
  });

  test('never stands in a log line', async () => {
    const { code } = await ask({ kind: 'code' });
    await enterCode(code);
    expect(shop.logLines.join('')).not.toContain(code.replace('-', ''));
  });
});
