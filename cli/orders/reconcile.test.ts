// Books against settlement files with planted differences of each kind. The files are Adyen's; the
// providers' own tests read the others.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BillingNo } from '#kernel/ids.ts';
import { applyConfiguration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { runCommand } from '#cli/test-run.ts';

let db: Db;
let environment: { DATABASE_URL: string };
let folder: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-reconcile-'));
});
beforeEach(async () => {
  await drop?.();
  const database = await openTestDatabase(5);
  environment = { DATABASE_URL: database.url };
  ({ db, drop } = database);
});
afterAll(async () => {
  await drop();
  await rm(folder, { recursive: true });
});

const today = () => new Date().toISOString().slice(0, 10);
const now = () => new Date().toISOString().slice(0, 19).replace('T', ' ');

type Paid = { billingNo: BillingNo; attemptNo: number };

async function paid(over: Parameters<typeof placeInput>[1] = {}): Promise<Paid> {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { provider: 'adyen', ...over }));
  const outcome = await report(db, order, { provider: 'adyen', captureRef: `PSP-${order.billingNo}` });
  expect(outcome.outcome).toBe('paid');
  return order;
}

const HEAD =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation ' +
  'Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC)';
const line = (
  order: Paid,
  over: { type?: string; credit?: string; debit?: string; currency?: string; reference?: string; at?: string } = {},
) =>
  `C,M,PSP-${order.billingNo},${over.reference ?? `${order.billingNo}-${order.attemptNo}`},visa,${over.at ?? now()},UTC,${over.type ?? 'Settled'},X,${over.currency ?? 'USD'},${over.debit ?? ''},${over.debit ? '' : (over.credit ?? '4.99')}`;

async function reconcile(lines: string[], ...more: string[]) {
  const path = join(folder, `${Math.random()}.csv`);
  await writeFile(path, `${[HEAD, ...lines].join('\n')}\n`);
  const args = ['reconcile', '--provider', 'adyen', '--date', today(), '--file', path, ...more];
  const run = await runCommand([...args, '--json'], environment);
  return {
    code: run.code,
    err: run.err,
    ...(run.out ? JSON.parse(run.out) : {}),
    text: await runCommand(args, environment),
  };
}

test("equal books agree, with other people's lines and fees left out", async () => {
  const [one, two] = [await paid(), await paid()];
  await report(db, two, { provider: 'adyen', status: 'refunded' });
  const found = await reconcile([
    line(one),
    line(two, { reference: '' }),
    line(two, { type: 'Refunded', debit: '4.99' }),
    `C,M,,,,${now()},UTC,Fee,Transaction Fees,USD,0.10,`,
    `C,M,,,,${now()},UTC,MerchantPayout,batch 4,USD,9.88,`,
  ]);
  expect(found).toMatchObject({
    code: 0,
    ok: true,
    provider: 'adyen',
    lines: 3,
    differences: [],
    unreadable: [],
    totals: [{ currency: 'USD', there: 499, here: 499, equal: 3 }],
  });
  expect(found.text.out).toContain('Both sides agree.');
});

test('every kind of difference is listed with its line, and the sums are off by them', async () => {
  const [missingThere, amount, currency, refunded, chargedBack, kind] = [
    await paid(),
    await paid(),
    await paid(),
    await paid(),
    await paid(),
    await paid(),
  ];
  const stranger: Paid = { billingNo: '01JD3Y8Q5R7T9V1X3Z5B7D9F1H' as BillingNo, attemptNo: 1 };
  await report(db, chargedBack, { provider: 'adyen', status: 'chargeback' });
  await report(db, kind, { provider: 'adyen', status: 'chargeback' });
  const found = await reconcile([
    line(stranger, { credit: '7.00' }),
    line(amount, { credit: '4.98' }),
    line(currency, { currency: 'EUR' }),
    line(refunded),
    line(refunded, { type: 'Refunded', debit: '4.99' }),
    line(chargedBack),
    line(kind),
    line(kind, { type: 'Refunded', debit: '4.99' }),
    line(amount, { reference: 'not-ours', credit: '1.00' }).replace(/PSP-[^,]*/, 'PSP-UNKNOWN'),
    line(stranger, { credit: '1.999' }),
    line(stranger).replace('UTC', 'XYZ'),
  ]);
  expect(found.code).toBe(1);
  expect(found.ok).toBe(false);
  const short = found.differences.map((one: Record<string, unknown>) => [
    one.kind,
    one.line,
    one.billing_no ?? one.reference,
    one.movement_there,
    one.movement_here,
    one.amount_there,
    one.amount_here,
  ]);
  expect(short).toEqual([
    ['missing_here', 2, stranger.billingNo, 'payment', null, 700, null],
    ['amount_differs', 3, amount.billingNo, 'payment', 'payment', 498, 499],
    ['currency_differs', 4, currency.billingNo, 'payment', 'payment', 499, 499],
    ['missing_here', 6, refunded.billingNo, 'refund', null, 499, null],
    ['movement_differs', 9, kind.billingNo, 'refund', 'chargeback', 499, 499],
    ['missing_here', 10, 'not-ours', 'payment', null, 100, null],
    ...[
      ['missing_there', null, missingThere.billingNo, null, 'payment', null, 499],
      ['missing_there', null, chargedBack.billingNo, null, 'chargeback', null, 499],
    ].toSorted((a, b) => (String(a[2]) < String(b[2]) ? -1 : 1)),
  ]);
  expect(found.unreadable).toEqual([
    { line: 11, reason: 'the amount "1.999 USD"' },
    { line: 12, reason: expect.stringContaining('XYZ') },
  ]);
  expect(found.totals).toEqual([
    { currency: 'EUR', there: 499, here: 0, equal: 0 },
    { currency: 'USD', there: 700 + 498 + 499 - 499 + 499 + 499 - 499 + 100, here: 6 * 499 - 2 * 499, equal: 3 },
  ]);
  expect(found.text.code).toBe(1);
  for (const word of [
    'missing_here',
    'missing_there',
    'amount_differs',
    'currency_differs',
    'movement_differs',
    'refund / chargeback',
    '4.98 USD',
  ])
    expect(found.text.out).toContain(word);
});

test('a payment on the other side of midnight is told but is no difference; the zone says where midnight is', async () => {
  const order = await paid();
  const other = new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  const found = await reconcile([line(order, { at: other })]);
  expect(found).toMatchObject({ code: 0, ok: true, differences: [] });
  expect(found.other_day).toMatchObject([{ kind: 'other_day', billing_no: order.billingNo }]);
  const day = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  const far = await reconcile([line(order)], '--zone', 'Pacific/Kiritimati', '--date', day);
  expect(far).toMatchObject({ code: 0, lines: 1, totals: [{ currency: 'USD', there: 499, here: 499 }] });
});

test('a refund that was taken back by the provider is seen', async () => {
  const order = await paid();
  await report(db, order, { provider: 'adyen', status: 'refunded' });
  const found = await reconcile([
    line(order),
    line(order, { type: 'Refunded', debit: '4.99' }),
    line(order, { type: 'RefundedReversed', credit: '4.99' }),
  ]);
  expect(found.differences).toMatchObject([{ kind: 'amount_differs', amount_there: 0, amount_here: 499 }]);
});

test.each([
  [['--provider', 'nobody', '--date', '2026-11-21'], '--provider "nobody": it must be one of adyen, paypal, xsolla.'],
  [['--provider', 'adyen'], 'Name the day with --date, e.g. --date 2026-11-21.'],
  [['--provider', 'adyen', '--date', '2026-02-30'], '--date "2026-02-30": it must be a day, e.g. 2026-11-21.'],
  [
    ['--provider', 'adyen', '--date', '2026-11-21', '--zone', 'Moon'],
    '--zone "Moon": it must be the name of a time zone, e.g. UTC or Asia/Tokyo.',
  ],
  [
    ['--provider', 'adyen', '--date', '2026-11-21', '--file', '/nowhere/x.csv'],
    '--file "/nowhere/x.csv" cannot be read (ENOENT): name a file that can.',
  ],
  [
    ['--provider', 'adyen', '--since', '2026-11-21'],
    '--since is for a --game; the file of a --provider is of one day: --date.',
  ],
  [
    ['--game', 'emberfall', '--date', '2026-11-21'],
    '--date and --file are for a --provider; a --game is asked --since when.',
  ],
  [['--date', '2026-11-21'], 'Say what to reconcile: either --provider or --game.'],
  [
    ['--game', 'emberfall', '--since', '2026-11-21 08:30'],
    '--since "2026-11-21 08:30": write 2026-11-21 or 2026-11-21T08:30:00Z.',
  ],
])('wrong input is one sentence: %j', async (args, sentence) => {
  expect(await runCommand(['reconcile', ...args], environment)).toEqual({
    code: 1,
    out: '',
    err: `refill: ${sentence}\n`,
  });
});

test.each(['adyen', 'paypal', 'xsolla'])('a file of another kind is refused by %s', async (provider) => {
  const path = join(folder, 'other.csv');
  const refused = async (at: string) => {
    const { code, out, err } = await runCommand(
      ['reconcile', '--provider', provider, '--date', today(), '--file', at],
      environment,
    );
    expect({ code, out, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 });
    return err;
  };
  const named = new RegExp(`^refill: --file ".*other\\.csv": .+\\. Give the file as ${provider} wrote it \\(docs/`);
  await writeFile(path, 'a,b\n1,2\n');
  expect(await refused(path)).toMatch(named);
  await writeFile(path, 'a "quoted" word\n"and, an end');
  expect(await refused(path)).toMatch(named);
  expect(await refused(folder)).toMatch(/ is a folder: name the files in it\.$/m);
});

test('a game that gives no answer is told with the setting of its address, and so is one without settings', async () => {
  await applyConfiguration(db, join(import.meta.dirname, '..', '..'), { providers: shopProviders });
  const asked = (id: string, over: Record<string, string> = {}) =>
    runCommand(['reconcile', '--game', id], { ...environment, ...over });
  const unset = await asked('emberfall');
  expect(unset.err).toMatch(/: set REFILL_GAME_EMBERFALL_DEMO_URL and REFILL_GAME_EMBERFALL_DEMO_SECRETS\.\n$/);
  expect((await asked('nowhere')).err).toContain('--game "nowhere": the games of this shop are emberfall, ');
  const away = await asked('emberfall', {
    REFILL_GAME_EMBERFALL_DEMO_URL: 'http://127.0.0.1:9/v1',
    REFILL_GAME_EMBERFALL_DEMO_SECRETS: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  expect(away).toMatchObject({ code: 1, out: '' });
  expect(away.err).toMatch(/^refill: The game emberfall gave no answer \(.+\): .*REFILL_GAME_EMBERFALL_DEMO_URL\. /);
});
