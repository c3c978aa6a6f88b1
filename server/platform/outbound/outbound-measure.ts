// Counts and times the calls to one peer, and knows of a peer that none of the last calls has reached.
import { countEvent, observe } from '#server/platform/metrics/metrics.ts';
import { traced } from '#server/platform/telemetry/telemetry.ts';
import { type Outbound, OutboundError } from './outbound.ts';

/** Our choice: one lost call is an accident, three in a row are none. */
const LOST_AFTER = 3;
/** Our choice: who was not called for so long may be back. */
const LOST_FOR_MS = 300_000;

/** These outcomes made no call. */
const NOT_CALLED: ReadonlySet<string> = new Set(['circuit_open', 'rate_limited', 'forbidden_host']);

/** @param onOutcome hears whether the peer did its part: false for no answer, a 5xx and a 429 */
export function measureOutbound(
  outbound: Outbound,
  peer: string,
  onOutcome: (isWell: boolean) => void = () => undefined,
): Outbound {
  const note = (outcome: string, begun: number) => {
    countEvent('peerCalls', { peer, outcome });
    if (NOT_CALLED.has(outcome)) return;
    observe('peerSeconds', { peer }, (performance.now() - begun) / 1000);
    onOutcome(outcome === 'ok' || outcome === 'refused');
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

function describeStatus(status: number): 'ok' | 'refused' | 'failed' {
  if (status >= 500 || status === 429) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}

export type GameReach = {
  /** Measures the calls to a game, and remembers how they went. */
  watch(gameId: string, outbound: Outbound): Outbound;
  /**
   * Returns true when the last three calls or more of this process got no answer, and the last of them not long ago.
   */
  isLost(gameId: string): boolean;
};

export function createGameReach(now: () => number): GameReach {
  const lost = new Map<string, { inARow: number; at: number }>();
  return {
    watch: (gameId, outbound) =>
      measureOutbound(outbound, `game ${gameId}`, (isWell) => {
        if (isWell) lost.delete(gameId);
        else lost.set(gameId, { inARow: (lost.get(gameId)?.inARow ?? 0) + 1, at: now() });
      }),
    isLost: (gameId) => {
      const found = lost.get(gameId);
      return found !== undefined && found.inARow >= LOST_AFTER && now() - found.at < LOST_FOR_MS;
    },
  };
}
