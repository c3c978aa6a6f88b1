// A fuse and a valve for calls to one outside party: a peer that is down is left alone for a while, and nobody is called faster than
// agreed. Everything else of the shop goes on meanwhile.
import { BrokenCircuitError, CircuitState, CountBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { type Outbound, OutboundError } from './outbound.ts';

/** @source RELIABILITY section 8, test 7: opens at 50 % of 20 and closes again; the pause is our choice */
const WINDOW = 20;
const THRESHOLD = 0.5;
const PAUSE_MS = 10_000;
/** Our choice: what does not get its turn in this many calls waiting is refused at once, for its player has gone anyway. */
const LONGEST_QUEUE = 200;

/** A peer's own trouble, which the fuse counts; a 4xx is our mistake and none of it. */
class PeerTrouble extends Error {
  readonly answer: Awaited<ReturnType<Outbound>>;
  constructor(answer: Awaited<ReturnType<Outbound>>) {
    super(`the peer answered ${answer.status}`);
    this.answer = answer;
  }
}

export type GuardOptions = {
  /** For the log: which peer. */
  readonly name: string;
  /** Calls in a second of this process; null for no bound of ours. */
  readonly callsPerSecond: number | null;
  readonly onChange: (name: string, state: 'open' | 'half-open' | 'closed') => void;
  readonly pauseMs?: number;
};

/** Throws OutboundError `circuit_open` or `rate_limited`, both with wasSent false, without calling. */
export function guardOutbound(outbound: Outbound, options: GuardOptions): Outbound {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: options.pauseMs ?? PAUSE_MS,
    breaker: new CountBreaker({ threshold: THRESHOLD - Number.EPSILON, size: WINDOW }),
  });
  breaker.onStateChange((state) => {
    if (state === CircuitState.Open) options.onChange(options.name, 'open');
    if (state === CircuitState.HalfOpen) options.onChange(options.name, 'half-open');
    if (state === CircuitState.Closed) options.onChange(options.name, 'closed');
  });
  const queue = options.callsPerSecond
    ? new RateLimiterQueue(new RateLimiterMemory({ points: options.callsPerSecond, duration: 1 }), {
        maxQueueSize: LONGEST_QUEUE,
      })
    : null;

  return async (url, call) => {
    if (queue) {
      await queue.removeTokens(1).catch(() => {
        throw new OutboundError('rate_limited', false, `${options.name} is called as often as agreed already`);
      });
    }
    try {
      return await breaker.execute(async () => {
        const answer = await outbound(url, call);
        if (answer.status >= 500 || answer.status === 429) throw new PeerTrouble(answer);
        return answer;
      });
    } catch (error) {
      if (error instanceof PeerTrouble) return error.answer;
      if (error instanceof BrokenCircuitError) {
        throw new OutboundError(
          'circuit_open',
          false,
          `${options.name} failed too often lately and is left alone for a moment`,
        );
      }
      throw error;
    }
  };
}
