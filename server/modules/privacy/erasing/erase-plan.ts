// Plans the erasure of each table, as erase_person takes it: made of the table of personal data, never written by hand.
import type { EraseWay, PlanEntry } from './erasure-store.ts';
import { PERSONAL_DATA } from '#server/modules/privacy/personal-data.ts';
import type { Belongs, PersonalTable } from '#server/modules/privacy/personal-data-types.ts';

/**
 * How rows of a player are found. Where order numbers lead to them, nothing else is asked: every such row that names a
 * player names the order as well, and only that column has an index.
 */
export function waysTo({ belongs }: PersonalTable): Belongs[] {
  const byOrder = belongs.filter(({ by }) => by === 'order');
  return byOrder.length > 0 ? byOrder : belongs.filter(({ by }) => IS_PLAYERS.has(by));
}

const IS_PLAYERS = new Set<Belongs['by']>(['player', 'counted', 'session', 'account', 'card']);

/**
 * A player has left the account that others share (leave_account.sql), and counts for themselves.
 * Sessions are found by their player, other rows by the sessions: their hashes are read before anything goes.
 */
export function makeErasePlan(): PlanEntry[] {
  return Object.entries(PERSONAL_DATA).flatMap(([table, one]): PlanEntry[] => {
    const ways = waysTo(one)
      .map((way) => (way.by === 'counted' ? { ...way, by: 'player' as const } : way))
      .filter((way): way is EraseWay => way.by !== 'card');
    if (ways.length === 0) return [];
    if (one.onErasure === 'delete') return [{ table, ways, deletes: true }];
    const sets = Object.entries(one.columns).flatMap(([column, { onErasure }]) =>
      onErasure === 'empty' || onErasure === 'pseudonym' ? [[column, onErasure] as const] : [],
    );
    return sets.length === 0 ? [] : [{ table, ways, sets: Object.fromEntries(sets) }];
  });
}

/** The plan in words, table by table: what goes, and what becomes of the rows that stay. */
export function describeErasePlan(): { table: string; is: string; what: string }[] {
  return makeErasePlan().map((entry) => {
    const { purpose } = PERSONAL_DATA[entry.table] as PersonalTable;
    const what =
      'deletes' in entry
        ? 'goes'
        : Object.entries(entry.sets)
            .map(([column, how]) => `${column}: ${how}`)
            .join(', ');
    return { table: entry.table, is: purpose, what };
  });
}
