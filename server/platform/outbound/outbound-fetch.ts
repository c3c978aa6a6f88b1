// Outbound in the dress of `fetch`, for libraries that want to call by themselves: same list of
// hosts, same limits, no redirects.
import { type Outbound, OutboundError } from './outbound.ts';

type FetchLike = (
  url: string,
  options: { method?: string; headers?: unknown; body?: unknown; signal?: AbortSignal | undefined },
) => Promise<Response>;

/**
 * A peer's own trouble (5xx, 429) is thrown as an OutboundError, so that the library cannot take it for a verdict.
 * @param timeoutMs for each call; whatever signal the library hands in is not needed then
 */
export function asFetch(outbound: Outbound, timeoutMs: number): FetchLike {
  return async (url, { method = 'GET', headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`${method} is not called from here`);
    const answer = await outbound(url, {
      method,
      headers: Object.fromEntries(new Headers(headers as HeadersInit | undefined)),
      timeoutMs,
      ...(body === undefined || body === null ? {} : { body: readBody(body) }),
    });
    if (answer.status >= 500 || answer.status === 429) {
      throw new OutboundError('network', true, `${new URL(url).host} answered ${answer.status}`);
    }
    const type = answer.headers['content-type'];
    return new Response(answer.status === 204 || answer.status === 304 ? null : answer.text, {
      status: answer.status,
      headers: type ? { 'content-type': type } : {},
    });
  };
}

function readBody(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a body that is neither text nor a form');
}
