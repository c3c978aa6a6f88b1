// `refill serve` as a process: every fault in one list, a clean start when they are mended, and no stack in between.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { applyConfiguration } from '#server/modules/configuration/service.ts';
import { openDb } from '#server/platform/database/db.ts';
import { DEMO_SETTINGS } from '#server/platform/settings/published.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { openTestDatabase } from '#testing/database.ts';
import { runCommand } from './test-run.ts';

const root = join(import.meta.dirname, '..');
let url: string;
let folder: string;

beforeAll(async () => {
  const database = await openTestDatabase(2);
  url = database.url;
  await applyConfiguration(database.db, root, { providers: shopProviders });
  folder = await mkdtemp(join(tmpdir(), 'refill-serve-'));
  return async () => {
    await rm(folder, { recursive: true });
    await database.drop();
  };
});

type Ended = { code: number | null; out: string; err: string };

function run(args: readonly string[], variables: Record<string, string>): { process: ChildProcess; seen: Ended } {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), 'serve', ...args], {
    cwd: root,
    env: { PATH, HOME, REFILL_LOG: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen: Ended = { code: null, out: '', err: '' };
  child.stdout.on('data', (text) => void (seen.out += text));
  child.stderr.on('data', (text) => void (seen.err += text));
  return { process: child, seen };
}

async function end(args: readonly string[], variables: Record<string, string>): Promise<Ended> {
  const { process: child, seen } = run(args, variables);
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...seen, code };
}

const GAMES = ['STARLANE', 'EMBERFALL', 'POCKET_PITCH'];
const KEYS: Record<string, string> = {
  STARLANE: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  EMBERFALL: 'whsec_Zk1rT3hBd0dQc2VLbVl2UjdIYkNuRHE5',
  POCKET_PITCH: 'whsec_cTlEbkNiSDdSdlltS2VzUEdkd0F4T3JrMUY=',
};

/** Live settings with which nothing is wrong. */
const good = (): Record<string, string> => ({
  DATABASE_URL: url,
  REFILL_ENVIRONMENT: 'live',
  REFILL_SHOP: folder,
  REFILL_WALLET_LIVE_CREDIT_KEY: 'q8Xz1LrW0vYc5TnB7mKd3GhJ9pAs2EfU',
  REFILL_CARD_LIVE_PEPPER: 'b7mKd3GhJ9pAs2EfUq8Xz1LrW0vYc5Tn',
  ...Object.fromEntries(
    GAMES.flatMap((game) => [
      [`REFILL_GAME_${game}_LIVE_URL`, 'https://game.publisher.example/refill'],
      [`REFILL_GAME_${game}_LIVE_SECRETS`, KEYS[game] ?? ''],
    ]),
  ),
});

test('lists every fault at once, opens nothing and exits with 1; mended, it starts and ends cleanly', async () => {
  const bad = {
    ...good(),
    REFILL_POOL: 'many',
    REFILL_TRUSTED_PROXIES: '0.0.0.0/0',
    REFILL_ROEL: 'web',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    REFILL_WALLET_LIVE_CREDIT_KEY: DEMO_SETTINGS.REFILL_WALLET_DEMO_CREDIT_KEY,
    REFILL_GAME_STARLANE_LIVE_SECRETS: 'changeme',
    REFILL_GAME_EMBERFALL_LIVE_URL: 'http://game.publisher.example',
    REFILL_GAME_POCKET_PITCH_LIVE_URL: '',
    REFILL_PAYPAL_LIVE_API_BASE: 'https://api-m.sandbox.paypal.com',
  };
  const refused = await end(['--role', 'worker'], bad);
  expect(refused).toMatchObject({ code: 1, out: '' });
  const lines = refused.err.split('\n').filter((line) => line.startsWith('  - '));
  for (const name of Object.keys(bad).filter((key) => bad[key as keyof typeof bad] !== good()[key]))
    expect(lines.filter((line) => line.includes(name))).toHaveLength(1);
  expect(lines.find((line) => line.includes('POCKET_PITCH'))).toMatch(/^ {2}- game pocket-pitch lacks its address/);
  expect(refused.err).toMatch(/^Refill does not start: 9 faults\.$/m);
  expect(refused.err).not.toMatch(/^\s+at /m);
  expect(refused.err).not.toContain('changeme');

  const { process: worker, seen } = run(['--role', 'worker'], {
    ...good(),
    REFILL_CALLBACK_RECORD: '/dev/null/refill',
  });
  await expect.poll(() => seen.out + seen.err, { timeout: 30_000 }).toContain('"ready":true');
  // A worker listens nowhere, so it names no address.
  const ready = seen.out.split('\n').find((line) => line.includes('"ready"')) ?? '';
  expect(JSON.parse(ready)).toEqual({ ready: true, role: 'worker', environment: 'live' });
  // It carries out erasures, and a restored backup is recovered by texts that it seals.
  for (const setting of ['REFILL_CALLBACK_RECORD', 'REFILL_KEY_SECRETS'])
    expect(seen.out).toContain(`"setting":"${setting}"`);
  worker.kill('SIGTERM');
  expect(await once(worker, 'close')).toEqual([0, null]);
});

test('a wrong option is told by its own name, and no setting has a fault and a warning at once', async () => {
  const stray = await mkdtemp(join(tmpdir(), 'refill-serve-'));
  onTestFinished(() => rm(stray, { recursive: true }));
  await writeFile(join(stray, '.env'), 'FOO BAR\n');
  const refused = await end(['--role', 'bar'], {
    ...good(),
    REFILL_SHOP: stray,
    REFILL_ROLE: 'foo',
    REFILL_TRUSTED_PROXIES: '0.0.0.0/0',
  });
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^ {2}- --role is "bar": /m);
  expect(refused.err).not.toContain('REFILL_ROLE');
  expect(refused.err).toMatch(/^ {2}- \S+\/\.env:1 sets nothing: /m);
  expect(refused.err.split('\n').filter((line) => line.includes('REFILL_TRUSTED_PROXIES'))).toEqual([
    expect.stringMatching(/^ {2}- REFILL_TRUSTED_PROXIES has "0\.0\.0\.0\/0", which /),
  ]);
});

test("a worker shows its health and answers signed calls on the operator's port, and calls webhooks", async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  let called = '';
  const receiver = createHttpServer((call, answer) => {
    called = String(call.headers['webhook-id']);
    answer.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  onTestFinished(() => void receiver.close());
  const hook = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const settings = {
    ...good(),
    REFILL_OPERATOR_PORT: String(port),
    REFILL_KEY_SECRETS: 'Wn4vH9cRk2TzQ7mYb1XsL6dJ0fGp8EaU',
    REFILL_WEBHOOK_PRIVATE_HOSTS: hook,
  };
  const { process: shop, seen } = run(['--role', 'worker'], settings);
  await expect.poll(() => seen.out + seen.err, { timeout: 30_000 }).toContain('"ready":true');
  const refill = async (...args: string[]) => JSON.parse((await runCommand([...args, '--json'], settings)).out);
  const get = async (path: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    return [statusCode, ((await body.json()) as { status: string }).status];
  };
  expect(await get('/healthz')).toEqual([200, 'alive']);
  expect(await get('/readyz')).toEqual([200, 'ready']);
  expect(await get('/healthz/details')).toEqual([200, 'ok']);

  const { key_id: keyId, secret } = await refill('key', 'create', 'helpdesk', '--scopes', 'read');
  const target = '/admin/v1/me';
  const now = new Date();
  const signature = new Webhook(secret).sign('call-0001', now, `GET 127.0.0.1${target}\n`);
  const { statusCode, body } = await request(`http://127.0.0.1:${port}${target}`, {
    headers: {
      'refill-key': keyId,
      'webhook-id': 'call-0001',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signature,
    },
  });
  expect([statusCode, await body.json()]).toMatchObject([200, { name: 'helpdesk', scopes: ['read'] }]);

  const { endpoint_id: endpoint } = await refill('webhooks', 'add', `http://${hook}/`);
  const db = openDb(url, { max: 1, onError: () => undefined });
  await db.query(
    `insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
     values (gen_random_uuid(), 'msg_1', $1, 'order.delivered', 'O1', '{}', now())`,
    [endpoint],
  );
  await db.end();
  await expect.poll(() => called, { timeout: 15_000 }).toBe('msg_1');
  shop.kill('SIGTERM');
  expect(await once(shop, 'close')).toEqual([0, null]);
});

test('says in one sentence what is missing where nothing is set, and what a wrong role is', async () => {
  const nothing = await end([], { PORT: '0' });
  expect(nothing).toMatchObject({ code: 1, out: '' });
  expect(nothing.err).toContain('  - DATABASE_URL is missing: give one, e.g. postgres://user@host/refill.\n');
  expect(nothing.err).toContain(
    '  - REFILL_ENVIRONMENT is missing: say which side this process serves, demo or live.\n',
  );
  const role = await end(['--role', 'boss'], good());
  expect(role.err).toContain('  - --role is "boss": it must be one of all, web, worker.\n');
});

test('an unreachable database is waited for, told in the log, and then one sentence', async () => {
  const lost = await end(['--role', 'worker'], {
    ...good(),
    DATABASE_URL: 'postgres://shop:hunter2@127.0.0.1:1/refill',
    REFILL_DATABASE_WAIT: '1',
  });
  expect(lost.code).toBe(1);
  expect(lost.out).toContain('"msg":"the database cannot be reached; trying again"');
  expect(lost.err).toMatch(
    /^Refill does not start: one fault\.\n {2}- DATABASE_URL leads to a database at 127\.0\.0\.1:1 /,
  );
  expect(lost.out + lost.err).not.toContain('hunter2');
  expect(lost.err).not.toMatch(/^\s+at /m);
});

test('a port in use is one sentence and the end, though parts have started, and leaves no process noted', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const db = openDb(url, { max: 1, onError: () => undefined });
  onTestFinished(() => db.end());
  const listNoted = async () => (await db.query('select process_id from running_process order by 1')).rows;
  const noted = await listNoted();
  const settings = { ...good(), REFILL_OPERATOR_PORT: String(port), REFILL_LOG: 'error' };
  const refused = await end(['--role', 'worker'], settings);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toBe(
    `Refill does not start: one fault.\n  - REFILL_OPERATOR_PORT ${port} is in use: ` +
      'stop what listens there, or choose another.\n',
  );
  expect(await listNoted()).toEqual(noted);
});

test('a demonstration on the same settings is no live shop: it lists unknown names and types only', async () => {
  const demo = await end(['--role', 'worker'], {
    DATABASE_URL: url,
    REFILL_ENVIRONMENT: 'demo',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    REFILL_GAME_STARLANE_DEMO_SECRETS: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:9',
    REFILL_ROEL: 'web',
  });
  expect(demo.code).toBe(1);
  expect(demo.err).toContain('  - REFILL_ROEL is no setting: did you mean REFILL_ROLE?\n');
  for (const name of ['NODE_TLS', 'STARLANE']) expect(demo.err).not.toContain(name);
});
