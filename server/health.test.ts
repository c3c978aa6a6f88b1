import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariantsHourly } from '#server/modules/invariants/service.ts';
import { unpaced } from '#server/platform/pace.ts';
import { readPrimary } from '#server/platform/database/reads/reads.ts';
import { placeOrder } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { healthPart } from './health.ts';
import { createOperatorServer, startOperatorServer } from './operator/operator-server.ts';
import type { OperatorConfig } from './operator/reading-key.ts';

const TOKEN = 'health-token-of-thirty-two-bytes';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_OPERATOR_TOKEN: TOKEN } });
});
afterAll(() => shop.close());

const ask = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  shop.app.inject({
    url: '/healthz/details',
    headers: { host: 'localhost:8080', authorization: `Bearer ${TOKEN}`, ...headers },
    remoteAddress,
  });

test('counts what waits and what waits for a person', async () => {
  const order = await placeOrder(shop);
  const set = (text: string) => shop.db.query(text, [order.billingNo]);
  await set(`insert into delivery (player_id, billing_no, game_id, created_at) select player_id, billing_no, game_id, now() - interval '90 seconds' from orders where billing_no = $1`);
  await set(`update orders set state = 'review' where billing_no = $1`);
  await set(`update payment_attempt set state = 'unknown' where billing_no = $1`);
  await set(`insert into refund (player_id, billing_no, attempt_no, state, reason, requested_by, amount_minor, currency) select player_id, billing_no, 1, 'manual', 'x', 'anna', 99, 'USD' from orders where billing_no = $1`);
  const answer = await ask();
  expect(answer.statusCode).toBe(200);
  const body = answer.json();
  expect(body).toMatchObject({
    status: 'ok', database: 'up', revision: shop.configuration.revision, deliveries: { due: 1 }, dead_letters: 0, unmatched_payments: 0, reviews: 1, refunds_by_hand: 1,
    unknown_attempts: 1, invariants: { checked_at: null, changes_at: null, full_at: null, ok: null, breaches: [] },
  });
  expect(body.deliveries.oldest_waiting_seconds).toBeGreaterThanOrEqual(90);
  expect(body.deliveries.oldest_waiting_seconds).toBeLessThan(120);
}); /* a row a line */ // prettier-ignore

test('a database that takes no writes is not ready for orders, although it can be read', async () => {
  const ready = async () => {
    const { statusCode, body } = await shop.app.inject({ url: '/readyz', headers: { host: 'localhost:8080' } });
    return [statusCode, body.includes('takes no orders')];
  };
  expect(await ready()).toEqual([200, false]);
  const client = await shop.db.connect();
  await client.query('begin read only');
  await expect(client.query('update orders set region = region')).rejects.toMatchObject({ code: '25006' });
  await client.query('rollback');
  const { rows } = await client.query('select current_database() as name');
  await client.query(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  client.release(true);
  await Promise.all(Array.from({ length: shop.db.totalCount }, () => shop.db.connect())).then((all) =>
    all.forEach((one) => one.release(true)),
  );
  expect(await ready()).toEqual([503, true]);
  const end = await shop.db.connect();
  await end.query('set default_transaction_read_only = off');
  await end.query(`alter database ${rows[0].name} set default_transaction_read_only = off`);
  end.release(true);
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, false]);
});

test('tells of the last look at the invariants, which one of all workers takes once an hour', async () => {
  const { db } = shop;
  const hourly = { db, log: shop.services.log, reads: readPrimary(db), fullHour: 3, newPace: () => unpaced };
  const alerts = () => shop.logLines.filter((line) => line.includes('"alert":"invariant"')).length;
  await db.query(`update orders set state = 'refund_due', paid_at = null`);
  await db.query('delete from refund');
  await db.query('delete from unpaid_order');
  await Promise.all([checkInvariantsHourly(hourly), checkInvariantsHourly(hourly)]);
  expect(alerts()).toBe(1);
  const first = (await ask()).json().invariants;
  expect(first).toMatchObject({ ok: false, breaches: [{ invariant: 'I8', breaches: 1 }] });
  await checkInvariantsHourly(hourly);
  expect(alerts()).toBe(1);
  await db.query(`update invariant_check set taken_at = now() - interval '61 minutes'`);
  await db.query(`update orders set state = 'refunded'`);
  // Nobody has noted that change: who was found broken is looked at again.
  await checkInvariantsHourly(hourly);
  expect(alerts()).toBe(1);
  expect((await ask()).json().invariants).toMatchObject({ ok: true, breaches: [] });
});

describe('without a token', () => {
  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.7'])(
    'the port of the shop shows %s nothing',
    async (remoteAddress) => {
      const plain = await createTestShop();
      const get = (url: string) => plain.app.inject({ url, headers: { host: 'localhost:8080' }, remoteAddress });
      const [answer, nowhere] = [await get('/healthz/details'), await get('/healthz/nowhere')];
      expect([answer.statusCode, answer.body]).toEqual([404, nowhere.body]);
      expect((await get('/healthz')).statusCode).toBe(200);
      await plain.close();
    },
  );
});

test.each<[string, Record<string, string>]>([
  ['no token', { authorization: '' }],
  ['another token', { authorization: `Bearer ${TOKEN}x` }],
  ['a part of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ['it in another header', { authorization: '', 'x-health-token': TOKEN }],
])('%s gets the answer of any page that is not there', async (_name, headers) => {
  const answer = await ask(headers);
  const nowhere = await shop.app.inject({ url: '/healthz/nowhere', headers: { host: 'localhost:8080' } });
  expect([answer.statusCode, answer.body]).toEqual([404, nowhere.body]);
});

test.each(['10.0.0.7', '127.0.0.1'])('the token opens it from %s, whatever stands in between', async (address) => {
  expect((await ask({ 'x-forwarded-for': '203.0.113.9', host: 'watt.demo.localhost' }, address)).statusCode).toBe(200);
});

describe("the operator's port", () => {
  const serve = async (settings: Partial<OperatorConfig>) => {
    const config = { operatorPort: 1, operatorHost: '127.0.0.1', operatorToken: '', ...settings };
    const app = createOperatorServer({ config, log: shop.services.log }, [healthPart({ ...shop.services, config })]);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const get = (path: string, headers: Record<string, string> = {}) =>
      request(`http://127.0.0.1:${port}${path}`, { headers }).then(async ({ statusCode, body }) => {
        await body.dump();
        return statusCode;
      });
    return { get, close: () => app.close() };
  };

  test('shows health and the counts, and no shop', async () => {
    const { get, close } = await serve({});
    expect([await get('/healthz'), await get('/readyz'), await get('/healthz/details')]).toEqual([200, 200, 200]);
    expect(await get('/api/pay/getGameListV2', { host: 'watt.demo.localhost' })).toBe(404);
    await close();
  });

  test('refuses names that a page was led here by', async () => {
    const { get, close } = await serve({});
    for (const host of ['evil.example', 'watt.demo.localhost', 'localhost.evil.example', ''])
      expect(await get('/healthz/details', { host })).toBe(404);
    for (const host of ['localhost:9090', '127.0.0.1', '[::1]:9090'])
      expect(await get('/healthz/details', { host })).toBe(200);
    await close();
  });

  test('asks for the token where there is one', async () => {
    const { get, close } = await serve({ operatorToken: TOKEN });
    expect(await get('/healthz/details')).toBe(404);
    expect(await get('/healthz/details', { authorization: `Bearer ${TOKEN}` })).toBe(200);
    await close();
  });

  test('that others reach shows no counts without a token', async () => {
    const { get, close } = await serve({ operatorHost: '0.0.0.0' });
    expect([await get('/healthz'), await get('/healthz/details')]).toEqual([200, 404]);
    await close();
  });

  test('is none unless it is set', async () => {
    expect(await startOperatorServer(shop.services, [])).toBeNull();
  });
});
