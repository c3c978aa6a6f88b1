// The nodes of a spread database that hold players, each by connections of its own: a step that touches one player's
// rows only runs where they are (decision 70).
import type pg from 'pg';
import type { PlayerId } from '#kernel/ids.ts';
import { type Db, query } from './db.ts';
import { planShardSchemas } from './schema/shard-schemas.ts';

export type Nodes = {
  /** Ends the names of the schemas that steps run in; see ShardPlan. */
  readonly stamp: string;
  /** The node that has a player's rows, as far as is known. */
  readonly find: (player: PlayerId) => Promise<Db>;
  /** A player was not where they were thought to be. */
  readonly askAnew: () => void;
  /** Undefined: the node cannot be reached from here, and nothing was sent to it. */
  readonly connect: (node: Db) => Promise<pg.PoolClient | undefined>;
  /** Pools of the nodes that were asked for. */
  readonly list: () => readonly Db[];
  readonly end: () => Promise<void>;
};

/** Our choice: some megabytes; who is forgotten is asked for again. */
const REMEMBERED = 50_000;
/** Our choice: a node that cannot be reached holds up one batch in so long. */
const AWAY_MS = 5_000;

/**
 * @param db of the coordinator
 * @param url of the coordinator: a node has its user, password and database
 * @param options.open a pool for an address
 * @param options.onAway hears of a node that cannot be reached from here
 * @param options.now milliseconds of a clock that only goes on
 */
export async function openNodes(
  db: Db,
  url: string,
  options: { open: (url: string) => Db; onAway: (error: Error) => void; now?: () => number },
): Promise<Nodes> {
  const { now = () => performance.now(), onAway, open } = options;
  const awayUntil = new Map<Db, number>();
  const { stamp } = await planShardSchemas(db);
  const pools = new Map<string, Db>();
  const places = new Map<string, Promise<Db>>();

  async function locate(player: PlayerId): Promise<Db> {
    const [node] = await query<{ host: string; port: number }>(
      db,
      'nodes_find',
      `select n.nodename as host, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
       where p.shardid = get_shard_id_for_distribution_column('player', $1::uuid) and n.noderole = 'primary'`,
      [player],
    );
    if (!node) throw new Error(`No node of the cluster has the rows of the player ${player}.`);
    const address = addressOf(url, node.host, node.port);
    const pool = pools.get(address) ?? open(address);
    pools.set(address, pool);
    return pool;
  }

  return {
    stamp,
    find: (player) => {
      const known = places.get(player);
      if (known) return known;
      if (places.size >= REMEMBERED) places.clear();
      const found = locate(player);
      places.set(player, found);
      found.catch(() => places.delete(player));
      return found;
    },
    askAnew: () => places.clear(),
    connect: async (node) => {
      if (now() < (awayUntil.get(node) ?? 0)) return undefined;
      return node.connect().catch((error: Error) => {
        awayUntil.set(node, now() + AWAY_MS);
        onAway(error);
        return undefined;
      });
    },
    list: () => [...pools.values()],
    end: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

/** @returns where the server of a node is reached, by what else the coordinator's address says */
export function addressOf(coordinator: string, host: string, port: number): string {
  const url = new URL(coordinator);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  // A socket file is the coordinator's own.
  url.searchParams.delete('host');
  return url.href;
}
