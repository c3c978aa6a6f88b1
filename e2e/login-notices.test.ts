// Apple tells the shop that a player has taken back the consent or is gone, through the simulator: what ends, what
// stays, what is not believed.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { walkLogin } from './walk-login.ts';

const CLIENT = '70021';
const WATT = 'example.watt.shop.web';
const WHO = `/util/login/get_user_info?client_id=${CLIENT}`;
const PATH = '/util/login/notice/ios';
type UserInfo = { suid: string; oauth_token: string };
type Browser = { session: string; playerId: string; suid: string };

let dataDir: string;
let simulators: Simulators;
let shop: TestShop;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'refill-notices-'));
  simulators = await startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:1', durable: false });
  shop = await createTestShop({ environment: simulators.environment });
}, 60_000);
afterAll(async () => {
  await shop.close();
  await simulators.close();
  rmSync(dataDir, { recursive: true });
});

/** @param session of whoever links this identity to the account they are logged in to */
async function enter(name: string, session?: string, kind: 'ios' | 'google' = 'ios'): Promise<Browser> {
  const cookies = session ? `; refill-demo=${session}` : '';
  const begin = { kind, client_id: CLIENT, ...(session ? { purpose: 'link' } : {}) };
  const begun = await shop.post<{ url: string }>('/util/login/start', begin, { headers: { cookie: cookies.slice(2) } });
  const attempt = (begun.cookies as { value: string }[])[0]?.value ?? '';
  const { url, form } = await walkLogin(begun.content.url, name);
  const { host, pathname, search } = new URL(url);
  const page = await shop.app.inject({
    method: form ? 'POST' : 'GET',
    url: pathname + search,
    headers: { host, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
    ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
  });
  const block = /<script type="application\/json" id="login">(.*?)<\/script>/s.exec(page.body)?.[1] ?? '';
  const { fields } = (JSON.parse(block) as { message: { fields: object } }).message;
  const headers = { cookie: `refill-demo-login=${attempt}${cookies}` };
  const path = `/util/login/${kind === 'ios' ? 'apple' : 'google'}_auth`;
  const answer = await shop.post<UserInfo>(path, fields, { headers });
  expect(answer.code).toBe(1);
  const token = (answer.cookies as { name: string; value: string }[]).find((one) => one.name === 'refill-demo')?.value;
  const { rows } = await shop.db.query<{ player_id: string }>('select player_id from session where public_id = $1', [
    answer.content.oauth_token,
  ]);
  return { session: token ?? session ?? '', playerId: rows[0]?.player_id ?? '', suid: answer.content.suid };
}

async function sign(notice: object): Promise<string> {
  const answer = await fetch(`${simulators.url}/control/login/apple/notices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: WATT, type: 'consent-revoked', ...notice }),
  });
  return ((await answer.json()) as { payload: string }).payload;
}
const deliver = async (payload: unknown, host = 'watt.demo.localhost') =>
  (
    await shop.app.inject({
      method: 'POST',
      url: PATH,
      headers: { host, 'content-type': 'application/json' },
      payload: JSON.stringify({ payload }),
    })
  ).statusCode;
const tell = async (notice: object, host?: string) => deliver(await sign(notice), host);
const isLive = async ({ session }: Browser) =>
  (await shop.get(WHO, { session: { token: session, brand: 'watt' } as TestPlayer })).code === 1;
const linksOf = async ({ playerId }: Browser) =>
  (
    await shop.db.query<{ provider: string }>('select provider from player_identity where player_id = $1 order by 1', [
      playerId,
    ])
  ).rows.map(({ provider }) => provider);
const later = (minutes: number) => Date.now() + minutes * 60_000;

test.each(['consent-revoked', 'account-delete', 'account-deleted'])(
  '%s ends every session that Apple opened, and the link',
  async (type) => {
    const [first, second] = [await enter(`Gone by ${type}`), await enter(`Gone by ${type}`)];
    const other = await enter(`Stays with ${type}`);
    expect(second.playerId).toBe(first.playerId);
    expect(await tell({ type, name: `Gone by ${type}` })).toBe(200);
    expect([await isLive(first), await isLive(second), await isLive(other)]).toEqual([false, false, true]);
    expect([await linksOf(first), await linksOf(other)]).toEqual([['apple~gone'], ['apple']]);
    const line = JSON.parse(shop.logLines.findLast((one) => one.includes('identity_over')) ?? '{}');
    expect(line).toMatchObject({ security: 'identity_over', event: type, players: [first.playerId], ended: 2 });
  },
);

test('the simulator posts it to a shop that listens, as Apple would', async () => {
  const player = await enter('By Post');
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = shop.app.server.address() as AddressInfo;
  const post = async (notice: object) => {
    const answer = await fetch(`${simulators.url}/control/login/apple/notices`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: WATT,
        type: 'consent-revoked',
        name: 'By Post',
        shop: `http://watt.demo.localhost:${port}`,
        ...notice,
      }),
    });
    return ((await answer.json()) as { status: number | null }).status;
  };
  expect(await post({ fault: 'bad-signature' })).toBe(401);
  expect(await isLive(player)).toBe(true);
  expect(await post({})).toBe(200);
  expect(await isLive(player)).toBe(false);
});

test('what the account is opened by otherwise stays', async () => {
  const google = await enter('Both', undefined, 'google');
  await enter('Both at Apple', google.session);
  const apple = await enter('Both at Apple');
  expect(apple.playerId).toBe(google.playerId);
  expect(await tell({ name: 'Both at Apple' })).toBe(200);
  expect([await isLive(google), await isLive(apple)]).toEqual([true, false]);
  expect(await linksOf(google)).toEqual(['apple~gone', 'google']);
  const { content } = await shop.get<{ linked: { kind: string }[]; free: string[] }>('/util/login/identities', {
    session: { token: google.session, brand: 'watt' } as TestPlayer,
  });
  expect(content.linked.map(({ kind }) => kind)).toEqual(['google']);
  expect(content.free).toContain('ios');
});

test('whoever consents again is the player from before; the old notice, sent again, changes nothing', async () => {
  const before = await enter('Back Again');
  const payload = await sign({ name: 'Back Again', at: later(-5) });
  await shop.db.query(`update session set created_at = created_at - interval '10 minutes' where player_id = $1`, [
    before.playerId,
  ]);
  await shop.db.query(
    `update player_identity set created_at = created_at - interval '10 minutes' where player_id = $1`,
    [before.playerId],
  );
  expect(await deliver(payload)).toBe(200);
  expect(await isLive(before)).toBe(false);

  const after = await enter('Back Again');
  expect([after.playerId, after.suid]).toEqual([before.playerId, before.suid]);
  expect(await linksOf(after)).toEqual(['apple']);
  for (let time = 0; time < 3; time += 1) expect(await deliver(payload)).toBe(200);
  expect(await isLive(after)).toBe(true);
  expect(await linksOf(after)).toEqual(['apple']);
});

test('twice over ends in one link set aside', async () => {
  const first = await enter('Twice Over');
  expect(await tell({ name: 'Twice Over' })).toBe(200);
  const second = await enter('Twice Over');
  expect(await tell({ name: 'Twice Over', at: later(1) })).toBe(200);
  expect(await isLive(second)).toBe(false);
  expect(await linksOf(first)).toEqual(['apple~gone']);
});

test.each(['email-disabled', 'email-enabled'])('%s is heard, and nothing follows', async (type) => {
  const player = await enter(`Mail ${type}`);
  expect(await tell({ type, name: `Mail ${type}` })).toBe(200);
  expect(await isLive(player)).toBe(true);
  expect(await linksOf(player)).toEqual(['apple']);
});

test('about somebody who was never here is no fault', async () => {
  expect(await tell({ name: 'Nobody Knows' })).toBe(200);
});

test.each(['other-audience', 'other-issuer', 'expired', 'bad-signature', 'unsigned'])(
  '%s is not believed',
  async (fault) => {
    const player = await enter('Forged');
    const payload = await sign({ name: 'Forged', fault });
    const lines = shop.logLines.length;
    const answer = await shop.app.inject({
      method: 'POST',
      url: PATH,
      headers: { host: 'watt.demo.localhost', 'content-type': 'application/json' },
      payload: JSON.stringify({ payload }),
    });
    expect([answer.statusCode, answer.body]).toEqual([401, '{}']);
    expect(await isLive(player)).toBe(true);
    expect(await linksOf(player)).toEqual(['apple']);
    const line = shop.logLines.slice(lines).find((one) => one.includes('notice_refused')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ brand: 'watt', provider: 'ios', reason: expect.any(String) });
    expect(line).not.toMatch(/eyJ[\w-]{20}/);
  },
);

test.each([undefined, 7, '', 'x.y.z', 'a'.repeat(9000)])('payload %j is not believed', async (payload) => {
  expect(await deliver(payload)).toBe(401);
});

test('a notice to another brand’s app is that brand’s, at whichever host it comes in', async () => {
  const player = await enter('Of Watt');
  expect(await tell({ name: 'Of Watt', client_id: 'example.branden.shop.web' })).toBe(200);
  expect(await isLive(player)).toBe(true);
  // Apple takes one address for a group of apps.
  expect(await tell({ name: 'Of Watt' }, 'branden.demo.localhost')).toBe(200);
  expect(await isLive(player)).toBe(false);
});

test('Apple’s keys away: it may try again', async () => {
  const fresh = await createTestShop({ environment: simulators.environment });
  try {
    await fetch(`${simulators.url}/control/login/apple/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"on":"jwks","fault":"reset","times":1}',
    });
    const payload = JSON.stringify({ payload: await sign({ name: 'Keys' }) });
    const ask = async () =>
      (
        await fresh.app.inject({
          method: 'POST',
          url: PATH,
          headers: { host: 'watt.demo.localhost', 'content-type': 'application/json' },
          payload,
        })
      ).statusCode;
    expect(await ask()).toBe(503);
    expect(await ask()).toBe(200);
  } finally {
    await fresh.close();
  }
});

test('of companies that tell nothing, of nobody’s host, of the other environment: not found', async () => {
  const ask = async (url: string, host: string) =>
    (
      await shop.app.inject({
        method: 'POST',
        url,
        headers: { host, 'content-type': 'application/json' },
        payload: '{}',
      })
    ).statusCode;
  expect(await ask('/util/login/notice/google', 'watt.demo.localhost')).toBe(404);
  expect(await ask('/util/login/notice/myspace', 'watt.demo.localhost')).toBe(404);
  expect(await ask(PATH, 'nobody.example')).toBe(404);
  expect(await ask(PATH, 'pay.watt.example')).toBe(404);
});

test('where games keep the accounts, the sessions end as well', async () => {
  const player = await enter('Of A Game');
  // As a login there leaves it: no link, and a session that knows what opened it.
  await shop.db.query(`update player_identity set provider = 'game', subject = 'starlane/g-1' where player_id = $1`, [
    player.playerId,
  ]);
  expect(await tell({ name: 'Of A Game' })).toBe(200);
  expect(await isLive(player)).toBe(false);
  expect(await linksOf(player)).toEqual(['game']);
});
