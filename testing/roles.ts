// A database with the accounts of production (deploy/postgres/roles.sql), for tests of what the shop can do without
// being a superuser.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createEmptyDatabase } from './database.ts';

export type DatabaseWithRoles = {
  /** Of a superuser. */
  readonly url: string;
  /** Of the account that migrates. */
  readonly ownerUrl: string;
  /** Of the account that runs the shop. */
  readonly appUrl: string;
  /** Of the account that may read alone. */
  readonly readUrl: string;
  readonly drop: () => Promise<void>;
};

const PASSWORD = 'roles-of-a-test-database';

/** An empty one. The accounts belong to the whole server: one test at a time. */
export async function createDatabaseWithRoles(): Promise<DatabaseWithRoles> {
  const { url, drop } = await createEmptyDatabase();
  const roles = await readFile(new URL('../deploy/postgres/roles.sql', import.meta.url), 'utf8');
  // Twice: it may be run again.
  for (const text of [roles, roles]) await run(url, text);
  for (const role of ['refill_owner', 'refill_app', 'refill_read'])
    await run(url, `alter role ${role} password '${PASSWORD}'`);
  const as = (role: string) => Object.assign(new URL(url), { username: role, password: PASSWORD }).href;
  return {
    url,
    ownerUrl: as('refill_owner'),
    appUrl: as('refill_app'),
    readUrl: as('refill_read'),
    drop: async () => {
      await run(url, 'drop owned by refill_app, refill_read, refill_owner cascade');
      await drop();
      const server = Object.assign(new URL(url), { pathname: '/postgres' }).href;
      await run(server, 'drop role if exists refill_app, refill_read, refill_owner');
    },
  };
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
