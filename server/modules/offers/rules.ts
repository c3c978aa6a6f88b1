// Reads the code of an offer: it is the key of the row that an order takes. Pure.
import { OFFER_PREFIX } from '#contracts/offers.ts';

/** Of the files: "offer:emberfall/flash.2026-11-23:1", the last number counts what one player takes in a run. */
export const runCodeOf = (gameId: string, runKey: string): string => `${gameId}/${runKey}`;

/** Of one that the game or an operator gave: "offer:emberfall/@welcome-back"; no offer of a file has an "@". */
export const personalCode = (gameId: string, offerId: string): string => `${OFFER_PREFIX}${gameId}/@${offerId}`;

export function isOfferCode(code: string): boolean {
  return code.startsWith(OFFER_PREFIX);
}

export function isPersonal(code: string): boolean {
  return code.includes('/@');
}

/** The run that a code belongs to, "emberfall/flash.2026-11-23"; null for a personal one and for nonsense. */
export function runOfCode(code: string): string | null {
  return isPersonal(code) ? null : (/^offer:([^:]+):\d{1,2}$/.exec(code)?.[1] ?? null);
}

/** Whole percent that are taken off, rounded down: nobody is promised more than there is. */
export function percentOff(priceMinor: number, wasMinor: number): number {
  return Math.floor(((wasMinor - priceMinor) * 100) / wasMinor);
}
