// One order as the game says it and as it stands here: equal, on its way to be, or a difference for a person. Pure.

/** State of the row of `delivery`; null: there is none, nobody was ever to call the game. */
export type DeliveryState = 'queued' | 'calling' | 'unknown' | 'done' | 'rejected' | 'dead';
/** State of the row of `revocation`, that is of asking the game to revoke goods; null: nobody asked. */
export type RevocationState = 'queued' | 'calling' | 'done' | 'declined' | 'dead';

export type GrantComparison = {
  /** The order is here, and of this game. */
  readonly isOurs: boolean;
  readonly delivery: DeliveryState | null;
  readonly revocation: RevocationState | null;
  /** The game lists it among the grants it carried out. It lists those that it revoked later, too. */
  readonly isApplied: boolean;
};

/**
 * `unknown_here`: goods for an order that is not here. `not_delivered_here`: goods for an order that is not
 * delivered here and that nobody
 * asked back. `not_revoked_there`: goods that were asked back, and the game kept them.
 * `not_applied_there`: a receipt without goods.
 */
export const GRANT_DIFFERENCES = [
  'unknown_here',
  'not_delivered_here',
  'not_revoked_there',
  'not_applied_there',
] as const;
export type GrantDifference = (typeof GRANT_DIFFERENCES)[number];

/** Ends by itself: our side is still asking the game, with the same key. */
const isAsking = (state: DeliveryState | RevocationState | null): boolean =>
  state === 'queued' || state === 'calling' || state === 'unknown';

/** @source docs/operating.md, "Reconciling with a game": the same table */
export function compareGrant(grant: GrantComparison): 'equal' | 'on_its_way' | GrantDifference {
  const { isOurs, delivery, revocation, isApplied } = grant;
  if (!isOurs) return isApplied ? 'unknown_here' : 'equal';
  if (delivery === 'done') {
    if (isApplied || revocation === 'done') return 'equal';
    return isAsking(revocation) ? 'on_its_way' : 'not_applied_there';
  }
  if (!isApplied) return 'equal';
  if (isAsking(delivery) || isAsking(revocation)) return 'on_its_way';
  // Applied, never confirmed, and revoked afterwards: neither side has goods.
  if (revocation === 'done') return 'equal';
  return revocation === null ? 'not_delivered_here' : 'not_revoked_there';
}
