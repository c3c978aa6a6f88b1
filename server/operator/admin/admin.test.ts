// The admin API as another system calls it: who may, what is answered, what is written down; and that no shop has it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_ERRORS, FORM_FAULTS, adminRoutes, type Scope } from '#contracts/admin.ts';
import { readMoneyReport } from '#server/modules/orders/operator/money-report-store.ts';
import { createOperatorServer } from '#server/operator/operator-server.ts';
import { callBack, eventOn, placeOrder, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import type { AdminDeps } from './admin-handlers.ts';
import { adminPart } from './admin-part.ts';
import { revokeKey } from './key-store.ts';
import { makeKey, signedText } from './keys.ts';

const SECRETS = 'a-root-of-secrets-that-is-long-enough-1';
type Key = { key_id: string; secret: string };
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
type Over = {
  key?: Key;
  id?: string;
  at?: number;
  host?: string;
  signedTarget?: string;
  body?: object | string;
  signature?: string;
  remoteAddress?: string;
};

let shop: TestShop;
let app: FastifyInstance;
let keys: Record<Scope, Key>;
let calls = 0;
const now = Date.now();

async function newKey(name: string, scope: Scope): Promise<Key> {
  const made = await makeKey(shop.db, [SECRETS], { name, scopes: [scope], days: 90, by: 'anna' });
  if (!made || made === 'taken') throw new Error(`no key ${name}`);
  return { key_id: made.keyId, secret: made.secret };
}

/** The operator's port with this part alone. */
function portWith(deps: AdminDeps): FastifyInstance {
  return createOperatorServer(shop.services, [adminPart(deps)]);
}

beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_KEY_SECRETS: SECRETS }, now: () => now });
  app = portWith(shop.services);
  keys = {
    read: await newKey('reader', 'read'),
    support: await newKey('helpdesk', 'support'),
    finance: await newKey('books', 'finance'),
    admin: await newKey('boss', 'admin'),
  };
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

/** Signs as docs/admin-api.md says, and answers status and JSON. */
async function call(method: Method, path: string, over: Over = {}) {
  const { key = keys.admin, host = 'refill.internal', at = now } = over;
  calls += 1;
  const id = over.id ?? `call-${String(calls).padStart(6, '0')}`;
  const target = `/admin/v1${path}`;
  const body = over.body === undefined ? '' : typeof over.body === 'string' ? over.body : JSON.stringify(over.body);
  const text = signedText({ method, host, target: over.signedTarget ?? target }) + body;
  const answer = await app.inject({
    method,
    url: target,
    headers: {
      host: 'Refill.internal:9400',
      'content-type': 'application/json',
      'refill-key': key.key_id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': over.signature ?? new Webhook(key.secret).sign(id, new Date(at), text),
    },
    ...(body === '' ? {} : { payload: body }),
    ...(over.remoteAddress ? { remoteAddress: over.remoteAddress } : {}),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
const get = (path: string, over?: Over) => call('GET', path, over);
const post = (path: string, body: object | undefined, over: Over = {}) =>
  call('POST', path, body === undefined ? over : { ...over, body });
const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code;
const audits = async (act: string) =>
  (await shop.db.query('select actor, billing_no, details from audit_entry where act = $1 order by id', [act])).rows;

const cursor = (at: string) => Buffer.from(`${at}/x`).toString('base64url');

async function paidOrder() {
  const order = await placeOrder(shop);
  await callBack(shop, eventOn(order, 'paid'));
  return order;
}

describe('who may call', () => {
  test('a signed call is answered, with the key as it is', async () => {
    expect(await get('/me', { key: keys.read })).toMatchObject({
      status: 200,
      body: { name: 'reader', scopes: ['read'] },
    });
  });

  test.each<[string, () => Over]>([
    ['another secret', () => ({ key: { ...keys.admin, secret: keys.read.secret } })],
    ['an unknown key', () => ({ key: { ...keys.admin, key_id: `AK-${'0'.repeat(26)}` } })],
    ['no key', () => ({ key: { ...keys.admin, key_id: '' } })],
    ['another host', () => ({ host: 'other.internal' })],
    ['another path', () => ({ signedTarget: '/admin/v1/audit' })],
    ['a time six minutes ago', () => ({ at: now - 360_000 })],
    ['a time six minutes ahead', () => ({ at: now + 360_000 })],
    ['no signature', () => ({ signature: '' })],
    ['a short id', () => ({ id: 'x' })],
  ])('refuses %s', async (what, over) => {
    const answer = await get('/me', { ...over(), remoteAddress: `10.9.0.${what.length}` });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
  });

  test('refuses a body that was changed on the way', async () => {
    const order = await paidOrder();
    const id = 'changed-body-1';
    const text = signedText({
      method: 'POST',
      host: 'refill.internal',
      target: `/admin/v1/orders/${order.billingNo}/refund`,
    });
    const signature = new Webhook(keys.admin.secret).sign(id, new Date(now), `${text}{"reason":"a"}`);
    expect(await post(`/orders/${order.billingNo}/refund`, { reason: 'b' }, { id, signature })).toMatchObject({
      status: 401,
    });
    expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'paid' });
  });

  test('a revoked or expired key opens nothing, and neither does one made of a secret that is gone', async () => {
    const key = await newKey('short', 'read');
    expect((await get('/me', { key })).status).toBe(200);
    expect(await revokeKey(shop.db, key.key_id)).toBe('short');
    expect((await get('/me', { key })).status).toBe(401);
    const old = await newKey('short', 'read');
    await shop.db.query(`update admin_key set expires_at = now() where key_id = $1`, [old.key_id]);
    expect((await get('/me', { key: old })).status).toBe(401);
    const foreign = await newKey('foreign', 'read');
    await shop.db.query(`update admin_key set secret_hash = '\\x00' where key_id = $1`, [foreign.key_id]);
    expect((await get('/me', { key: foreign })).status).toBe(401);
  });

  test('only a call that the key signed is its last call', async () => {
    const key = await newKey('quiet', 'read');
    const isSeen = async () =>
      (await shop.db.query('select seen_at is not null as seen from admin_key where key_id = $1', [key.key_id])).rows;
    expect(codeOf(await get('/me', { key, signature: 'v1,AAAA' }))).toBe('unauthorized');
    expect(await isSeen()).toEqual([{ seen: false }]);
    expect((await get('/me', { key })).status).toBe(200);
    expect(await isSeen()).toEqual([{ seen: true }]);
  });

  test('the database keeps no secret', async () => {
    const { rows } = await shop.db.query('select to_jsonb(k)::text as row from admin_key k');
    expect(rows.length).toBeGreaterThanOrEqual(4);
    for (const { secret } of Object.values(keys)) expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
  });

  test.each<[Scope, string, number]>([
    ['read', '/reviews', 200],
    ['support', '/reviews', 200],
    ['finance', '/reviews', 200],
    ['read', '/reports/revenue?since=2026-01-01&until=2027-01-01', 403],
    ['support', '/reports/revenue?since=2026-01-01&until=2027-01-01', 403],
    ['finance', '/reports/revenue?since=2026-01-01&until=2027-01-01', 200],
    ['admin', '/reports/revenue?since=2026-01-01&until=2027-01-01', 200],
    ['finance', '/audit', 403],
    ['admin', '/audit', 200],
  ])('the scope %s at %s: %i', async (scope, path, status) => {
    expect((await get(path, { key: keys[scope] })).status).toBe(status);
  });

  test('support may not refund, also not by a review, and finance may not block', async () => {
    const order = await paidOrder();
    const on = `/orders/${order.billingNo}`;
    expect(codeOf(await post(`${on}/refund`, { reason: 'x' }, { key: keys.support }))).toBe('forbidden');
    expect(codeOf(await post(`${on}/review`, { decision: 'refund' }, { key: keys.support }))).toBe('forbidden');
    const blocked = await post(`/players/${order.player.playerId}/block`, { reason: 'x' }, { key: keys.finance });
    expect(codeOf(blocked)).toBe('forbidden');
  });

  test('guesses from one address are stopped for a minute, and nobody who signs well with them', async () => {
    const guess = () => get('/me', { signature: 'v1,AAAA', remoteAddress: '10.9.9.9' });
    const answers = [];
    for (let n = 0; n < 32; n += 1) answers.push((await guess()).status);
    expect([answers[0], answers.at(-1)]).toEqual([401, 429]);
    expect((await get('/me', { remoteAddress: '10.9.9.9' })).status).toBe(200);
  });
});

describe('questions', () => {
  test('orders by number, part, reference, player, amount, brand, country, and time; pages by cursor', async () => {
    const order = await paidOrder();
    const found = async (query: string) =>
      ((await get(`/orders?${query}`)).body.items as { billing_no: string }[]).map((one) => one.billing_no);
    const { billingNo, player } = order;
    for (const query of [`number=${billingNo}`, `number=${billingNo.slice(-9)}`, `number=${billingNo.slice(0, 20)}`,
      `provider_ref=${order.reference}`, `player=${player.username}`, `player=${player.suid}`, `player_id=${player.playerId}`])
      expect([query, await found(query)]).toEqual([query, [billingNo]]);
    const day = new Date().toISOString().slice(0, 10);
    for (const query of ['amount_minor=99&currency=USD', 'brand=watt', 'country=US', 'state=paid', `since=${day}`])
      expect([query, (await found(query)).includes(billingNo)]).toEqual([query, true]);
    for (const query of [`number=${billingNo}&brand=ko`, `player=${player.suid}&state=failed`, `number=${billingNo}&until=2020-01-01`])
      expect([query, await found(query)]).toEqual([query, []]);
    const seen: string[] = [];
    let next = '';
    do {
      const { body } = await get(`/orders?brand=watt&limit=2${next && `&cursor=${next}`}`);
      seen.push(...body.items.map((one: { billing_no: string }) => one.billing_no));
      next = body.next;
    } while (next);
    expect(seen).toEqual(await found('brand=watt'));
    expect(seen.length).toBeGreaterThan(2);
  }); /* a row a line */ // prettier-ignore

  test('a brand or country that is configured no longer is found by its orders', async () => {
    const { billingNo } = await paidOrder();
    await shop.db.query(`update orders set brand_key = 'gone', country = 'QX' where billing_no = $1`, [billingNo]);
    for (const query of ['brand=gone', 'country=QX', 'country=qx'])
      expect([query, (await get(`/orders?${query}`)).body.items]).toMatchObject([query, [{ billing_no: billingNo }]]);
    for (const query of ['country=AQ', 'country=GLOBAL', 'brand=watt&until=2020-01-01'])
      expect([query, await get(`/orders?${query}`)]).toMatchObject([query, { status: 200, body: { items: [] } }]);
  });

  test('the order whole, without secrets; none is a word for programs', async () => {
    const order = await paidOrder();
    const { body } = await get(`/orders/${order.billingNo}`);
    expect(body).toMatchObject({
      order: { state: 'paid' },
      attempts: [{ attempt_no: 1 }],
      timeline: expect.any(Array),
    });
    expect(await get(`/orders/${'0'.repeat(26)}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });

  test("a player's page says what belongs to them, masked; each look leaves a line", async () => {
    const order = await paidOrder();
    const { playerId, suid } = order.player;
    await shop.db.query(
      `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', 'google', $1, $2)`,
      [`10987654-${suid}`, playerId],
    );
    const { body } = await get(`/players/${playerId}`, { key: keys.support });
    expect(body).toMatchObject({
      player_id: playerId, user_id: suid, brand_key: 'watt', blocked_at: null, sessions: 1,
      accounts: expect.arrayContaining([expect.objectContaining({ provider: 'google', account: '10***' })]),
      characters: expect.arrayContaining([expect.objectContaining({ role_id: 'r1' })]),
      orders: [{ billing_no: order.billingNo }], balances: [], caps: [], coupons: [], paused_until: null,
    });
    expect(JSON.stringify(body)).not.toContain('10987654');
    expect(await audits('player-read')).toEqual([{ actor: 'key:helpdesk', billing_no: null, details: { player: playerId } }]);
    shop.logLines.length = 0;
    expect(codeOf(await get(`/players/${playerId}`, { key: keys.read }))).toBe('forbidden');
    expect(shop.logLines.map((line) => JSON.parse(line))).toMatchObject([{ security: 'admin_forbidden', key: 'reader', scope: 'support' }]);
    expect((await get(`/players?brand=watt&ref=${suid}`)).body.items).toMatchObject([{ player_id: playerId, user_id: suid }]);
    expect(codeOf(await get('/players?brand=nobody&ref=x'))).toBe('not_found');
  }); /* a row a line */ // prettier-ignore

  test('the report is the one of the command', async () => {
    const [since, until] = ['2020-01-01', '2099-01-01'];
    const { body } = await get(`/reports/revenue?since=${since}&until=${until}&by=brand`);
    const by = ['brand', 'currency'] as const;
    const rows = await readMoneyReport(shop.db, { kind: 'revenue', since, until, zone: 'UTC', by, brand: null });
    expect(body).toEqual({ by, rows, behind_seconds: null });
  });

  test.each([
    ['/orders?limit=500', 'query.limit: it must be a number from 1 to 200'],
    ['/orders?plaeyr=x', 'query.plaeyr: a parameter of this name is not known; known are number, player, '],
    ['/orders?whsec_%2Bs3cret=x', 'query: a parameter of this name is not known; known are number, player, '],
    ['/me?x=1', 'query.x: a parameter of this name is not known; this call takes none'],
    ['/orders?since=tuesday', 'query.since: it is no day or moment; write e.g. 2026-11-28 or 2026-11-28T10:00:00Z'],
    ['/orders?since=0000-01-01', 'query.since: it is no day or moment'],
    ['/orders?brand=', 'query.brand: it is empty'],
    ['/orders?brand=%20', 'query.brand: it is empty'],
    [`/orders?player=${'x'.repeat(201)}`, 'query.player: it is longer than 200 characters'],
    ['/orders?brand=watt&brand=ko', 'query.brand: it is given more than once'],
    ['/orders?player=%00', 'query.player: it has a character that cannot be stored'],
    ['/players?brand=watt&ref=a%00', 'query.ref: it has a character that cannot be stored'],
    ['/orders?player=%ff', 'query: it is not percent-encoded as UTF-8'],
    ['/orders?player=100%', 'query: it is not percent-encoded as UTF-8'],
    ['/orders?player_id=x', 'query.player_id: it is no id of a player'],
    ['/orders?amount_minor=0.99&currency=USD', 'query.amount_minor: it must be a whole number of minor units'],
    ['/orders?amount_minor=99&currency=usd', 'query.currency: it is no currency; write e.g. USD'],
    ['/players?brand=watt', 'query.ref: it is missing'],
    ['/reports/fees', 'query.since: it is missing'],
    ['/reports/fees?since=0000-01-01&until=2026-01-02', 'query.since: it is no day; write e.g. 2026-11-28'],
    ['/reports/fees?since=2026-1-1&until=2026-01-02', 'query.since: it is no day; write e.g. 2026-11-28'],
    [`/orders?cursor=${cursor('2026-99-99 10:00:00+00')}`, 'query.cursor'],
    [`/reviews?cursor=${cursor('2026-02-30 10:00:00+00')}`, 'query.cursor'],
    [`/reviews?cursor=${cursor('2026-02-03 10:00:00+99')}`, 'query.cursor'],
    ['/orders?state=lost', 'query.state'],
    ['/orders?amount_minor=99', 'query.amount_minor'],
    ['/orders?cursor=abcdefgh', 'query.cursor'],
    ['/orders?since=2026-02-30', 'query.since: it is no day or moment'],
    ['/orders?since=2026-11-02&until=2026-11-01', 'query.until: it must be after query.since'],
    ['/orders?since=2026-11-02&until=2026-11-02', 'query.until: it must be after query.since'],
    ['/orders?since=2026-11-02T00:00:00Z&until=2026-11-02T08:00:00%2B09:00', 'query.until: it must be after'],
    ['/orders?brand=foo', 'query.brand: there is no such brand; known are '],
    ['/orders?country=xx', 'query.country: there is no such country'],
    ['/orders?country=United', 'query.country: there is no such country'],
    ['/orders?currency=XYZ&amount_minor=1', 'query.currency'],
    [
      '/reports/revenue?since=2026-01-01&until=2026-01-02&brand=nope',
      'query.brand: there is no such brand; known are ',
    ],
    ['/reports/fees?since=2026-01-02&until=2026-01-01', 'query.until: it must be after query.since'],
    ['/reports/fees?since=2026-01-02&until=2026-01-02', 'query.until: it must be after query.since'],
    ['/reports/fees?since=2026-01-02&until=2026-02-30', 'query.until: it is no day'],
    ['/orders?until=2026-13-01T00:00:00Z', 'query.until'],
    ['/orders?number=abc', 'query.number: it is no part of an order number; write 4 to 26 digits'],
    ['/orders/short', 'params.billing_no: it is no order number; one has 26 digits and capital letters'],
    ['/reports/wishes?since=2026-01-01&until=2026-01-02', 'params.report: it must be one of revenue, refunds, '],
    ['/reports/revenue?since=2026-02-31&until=2026-03-02', 'query.since'],
    ['/reports/revenue?since=2026-01-01&until=2026-01-02&by=player', 'query.by: it must be of day, brand, game, '],
  ])('%s is refused with what is wrong', async (path, word) => {
    const { status, body } = await get(path);
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
    expect(body.error.message).toContain(word);
  });
});

describe('bodies', () => {
  const player = '0198c3a2-7b1e-7c40-9d52-3f6a8b9c0d1e';
  const [order, block] = [`/orders/${'0'.repeat(26)}`, `/players/${player}/block`];
  const [refund, review, redeliver] = [`${order}/refund`, `${order}/review`, `${order}/redeliver`];
  test.each<[path: string, body: string, sentence: string]>([
    [review, '{"decision":"maybe"}', 'body.decision: it must be one of deliver, refund'],
    [review, '{"decision":7}', 'body.decision: it must be one of deliver, refund'],
    [review, '{"decision":"deliver","s3cret":1}', 'body.s3cret: a field of this name is not known; known are decision'],
    [review, '', 'body.decision: it is missing'],
    [block, '{}', 'body.reason: it is missing'],
    [block, '{"reason":""}', 'body.reason: it is empty'],
    [block, '{"reason":" "}', 'body.reason: it is empty'],
    [block, '{"reason":7}', 'body.reason: it must be a text'],
    [block, `{"reason":"${'x'.repeat(201)}"}`, 'body.reason: it is longer than 200 characters'],
    [block, '{"reason":"\\u0000"}', 'body.reason: it has a character that cannot be stored'],
    [block, '{"reason":"a\\ud800"}', 'body.reason: it has a character that cannot be stored'],
    [block, '{"reason":', 'body: it is no JSON in UTF-8'],
    [block, '[]', 'body: it must be an object'],
    [block, 'null', 'body: it must be an object'],
    [refund, '{"reason":"x","attempt":0}', 'body.attempt: it must be 1 or more'],
    [refund, '{"reason":"x","attempt":100}', 'body.attempt: it must be 99 or less'],
    [refund, '{"reason":"x","attempt":1.5}', 'body.attempt: it must be a whole number'],
    [refund, '{"reason":"x","done":"yes"}', 'body.done: it must be true or false'],
    [redeliver, '{"x":1}', 'body.x: a field of this name is not known; this call takes none'],
  ])('%s with %s is told: %s', async (path, body, sentence) => {
    expect(await call('POST', path, { body })).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message: sentence } },
    });
  }); /* a row a line */ // prettier-ignore

  test('every pattern of the contract has a sentence', () => {
    const patterns = Object.values(adminRoutes).flatMap(({ params, query, body }) =>
      [params, query, body].flatMap(
        (schema) => JSON.stringify(schema).match(/(?<="pattern":)"(?:[^"\\]|\\.)*"/g) ?? [],
      ),
    );
    expect(patterns.length).toBeGreaterThan(20);
    for (const pattern of patterns) expect([pattern, FORM_FAULTS.has(JSON.parse(pattern))]).toEqual([pattern, true]);
  });
});

describe('acts', () => {
  test('a refund is asked for once, however often the same call comes, and is audited by the name of the key', async () => {
    const { billingNo } = await paidOrder();
    const id = `refund-${billingNo}`;
    const ask = () => post(`/orders/${billingNo}/refund`, { reason: 'bought by mistake' }, { id, key: keys.finance });
    const first = await ask();
    expect(first).toMatchObject({ status: 200, body: { outcome: 'due' } });
    expect(await ask()).toEqual(first);
    const other = await post(`/orders/${billingNo}/refund`, { reason: 'another reason' }, { id, key: keys.finance });
    expect([other.status, codeOf(other)]).toEqual([409, 'id_used']);
    const again = await post(`/orders/${billingNo}/refund`, { reason: 'x' }, { key: keys.finance });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'not_possible', outcome: 'exists' } } });
    const lines = (await audits('refund')).filter((line) => line.billing_no === billingNo);
    expect(lines).toMatchObject([{ actor: 'key:books', details: { reason: 'bought by mistake' } }]);
  });

  test('a read is answered once for each id', async () => {
    expect((await get('/me', { id: 'read-once-1' })).status).toBe(200);
    expect(codeOf(await get('/me', { id: 'read-once-1' }))).toBe('replayed');
  });

  test('goods are sent again, a review is decided', async () => {
    const { billingNo } = await paidOrder();
    await shop.db.query(`update delivery set state = 'rejected' where billing_no = $1`, [billingNo]);
    await shop.db.query(
      `update orders set state = 'review', review_reason = 'game_declined: no' where billing_no = $1`,
      [billingNo],
    );
    const { body } = await get('/reviews');
    expect(body.items.map((one: { billing_no: string }) => one.billing_no)).toContain(billingNo);
    expect(await post(`/orders/${billingNo}/review`, { decision: 'deliver' }, { key: keys.support })).toMatchObject({
      status: 200,
      body: { outcome: 'queued' },
    });
    expect(await stateOf(shop, billingNo)).toMatchObject({ delivery: 'queued' });
    expect(await post(`/orders/${billingNo}/review`, { decision: 'deliver' })).toMatchObject({
      body: { error: { outcome: 'wrong_state' } },
    });
    expect(await post(`/orders/${billingNo}/redeliver`, undefined)).toMatchObject({ status: 200 });
    expect(codeOf(await post(`/orders/${billingNo}/review`, { decision: 'maybe' }))).toBe('bad_request');
    expect(codeOf(await post(`/orders/${billingNo}/review`, undefined, { body: '{"decision":' }))).toBe('bad_request');
  });

  test('a player is shut out and let in again; the session is gone', async () => {
    const player = await shop.logIn();
    const act = (verb: string) =>
      post(`/players/${player.playerId}/${verb}`, { reason: 'fraud' }, { key: keys.support });
    expect((await act('block')).status).toBe(200);
    expect(await act('block')).toMatchObject({ status: 409, body: { error: { outcome: 'nothing_to_do' } } });
    expect((await shop.get('/api/orders/history', { session: player })).code).toBe(-600);
    expect((await act('unblock')).status).toBe(200);
    expect(await audits('account-disable')).toMatchObject([{ actor: 'key:helpdesk', details: { reason: 'fraud' } }]);
  });

  test('an act whose process died is carried out again after a minute, not before', async () => {
    const { billingNo } = await paidOrder();
    const id = `died-${billingNo}`;
    const ask = () => post(`/orders/${billingNo}/refund`, { reason: 'x' }, { id });
    expect((await ask()).status).toBe(200);
    await shop.db.query('update admin_call set status = null, answer = null where call_id = $1', [id]);
    expect(codeOf(await ask())).toBe('in_progress');
    await shop.db.query(`update admin_call set at = now() - interval '2 minutes' where call_id = $1`, [id]);
    expect(await ask()).toMatchObject({ status: 409, body: { error: { outcome: 'exists' } } });
  });
});

describe('the examples of docs/admin-api.md', () => {
  const example = async (language: string) => {
    const text = await readFile(new URL('../../../docs/admin-api.md', import.meta.url), 'utf8');
    return text.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!;
  };
  const target = '/admin/v1/orders?limit=1&brand=watt';
  const send = (headers: Record<string, string>, method: 'GET' | 'POST', url: string, payload?: string) =>
    app.inject({ method, url, headers: { ...headers, host: 'refill.internal:9400' }, ...(payload ? { payload } : {}) });

  test('in JavaScript', async () => {
    const module = await import(`data:text/javascript,${encodeURIComponent(await example('js'))}`);
    const key = { keyId: keys.admin.key_id, secret: keys.admin.secret, host: 'refill.internal' };
    expect((await send(module.sign({ ...key, method: 'GET', target }), 'GET', target)).statusCode).toBe(200);
    const { player } = await paidOrder();
    const act = `/admin/v1/players/${player.playerId}/end-sessions`;
    const body = '{"reason":"ünsafe"}';
    expect((await send(module.sign({ ...key, method: 'POST', target: act, body }), 'POST', act, body)).statusCode).toBe(
      200,
    );
  });

  test.skipIf(process.platform === 'win32')('by shell', async () => {
    const { player } = await paidOrder();
    const act = `/admin/v1/players/${player.playerId}/end-sessions`;
    const body = '{"reason":"lost phone"}';
    for (const [method, url, payload] of [
      ['GET', target, ''],
      ['POST', act, body],
    ] as const) {
      const script = `curl() { printf '%s\\n' "$@"; }\n${await example('bash')}\nadmin_call "$@"`;
      const args = [keys.admin.key_id, keys.admin.secret, 'https://Refill.internal:9400', method, url, payload];
      const { stdout } = await promisify(execFile)('bash', ['-c', script, 'x', ...args]);
      const lines = stdout.split('\n');
      expect(lines).toContain(`https://Refill.internal:9400${url}`);
      const headers = Object.fromEntries(
        lines.flatMap((line) =>
          /^([a-z-]+): (.*)$/.exec(line)?.slice(1, 3) ? [[line.split(': ')[0], line.split(': ')[1]]] : [],
        ),
      );
      expect((await send(headers, method, url, payload)).statusCode).toBe(200);
    }
  });
});

describe('calls that are none', () => {
  const refusal = (code: string) => ({ error: { code, message: expect.any(String) } });
  /** Without a good signature. */
  const bare = (method: Method, url: string, headers: Record<string, string> = {}, payload?: string) =>
    app.inject({
      method,
      url,
      headers: { host: 'refill.internal', ...headers },
      remoteAddress: '10.9.1.1',
      ...(payload === undefined ? {} : { payload }),
    });

  test.each<[Method, string]>([
    ['GET', '/nope'],
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/orders/x/y/z?brand=watt'],
    ['GET', '/me/'],
    ['POST', '/orders/x/nope'],
    ['DELETE', '/orders//refund'],
  ])('%s %s is not_found', async (method, path) => {
    const { status, body, headers } = await call(method, path, { key: keys.read });
    expect([status, body]).toEqual([404, refusal('not_found')]);
    expect(headers.allow).toBeUndefined();
  });

  test.each<[Method, string, string]>([
    ['POST', '/me', 'GET, HEAD'],
    ['POST', '/me?x=1', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['DELETE', `/orders/${'0'.repeat(26)}`, 'GET, HEAD'],
    ['PUT', `/orders/${'0'.repeat(26)}/refund`, 'POST'],
    ['GET', `/orders/${'0'.repeat(26)}/refund`, 'POST'],
    ['PATCH', '/reports/revenue', 'GET, HEAD'],
    ['OPTIONS', '/orders', 'GET, HEAD'],
  ])('%s %s is method_not_allowed, with those that are', async (method, path, allow) => {
    const { status, body, headers } = await call(method, path, { key: keys.read, body: method === 'GET' ? '' : '{' });
    expect([status, body, headers.allow]).toEqual([405, refusal('method_not_allowed'), allow]);
  });

  test('a stranger is answered the same, whether or not there is such a call', async () => {
    const answers = [];
    for (const [method, path] of [['GET', '/me'], ['GET', '/nope'], ['POST', '/me'], ['DELETE', '/orders/x']] as const)
      answers.push(await bare(method, `/admin/v1${path}`));
    for (const { statusCode, headers, body } of answers)
      expect([statusCode, headers.allow, body]).toEqual([401, undefined, answers[0]?.body]);
    expect(answers[0]?.json()).toEqual(refusal('unauthorized'));
  }); /* a row a line */ // prettier-ignore

  const json = { 'content-type': 'application/json' };
  test.each<[what: string, status: number, code: string, ask: () => ReturnType<typeof bare>]>([
    ['a path beside it', 404, 'not_found', () => bare('GET', '/secret-path')],
    ['a path of another version', 404, 'not_found', () => bare('GET', '/admin/v12')],
    ['a method that the port has not', 404, 'not_found', () => bare('POST', '/healthz')],
    ['an address in no UTF-8', 400, 'bad_request', () => bare('GET', '/admin/v1/orders/secret-path%E0%A4%A')],
    ['an address beside it in no UTF-8', 400, 'bad_request', () => bare('GET', '/secret-path%ff')],
    ['a long part', 400, 'bad_request', () => bare('GET', `/admin/v1/orders/secret-path${'0'.repeat(200)}`)],
    ['no media type', 400, 'bad_request', () => bare('POST', '/admin/v1/nope', { 'content-type': ';' }, 'x')],
    ['a media type that nothing reads', 404, 'not_found', () => bare('POST', '/nope', { 'content-type': 'a/b' }, 'x')],
    ['no JSON', 400, 'bad_request', () => bare('POST', '/nope', json, '{')],
    ['too much', 413, 'too_large', () => bare('POST', '/admin/v1/nope', {}, 'x'.repeat(65_537))],
    ['too much beside it', 413, 'too_large', () => bare('POST', '/nope', json, `"${'x'.repeat(65_536)}"`)],
  ])('%s is refused in the same form, and nothing of it is repeated', async (_what, status, code, ask) => {
    const answer = await ask();
    expect([answer.statusCode, answer.json()]).toEqual([status, refusal(code)]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.body).not.toContain('secret-path');
  });

  test('what is no request at all is answered in the same form, and disconnected', async () => {
    const port = portWith(shop.services);
    await port.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((port.server.address() as AddressInfo).port, '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nno header\r\n\r\n');
    const answer = await readText(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(refusal('bad_request'));
    await port.close();
  });
});

describe('where it stands', () => {
  test('no host of a shop answers it, and without the setting nobody does', async () => {
    for (const host of ['watt.demo.localhost', 'pay.watt.example'])
      expect((await shop.app.inject({ url: '/admin/v1/me', headers: { host } })).body).not.toContain('unauthorized');
    expect(
      (await shop.app.inject({ url: '/admin/v1/openapi.json', headers: { host: 'watt.demo.localhost' } })).body,
    ).not.toContain('Refill admin API');
    const { services } = shop;
    const bare = portWith({ ...services, config: { keySecrets: [] } });
    expect((await bare.inject({ url: '/admin/v1/me' })).statusCode).toBe(404);
    expect((await bare.inject({ url: '/admin/v1/openapi.json' })).statusCode).toBe(404);
    await bare.close();
  });

  test('docs/admin-openapi.json is what the routes say: npm run dump -- admin-api', async () => {
    const made = (await app.inject({ url: '/admin/v1/openapi.json' })).json();
    const kept = JSON.parse(await readFile(new URL('../../../docs/admin-openapi.json', import.meta.url), 'utf8'));
    expect(made).toEqual(kept);
    const operations = Object.values(made.paths as Record<string, object>).flatMap((path) => Object.keys(path));
    expect(operations).toHaveLength(Object.keys(adminRoutes).length);
  });

  test('docs/admin-api.md names every call and every code', async () => {
    const text = await readFile(new URL('../../../docs/admin-api.md', import.meta.url), 'utf8');
    for (const { method, path } of Object.values(adminRoutes)) expect(text).toContain(`\`${method} ${path}\``);
    for (const code of Object.keys(ADMIN_ERRORS)) expect(text).toContain(`\`${code}\``);
  });

  test('a database that is away is a word as well, and nothing of it is told', async () => {
    const { services } = shop;
    const db = { query: () => Promise.reject(Object.assign(new Error('secret host'), { code: 'ECONNREFUSED' })) };
    const away = portWith({ ...services, db: db as never });
    const headers = { 'refill-key': keys.admin.key_id, host: 'refill.internal' };
    const answer = await away.inject({ url: '/admin/v1/me', headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
    expect(answer.body).not.toContain('secret host');
    await away.close();
  });
});
