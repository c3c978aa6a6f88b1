// Orders tell endpoints what became of them: written with the event, signed, tried again, given up, disabled, replayed.
// On real PostgreSQL, with a receiver on this machine.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OrderEvent, WEBHOOK_TYPES } from '#contracts/webhooks.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { type Db } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { publicHosts } from '#server/platform/outbound/outbound-public.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { makeEndpoint, rotateSecret } from './service.ts';
import {
  type Endpoint,
  enableEndpoint,
  findEndpoint,
  eraseOldMessages,
  listMessages,
  removeEndpoint,
  replayMessages,
} from './store.ts';
import { type WebhookDeps, callEndpoint } from './webhook-loop.ts';

const ROOTS = ['a-root-of-secrets-that-is-long-enough-1'];
type Received = { headers: Record<string, string>; body: string };

let db: Db;
let drop: () => Promise<void>;
let server: Server;
let host: string;
let answer = 200;
let received: Received[] = [];
let logLines: string[] = [];
let deps: WebhookDeps & { outbound: { close(): Promise<void> } };

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  deps = {
    db,
    log: createLog('trace', { write: (line) => void logLines.push(line) }),
    keySecrets: ROOTS,
    now: Date.now,
    random: () => 0,
    outbound: createOutbound(publicHosts(new Set([host]))),
  };
});
afterAll(async () => {
  await deps.outbound.close();
  server.closeAllConnections();
  server.close();
  await drop();
});
beforeEach(async () => {
  await db.query('delete from webhook_message');
  await db.query('delete from webhook_endpoint');
  [answer, received, logLines] = [200, [], []];
});

async function addEndpoint(over: { types?: readonly (typeof WEBHOOK_TYPES)[number][]; brandKey?: string } = {}) {
  const made = await makeEndpoint(db, ROOTS, {
    url: `http://${host}/hook`,
    types: over.types ?? WEBHOOK_TYPES,
    brandKey: over.brandKey ?? null,
    by: 'anna',
  });
  return made!;
}
const endpointOf = async (id: string): Promise<Endpoint> => (await findEndpoint(db, id))!;
const call = async (id: string) => callEndpoint(deps, await endpointOf(id));
const messages = (id: string) => listMessages(db, { endpointId: id, state: null, billingNo: null, before: null }, 100);
const makeDue = () => db.query(`update webhook_message set next_at = now() where state = 'queued'`);

type Order = { player: PlayerId; billingNo: BillingNo; attemptNo: number };
async function paidOrder(): Promise<Order> {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order, { captureRef: `C-${order.billingNo}` });
  return { player, ...order };
}
async function answerOfGame({ billingNo }: Order, kind: 'done' | 'declined') {
  const leased = await leaseDeliveries(db, 100, 15, []);
  const one = leased.find((delivery) => delivery.billing_no === billingNo)!;
  await recordDeliveryResults(db, [
    {
      player_id: one.player_id,
      billing_no: one.billing_no,
      tries: one.tries,
      kind,
      receipt_id: kind === 'done' ? 'R' : null,
      reason: kind === 'done' ? null : 'role Kestrel_07 is gone',
      retry_in_seconds: null,
      on_declined: 'review',
    },
  ]);
}
const deliver = (order: Order) => answerOfGame(order, 'done');

test('a delivered order is told once, signed by the secret that was shown, with nothing of the player but the id', async () => {
  const { endpointId, secret } = await addEndpoint();
  const order = await paidOrder();
  expect(await messages(endpointId)).toEqual([]);
  await deliver(order);
  expect(await call(endpointId)).toBe('enough');
  expect(await call(endpointId)).toBe('enough');
  expect(received).toHaveLength(1);
  const { headers, body } = received[0]!;
  const event = new Webhook(secret).verify(body, headers) as OrderEvent;
  expect(Compile(OrderEvent).Check(event)).toBe(true);
  expect(event).toMatchObject({
    type: 'order.delivered',
    data: {
      billing_no: order.billingNo,
      player_id: order.player,
      brand: 'watt',
      game: 'starlane',
      product_id: 'star_60',
      amount_minor: 499,
      currency: 'USD',
      country: 'US',
      state: 'delivered',
      refunded_minor: null,
    },
  });
  const said = Object.keys(event.data).toSorted();
  expect(said).toEqual(Object.keys(OrderEvent.properties.data.properties).toSorted());
  for (const personal of ['kestrel', 'Kestrel_07', 'r1', 's1', '"u"']) expect(body).not.toContain(personal);
  expect(await messages(endpointId)).toMatchObject([{ state: 'done', tries: 1, last_status: 200 }]);
});

test('review, refund and chargeback are told, a chargeback as such alone', async () => {
  const { endpointId } = await addEndpoint();
  const declined = await paidOrder();
  await answerOfGame(declined, 'declined');
  const refunded = await paidOrder();
  await report(db, refunded, { status: 'refunded' });
  const charged = await paidOrder();
  await deliver(charged);
  await report(db, charged, { status: 'chargeback' });
  const countChargebacks = async () =>
    (await messages(endpointId)).filter(({ type }) => type === 'order.chargeback').length;
  expect(await countChargebacks()).toBe(1);
  // Once, however often the bank says it.
  await report(db, charged, { status: 'chargeback' });
  expect(await countChargebacks()).toBe(1);
  const sent = (await messages(endpointId)).map(({ billing_no, type }) => `${billing_no} ${type}`).toSorted();
  expect(sent).toEqual(
    [
      `${declined.billingNo} order.review`,
      `${refunded.billingNo} order.refunded`,
      `${charged.billingNo} order.delivered`,
      `${charged.billingNo} order.chargeback`,
    ].toSorted(),
  );
  await call(endpointId);
  const events = received.map(({ body }) => JSON.parse(body) as OrderEvent);
  // The text that the game wrote beside its reason may name a person.
  expect(events.find(({ type }) => type === 'order.review')?.data.review_reason).toBe('game_declined');
  expect(events.find(({ type }) => type === 'order.refunded')?.data.refunded_minor).toBe(499);
  expect(events.every((event) => Compile(OrderEvent).Check(event))).toBe(true);
});

test('an endpoint hears of its types and its brand only, and without one nothing is written', async () => {
  const { endpointId: others } = await addEndpoint({ brandKey: 'ko' });
  const { endpointId: refunds } = await addEndpoint({ types: ['order.refunded'] });
  await deliver(await paidOrder());
  expect([await messages(others), await messages(refunds)]).toEqual([[], []]);
  expect((await db.query('select from webhook_message')).rowCount).toBe(0);
});

test('a transaction that is rolled back has told nothing', async () => {
  const { endpointId } = await addEndpoint();
  const order = await paidOrder();
  const client = await db.connect();
  await client.query('begin');
  await client.query(
    `select note_order_move(player_id, billing_no, 'delivering', 'delivered') from order_lookup where billing_no = $1`,
    [order.billingNo],
  );
  expect((await client.query('select from webhook_message')).rowCount).toBe(1);
  await client.query('rollback');
  client.release();
  expect(await messages(endpointId)).toEqual([]);
});

test.each([500, 302, 404])('an answer of %i is tried again under the same id', async (status) => {
  const { endpointId } = await addEndpoint();
  await deliver(await paidOrder());
  answer = status;
  await call(endpointId);
  expect(await messages(endpointId)).toMatchObject([{ state: 'queued', tries: 1, last_status: status }]);
  expect((await endpointOf(endpointId)).failing_since).not.toBeNull();
  await call(endpointId);
  expect(received).toHaveLength(1);
  answer = 204;
  await makeDue();
  await call(endpointId);
  expect(received[0]!.headers['webhook-id']).toBe(received[1]!.headers['webhook-id']);
  expect(await messages(endpointId)).toMatchObject([{ state: 'done', tries: 2 }]);
  expect((await endpointOf(endpointId)).failing_since).toBeNull();
});

test('after a day of tries a message is given up with an alarm, and a replay sends it again', async () => {
  const { endpointId } = await addEndpoint();
  await deliver(await paidOrder());
  answer = 503;
  for (let tries = 1; tries <= 11; tries += 1) {
    await makeDue();
    await call(endpointId);
  }
  expect(received).toHaveLength(11);
  expect(await messages(endpointId)).toMatchObject([{ state: 'dead', tries: 11 }]);
  expect(logLines.filter((line) => line.includes('"alert":"webhook"'))).toHaveLength(1);
  answer = 200;
  const all = { endpointId, messageId: null, state: 'dead', since: new Date(0), until: null };
  expect(await replayMessages(db, all)).toBe(1);
  await call(endpointId);
  expect(await messages(endpointId)).toMatchObject([{ state: 'done', tries: 1 }]);
});

test('an endpoint that failed for days is disabled with an alarm; what comes meanwhile is kept for it', async () => {
  const { endpointId } = await addEndpoint();
  await deliver(await paidOrder());
  answer = 500;
  await call(endpointId);
  await db.query(`update webhook_endpoint set failing_since = now() - interval '73 hours'`);
  await makeDue();
  await call(endpointId);
  expect((await endpointOf(endpointId)).disabled_at).not.toBeNull();
  expect(logLines.filter((line) => line.includes('"alert":"webhook_disabled"'))).toHaveLength(1);
  await deliver(await paidOrder());
  await call(endpointId);
  expect(received).toHaveLength(2);
  expect(await messages(endpointId)).toMatchObject([
    { state: 'queued', next_at: null },
    { state: 'queued', next_at: null },
  ]);
  answer = 200;
  expect([await enableEndpoint(db, endpointId), await enableEndpoint(db, endpointId)]).toEqual([true, false]);
  await call(endpointId);
  expect(received).toHaveLength(4);
  expect((await messages(endpointId)).map(({ state }) => state)).toEqual(['done', 'done']);
});

test('410 disables at once', async () => {
  const { endpointId } = await addEndpoint();
  await deliver(await paidOrder());
  answer = 410;
  await call(endpointId);
  expect((await endpointOf(endpointId)).disabled_at).not.toBeNull();
});

test('a new secret and the one before sign for a day', async () => {
  const { endpointId, secret } = await addEndpoint();
  const next = (await rotateSecret(db, ROOTS, await endpointOf(endpointId)))!;
  expect(next).not.toBe(secret);
  await deliver(await paidOrder());
  await call(endpointId);
  const { headers, body } = received[0]!;
  for (const one of [secret, next]) expect(() => new Webhook(one).verify(body, headers)).not.toThrow();
  await db.query(`update webhook_endpoint set previous_until = now()`);
  await deliver(await paidOrder());
  await call(endpointId);
  expect(() => new Webhook(next).verify(received[1]!.body, received[1]!.headers)).not.toThrow();
  expect(() => new Webhook(secret).verify(received[1]!.body, received[1]!.headers)).toThrow('signature');
});

test('the setting changes: an older one still signs, and without it nothing is tried and given up', async () => {
  const { endpointId, secret } = await addEndpoint();
  await deliver(await paidOrder());
  const other = 'another-root-of-secrets-long-enough-22';
  await callEndpoint({ ...deps, keySecrets: [other] }, await endpointOf(endpointId));
  expect(received).toEqual([]);
  expect(await messages(endpointId)).toMatchObject([{ state: 'queued', tries: 0 }]);
  expect(logLines.join('')).toContain('"alert":"webhook_secret"');
  await callEndpoint({ ...deps, keySecrets: [other, ...ROOTS] }, await endpointOf(endpointId));
  expect(() => new Webhook(secret).verify(received[0]!.body, received[0]!.headers)).not.toThrow();
});

test('messages go after thirty days, and those of an endpoint that is gone at once', async () => {
  const [{ endpointId: kept }, { endpointId: gone }] = [await addEndpoint(), await addEndpoint()];
  await deliver(await paidOrder());
  await deliver(await paidOrder());
  await db.query(
    `update webhook_message set created_at = now() - interval '31 days'
    where message_id = (select max(message_id) from webhook_message where endpoint_id = $1)`,
    [kept],
  );
  await db.query('delete from webhook_endpoint where endpoint_id = $1', [gone]);
  expect([await eraseOldMessages(db, 30), await eraseOldMessages(db, 30)]).toEqual([3, 0]);
  expect([await messages(kept), await messages(gone)].map(({ length }) => length)).toEqual([1, 0]);
});

test('I70 sees a delivered order without its message, and a message that nobody sends', async () => {
  const { endpointId } = await addEndpoint();
  await db.query(`update webhook_endpoint set created_at = now() - interval '1 hour'`);
  const order = await paidOrder();
  await deliver(order);
  const breaches = async () =>
    (await db.query('select type from invariant_i70_events_told where billing_no = $1', [order.billingNo])).rows;
  expect(await breaches()).toEqual([]);
  await db.query(`update webhook_message set next_at = now() - interval '2 days'`);
  expect(await breaches()).toEqual([{ type: 'order.delivered' }]);
  await db.query('delete from webhook_message');
  expect(await breaches()).toEqual([{ type: 'order.delivered' }]);
  await removeEndpoint(db, endpointId);
  expect(await breaches()).toEqual([]);
});
