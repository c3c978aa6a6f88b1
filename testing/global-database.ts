// One PostgreSQL for a whole run of the tests: a server in a temporary folder (or the one of
// DATABASE_URL) with a migrated template database that every test file clones for itself (testing/database.ts).
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { readFiles } from '#server/modules/configuration/files/read-files.ts';
import { listPictures } from '#server/modules/configuration/pictures/list-rules.ts';
import { makePictures } from '#server/modules/configuration/pictures/make-pictures.ts';
import { migrate } from '#server/platform/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the migrated template database; it takes no connections, it is only cloned. */
    templateDatabaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await warmPictures();
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
  const name = `refill_template_${randomBytes(4).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const run = (...statements: string[]): Promise<void> => runOn(serverUrl, ...statements);
  const drop = (): Promise<void> =>
    run(`ALTER DATABASE ${name} IS_TEMPLATE false`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await run(`CREATE DATABASE ${name}`);
  try {
    await migrate(url.href);
    // One function replaced by a broken one: chaos/mutants.
    const sqlFile = process.env['REFILL_TEST_SQL_FILE'];
    if (sqlFile) await runOn(url.href, readFileSync(sqlFile, 'utf8'));
    // A database with a connection cannot be cloned, so nobody may connect from here on.
    await run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false IS_TEMPLATE true`);
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

/** Makes the shipped pictures before anything is timed; a second run finds them. */
async function warmPictures(): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const read = await readFiles(root);
  if (read.ok) await makePictures(root, listPictures(read.files));
}
