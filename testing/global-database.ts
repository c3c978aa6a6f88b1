// One PostgreSQL for a whole run of the tests: a server in a temporary folder (or the one of DATABASE_URL) with two
// template databases that test files clone for themselves (testing/database.ts): migrated, and with the shipped brands.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { applyShipped } from './shipped.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { readCluster } from './cluster.ts';
import { createClusterTemplate } from './cluster-template.ts';
import { shopTemplateOf } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated template database; like the other it takes no connections, it is cloned. */
    templateDatabaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = readCluster();
  if (cluster !== undefined) {
    const template = await createClusterTemplate(cluster);
    project.provide('templateDatabaseUrl', template.url);
    return template.drop;
  }
  const external = process.env['DATABASE_URL'];
  const server = external === undefined ? await startTemporaryServer() : { url: external, stop: async () => {} };
  try {
    const template = await createTemplate(server.url);
    project.provide('templateDatabaseUrl', template.url);
    return async () => {
      if (external !== undefined) await template.drop();
      await server.stop();
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startTemporaryServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  // A process of its own also ends, and removes its folder, when this one is killed.
  // Over TCP: tests put proxies between the shop and its database.
  return forkPostgres({ dataDir: join(tmpdir(), `refill-test-${randomBytes(6).toString('hex')}`), temporary: true });
}

async function createTemplate(serverUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  // Random, because several runs may share the server of DATABASE_URL.
  const url = new URL(serverUrl);
  url.pathname = `/refill_template_${randomBytes(4).toString('hex')}`;
  const [plain, shop] = [url.href, shopTemplateOf(url.href)].map((one) => new URL(one).pathname.slice(1));
  const run = (...statements: string[]): Promise<void> => runOn(serverUrl, ...statements);
  // A database with a connection cannot be cloned, so nobody may connect from here on.
  const close = (name = ''): Promise<void> =>
    run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
  const drop = async (): Promise<void> => {
    for (const name of [plain, shop]) {
      await run(`ALTER DATABASE ${name} IS_TEMPLATE false`).catch(() => undefined);
      await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  };
  try {
    await run(`CREATE DATABASE ${plain}`);
    await migrate(url.href);
    // One function replaced by a broken one: chaos/mutants.
    const sqlFile = process.env['REFILL_TEST_SQL_FILE'];
    if (sqlFile) await runOn(url.href, readFileSync(sqlFile, 'utf8'));
    await close(plain);
    await run(`CREATE DATABASE ${shop} TEMPLATE ${plain}`);
    await applyShipped(shopTemplateOf(url.href));
    await close(shop);
  } catch (error) {
    await drop();
    throw error;
  }
  return { url: url.href, drop };
}

async function runOn(databaseUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
