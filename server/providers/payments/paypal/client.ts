// Calls to PayPal's REST API with an access token that is fetched once and kept until shortly before it expires.
import Type from 'typebox';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts';
import { callWithToken, type TokenRules } from '#server/providers/payments/kit/token.ts';
import { apiBase } from './settings.ts';
import { reader } from './wire.ts';

export const readToken = reader(
  Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number({ minimum: 0 }) }),
);

/** @source RFC 6749 section 5.2, which PayPal's token call follows */
export const readTokenFault = reader(
  Type.Object({ error: Type.String(), error_description: Type.Optional(Type.String()) }),
);

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
export function callPayPal(context: ProviderContext, call: Call): Promise<OutboundAnswer> {
  return callWithToken(TOKEN, context, (token) => send(context, call, token));
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

const TOKEN: TokenRules = {
  title: 'PayPal',
  keyOf: ({ settings, environment }) => `paypal:token:${apiBase(settings, environment)}:${settings['CLIENT_ID']}`,
  ask: askToken,
  read: ({ status, text }, now) => {
    const token = status === 200 ? readToken(text) : null;
    return token && { token: token.access_token, endsAt: now + token.expires_in * 1000 };
  },
};
