// The table of places against the catalogue: every table stands in it, and what it says can be done by Citus.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from '#server/platform/database/db.ts';
import { takeGuardsOff } from './distribute-store.ts';
import { AT_THEIR_PLAYER, PLACES } from './places-rules.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

const read = async (statement: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
  (await db.query<Record<string, string>>(statement, values)).rows;

const TABLES = `select c.oid, c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

test('every table stands here, and nothing else', async () => {
  const found = await read(`select name from (${TABLES}) t order by 1`);
  expect(Object.keys(PLACES).toSorted()).toEqual(found.map(({ name }) => name));
});

test('what is not by the player says why', () => {
  const silent = Object.entries(PLACES).filter(([, place]) => place.kind !== 'player' && place.why.length < 6);
  expect(silent).toEqual([]);
});

test('every unique index of a spread table holds the column that it is spread by', async () => {
  const wanted = Object.entries(PLACES).flatMap(([name, place]) =>
    place.kind === 'player'
      ? [[name, place.column ?? 'player_id']]
      : place.kind === 'key'
        ? [[name, place.column]]
        : [],
  );
  const without = await read(
    `select t.name || ': ' || i.indexrelid::regclass as found
       from (${TABLES}) t join pg_index i on i.indrelid = t.oid and i.indisunique
       join unnest($1::text[], $2::text[]) as w(tab, col) on w.tab = t.name
     where not exists (select from pg_attribute a
       where a.attrelid = t.oid and a.attname = w.col and a.attnum = any (i.indkey))`,
    [wanted.map(([name]) => name), wanted.map(([, column]) => column)],
  );
  expect(without).toEqual([]);
});

test('no spread table has a trigger besides those that only guard, nor a foreign key', async () => {
  const spread = Object.entries(PLACES).flatMap(([name, { kind }]) => (kind === 'coordinator' ? [] : [name]));
  const found = await read(
    `select tgname::text as name from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[])
      and tgparentid = 0 order by 1`,
    [spread],
  );
  // Each refuses what no function does: on a spread database nothing but the rights of accounts refuses it.
  expect(found.map(({ name }) => name)).toEqual([
    'ledger_append_only', 'ledger_balanced', 'ledger_never_emptied', 'order_transition_checked', 'points_entry_append_only',
    'points_entry_never_emptied', 'wallet_balanced', 'wallet_entry_append_only', 'wallet_entry_never_emptied',
    'wallet_txn_append_only', 'wallet_txn_never_emptied',
  ]); /* a row a line */ // prettier-ignore
  expect(
    await read(
      `select conname::text as name from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    ),
  ).toEqual([]);
});

test('guards of the archive on months are taken off', async () => {
  const guards = () =>
    read(
      `select tgrelid::regclass::text as name from pg_trigger
       where tgname in ('archive_guard', 'archive_frozen') order by 1`,
    );
  await db.query(`select guard_month('before'), freeze_month('before', true)`);
  expect((await guards()).filter(({ name }) => name === 'orders_before')).toHaveLength(2);
  for (const table of Object.keys(PLACES)) await takeGuardsOff(db, table);
  expect(await guards()).toEqual([]);
});

test('no function in SQL reads or writes a spread table: Citus cannot plan their parameters', async () => {
  const spread = Object.entries(PLACES).flatMap(([name, { kind }]) => (kind === 'coordinator' ? [] : [name]));
  const found = await read(
    `select p.proname::text as name from pg_proc p join pg_language l on l.oid = p.prolang
     where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql' and p.pronargs > 0
       and p.prosrc ~ ('\\m(from|join|into|update)\\s+(' || array_to_string($1::text[], '|') || ')\\M') order by 1`,
    [spread],
  );
  expect(found).toEqual([]);
});

test('no statement with more than one row of a spread table waits for a lock', async () => {
  const spread = Object.entries(PLACES).flatMap(([name, { kind }]) =>
    kind === 'coordinator' || name === 'player' ? [] : [name],
  );
  const found = await read(
    `select p.proname::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and p.prosrc ~ ('(from|join)\\s+(' || array_to_string($1::text[],
         '|') || ')\\M[^;]*\\mlimit\\s+(p_|[0-9])((?!loop)[^;])*for (no key )?update') order by 1`,
    [spread],
  );
  expect(found).toEqual([]);
});

/** Bodies without comments, by name; those of one name together. */
async function readFunctions(): Promise<Map<string, string>> {
  const found = await read(
    `select proname::text as name, string_agg(prosrc, ' ') as body from pg_proc
      where pronamespace = 'public'::regnamespace group by 1`,
  );
  return new Map(found.map(({ name = '', body = '' }) => [name, body.replaceAll(/--.*$/gm, '')]));
}

const tablesOf = (kinds: readonly string[]): string[] =>
  Object.entries(PLACES).flatMap(([name, { kind }]) => (kinds.includes(kind) ? [name] : []));
const namesOne = (body: string, tables: readonly string[]): boolean =>
  new RegExp(`\\b(from|join|into|update)\\s+(${tables.join('|')})\\b`).test(body);

test('no function that needs the coordinator stands beside a query of a spread table in one expression', async () => {
  const functions = await readFunctions();
  // Citus sends the whole expression to the node of the row, where no table of the coordinator is.
  const needing = new Set(
    [...functions].flatMap(([name, body]) => (namesOne(body, tablesOf(['coordinator', 'key'])) ? [name] : [])),
  );
  for (let before = -1; before !== needing.size;) {
    before = needing.size;
    for (const [name, body] of functions)
      if ([...needing].some((other) => new RegExp(`\\b${other}\\(`).test(body))) needing.add(name);
  }
  expect(needing.size).toBeGreaterThan(20);
  const found = [...functions].flatMap(([name, body]) =>
    body
      .split(/;|\b(?:then|else|loop|begin)\b/)
      .filter(
        (statement) =>
          namesOne(statement, tablesOf(['player', 'key'])) &&
          [...needing].some((other) => new RegExp(`\\b${other}\\(`).test(statement)),
      )
      .map((statement) => `${name}: ${statement.trim()}`),
  );
  expect(found).toEqual([]);
});

test('whether a row is there is asked with a column, unless by the key of its table: Citus cannot ask several shards', async () => {
  const asked = [...(await readFunctions())].flatMap(([name, body]) =>
    [...body.matchAll(/\(\s*select from (\w+)([^;]*)/g)].map(([, table = '', rest = '']) => ({ name, table, rest })),
  );
  const found = asked.filter(({ table, rest }) => {
    const place = PLACES[table];
    return place?.kind === 'key' && !new RegExp(`\\b${place.column} =`).test(rest);
  });
  expect(asked.length).toBeGreaterThan(20);
  expect(found.map(({ name, table }) => `${name}: ${table}`)).toEqual([]);
});

test('a function that runs where its player is, and all that it calls, names only what is there', async () => {
  const functions = await readFunctions();
  const elsewhere = tablesOf(['key', 'coordinator']);
  const pending = AT_THEIR_PLAYER.map((signature) => signature.replace(/\(.*/, ''));
  const seen = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const body = functions.get(name) ?? '';
    if (body === '') throw new Error(`there is no function ${name}`);
    const words = new Set(body.match(/\w+/g) ?? []);
    expect({
      name,
      elsewhere: elsewhere.filter((table) => new RegExp(`\\b(from|join|into|update)\\s+${table}\\b`).test(body)),
    }).toEqual({ name, elsewhere: [] });
    for (const called of functions.keys()) if (called !== name && words.has(called)) pending.push(called);
  }
  expect(seen.size).toBeGreaterThan(5);
});
