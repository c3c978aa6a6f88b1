// Sign in with Google: OpenID Connect in a window of its own. Facts, doubts and set-up are in README.md.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import {
  SECRETS_BY_APP,
  declareEndpoints,
  readEndpoint,
  readSecretOf,
} from '#server/platform/outbound/outbound-endpoint.ts';
import { createOidcFlow, type OidcKept } from '#server/platform/outbound/outbound-oidc.ts';

/** @source https://accounts.google.com/.well-known/openid-configuration */
const OFFICIAL = {
  ISSUER: 'https://accounts.google.com',
  AUTHORIZE_URL: 'https://accounts.google.com/o/oauth2/v2/auth',
  TOKEN_URL: 'https://oauth2.googleapis.com/token',
  JWKS_URL: 'https://www.googleapis.com/oauth2/v3/certs',
};
const HOSTS = ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com'];

export const google: LoginProvider = {
  kind: 'google',
  name: 'google',
  settings: [
    {
      name: 'CLIENT_SECRET',
      isRequired: false,
      isSecret: true,
      about:
        'Secret of the OAuth client of type Web: Google Cloud console, Credentials; for every brand without an ' +
        'entry in CLIENT_SECRETS.',
    },
    {
      name: 'CLIENT_SECRETS',
      isRequired: false,
      isSecret: true,
      form: SECRETS_BY_APP,
      about: 'Secrets by client id, `id=secret`, separated by commas or lines, where brands have clients of their own.',
    },
    ...declareEndpoints(OFFICIAL),
  ],
  open: ({ environment, settings, outbound, keysOutbound }) => {
    const at = (name: keyof typeof OFFICIAL) =>
      readEndpoint(settings[name], { name: `Google's ${name}`, environment, official: OFFICIAL[name], hosts: HOSTS });
    const tokenUrl = at('TOKEN_URL');
    const jwksUrl = at('JWKS_URL');
    const flow = createOidcFlow(
      // The older form of the issuer without https:// is not taken: it has not been seen in
      // tokens of this endpoint for years.
      { issuer: at('ISSUER'), authorizeUrl: at('AUTHORIZE_URL'), tokenUrl, jwksUrl, algorithms: ['RS256'] },
      outbound,
      keysOutbound,
    );
    const secretOf = (clientId: string) =>
      readSecretOf(clientId, settings['CLIENT_SECRET'], settings['CLIENT_SECRETS']);
    return {
      apiHosts: [new URL(tokenUrl).host, new URL(jwksUrl).host],
      appOf: ({ googleClientId }) => (googleClientId && secretOf(googleClientId) ? googleClientId : null),
      begin: async ({ appId, redirectUri, state }) => ({
        kind: 'ok',
        ...(await flow.begin({
          clientId: appId,
          redirectUri,
          state,
          scope: 'openid profile',
          usesPkce: true,
          // Google asks a player with several accounts which one; else it would take the browser's first one unasked.
          extra: { prompt: 'select_account' },
        })),
      }),
      finish: async ({ appId, redirectUri, state, kept, brought }) => {
        const clientSecret = secretOf(appId);
        if (!clientSecret) return { kind: 'refused', reason: 'no secret for this client' };
        const proven = await flow.finish({
          clientId: appId,
          clientSecret,
          redirectUri,
          state,
          code: brought['authorization_code'] ?? '',
          iss: brought['iss'],
          kept: kept as OidcKept,
        });
        if (proven.kind !== 'ok') return proven;
        const { sub, name } = proven.claims;
        return { kind: 'ok', subject: sub, name: typeof name === 'string' ? name : null };
      },
    };
  },
};
