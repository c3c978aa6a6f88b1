// A visit that is about a make-up payment: its keys are in the address, or were a moment ago.
import { replenishRoutes } from '#contracts/replenish.ts';
import { parseQuery, paths, readSearch, writeQuery } from '#web/paths.ts';
import { call } from '#web/platform/calls/api.ts';
import { forget, loadText, save } from './storage.ts';

/** Which payment: by its number, or the newest of the account in a game. Empty where it is not named. */
export type ReplenishKeys = { replenish_id: string; rp_client_id: string };

/** Null: this visit is about something else. @param address of the page: its path and query */
export function readReplenishFlow(address: Pick<Location, 'pathname' | 'search'> = location): ReplenishKeys | null {
  const { replenish_id = '', rp_client_id = '' } = readSearch(parseQuery(address.search));
  if (replenish_id !== '' || rp_client_id !== '') return { replenish_id, rp_client_id };
  if (address.pathname !== paths.replenishGoods) return null;
  const kept = loadText('replenishBillingNo');
  return kept === '' ? null : { replenish_id: kept, rp_client_id: '' };
}

/** What its calls are made with: the number counts more than the game. */
export function keysOfCall({ replenish_id, rp_client_id }: ReplenishKeys) {
  return replenish_id !== '' ? { replenish_id } : { rp_client_id };
}

/** @source specification section 3, "Client-side storage keys": "replenish billing number" */
export function keepReplenish(id: string): void {
  if (id !== '') save('replenishBillingNo', id);
}

export function forgetReplenish(): void {
  forget('replenishBillingNo');
}

/** The game that the in-game login of a flow is for; empty when it cannot be told. */
export async function gameOfReplenish(flow: ReplenishKeys): Promise<string> {
  if (flow.replenish_id === '') return flow.rp_client_id;
  const outcome = await call(replenishRoutes.gameList, keysOfCall(flow));
  const [game] = outcome.kind === 'ok' ? outcome.content.list : [];
  return game?.client_id ?? '';
}

/**
 * Where a login in this flow leads.
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
