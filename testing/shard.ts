// One node of a spread database on plain PostgreSQL: a schema as a shard has it, over the tables of a test, and in the
// place of what Citus tells of shards, functions that know this one only. On a cluster (cluster.ts) its real nodes.
import { type Db, openDb } from '#server/platform/database/db.ts';
import { type Nodes, openNodes } from '#server/platform/database/nodes.ts';
import { makeShardSchema, planShardSchemas } from '#server/platform/database/schema/shard-schemas.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';

const open = (url: string): Db => openDb(url, { max: 2, onError: () => undefined });
const throwIt = (error: Error): never => {
  throw error;
};

const SHARD = 102_008;
const STAND_INS = [
  ['get_shard_id_for_distribution_column', 'p_table text, p_player_id uuid', 'bigint', `${SHARD}`],
  ['hold_shards', 'p_shards bigint[]', 'bigint[]', 'p_shards'],
] as const;

/** All players of the database lie in one shard of one node, which is the database itself. */
export async function openOnlyNode(db: Db): Promise<Nodes> {
  const { connectionString } = db.options;
  if (connectionString && (await isSpread(db))) return openNodes(db, connectionString, { open, onAway: throwIt });
  const plan = await planShardSchemas(db);
  const { rows: views } = await db.query<{ name: string; relation: string }>(
    `select relname as name, oid::regclass::text as relation from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ('{order_lookup,player_identity,provider_reference,callback_inbox}'::text[])`,
  );
  const client = await db.connect();
  try {
    await client.query('begin');
    for (const [name, parameters, answer, body] of STAND_INS)
      await client.query(
        `create or replace function ${name}(${parameters}) returns ${answer} language plpgsql as
          $$ begin return ${body}; end $$`,
      );
    const home = views.map((view) => ({ ...view, relation: `public.${view.relation}` }));
    await makeShardSchema(client, `shard_${SHARD}_${plan.stamp}`, plan, home);
    await client.query('commit');
  } finally {
    // Its search path is that of the schema.
    client.release(true);
  }
  return {
    stamp: plan.stamp,
    find: async () => db,
    askAnew: () => undefined,
    connect: (node) => node.connect(),
    list: () => [db],
    end: async () => undefined,
  };
}
