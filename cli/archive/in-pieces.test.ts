// A month in many pieces is the same month: holds, sums, rows and what is kept of them, against all in one piece.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId, PlayerRange } from '#kernel/ids.ts';
import { ARCHIVED, type ArchivedTable } from '#server/modules/orders/operator/archive-rows-store.ts';
import {
  type Month,
  keepBuyers,
  keepSums,
  listMonths,
  readKeptSums,
} from '#server/modules/orders/operator/archive-store.ts';
import { type Db, type Queryable, transaction } from '#server/platform/database/db.ts';
import { unpaced } from '#server/platform/pace.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import type { Manifest } from './archive-files.ts';
import { endReferences, endRows, listAllHolds, readAllLines, readAllSums, requireRows } from './in-pieces.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const WHOLE: readonly PlayerRange[] = [{ from: FIRST, to: LAST }];

let db: Db;
let drop: () => Promise<void>;
let month: Month;
/** Each player in a piece of their own. */
let pieces: readonly PlayerRange[];
let unpaid: BillingNo[];

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
  const players: PlayerId[] = [];
  for (let n = 0; n < 6; n += 1) players.push(await makePlayer(db));
  for (const player of players) {
    // Two of a player in the same quarter of an hour: their books share a row of what is kept.
    for (const country of ['DE', 'US']) await report(db, await placeTestOrder(db, placeInput(player, { country })));
  }
  await deliverAll(db);
  unpaid = [];
  for (const player of players.slice(0, 2))
    unpaid.push((await placeTestOrder(db, placeInput(player, { country: 'JP' }))).billingNo);
  const cuts = [FIRST, ...players.toSorted().slice(1), LAST];
  pieces = cuts.slice(0, -1).map((from, index) => ({ from, to: cuts[index + 1] ?? LAST }));
  month = (await listMonths(db)).findLast(({ from }) => from <= String(unpaid[0])) as Month;
});
afterAll(() => drop());

test('what holds a month back is counted over all pieces, with the oldest as example', async () => {
  const [inPieces, whole] = [pieces, WHOLE].map((ranges) => listAllHolds(db, month, new Date(), ranges));
  expect(await inPieces).toEqual(await whole);
  expect((await inPieces)?.find(({ reason }) => reason === 'are not finished')).toEqual({
    reason: 'are not finished',
    count: 2,
    example: unpaid.toSorted()[0],
  });
});

test('the sums of the books are those of all pieces together', async () => {
  const sums = await readAllSums(db, month, pieces);
  expect(sums).toEqual(await readAllSums(db, month, WHOLE));
  expect(Object.values(sums).some((sum) => sum !== 0)).toBe(true);
});

const OTHERS = `insert into provider_reference (provider, provider_ref, player_id, billing_no, attempt_no)
  select 'adyen', 'OTHER' || n, gen_random_uuid(), '01AAAAAAAAAAAAAAAAAAAAAAAA', 1 from generate_series(1, 3000) n`;

const readPieces = (table: ArchivedTable, orders: number) =>
  Array.fromAsync(readAllLines(db, table, month, { without: ['attempt_no'], ranges: pieces, orders, pace: unpaced }));

test.each(Object.keys(ARCHIVED) as ArchivedTable[])(
  'lines of %s in pieces are its rows of the month, without what no file holds',
  async (table) => {
    await db.query(OTHERS);
    const found = await readPieces(table, 1);
    const { rows } = await db.query<{ line: string }>(
      `select (to_jsonb(t) - 'attempt_no')::text as line from ${table} t where billing_no >= $1 and billing_no < $2
       order by ${ARCHIVED[table] || 'ctid'}`,
      [month.from, month.to],
    );
    expect(found.flat()).toEqual(rows.map(({ line }) => line));
    await db.query(`delete from provider_reference where provider_ref like 'OTHER%'`);
  },
);

test('references of other months are walked over, and not at all for a month without orders', async () => {
  await db.query(OTHERS);
  const found = await readPieces('provider_reference', 14);
  expect(found.length).toBeGreaterThan(1);
  expect(found.flat()).toHaveLength(14);
  expect(await readPieces('provider_reference', 0)).toEqual([]);
  expect(await readPieces('orders', 14)).toHaveLength(6);
  await db.query(`delete from provider_reference where provider_ref like 'OTHER%'`);
});

test('references that lie elsewhere before all are read are not taken for all', async () => {
  const options = { without: [], ranges: pieces, orders: 1, pace: unpaced };
  const lines = readAllLines(db, 'provider_reference', month, options);
  expect((await lines.next()).value).toHaveLength(14);
  await db.query('vacuum full provider_reference');
  await expect(Array.fromAsync(lines)).rejects.toThrow('provider_reference was written anew (VACUUM FULL, CLUSTER)');
});

test('while the month is held nothing waits to be cleared away: what reads it has ended', async () => {
  const lines = readAllLines(db, 'ledger_entry', month, { without: [], ranges: pieces, orders: 14, pace: unpaced });
  await lines.next();
  const { rows } = await db.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
     and (backend_xmin is not null or backend_xid is not null)`,
  );
  expect(rows).toEqual([]);
});

class Undone extends Error {}

const NONE = Object.fromEntries(
  Object.keys(ARCHIVED).map((table) => [table, { file: '', rows: 0, sha256: '' }]),
) as unknown as Manifest['tables'];

async function* linesOf(client: Queryable, table: ArchivedTable): AsyncGenerator<string> {
  yield* (await client.query<{ line: string }>(`select to_jsonb(t)::text as line from ${table} t`)).rows.map(
    ({ line }) => line,
  );
}

/** Sums, buyers and references as the archive leaves them, and nothing has happened. */
async function keep(ranges: readonly PlayerRange[]): Promise<unknown> {
  let kept: unknown;
  const work = async (client: Queryable) => {
    for (const range of ranges) await keepSums(client, month, range);
    for (const range of ranges) await keepBuyers(client, month, range);
    const manifest = { tables: { ...NONE, provider_reference: { file: '', rows: 14, sha256: '' } } };
    await endReferences(client, month, manifest, linesOf(client, 'provider_reference'));
    await endRows(client, month, manifest, ranges);
    const read = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
    kept = {
      rows: await read('select * from ledger_archived order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10'),
      sums: await readKeptSums(client, month),
      buyers: await read('select * from archived_buyer order by player_id'),
      references: await read('select * from provider_reference'),
    };
    throw new Undone();
  };
  await expect(transaction(db, work)).rejects.toThrow(Undone);
  return kept;
}

test('what is kept is the same, and the references of all end', async () => {
  const kept = await keep(pieces);
  expect(kept).toEqual(await keep(WHOLE));
  expect(kept).toMatchObject({ references: [], sums: await readAllSums(db, month, WHOLE) });
});

test('a row more or less than the files have is refused, also of references', async () => {
  const tables = Object.fromEntries(
    await Promise.all(
      ['orders', 'order_lookup', 'payment_attempt', 'delivery', 'ledger_entry', 'refund', 'revocation']
        .concat('provider_reference', 'settlement_fee', 'audit_entry')
        .map(async (table) => {
          const { rows } = await db.query<{ rows: number }>(`select count(*)::integer as rows from ${table}`);
          return [table, { file: table, rows: rows[0]?.rows, sha256: '' }] as const;
        }),
    ),
  ) as unknown as Manifest['tables'];
  await requireRows(db, month, { tables }, pieces);
  const wrong = (table: keyof typeof tables) => ({
    tables: { ...tables, [table]: { ...tables[table], rows: tables[table].rows + 1 } },
  });
  await expect(requireRows(db, month, wrong('ledger_entry'), pieces)).rejects.toThrow('ledger_entry has changed');
  await expect(
    transaction(db, (client) =>
      endReferences(client, month, wrong('provider_reference'), linesOf(client, 'provider_reference')),
    ),
  ).rejects.toThrow('provider_reference has changed');
  await expect(transaction(db, (client) => endRows(client, month, wrong('settlement_fee'), pieces))).rejects.toThrow(
    'settlement_fee has changed',
  );
});
