// Laws of the SQL files, read from their texts and from the catalogue of a database that they made: one file a
// function and nothing beside it, and no migration that stands on one.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import {
  BREACH_VIEW,
  type RepeatableFile,
  type SqlFile,
  compareVersions,
  readRepeatable,
  readTwins,
  readVersion,
  readVersioned,
} from './sql-files.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

let db: Db;
let drop: () => Promise<void>;
let versioned: SqlFile[];
let repeatable: RepeatableFile[];
let version: string;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
  versioned = await readVersioned(ROOT);
  repeatable = await readRepeatable(ROOT);
  version = await readVersion(ROOT);
});
afterAll(() => drop());

const withoutComments = (sql: string): string => sql.replaceAll(/--.*$/gm, '');

/** Functions and views that versioned files stand on: tomorrow's text would run in yesterday's migration. */
function findReferences(files: readonly SqlFile[], names: readonly string[]): string[] {
  return files.flatMap(({ name: file, sql }) => {
    const text = withoutComments(sql).replaceAll(/\bdrop\s+(function|view)\s+if\s+exists\s+[^;]*;/gi, '');
    return names.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text)).map((name) => `${file}: ${name}`);
  });
}

test('no versioned migration stands on a function or view; it may only drop one', () => {
  const names = repeatable.map(({ name }) => name);
  expect(findReferences(versioned, [...names, BREACH_VIEW])).toEqual([]);
  const planted = (sql: string) => findReferences([{ name: '0002', path: '', sql, sha256: '' }], ['place_order']);
  expect(planted('select place_order(1);')).toEqual(['0002: place_order']);
  expect(planted('create trigger t after insert on one for each row execute function PLACE_ORDER();')).toHaveLength(1);
  expect(planted('drop function place_order(jsonb);')).toHaveLength(1);
  expect(planted('-- place_order needs this\ndrop function if exists place_order(jsonb);')).toEqual([]);
});

test('versioned migrations make no function, view or trigger', () => {
  const makes = /\bcreate\s+(or\s+replace\s+)?(constraint\s+)?(function|procedure|view|trigger)\b/i;
  expect(versioned.filter(({ sql }) => makes.test(withoutComments(sql))).map(({ name }) => name)).toEqual([]);
});

test('a file of a function or view makes it, says what it is, and makes absent triggers: nothing that locks a table', () => {
  /** Removes bodies and strings from a file, so that statements remain. */
  const statementsOf = (sql: string) =>
    withoutComments(sql.replaceAll(/\$\$[^]*?\$\$/g, (body) => (/^\$\$\s*(declare|begin)/.test(body) ? '' : "''")))
      .replaceAll(/'[^']*'/g, "''")
      .split(';')
      .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
      .filter(Boolean);
  const allowed = /^(create or replace (function|view) |comment on (function|view) |do\b)/;
  const others = repeatable.flatMap(({ path, sql }) =>
    statementsOf(sql)
      .filter((statement) => !allowed.test(statement))
      .map((statement) => `${path}: ${statement.slice(0, 60)}`),
  );
  expect(others).toEqual([]);
  const blocks = repeatable.flatMap(({ path, sql }) =>
    [...sql.matchAll(/^do \$\$([^]*?)\$\$;/gm)].map(([, body = '']) => ({ path, body })),
  );
  expect(blocks.length).toBeGreaterThan(0);
  const unguarded = blocks.filter(({ body }) => !/not exists \(select from pg_trigger/.test(body));
  expect(unguarded.map(({ path }) => path)).toEqual([]);
});

test('every function and view of the catalogue comes from exactly one file; invariant_breach alone is generated', async () => {
  const { rows } = await db.query<{ kind: string; name: string; count: number }>(
    `select kind, name, count(*)::integer as count from (
       select 'function' as kind, p.proname::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
       union all
       select 'view', c.relname from pg_class c
       where c.relkind in ('v', 'm') and c.relnamespace = 'public'::regnamespace
     ) made group by kind, name order by kind, name`,
  );
  const made = repeatable.map(({ kind, name, definitions }) => ({ kind, name, count: definitions }));
  const inOrder = (list: typeof made) => list.map(({ kind, name, count }) => `${kind} ${name} ${count}`).toSorted();
  expect(inOrder(rows as typeof made)).toEqual(inOrder([...made, { kind: 'view', name: BREACH_VIEW, count: 1 }]));
});

test('views stand on tables and functions; invariant_breach alone stands on views', async () => {
  const { rows } = await db.query<{ name: string; below: string }>(
    `select distinct upper.relname as name, lower.relname as below from pg_depend d
     join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
     join pg_class upper on upper.oid = r.ev_class
     join pg_class lower on lower.oid = d.refobjid and d.refclassid = 'pg_class'::regclass
     where lower.relkind = 'v' and upper.oid <> lower.oid and upper.relnamespace = 'public'::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ name }) => name !== BREACH_VIEW)).toEqual([]);
});

/** @returns a line for each file whose twins are not marked, or outlived their version */
function findTwinFaults(files: readonly Pick<SqlFile, 'path' | 'sql'>[], now: string): string[] {
  return files.flatMap(({ path, sql }) => {
    const twins = readTwins(sql);
    const lasting = twins.filter((until) => until === null).length;
    const ended = twins.filter((until) => until !== null && compareVersions(until, now) <= 0);
    const marks = sql.split('\n').filter((line) => /^--\s*until\b/i.test(line)).length;
    return [
      ...(lasting > 1 ? [`${path}: ${lasting} definitions without "-- until <version>: <who calls it>"`] : []),
      ...(marks > twins.length - lasting ? [`${path}: "-- until" must be "-- until <version>: <who calls it>"`] : []),
      ...ended.map((until) => `${path}: goes with version ${until}, and this is ${now}: drop it in a migration`),
    ];
  });
}

test('a second signature of a name says who calls it and until when, and is gone by then', () => {
  expect(findTwinFaults(repeatable, version)).toEqual([]);
  const file = (marks: string) => [
    {
      path: 'pay.sql',
      sql: `-- Pays.\ncreate or replace function pay(p text)\n${marks}create or replace function pay(p jsonb)\n`,
    },
  ];
  expect(findTwinFaults(file(''), '0.2.0')).toEqual([
    'pay.sql: 2 definitions without "-- until <version>: <who calls it>"',
  ]);
  expect(findTwinFaults(file('-- until 0.3: servers of 0.1\n-- As before.\n'), '0.2.9')).toEqual([]);
  expect(findTwinFaults(file('-- until 0.3: servers of 0.1\n'), '0.3.0')).toEqual([
    'pay.sql: goes with version 0.3, and this is 0.3.0: drop it in a migration',
  ]);
  expect(findTwinFaults(file('-- until later\n'), '0.2.0')).toHaveLength(2);
});

const UNREAD =
  /^(node_modules|web\/dist|generated|coverage|test-results|playwright-report|testing\/dumps)(\/|$)|^\.|\/\./;

async function* walk(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(ROOT, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (UNREAD.test(path)) continue;
    if (entry.isDirectory()) yield* walk(path);
    else if (/\.(sql|ts|tsx|mjs|cjs|md|yaml|json)$/.test(path) && path !== 'migrations/schema.sql') yield path;
  }
}

test('the whole tree has one definition of each function and view, outside of schema.sql, stored dumps and marked twins', async () => {
  const names = new Set(repeatable.map(({ name }) => name));
  const found = new Map<string, string[]>();
  for await (const path of walk('')) {
    const text = await readFile(join(ROOT, path), 'utf8');
    const defined = text.matchAll(/\bcreate\s+(?:or\s+replace\s+)?(?:function|view)\s+(?:public\.)?(\w+)/gi);
    for (const [, name = ''] of defined) if (names.has(name)) found.set(name, [...(found.get(name) ?? []), path]);
  }
  const twins = new Map(
    repeatable.map(({ name, sql }) => [name, readTwins(sql).filter((until) => until !== null).length]),
  );
  const wrong = [...names].filter((name) => (found.get(name)?.length ?? 0) - (twins.get(name) ?? 0) !== 1);
  expect(wrong.map((name) => `${name}: ${found.get(name)?.join(', ')}`)).toEqual([]);
});

/** Came with PostgreSQL 17 and 18; an operator's own may be 16 (README.md). */
const NEWER =
  /\bset expression\b|\bmerge_action\b|\bjson_table\b|\buuidv[47]\b|\) virtual\b|\bwithout overlaps\b|\breturning (with|old\.|new\.)|\bany_value\b.*\bover\b/i;
const isTooNew = (sql: string): boolean =>
  NEWER.test(withoutComments(sql)) && !withoutComments(sql).includes('server_version_num');

test('all SQL asks for the version before it says what PostgreSQL 16 does not know', () => {
  const files = [...versioned, ...repeatable];
  expect(files.filter(({ sql }) => isTooNew(sql)).map(({ path }) => path)).toEqual([]);
  expect(isTooNew('update one set id = 2 returning old.id;')).toBe(true);
  expect(isTooNew(`if current_setting('server_version_num')::integer >= 180000 then select uuidv7(); end if;`)).toBe(
    false,
  );
});
