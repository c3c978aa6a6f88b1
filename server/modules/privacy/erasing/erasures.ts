// Erasing a person, for whoever asks: the operator at once, a player's wish by the worker when its time has come.
import type { PlayerId } from '#kernel/ids.ts';
import { type Db, isDatabaseDown, preview, transaction } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { createRounds, type Repeat } from '#server/platform/repeat.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { makeErasePlan } from './erase-plan.ts';
import type { ErasedRecord } from './erased-record.ts';
import {
  type EraseAnswer,
  type Erasure,
  erasePerson,
  holdErasure,
  leaseErasures,
  postponeErasure,
} from './erasure-store.ts';

/** `record`: notes the erased outside of the database; left out where that is what is read. */
export type EraseInput = {
  readonly playerId: PlayerId;
  readonly givesUpBalance: boolean;
  readonly by: string;
  readonly record?: ErasedRecord | null;
};

/** All of it in one transaction, or nothing. */
export function erase(db: Db, { playerId, givesUpBalance, by, record }: EraseInput): Promise<EraseAnswer> {
  return transaction(db, async (client) => {
    const answer = await erasePerson(client, playerId, { plan: makeErasePlan(), givesUpBalance, by });
    // Before the end of the transaction: a process that dies in between has noted too much, never too little.
    if (answer.outcome === 'erased') await record?.note(playerId, givesUpBalance);
    return answer;
  });
}

/** Previews an erasure: it is carried out and undone, so it cannot say anything else. */
export function previewErase(db: Db, { playerId, givesUpBalance, by }: EraseInput): Promise<EraseAnswer> {
  return preview(db, (client) => erasePerson(client, playerId, { plan: makeErasePlan(), givesUpBalance, by }));
}

/** Our choice: a player who waits for days does not notice a minute. */
const POLL_MS = 60_000;
const MAX_BATCH_SIZE = 10;
/** Longer than one transaction may take. */
const LEASE_SECONDS = 120;
/** Our choice: orders end within the hour, refunds within days. */
const RETRY_SECONDS = 3600;

export type ErasureLoop = { start(): void; stop(): Promise<void> };
export type ErasureDeps = { readonly db: Db; readonly log: Log; readonly record?: ErasedRecord | null };

export function createErasureLoop(deps: ErasureDeps & { readonly repeat?: Repeat }): ErasureLoop {
  const rounds = createRounds(deps.repeat);
  const tell = (error: unknown) =>
    deps.log[isDatabaseDown(error) ? 'warn' : 'error'](
      { err: error },
      'erasing stopped half-way; the next round goes on',
    );
  return {
    start: () => rounds.every(POLL_MS, () => eraseDue(deps), tell),
    stop: async () => {
      await rounds.stop();
      await deps.record?.close();
    },
  };
}

/** Carries out wishes whose time has come; safe to run anywhere and twice. @returns how many were erased */
export async function eraseDue(deps: ErasureDeps): Promise<number> {
  const due = await leaseErasures(deps.db, MAX_BATCH_SIZE, LEASE_SECONDS);
  let count = 0;
  for (const one of due) if (await carryOut(deps, one)) count += 1;
  return count;
}

async function carryOut({ db, log, record }: ErasureDeps, wish: Erasure): Promise<boolean> {
  const { player_id: playerId, gives_up_balance: givesUpBalance, erasure_no: no } = wish;
  const answer = await transaction(db, async (client) => {
    if (!(await holdErasure(client, wish))) return null;
    const done = await erasePerson(client, playerId, { plan: makeErasePlan(), givesUpBalance, by: 'player' });
    if (done.outcome === 'erased') await record?.note(playerId, givesUpBalance);
    return done;
  });
  if (!answer) return false;
  if (answer.outcome === 'refused') {
    await postponeErasure(db, wish, answer.refusals, RETRY_SECONDS);
    const reasons = [...new Set(answer.refusals.map(({ reason }) => reason))];
    log.warn({ erasure: no, reasons }, 'a person cannot be erased yet; will retry');
    return false;
  }
  noteSecurity(log, 'person_erased', { player: playerId, erasure: no });
  return true;
}
