// Finds out whether a pooler in front of the database keeps what the shop relies on: transactions, and statements that
// were prepared by name. A pooler that drops names fails at random, and only under load.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';

/** Our choice: a pool with one connection lets the second client wait; then nothing is known, and nothing refused. */
const ANSWER_TIMEOUT_MS = 3000;
/** Our choice: other clients of the pooler may take the connection that we want to meet. */
const ROUNDS = 5;

/** @source PostgreSQL appendix A: 26000 invalid SQL statement name, 42P05 duplicate prepared statement */
const DROPPED = /^(?:26000|42P05)$/;
/** @source PgBouncer, config.html#pool_mode: "statement: transactions spanning multiple statements are disallowed" */
const BY_STATEMENT = /statement pooling/;

/** Looks at the ways to the database and to its replica. */
export async function lookAtPoolers(
  config: Pick<Config, 'databaseUrl' | 'databaseReadUrl' | 'preparesStatements'>,
): Promise<Finding[]> {
  const ways: [setting: string, url: string][] = [
    ['DATABASE_URL', config.databaseUrl],
    ['DATABASE_READ_URL', config.databaseReadUrl],
  ];
  const found = await Promise.all(
    ways.map(([setting, url]) => (url === '' ? null : lookAtPooler(setting, url, config.preparesStatements))),
  );
  return found.filter((finding) => finding !== null);
}

/**
 * Prepares a statement on one connection of PostgreSQL and calls it on another, which the pooler gives the same client.
 * @param setting that names `url`
 * @param prepares whether the shop prepares statements, REFILL_PREPARED_STATEMENTS
 * @returns null also where nothing is known: a fault of the address is reported by whoever connects first
 */
export async function lookAtPooler(setting: string, url: string, prepares: boolean): Promise<Finding | null> {
  const clients = [open(url), open(url)] as const;
  try {
    await Promise.all(clients.map((client) => client.connect()));
    await meet(...clients, prepares);
    return null;
  } catch (error) {
    return judge(error, setting);
  } finally {
    await Promise.all(clients.map(leave));
  }
}

function open(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'refill',
  });
  client.on('error', () => undefined);
  return client;
}

/** A pooler throws a connection away whose client left inside a transaction. */
async function leave(client: pg.Client): Promise<void> {
  await client.query('rollback').catch(() => undefined);
  await client.end().catch(() => undefined);
}

async function meet(own: pg.Client, other: pg.Client, prepares: boolean): Promise<void> {
  // Connections behind a pooler outlive their clients, and with them the names of an earlier look.
  const statement = { name: `look_at_pooler_${randomUUID()}`, text: 'select 1' };
  await own.query('begin');
  const first = await pidOf(own);
  if (prepares) await own.query(statement);
  await own.query('commit');
  if (!prepares) return;
  for (let round = 0; round < ROUNDS; round += 1) {
    // While the other client has the connection of before, the pooler gives this one another.
    await other.query('begin');
    await pidOf(other);
    await own.query('begin');
    const isAnother = (await pidOf(own)) !== first;
    if (isAnother) await own.query(statement);
    await own.query('commit');
    await other.query('commit');
    // Without a pooler a client has one connection for ever.
    if (isAnother) return;
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

function judge(error: unknown, setting: string): Finding | null {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (DROPPED.test(code))
    return {
      name: setting,
      reason: `leads to a pooler that does not keep prepared statements (${message})`,
      remedy: 'set REFILL_PREPARED_STATEMENTS=off, or use PgBouncer 1.21 or newer with max_prepared_statements above 0',
    };
  if (BY_STATEMENT.test(message))
    return {
      name: setting,
      reason: `leads to a pooler that pools by statement (${message})`,
      remedy: 'set pool_mode to transaction or session',
    };
  return null;
}
