// A database that the operator brings (DATABASE_URL): looked at before anything is started against it.
import pg from 'pg';
import { assignForDemonstration } from '#server/platform/database/demonstration.ts';
import { StartFault } from './start-postgres.ts';

// 16 is the oldest PostgreSQL that the migrations are meant for.
const oldestVersion = 160_000;

/** @throws StartFault with one sentence that never shows the password */
export async function requireDatabase(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new StartFault('DATABASE_URL must look like postgres://user:password@host:5432/database.');
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  const { host, pathname } = new URL(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    const version = rows[0]?.version ?? 0;
    if (version >= oldestVersion) return;
    throw new StartFault(
      `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}, but Refill needs 16 or newer.`,
    );
  } catch (error) {
    if (error instanceof StartFault) throw error;
    // Several addresses of one host that all refuse come as an AggregateError, whose own message is empty.
    const { message, code } = error as { message: string; code?: string };
    throw new StartFault(
      `The database${pathname} at ${host} (DATABASE_URL) cannot be opened: ${message || code}. Mend the address, ` +
        'or unset DATABASE_URL to use the embedded PostgreSQL.',
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * A start fills its database with demonstration brands and with accounts and cards that anybody knows, so it takes
 * only one that it made, or an empty one that it was told to take. Changes nothing else.
 * @param environment REFILL_ENVIRONMENT of the caller
 * @throws StartFault with one sentence that says what to use instead
 */
export async function assignDatabase(url: string, environment: string | undefined): Promise<void> {
  const assignment = await assignForDemonstration(url, environment === 'demo' ? 'empty' : 'none');
  if (assignment === 'own' || assignment === 'new') return;
  const { host, pathname } = new URL(url);
  const subject = `The database${pathname} at ${host} (DATABASE_URL)`;
  throw new StartFault(
    assignment === 'foreign'
      ? `${subject} was not made by npm start, which would fill it with demonstration brands and accounts that ` +
          'anybody knows: run your own shop by "npm run refill -- serve", or give npm start an empty database and ' +
          'REFILL_ENVIRONMENT=demo.'
      : `${subject} is empty, and npm start would make a demonstration of it for good: say so by ` +
          'REFILL_ENVIRONMENT=demo, or fill it by "npm run refill -- apply" and run your own shop by "npm run refill ' +
          '-- serve".',
  );
}

/** @throws StartFault when the caller's variables are those of a shop that takes real money */
export function refuseLive(environment: string | undefined): void {
  if (environment === undefined || environment === '' || environment === 'demo') return;
  throw new StartFault(
    `REFILL_ENVIRONMENT is "${environment}", but npm start is a demonstration: run your own shop by "npm run ` +
      'refill -- serve", or unset it.',
  );
}
