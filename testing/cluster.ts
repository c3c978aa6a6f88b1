// Databases of tests on a Citus cluster instead of one PostgreSQL: REFILL_TEST_CLUSTER is the address of a database of
// its coordinator that has the extension and knows the workers. A database of a test is cloned on every node, so that
// the copies know each other as their originals did.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const ADDRESS = 'REFILL_TEST_CLUSTER';

/** The coordinator that tests are to run on; undefined: they run on plain PostgreSQL. */
export const readCluster = (): string | undefined => process.env[ADDRESS] || undefined;

/** Addresses of the server of each node, the coordinator's first. */
async function listNodes(cluster: string): Promise<string[]> {
  const { rows } = await runOn<{ nodename: string; nodeport: number }>(
    cluster,
    'select nodename, nodeport from pg_dist_node where noderole = $$primary$$ order by groupid',
  );
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(cluster);
    url.hostname = nodename;
    url.port = `${nodeport}`;
    return url.href;
  });
}

/** An empty database on every node that knows the others. */
export async function createOnCluster(cluster: string, name: string): Promise<void> {
  const nodes = await listNodes(cluster);
  for (const node of nodes) {
    await runOn(node, `create database ${name}`);
    await runOn(at(node, name), 'create extension citus');
  }
  const [coordinator = cluster, ...workers] = nodes;
  const own = new URL(coordinator);
  await runOn(at(coordinator, name), `select citus_set_coordinator_host('${own.hostname}', ${own.port})`);
  for (const worker of workers) {
    const { hostname, port } = new URL(worker);
    await runOn(at(coordinator, name), `select citus_add_node('${hostname}', ${port})`);
  }
}

/** From here on nobody connects to it, and it can be cloned. */
export async function closeOnCluster(cluster: string, name: string): Promise<void> {
  await onEveryNode(cluster, async (node) => {
    await runOn(node, `alter database ${name} with allow_connections false is_template true`);
    await runOn(node, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  });
}

export async function cloneOnCluster(cluster: string, name: string, template: string): Promise<void> {
  await onEveryNode(cluster, async (node) => {
    await whileInUse(async () => {
      await runOn(node, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`);
      await runOn(node, `create database ${name} template ${template} strategy file_copy`);
    });
    // A setting of the database, which its copy does not get (allowRepartition).
    await runOn(node, `alter database ${name} set citus.enable_repartition_joins = on`);
  });
}

export async function dropOnCluster(cluster: string, name: string): Promise<void> {
  await onEveryNode(cluster, async (node) => {
    await runOn(node, `alter database ${name} is_template false`).catch(() => undefined);
    await whileInUse(() => runOn(node, `drop database if exists ${name} with (force)`));
  });
}

/** Citus' own daemon comes back to a database while others look away. */
async function whileInUse(act: () => Promise<unknown>): Promise<void> {
  for (let left = 10; ; left -= 1) {
    try {
      await act();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || left === 0) throw error;
      await sleep(100);
    }
  }
}

async function onEveryNode(cluster: string, act: (node: string) => Promise<unknown>): Promise<void> {
  await Promise.all((await listNodes(cluster)).map(act));
}

function at(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function runOn<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(statement);
  } finally {
    await client.end();
  }
}
