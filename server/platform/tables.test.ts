// The tables can be spread over machines by player: every one that grows with play has player_id in its primary key, and no foreign
// key leads from one player to another. Read from PostgreSQL's own catalogue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { type Db, type Queryable, openDb } from './db.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  db = openDb(database.url, { max: 2, onError: () => undefined });
  drop = async () => {
    await db.end();
    await database.drop();
  };
});
afterAll(() => drop());

/** Tables of ours without player_id in their primary key. */
const findUnspreadable = async (on: Queryable): Promise<string[]> =>
  (
    await on.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not exists (
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
  // The list itself, and the migrations that were run, are one small table each.
  const unspreadable = (await findUnspreadable(db)).filter(
    (name) => name !== 'table_exception' && name !== 'schema_migration',
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
