// Detects whether a call changed anything: one number for everything that the database holds.
import type { TestShop } from '#testing/shop.ts';

/** These change by looking: counters of limits, and when a session was seen. */
const RESTLESS = ['rate_limit', 'session'];

/**
 * Differs as soon as any row of any table but the restless ones does; of sessions it counts the live ones.
 * @param besides tables that may change as well
 */
export async function fingerprint(shop: TestShop, besides: readonly string[] = []): Promise<string> {
  const { rows: tables } = await shop.db.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename <> all ($1) order by 1`,
    [[...RESTLESS, ...besides]],
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, coalesce(sum(hashtext(t::text)::bigint), 0) as hash from ${name} t`,
  );
  const { rows } = await shop.db.query(`${parts.join(' union all ')} order by 1`);
  const sessions = await shop.db.query(
    'select count(*) filter (where revoked_at is null) as live, count(*) as rows from session',
  );
  return JSON.stringify([rows, sessions.rows]);
}
