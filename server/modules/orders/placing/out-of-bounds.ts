// A session that a game opened for one client or character pays for nothing else.
import type { PayInput } from '#contracts/payments.ts';
import { isWithinBound } from '#kernel/bound.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';

/** Returns true when a session that a game opened for one client or character is to pay for another. */
export function isOutOfBounds(
  log: Log,
  { session, site }: PlayerCaller,
  input: Pick<PayInput, 'client_id' | 'server_id' | 'areaId' | 'role_id'>,
): boolean {
  if (isWithinBound(session.bound, { ...input, area_id: input.areaId })) return false;
  noteSecurity(log, 'payment_out_of_bounds', { brand: site.brandKey, player: session.playerId });
  return true;
}
