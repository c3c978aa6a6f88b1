// The Apple simulator: a form_post with code and id_token, and a client secret that the shop signs. @source
// developer.apple.com, Sign in with Apple

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { randomUpper } from '#simulators/kit/ids.ts';
import type { Look } from '#simulators/kit/page.ts';
import { mountAppleNotices } from './apple-notices.ts';
import type { IdentityContext, MountedIdentity } from './context.ts';
import { digitsOf } from './login-page.ts';
import { mountOidc } from './oidc.ts';

const look: Look = {
  accent: '#1c1c1e',
  ground: '#f2f2f4',
  ink: '#1c1c1e',
  radius: '12px',
  font: 'system-ui, sans-serif',
};

/** @source developer.apple.com, "Creating a client secret": six months */
const longestSecretSeconds = 15_777_000;

type Developer = { teamId: string; keyId: string; privateKey: string };

export function mountApple(context: IdentityContext): MountedIdentity {
  const developer = context.account<Developer>('developer', () => ({
    teamId: randomUpper(10),
    keyId: randomUpper(10),
    privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString(),
  }));
  const { pageBase, apiBase } = context;
  const isSecret = async (clientId: string, secret: string): Promise<boolean> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(secret, createPublicKey(developer.privateKey), {
        algorithms: ['ES256'],
        issuer: developer.teamId,
        subject: clientId,
        audience: pageBase(),
        requiredClaims: ['iat', 'exp'],
      });
      const life = (payload.exp ?? 0) - (payload.iat ?? 0);
      return protectedHeader.kid === developer.keyId && life > 0 && life <= longestSecretSeconds;
    } catch {
      return false;
    }
  };
  const subjectOf = (name: string) =>
    `00${digitsOf('apple', name, 4)}.${digitsOf('apple-sub', name, 32)}.${digitsOf('apple-end', name, 4)}`;
  const { signingKey } = mountOidc(context, {
    provider: 'Apple',
    look,
    alg: 'RS256',
    demandsPkce: false,
    subjectOf,
    claimsOf: () => ({}),
    isSecret,
  });
  mountAppleNotices(context, { signingKey, subjectOf });
  return {
    settings: () => ({
      ISSUER: pageBase(),
      AUTHORIZE_URL: `${pageBase()}/auth`,
      TOKEN_URL: `${apiBase()}/token`,
      JWKS_URL: `${apiBase()}/jwks`,
      TEAM_ID: developer.teamId,
      KEY_ID: developer.keyId,
      // One line, as it stands in a file of variables.
      PRIVATE_KEY: developer.privateKey.trim().replaceAll('\n', '\\n'),
    }),
  };
}
