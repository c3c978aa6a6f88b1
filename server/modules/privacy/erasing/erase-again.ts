// Erases again whom a restored backup has brought back.
import type { PlayerId } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { erase, previewErase } from './erasures.ts';
import type { ErasedPerson } from './erased-record.ts';

export type ErasedAgain = {
  readonly player_id: PlayerId;
  /** `erased`, or `refused`: what stands in the way is to be ended first. */
  readonly outcome: 'erased' | 'refused';
  readonly reasons: readonly string[];
};

/**
 * Players who are erased here already, or were never here, are left out. @param isActing false: everything is undone
 * again
 */
export async function eraseAgain(
  { db, by, isActing }: { db: Db; by: string; isActing: boolean },
  erased: readonly ErasedPerson[],
): Promise<ErasedAgain[]> {
  const again: ErasedAgain[] = [];
  for (const { player_id: playerId, gave_up_balance: givesUpBalance } of erased) {
    const input = { playerId, givesUpBalance, by };
    const answer = await (isActing ? erase(db, input) : previewErase(db, input));
    if (answer.outcome === 'erased') again.push({ player_id: playerId, outcome: 'erased', reasons: [] });
    if (answer.outcome === 'refused') {
      const reasons = answer.refusals.map(({ reason, billing_no: about }) => `${reason} ${about}`);
      again.push({ player_id: playerId, outcome: 'refused', reasons });
    }
  }
  return again;
}
