// Words of the tables beside this file.
import type { Belongs } from '../personal-data-types.ts';

/** Names in one text, for lists of columns that nobody reads one by one. */
export const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const PLAYER: Belongs = { by: 'player', column: 'player_id' };
/** By our id of the player, or by a keyed hash of the account in the game, which players share. */
export const COUNTED: Belongs = { by: 'counted', column: 'account_id' };
export const ORDER: Belongs = { by: 'order', column: 'billing_no' };
