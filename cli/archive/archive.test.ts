// `refill archive` on a database with orders of every end: what is held back, what is in the files, what stays behind,
// and what the rules know afterwards.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { cancelOrder, findOperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { readMoneyReport } from '#server/modules/orders/operator/money-report-store.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import { DAY_MS } from '#kernel/time.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { createShopDatabase, openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { runCommand } from '#cli/test-run.ts';
import { ArchiveFault } from './archive-files.ts';
import { type Reads, readPrimary } from '#server/platform/database/reads/reads.ts';
import { archiveBefore, readArchivedOrder } from './move-months.ts';

type Order = { billingNo: BillingNo; attemptNo: number; player: PlayerId };

let db: Db;
let drop: () => Promise<void>;
let url: string;
let folder: string;
let delivered: Order;
let unpaid: Order;
let refunded: Order;

const AMOUNT = { amountMinor: 499, currency: 'USD' } as const;
const promo = { code: 'FIRST', rate: '0.9', min_charge_minor: 1, quoted_minor: null, is_first: true };

async function place(changes: Parameters<typeof placeInput>[1] = {}): Promise<Order> {
  const player = await makePlayer(db);
  return { ...(await placeTestOrder(db, placeInput(player, changes))), player };
}

beforeAll(async () => {
  ({ db, drop, url } = await openTestDatabase(4));
  folder = await mkdtemp(join(tmpdir(), 'refill-archive-'));
  delivered = await place({
    limit: { times: 5, days: null, subject: 'game' },
    points_rate: { points: 1, per_minor: 1 },
  });
  refunded = await place({ country: 'DE' });
  const chargedBack = await place({ game_id: 'tidefall' as never });
  for (const order of [delivered, refunded, chargedBack]) await report(db, order, { amount: AMOUNT });
  await deliverAll(db);
  await report(db, refunded, { status: 'refunded', amount: AMOUNT });
  await report(db, chargedBack, { status: 'chargeback' });
  unpaid = await place();
  await db.query(
    `insert into settlement_fee (player_id, billing_no, attempt_no, movement, provider, fee_minor, currency, at)
     values ($1, $2, 1, 'payment', 'paypal', 25, 'USD', now())`,
    [delivered.player, delivered.billingNo],
  );
});
afterAll(async () => {
  await drop();
  await rm(folder, { recursive: true });
});

/** In a year and more, when this month may go. */
const later = () => Date.now() + 400 * DAY_MS;
const nextMonth = () => new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1));

const archive = async (to = folder) =>
  archiveBefore(
    {
      db,
      reads: readPrimary(db),
      configuration: await loadConfiguration(db),
      environment: 'demo',
      folder: to,
      by: 'test',
      now: later,
    },
    nextMonth(),
  );

const count = async (table: string): Promise<number> =>
  Number((await db.query<{ n: string }>(`select count(*)::text as n from ${table}`)).rows[0]?.n);

async function readReports(): Promise<unknown[]> {
  const day = (shift: number) => new Date(Date.now() + shift * DAY_MS).toISOString().slice(0, 10);
  const span = { since: day(-2), until: day(2), zone: 'Asia/Kathmandu', brand: null };
  const by = ['day', 'brand', 'game', 'country', 'method', 'provider', 'currency'] as const;
  return Promise.all(
    (['revenue', 'refunds', 'chargebacks', 'fees'] as const).map((kind) => readMoneyReport(db, { ...span, kind, by })),
  );
}

const findBroken = async () => (await checkInvariants(db)).filter(({ breaches }) => breaches > 0);

test('a month with an order that is not finished stays, and says which', async () => {
  const { done, held } = await archive();
  // The time before the first month of a new shop is empty, so it goes.
  expect(done).toMatchObject([{ month: 'before', orders: 0 }]);
  expect(held?.holds).toEqual([
    { reason: 'are not finished', count: 1, example: unpaid.billingNo },
    { reason: 'have a payment that may still bring money', count: 1, example: unpaid.billingNo },
  ]);
  // Nothing is frozen.
  const operated = await findOperatedOrder(db, unpaid.billingNo);
  expect(operated && (await cancelOrder(db, operated, [unpaid.attemptNo]))).toBe('cancelled');
});

test('a young month stays', async () => {
  const { done, held } = await archiveBefore(
    {
      db,
      reads: readPrimary(db),
      configuration: await loadConfiguration(db),
      environment: 'demo',
      folder,
      by: 'test',
      now: () => Date.now() + 30 * DAY_MS,
    },
    nextMonth(),
  );
  expect(done).toEqual([]);
  expect(held?.holds).toMatchObject([{ reason: 'moved in the last 180 days', count: 4 }]);
});

/** Archives without being let to look at all books. @returns its words, and how often it tried to look */
async function archiveWithout(): Promise<{ said: string; looks: number }> {
  let looks = 0;
  const reads: Reads = {
    ...readPrimary(db),
    read: () => {
      looks += 1;
      throw new Error('the replica is asked');
    },
  };
  const configuration = await loadConfiguration(db);
  const parts = { db, reads, configuration, environment: 'demo', folder, by: 'test', now: later } as const;
  const said = await archiveBefore(parts, nextMonth()).then(
    () => 'archived',
    (error: Error) => error.message,
  );
  return { said, looks };
}

const lookedAt = (hours: number | null, breaches: readonly unknown[] = []) =>
  db.query(`update invariant_check set full_at = now() - make_interval(hours => $1), breaches = $2::jsonb`, [
    hours,
    JSON.stringify(breaches),
  ]);

/** By hand, which leaves no note. */
const spoil = (by: number) =>
  db.query('update payment_attempt set amount_minor = amount_minor + $2 where billing_no = $1', [
    delivered.billingNo,
    by,
  ]);

test.each([null, 37])(
  'the look at all books before it is read where reads come from (the last: %s h)',
  async (hours) => {
    await lookedAt(hours);
    expect(await archiveWithout()).toEqual({ said: 'the replica is asked', looks: 1 });
  },
);

test('after a night that looked at all books, what it found and what changed since is refused as it is', async () => {
  await lookedAt(35, [{ invariant: 'I7', breaches: 1, example: null }]);
  expect(await archiveWithout()).toEqual({ said: expect.stringContaining('The books break I7:'), looks: 0 });
  await lookedAt(35);
  await spoil(1);
  await db.query('insert into player_change (player_id) values ($1)', [delivered.player]);
  expect(await archiveWithout()).toEqual({ said: expect.stringContaining('The books break I2:'), looks: 0 });
  await spoil(-1);
});

test('a hand that left no note since the night is seen in the month, and so is what belongs to nobody', async () => {
  await lookedAt(1);
  await db.query('truncate player_change');
  await spoil(1);
  expect((await archiveWithout()).said).toContain('The books break I2:');
  await spoil(-1);
  await db.query(
    `insert into gift_card (card_id, batch_id, password_hmac, state, billing_no, player_id)
     values ('nobody', 'nobody', '', 'spent', 'zz', null)`,
  );
  expect((await archiveWithout()).said).toContain('The books break I5:');
  await db.query(`delete from gift_card where card_id = 'nobody'`);
});

test('a folder that cannot be written leaves the month as it was, open for changes', async () => {
  await writeFile(join(folder, 'a-file'), '');
  const before = await count('orders');
  await expect(archive(join(folder, 'a-file'))).rejects.toThrow('ENOTDIR');
  expect(await count('orders')).toBe(before);
  expect(
    (await db.query(`update orders set is_late = is_late where billing_no = $1`, [unpaid.billingNo])).rowCount,
  ).toBe(1);
});

test('a finished month goes into files: books, reports, rules and invariants say what they said', async () => {
  const before = await readReports();
  const sums = await db.query(
    'select account, currency, sum(amount_minor) from ledger_entry group by 1, 2 order by 1, 2',
  );
  expect(before.every((rows) => (rows as unknown[]).length > 0)).toBe(true);

  const { done, held } = await archive();
  expect(held).toBeNull();
  expect(done).toMatchObject([{ orders: 4 }]);

  const gone = ['orders', 'order_lookup', 'payment_attempt', 'delivery', 'ledger_entry', 'provider_reference'];
  for (const table of [...gone, 'refund', 'settlement_fee']) expect([table, await count(table)]).toEqual([table, 0]);
  expect(await readReports()).toEqual(before);
  expect(
    (
      await db.query(
        `select account, currency, sum(amount_minor) from ledger_archived where kind <> 'fee'
          group by 1, 2 order by 1, 2`,
      )
    ).rows,
  ).toEqual(sums.rows);
  expect(await findBroken()).toEqual([]);
  // Limits and points are counted on.
  expect((await db.query('select used from limit_counter where account_id = $1', [delivered.player])).rows).toEqual([
    { used: 1 },
  ]);
  expect((await db.query('select player_points($1) as points', [delivered.player])).rows).toEqual([{ points: 499 }]);
});

test('who bought once is no first buyer, and a word about an archived order is one of an unknown order', async () => {
  await db.query(`insert into promo_code (brand_key, code) values ('watt', 'FIRST') on conflict do nothing`);
  const refused = await placeOrder(db, placeInput(delivered.player, { promo }));
  expect(refused).toEqual({ outcome: 'promo_refused', reason: 'not_first' });
  expect((await placeOrder(db, placeInput(unpaid.player, { promo }))).outcome).toBe('placed');
  expect(await report(db, delivered, { status: 'refunded', amount: AMOUNT })).toMatchObject({
    outcome: 'unknown_order',
  });
});

test('an archived order is read by its number, without what names a person', async () => {
  const found = await readArchivedOrder(db, refunded.billingNo);
  expect(found?.rows.orders).toMatchObject([{ player_id: refunded.player, state: 'refunded', amount_minor: 499 }]);
  expect(found?.rows.ledger_entry?.length).toBeGreaterThan(3);
  for (const name of ['username', 'suid', 'role_name', 'role_id'])
    expect(found?.rows.orders?.[0]).not.toHaveProperty(name);
  expect(await readArchivedOrder(db, '01JZZZZZZZZZZZZZZZZZZZZZZZ')).toBeNull();

  const environment = { DATABASE_URL: url };
  const shown = await runCommand(['order', 'show', refunded.billingNo], environment);
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('ORDERS')]);
  const read = await runCommand(['archive', 'read', refunded.billingNo, '--json'], environment);
  expect(JSON.parse(read.out)).toMatchObject({ month: found?.month, rows: { orders: [{ state: 'refunded' }] } });
  expect((await runCommand(['archive', 'read', '01JZZZZZZZZZZZZZZZZZZZZZZZ'], environment)).err).toContain(
    'is not in the archive',
  );
});

test('files that were changed are refused', async () => {
  const [{ folder: month = '' } = {}] = (
    await db.query<{ folder: string }>('select folder from archived_month order by to_no desc limit 1')
  ).rows;
  const manifest = join(month, 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('499', '599'));
  await expect(readArchivedOrder(db, delivered.billingNo)).rejects.toThrow(ArchiveFault);
  await writeFile(manifest, text);
  const file = join(month, 'delivery.jsonl.gz');
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, bytes.length - 20));
  await expect(readArchivedOrder(db, delivered.billingNo)).rejects.toThrow('cannot be read');
  await rm(file);
  await expect(readArchivedOrder(db, delivered.billingNo)).rejects.toThrow('cannot be read: ENOENT');
});

test('what is asked for must be a month that has begun, and a place', async () => {
  const run = (...args: string[]) => runCommand(['archive', ...args], { DATABASE_URL: url });
  expect((await run('--before', '2026-13', '--to', folder)).err).toContain('it must be a month that has begun');
  expect((await run('--before', '2026-01')).err).toContain('where files go');
  expect((await run('--before', 'foo')).err).toContain('--before is "foo"');
  expect((await run('--before', '2024-01', '--to', folder)).out).toContain('Nothing is older than that');
});

test('events hold back what they count, and nothing that is empty', async () => {
  const shop = await createShopDatabase();
  const at = openDb(shop.url, { max: 2, onError: () => undefined });
  const to = join(folder, 'events');
  const month = new Date().toISOString().slice(0, 7);
  const run = () => runCommand(['archive', '--before', month, '--to', to], { DATABASE_URL: shop.url });
  try {
    expect(await run()).toMatchObject({
      code: 0,
      out: expect.stringContaining('The time before the first month: 0 orders are in'),
    });
    await placeTestOrder(at, placeInput(await makePlayer(at)));
    const configuration = await loadConfiguration(at);
    const parts = { db: at, reads: readPrimary(at), configuration, folder: to, by: 'test', now: Date.now };
    const { held } = await archiveBefore({ ...parts, environment: 'demo' }, nextMonth());
    expect(held?.holds).toContainEqual({
      reason: 'of its events can still be received',
      count: expect.any(Number),
      example: expect.stringContaining('emberfall'),
    });
  } finally {
    await at.end();
    await shop.drop();
  }
});

test('a database that is spread over machines keeps its months, and says why', async () => {
  await db.query(
    `create table pg_dist_partition (logicalrelid regclass); insert into pg_dist_partition values ('orders')`,
  );
  const { code, err } = await runCommand(['archive', '--before', '2024-01', '--to', folder], { DATABASE_URL: url });
  expect([code, err]).toEqual([1, expect.stringContaining('spread over machines keeps all its months')]);
  await db.query('drop table pg_dist_partition');
});
