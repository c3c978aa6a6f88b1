// SQL of spreading a database by Citus. Everything here runs as the owner of the tables, one step a transaction, so
// that a step that fails leaves those before it and can be run again.
import { type Queryable, query } from '#server/platform/database/db.ts';
import type { Place } from './places-rules.ts';

/** Version of the extension, null where it is not installed in this database; how many nodes may hold shards. */
export async function findCitus(
  db: Queryable,
): Promise<{ version: string | null; workers: number; isCoordinator: boolean }> {
  const [row] = await query<{ version: string | null }>(
    db,
    'citus_find',
    `select (select extversion from pg_extension where extname = 'citus') as version`,
  );
  const version = row?.version ?? null;
  if (version === null) return { version, workers: 0, isCoordinator: false };
  const [nodes] = await query<{ workers: number; isCoordinator: boolean }>(
    db,
    'citus_nodes',
    `select (select count(*)::integer from pg_dist_node where shouldhaveshards and isactive) as workers,
       (select groupid = 0 from pg_dist_local_group) as "isCoordinator"`,
  );
  return { version, workers: nodes?.workers ?? 0, isCoordinator: nodes?.isCoordinator ?? false };
}

export type LiesAt = { name: string; kind: Place['kind'] | 'plain'; column: string | null };

/** Tables of this schema that are no partition, and where each lies now. Only where the extension is. */
export async function listPlaces(db: Queryable): Promise<LiesAt[]> {
  return query<LiesAt>(
    db,
    'citus_places',
    `select c.relname::text as name,
       case when p.logicalrelid is null then 'plain' when p.partmethod = 'n' and p.repmodel = 't' then 'copies'
         when p.partmethod = 'n' then 'coordinator' when p.colocationid = k.colocationid then 'player'
           else 'key' end as kind,
       case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
       left join pg_dist_partition k on k.logicalrelid = to_regclass('player') and k.partmethod = 'h'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  );
}

/** Triggers of a table, by name: those of constraints and of partitions are not told. */
export async function listTriggers(db: Queryable, table: string): Promise<string[]> {
  const rows = await query<{ name: string }>(
    db,
    'citus_triggers',
    'select tgname::text as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by 1',
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Servers and workers of Refill that are connected besides this command. */
export async function countOthers(db: Queryable): Promise<number> {
  const [row] = await query<{ count: number }>(
    db,
    'citus_others',
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = 'refill' and pid <> pg_backend_pid()`,
  );
  return row?.count ?? 0;
}

export async function spreadTable(db: Queryable, table: string, place: Place): Promise<void> {
  if (place.kind === 'player' && table === 'player')
    await db.query(`select create_distributed_table('player', 'player_id', colocate_with => 'none')`);
  else if (place.kind === 'player')
    await db.query(`select create_distributed_table($1, $2, colocate_with => 'player')`, [
      table,
      place.column ?? 'player_id',
    ]);
  else if (place.kind === 'key')
    await db.query(`select create_distributed_table($1, $2, colocate_with => 'none')`, [table, place.column]);
  else if (place.kind === 'copies') await db.query('select create_reference_table($1)', [table]);
}

export async function takeTriggersOff(db: Queryable, table: string, names: readonly string[]): Promise<void> {
  for (const name of names) await db.query(`drop trigger if exists ${name} on ${table}`);
}

/** Of the partitions of a table, those of the archive, which there is none of on a spread database (decision 64). */
export async function takeGuardsOff(db: Queryable, table: string): Promise<void> {
  const rows = await query<{ partition: string; name: string }>(
    db,
    'citus_guards',
    `select t.tgrelid::regclass::text as partition, t.tgname::text as name
     from pg_inherits i join pg_trigger t on t.tgrelid = i.inhrelid
     where i.inhparent = $1::regclass and t.tgname in ('archive_guard', 'archive_frozen')`,
    [table],
  );
  for (const { name, partition } of rows) await takeTriggersOff(db, partition, [name]);
}

/** Returns true when calls of a function already go to the node of their player. */
export async function isDeclared(db: Queryable, signature: string): Promise<boolean> {
  const [row] = await query<{ is_declared: boolean }>(
    db,
    'citus_function',
    `select exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = $1::regprocedure::oid
       and distribution_argument_index is not null) as is_declared`,
    [signature],
  );
  return row?.is_declared === true;
}

export async function declareAtPlayer(db: Queryable, signature: string): Promise<void> {
  await db.query(`select create_distributed_function($1::regprocedure, 'p_player_id', colocate_with => 'player')`, [
    signature,
  ]);
}

/** Looks at the books and reports may join what lies by different keys; no statement of an order's way does. */
export async function allowRepartition(db: Queryable): Promise<void> {
  await db.query(`do $$ begin
    execute format('alter database %I set citus.enable_repartition_joins = on', current_database());
  end $$`);
}
