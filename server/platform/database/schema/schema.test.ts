// migrations/schema.sql shows what all SQL files make together, and a dump makes the same database again.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '#testing/database.ts';
import { SCHEMA_HEADER, dumpRows, dumpSchema } from './schema-dump.ts';

let db: Db;
let drop: () => Promise<void>;
let version: number;
let copy: TestDatabase;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
  copy = await createTestDatabase();
  const { rows } = await db.query<{ major: number }>(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  version = rows[0]?.major ?? 0;
});
afterAll(async () => {
  await drop();
  await copy.drop();
});

async function restore(...scripts: string[]): Promise<Db> {
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  for (const script of scripts) await client.query(script);
  await client.end();
  return openDb(copy.url, { max: 1, onError: () => undefined });
}

/** Without empty lines and comments: another PostgreSQL may print the same thing with other ones. */
const shape = (sql: string): string[] => sql.split('\n').filter((line) => line.trim() !== '');

test('migrations/schema.sql is what the SQL files make', async () => {
  const file = new URL('../../../../migrations/schema.sql', import.meta.url);
  const stored = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n');
  const made = `${SCHEMA_HEADER}${await dumpSchema(db)}`;
  // The file is written with PostgreSQL 18, whose wording of views may differ from that of 16 and 17.
  const isSame = version === 18 ? stored === made : shape(stored).length === shape(made).length;
  expect(isSame, 'migrations/schema.sql is out of date: run npm run dump -- schema').toBe(true);
});

test('a dump makes the same database again, rows and numbers of identity columns included', async () => {
  await db.query(
    `insert into player (player_id, brand_key, suid, username) values (gen_random_uuid(), 'watt', 'it''s', 'é\\"')`,
  );
  await db.query(`insert into audit_entry (actor, act, details) values ('somebody', 'looked', '{"a": [1, "two"]}')`);
  await db.query(`insert into coupon (player_id, code, brand_key, name, discount_rate, valid_end, source, games)
    select player_id, 'C', 'watt', '{}', 0.85, 'infinity', 'test', '{one,"two words"}' from player`);
  await db.query(`insert into known_device (account_hash, device_hash) values ('\\xff00', '\\x01')`);
  const schema = await dumpSchema(db);
  const rows = await dumpRows(db);
  const again = await restore(schema, rows);
  try {
    expect(await dumpSchema(again)).toBe(schema);
    expect(await dumpRows(again)).toBe(rows);
    const { rows: next } = await again.query(
      `insert into audit_entry (actor, act) values ('a', 'b') returning id::integer`,
    );
    expect(next).toEqual([{ id: 2 }]);
  } finally {
    await again.end();
  }
});

test('the schema holds no kind of thing that a dump would leave out', async () => {
  const { rows } = await db.query<{ kind: string; name: string }>(
    `with space as (select 'public'::regnamespace as oid)
     select 'relation ' || c.relkind::text as kind, c.relname as name from pg_class c, space
       where c.relnamespace = space.oid and c.relkind not in ('r', 'p', 'i', 'I', 'v')
         and not (c.relkind = 'S' and exists (
         select from pg_depend d where d.objid = c.oid and d.deptype = 'i'))
     union all select 'type', t.typname from pg_type t, space
     where t.typnamespace = space.oid and t.typtype in ('d', 'e', 'r', 'm')
     union all select 'routine', p.proname from pg_proc p, space where p.pronamespace = space.oid and p.prokind <> 'f'
     union all select 'operator', o.oprname from pg_operator o, space where o.oprnamespace = space.oid
     union all select 'policy', polname from pg_policy
     union all select 'rule', r.rulename from pg_rewrite r join pg_class c on c.oid = r.ev_class, space
       where c.relnamespace = space.oid and r.rulename <> '_RETURN'
     union all select 'statistics', s.stxname from pg_statistic_ext s, space where s.stxnamespace = space.oid
     union all select 'extension', extname from pg_extension where extname <> 'plpgsql'
     union all select 'comment', d.objoid::text from pg_description d left join pg_class c on c.oid = d.objoid, space
       where (c.relnamespace = space.oid and (c.relkind <> 'v' or d.objsubid <> 0))
         or (d.classoid = 'pg_proc'::regclass and exists (select from pg_proc p
           where p.oid = d.objoid and p.pronamespace = space.oid))
     union all select 'inheritance', c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid, space
       where c.relnamespace = space.oid and not c.relispartition
     union all select 'partitions of partitions', c.relname from pg_class c, space
       where c.relnamespace = space.oid and c.relispartition and c.relkind = 'p'
     union all select 'storage of a column', a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid, space
       where c.relnamespace = space.oid and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
         and (a.attcompression <> ''
           or a.attcollation not in (0, (select oid from pg_collation where collname = 'default')))`,
  );
  expect(rows).toEqual([]);
});
