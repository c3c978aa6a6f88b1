// A database that the operator brings (DATABASE_URL): looked at before anything is started against it.
import pg from 'pg';
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
      `The database${pathname} at ${host} (DATABASE_URL) cannot be opened: ${message || code}. Mend the address, or unset DATABASE_URL to use the embedded PostgreSQL.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}
