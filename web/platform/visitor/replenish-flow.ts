// A visit that is about a make-up payment: its keys are in the address, or were a moment ago.
import { parseQuery, paths, readSearch } from '#web/paths.ts';
import { clear, loadText, save } from './storage.ts';

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

/** Its calls are made with these: the number counts more than the game. */
export function keysOfCall({ replenish_id, rp_client_id }: ReplenishKeys) {
  return replenish_id !== '' ? { replenish_id } : { rp_client_id };
}

/** @source specification section 3, "Client-side storage keys": "replenish billing number" */
export function keepReplenish(id: string): void {
  if (id !== '') save('replenishBillingNo', id);
}

export function clearReplenish(): void {
  clear('replenishBillingNo');
}
