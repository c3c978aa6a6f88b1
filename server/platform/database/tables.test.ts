// The tables can be spread over machines by player: every one that grows with play has player_id in
// its primary key, and no foreign key leads from one player to another. Read from PostgreSQL's own catalogue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { type Db, type Queryable } from './db.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

/** Tables of ours without player_id in their primary key. */
const findUnspreadable = async (on: Queryable): Promise<string[]> =>
  (
    await on.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not exists (
         select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary and a.attname = 'player_id') order by 1`,
    )
  ).rows.map(({ name }) => name);

/** Foreign keys that do not tie a player's row to a row of the same player. */
const findCrossing = async (on: Queryable): Promise<string[]> =>
  (
    await on.query<{ name: string }>(
      `select k.conname as name from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not exists (
         select from unnest(k.conkey, k.confkey) as pair(own, theirs)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.theirs
         where a.attname = 'player_id' and b.attname = 'player_id') order by 1`,
    )
  ).rows.map(({ name }) => name);

test('what is not spread by player is an exception with its reason, and every exception is needed', async () => {
  const exceptions = (
    await db.query<{ table_name: string; reason: string }>('select * from table_exception order by table_name')
  ).rows;
  // The list itself, and what the migrator keeps, are small tables.
  const unspreadable = (await findUnspreadable(db)).filter(
    (name) => !['table_exception', 'schema_migration', 'schema_repeatable', 'schema_left_over'].includes(name),
  );
  expect(exceptions.map(({ table_name }) => table_name)).toEqual(unspreadable);
  for (const { reason } of exceptions) expect(reason.length).toBeGreaterThan(10);
  expect(unspreadable).not.toContain('orders');
});

test('no foreign key crosses players', async () => {
  expect(await findCrossing(db)).toEqual([]);
});

test('the two questions find what they are for', async () => {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query('create table growing (id integer primary key, player_id uuid)');
    await client.query(
      'create table crossing (player_id uuid primary key, other integer constraint leads_away references growing (id))',
    );
    await client.query('create table fine (player_id uuid primary key constraint stays references player (player_id))');
    expect(await findUnspreadable(client)).toContain('growing');
    expect(await findCrossing(client)).toEqual(['leads_away']);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

/**
 * The doors that an order goes through, whose plans must not depend on the statistics of the day. What is called behind
 * a door runs under its settings, and its plans are made there: to set them anew a call costs a hundredth of an order.
 * @source docs/decisions/0012
 */
const MONEY_PATH = [
  'place_order',
  'record_create_result',
  'receive_report',
  'lease_deliveries',
  'record_delivery_results',
  'record_delivery',
  'operator_confirm_payment',
  'adopt_order',
  'adopt_payment',
];
/** Called behind those doors alone: whoever else calls one of them has to have the settings as well. */
const BEHIND_THEM = ['apply_report', 'book_payment', 'make_order', 'add_attempt', 'capture_internal_tender'];
/** Tables that an order writes. */
const WRITTEN = ['orders', 'payment_attempt', 'delivery', 'ledger_entry', 'callback_inbox', 'reservation'];

test('the functions of the money path look only by keys: a redefinition loses its settings', async () => {
  const { rows } = await db.query<{ name: string; settings: string[] | null }>(
    'select proname as name, proconfig as settings from pg_proc where proname = any($1) order by array_position($1, proname::text)',
    [MONEY_PATH],
  );
  const settings = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];
  expect(rows).toEqual(MONEY_PATH.map((name) => ({ name, settings: expect.arrayContaining(settings) })));
});

test('what books a payment is reached by doors with these settings alone', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select distinct f.proname as name from pg_proc f, unnest($1::text[]) as inner_name
     where f.pronamespace = 'public'::regnamespace and f.prosrc ~ ('\\m' || inner_name || '\\(')
       and coalesce(array_to_string(f.proconfig, ' '), '') not like '%enable_seqscan=off%'
       and f.proname <> all ($1::text[])`,
    [BEHIND_THEM],
  );
  expect(rows).toEqual([]);
});

test('no table that an order writes has a list of texts to read in its checks and generated columns', async () => {
  const { rows } = await db.query<{ found: string }>(
    `select conrelid::regclass || '.' || conname as found from pg_constraint
       where contype = 'c' and conrelid = any($1::regclass[]) and pg_get_constraintdef(oid) like '%ARRAY[%'
     union all select adrelid::regclass || '.' || adnum from pg_attrdef
       where adrelid = any($1::regclass[]) and pg_get_expr(adbin, adrelid) like '%ARRAY[%'`,
    [WRITTEN],
  );
  expect(rows.map(({ found }) => found)).toEqual([]);
});
