// Proves the truth behind the page: the game holds the goods once, the books balance.
import { expect } from '@playwright/test';
import pg from 'pg';
import { runningShop } from './running-shop.ts';
import { grantsOf } from './simulators.ts';

type Entry = { kind: string; account: string; amount: number; currency: string };

const DELIVERED = [
  ['delivered', 'goods_owed', 1],
  ['delivered', 'revenue', -1],
  ['paid', 'goods_owed', -1],
  ['paid', 'provider_receivable', 1],
] as const;

/**
 * The game has exactly one receipt for the order, and the ledger its four entries that sum to zero.
 * @param timeoutMs how long the delivery may take from now
 */
export async function expectDelivered(billingNo: string, player: string, timeoutMs = 10_000): Promise<void> {
  await expect.poll(async () => (await grantsOf(billingNo)).length, { timeout: timeoutMs }).toBe(1);
  const [grant] = await grantsOf(billingNo);
  expect(grant).toMatchObject({ billing_no: billingNo, user_id: player });
  expect(grant?.receipt_id).toMatch(/^R-/);
  await expect.poll(async () => (await entriesOf(billingNo)).length).toBe(DELIVERED.length);
  const entries = await entriesOf(billingNo);
  const amount = Math.abs(entries[0]?.amount ?? 0);
  expect(amount).toBeGreaterThan(0);
  expect(entries.map((entry) => [entry.kind, entry.account, entry.amount / amount])).toEqual(DELIVERED);
  expect(new Set(entries.map((entry) => entry.currency)).size).toBe(1);
  expect(entries.reduce((sum, entry) => sum + entry.amount, 0)).toBe(0);
  expect(await stateOf(billingNo)).toBe('delivered');
}

/** Nothing is with the game and nothing was booked as delivered. @param state what the order has to be in instead */
export async function expectNotDelivered(billingNo: string, state: string): Promise<void> {
  await expect.poll(() => stateOf(billingNo)).toBe(state);
  expect(await grantsOf(billingNo)).toEqual([]);
  const entries = await entriesOf(billingNo);
  expect(entries.filter((entry) => entry.kind === 'delivered')).toEqual([]);
  expect(entries.reduce((sum, entry) => sum + entry.amount, 0)).toBe(0);
}

/** The game has handed over exactly these rewards of events to a player, each once, under keys of their own. */
export async function expectRewarded(player: string, steps: readonly string[]): Promise<void> {
  const rewards = () =>
    select<{ reward_no: string; product_id: string; state: string }>(
      `select reward_no, product_id, w.state from reward w join player p on p.player_id = w.player_id
       where p.username = $1 order by product_id`,
      [player],
    );
  await expect.poll(async () => (await rewards()).filter(({ state }) => state === 'done').length).toBe(steps.length);
  expect((await rewards()).map(({ product_id: step }) => step)).toEqual(steps);
  for (const { reward_no: no, product_id: step } of await rewards())
    expect(await grantsOf(no)).toMatchObject([{ billing_no: no, product_id: step, user_id: player, paid: null }]);
}

async function entriesOf(billingNo: string): Promise<Entry[]> {
  return select<Entry>(
    `select kind, account, amount_minor::float8 as amount, currency from ledger_entry
      where billing_no = $1 order by kind, account`,
    [billingNo],
  );
}

/** State of an order as the database has it. */
export async function stateOf(billingNo: string): Promise<string | undefined> {
  const [row] = await select<{ state: string }>('select state from orders where billing_no = $1', [billingNo]);
  return row?.state;
}

/** Reads an order's price, coupon, promo code and creator; amounts in minor units. */
export async function orderRow(billingNo: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await select(
    `select state, coupon_code, promo_code, creator, amount_minor::float8 as amount, discount_minor::float8 as discount
     from orders
     where billing_no = $1`,
    [billingNo],
  );
  return row;
}

/** Version of the form that was confirmed with an order; undefined for none. */
export async function acceptedOf(billingNo: string): Promise<string | undefined> {
  const [row] = await select<{ accepted: { version: string } | null }>(
    'select accepted from orders where billing_no = $1',
    [billingNo],
  );
  return row?.accepted?.version;
}

/** Ends every session of a player, as an operator or a password change would. */
export async function endSessions(player: string): Promise<void> {
  const rows = await select(
    `update session s set revoked_at = now(), revoke_reason = 'e2e' from player p
     where p.player_id = s.player_id and p.username = $1 and s.revoked_at is null returning s.public_id`,
    [player],
  );
  expect(rows.length).toBeGreaterThan(0);
}

async function select<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: runningShop().databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Reads the books of a player by our own id: every entry and every order, without anybody's name. */
export async function booksOf(playerId: string): Promise<unknown> {
  const entries = await select(
    `select billing_no, kind, account, amount_minor, currency from ledger_entry where player_id = $1 order by 1, 2, 3`,
    [playerId],
  );
  const orders = await select(
    `select billing_no, state, product_id, amount_minor, currency, created_at from orders
      where player_id = $1 order by 1`,
    [playerId],
  );
  return { entries, orders };
}

/** Texts that an order and its account are called by. */
export async function namesOf(billingNo: string): Promise<{ playerId: string; names: string[] }> {
  const [row] = await select<{ player_id: string; names: string[] }>(
    `select o.player_id, array[o.suid, o.username, o.role_name, p.suid, p.username] as names
     from orders o join player p using (player_id) where o.billing_no = $1`,
    [billingNo],
  );
  if (!row) throw new Error(`no order ${billingNo}`);
  return { playerId: row.player_id, names: row.names };
}
