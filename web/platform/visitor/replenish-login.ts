// The login in a visit that is about a make-up payment: which game it is for, and where it leads.
import { replenishRoutes } from '#contracts/replenish.ts';
import { parseQuery, paths, readSearch, writeQuery } from '#web/paths.ts';
import { call } from '#web/platform/calls/api.ts';
import { keepReplenish, keysOfCall, type ReplenishKeys } from './replenish-flow.ts';

/** The game that the in-game login of a flow is for; empty when it cannot be told. */
export async function gameOfReplenish(flow: ReplenishKeys): Promise<string> {
  if (flow.replenish_id === '') return flow.rp_client_id;
  const outcome = await call(replenishRoutes.gameList, keysOfCall(flow));
  const [game] = outcome.kind === 'ok' ? outcome.content.list : [];
  return game?.client_id ?? '';
}

/**
 * Returns the address after a login in this flow.
 * @source specification section 4: "A login in a replenish flow goes to ReplenishGoods with a replenish_id and reloads"
 */
export async function addressAfterLogin(flow: ReplenishKeys): Promise<string> {
  let id = flow.replenish_id;
  if (id === '') {
    const outcome = await call(replenishRoutes.info, keysOfCall(flow));
    if (outcome.kind === 'ok') id = outcome.content.replenish_id;
  }
  keepReplenish(id);
  const search = { ...readSearch(parseQuery(location.search)), ...(id !== '' && { replenish_id: id }) };
  return paths.replenishGoods + writeQuery(search);
}
