// Words of the tables beside this file.
import type { Belongs } from '../personal-data-types.ts';

/** Names in one text, for lists of columns that nobody reads one by one. */
export const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const PLAYER: Belongs = { by: 'player', column: 'player_id' };
export const ORDER: Belongs = { by: 'order', column: 'billing_no' };
