// The reports of finance against the ledger itself, added up by another statement.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSettlementTable,
  addSettlementLines,
  keepFees,
  resolveLines,
} from '#server/modules/orders/reconcile/reconcile-store.ts';
import { onOwnConnection } from '#server/modules/orders/reconcile/reconcile.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { runCommand } from '#cli/test-run.ts';

let db: Db;
let drop: () => Promise<void>;
let url: string;
const orders: { billingNo: string }[] = [];

beforeAll(async () => {
  ({ db, drop, url } = await openTestDatabase(3));
  const sold = [
    { country: 'US' },
    { country: 'JP', amount_minor: 480, currency: 'JPY' as const, method: 'card' },
    { country: 'US', amount_minor: 999 },
    { country: 'DE', game_id: 'tidefall' as never },
    { country: 'US' },
  ];
  for (const over of sold) {
    const player = await makePlayer(db);
    const input = placeInput(player, over);
    const order = await placeTestOrder(db, input);
    orders.push(order);
    const amount = { amountMinor: input.amount_minor, currency: input.currency };
    await report(db, order, { amount, captureRef: `C-${order.billingNo}` });
  }
  await deliverAll(db);
  await report(db, orders[2] as never, { status: 'refunded', amount: { amountMinor: 999, currency: 'USD' } });
  await report(db, orders[4] as never, { status: 'chargeback' });
});
afterAll(() => drop());

const refill = (...args: string[]) => runCommand(['report', ...args], { DATABASE_URL: url });
const rowsOf = async (...args: string[]) => JSON.parse((await refill(...args, '--json')).out).rows as Row[];
type Row = Record<string, string> & { count: number; amount_minor: number; currency: string };

/** Another way to the same figures. */
const inLedger = async (which: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await db.query(
        `select currency, -sum(amount_minor)::bigint as minor from ledger_entry where ${which} group by currency`,
      )
    ).rows.map(({ currency, minor }) => [currency as string, minor as number]),
  );

describe.each([
  ['revenue', `account = 'revenue' and kind = 'delivered'`],
  ['refunds', `account = 'provider_receivable' and kind in ('refunded', 'overpayment_refunded')`],
  ['chargebacks', `account = 'provider_receivable' and kind = 'chargeback'`],
])('%s', (kind, which) => {
  test.each([
    ['currency'],
    ['day'],
    ['brand,game'],
    ['country,method,provider'],
    ['channel'],
    ['day,brand,game,country,method,channel,provider'],
  ])('by %s sums to the ledger', async (by) => {
    const sums: Record<string, number> = {};
    for (const row of await rowsOf(kind, '--by', by)) sums[row.currency] = (sums[row.currency] ?? 0) + row.amount_minor;
    const ledger = await inLedger(which);
    expect(Object.keys(ledger).length).toBeGreaterThan(0);
    expect(sums).toEqual(ledger);
  });
});

test('groups as it was asked to, in a fixed order, and leaves other days and brands out', async () => {
  expect(await rowsOf('revenue', '--by', 'country')).toEqual([
    { country: 'DE', currency: 'USD', count: 1, amount_minor: 499, discount_minor: 0, refunded_minor: 0 },
    { country: 'JP', currency: 'JPY', count: 1, amount_minor: 480, discount_minor: 0, refunded_minor: 0 },
    { country: 'US', currency: 'USD', count: 3, amount_minor: 1997, discount_minor: 0, refunded_minor: 999 },
  ]);
  expect(await rowsOf('revenue', '--since', '2020-01-01', '--until', '2020-02-01')).toEqual([]);
  expect((await refill('revenue', '--brand', 'nobody')).err).toContain('--brand "nobody"');
  // A brand that is configured no longer has its money in the books still.
  await db.query(`update orders set brand_key = 'gone' where billing_no = $1`, [orders[3]?.billingNo]);
  expect(await rowsOf('revenue', '--brand', 'gone', '--by', 'brand')).toMatchObject([{ brand: 'gone', count: 1 }]);
  await db.query(`update orders set brand_key = 'watt' where billing_no = $1`, [orders[3]?.billingNo]);
});

test('net revenue is the balance of the account', async () => {
  const net: Record<string, number> = {};
  for (const row of await rowsOf('revenue', '--by', 'channel')) {
    expect(row.channel).not.toBe('');
    net[row.currency] = (net[row.currency] ?? 0) + row.amount_minor - Number(row['refunded_minor']);
  }
  expect(net).toEqual(await inLedger(`account = 'revenue'`));
});

test('yesterday and today are days of the zone', async () => {
  const zone = ['--zone', 'Pacific/Kiritimati'];
  expect(await rowsOf('revenue', '--since', 'today', ...zone)).toHaveLength(2);
  expect(await rowsOf('revenue', '--since', 'yesterday', '--until', 'today', ...zone)).toEqual([]);
});

test('a table for people, CSV for spreadsheets', async () => {
  const csv = (await refill('revenue', '--by', 'country,method', '--csv')).out.trim().split('\n');
  expect(csv[0]).toBe('country,method,currency,count,amount,discount,paid,refunded,net');
  expect(csv).toContain('JP,card,JPY,1,480,0,480,0,480');
  expect((await refill('refunds', '--by', 'country')).out).toMatch(
    /COUNTRY +CURRENCY +COUNT +AMOUNT\nUS +USD +1 +9.99/,
  );
  expect((await refill('chargebacks', '--since', '2020-01-01', '--until', '2020-01-02')).out).toContain(
    'No chargebacks',
  );
});

test('days begin at midnight of the zone', async () => {
  const [utc] = await rowsOf('revenue', '--by', 'day');
  const today = new Date().toISOString().slice(0, 10);
  expect(utc?.day).toBe(today);
  const [far] = await rowsOf('revenue', '--by', 'day', '--zone', 'Pacific/Kiritimati');
  const there = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
  expect(far?.day).toBe(there);
});

test('fees are those of reconciled settlement files, once however often a file is read', async () => {
  const line = (order: { billingNo: string }, over: object) => ({
    line: 1,
    movement: 'payment',
    billing_no: order.billingNo,
    attempt_no: 1,
    reference: null,
    capture_ref: null,
    amount_minor: 499,
    currency: 'USD',
    fee_minor: 35,
    fee_currency: 'USD',
    at: at(0),
    ...over,
  });
  const now = Date.now();
  const at = (secondsLater: number) => new Date(now + secondsLater * 1000).toISOString();
  const read = (...lines: ReturnType<typeof line>[]) =>
    onOwnConnection(db, async (client) => {
      await createSettlementTable(client);
      await addSettlementLines(client, lines);
      await resolveLines(client, 'paypal');
      return keepFees(client, 'paypal');
    });
  const payments = [
    line(orders[0]!, {}),
    line(orders[1]!, { fee_minor: 20, fee_currency: 'JPY' }),
    line(orders[2]!, { fee_minor: null, fee_currency: null }),
  ];
  expect([await read(...payments), await read(...payments)]).toEqual([2, 2]);
  const sums = async () => (await rowsOf('fees', '--by', 'provider')).map((row) => [row.currency, row.amount_minor]);
  expect(await sums()).toEqual([
    ['JPY', 20],
    ['USD', 35],
  ]);
  // Two parts go back, each in the file of its day; the second file also has a line that takes some of its fee back.
  const part = (seconds: number, feeMinor: number) =>
    line(orders[0]!, { movement: 'refund', amount_minor: 100, fee_minor: feeMinor, at: at(seconds) });
  const [first, second] = [[part(60, 5)], [part(120, 7), part(120, -1)]];
  for (const file of [first, second, first, second, payments]) await read(...file);
  expect(await sums()).toEqual([
    ['JPY', 20],
    ['USD', 35 + 5 + 7 - 1],
  ]);
});

test.each([
  [['revenue', '--csv', '--json'], '--json and --csv: choose one of them.'],
  [['revenue', '--by', 'player'], '--by "player": it must be one of day'],
  [['revenue', '--since', 'tuesday'], '--since "tuesday": it must be a day'],
  [['revenue', '--since', '2026-02-01', '--until', '2026-01-01'], 'it must be after 2026-02-01'],
  [['fees', '--zone', 'Mars/Olympus'], '--zone "Mars/Olympus"'],
  [['revenue', '--zone', '+09:00'], '--zone "+09:00": it must be the name of a time zone'],
])('%j says what is wrong', async (args, sentence) => {
  expect(await refill(...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});
