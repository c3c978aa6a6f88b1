// The table of transitions is drawn in ARCHITECTURE.md, and the database makes no other change of state.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { claimDeliveries, recordDeliveryResults } from './deliveries/delivery-store.ts';
import { claimRefunds, finishRefund, redeliverOrder, requestRefund } from './refunds/refund-store.ts';
import { TRANSITIONS } from './rules.ts';

let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
  // Writes down every change of state that any statement makes.
  await db.query(`create table seen_change (from_state text, to_state text);
    create function note_change() returns trigger language plpgsql as $$ begin
      if new.state <> old.state then insert into seen_change values (old.state, new.state); end if; return new; end $$;
    create trigger note_change after update on orders for each row execute function note_change()`);
});
afterAll(() => drop());

test('ARCHITECTURE.md draws exactly this table', () => {
  const drawn = TRANSITIONS.map(({ from, to, by, does }) => `| ${from.join(', ')} | ${to} | ${by} | ${does} |`).join(
    '\n',
  );
  expect(readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')).toContain(drawn);
});

test('no way through the functions leaves the table', async () => {
  const close = async (kind: 'done' | 'declined' | 'unknown') => {
    const claimed = await claimDeliveries(db, 50, 15, []);
    await recordDeliveryResults(
      db,
      claimed.map((d) => ({
        player_id: d.player_id,
        billing_no: d.billing_no,
        tries: d.tries,
        kind,
        receipt_id: 'R',
        reason: 'why',
        retry_in_seconds: null,
        on_declined: 'review',
      })),
    );
  };
  const player = await makePlayer(db);
  const limit = { times: 1, days: null, subject: 'game' };
  let number = 0;
  const place = (over = {}) => placeTestOrder(db, placeInput(player, { product_id: `p${(number += 1)}`, ...over }));
  const claimed = await place();
  await report(db, claimed, { leaseSeconds: 15 });
  const lateAndClaimed = await place();
  await report(db, lateAndClaimed, { status: 'expired' });
  await report(db, lateAndClaimed, { leaseSeconds: 15 });
  const lateThenPaid = async (status: 'failed' | 'expired') => {
    const order = await place();
    await report(db, order, { status });
    await report(db, order);
  };
  const delivered = await place();
  await report(db, delivered);
  await close('done');
  await lateThenPaid('failed');
  await lateThenPaid('expired');
  await close('declined');
  const again = await place();
  await report(db, again);
  await close('declined');
  await redeliverOrder(db, player, again.billingNo);
  await close('unknown');
  await requestRefund(db, { playerId: player, ...again, reason: 'r', by: 'a' });
  await requestRefund(db, { playerId: player, ...delivered, reason: 'r', by: 'a' });
  const differs = await place();
  await report(db, differs, { amount: { amountMinor: 1, currency: 'USD' } });
  const late = await place({ product_id: 'one', limit });
  await report(db, late, { status: 'failed' });
  await place({ product_id: 'one', limit });
  await report(db, late);
  for (const refund of await claimRefunds(db, 50, 60))
    await finishRefund(db, refund, { kind: 'done', ref: null, error: null, retrySeconds: 0 });
  const charged = await place();
  await report(db, charged);
  await report(db, charged, { status: 'chargeback' });

  const allowed = new Set(TRANSITIONS.flatMap(({ from, to }) => from.map((state) => `${state} -> ${to}`)));
  const seen = (
    await query<{ change: string }>(
      db,
      'seen',
      `select distinct from_state || ' -> ' || to_state as change from seen_change order by 1`,
    )
  ).map(({ change }) => change);
  expect(seen.filter((change) => !allowed.has(change))).toEqual([]);
  // The walk above is worth something only as long as it gets around.
  expect(seen.length).toBeGreaterThanOrEqual(16);
});
