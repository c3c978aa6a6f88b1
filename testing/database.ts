// A database of its own for a test file, cloned from a template (testing/global-database.ts) in well under 100 ms.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { cloneOnCluster, dropOnCluster, readCluster } from './cluster.ts';

export type TestDatabase = {
  url: string;
  /** Also ends connections that a test left open. */
  drop: () => Promise<void>;
};

/**
 * For `beforeAll`; call `drop` in `afterAll`.
 * @param templateUrl outside of Vitest, where nobody hands in the template of the run
 */
export async function createTestDatabase(templateUrl: string = inject('templateDatabaseUrl')): Promise<TestDatabase> {
  return cloneDatabase(new URL(templateUrl));
}

async function cloneDatabase(template: URL): Promise<TestDatabase> {
  const name = `refill_test_${randomBytes(6).toString('hex')}`;
  const cluster = readCluster();
  if (cluster !== undefined && template.pathname !== '/template0') {
    await cloneOnCluster(cluster, name, template.pathname.slice(1));
    const copy = new URL(template);
    copy.pathname = `/${name}`;
    return { url: copy.href, drop: () => dropOnCluster(cluster, name) };
  }
  // file_copy: 80 ms for sixty tables against 95 ms through the log (the default), on a server without fsync.
  await runOnServer(template, `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} STRATEGY file_copy`);
  const url = new URL(template);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnServer(template, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** The same with the shipped brands, games and channels applied. */
export function createShopDatabase(templateUrl: string = inject('templateDatabaseUrl')): Promise<TestDatabase> {
  return createTestDatabase(shopTemplateOf(templateUrl));
}

/** The template with the shipped brands beside the one without. */
export function shopTemplateOf(templateUrl: string): string {
  const url = new URL(templateUrl);
  url.pathname += '_shop';
  return url.href;
}

/** One without tables, for tests that bring their own. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateDatabaseUrl'));
  template.pathname = '/template0';
  return cloneDatabase(template);
}

/** A migrated one with a pool of up to `max` connections, which `drop` ends first. */
export async function openTestDatabase(max: number): Promise<TestDatabase & { db: Db }> {
  const { url, drop } = await createTestDatabase();
  const db = openDb(url, { max, onError: () => undefined });
  // Crowds of a test wait in the pool as long as a busy machine takes.
  db.options.connectionTimeoutMillis = 60_000;
  return {
    url,
    db,
    drop: async () => {
      await db.end();
      await drop();
    },
  };
}

async function runOnServer(template: URL, statement: string): Promise<void> {
  const server = new URL(template);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
