// THE table of what may change under a running shop without any statement failing: settings of the database, of the
// account or of a pooler, and the state of its files. Each check answers a text where something is wrong.
import type { Environment } from '#kernel/environment.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { ill, type Look, well } from './look.ts';

export type DatabaseCheck = {
  readonly name: string;
  readonly state: 'warning' | 'fault';
  /** A demonstration is made anew, and its database may be set up for speed. */
  readonly isOfLive?: boolean;
  /** Selects one text `found` where something is wrong, and no row or null where all is well. */
  readonly sql: string;
  readonly reason: (found: string) => string;
  readonly remedy: string;
};

const IS_SUPERUSER = '(select rolsuper from pg_roles where rolname = current_user)';
const ROLE = 'alter role <account of DATABASE_URL>';
const setting = (name: string, isWell: string): string =>
  `select current_setting('${name}') as found where not (${isWell.replaceAll('$', `current_setting('${name}')`)})`;

export const DATABASE_CHECKS: readonly DatabaseCheck[] = [
  {
    name: 'the version of PostgreSQL',
    state: 'fault',
    sql: `select current_setting('server_version') as found where current_setting('server_version_num')::integer < 160000`,
    reason: (found) => `is ${found}`,
    remedy: 'bring the database to PostgreSQL 16 or newer',
  },
  {
    name: 'the encoding of the database',
    state: 'fault',
    sql: setting('server_encoding', `$ = 'UTF8'`),
    reason: (found) => `is ${found}, which cannot hold every name`,
    remedy: `make a database with \`createdb --encoding UTF8 --template template0\` and restore a backup into it`,
  },
  {
    name: 'DATABASE_URL',
    state: 'fault',
    sql: `select 'yes' as found where pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on'`,
    reason: () => 'leads to a database that takes no writes: a replica, or default_transaction_read_only is on',
    remedy: 'name the primary, and an account that may write',
  },
  {
    name: 'collation',
    state: 'fault',
    sql: `select datcollversion || ' to ' || pg_database_collation_actual_version(oid) as found from pg_database
      where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)`,
    reason: (found) =>
      `went from version ${found} with an update of the system, so indexes of texts may be out of order`,
    remedy: 'run `reindex database` as its owner, then `alter database <name> refresh collation version`',
  },
  {
    name: 'the search_path',
    state: 'fault',
    sql: `select coalesce((current_schemas(false))[1], 'no schema') as found
      where (current_schemas(false))[1] is distinct from 'public'`,
    reason: (found) => `leads to ${found} before the schema public, where the tables are`,
    remedy: `\`${ROLE} set search_path = public\`; where a pooler keeps what a client has set, server_reset_query_always = 1`,
  },
  {
    name: 'DateStyle',
    state: 'fault',
    sql: setting('DateStyle', `$ like 'ISO%'`),
    reason: (found) => `is ${found}, and moments are read wrong`,
    remedy: `\`${ROLE} set datestyle = 'ISO'\``,
  },
  {
    name: 'standard_conforming_strings',
    state: 'fault',
    sql: setting('standard_conforming_strings', `$ = 'on'`),
    reason: () => 'is off, and backslashes in texts of functions mean something else',
    remedy: `\`${ROLE} set standard_conforming_strings = on\``,
  },
  {
    name: 'default_transaction_isolation',
    state: 'fault',
    sql: setting('default_transaction_isolation', `$ = 'read committed'`),
    reason: (found) => `is ${found}: an order that waited for a lock would fail, or see old rows`,
    remedy: `\`${ROLE} set default_transaction_isolation = 'read committed'\``,
  },
  {
    name: 'session_replication_role',
    state: 'fault',
    sql: setting('session_replication_role', `$ = 'origin'`),
    reason: (found) => `is ${found}, so the triggers that guard the books are off`,
    remedy: `\`${ROLE} reset session_replication_role\``,
  },
  {
    name: 'triggers',
    state: 'fault',
    sql: `select string_agg(tgrelid::regclass || '.' || tgname, ', ' order by tgname) as found from pg_trigger
      where not tgisinternal and tgenabled in ('D', 'R')`,
    reason: (found) => `that guard the books are off: ${found}`,
    remedy: '`alter table ... enable trigger ...` as the owner, then `refill invariants`',
  },
  {
    name: 'indexes',
    state: 'fault',
    sql: `select string_agg(indexrelid::regclass::text, ', ' order by indexrelid) as found from pg_index
      where not indisvalid or not indisready`,
    reason: (found) => `are not valid: ${found}`,
    remedy: '`reindex index concurrently ...` as the owner',
  },
  {
    name: 'rights of the account',
    state: 'fault',
    sql: `select string_agg(relname, ', ' order by relname) as found from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and not has_table_privilege(oid, 'select')`,
    reason: (found) => `lack the tables ${found}`,
    remedy: 'run deploy/postgres/roles.sql again as a superuser',
  },
  {
    name: 'functions of the account',
    state: 'fault',
    sql: `select string_agg(proname, ', ' order by proname) as found from pg_proc
      where pronamespace = 'public'::regnamespace and not has_function_privilege(oid, 'execute')`,
    reason: (found) => `may not be called: ${found}`,
    remedy: 'run deploy/postgres/roles.sql again as a superuser',
  },
  {
    name: 'the password of the account',
    state: 'warning',
    sql: `select rolvaliduntil::date::text as found from pg_roles
      where rolname = current_user and rolvaliduntil < now() + interval '30 days'`,
    reason: (found) => `ends on ${found}`,
    remedy: `\`${ROLE} valid until 'infinity'\`, or another password`,
  },
  {
    name: 'numbers of rows',
    state: 'warning',
    sql: `select string_agg(sequencename, ', ' order by sequencename) as found from pg_sequences
      where not cycle and last_value > max_value * 0.8`,
    reason: (found) => `are four fifths used up: ${found}`,
    remedy: 'report it: the column has to become a bigint before they end',
  },
  {
    name: 'the age of the oldest row',
    state: 'warning',
    sql: `select age(datfrozenxid)::text as found from pg_database
      where datname = current_database() and age(datfrozenxid) > 1000000000`,
    reason: (found) => `is ${found} transactions; PostgreSQL stops writing at some 2,000,000,000`,
    remedy: 'see that autovacuum runs and that nothing holds it up, then `vacuum freeze`',
  },
  {
    name: 'autovacuum',
    state: 'warning',
    isOfLive: true,
    sql: `select 'off' as found
      where current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off'`,
    reason: () => 'is off, so tables grow and statements are planned by old numbers',
    remedy: 'set autovacuum = on and track_counts = on in postgresql.conf',
  },
  {
    name: 'prepared transactions',
    state: 'warning',
    sql: `select count(*)::text as found from pg_prepared_xacts
      where database = current_database() and prepared < now() - interval '1 hour' having count(*) > 0`,
    reason: (found) => `are ${found} that were left for more than an hour; they hold locks`,
    remedy: 'see pg_prepared_xacts: `commit prepared` or `rollback prepared` each',
  },
  {
    name: 'an open transaction',
    state: 'warning',
    sql: `select max(now() - xact_start)::text as found from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      having max(now() - xact_start) > interval '1 hour'`,
    reason: (found) => `has lasted for ${found}: nothing that was deleted since can be cleaned up`,
    remedy: 'find it by xact_start in pg_stat_activity and end it with `select pg_terminate_backend(<pid>)`',
  },
  {
    name: 'replication slots',
    state: 'warning',
    sql: `select string_agg(slot_name, ', ' order by slot_name) as found from pg_replication_slots
      where wal_status in ('unreserved', 'lost')
        or (not active and restart_lsn is not null and not pg_is_in_recovery()
          and pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > 1024 * 1024 * 1024)`,
    reason: (found) => `are lost, or keep more than 1 GB of log for a replica that does not read: ${found}`,
    remedy: 'start that replica, or `select pg_drop_replication_slot(...)` before the disk is full',
  },
  {
    name: 'archiving of the log',
    state: 'warning',
    sql: `select last_failed_wal as found from pg_stat_archiver where current_setting('archive_mode') <> 'off'
      and last_failed_time > coalesce(last_archived_time, '-infinity')`,
    reason: (found) => `fails, last for ${found}: the log fills the disk, and the base backup has a gap`,
    remedy: 'mend archive_command; see the log of PostgreSQL',
  },
  ...['fsync', 'full_page_writes', 'synchronous_commit'].map((name): DatabaseCheck => ({
    name,
    state: 'fault',
    isOfLive: true,
    sql: setting(name, `$ <> 'off'`),
    reason: () => 'is off: a crash of the database loses payments that were acknowledged',
    remedy: `set ${name} = on, in postgresql.conf or for the account`,
  })),
  {
    name: 'statement_timeout of the account',
    state: 'warning',
    isOfLive: true,
    // The session has what the connection asked for; a pooler passes on what the account has.
    sql: `select coalesce(${ofRole('statement_timeout')}, 'not set') as found
      where coalesce(${ofRole('statement_timeout')}, '0') = '0' and not ${IS_SUPERUSER}`,
    reason: (found) => `is ${found}: behind a pooler a statement may run for ever`,
    remedy: 'run deploy/postgres/roles.sql again as a superuser',
  },
  {
    name: 'idle_in_transaction_session_timeout of the account',
    state: 'warning',
    isOfLive: true,
    sql: `select coalesce(${ofRole('idle_in_transaction_session_timeout')}, 'not set') as found
      where coalesce(${ofRole('idle_in_transaction_session_timeout')}, '0') = '0' and not ${IS_SUPERUSER}`,
    reason: (found) => `is ${found}: behind a pooler a process that hangs may keep its locks for ever`,
    remedy: 'run deploy/postgres/roles.sql again as a superuser',
  },
];

/** The value that the account gets at each connection, whatever the client asks for; null where it has none. */
function ofRole(name: string): string {
  return `(select split_part(one, '=', 2) from pg_db_role_setting s join pg_roles r on r.oid = s.setrole,
    unnest(setconfig) one where rolname = current_user and s.setdatabase in (0, (select oid from pg_database
    where datname = current_database())) and split_part(one, '=', 1) = '${name}' limit 1)`;
}

/** Runs every check. @returns one line of all that are well, and one of each that is not */
export async function checkDatabase(
  db: Queryable,
  environment: Environment,
  checks: readonly DatabaseCheck[] = DATABASE_CHECKS,
): Promise<Look[]> {
  const asked = checks.filter(({ isOfLive }) => !isOfLive || environment === 'live');
  const looks: Look[] = [];
  for (const { name, reason, remedy, sql, state } of asked) {
    const { rows } = await db.query<{ found: string | null }>(sql);
    const found = rows[0]?.found ?? null;
    if (found !== null) looks.push(ill('database', state, { name, reason: reason(found), remedy }));
  }
  const wellCount = asked.length - looks.length;
  return [well('database', 'its settings and state', `are well in ${wellCount} of ${asked.length} checks`), ...looks];
}
