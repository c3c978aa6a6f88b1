// The game server contract over HTTP, as a shop would use it, and the faults a test can order.
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { demoPassword } from './gameserver-calls.ts';
import { callJson, newDataFolder } from './kit/test-harness.ts';
import { type Simulators, startSimulators } from './start.ts';

let simulators: Simulators;
const dataDir = newDataFolder();
const start = () => startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:9' });

beforeAll(async () => {
  simulators = await start();
});
afterAll(() => simulators.close());
afterEach(() => callJson(`${simulators.url}/control/game/faults`, { method: 'DELETE' }));

const setting = (game: string, name: string) => simulators.environment[`REFILL_GAME_${game}_DEMO_${name}`]!;

function call(game: string, verb: string, body: unknown, id = `read-${Math.random()}`, at = new Date()) {
  const text = JSON.stringify(body);
  const signature = new Webhook(setting(game, 'SECRETS')).sign(id, at, text);
  return callJson(`${setting(game, 'URL')}/${verb}`, {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    },
    body: text,
  });
}
const fault = (body: unknown) => callJson(`${simulators.url}/control/game/faults`, { body });
const counters = async () => (await callJson(`${simulators.url}/control/game`)).body;
const inbox = async (query: string) => (await callJson(`${simulators.url}/game/inbox.json?${query}`)).body.grants;

let count = 0;
async function newGrant(user = 'kestrel') {
  const roles = (await call('EMBERFALL', 'roles', { client_id: '70011', user_id: user })).body.roles;
  const role = roles[0];
  return {
    billing_no: `BILL-${++count}`,
    client_id: '70011',
    user_id: user,
    server_id: role.server_id,
    area_id: role.area_id,
    role_id: role.id,
    product_id: 'gems-300',
    quantity: 1,
    gifts: [{ id: 'gems', name: 'Gems', count: 30 }],
    paid: { amount: '4.99', currency: 'USD' },
    sandbox: true,
  };
}
const grant = (body: { billing_no: string }) => call('EMBERFALL', 'grant', body, body.billing_no);

it('refuses what is not signed, signed by another game, or signed six minutes ago', async () => {
  const url = `${setting('EMBERFALL', 'URL')}/servers`;
  expect((await callJson(url, { body: {} })).status).toBe(401);
  const other = new Webhook(setting('STARLANE', 'SECRETS')).sign('x', new Date(), '{}');
  const stamp = String(Math.floor(Date.now() / 1000));
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': stamp, 'webhook-signature': other };
  expect((await callJson(url, { headers, body: '{}' })).status).toBe(401);
  expect((await call('EMBERFALL', 'servers', {}, 'x', new Date(Date.now() - 360_000))).status).toBe(401);
});

it('knows accounts by their password', async () => {
  const answer = async (username: string, password: string) =>
    (await call('STARLANE', 'authenticate', { client_id: '70021', username, password })).body;
  expect(await answer('Kestrel', demoPassword)).toEqual({ status: 'ok', user_id: 'kestrel', username: 'Kestrel' });
  expect((await answer('kestrel', 'guess')).reason).toBe('wrong_credentials');
  expect((await answer('disabled-1', demoPassword)).reason).toBe('disabled');
});

it('knows accounts by an identity of another company', async () => {
  const ask = async (provider: string) =>
    (await call('EMBERFALL', 'identify', { client_id: '70011', provider, subject: '1081' })).body;
  expect(await ask('google')).toEqual({ status: 'ok', user_id: 'google-1081', username: 'Player 1081' });
  expect((await ask('vk')).reason).toBe('unknown_identity');
});

it('shows areas, servers and the demo characters', async () => {
  const all = (await call('EMBERFALL', 'servers', { client_id: '70011' })).body;
  expect([all.areas.length, all.servers.length]).toEqual([3, 12]);
  const asia = (await call('EMBERFALL', 'servers', { client_id: '70011', area_id: 'asia' })).body;
  expect(asia.servers).toHaveLength(4);
  const roles = async (game: string, client_id: string, user_id: string) =>
    (await call(game, 'roles', { client_id, user_id })).body.roles as {
      id: string;
      name: string;
      level: number;
      server_id: string;
    }[];
  expect(await roles('STARLANE', '70021', 'kestrel')).toContainEqual(
    expect.objectContaining({ name: 'Kestrel_07', level: 42, server_id: 's3' }),
  );
  const names = (await roles('EMBERFALL', '70012', 'kestrel')).map((role) => role.name);
  expect(names).toEqual(expect.arrayContaining(['星野ひかり', 'فارس الصحراء']));
  for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) {
    expect(await roles('POCKET_PITCH', '70031', user)).toHaveLength(1);
    const own = await roles('EMBERFALL', '70011', user);
    expect(own).toEqual(await roles('EMBERFALL', '70013', user));
    expect(new Set(own.map((role) => `${role.server_id}|${role.id}`)).size).toBe(own.length);
    expect(await roles('EMBERFALL', '70011', `solo-${user}`)).toHaveLength(1);
    expect(await roles('STARLANE', '70021', `solo-${user}`)).toHaveLength(1);
    expect(await roles('EMBERFALL', '70011', `newcomer-${user}`)).toEqual([]);
  }
});

it('hands over once per key, also over a restart, and shows it in the inbox', async () => {
  const body = await newGrant();
  const answers = await Promise.all([grant(body), grant(body), grant(body)]);
  const receipts = new Set(answers.map((answer) => answer.body.receipt_id));
  expect([receipts.size, [...receipts][0]]).toEqual([1, expect.stringMatching(/^R-/)]);
  await simulators.close();
  simulators = await start();
  expect((await grant(body)).body.receipt_id).toBe([...receipts][0]);
  const found = await inbox(`billing_no=${body.billing_no}`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ role_name: 'Kestrel', product_id: 'gems-300', repeated: 3, gifts: body.gifts });
  const page = await (await fetch(`${simulators.url}/game?user_id=kestrel`)).text();
  expect(page).toContain(body.billing_no);
  expect((await grant({ ...body, product_id: 'gems-9999' } as typeof body)).status).toBe(409);
  expect((await call('EMBERFALL', 'grant', body, 'another-key')).status).toBe(400);
});

it('declines what cannot be delivered, and takes back once', async () => {
  const body = await newGrant();
  expect((await call('EMBERFALL', 'check', body)).body).toEqual({ status: 'ok' });
  expect((await call('EMBERFALL', 'check', { ...body, role_id: '1' })).body.reason).toBe('role_not_found');
  expect((await call('EMBERFALL', 'check', { ...body, product_id: 'forbidden-1' })).body.reason).toBe(
    'product_not_allowed',
  );
  expect((await grant(await newGrant('ghost-1'))).body.reason).toBe('role_not_found');
  const revoke = () =>
    call('EMBERFALL', 'revoke', { billing_no: body.billing_no, reason: 'refund' }, `${body.billing_no}-revoke`);
  expect((await revoke()).body.reason).toBe('not_granted');
  await grant(body);
  expect((await revoke()).body.receipt_id).toBe((await revoke()).body.receipt_id);
  expect((await inbox(`billing_no=${body.billing_no}`))[0].revoked.reason).toBe('refund');
});

it('refuses some players before they pay, and one afterwards', async () => {
  for (const [user, reason] of [
    ['novice-1', 'level_too_low'],
    ['bagfull-1', 'bag_full'],
    ['owner-1', 'already_owned'],
  ] as const) {
    const body = await newGrant(user);
    for (const verb of ['check', 'grant'] as const)
      expect((await call('EMBERFALL', verb, body, body.billing_no)).body).toEqual({ status: 'declined', reason });
  }
  const fickle = await newGrant('fickle-1');
  expect((await call('EMBERFALL', 'check', fickle)).body).toEqual({ status: 'ok' });
  expect((await grant(fickle)).body).toEqual({ status: 'declined', reason: 'level_too_low' });
});

it('fails as told: down, applied but 503, cut in the middle, declined, role gone', async () => {
  const before = (await counters()).applied;
  const refused = await newGrant();
  await fault({ kind: 'down', seconds: 60 });
  expect((await grant(refused)).status).toBe(503);
  await callJson(`${simulators.url}/control/game/faults`, { method: 'DELETE' });

  const lost = await newGrant();
  await fault({ kind: 'applied-but-503', times: 1 });
  expect((await grant(lost)).status).toBe(503);
  expect((await grant(lost)).status).toBe(200);
  const cut = await newGrant();
  await fault({ kind: 'cut', times: 1, bytes: 40 });
  await expect(grant(cut)).rejects.toThrow(/fetch failed|terminated/);
  expect((await grant(cut)).body.status).toBe('ok');
  expect((await counters()).applied).toBe(before + 2);

  const declined = await newGrant();
  await fault({ kind: 'decline', times: 1, reason: 'limit_reached' });
  expect((await grant(declined)).body.reason).toBe('limit_reached');
  await fault({ kind: 'role-gone', role_id: declined.role_id });
  expect((await grant(declined)).body.reason).toBe('role_not_found');
});

it('unblocks once and checks real names', async () => {
  await callJson(`${simulators.url}/control/game/block`, { body: { game: 'starlane', user_id: 'u1' } });
  const player = async () => (await callJson(`${simulators.url}/control/game/player?game=starlane&user_id=u1`)).body;
  expect((await player()).blocked).toBe(true);
  const body = { user_id: 'u1', client_id: '70021', replenish_id: 'RP-1' };
  expect((await call('STARLANE', 'unblock', body, 'RP-1-unblock')).body).toEqual({ status: 'ok' });
  expect((await player()).blocked).toBe(false);
  expect((await call('STARLANE', 'unblock', body, 'another-key')).status).toBe(400);
  const taken = { billing_no: 'B-1', reason: 'chargeback', replenish_id: 'RP-1' };
  expect((await call('STARLANE', 'revoke', taken, 'B-1-revoke')).body).toMatchObject({ status: 'ok' });
  expect((await player()).blocked).toBe(true);
  const never = { ...taken, replenish_id: 'RP-2' };
  expect((await call('STARLANE', 'revoke', never, 'B-1-revoke')).body.reason).toBe('not_unblocked');

  const ask = async () =>
    (await call('STARLANE', 'real-name', { ...body, return_url: 'http://shop.test/certifiedReal' })).body;
  const first = await ask();
  expect(first.verified).toBe(false);
  expect((await fetch(first.url)).status).toBe(200);
  const fields = Object.fromEntries(new URL(first.url).searchParams);
  const pressed = await fetch(`${simulators.url}/game/real-name`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...fields, action: 'verify' }),
  });
  expect(pressed.headers.get('location')).toBe('http://shop.test/certifiedReal');
  expect((await ask()).verified).toBe(true);
});
