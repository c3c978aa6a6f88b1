// The Google simulator. @source developers.google.com/identity/openid-connect

import type { Look } from '#simulators/kit/page.ts';
import type { IdentityContext, MountedIdentity } from './context.ts';
import { digitsOf } from './login-page.ts';
import { mountOidc } from './oidc.ts';

const look: Look = {
  accent: '#1a56c4',
  ground: '#f1f3f8',
  ink: '#1d2025',
  radius: '20px',
  font: 'system-ui, sans-serif',
};

export function mountGoogle(context: IdentityContext): MountedIdentity {
  const account = mountOidc(context, {
    provider: 'Google',
    look,
    alg: 'RS256',
    // The real one takes a challenge and does not demand it; here a shop that forgets its own is told.
    demandsPkce: true,
    subjectOf: (name) => digitsOf('google', name, 21),
    claimsOf: (name) => ({ name }),
    isSecret: null,
  });
  const { pageBase, apiBase } = context;
  return {
    settings: () => ({
      ISSUER: pageBase(),
      AUTHORIZE_URL: `${pageBase()}/auth`,
      TOKEN_URL: `${apiBase()}/token`,
      JWKS_URL: `${apiBase()}/jwks`,
      CLIENT_SECRET: account.clientSecret,
    }),
  };
}
