// Nodes of a Citus cluster as a test sees them: what each is called, how one is made to crash, what was counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from './cluster.ts';

export type ClusterNode = { readonly name: string; readonly url: string };

/** @param url of a database of the coordinator; the nodes' addresses are of the database of that name */
export async function listNodes(url: string): Promise<ClusterNode[]> {
  const rows = await runSql(
    url,
    `select nodename, nodeport, groupid from pg_dist_node where noderole = 'primary' order by groupid`,
  );
  return rows.map(({ nodename, nodeport, groupid }) => {
    const node = new URL(url);
    node.hostname = String(nodename);
    node.port = String(nodeport);
    return { name: groupid === 0 ? 'the coordinator' : `worker ${groupid}`, url: node.href };
  });
}

/**
 * Kills the checkpointer of a node (kill -9): PostgreSQL ends every other process of it, and comes back by itself by
 * recovery from its log. @returns seconds until it is back
 * @throws when the process is not on this machine, or another account's, or the node is not back after three minutes
 */
export async function crashNode({ name, url }: ClusterNode): Promise<number> {
  const findCheckpointer = async (): Promise<number> => {
    const [row] = await runSql(url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
    return Number(row?.['pid']);
  };
  const killed = await findCheckpointer();
  process.kill(killed, 'SIGKILL');
  const began = performance.now();
  for (;;) {
    await sleep(50);
    // An answer may still come before the others are ended: back is what has another checkpointer.
    const found = await findCheckpointer().catch(() => Number.NaN);
    if (found > 0 && found !== killed) return (performance.now() - began) / 1000;
    if (performance.now() - began > 180_000) throw new Error(`${name} did not come back`);
  }
}

/** Transactions that a crash left half committed are finished by Citus; true when none is left on any node. */
export async function waitForPrepared(url: string, nodes: readonly ClusterNode[]): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < 30_000) {
    await runSql(url, 'select recover_prepared_transactions()').catch(() => undefined);
    let left = 0;
    for (const node of nodes) {
      const [row] = await runSql(
        node.url,
        'select count(*)::integer as count from pg_prepared_xacts where database = current_database()',
      );
      left += Number(row?.['count'] ?? 0);
    }
    if (left === 0) return true;
    await sleep(500);
  }
  return false;
}

export type Counted = { readonly single: number; readonly multi: number };

/** Statements that the coordinator sent to one shard, and to more than one, since this database was made. */
export async function readCounters(url: string): Promise<Counted> {
  const [row] = await runSql(
    url,
    `select coalesce(sum(query_execution_single_shard), 0)::float8 as single,
       coalesce(sum(query_execution_multi_shard), 0)::float8 as multi
     from citus_stat_counters where name = current_database()`,
  );
  return { single: Number(row?.['single']), multi: Number(row?.['multi']) };
}

/** Moves one group of shards that lie together from the node where it is to the other one. @returns a sentence */
export async function moveShard(url: string, table: string): Promise<string> {
  const [from] = await runSql(
    url,
    `select shardid, nodename, nodeport from citus_shards where table_name = '${table}'::regclass
      order by shardid limit 1`,
  );
  const [to] = await runSql(
    url,
    `select nodename, nodeport from pg_dist_node where shouldhaveshards
       and (nodename, nodeport) <> ('${from?.['nodename']}', ${from?.['nodeport']}) order by nodeid limit 1`,
  );
  const began = performance.now();
  await runSql(
    url,
    `select citus_move_shard_placement(${from?.['shardid']}, '${from?.['nodename']}', ${from?.['nodeport']},
       '${to?.['nodename']}', ${to?.['nodeport']}, shard_transfer_mode => 'force_logical')`,
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return `a shard of every table moved from ${from?.['nodeport']} to ${to?.['nodeport']} in ${seconds} s`;
}
