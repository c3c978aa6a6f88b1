// Compares recording a create result in parts, as on a spread database, with the one statement of plain PostgreSQL: the
// same rows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput } from '#testing/orders.ts';
import { placeOrder } from '#server/modules/orders/store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

type Answer = { state: string; ref: string | null; url: string | null; exchange: object | null; answer: object | null };
const REDIRECTED: Answer = {
  state: 'redirected',
  ref: 'R',
  url: 'https://pay.example/x',
  exchange: { a: 1 },
  answer: {},
};
const UNKNOWN: Answer = { state: 'unknown', ref: null, url: null, exchange: null, answer: { code: 'unknown' } };

/** Plays the answers on an order of its own. @returns all that they wrote, without what differs by order */
async function play(functionName: string, answers: readonly Answer[], before: string): Promise<unknown> {
  const playerId = await makePlayer(db);
  const input = placeInput(playerId, { idempotency_key: 'the key' });
  const placed = await placeOrder(db, input);
  if (placed.outcome !== 'placed') throw new Error(placed.outcome);
  const { billing_no: no } = placed;
  await db.query(before, [playerId, no]);
  for (const { state, ref, url, exchange, answer } of answers)
    await db.query(`select ${functionName}($1, $2, 1, 'paypal', $3, $4, $5, $6, 'the key', $7)`, [
      playerId, no, state, ref === null ? null : `${ref}-${no}`, url, exchange, answer,
    ]); /* a row a line */ // prettier-ignore
  const { rows } = await db.query<{ all: object }>(
    `select jsonb_build_object('order', o.state, 'attempt', a.state, 'url', a.pay_url, 'exchange', a.exchange,
       'ref', replace(a.provider_ref, o.billing_no, ''), 'answer', i.answer,
       'references', (select jsonb_agg(jsonb_build_array(r.provider, replace(r.provider_ref, o.billing_no, ''),
         r.attempt_no, r.player_id = o.player_id)) from provider_reference r where r.billing_no = o.billing_no)) as all
     from orders o join payment_attempt a using (player_id, billing_no) join idempotency i using (player_id)
     where o.player_id = $1 and o.billing_no = $2`,
    [playerId, no],
  );
  return rows[0]?.all;
}

const NOTHING = 'select $1::uuid, $2::text';
const SUCCEEDED = `update payment_attempt set state = 'succeeded' where player_id = $1 and billing_no = $2`;
const PAID = `update orders set state = 'paid' where player_id = $1 and billing_no = $2 returning $2`;

test.each([
  ['a page', [REDIRECTED], NOTHING],
  ['a page, told twice', [REDIRECTED, REDIRECTED], NOTHING],
  ['no answer, then a page', [UNKNOWN, REDIRECTED], NOTHING],
  ['a page, then no answer', [REDIRECTED, UNKNOWN], NOTHING],
  ['a page after the payment was known', [REDIRECTED], SUCCEEDED],
  ['a page after the order was paid', [REDIRECTED], PAID],
] as const)('%s', async (_, answers, before) => {
  const asOne = await play('record_create_result', answers, before);
  const apart = await play('record_create_apart', answers, before);
  expect(apart).toMatchObject({ order: expect.any(String), attempt: expect.any(String) });
  expect(apart).toEqual(asOne);
});
