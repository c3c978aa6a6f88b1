// One environment a database: the first process decides, the other one is refused, and no row, column
// or source names a side again.
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import type { Db } from './db.ts';
import { EnvironmentFault, assignEnvironment, requireEnvironment } from './environment.ts';

async function open(): Promise<Db> {
  const { db, drop } = await openTestDatabase(6);
  onTestFinished(drop);
  return db;
}
const rows = async (db: Db) => (await db.query('select environment from shop_environment')).rows;

describe('a database', () => {
  test('belongs to the first that claims it, for ever', async () => {
    const db = await open();
    await assignEnvironment(db, 'live');
    await assignEnvironment(db, 'live');
    await expect(assignEnvironment(db, 'demo')).rejects.toThrow(EnvironmentFault);
    await expect(assignEnvironment(db, 'demo')).rejects.toThrow(
      /^This database belongs to the live environment and REFILL_ENVIRONMENT is demo: [^.]+\.$/,
    );
    expect(await rows(db)).toEqual([{ environment: 'live' }]);
    await expect(requireEnvironment(db, 'demo')).rejects.toThrow(EnvironmentFault);
    await requireEnvironment(db, 'live');
  });

  test('is claimed by one of many that open it at once', async () => {
    const db = await open();
    const sides = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'demo' : 'live'));
    const answers = await Promise.all(
      sides.map((side) =>
        assignEnvironment(db, side).then(
          () => side,
          () => null,
        ),
      ),
    );
    const [row] = await rows(db);
    expect(answers).toEqual(sides.map((side) => (side === row.environment ? side : null)));
  });

  test('is only looked at by a command that changes nothing', async () => {
    const db = await open();
    await requireEnvironment(db, 'demo');
    expect(await rows(db)).toEqual([]);
    await db.query('drop table shop_environment');
    await requireEnvironment(db, 'demo');
  });

  test('has one row and two words for it', async () => {
    const db = await open();
    await expect(db.query(`insert into shop_environment (environment) values ('sandbox')`)).rejects.toThrow(/check/);
    await assignEnvironment(db, 'demo');
    await expect(db.query(`insert into shop_environment (environment) values ('live')`)).rejects.toThrow(/unique/);
    await expect(
      db.query(`insert into shop_environment (is_only, environment) values (false, 'live')`),
    ).rejects.toThrow(/check/);
  });
});

describe('nothing else names a side', () => {
  let sources: { path: string; text: string }[];
  beforeAll(async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const folders = ['server', 'cli', 'kernel', 'contracts'];
    const paths = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(`${root}${folder}`, { recursive: true })).map((path) => `${folder}/${path}`),
      ),
    );
    sources = await Promise.all(
      paths
        .flat()
        .filter((path) => /\.(ts|sql)$/.test(path) && !path.endsWith('.test.ts'))
        .map(async (path) => ({ path, text: await readFile(root + path, 'utf8') })),
    );
    if (sources.length < 300) throw new Error('the sources were not found');
  });

  test('in a column, a view or a parameter of a function', async () => {
    const db = await open();
    const { rows: columns } = await db.query(
      `select table_name, column_name from information_schema.columns where table_schema = 'public'
       and (column_name ~ '(^|_)mode$' or column_name = 'environment') order by 1`,
    );
    expect(columns).toEqual([{ table_name: 'shop_environment', column_name: 'environment' }]);
    const { rows: functions } = await db.query(
      `select proname from pg_proc where pronamespace = 'public'::regnamespace
       and (array_to_string(proargnames, ' ') ~ '\\mp?_?mode\\M' or prosrc ~ '''(mode|demo|live)'''
         or prosrc ~ '\\m(p|v)_mode\\M')`,
    );
    expect(functions).toEqual([]);
    const { rows: lists } = await db.query(
      `select conrelid::regclass::text as name from pg_constraint
        where contype = 'c' and pg_get_constraintdef(oid) ~ '\\mlive\\M'`,
    );
    expect(lists).toEqual([{ name: 'shop_environment' }]);
  });

  test('in a source: no pair of sides but the kernel’s type, no `mode` beside a brand, no address for one side', () => {
    const find = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ path }) => path);
    expect(find(/'demo' \| 'live'|'live' \| 'demo'|'sandbox' \| 'live'|'live' \| 'sandbox'/)).toEqual([
      'kernel/environment.ts',
    ]);
    expect(
      find(/\bmode: Environment\b|site\.mode\b|\bmodeOfHost\b|[a-z]:sandbox\b|\/sandbox\/callback|--mode\b/),
    ).toEqual([]);
  });
});
