// `/metrics` of a shop in which somebody has bought something.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { recordBackup } from '#server/platform/database/backup-record.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import type { Nodes } from '#server/platform/database/nodes.ts';
import { callBack, eventOn, placeOrder } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { metricsPart } from './metrics-part.ts';
import { createOperatorServer } from './operator-server.ts';
import { createShopNumbers } from './shop-numbers.ts';

const TOKEN = 'operator-token-of-many-letters';
let shop: TestShop;
let app: FastifyInstance;

beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_OPERATOR_TOKEN: TOKEN } });
  app = createOperatorServer(shop.services, [metricsPart(shop.services)]);
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

const scrape = async (on = app): Promise<string> => {
  const answer = await on.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  ]);
  return answer.body;
};
const read = (text: string, sample: string): number | null => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
};

test('tells orders, queues, events and the process, and names no order and no player', async () => {
  const order = await placeOrder(shop);
  const on = (text: string) => shop.db.query(text, [order.billingNo]);
  await on(
    `insert into delivery (player_id, billing_no, game_id, created_at)
      select player_id, billing_no, game_id, now() - interval '90 seconds' from orders where billing_no = $1`,
  );
  await on(`update orders set state = 'review' where billing_no = $1`);
  await on(
    `update orders set paid_at = created_at, delivered_at = created_at + interval '3 seconds' where billing_no = $1`,
  );
  await shop.db.query(`insert into webhook_endpoint (endpoint_id, url, types, secret_hash, created_by, failing_since)
    values ('WE-01JD0000000000000000000000', 'https://a.example', '{order.delivered}', '\\x00', 'anna', now())`);
  await on(`insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
    select player_id, 'm1', 'WE-01JD0000000000000000000000', 'order.delivered', billing_no, '{}',
      now() - interval '5 seconds' from orders where billing_no = $1`);
  await on(`insert into erasure (player_id, erasure_no, gives_up_balance, due_at, next_at)
    select player_id, 'ER-' || billing_no, false, now() - interval '2 days', now() - interval '1 minute'
    from orders where billing_no = $1`);
  await recordBackup(shop.db, { takenAt: new Date(1_700_000_000_000), kind: 'dump', bytes: 1 });
  const text = await scrape();
  const { rows } = await on('select game_id, player_id from orders where billing_no = $1');
  const game = String(rows[0]?.game_id);
  const { rows: attempts } = await on('select method, provider from payment_attempt where billing_no = $1');
  const { method, provider } = attempts[0] as { method: string; provider: string };

  expect(read(text, 'refill_database_up')).toBe(1);
  expect(read(text, `refill_orders{state="review",method="${method}",provider="${provider}"}`)).toBe(1);
  expect(read(text, `refill_paid_to_delivered_seconds{game="${game}",quantile="0.95"}`)).toBe(3);
  expect(read(text, 'refill_queue_length{queue="deliveries"}')).toBe(1);
  expect(read(text, 'refill_queue_age_seconds{queue="deliveries"}')).toBeGreaterThanOrEqual(90);
  expect(read(text, 'refill_queue_length{queue="refunds"}')).toBe(0);
  expect(read(text, 'refill_queue_length{queue="webhooks"}')).toBe(1);
  expect(read(text, 'refill_webhook_endpoints{state="failing"}')).toBe(1);
  expect(read(text, 'refill_waiting_for_person{kind="reviews"}')).toBe(1);
  expect(read(text, 'refill_queue_length{queue="erasures"}')).toBe(1);
  expect(read(text, 'refill_erasures_overdue')).toBe(1);
  expect(read(text, 'refill_erasure_overdue_seconds')).toBeGreaterThanOrEqual(2 * 86_400);
  expect(read(text, 'refill_backup_taken_timestamp_seconds')).toBe(1_700_000_000);
  expect(read(text, 'refill_configuration_revision')).toBe(shop.configuration.revision);
  expect(read(text, `refill_payments_started_total{provider="${provider}",outcome="redirected"}`)).toBeGreaterThan(0);
  expect(read(text, 'refill_security_events_total{event="login_failed"}')).not.toBeNull();
  expect(text).toMatch(/^refill_http_requests_total\{route="\/api\/pay\/[^"]+",status="2xx"\} \d+$/m);
  expect(read(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  for (const secret of [order.billingNo, String(rows[0]?.player_id), TOKEN]) expect(text).not.toContain(secret);
});

test('a payment that is told is counted by its source, with the time that it took', async () => {
  const before = await scrape();
  const order = await placeOrder(shop);
  const { rows } = await shop.db.query('select provider from payment_attempt where billing_no = $1', [order.billingNo]);
  const provider = String(rows[0]?.provider);
  const paid = `refill_payment_reports_total{provider="${provider}",source="callback",outcome="paid"}`;
  expect((await callBack(shop, eventOn(order, 'paid'))).status).toBeLessThan(300);
  const after = await scrape();
  expect((read(after, paid) ?? 0) - (read(before, paid) ?? 0)).toBe(1);
  const times = `refill_time_to_paid_seconds_count{provider="${provider}"}`;
  expect((read(after, times) ?? 0) - (read(before, times) ?? 0)).toBe(1);
});

test('what was never done has no moment', async () => {
  await shop.db.query('delete from backup_record');
  const fresh = createOperatorServer(shop.services, [metricsPart(shop.services)]);
  expect(await scrape(fresh)).not.toMatch(/^refill_(?:backup_taken|invariants_checked)/m);
  await fresh.close();
});

test('connections are those of all pools of the process', async () => {
  const pool = (totalCount: number, idleCount: number, waitingCount: number) =>
    ({ totalCount, idleCount, waitingCount, query: shop.db.query.bind(shop.db) }) as unknown as Db;
  const nodes = { list: () => [pool(2, 2, 0), pool(3, 2, 4)] } as unknown as Nodes;
  const parts = { ...shop.services, db: pool(5, 3, 1), batchDb: pool(4, 1, 2), nodes };
  const both = createOperatorServer(parts, [metricsPart(parts)]);
  const text = await scrape(both);
  const of = (state: string) => read(text, `refill_database_connections{state="${state}"}`);
  expect([of('used'), of('idle'), of('wanted')]).toEqual([6, 8, 7]);
  await both.close();
});

test('a stranger is told nothing', async () => {
  for (const authorization of ['', `Bearer ${TOKEN}x`])
    expect((await app.inject({ url: '/metrics', headers: { authorization } })).statusCode).toBe(404);
  expect(
    (
      await shop.app.inject({
        url: '/metrics',
        headers: { host: 'watt.demo.localhost', authorization: `Bearer ${TOKEN}` },
      })
    ).statusCode,
  ).toBe(404);
});

test('the database is asked once in half a minute, however often and by however many; away, its numbers are gone', async () => {
  let now = 0;
  const readNumbers = createShopNumbers({ db: shop.db, log: shop.services.log, now: () => now });
  const asked = () => shop.countStatements(() => Promise.all([readNumbers(), readNumbers()]));
  expect((await asked()).filter((name) => name === 'queue_numbers')).toHaveLength(1);
  now = 29_999;
  expect(await asked()).toEqual([]);
  now = 30_000;
  expect((await asked()).length).toBeGreaterThan(0);

  const nowhere = openDb('postgres://nobody@127.0.0.1:1/none', { max: 1, onError: () => undefined });
  const lost = createOperatorServer(shop.services, [metricsPart({ ...shop.services, db: nowhere })]);
  const text = await scrape(lost);
  expect(read(text, 'refill_database_up')).toBe(0);
  expect(text).not.toMatch(/^refill_queue_length\{/m);
  expect(read(text, 'refill_configuration_revision')).toBe(shop.configuration.revision);
  await lost.close();
  await nowhere.end();
});
