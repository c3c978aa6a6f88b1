// Calls to Airwallex's API with a token that is fetched once and kept until shortly before it expires.
import Type from 'typebox';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { reader } from '#server/providers/payments/kit/json.ts';
import { apiBase } from './settings.ts';

/** Pins how the API behaves. @source npm @airwallex/node-sdk 2.1.0-beta.5, changelog: the versions it knows */
const API_VERSION = '2025-02-14';

/** Our choice: as the SDK, which renews a token of 30 minutes after 20. @source npm @airwallex/node-sdk */
const KEPT_MS = 20 * 60_000;
/** A call that starts with a token must end before it expires; calls take 10 s at most. */
const EARLY_MS = 60_000;

export const readToken = reader(
  Type.Object({ token: Type.String({ minLength: 1 }), expires_at: Type.Optional(Type.String()) }),
);

// One fetch at a time for each process memory and client, however many calls wait for it.
const underway = new WeakMap<ProviderContext['cache'], Map<string, Promise<string>>>();

export type Call = {
  readonly method: 'GET' | 'POST';
  /** Behind /api/v1/pa, with its query. */
  readonly path: string;
  readonly body?: string;
};

/**
 * Calls the API; on 401 the token is renewed once.
 * @throws OutboundError when there is no answer. No token counts as never sent: nothing but the token was asked for.
 * @source airwallex.com/docs API, authentication
 */
export async function callAirwallex(context: ProviderContext, call: Call): Promise<OutboundAnswer> {
  const token = await accessToken(context);
  const answer = await send(context, call, token);
  if (answer.status !== 401) return answer;
  if (context.cache.get(cacheKey(context))?.value === token) context.cache.delete(cacheKey(context));
  return send(context, call, await accessToken(context));
}

function send(context: ProviderContext, call: Call, token: string): Promise<OutboundAnswer> {
  return context.outbound(`${apiBase(context.settings, context.environment)}/api/v1/pa${call.path}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'x-api-version': API_VERSION,
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
  });
}

async function accessToken(context: ProviderContext): Promise<string> {
  const key = cacheKey(context);
  const kept = context.cache.get(key);
  if (kept && kept.expiresAt > context.now()) return kept.value;
  const waiting = underway.get(context.cache) ?? new Map<string, Promise<string>>();
  underway.set(context.cache, waiting);
  const fetching = waiting.get(key) ?? fetchToken(context, key).finally(() => waiting.delete(key));
  waiting.set(key, fetching);
  return fetching;
}

function cacheKey({ settings, environment }: ProviderContext): string {
  return `airwallex:token:${apiBase(settings, environment)}:${settings['CLIENT_ID']}`;
}

/** The answer to the credentials alone, nothing kept. Throws OutboundError when there is none. */
export function askToken({ environment, outbound, settings }: ProviderContext): Promise<OutboundAnswer> {
  return outbound(`${apiBase(settings, environment)}/api/v1/authentication/login`, {
    method: 'POST',
    headers: {
      'x-client-id': settings['CLIENT_ID'] ?? '',
      'x-api-key': settings['API_KEY'] ?? '',
      'x-api-version': API_VERSION,
      accept: 'application/json',
    },
  });
}

async function fetchToken(context: ProviderContext, key: string): Promise<string> {
  const answer = await askToken(context).catch((error: unknown) => {
    throw error instanceof OutboundError ? new OutboundError(error.reason, false, error.message) : error;
  });
  const token = answer.status === 200 || answer.status === 201 ? readToken(answer.text) : null;
  if (!token) throw new OutboundError('network', false, `Airwallex gave no token (it answered ${answer.status})`);
  const endsAt = Date.parse(token.expires_at ?? '') - EARLY_MS;
  const keptUntil = context.now() + KEPT_MS;
  context.cache.set(key, { value: token.token, expiresAt: endsAt < keptUntil ? endsAt : keptUntil });
  return token.token;
}
