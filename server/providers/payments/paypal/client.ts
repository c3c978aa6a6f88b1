// Calls to PayPal's REST API with an access token that is fetched once and kept until shortly before it expires.
import Type from 'typebox';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { apiBase } from './settings.ts';
import { reader } from './wire.ts';

/** Our choice: a call that starts with a token must end before it expires; calls take 10 s at most. */
const EARLY_MS = 60_000;

export const readToken = reader(
  Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number({ minimum: 0 }) }),
);

/** @source RFC 6749 section 5.2, which PayPal's token call follows */
export const readTokenFault = reader(
  Type.Object({ error: Type.String(), error_description: Type.Optional(Type.String()) }),
);

// One fetch at a time for each process memory and client, however many calls wait for it.
const underway = new WeakMap<ProviderContext['cache'], Map<string, Promise<string>>>();

export type Call = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Makes a POST safe to repeat: 6 hours for orders, 45 days for refunds. */
  readonly requestId?: string;
};

/**
 * Calls the API; on 401 the token is renewed once.
 * @throws OutboundError when there is no answer. No token counts as never sent: nothing but the token was asked for.
 * @source PayPal OpenAPI files for paths and headers; UNSURE: the token call is from memory
 */
export async function callPayPal(context: ProviderContext, call: Call): Promise<OutboundAnswer> {
  const token = await accessToken(context);
  const answer = await send(context, call, token);
  if (answer.status !== 401) return answer;
  if (context.cache.get(cacheKey(context))?.value === token) context.cache.delete(cacheKey(context));
  return send(context, call, await accessToken(context));
}

function send(context: ProviderContext, call: Call, token: string): Promise<OutboundAnswer> {
  return context.outbound(`${apiBase(context.settings, context.environment)}${call.path}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
      prefer: 'return=representation',
      ...(call.requestId === undefined ? {} : { 'paypal-request-id': call.requestId }),
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
  return `paypal:token:${apiBase(settings, environment)}:${settings['CLIENT_ID']}`;
}

/** The answer to the credentials alone, nothing kept. Throws OutboundError when there is none. */
export function askToken(context: ProviderContext): Promise<OutboundAnswer> {
  const { settings, environment } = context;
  const credentials = Buffer.from(`${settings['CLIENT_ID']}:${settings['CLIENT_SECRET']}`).toString('base64');
  return context.outbound(`${apiBase(settings, environment)}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${credentials}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
}

async function fetchToken(context: ProviderContext, key: string): Promise<string> {
  const answer = await askToken(context).catch((error: unknown) => {
    throw error instanceof OutboundError ? new OutboundError(error.reason, false, error.message) : error;
  });
  const token = answer.status === 200 ? readToken(answer.text) : null;
  if (!token) throw new OutboundError('network', false, `PayPal gave no access token (it answered ${answer.status})`);
  const keptMs = token.expires_in * 1000 - EARLY_MS;
  context.cache.set(key, { value: token.access_token, expiresAt: context.now() + keptMs });
  return token.access_token;
}
