// Database time that a test turns. A schema earlier in the search path has a now() of its own that reads
// one row, so every function of
// the shop runs as it is, with the clock of the simulation; defaults and views, which were bound when
// they were made, are bound anew.
import pg from 'pg';

const INSTALL = `
  create schema virtual;
  create unlogged table virtual.clock (at timestamptz not null);
  insert into virtual.clock values ('2026-03-02T09:00:00Z');
  create function virtual.now() returns timestamptz language sql stable as 'select at from virtual.clock';
  do $$ declare r record; begin
    for r in select d.adrelid::regclass as tab, a.attname as col, pg_get_expr(d.adbin, d.adrelid) as expr
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        join pg_class c on c.oid = d.adrelid
      where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) ~ '(pg_catalog\\.)?\\mnow\\(\\)'
    loop
      execute format('alter table %s alter column %I set default %s', r.tab, r.col,
        regexp_replace(r.expr, '(pg_catalog\\.)?\\mnow\\(\\)', 'virtual.now()', 'g'));
    end loop;
    for r in select c.relname as name, pg_get_viewdef(c.oid) as body from pg_class c
      where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
        and pg_get_viewdef(c.oid) ~ '(pg_catalog\\.)?\\mnow\\(\\)'
    loop
      execute format('create or replace view public.%I as %s', r.name,
        regexp_replace(r.body, '(pg_catalog\\.)?\\mnow\\(\\)', 'virtual.now()', 'g'));
    end loop;
  end $$;`;

/** pg_catalog would come first by itself; named, it comes where it is named. */
const SEARCH_PATH = 'virtual,pg_catalog,public';

/** When every simulation begins, epoch milliseconds: a Monday morning. */
export const BEGINNING = Date.UTC(2026, 2, 2, 9);

/** One connection to a migrated database of its own, on which time stands still until `setTime` turns it. */
export async function openVirtualTime(url: string): Promise<pg.Client> {
  const first = await connect(url);
  const { rows } = await first.query(`select from pg_namespace where nspname = 'virtual'`);
  if (rows.length === 0) await first.query(INSTALL);
  const workers = await openWorkers(first, url);
  await first.end();
  // A new one: to workers it reached before, they answer with their own time.
  const client = await connect(url);
  workersOf.set(client, workers);
  return client;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${SEARCH_PATH}` });
  await client.connect();
  return client;
}

/** Of a database that is spread over a cluster: a connection to each worker, which has a clock of its own. */
const workersOf = new WeakMap<pg.Client, readonly pg.Client[]>();

async function openWorkers(client: pg.Client, url: string): Promise<pg.Client[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    `select to_regclass('pg_dist_node') is not null as is_there`,
  );
  if (found[0]?.is_there !== true) return [];
  const { rows } = await client.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary'`,
  );
  const workers: pg.Client[] = [];
  for (const { host, port } of rows) {
    const at = new URL(url);
    [at.hostname, at.port] = [host, String(port)];
    const worker = new pg.Client({ connectionString: at.href, options: '-c citus.enable_ddl_propagation=off' });
    await worker.connect();
    // It goes with its database, which a test drops under it.
    worker.on('error', () => undefined);
    await worker.query(`create schema if not exists virtual;
      create table if not exists virtual.clock (at timestamptz not null);
      insert into virtual.clock select '2026-03-02T09:00:00Z' where not exists (select from virtual.clock)`);
    await worker.query(
      `create or replace function virtual.now() returns timestamptz language sql stable
        as 'select at from virtual.clock'`,
    );
    // Whatever the coordinator hands over runs with the path of this database.
    await worker.query(`alter database ${at.pathname.slice(1)} set search_path = ${SEARCH_PATH}`);
    workers.push(worker);
  }
  return workers;
}

/**
 * Every invariant view with rows in it, whichever views there are; one statement, put together once a connection.
 * @returns "I6: 2 (star_pass)"
 */
export async function readBreaches(client: pg.Client): Promise<string[]> {
  let text = breachQueries.get(client);
  if (text === undefined) {
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relkind = 'v' and relname ~ '^invariant_i[0-9]+_'
        and relnamespace = 'public'::regnamespace order by 1`,
    );
    // A view that is not there would never be broken.
    if (rows.length < 8) throw new Error(`only ${rows.length} invariants are there`);
    const parts = rows.map(({ relname }) => {
      const number = /^invariant_(i\d+)_/.exec(relname)?.[1]?.toUpperCase();
      return `select '${number}: ' || count(*) || ' (' || min(to_jsonb(v)::text) || ')' as line, count(*) as times
        from ${relname} v`;
    });
    text = `select line from (${parts.join(' union all ')}) found where times > 0`;
    breachQueries.set(client, text);
  }
  return (await client.query<{ line: string }>({ name: 'all_breaches', text })).rows.map(({ line }) => line);
}

const breachQueries = new WeakMap<pg.Client, string>();

/** @param at epoch milliseconds */
export async function setTime(client: pg.Client, at: number): Promise<void> {
  const statement = { name: 'virtual_set', text: 'update virtual.clock set at = $1', values: [new Date(at)] };
  await Promise.all([client, ...(workersOf.get(client) ?? [])].map((node) => node.query(statement)));
}

/**
 * Everything that play leaves behind. The append-only tables refuse this in production; here
 * triggers are put aside for a moment.
 */
const PLAY = [
  'player_change', 'refund', 'revocation', 'audit_entry', 'points_entry', 'ledger_entry', 'delivery', 'reservation', 'limit_counter', 'idempotency', 'provider_reference',
  'payment_attempt', 'unpaid_order', 'order_lookup', 'orders', 'callback_inbox', 'callback_refused', 'player_role', 'session', 'player_identity', 'player',
] as const; /* a row a line */ // prettier-ignore

/**
 * Worlds between two clean-ups. Nothing else takes dead rows away here, and every look at a queue would read them all.
 */
const WORLDS_A_VACUUM = 25;
const worldsOf = new WeakMap<pg.Client, number>();

/** Takes away what play left and sets the clock back: a new world in the same database. */
export async function beginAnew(client: pg.Client): Promise<void> {
  await client.query(`rollback; set session_replication_role = replica; ${PLAY.map((table) => `delete from ${table}`).join('; ')};
    set session_replication_role = origin; update product_stock set used = 0; update invariant_check set taken_at = '-infinity', checked_at = null, changes_at = null, full_at = null, breaches = '[]'`);
  const worlds = (worldsOf.get(client) ?? 0) + 1;
  worldsOf.set(client, worlds);
  if (worlds % WORLDS_A_VACUUM === 0) await client.query('vacuum');
  await setTime(client, BEGINNING);
}
