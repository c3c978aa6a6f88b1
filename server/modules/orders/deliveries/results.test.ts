// Compares the batch statement that writes the answers of games with the function for one order: both must do the same,
// whatever befell the order before.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { openOnlyNode } from '#testing/shard.ts';
import {
  type PlaceChanges,
  makePlayer,
  placeInput,
  placeTestOrder,
  promoOf,
  report,
  resultsOf,
  withoutTransitionLaw,
} from '#testing/orders.ts';
import {
  type DeliveryResult,
  recordDeliveryResults,
  recordDeliveryResultsStep,
  recordDeliveryStep,
} from './delivery-store.ts';
import { createNodeSteps } from '#server/modules/orders/steps/at-nodes.ts';
import { runInOneTransaction, runStep } from '#server/modules/orders/steps/step-store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

const CREATOR = promoOf({ code: 'KESTREL', rate: '0.9', creator: 'kestrel', share_bp: 1250 });
type Story = {
  readonly placed?: PlaceChanges;
  readonly paidMinor?: number;
  /** By hand: how it stands when the game answers. */
  readonly before?: string;
  readonly result?: Partial<DeliveryResult>;
};
const STORIES: Readonly<Record<string, Story>> = {
  plain: {},
  'with points': { placed: { points_rate: { points: 3, per_minor: 10 } } },
  'with the share of a creator': { placed: { promo: CREATOR }, paidMinor: 449 },
  'with a limit': { placed: { limit: { times: 5, days: null, subject: 'account' } } },
  'paid back meanwhile': { before: `update orders set refunded_at = now(), state = 'refunded' where billing_no = $1` },
  'half of it paid back': {
    placed: { points_rate: { points: 3, per_minor: 10 } },
    before: `update orders set refunded_minor = 200 where billing_no = $1`,
  },
  'before a person': { before: `update orders set state = 'review' where billing_no = $1` },
  'handed over already': { before: `update delivery set state = 'done', done_at = now() where billing_no = $1` },
  'given up and done after all': { before: `update delivery set state = 'dead' where billing_no = $1` },
  declined: { result: { kind: 'declined', reason: 'no' } },
  'declined and paid back': { result: { kind: 'declined', reason: 'no', on_declined: 'refund' } },
  'not answered': { result: { kind: 'unknown', reason: 'late', retry_in_seconds: 60 } },
  'not answered for long': { result: { kind: 'unknown', reason: 'late' } },
};

/** A crowd of paid orders, one a story, each of a player of its own. */
async function play(): Promise<{ players: PlayerId[]; results: DeliveryResult[] }> {
  const players: PlayerId[] = [];
  const results: DeliveryResult[] = [];
  for (const { placed, paidMinor = 499, before, result } of Object.values(STORIES)) {
    const player = await makePlayer(db);
    const order = await placeTestOrder(db, placeInput(player, placed));
    await report(db, order, { leaseSeconds: 30, amount: { amountMinor: paidMinor, currency: 'USD' } });
    if (before !== undefined) await withoutTransitionLaw(db, before, [order.billingNo]);
    players.push(player);
    results.push(...resultsOf([{ player_id: player, billing_no: order.billingNo, tries: 1 }], result));
  }
  return { players, results };
}

/** Everything that stands about a player's order, but for names and times. */
async function readAll(player: PlayerId): Promise<object> {
  const read = (table: string, columns: string): Promise<object[]> =>
    query(db, `test_read_${table}`, `select ${columns} from ${table} where player_id = $1 order by 1, 2`, [player]);
  return {
    orders: await read(
      'orders',
      `state, review_reason, delivered_at is null as undelivered, closed_at is null as unclosed`,
    ),
    delivery: await read('delivery', `state, last_error, tries, done_at is null as undone, receipt_id is null as bare`),
    ledger: await read('ledger_entry', 'kind, account, attempt_no, amount_minor, currency'),
    points: await read('points_entry', 'kind, entry_no, points'),
    shares: await read('creator_entry', 'kind, entry_no, creator, amount_minor, currency'),
    reservations: await read('reservation', 'kind, state'),
    refunds: await read('refund', 'state, attempt_no, amount_minor, reason'),
    changes: await read('player_change', 'count(*)::integer as count, 0'),
  };
}

test('a batch of answers, each by itself, as steps of one transaction and at a node come to the same', async () => {
  const batch = await play();
  const single = await play();
  const shared = await play();
  const onNode = await play();
  const doneInBatch = await recordDeliveryResults(db, batch.results);
  let doneAlone = 0;
  for (const result of single.results) doneAlone += await runStep(db, recordDeliveryStep(result));
  expect(doneInBatch).toBe(doneAlone);
  await runInOneTransaction(
    db,
    shared.results.map((result) => recordDeliveryResultsStep([result])),
  );
  const atNode = createNodeSteps(db, await openOnlyNode(db), { sort: () => 0 });
  await Promise.all(onNode.results.map((result) => atNode(recordDeliveryStep(result))));
  const names = Object.keys(STORIES);
  for (const [index, name] of names.entries()) {
    const [batchPlayer, singlePlayer, sharedPlayer, nodePlayer] = [batch, single, shared, onNode].map(
      ({ players }) => players[index],
    );
    if (!batchPlayer || !singlePlayer || !sharedPlayer || !nodePlayer) throw new Error(`no player for ${name}`);
    const alone = { name, ...(await readAll(singlePlayer)) };
    expect({ name, ...(await readAll(batchPlayer)) }).toEqual(alone);
    expect({ name, ...(await readAll(sharedPlayer)) }).toEqual(alone);
    expect({ name, ...(await readAll(nodePlayer)) }).toEqual(alone);
  }
});

test('a no of the game to one order of a player leaves the other in its call', async () => {
  const player = await makePlayer(db);
  const numbers: BillingNo[] = [];
  for (const product_id of ['star_60', 'star_260']) {
    const order = await placeTestOrder(db, placeInput(player, { product_id }));
    await report(db, order, { leaseSeconds: 30 });
    numbers.push(order.billingNo);
  }
  const [refused, other] = numbers;
  if (!refused || !other) throw new Error('not placed');
  const leased = [{ player_id: player, billing_no: refused, tries: 1 }];
  await recordDeliveryResults(db, resultsOf(leased, { kind: 'declined', reason: 'no' }));
  const { rows } = await db.query<{ billing_no: string; delivery: string; state: string }>(
    `select billing_no, d.state as delivery, o.state from delivery d join orders o using (player_id, billing_no)
     where player_id = $1 order by billing_no`,
    [player],
  );
  expect(rows).toEqual([
    { billing_no: refused, delivery: 'rejected', state: 'review' },
    { billing_no: other, delivery: 'calling', state: 'delivering' },
  ]);
});
