// Wishes to be erased whose days are over, for flows in a browser: carried out as the worker does it.
import { eraseDue } from '#server/modules/privacy/service.ts';
import { openDb } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';

/** @param erasureNo of the one wish that is brought forward */
export async function carryOutErasure(databaseUrl: string, erasureNo: string): Promise<void> {
  const db = openDb(databaseUrl, { max: 2, onError: () => undefined });
  try {
    await db.query('update erasure set next_at = now() where erasure_no = $1', [erasureNo]);
    await eraseDue({ db, log: createLog('silent') });
  } finally {
    await db.end();
  }
}
