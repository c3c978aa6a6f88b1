// HUAWEI ID on the web (Account Kit): OpenID Connect, one client for all brands. Facts, doubts
// and set-up are in README.md.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { declareEndpoints, readEndpoint } from '#server/platform/outbound/outbound-endpoint.ts';
import { createOidcFlow, type OidcKept } from '#server/platform/outbound/outbound-oidc.ts';

/** @source developer.huawei.com Account Kit, "account-web-guide" and "account-api-verify-id-token" */
const OFFICIAL = {
  ISSUER: 'https://accounts.huawei.com',
  AUTHORIZE_URL: 'https://oauth-login.cloud.huawei.com/oauth2/v3/authorize',
  TOKEN_URL: 'https://oauth-login.cloud.huawei.com/oauth2/v3/token',
  // UNSURE: from memory; the discovery document at this host names it as jwks_uri.
  JWKS_URL: 'https://oauth-login.cloud.huawei.com/oauth2/v3/certs',
};
const HOSTS = ['accounts.huawei.com', 'oauth-login.cloud.huawei.com'];

export const huawei: LoginProvider = {
  kind: 'huawei',
  name: 'huawei',
  settings: [
    {
      name: 'CLIENT_ID',
      isRequired: true,
      isSecret: false,
      about: 'Client ID of the app, digits: AppGallery Connect, Project settings. One for all brands.',
    },
    { name: 'CLIENT_SECRET', isRequired: true, isSecret: true, about: 'Client secret, beside the Client ID.' },
    {
      name: 'PKCE',
      isRequired: false,
      isSecret: false,
      form: { kind: 'choice', values: ['on', 'off'] },
      about: 'Set to "off" when Huawei refuses a code challenge from a client with a secret.',
    },
    ...declareEndpoints(OFFICIAL),
  ],
  open: ({ environment, settings, outbound, keysOutbound }) => {
    const at = (name: keyof typeof OFFICIAL) =>
      readEndpoint(settings[name], { name: `Huawei's ${name}`, environment, official: OFFICIAL[name], hosts: HOSTS });
    const tokenUrl = at('TOKEN_URL');
    const jwksUrl = at('JWKS_URL');
    const flow = createOidcFlow(
      // @source Huawei, "account-api-verify-id-token": PS256 or RS256
      { issuer: at('ISSUER'), authorizeUrl: at('AUTHORIZE_URL'), tokenUrl, jwksUrl, algorithms: ['PS256', 'RS256'] },
      outbound,
      keysOutbound,
    );
    return {
      apiHosts: [new URL(tokenUrl).host, new URL(jwksUrl).host],
      // One audience for all brands; the attempt is what binds a login to its brand. @source specification section 9:
      // "the Huawei client id is fixed"
      appOf: () => settings['CLIENT_ID'] || null,
      begin: async ({ appId, redirectUri, state }) => ({
        kind: 'ok',
        ...(await flow.begin({
          clientId: appId,
          redirectUri,
          state,
          scope: 'openid profile',
          // UNSURE: Huawei describes PKCE for apps without a server; whether a client with a
          // secret may send it is not said.
          usesPkce: settings['PKCE'] !== 'off',
        })),
      }),
      finish: async ({ appId, redirectUri, state, kept, brought }) => {
        const proven = await flow.finish({
          clientId: appId,
          clientSecret: settings['CLIENT_SECRET'] ?? '',
          redirectUri,
          state,
          code: brought['authorization_code'] ?? '',
          iss: brought['iss'],
          kept: kept as OidcKept,
        });
        if (proven.kind !== 'ok') return proven;
        // `sub` is the UnionID: the same player in all apps of one developer account.
        const { sub, display_name: shown, nickname } = proven.claims;
        const name = [shown, nickname].find((one) => typeof one === 'string' && one !== '');
        return { kind: 'ok', subject: sub, name: (name as string | undefined) ?? null };
      },
    };
  },
};
