// The edges of what is leased: a row is due at its moment and not before, and a lease takes the row that is due and no
// other of the same player. The database's clock stands still within a transaction, so a moment can be met exactly.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder } from '#testing/orders.ts';
import { leaseDeliveries } from './deliveries/delivery-store.ts';
import { leaseDueAttempts, leaseExpiredOrders, leaseQuery, leaseWaitingCallbacks } from './payments/attempt-store.ts';
import { leaseRefunds, leaseRevocations } from './refunds/refund-store.ts';
import { placeOrder } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());

const LEASE_SECONDS = 60;
const ASK_EVERY_SECONDS = 5;
const AN_HOUR_AGO = `now() - interval '1 hour'`;

/** In a transaction that is rolled back: whatever it makes due is nobody else's. */
async function within(work: (on: Queryable) => Promise<void>): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const numbersOf = (rows: readonly { billing_no: string }[]) => rows.map((row) => row.billing_no);

async function makeOrder(player: PlayerId, productId: string): Promise<BillingNo> {
  return (await placeTestOrder(db, placeInput(player, { product_id: productId }))).billingNo;
}

/** Two orders of one player, so that a lease could take the wrong one. */
async function makeTwo(): Promise<{ player: PlayerId; due: BillingNo; other: BillingNo }> {
  const player = await makePlayer(db);
  return { player, due: await makeOrder(player, 'star_60'), other: await makeOrder(player, 'star_260') };
}

const setAttempt = (on: Queryable, billingNo: string, what: string) =>
  on.query(`update payment_attempt set ${what} where billing_no = $1`, [billingNo]);
const leaseAttempts = (on: Queryable, busy: string[] = []) =>
  leaseDueAttempts(on, 100, LEASE_SECONDS, ASK_EVERY_SECONDS, busy);

test('a payment attempt is due at its moment, and not before', async () => {
  const { due } = await makeTwo();
  await within(async (on) => {
    await setAttempt(on, due, `next_query_at = now() + interval '1 microsecond'`);
    expect(await leaseAttempts(on)).toEqual([]);
    await setAttempt(on, due, 'next_query_at = now()');
    expect(numbersOf(await leaseAttempts(on))).toEqual([due]);
  });
});

test('an attempt that was asked about is left alone for as long as was said, unless it was approved since', async () => {
  const { due } = await makeTwo();
  const leaseWhere = async (on: Queryable, asked: string, approved: string) => {
    await setAttempt(on, due, `next_query_at = ${AN_HOUR_AGO}, queried_at = ${asked}, approved_at = ${approved}`);
    return numbersOf(await leaseAttempts(on));
  };
  await within(async (on) => {
    const justNow = `now() - interval '${ASK_EVERY_SECONDS} seconds'`;
    expect(await leaseWhere(on, justNow, 'null')).toEqual([]);
    expect(await leaseWhere(on, `${justNow} - interval '1 microsecond'`, 'null')).toEqual([due]);
    expect(await leaseWhere(on, 'now()', 'now()')).toEqual([]);
    expect(await leaseWhere(on, 'now()', `now() + interval '1 microsecond'`)).toEqual([due]);
  });
});

test('an attempt whose money is being taken is left alone until that lease has ended', async () => {
  const { due } = await makeTwo();
  await within(async (on) => {
    await setAttempt(on, due, `next_query_at = now(), capture_lease_until = now() + interval '1 microsecond'`);
    expect(await leaseAttempts(on)).toEqual([]);
    await setAttempt(on, due, 'capture_lease_until = now()');
    expect(numbersOf(await leaseAttempts(on))).toEqual([due]);
  });
});

test('attempts of providers that are busy wait, those of others do not', async () => {
  const { due } = await makeTwo();
  await within(async (on) => {
    await setAttempt(on, due, 'next_query_at = now()');
    expect(await leaseAttempts(on, ['adyen', 'paypal'])).toEqual([]);
    expect(numbersOf(await leaseAttempts(on, ['adyen']))).toEqual([due]);
  });
});

test('of an order with two attempts the due one is leased, with the facts of its own order', async () => {
  const { player, due } = await makeTwo();
  // Another way to pay for the same order.
  await placeOrder(db, placeInput(player, { product_id: 'star_60', provider: 'adyen', channel_key: '2_' }));
  await within(async (on) => {
    await on.query(`update payment_attempt set next_query_at = now() where billing_no = $1 and attempt_no = 2`, [due]);
    expect(await leaseAttempts(on)).toMatchObject([{ billing_no: due, attempt_no: 2, product_id: 'star_60' }]);
  });
});

test('an attempt is past its time when the margin is over, and not at that moment', async () => {
  const { due } = await makeTwo();
  await within(async (on) => {
    const leaseAt = async (payableUntil: string) => {
      await setAttempt(on, due, `next_query_at = now(), queried_at = null, payable_until = ${payableUntil}`);
      const { rows } = await on.query<{ is_past_payable: boolean }>(
        `select is_past_payable from lease_due_attempts(100, '1 minute', '5 seconds', '1 minute', '{}')`,
      );
      return rows.map((row) => row.is_past_payable);
    };
    expect(await leaseAt(`now() - interval '1 minute'`)).toEqual([false]);
    expect(await leaseAt(`now() - interval '1 minute 1 microsecond'`)).toEqual([true]);
  });
});

test('an order expires at its moment, alone of its player’s, and with its own attempts', async () => {
  const { player, due, other } = await makeTwo();
  await placeOrder(db, placeInput(player, { product_id: 'star_260', provider: 'adyen', channel_key: '2_' }));
  await within(async (on) => {
    const expireAt = (when: string) => on.query(`update orders set expires_at = ${when} where billing_no = $1`, [due]);
    await expireAt(`now() + interval '1 microsecond'`);
    expect(await leaseExpiredOrders(on, 100, LEASE_SECONDS)).toEqual([]);
    await expireAt('now()');
    expect(await leaseExpiredOrders(on, 100, LEASE_SECONDS)).toMatchObject([{ billing_no: due, attempts: [1] }]);
    const { rows } = await on.query('select from orders where billing_no = $1 and expiry_lease_until > now()', [other]);
    expect(rows).toEqual([]);
  });
});

test('goods and money go out at the moment that is due, alone of their player’s', async () => {
  const { due, other } = await makeTwo();
  const dueAt = `case billing_no when $1 then now() else now() + interval '1 hour' end`;
  const ofBoth = 'from orders where billing_no in ($1, $2)';
  await within(async (on) => {
    await on.query(
      `insert into delivery (player_id, billing_no, game_id, next_at)
       select player_id, billing_no, game_id, ${dueAt} ${ofBoth}`,
      [due, other],
    );
    await on.query(
      `insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency, next_at)
       select player_id, billing_no, 1, 'r', 'anna', 499, 'USD', ${dueAt} ${ofBoth}`,
      [due, other],
    );
    expect(numbersOf(await leaseDeliveries(on, 100, LEASE_SECONDS, []))).toEqual([due]);
    expect(numbersOf(await leaseRefunds(on, 100, LEASE_SECONDS))).toEqual([due]);
  });
});

test('goods are taken back at the moment that is due, alone of their player’s', async () => {
  const { due, other } = await makeTwo();
  await within(async (on) => {
    await on.query(
      `insert into revocation (player_id, billing_no, game_id, reason, next_at)
       select player_id, billing_no, game_id, 'r', case billing_no when $1 then now() else now() + interval '1 hour' end
       from orders where billing_no in ($1, $2)`,
      [due, other],
    );
    expect(numbersOf(await leaseRevocations(on, 100, LEASE_SECONDS))).toEqual([due]);
    await on.query(`update revocation set next_at = now() + interval '1 microsecond'`);
    expect(await leaseRevocations(on, 100, LEASE_SECONDS)).toEqual([]);
  });
});

test('a waiting callback is taken up at its moment; money that nobody knows once more when it has waited too long', async () => {
  const unmatched = `interval '1 hour'`;
  const leaseWith = async (on: Queryable, values: Readonly<Record<string, string>>) => {
    const row = { next_try_at: `now() + interval '1 hour'`, received_at: 'now()', lease_until: 'null', ...values };
    await on.query('delete from callback_inbox');
    await on.query(
      `insert into callback_inbox (provider, dedup_key, headers, body, report, ${Object.keys(row).join(', ')})
       values ('paypal', 'edge', '{}', '', '{"status": "paid", "isOurMerchant": true}',
         ${Object.values(row).join(', ')})`,
    );
    const { rows } = await on.query<{ dedup_key: string }>(
      `select dedup_key from lease_waiting_callbacks(100, '1 minute', ${unmatched})`,
    );
    return rows.length;
  };
  await within(async (on) => {
    expect(await leaseWith(on, {})).toBe(0);
    expect(await leaseWith(on, { next_try_at: 'now()' })).toBe(1);
    expect(await leaseWith(on, { next_try_at: 'now()', lease_until: 'now()' })).toBe(1);
    expect(await leaseWith(on, { next_try_at: 'now()', lease_until: `now() + interval '1 microsecond'` })).toBe(0);
    expect(await leaseWith(on, { received_at: `now() - ${unmatched}` })).toBe(1);
    expect(await leaseWith(on, { received_at: `now() - ${unmatched} + interval '1 microsecond'` })).toBe(0);
    // Known already: the alarm was given.
    expect(await leaseWith(on, { received_at: `now() - ${unmatched}`, unmatched_at: 'now()' })).toBe(0);
  });
  expect(await leaseWaitingCallbacks(db, 100, LEASE_SECONDS)).toEqual([]);
});

test('of two waiting callbacks one is leased where there is room for one', async () => {
  await within(async (on) => {
    await on.query(
      `insert into callback_inbox (provider, dedup_key, report, headers, body, next_try_at)
       select 'paypal', k, '{}', '{}', '', now() from unnest('{a,b}'::text[]) k`,
    );
    expect(await leaseWaitingCallbacks(on, 1, LEASE_SECONDS)).toHaveLength(1);
  });
});

test('a price holds from its moment on, and no more at the moment of the next', async () => {
  await within(async (on) => {
    const { rows } = await on.query<Record<string, boolean>>(
      `with t as (select extract(epoch from now()) * 1000 as at)
       select is_price_in_force(jsonb_build_object('from', at)) as begins,
         is_price_in_force(jsonb_build_object('from', at + 1)) as is_early,
         is_price_in_force(jsonb_build_object('until', at)) as ends,
         is_price_in_force(jsonb_build_object('until', at + 1)) as lasts,
         is_price_in_force(null) as is_fixed
       from t`,
    );
    expect(rows).toEqual([{ begins: true, is_early: false, ends: false, lasts: true, is_fixed: true }]);
  });
});

test('who may ask about one order of a player may not be kept from asking about the other', async () => {
  const { player, due, other } = await makeTwo();
  const ask = (billingNo: BillingNo) =>
    leaseQuery(db, { playerId: player, billingNo, attemptNo: 1 }, ASK_EVERY_SECONDS);
  expect(await ask(due)).toMatchObject({ billing_no: due, product_id: 'star_60' });
  expect(await ask(due)).toBeNull();
  expect(await ask(other)).toMatchObject({ billing_no: other, product_id: 'star_260' });
});
