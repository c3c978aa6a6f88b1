// The shipped brands, games and channels in a database of tests.
import { join } from 'node:path';
import { applyConfiguration } from '#server/modules/configuration/service.ts';
import { openDb } from '#server/platform/database/db.ts';

/** Also makes the shipped pictures before anything is timed; a second run finds them. */
export async function applyShipped(databaseUrl: string): Promise<void> {
  const db = openDb(databaseUrl, { max: 2, onError: () => undefined });
  try {
    const applied = await applyConfiguration(db, join(import.meta.dirname, '..'));
    if (!applied.ok) throw new Error(`the shipped configuration is refused: ${JSON.stringify(applied.faults)}`);
  } finally {
    await db.end();
  }
}
