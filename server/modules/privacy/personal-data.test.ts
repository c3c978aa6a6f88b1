// The table of personal data against the catalogue of a migrated database: nothing is missing, nothing is made up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { IMPERSONAL_DATA, PERSONAL_DATA, namedColumns } from './personal-data.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

const named = (): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(PERSONAL_DATA).map(([name, table]) => [name, namedColumns(table).toSorted()])),
  ...Object.fromEntries(Object.entries(IMPERSONAL_DATA).map(([name, { columns }]) => [name, columns.toSorted()])),
});

test('every table and every column of the database is named once, and nothing that is not there', async () => {
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text) as columns from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname`,
  );
  expect(named()).toEqual(Object.fromEntries(rows.map(({ name, columns }) => [name, columns.toSorted()])));
  expect(Object.keys(IMPERSONAL_DATA).filter((name) => name in PERSONAL_DATA)).toEqual([]);
});

test('a table with a player id belongs to a player by it', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'player_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const owned = Object.entries(PERSONAL_DATA)
    .filter(([, { belongs }]) => belongs.some((way) => way.by === 'player' && way.column === 'player_id'))
    .map(([name]) => name);
  expect(owned.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

/** Columns whose erasure does not fit their table's, or that are kept without a reason. */
const findUndecided = (tables: typeof PERSONAL_DATA): string[] =>
  Object.entries(tables).flatMap(([name, table]) =>
    Object.entries(table.columns)
      .filter(([, { onErasure, because }]) =>
        table.onErasure === 'delete'
          ? onErasure !== undefined
          : onErasure === undefined || (onErasure === 'keep') !== (because !== undefined),
      )
      .map(([column]) => `${name}.${column}`),
  );

test('rows that stay say of each column what erasing does, and why one is kept', () => {
  expect(findUndecided(PERSONAL_DATA)).toEqual([]);
  const planted = { is: 'a name' };
  const one = { purpose: '', belongs: [], ends: [], onErasure: 'keep', otherColumns: [] } as const;
  expect(findUndecided({ one: { ...one, columns: { name: planted } } })).toEqual(['one.name']);
  expect(findUndecided({ one: { ...one, columns: { name: { ...planted, onErasure: 'keep' } } } })).toEqual([
    'one.name',
  ]);
});

test('columns that end before their row are columns of persons', () => {
  const ending = Object.entries(PERSONAL_DATA).flatMap(([name, { ends, columns }]) =>
    ends.flatMap((end) => (end.how === 'columns' ? end.columns.map((column) => ({ name, column, columns })) : [])),
  );
  expect(ending.length).toBeGreaterThan(0);
  expect(ending.filter(({ column, columns }) => !(column in columns))).toEqual([]);
});

test('no unique key and no check stands in the way of emptying a column', async () => {
  const emptied = Object.entries(PERSONAL_DATA).flatMap(([table, { columns }]) =>
    Object.entries(columns)
      .filter(([, { onErasure }]) => onErasure === 'empty' || onErasure === 'pseudonym')
      .map(([column]) => `${table}.${column}`),
  );
  const { rows } = await db.query<{ found: string }>(
    `select distinct k.conrelid::regclass || '.' || a.attname as found from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
     where k.contype in ('p', 'u', 'c') and k.connamespace = 'public'::regnamespace`,
  );
  const guarded = new Set(rows.map(({ found }) => found));
  expect(emptied.filter((column) => guarded.has(column))).toEqual([]);
});
