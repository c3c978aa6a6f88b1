// What erasing does to each table, as erase_person takes it: made of the table of personal data, never written by hand.
import { PERSONAL_DATA } from './personal-data.ts';
import type { Belongs, PersonalTable } from './personal-data-types.ts';

type Way = { readonly by: 'player' | 'order' | 'session' | 'account'; readonly column: string };

export type PlanEntry =
  | { readonly table: string; readonly ways: readonly Way[]; readonly deletes: true }
  | { readonly table: string; readonly ways: readonly Way[]; readonly sets: Readonly<Record<string, string>> };

/**
 * How rows of a player are found. Where order numbers lead to them, nothing else is asked: every such row that names a
 * player names the order as well, and only that column has an index.
 */
export function waysTo({ belongs }: PersonalTable): Belongs[] {
  const byOrder = belongs.filter(({ by }) => by === 'order');
  return byOrder.length > 0 ? byOrder : belongs.filter(({ by }) => IS_PLAYERS.has(by));
}

const IS_PLAYERS = new Set<Belongs['by']>(['player', 'session', 'account', 'card']);

/** Sessions are found by their player, other rows by the sessions: their hashes are read before anything goes. */
export function makeErasePlan(): PlanEntry[] {
  return Object.entries(PERSONAL_DATA).flatMap(([table, one]): PlanEntry[] => {
    const ways = waysTo(one).filter((way): way is Way => way.by !== 'card');
    if (ways.length === 0) return [];
    if (one.onErasure === 'delete') return [{ table, ways, deletes: true }];
    const sets = Object.entries(one.columns).flatMap(([column, { onErasure }]) =>
      onErasure === 'empty' || onErasure === 'pseudonym' ? [[column, onErasure] as const] : [],
    );
    return sets.length === 0 ? [] : [{ table, ways, sets: Object.fromEntries(sets) }];
  });
}
