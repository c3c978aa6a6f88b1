// Counts and times the calls to one peer, and knows a game that does not answer or refuses our signature.
import { countEvent, observe } from '#server/platform/metrics/metrics.ts';
import { traced } from '#server/platform/telemetry/telemetry.ts';
import { type Outbound, OutboundError } from './outbound.ts';

/** Our choice: one lost call is an accident, three in a row are none. */
const LOST_AFTER = 3;
/** Our choice: a peer that was not called for so long may be back. */
const LOST_FOR_MS = 300_000;
/** Our choice: an outage ends without us, but a refused secret stays refused until an operator mends it. */
const DENIED_FOR_MS = 3_600_000;

/** These outcomes made no call. */
const NOT_CALLED: ReadonlySet<string> = new Set(['circuit_open', 'rate_limited', 'forbidden_host']);

/**
 * The end of a call that was made. `denied`: the peer answered 401 or 403, so it does not accept our credentials.
 * `lost`: no answer, a 5xx or a 429.
 */
export type CallEnd = 'answered' | 'denied' | 'lost';

/** @param onEnd is not called for calls that were not made */
export function measureOutbound(
  outbound: Outbound,
  peer: string,
  onEnd: (end: CallEnd) => void = () => undefined,
): Outbound {
  const note = (outcome: string, begun: number) => {
    countEvent('peerCalls', { peer, outcome });
    if (NOT_CALLED.has(outcome)) return;
    observe('peerSeconds', { peer }, (performance.now() - begun) / 1000);
    if (outcome === 'denied') onEnd('denied');
    else onEnd(outcome === 'ok' || outcome === 'refused' ? 'answered' : 'lost');
  };
  return async (url, call) => {
    const begun = performance.now();
    try {
      const answer = await traced(peer, 'client', { 'http.request.method': call.method }, () => outbound(url, call));
      note(describeStatus(answer.status), begun);
      return answer;
    } catch (error) {
      if (error instanceof OutboundError) note(error.reason, begun);
      throw error;
    }
  };
}

function describeStatus(status: number): 'ok' | 'denied' | 'refused' | 'failed' {
  if (status >= 500 || status === 429) return 'failed';
  if (isDenial(status)) return 'denied';
  return status >= 400 ? 'refused' : 'ok';
}

/** @source RFC 9110, 15.5.2 and 15.5.4: the credentials are missing, wrong or not enough */
export const isDenial = (status: number): boolean => status === 401 || status === 403;

/** `silent`: the last three calls or more got no answer. `denied`: the game refuses our signature. */
export type GameFault = 'silent' | 'denied';

export type GameReach = {
  /** Measures the calls to a game, and remembers how they went. */
  watch(gameId: string, outbound: Outbound): Outbound;
  /** The fault that the last calls of this process show, unless they are long ago. */
  faultOf(gameId: string): GameFault | null;
};

export function createGameReach(now: () => number): GameReach {
  const faults = new Map<string, { fault: GameFault; inARow: number; at: number }>();
  return {
    watch: (gameId, outbound) =>
      measureOutbound(outbound, `game ${gameId}`, (end) => {
        if (end === 'answered') faults.delete(gameId);
        else if (end === 'denied') faults.set(gameId, { fault: 'denied', inARow: 1, at: now() });
        else faults.set(gameId, { fault: 'silent', inARow: (faults.get(gameId)?.inARow ?? 0) + 1, at: now() });
      }),
    faultOf: (gameId) => {
      const found = faults.get(gameId);
      if (!found) return null;
      // A silence may be an accident; a refused signature is a wrong secret or a wrong clock from the first time.
      const isCertain = found.fault === 'denied' || found.inARow >= LOST_AFTER;
      const lasts = found.fault === 'denied' ? DENIED_FOR_MS : LOST_FOR_MS;
      return isCertain && now() - found.at < lasts ? found.fault : null;
    },
  };
}
