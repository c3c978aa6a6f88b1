// Compares the keys a game says it carried out with the orders that are delivered here.
// @source RELIABILITY section 4, I4
import { type GameId, isBillingNo } from '#kernel/ids.ts';
import { HOUR_MS } from '#kernel/time.ts';
import type { GameServer } from '#server/modules/games/gameserver.ts';
import type { Db } from '#server/platform/database/db.ts';
import { onOwnConnection } from './reconcile.ts';
import { type GrantDifference, compareGrant } from './reconcile-rules.ts';
import {
  type GrantRow,
  addAppliedKeys,
  createAppliedTable,
  listGrantsToCompare,
  resolveApplied,
} from './reconcile-store.ts';

export type GrantFinding = Omit<GrantRow, 'is_applied'> & { kind: GrantDifference | 'on_its_way' };

export type GameReconciliation =
  | { readonly kind: 'not_offered' }
  | {
      readonly kind: 'compared';
      /** Keys of orders the game named, and keys that are no order's (rewards of events). */
      readonly applied: number;
      readonly others: number;
      readonly differences: readonly GrantFinding[];
      /** Our side is still asking the game to grant or to revoke: they end by themselves. */
      readonly onTheirWay: readonly GrantFinding[];
    };

/**
 * Our choice: clocks differ and a receipt may take its retries, so the game is asked about an hour more than is judged.
 */
const SLACK_MS = HOUR_MS;
/** Our choice: a cursor that never ends is a fault of the game. */
const MAX_PAGES = 10_000;

/** @throws OutboundError when the game cannot be reached or its answer makes no sense */
export async function reconcileGame(
  db: Db,
  game: GameServer,
  input: { gameId: GameId; since: Date },
  onProgress: (keys: number) => void = () => undefined,
): Promise<GameReconciliation> {
  if (!game.listApplied) return { kind: 'not_offered' };
  const since = input.since.getTime() - SLACK_MS;
  const first = await game.listApplied(since, null);
  if (!first) return { kind: 'not_offered' };
  return onOwnConnection(db, async (client) => {
    await createAppliedTable(client);
    let [applied, others] = [0, 0];
    for (let page: typeof first | null = first, pages = 1; page; pages += 1) {
      const keys = page.keys.filter(isBillingNo);
      await addAppliedKeys(client, keys);
      applied += keys.length;
      others += page.keys.length - keys.length;
      onProgress(applied);
      if (pages >= MAX_PAGES) throw new Error('The list of the game does not end.');
      page = page.next === null ? null : ((await game.listApplied?.(since, page.next)) ?? null);
    }
    await resolveApplied(client);
    const rows = judge(await listGrantsToCompare(client, input.gameId, input.since));
    return {
      kind: 'compared',
      applied,
      others,
      differences: rows.filter((row) => row.kind !== 'on_its_way'),
      onTheirWay: rows.filter((row) => row.kind === 'on_its_way'),
    };
  });
}

/** By kind, then by number. */
function judge(rows: readonly GrantRow[]): GrantFinding[] {
  const found = rows.flatMap(({ is_applied: isApplied, ...row }): GrantFinding[] => {
    const { delivery, revocation } = row;
    const kind = compareGrant({ isOurs: row.state !== null, delivery, revocation, isApplied });
    return kind === 'equal' ? [] : [{ kind, ...row }];
  });
  return found.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.billing_no.localeCompare(b.billing_no));
}
