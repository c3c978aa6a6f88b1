// A circuit breaker and a valve for calls to one outside party: a peer that is down is left alone for
// a while, and nobody is called faster than agreed. Everything else of the shop goes on meanwhile.
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  DelegateBackoff,
  type IBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel';
import { RateLimiterMemory, RateLimiterQueue } from 'rate-limiter-flexible';
import { setGauge } from '#server/platform/metrics/metrics.ts';
import type { LimitStore } from '#server/platform/limits/limit-store.ts';
import { measureOutbound } from './outbound-measure.ts';
import { type Outbound, OutboundError } from './outbound.ts';

/** @source docs/reliability.md, test 7: opens when half of the last 20 calls failed */
const WINDOW = 20;
const THRESHOLD = 0.5;
/**
 * Our choice: three calls in a row that reached nobody leave no doubt, and each of them costs
 * a player an order that fails.
 */
const UNREACHED_IN_A_ROW = 3;
/**
 * Our choice: an outage of a second costs little more than a second, a long one is asked about
 * every ten seconds: as long as one call may take.
 */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
/** Our choice: a call that finds this many waiting before it is refused at once, for its player has gone anyway. */
const LONGEST_QUEUE = 200;

/** As the metric has it. */
const STATES = { closed: 0, 'half-open': 1, open: 2 } as const;

/** A peer's own trouble, which the breaker counts; a 4xx is our mistake and none of it. */
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
  /** Calls in a second of all processes together; null for no bound of ours. */
  readonly callsPerSecond: number | null;
  /** Counts calls there; only in this process when left out. */
  readonly counts?: LimitStore;
  readonly onChange: (name: string, state: 'open' | 'half-open' | 'closed') => void;
  /**
   * Until the first probe of an open circuit; each that fails doubles it, up to ten times as long. 1000 unless told.
   */
  readonly pauseMs?: number;
};

export type GuardedOutbound = Outbound & {
  /**
   * False: a call now would be refused without being made, or would have to wait for the probe that is
   * under way. Answers true to one caller when a probe is due, so that one player tries the peer and not all who press
   * meanwhile.
   */
  isAvailable(): boolean;
  /** The same without taking the turn of the probe: for lists that only say by whom a payment would be made. */
  isAnswering(): boolean;
};

/** Throws OutboundError `circuit_open` or `rate_limited`, both with wasSent false, without calling. */
export function guardOutbound(outbound: Outbound, options: GuardOptions): GuardedOutbound {
  const firstPauseMs = options.pauseMs ?? FIRST_PAUSE_MS;
  let probeDueAt = 0;
  const policy = circuitBreaker(handleAll, {
    halfOpenAfter: new DelegateBackoff(({ attempt }) => {
      const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), firstPauseMs * (LONGEST_PAUSE_MS / FIRST_PAUSE_MS));
      probeDueAt = Date.now() + pauseMs;
      return pauseMs;
    }),
    breaker: createBreaker(() => policy.lastFailure),
  });
  const tell = (state: keyof typeof STATES) => {
    setGauge('circuitState', { peer: options.name }, STATES[state]);
    options.onChange(options.name, state);
  };
  setGauge('circuitState', { peer: options.name }, STATES.closed);
  policy.onStateChange((state) => {
    if (state === CircuitState.Open) tell('open');
    if (state === CircuitState.HalfOpen) tell('half-open');
    if (state === CircuitState.Closed) tell('closed');
  });
  const queue = options.callsPerSecond
    ? new RateLimiterQueue(
        (options.counts ?? ((rule) => new RateLimiterMemory(rule)))({
          keyPrefix: `calls_${options.name}`,
          points: options.callsPerSecond,
          duration: 1,
        }),
        { maxQueueSize: LONGEST_QUEUE },
      )
    : null;

  const guarded: Outbound = async (url, call) => {
    if (queue) {
      await queue.removeTokens(1).catch(() => {
        throw new OutboundError('rate_limited', false, `${options.name} is called as often as agreed already`);
      });
    }
    try {
      return await policy.execute(async () => {
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
  return Object.assign(measureOutbound(guarded, options.name), {
    isAnswering: () =>
      policy.state === CircuitState.Closed || (policy.state === CircuitState.Open && Date.now() >= probeDueAt),
    isAvailable: () => {
      if (policy.state !== CircuitState.Open) return policy.state === CircuitState.Closed;
      if (Date.now() < probeDueAt) return false;
      // A caller that was allowed to probe may never call: then the next one is let through.
      probeDueAt = Date.now() + firstPauseMs;
      return true;
    },
  });
}

/** Opens at half of the window, or after a few calls in a row that certainly reached nobody. */
function createBreaker(lastFailure: () => { error: unknown } | { value: unknown } | undefined): IBreaker {
  const half = new CountBreaker({ threshold: THRESHOLD - Number.EPSILON, size: WINDOW });
  let unreached = 0;
  return {
    get state() {
      return half.state;
    },
    set state(state) {
      half.state = state as CountBreaker['state'];
    },
    success: (state) => {
      unreached = 0;
      half.success(state);
    },
    failure: (state) => {
      unreached = isUnreached(lastFailure()) ? unreached + 1 : 0;
      return half.failure(state) || unreached >= UNREACHED_IN_A_ROW;
    },
  };
}

function isUnreached(failure: { error: unknown } | { value: unknown } | undefined): boolean {
  const error = failure && 'error' in failure ? failure.error : null;
  return error instanceof OutboundError && error.reason === 'network' && !error.wasSent;
}
