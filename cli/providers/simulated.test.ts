// The operator's commands against the simulators of providers and games: settlement files that they
// wrote, pages that they close.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStandardGameServer } from '#server/providers/gameserver/standard.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { makePollDue, orderInfo, placeOrder, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { type Run, runCommand } from '#cli/test-run.ts';

let folder: string;
let port: number;
let simulators: Simulators;
let shop: TestShop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-simulated-'));
  // Nobody listens at first: what was paid is learnt by asking, which makes the order of things the test's own.
  port = await findFreePort();
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: `http://watt.demo.localhost:${port}` });
  shop = await createTestShop({ providers: paymentProviders, environment: simulators.environment });
});
afterAll(async () => {
  await shop.close();
  await simulators.close();
  await rm(folder, { recursive: true });
});

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as AddressInfo;
      server.close(() => resolve(free));
    });
  });
}

const refill = (...args: string[]): Promise<Run> =>
  runCommand(args, { ...simulators.environment, DATABASE_URL: shop.databaseUrl });

async function control(path: string, body?: object): Promise<string> {
  const sent = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${simulators.url}/control/${path}`, sent);
  expect(answer.status).toBe(200);
  return answer.text();
}

const placeAt = (provider: string) =>
  placeOrder(shop, {
    path: `/api/pay/${provider}_pay`,
    body: { product_id: 'star_50', ...(provider === 'adyen' ? { channel_id: 'scheme' } : {}) },
  });

async function settlementFile(provider: string): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const path = join(folder, `${provider}.csv`);
  await writeFile(path, await control(`${provider}/settlement?date=${date}`));
  return path;
}

test('an unpaid order is called off where the page can be closed, and what it held is free', async () => {
  const order = await placeAt('adyen');
  expect(await refill('order', 'cancel', order.billingNo, '--by', 'anna')).toEqual({
    code: 0,
    out: `Order ${order.billingNo} is cancelled; what it held is free again.\n`,
    err: '',
  });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'cancelled', attempts: ['failed'] });
  expect(JSON.parse(await control(`adyen?reference=${order.reference}`)).payments[0].status).toBe('expired');
  const { rows } = await shop.db.query('select actor, act, details from audit_entry where billing_no = $1', [
    order.billingNo,
  ]);
  expect(rows).toEqual([
    {
      actor: 'anna',
      act: 'cancel',
      details: { before: 'pending', after: 'cancelled', attempts: [{ attempt: 1, reason: 'expired' }] },
    },
  ]);
  expect((await shop.db.query('select invariant from invariant_breach where breaches > 0')).rows).toEqual([]);
  expect(await refill('order', 'cancel', order.billingNo)).toMatchObject({
    code: 3,
    err: `Order ${order.billingNo} is cancelled: only unpaid orders can be called off.\n`,
  });
});

test('where money comes only by our capture, an order can be called off; a late payment is not taken', async () => {
  const order = await placeAt('paypal');
  expect((await refill('order', 'cancel', order.billingNo)).code).toBe(0);
  await control('paypal/pay', { reference: order.reference });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'cancelled' });
});

test('a page that nobody can close keeps its order, and nothing is changed', async () => {
  const order = await placeAt('xsolla');
  const run = await refill('order', 'cancel', order.billingNo, '--json');
  expect(run.code).toBe(3);
  expect(JSON.parse(run.out)).toMatchObject({ ok: false, outcome: 'still_payable' });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
  expect((await shop.db.query('select from audit_entry where billing_no = $1', [order.billingNo])).rowCount).toBe(0);
});

test('an order that was paid meanwhile is not called off: the payment is booked', async () => {
  const order = await placeAt('adyen');
  await control('adyen/pay', { reference: order.reference });
  const run = await refill('order', 'cancel', order.billingNo);
  expect(run).toMatchObject({ code: 3, err: expect.stringContaining('was paid meanwhile (attempt 1)') });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'paid', delivery: 'queued' });
});

test('without credentials nobody can be asked, and the order stays', async () => {
  const order = await placeAt('adyen');
  const run = await runCommand(['order', 'cancel', order.billingNo], { DATABASE_URL: shop.databaseUrl });
  expect(run).toMatchObject({ code: 3, err: expect.stringContaining('adyen has no credentials here') });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending' });
});

test('what the game carried out is what is delivered here, over any number of pages', async () => {
  const order = await placeAt('adyen');
  const url = new URL(simulators.environment['REFILL_GAME_STARLANE_DEMO_URL'] ?? '');
  const game = createStandardGameServer({
    baseUrl: url.href,
    secrets: [simulators.environment['REFILL_GAME_STARLANE_DEMO_SECRETS'] ?? ''],
    outbound: createOutbound({ allowedHosts: new Set([url.host]) }),
    now: Date.now,
  });
  const grant = (billingNo: string) =>
    game.grant({
      billingNo,
      clientId: '70021',
      userId: 'kestrel',
      serverId: roles[0]!.serverId,
      areaId: roles[0]!.areaId,
      roleId: roles[0]!.id,
      productId: 'star_50',
      gifts: [],
      paid: { amountMinor: 99, currency: 'USD' },
      isSandbox: true,
    });
  const roles = await game.listRoles({ clientId: '70021', userId: 'kestrel' });
  const reconcile = async () => {
    const run = await refill('reconcile', '--game', 'starlane', '--json');
    return { code: run.code, ...JSON.parse(run.out) };
  };
  expect(await reconcile()).toMatchObject({ code: 0, ok: true, applied: 0, differences: [] });
  expect(await grant(order.billingNo)).toMatchObject({ kind: 'done' });
  expect(await reconcile()).toMatchObject({
    code: 1,
    applied: 1,
    differences: [{ kind: 'not_delivered_here', billing_no: order.billingNo, state: 'pending' }],
  });
  await grant('01JD3Y8Q5R7T9V1X3Z5B7D9F1H');
  await grant('event-reward-1');
  for (const [billingNo, state] of [
    ['A', 'unknown'],
    ['B', 'done'],
  ] as const)
    await shop.db.query(
      `insert into delivery (player_id, billing_no, game_id, state, done_at)
      select player_id, billing_no, game_id, $2, now() from orders where billing_no = $1 on conflict do nothing`,
      [billingNo === 'A' ? order.billingNo : (await placeAt('adyen')).billingNo, state],
    );
  const missing = (
    await shop.db.query(
      `update orders o set game_id = 'starlane' from delivery d where d.billing_no = o.billing_no and d.state = 'done'
        returning o.billing_no`,
    )
  ).rows[0].billing_no;
  expect(await reconcile()).toMatchObject({
    code: 1,
    applied: 2,
    others: 1,
    differences: [
      { kind: 'not_applied_there', billing_no: missing },
      { kind: 'unknown_here', billing_no: '01JD3Y8Q5R7T9V1X3Z5B7D9F1H' },
    ],
    on_their_way: [{ billing_no: order.billingNo }],
  });
  // The order's grant was never confirmed, its money went back, and its goods were revoked: neither side has anything.
  await shop.db.query(`delete from delivery where billing_no = $1`, [missing]);
  await shop.db.query(`update delivery set state = 'rejected' where billing_no = $1`, [order.billingNo]);
  await shop.db.query(
    `insert into revocation (player_id, billing_no, game_id, state, reason)
    select player_id, billing_no, game_id, 'queued', 'refund' from orders where billing_no = $1`,
    [order.billingNo],
  );
  const revocation = (state: string) =>
    shop.db.query('update revocation set state = $2 where billing_no = $1', [order.billingNo, state]);
  const known = async () => {
    const found = await reconcile();
    return [found.differences, found.on_their_way].map((rows: { kind: string; billing_no: string }[]) =>
      rows.flatMap((row) => (row.billing_no === order.billingNo ? [row.kind] : [])),
    );
  };
  expect(await known()).toEqual([[], ['on_its_way']]);
  await revocation('declined');
  expect(await known()).toEqual([['not_revoked_there'], []]);
  await revocation('done');
  expect(await known()).toEqual([[], []]);
});

test.each(['paypal', 'adyen', 'xsolla'])(
  '%s: what it moved is what the books say; a line less, and it is missed',
  async (provider) => {
    if (!shop.app.server.listening) await shop.app.listen({ port, host: '127.0.0.1' });
    const order = await placeAt(provider);
    await control(`${provider}/pay`, { reference: order.reference });
    await makePollDue(shop, order.billingNo);
    await orderInfo(shop, order);
    expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
    const reconcile = async (file: string) => {
      const date = new Date().toISOString().slice(0, 10);
      const run = await refill('reconcile', '--provider', provider, '--date', date, '--file', file, '--json');
      return { code: run.code, ...JSON.parse(run.out) };
    };
    const agreed = await reconcile(await settlementFile(provider));
    expect(agreed).toMatchObject({ code: 0, ok: true, differences: [], unreadable: [] });
    const { there } = agreed.totals[0];
    expect(agreed.totals).toEqual([{ currency: 'USD', there, here: there, equal: agreed.lines }]);

    await control(`${provider}/chargeback`, { reference: order.reference });
    const booked = async () =>
      (
        await shop.db.query(`select from ledger_entry where billing_no = $1 and kind in ('chargeback', 'refunded')`, [
          order.billingNo,
        ])
      ).rowCount;
    await waitUntil('the chargeback in the books', async () => (await booked()) === 2);
    await control(`${provider}/callbacks/flush`, {});
    await waitUntil('the last callback', async () => JSON.parse(await control(provider)).pendingCallbacks.length === 0);
    expect(await booked()).toBe(2);
    const returned = await reconcile(await settlementFile(provider));
    expect(returned).toMatchObject({ code: 0, totals: [{ currency: 'USD', there: there - 99, here: there - 99 }] });

    const file = await settlementFile(provider);
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    const last = lines.findLastIndex((line) => line.includes(order.reference));
    await writeFile(file, lines.toSpliced(last, 1).join('\r\n'));
    expect(await reconcile(file)).toMatchObject({
      code: 1,
      differences: [
        { kind: 'missing_there', billing_no: order.billingNo, movement_here: 'chargeback', amount_here: 99 },
      ],
    });
  },
);
