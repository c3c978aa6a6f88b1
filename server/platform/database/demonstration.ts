// The mark of a database that a demonstration made. `npm start` fills its database with brands, accounts and
// cards that anybody knows, so it opens only one that carries this mark or is empty; a live shop refuses one that
// carries it.
import pg from 'pg';
import type { Queryable } from './db.ts';
import { requireEnvironment } from './environment.ts';

/** A table of its own, outside the migrations: no shop that an operator made has it, and a dump takes it along. */
const MARK = 'made_by_npm_start';

// Any number will do, as long as no other advisory lock of this database uses it.
const MARK_LOCK = 7_339_457;

/** Our choice: whoever brought a database has an address to mend and is told soon. */
const FOREIGN_CONNECT_MS = 10_000;
/** Our choice: the embedded one is up already, so a slow answer is a busy machine; a first start goes through it. */
const EMBEDDED_CONNECT_MS = 60_000;

export type Claim =
  /** It carries the mark. */
  | 'own'
  /** It carries the mark from now on. */
  | 'new'
  /** It is empty, and nobody said that a demonstration may have it; nothing was changed. */
  | 'empty'
  /** It holds something that no demonstration made; nothing was changed. */
  | 'foreign';

/**
 * @param mayTake what is marked although it does not carry the mark: nothing, an empty database, or any (an
 *   embedded one, which is ours)
 * @throws EnvironmentFault for a database of the live environment
 */
export async function assignForDemonstration(url: string, mayTake: 'none' | 'empty' | 'any'): Promise<Claim> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'refill start',
    connectionTimeoutMillis: mayTake === 'any' ? EMBEDDED_CONNECT_MS : FOREIGN_CONNECT_MS,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MARK_LOCK]);
    await requireEnvironment(client, 'demo');
    if (await isDemonstration(client)) return 'own';
    if (mayTake !== 'any' && !(await isEmpty(client))) return 'foreign';
    if (mayTake === 'none') return 'empty';
    await client.query(`create table ${MARK} (made_at timestamptz not null default now())`);
    await client.query(`insert into ${MARK} default values`);
    await client.query('commit');
    return 'new';
  } finally {
    // Without a commit nothing stays.
    await client.end();
  }
}

export async function isDemonstration(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(`select to_regclass('${MARK}') is not null as there`);
  return rows[0]?.there ?? false;
}

/** Neither tables nor views nor functions of anybody but PostgreSQL and its extensions. */
async function isEmpty(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ there: boolean }>(
    `select exists (
       select from (
         select oid, relnamespace as namespace, 'pg_class'::regclass as class from pg_class
         union all select oid, pronamespace, 'pg_proc'::regclass from pg_proc
       ) thing join pg_namespace n on n.oid = thing.namespace
       where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
         and not exists (select from pg_depend d
           where d.classid = thing.class and d.objid = thing.oid and d.deptype = 'e')
     ) as there`,
  );
  return !rows[0]?.there;
}
