// The template databases of tests on the nodes of a Citus cluster: made, spread and closed.
import { randomBytes } from 'node:crypto';
import { distribute, planDistribution } from '#server/modules/distribution/service.ts';
import { openDb } from '#server/platform/database/db.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { cloneOnCluster, closeOnCluster, createOnCluster, dropOnCluster } from './cluster.ts';
import { shopTemplateOf } from './database.ts';
import { applyShipped } from './shipped.ts';

/** Two databases, as on plain PostgreSQL: migrated, and with the shipped brands. */
export async function createClusterTemplate(cluster: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const url = new URL(cluster);
  url.pathname = `/refill_template_${randomBytes(4).toString('hex')}`;
  const [plain = '', shop = ''] = [url.href, shopTemplateOf(url.href)].map((one) => new URL(one).pathname.slice(1));
  await createOnCluster(cluster, plain);
  await migrate(url.href);
  await distributeAll(url.href);
  await closeOnCluster(cluster, plain);
  await cloneOnCluster(cluster, shop, plain);
  await applyShipped(shopTemplateOf(url.href));
  await closeOnCluster(cluster, shop);
  return {
    url: url.href,
    drop: async () => {
      for (const name of [plain, shop]) await dropOnCluster(cluster, name);
    },
  };
}

export async function distributeAll(databaseUrl: string): Promise<void> {
  const db = openDb(databaseUrl, { max: 1, onError: () => undefined });
  try {
    await distribute(db, await planDistribution(db), { tell: () => undefined });
  } finally {
    await db.end();
  }
}
