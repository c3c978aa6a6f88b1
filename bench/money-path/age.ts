// Ages a grown shop as its workers would have: old rows have ended, the night's look was taken; and the oldest months
// go into files while orders flow.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { endAll } from '#server/modules/privacy/end-loop.ts';
import { daysOf } from '#server/modules/privacy/ends.ts';
import { createLog } from '#server/platform/log.ts';
import type { Db } from '#server/platform/database/db.ts';
import { runProgram } from '#scripts/rehearsal/processes.ts';
import type { Defer } from '../kit/cleanup.ts';
import type { Kept } from './grow.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Gives back the room of what ended in the tables that end by rows. */
export async function giveRoomBack(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const table of ['callback_inbox', 'idempotency', 'payment_attempt'])
      await client.query(`vacuum (full, analyze) ${table}`);
  } finally {
    await client.end();
  }
}

/** For how many days this shop keeps what ends by itself. */
export async function readKept(db: Db): Promise<Kept> {
  const { brands } = await loadConfiguration(db);
  const longest = (keep: keyof Kept) => daysOf(keep, brands)['*'] ?? 0;
  return {
    callbacks: longest('callbacks'),
    idempotency: longest('idempotency'),
    exchanges: longest('exchanges'),
  };
}

/** Ends whatever is over and was not written as ended, as a worker does. */
export async function endWhatIsOver(db: Db): Promise<void> {
  const configuration = await loadConfiguration(db);
  // Whose turn it was may have been taken by the server a moment ago; what was written as ended is not walked again.
  await db.query(`update retention_end set taken_at = '-infinity'`);
  await db.query(
    `update retention_end set days = $1, reached = (select jsonb_object_agg(value, billing_no_at(now() -
       make_interval(days => value::integer))) from jsonb_each_text($1)) where what = 'exchanges'`,
    [daysOf('exchanges', configuration.brands)],
  );
  await endAll({ db, log: createLog('silent', null), configuration: () => configuration });
}

/** The night's look at all books. @throws when an invariant is broken */
export async function lookAtNight(db: Db): Promise<void> {
  const broken = (await checkInvariants(db)).filter(({ breaches }) => breaches > 0);
  if (broken.length > 0) throw new Error(`broken: ${broken.map(({ invariant }) => invariant).join(', ')}`);
}

export type Archiving = { readonly seconds: number; readonly said: string };

/**
 * Moves months into files, by the command of an operator and in its own process.
 * @param before as the command takes it
 */
export async function archiveMonths(defer: Defer, url: string, before: string): Promise<Archiving> {
  const folder = await mkdtemp(join(tmpdir(), 'refill-bench-archive-'));
  defer(() => rm(folder, { recursive: true, force: true }));
  const started = performance.now();
  const command = ['scripts/run.mjs', 'cli/main.ts'].map((path) => join(ROOT, path));
  const { code, said } = await runProgram(
    [process.execPath, ...command, 'archive', '--before', before, '--to', folder, '--by', 'bench'],
    { DATABASE_URL: url, REFILL_ENVIRONMENT: 'demo' },
  );
  if (code !== 0) throw new Error(`refill archive ended with ${code}: ${said.trim()}`);
  return { seconds: (performance.now() - started) / 1000, said: said.trim() };
}
