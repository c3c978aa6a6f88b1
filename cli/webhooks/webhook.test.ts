// `refill webhooks` as an operator types it, with a receiver on this machine.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { lookAtWebhooks } from '#cli/doctor/look-at-webhooks.ts';
import { runCommand } from '#cli/test-run.ts';

let db: Db;
let drop: () => Promise<void>;
let url: string;
let server: Server;
let host: string;
let answer = 200;
const received: { headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  ({ db, drop, url } = await openTestDatabase(3));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(answer).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await drop();
});

const settings = () => ({
  DATABASE_URL: url,
  REFILL_KEY_SECRETS: 'a-root-of-secrets-that-is-long-enough-1',
  REFILL_WEBHOOK_PRIVATE_HOSTS: host,
});
const refill = (...args: string[]) => runCommand(['webhooks', ...args], settings());
const refillJson = async (...args: string[]) => JSON.parse((await refill(...args, '--json')).out);
const acts = async () =>
  (await db.query('select act from audit_entry order by id')).rows.map(({ act }) => act as string);

test('an endpoint is added, tried, rotated, listed and removed, each act with its line', async () => {
  const made = await refillJson('add', `http://${host}/hook`, '--types', 'order.refunded', '--by', 'anna');
  expect(made).toMatchObject({ types: ['order.refunded'], secret: expect.stringMatching(/^whsec_/) });
  expect(await refill('test', made.endpoint_id)).toMatchObject({ code: 0, out: 'It was taken: 200.\n' });
  const { headers, body } = received.at(-1)!;
  expect(new Webhook(made.secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });
  answer = 500;
  expect(await refill('test', made.endpoint_id)).toMatchObject({ code: 1, err: expect.stringContaining('500') });
  const { secret } = await refillJson('rotate', made.endpoint_id);
  expect(secret).not.toBe(made.secret);
  expect((await refill('list')).out).toMatch(new RegExp(`${made.endpoint_id} .*/hook .*order.refunded .* ok `));
  // Neither the secrets nor what they are known by.
  expect(JSON.stringify(await refillJson('list'))).not.toMatch(/whsec_|hash/);
  expect(await refill('enable', made.endpoint_id)).toMatchObject({ code: 3 });
  expect((await refill('remove', made.endpoint_id)).out).toContain('is removed');
  expect(await acts()).toEqual(['webhook-add', 'webhook-rotate', 'webhook-remove']);
});

test('the doctor says which endpoint cannot be signed for, is disabled, or takes nothing', async () => {
  const secrets = ['a-root-of-secrets-that-is-long-enough-1'];
  const said = async (roots: string[]) => (await lookAtWebhooks(db, roots)).map(({ state }) => state);
  expect(await said(secrets)).toEqual([]);
  const { endpoint_id: id } = await refillJson('add', `http://${host}/hook`);
  expect([await said(secrets), await said([])]).toEqual([['ok'], ['fault']]);
  await db.query('update webhook_endpoint set failing_since = now()');
  expect(await said(secrets)).toEqual(['warning']);
  await db.query('update webhook_endpoint set disabled_at = now()');
  expect((await lookAtWebhooks(db, secrets))[0]).toMatchObject({ remedy: expect.stringContaining(`enable ${id}`) });
  await refill('remove', id);
});

test('messages are paged and replayed', async () => {
  const { endpoint_id: id } = await refillJson('add', `http://${host}/hook`);
  await db.query(
    `insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data,
     state, tries, next_at, created_at)
     select gen_random_uuid(), 'msg_' || lpad(n::text, 32, '0'), $1, 'order.refunded', 'O' || n, '{}', 'dead', 11,
       now(), now() - make_interval(mins => n)
     from generate_series(1, 5) n`,
    [id],
  );
  const orders = (page: { messages: { billing_no: string }[] }) => page.messages.map(({ billing_no }) => billing_no);
  const first = await refillJson('deliveries', id, '--limit', '2');
  expect(orders(first)).toEqual(['O1', 'O2']);
  const second = await refillJson('deliveries', id, '--limit', '2', '--before', first.next);
  expect(orders(second)).toEqual(['O3', 'O4']);
  expect(await refillJson('deliveries', id, '--limit', '2', '--before', second.next)).toMatchObject({ next: null });
  expect((await refill('deliveries', id, '--before', 'x')).err).toContain('--before "x"');
  expect((await refill('replay', id)).err).toContain('Say which');
  expect((await refill('replay', id, '--message', `msg_${'3'.padStart(32, '0')}`)).out).toBe(
    '1 messages go out again.\n',
  );
  expect((await refill('replay', id, '--since', '2026-01-01')).out).toBe('4 messages go out again.\n');
  expect(await refillJson('deliveries', id, '--state', 'dead')).toMatchObject({ messages: [] });
});

test.each([
  ['a private address', ['add', 'https://10.0.0.7/hook'], 'no public address'],
  ['plain http', ['add', 'http://crm.example.com/hook'], 'https'],
  ['an unknown event', ['add', 'https://crm.example.com/', '--types', 'order.lost'], '--types "order.lost"'],
  ['an unknown endpoint', ['test', 'WE-1'], 'There is no endpoint WE-1'],
])('%s is refused with a sentence', async (_what, args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});

test('without the setting no endpoint is added', async () => {
  const { REFILL_KEY_SECRETS: _gone, ...others } = settings();
  const run = await runCommand(['webhooks', 'add', 'https://crm.example.com/'], others);
  expect(run).toMatchObject({ code: 1, err: expect.stringContaining('REFILL_KEY_SECRETS is not set') });
});
