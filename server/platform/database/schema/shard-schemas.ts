// Makes, on each node of a spread database, a schema for every shard that lies there: the tables of its players by their
// plain names, and copies of the functions that run a batch of plain steps on them. In such a schema a function is
// planned and runs as on plain PostgreSQL, for nothing that it names is spread (decision 70).
import { createHash } from 'node:crypto';
import type { Queryable } from '../db.ts';

/** A batch begins here; whatever it calls is copied with it. */
const DOOR = 'run_plain_steps';
/** Called for steps that are none of a plain batch: in these schemas they are unknown, and such a step runs by itself. */
const LEFT_OUT: ReadonlySet<string> = new Set(['record_delivery', 'record_failed_delivery']);
/** A server calls these on a node; they stand beside the tables. */
const OF_NODES: readonly string[] = ['hold_shards', 'run_steps_at_node'];

/** The stuff that schemas of shards are made of. */
export type ShardPlan = {
  /** Ends their names: what is made of other tables or functions has another one, and is not mistaken for it. */
  readonly stamp: string;
  /** The schema of the tables. */
  readonly home: string;
  /** Texts of the functions that each has. */
  readonly functions: readonly string[];
  readonly ofNodes: readonly string[];
};

/** @param db of the coordinator */
export async function planShardSchemas(db: Queryable): Promise<ShardPlan> {
  const { rows: all } = await db.query<{ home: string; name: string; text: string }>(
    `select current_schema()::text as home, proname::text as name, pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = current_schema()::regnamespace and prokind = 'f' order by 2, oid`,
  );
  const { rows: columns } = await db.query<{ text: string }>(
    `select format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as text
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname, a.attnum`,
  );
  const home = all[0]?.home ?? 'public';
  const functions = findCalled(all).map(({ text }) => text.replace(`FUNCTION ${home}.`, 'FUNCTION '));
  const ofNodes = all.filter(({ name }) => OF_NODES.includes(name)).map(({ text }) => text);
  const made = JSON.stringify([home, functions, ofNodes, columns.map(({ text }) => text), ON_NODE, MAKE]);
  return { stamp: createHash('sha256').update(made).digest('hex').slice(0, 8), home, functions, ofNodes };
}

function findCalled<Function extends { name: string; text: string }>(all: readonly Function[]): Function[] {
  const names = new Set(all.map(({ name }) => name));
  const found = new Set<string>();
  const follow = (name: string): void => {
    found.add(name);
    for (const { text } of all.filter((one) => one.name === name))
      for (const [word] of text.replaceAll(/--.*$/gm, '').matchAll(/\b[a-z_0-9]+(?=\s*\()/g))
        if (names.has(word) && !found.has(word) && !LEFT_OUT.has(word)) follow(word);
  };
  follow(DOOR);
  return all.filter(({ name }) => found.has(name));
}

/**
 * Makes those that are missing, of all shards where they lie now, and drops what was made of something else or whose
 * shard has left.
 * @throws Error of the node that could not
 */
export async function makeShardSchemas(db: Queryable): Promise<void> {
  await onNodes(db, fill(ON_NODE, await planShardSchemas(db)));
}

/** Shards whose players' steps go by the coordinator: they came to their node, or this version did, and none was made. */
export async function countShardsWithout(db: Queryable): Promise<number> {
  const { stamp } = await planShardSchemas(db);
  const found = await onNodes(
    db,
    `select count(*) from pg_dist_shard d join pg_dist_placement l using (shardid) join pg_dist_local_group g
       using (groupid) where d.logicalrelid = to_regclass('player')
     and to_regclass(format('shard_%s_${stamp}.player', d.shardid)) is null`,
  );
  return found.reduce((sum, count) => sum + Number(count), 0);
}

/** So that tables can be changed: their views stand in the way of that. */
export async function dropShardSchemas(db: Queryable): Promise<void> {
  await onNodes(db, DROP);
}

/** One schema over tables of this very database, as a test needs it. */
export async function makeShardSchema(
  db: Queryable,
  schema: string,
  plan: ShardPlan,
  views: readonly { name: string; relation: string }[],
): Promise<void> {
  const one = `do $do$ declare ${VARIABLES}
    v_schema constant text := '${schema}';
    v_views constant jsonb := $views$${JSON.stringify(views)}$views$;
  begin ${MAKE} end $do$`;
  await db.query(fill(one, plan));
}

const fill = (text: string, plan: ShardPlan): string =>
  text.replace('@plan@', () => `$plan$${JSON.stringify({ ...plan, door: DOOR })}$plan$`);

async function onNodes(db: Queryable, sql: string): Promise<string[]> {
  const { rows } = await db.query<{ node: string; success: boolean; result: string }>(
    `select format('%s:%s', nodename, nodeport) as node, success, result from run_command_on_workers($1)`,
    [sql],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed) throw new Error(`The schemas of shards failed on ${failed.node}: ${failed.result}`);
  return rows.map(({ result }) => result);
}

const VARIABLES = `
  p constant jsonb := @plan@;
  v_home constant text := p ->> 'home';
  v record;
  v_text text;`;

/**
 * Makes the schema v_schema; v_views: a list of {name, relation}. It has a view for each table of its shard and for each
 * that is whole on every node; views of what the caller hands in (refill.given) for what a batch asks about its own
 * players only; and doors: what is written to a table that lies by another key goes on to that table, which Citus sends
 * to its node.
 */
const MAKE = `
  perform set_config('check_function_bodies', 'off', true);
  execute format('create schema %I', v_schema);
  perform set_config('search_path', v_schema, true);
  for v in select x.name, x.relation from jsonb_to_recordset(v_views) as x(name text, relation text) loop
    execute format('create view %I as select * from %s', v.name, v.relation);
  end loop;
  -- A shard draws no numbers: its node has a share of those of the table.
  for v in select a.attname as column, x.name, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as draws
      from jsonb_to_recordset(v_views) as x(name text, relation text)
        join pg_class c on c.relname = x.name and c.relnamespace = v_home::regnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
        join pg_attribute s on s.attrelid = x.relation::regclass and s.attname = a.attname and s.attidentity = '' loop
    execute format('alter view %I alter %I set default nextval(%L)', v.name, v.column, v.draws);
  end loop;
  create view order_lookup as select * from jsonb_to_recordset(current_setting('refill.given')::jsonb -> 'numbers')
    as x(billing_no text, player_id uuid);
  create view player_identity as select * from jsonb_to_recordset(
    current_setting('refill.given')::jsonb -> 'identities')
    as x(player_id uuid, provider text, subject text, created_at timestamptz);
  -- Empty for ever: a row that is meant for them goes on to the table of their name.
  foreach v_text in array '{provider_reference,callback_inbox}'::text[] loop
    execute format('create unlogged table %I (like %I.%I including defaults)', v_text, v_home, v_text);
  end loop;
  for v_text in select jsonb_array_elements_text(p -> 'functions') loop
    execute v_text;
  end loop;
  for v in select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
        -- One by one: as a row they would carry a type of this schema to another node.
        string_agg(format('new.%I', a.attname), ', ' order by a.attnum) as values
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = v_home::regnamespace
        and c.relname = any ('{order_lookup,provider_reference,callback_inbox}'::text[]) group by 1 loop
    execute format('create function %I() returns trigger language plpgsql set search_path = %I as $send$ begin
      insert into %I (%s) values (%s) %s;
      return %s;
    end $send$', 'send_' || v.name, v_home, v.name, v.columns, v.values,
      case v.name when 'provider_reference' then 'on conflict do nothing' else '' end,
      case v.name when 'order_lookup' then 'new' else 'null' end);
    execute format('create trigger send_on %s insert on %I for each row execute function %I()',
      case v.name when 'order_lookup' then 'instead of' else 'before' end, v.name, 'send_' || v.name);
  end loop;
  -- One plan for all calls, as on plain PostgreSQL, and no compiling: it takes a hundred times as long as a batch.
  execute format('alter function %I(jsonb) set search_path = %I', p ->> 'door', v_schema);
  execute format('alter function %I(jsonb) set plan_cache_mode = force_generic_plan', p ->> 'door');
  execute format('alter function %I(jsonb) set jit = off', p ->> 'door');
  -- Whoever may write orders may do so here.
  for v in select distinct a.grantee::regrole::text as role from pg_class c, aclexplode(c.relacl) a
      where c.oid = format('%I.orders', v_home)::regclass and a.privilege_type = 'INSERT'
        and a.grantee <> c.relowner and a.grantee <> 0 loop
    execute format('grant usage on schema %I to %s', v_schema, v.role);
    execute format('grant select, insert, update, delete on all tables in schema %I to %s', v_schema, v.role);
    execute format('grant execute on all functions in schema %I to %s', v_schema, v.role);
    execute format('grant usage on all sequences in schema %I to %s', v_home, v.role);
    for v_text in select oid::regprocedure::text from pg_proc
        where pronamespace = v_home::regnamespace and proname = any (array(
          select substring(x from 'FUNCTION [^.]+\\.([a-z_]+)') from jsonb_array_elements_text(p -> 'ofNodes') x)) loop
      execute format('grant execute on function %s to %s', v_text, v.role);
    end loop;
  end loop;`;

/** Of two commands that make or drop them at once the second one waits, and finds what the first has left. */
const ONE_AT_A_TIME = 'perform pg_advisory_xact_lock(7339458)';

const NAMED = `nspname ~ '^shard_[0-9]+_[0-9a-f]{8}$'`;

/** For each shard of players on this node. A schema whose shard was away for a while has lost its views. */
const ON_NODE = `do $do$ declare ${VARIABLES}
  v_shard record;
  v_schema text;
  v_views jsonb;
  v_known text[];
begin
  ${ONE_AT_A_TIME};
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  v_known := array(select nspname from pg_namespace where ${NAMED});
  perform set_config('search_path', v_home, true);
  for v_text in select jsonb_array_elements_text(p -> 'ofNodes') loop
    execute v_text;
  end loop;
  for v_shard in select d.shardid, d.shardminvalue from pg_dist_shard d join pg_dist_placement l using (shardid)
      join pg_dist_local_group g using (groupid)
      where d.logicalrelid = format('%I.player', v_home)::regclass order by 1 loop
    v_schema := format('shard_%s_%s', v_shard.shardid, p ->> 'stamp');
    v_known := array_remove(v_known, v_schema);
    continue when to_regclass(format('%I.player', v_schema)) is not null;
    execute format('drop schema if exists %I cascade', v_schema);
    v_views := (select jsonb_agg(jsonb_build_object('name', c.relname,
        'relation', format('%I.%I', v_home, c.relname || '_' || d.shardid)))
      from pg_dist_partition t join pg_class c on c.oid = t.logicalrelid and not c.relispartition
        join pg_dist_shard d on d.logicalrelid = t.logicalrelid
      where c.relnamespace = v_home::regnamespace and (t.partmethod = 'n' and t.repmodel = 't'
        or t.partmethod = 'h' and d.shardminvalue = v_shard.shardminvalue and t.colocationid = (
          select k.colocationid from pg_dist_partition k
          where k.logicalrelid = format('%I.player', v_home)::regclass)));
    ${MAKE}
  end loop;
  -- Last, for what calls them waits from here on.
  foreach v_schema in array v_known loop
    execute format('drop schema %I cascade', v_schema);
  end loop;
end $do$`;

const DROP = `do $do$ declare v_schema text; begin
  ${ONE_AT_A_TIME};
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  for v_schema in select nspname from pg_namespace where ${NAMED} loop
    execute format('drop schema %I cascade', v_schema);
  end loop;
end $do$`;
