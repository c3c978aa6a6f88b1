// Steps on a spread database: which of them their node runs, and what becomes of those that it does not.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { recordDeliveryStep } from '#server/modules/orders/deliveries/delivery-store.ts';
import { receiveReportStep } from '#server/modules/orders/payments/report-store.ts';
import { placeOrderStep, recordCreateResultStep } from '#server/modules/orders/store.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import type { Nodes } from '#server/platform/database/nodes.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, resultsOf } from '#testing/orders.ts';
import { openOnlyNode } from '#testing/shard.ts';
import { createNodeSteps } from './at-nodes.ts';
import type { Step, StepName } from './step-store.ts';

const STEPS: readonly string[] = [
  'place_order',
  'record_delivery',
  'record_create_result',
  'receive_report',
] satisfies StepName[];

let db: Db;
let drop: () => Promise<void>;
let nodes: Nodes;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(6));
  nodes = await openOnlyNode(db);
});
afterAll(async () => {
  await nodes.end();
  await drop();
});

/** A coordinator that notes which steps come to it, and a node that notes its batches. */
function watch(changes: Partial<Nodes> = {}) {
  const byCoordinator: string[] = [];
  const batches: string[][] = [];
  let asked = 0;
  const coordinator: Queryable = {
    query: ((statement: pg.QueryConfig) => {
      if (STEPS.includes(statement.name ?? '')) byCoordinator.push(statement.name ?? '');
      return db.query(statement);
    }) as Queryable['query'],
  };
  const watched: Nodes = {
    ...nodes,
    connect: async (node) => {
      const client = await node.connect();
      const run = client.query.bind(client) as (statement: { values: string[] }) => Promise<unknown>;
      return Object.assign(Object.create(client), {
        query: (statement: { values: string[] }) => {
          batches.push((JSON.parse(statement.values[0] ?? '[]') as Step[]).map(({ name }) => name));
          return run(statement);
        },
        release: (fault?: Error) => client.release(fault),
      }) as pg.PoolClient;
    },
    askAnew: () => void (asked += 1),
    ...changes,
  };
  const run = createNodeSteps(coordinator, watched, { sort: () => 0 });
  return { run, byCoordinator, batches, askedAnew: () => asked };
}

const press = async (player?: PlayerId) =>
  placeOrderStep(placeInput(player ?? (await makePlayer(db)), { idempotency_key: randomUUID() }));

const wordOn = (billingNo: BillingNo, dedupKey: string, status: 'paid' | 'failed' = 'paid') =>
  receiveReportStep({
    provider: 'paypal',
    report: {
      status,
      reference: `${billingNo}-1`,
      providerRef: null,
      captureRef: 'C-1',
      amount: { amountMinor: 499, currency: 'USD' },
      merchantAccount: null,
      reason: null,
    },
    billingNo,
    attemptNo: 1,
    isOurMerchant: true,
    callback: { dedupKey, headers: {}, body: '{}' },
    mustNotify: false,
    leaseSeconds: 15,
  });

const placed = async () => {
  const player = await makePlayer(db);
  return { player, ...(await placeTestOrder(db, placeInput(player, { idempotency_key: randomUUID() }))) };
};

const count = async (table: string, billingNo: string): Promise<number> =>
  (
    await db.query<{ count: number }>(`select count(*)::integer as count from ${table} where billing_no = $1`, [
      billingNo,
    ])
  ).rows[0]?.count ?? 0;

describe('a plain order', () => {
  test('is placed, created, paid and delivered by its node alone', async () => {
    const { run, byCoordinator } = watch();
    const player = await makePlayer(db);
    const input = placeInput(player, { idempotency_key: randomUUID() });
    await expect(run(placeOrderStep(input))).resolves.toMatchObject({ outcome: 'placed' });
    const created = {
      player_id: player, billing_no: input.billing_no, attempt_no: 1, provider: 'paypal', provider_ref: randomUUID(),
      state: 'redirected' as const, url: 'https://pay.example/x', exchange: {}, idempotency_key: input.idempotency_key,
      answer: null,
    }; /* a row of values */ // prettier-ignore
    await expect(run(recordCreateResultStep(created))).resolves.toBe('recorded');
    await expect(run(wordOn(input.billing_no, randomUUID()))).resolves.toMatchObject({
      outcome: 'paid',
      delivery: { player_id: player },
    });
    const [done] = resultsOf([{ player_id: player, billing_no: input.billing_no, tries: 1 }], {});
    if (!done) throw new Error('no result');
    await run(recordDeliveryStep(done));
    expect(byCoordinator).toEqual([]);
    const { rows } = await db.query('select state from orders where billing_no = $1', [input.billing_no]);
    expect(rows).toEqual([{ state: 'delivered' }]);
    // Rows of tables by other keys have gone there.
    for (const table of ['order_lookup', 'provider_reference', 'callback_inbox'])
      expect([table, await count(table, input.billing_no)]).toEqual([table, 1]);
  });

  test('of several players is one transaction of their node', async () => {
    const { run, batches, byCoordinator } = watch();
    const steps = await Promise.all(Array.from({ length: 5 }, () => press()));
    await Promise.all(steps.map((step) => run(step)));
    expect(batches.flat()).toHaveLength(5);
    expect(batches.length).toBeLessThan(5);
    expect(byCoordinator).toEqual([]);
  });

  test('that is told of twice in one batch is booked once', async () => {
    const { run } = watch();
    const { billingNo } = await placed();
    const answers = await Promise.all(['a', 'b'].map((key) => run(wordOn(billingNo, `${key}${billingNo}`))));
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['duplicate', 'paid']);
    expect(await count('ledger_entry', billingNo)).toBe(2);
  });
});

describe('goes by the coordinator', () => {
  test('what is no plain step; its company stays', async () => {
    const { run, byCoordinator } = watch();
    const { billingNo } = await placed();
    const [failed, one] = await Promise.all([run(wordOn(billingNo, randomUUID(), 'failed')), run(await press())]);
    expect([failed, one]).toMatchObject([{ outcome: 'closed' }, { outcome: 'placed' }]);
    expect(byCoordinator).toEqual(['receive_report']);
  });

  test('a word about an order that is not here', async () => {
    const { run, batches } = watch();
    const unknown = wordOn('01JZZZZZZZZZZZZZZZZZZZZZZZ' as BillingNo, randomUUID());
    await expect(run(unknown)).resolves.toMatchObject({ outcome: 'unknown_order' });
    expect(batches).toEqual([]);
  });

  test('every step where the schemas are of another version', async () => {
    const { run, byCoordinator } = watch({ stamp: '00000000' });
    await expect(run(await press())).resolves.toMatchObject({ outcome: 'placed' });
    expect(byCoordinator).toEqual(['place_order']);
  });

  test('every step where the node cannot be reached', async () => {
    const { run, byCoordinator } = watch({ connect: async () => undefined });
    await expect(run(await press())).resolves.toMatchObject({ outcome: 'placed' });
    expect(byCoordinator).toEqual(['place_order']);
  });

  test('a batch that its node refuses; where players are is asked anew', async () => {
    const { run, byCoordinator, askedAnew } = watch();
    const { billingNo } = await placed();
    // Received before by another process: the key of the callback is there, which only its own table knows.
    const key = randomUUID();
    await db.query(
      `insert into callback_inbox (provider, dedup_key, report, headers, body, state)
        values ('paypal', $1, '{}', '{}', '', 'ignored')`,
      [key],
    );
    await expect(run(wordOn(billingNo, key))).resolves.toMatchObject({ outcome: 'duplicate' });
    expect(byCoordinator).toEqual(['receive_report']);
    expect(askedAnew()).toBe(1);
    expect(await count('ledger_entry', billingNo)).toBe(0);
  });
});

test('a step that would wait for long at its node waits by itself: nobody waits with it', async () => {
  const { run, byCoordinator } = watch();
  const { player, billingNo } = await placed();
  const other = await db.connect();
  await other.query('begin');
  await other.query('select from orders where player_id = $1 and billing_no = $2 for update', [player, billingNo]);
  const word = run(wordOn(billingNo, randomUUID()));
  await vi.waitFor(() => expect(byCoordinator).toEqual(['receive_report']));
  await expect(run(await press())).resolves.toMatchObject({ outcome: 'placed' });
  await other.query('rollback');
  other.release();
  await expect(word).resolves.toMatchObject({ outcome: 'paid' });
});

test('a connection that ends before the answer leaves the end open: the caller hears of it, nothing runs twice', async () => {
  const { run, byCoordinator } = watch({
    connect: async (node) => {
      const client = await node.connect();
      return Object.assign(Object.create(client), {
        query: () => Promise.reject(new Error('Connection terminated unexpectedly')),
        release: (fault?: Error) => client.release(fault),
      }) as pg.PoolClient;
    },
  });
  await expect(run(await press())).rejects.toThrow('Connection terminated');
  expect(byCoordinator).toEqual([]);
});

test('a parameter that is left out by mistake decides nothing', async () => {
  const { run } = watch();
  const step = await press();
  await expect(run({ ...step, values: { ...step.values, coupon: undefined } })).rejects.toThrow(TypeError);
});
