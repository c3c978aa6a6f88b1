// HTTP to the outside: one place for timeouts, size caps and the list of hosts we may call. No provider's knowledge.
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher } from 'undici';

export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string;
  /** Whole call, connect to last byte; 10 s unless told. */
  timeoutMs?: number;
};

export type OutboundAnswer = { status: number; headers: Record<string, string>; text: string };

/**
 * Why no answer came. `sent` is false only when the peer certainly never saw the request: then a
 * retry cannot double anything.
 */
export class OutboundError extends Error {
  readonly reason: 'timeout' | 'network' | 'too_large' | 'forbidden_host' | 'circuit_open' | 'rate_limited';
  readonly wasSent: boolean;
  constructor(reason: OutboundError['reason'], wasSent: boolean, message: string) {
    super(message);
    this.name = 'OutboundError';
    this.reason = reason;
    this.wasSent = wasSent;
  }
}

/**
 * Calls `url` and reads the whole answer as text. Throws OutboundError when there is none;
 * any HTTP status is an answer.
 */
export type Outbound = (url: string, call: OutboundRequest) => Promise<OutboundAnswer>;

/** @source RELIABILITY: grant timeout 10 s, lease 15 s; the specification's request timeout is 10 s */
const TIMEOUT_MS = 10_000;
/** Our choice: the largest answer of a provider we know is a report page of about 200 kB. */
const MAX_BYTES = 2_000_000;

export type OutboundOptions = {
  /** Everything else is refused before a connection is made. */
  readonly mayCall: (url: URL) => boolean;
  /** Instead of the machine's own way from a name to its address. */
  readonly lookup?: LookupFunction;
  /** Per origin, so that one slow peer cannot eat every socket. */
  readonly maxConnections?: number;
};

/** @param options.allowedHosts `host` or `host:port` (as in URL.host) that may be called, and nothing else */
export function createOutbound(
  options: OutboundOptions | { readonly allowedHosts: ReadonlySet<string>; readonly maxConnections?: number },
): Outbound & { close(): Promise<void> } {
  const mayCall = 'mayCall' in options ? options.mayCall : ({ host }: URL) => options.allowedHosts.has(host);
  const agent = new Agent({
    connections: options.maxConnections ?? 64,
    connectTimeout: 3000,
    ...('lookup' in options && options.lookup ? { connect: { lookup: options.lookup } } : {}),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    keepAliveTimeout: 30_000,
    pipelining: 1,
  });
  const call: Outbound = async (url, request) => {
    const target = new URL(url);
    if (!mayCall(target)) {
      throw new OutboundError('forbidden_host', false, `${target.host} is not on the list of hosts this shop may call`);
    }
    try {
      return await exchange(agent, target, request);
    } catch (error) {
      throw asOutboundError(error, target.host);
    }
  };
  return Object.assign(call, { close: () => agent.close() });
}

/**
 * Hears the client's own events: the stream and the signal that `request` makes for each call, for an answer that is
 * read at once, took a fifth of the call.
 */
function exchange(agent: Agent, target: URL, request: OutboundRequest): Promise<OutboundAnswer> {
  const { method, headers, body, timeoutMs = TIMEOUT_MS } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let answer: Omit<OutboundAnswer, 'text'> = { status: 0, headers: {} };
    let started: Dispatcher.DispatchController | undefined;
    let late: DOMException | undefined;
    // Not AbortSignal.timeout: its timer would outlive the call by seconds, and at a thousand calls a
    // second that is memory and work.
    const timer = setTimeout(() => {
      late = new DOMException('too slow', 'TimeoutError');
      started?.abort(late);
      reject(late);
    }, timeoutMs);
    const fail = (error: unknown) => {
      clearTimeout(timer);
      reject(error as Error);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        started = controller;
        // Nobody waits for it any more.
        if (late) controller.abort(late);
      },
      onResponseStart: (_controller, status, given) => {
        answer = { status, headers: flatten(given) };
      },
      onResponseData: (controller, chunk) => {
        size += chunk.length;
        if (size <= MAX_BYTES) chunks.push(chunk);
        else controller.abort(new OutboundError('too_large', true, `an answer was larger than ${MAX_BYTES} bytes`));
      },
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ ...answer, text: readText(chunks) });
      },
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      agent.dispatch(
        {
          origin: target.origin,
          path: `${target.pathname}${target.search}`,
          method,
          // The agent's own limits would cut a call that is allowed more time.
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          ...(headers ? { headers } : {}),
          ...(body === undefined ? {} : { body }),
        },
        handler,
      );
    } catch (error) {
      fail(error);
    }
  });
}

/** Without the mark at the beginning that some programs write before UTF-8. */
function readText([first, ...others]: readonly Buffer[]): string {
  if (!first) return '';
  const text = (others.length === 0 ? first : Buffer.concat([first, ...others])).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  // A header may be called __proto__.
  const flat = Object.create(null) as Record<string, string>;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    flat[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return flat;
}

function asOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code = '', name = '' } = error as { code?: string; name?: string };
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new OutboundError('network', false, `${host} cannot be reached (${code})`);
  }
  if (name === 'TimeoutError' || code.endsWith('TIMEOUT'))
    return new OutboundError('timeout', true, `${host} did not answer in time`);
  return new OutboundError('network', true, `the connection to ${host} broke (${code || name})`);
}
