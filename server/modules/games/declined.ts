// A game that does not take goods for a character, said to the player. Pure.
import { type Answer, refuse } from '#server/platform/http/answer.ts';

/**
 * Reasons of the contract's `check` that a player can do something about, and their messages. A Map: the
 * reason is the game's own text.
 * @source docs/game-server-contract.md, "check"
 */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['role_not_found', 'error.role_not_found'],
  ['limit_reached', 'error.limit_reached'],
  ['level_too_low', 'error.declined_level'],
  ['bag_full', 'error.declined_bag_full'],
  ['already_owned', 'error.declined_owned'],
  ['server_closed', 'error.declined_server_closed'],
  ['blocked', 'error.declined_blocked'],
]);

/**
 * `goodsDeclined`, with the sentence of a known reason; what is not known is told in general,
 * and never as the game wrote it.
 */
export function refuseDeclined(reason: string): Answer<never> {
  return refuse('goodsDeclined', SENTENCES.get(reason));
}
