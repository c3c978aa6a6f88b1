// Repairs a database that is spread over the nodes of a cluster (decision 64) after its functions were made anew.
import type { Queryable } from '../db.ts';

/** True where tables are spread by Citus; false also where the extension is there and has nothing to do yet. */
export async function isSpread(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is_there: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as is_there",
  );
  if (rows[0]?.is_there !== true) return false;
  const found = await db.query<{ is_spread: boolean }>(
    "select exists (select from pg_dist_partition where logicalrelid = to_regclass('orders')) as is_spread",
  );
  return found.rows[0]?.is_spread === true;
}

/**
 * Reads that a view of the invariants asks for beside a row of a player, on the node of that row. Citus refuses
 * statements within statements of a node, for what lies elsewhere may be read in another state. Only what players of one
 * game account share is elsewhere, and what an invariant finds is read again.
 */
const BESIDE_ITS_PLAYER = [
  'event_days(uuid, text, text, jsonb, timestamptz)',
  'uses_held(uuid, text, text, text, text)',
  'claimed_before(uuid, text, integer)',
];

/**
 * Functions of the money path say that one plan serves all calls (decision 62). Which node has a row is known by the
 * values of the call alone, so there each statement is planned with them.
 */
export async function setForNodes(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = current_schema()::regnamespace and 'plan_cache_mode=force_generic_plan' = any (proconfig)`,
  );
  for (const { signature } of rows) await db.query(`alter function ${signature} reset plan_cache_mode`);
  for (const signature of BESIDE_ITS_PLAYER)
    await db.query(`alter function ${signature} set citus.allow_nested_distributed_execution = on`);
}
