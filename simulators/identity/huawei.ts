// The Huawei simulator: Account Kit's web login. Tokens are signed with PS256. @source
// developer.huawei.com, account-api-verify-id-token

import type { Look } from '#simulators/kit/page.ts';
import type { IdentityContext, MountedIdentity } from './context.ts';
import { digitsOf } from './login-page.ts';
import { mountOidc } from './oidc.ts';

const look: Look = {
  accent: '#b3122a',
  ground: '#f5f3f3',
  ink: '#231a1b',
  radius: '24px',
  font: 'system-ui, sans-serif',
};

export function mountHuawei(context: IdentityContext): MountedIdentity {
  const account = mountOidc(context, {
    provider: 'HUAWEI ID',
    look,
    alg: 'PS256',
    demandsPkce: true,
    // A UnionID.
    subjectOf: (name) => `MDF${digitsOf('huawei', name, 40)}`,
    claimsOf: (name) => ({ display_name: name }),
    isSecret: null,
  });
  const { pageBase, apiBase } = context;
  return {
    settings: () => ({
      ISSUER: pageBase(),
      AUTHORIZE_URL: `${pageBase()}/auth`,
      TOKEN_URL: `${apiBase()}/token`,
      JWKS_URL: `${apiBase()}/jwks`,
      CLIENT_ID: '102030405',
      CLIENT_SECRET: account.clientSecret,
    }),
  };
}
