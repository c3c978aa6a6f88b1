// Writes down what a database holds, as SQL that makes it again: for `migrations/schema.sql`, so that every change
// shows its effect, and for the stored databases that the upgrade test starts from. PostgreSQL's own pg_dump does not
// come with the embedded server.
import type { Queryable } from '#server/platform/database/db.ts';

/** Tables whose rows are part of the schema: reference data that migrations write and nothing else. */
const REFERENCE_TABLES = ['order_transition', 'table_exception'];

/** First lines of migrations/schema.sql. */
export const SCHEMA_HEADER = `-- The migrations and the files of functions and views make this together, for readers: nothing applies it.
-- Written by \`npm run dump -- schema\`.
`;

type Row = Record<string, string>;

/** Lists the parts to make besides rows; each list is in the order in which it can be made. */
export type SchemaParts = {
  readonly tables: readonly string[];
  /** Of the tables that lie in one a month: how many there are is a matter of the day, and no part of the schema. */
  readonly partitions: readonly string[];
  readonly indexes: readonly string[];
  readonly functions: readonly string[];
  readonly views: readonly string[];
  readonly triggers: readonly string[];
};

export async function listSchemaParts(db: Queryable): Promise<SchemaParts> {
  return {
    tables: await listTables(db),
    partitions: await listPartitions(db),
    indexes: await listIndexes(db),
    functions: await listFunctions(db),
    views: await listViews(db),
    triggers: await listTriggers(db),
  };
}

/**
 * Everything of the schema `public` but rows: tables, indexes, functions, views, triggers, each kind by name. Ends
 * with a line break.
 */
export async function dumpSchema(db: Queryable): Promise<string> {
  const { functions, indexes, tables, triggers, views } = await listSchemaParts(db);
  const parts = [
    // Functions may name each other and tables in any order.
    'set check_function_bodies = off;',
    ...tables,
    ...indexes,
    ...functions,
    ...views,
    ...triggers,
    ...(await listRows(db, REFERENCE_TABLES)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * Rows of the tables that are no reference data, as inserts that `dumpSchema` has made room for, and the partitions
 * that they lie in; a superuser can run them.
 */
export async function dumpRows(db: Queryable): Promise<string> {
  const { rows } = await db.query<Row>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const names = rows.map(({ name = '' }) => name).filter((name) => !REFERENCE_TABLES.includes(name));
  const parts = [
    // Rows come as they are: no trigger judges, notifies or books anything a second time.
    'set session_replication_role = replica;',
    ...(await listPartitions(db)),
    ...(await listRows(db, names)),
    ...(await listSequences(db)),
    'set session_replication_role = origin;',
  ];
  return `${parts.join('\n\n')}\n`;
}

async function listTables(db: Queryable): Promise<string[]> {
  const columns = await db.query<Row>(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, 
       a.attidentity as identity, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid) as expression,
       a.attnotnull::text as required
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname, a.attnum`,
  );
  const constraints = await db.query<Row>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c', 'x')
     order by 1, contype = 'p' desc, 2`,
  );
  const options = await db.query<Row>(
    `select c.relname as name, array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as key,
       array_to_string(d.reloptions, ', ') as "ofPartitions"
     from pg_class c left join pg_class d on d.oid = to_regclass(c.oid::regclass || '_default') and d.relispartition
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  return options.rows.map((table) => {
    const lines = [
      ...columns.rows.filter((column) => column['table'] === table['name']).map(writeColumn),
      ...constraints.rows
        .filter((constraint) => constraint['table'] === table['name'])
        .map(({ name, text }) => `constraint ${name} ${text}`),
    ];
    const storage = table['options'] ? ` with (${table['options']})` : '';
    const key = table['key'] ? ` partition by ${table['key']}` : '';
    // Partitions are made by the month, and so are no part of the schema; what they are made like is.
    const ofPartitions = table['ofPartitions'] ? ` -- partitions with (${table['ofPartitions']})` : '';
    return `create table ${table['name']} (\n  ${lines.join(',\n  ')}\n)${key}${storage};${ofPartitions}`;
  });
}

async function listPartitions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select format('create table %I partition of %I %s%s;', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid),
       ' with (' || array_to_string(c.reloptions, ', ') || ')') as text
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  return rows.map(({ text = '' }) => text);
}

function writeColumn({ name, type, identity, generated, expression, required }: Row): string {
  const parts = [name, type];
  if (identity) parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`);
  else if (generated) parts.push(`generated always as (${expression}) ${generated === 's' ? 'stored' : 'virtual'}`);
  else if (expression) parts.push(`default ${expression}`);
  if (required === 'true' && !identity) parts.push('not null');
  return parts.join(' ');
}

/** Identity columns go on after the numbers that were given. */
export async function listSequences(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select format('select setval(%L, %s, %L);', pg_get_serial_sequence(c.relname, a.attname),
       coalesce(pg_sequence_last_value(pg_get_serial_sequence(c.relname, a.attname)::regclass), 1),
       pg_sequence_last_value(pg_get_serial_sequence(c.relname, a.attname)::regclass) is not null) as text
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attidentity <> '' order by 1`,
  );
  return rows.map(({ text = '' }) => text);
}

async function listIndexes(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as text
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
     order by c.relname`,
  );
  return rows.map(({ text }) => `${text};`);
}

async function listFunctions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace
     order by proname, pg_get_function_identity_arguments(oid)`,
  );
  return rows.map(({ text = '' }) => `${text.trimEnd()};`);
}

async function listViews(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select c.relname as name, pg_get_viewdef(c.oid) as text,
       quote_literal(obj_description(c.oid, 'pg_class')) as comment
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
     order by c.relname = 'invariant_breach', c.relname`,
  );
  return rows.map(({ name, text, comment }) => {
    const view = `create view ${name} as\n${text}`;
    return comment ? `${view}\ncomment on view ${name} is ${comment};` : view;
  });
}

async function listTriggers(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<Row>(
    `select pg_get_triggerdef(t.oid) as text from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and not c.relispartition
     order by c.relname, t.tgname`,
  );
  return rows.map(({ text }) => `${text};`);
}

async function listRows(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const statements: string[] = [];
  for (const table of tables) {
    const { rows: columns } = await db.query<Row>(
      `select a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relname = $1 and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' order by a.attnum`,
      [table],
    );
    if (columns.length === 0) continue;
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const { rows } = await db.query<Row>(
      `select to_json(t)::text as text from (select ${names} from "${table}") t order by 1`,
    );
    if (rows.length === 0) continue;
    const list = rows.map(({ text = '' }) => text.replaceAll("'", "''")).join(',\n');
    const source = `json_populate_recordset(null::${table}, '[\n${list}\n]')`;
    statements.push(`insert into ${table} (${names}) overriding system value\nselect ${names} from ${source};`);
  }
  return statements;
}
