// Sign in with Apple on the web: a code and an id_token come back by form_post, and both are proven. Facts
// and set-up are in ../README.md.
import { SignJWT, importPKCS8 } from 'jose';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { declareEndpoints, readEndpoint } from '#server/platform/outbound/outbound-endpoint.ts';
import { createOidcFlow, type OidcKept } from '#server/platform/outbound/outbound-oidc.ts';
import { createAppleNotices } from './notices.ts';

/** @source https://appleid.apple.com/.well-known/openid-configuration */
const OFFICIAL = {
  ISSUER: 'https://appleid.apple.com',
  AUTHORIZE_URL: 'https://appleid.apple.com/auth/authorize',
  TOKEN_URL: 'https://appleid.apple.com/auth/token',
  JWKS_URL: 'https://appleid.apple.com/auth/keys',
};
/** A client secret is good for six months at most; one call needs minutes. Our choice. */
const SECRET_LIFE = '5m';

export const apple: LoginProvider = {
  kind: 'ios',
  name: 'apple',
  settings: [
    {
      name: 'TEAM_ID',
      isRequired: true,
      isSecret: false,
      about: 'Ten characters: developer account, Membership details.',
    },
    {
      name: 'KEY_ID',
      isRequired: true,
      isSecret: false,
      about: 'Id of the key with Sign in with Apple: Certificates, Identifiers & Profiles, Keys.',
    },
    {
      name: 'PRIVATE_KEY',
      isRequired: true,
      isSecret: true,
      about: 'What is in the .p8 file of that key; best as PRIVATE_KEY_FILE.',
    },
    ...declareEndpoints(OFFICIAL),
  ],
  open: ({ environment, settings, outbound, keysOutbound, now }) => {
    const at = (name: keyof typeof OFFICIAL) =>
      readEndpoint(settings[name], {
        name: `Apple's ${name}`,
        environment,
        official: OFFICIAL[name],
        hosts: ['appleid.apple.com'],
      });
    const issuer = at('ISSUER');
    const tokenUrl = at('TOKEN_URL');
    const jwksUrl = at('JWKS_URL');
    const flow = createOidcFlow(
      // Apple's text says ES256, its keys are RSA: the tokens seen are RS256. @source Apple,
      // "Verifying a user"; keys at JWKS_URL
      { issuer, authorizeUrl: at('AUTHORIZE_URL'), tokenUrl, jwksUrl, algorithms: ['RS256'] },
      outbound,
      keysOutbound,
    );
    const key = importPKCS8((settings['PRIVATE_KEY'] ?? '').replaceAll('\\n', '\n'), 'ES256');
    // Told at the first login that needs it; a rejection that nobody waits for would end the process.
    key.catch(() => undefined);
    /** @source Apple, "Creating a client secret" */
    const writeSecret = async (clientId: string) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: settings['KEY_ID'] ?? '' })
        .setIssuer(settings['TEAM_ID'] ?? '')
        .setSubject(clientId)
        .setAudience(issuer)
        .setIssuedAt(Math.floor(now() / 1000))
        .setExpirationTime(SECRET_LIFE)
        .sign(await key);
    return {
      apiHosts: [new URL(tokenUrl).host, new URL(jwksUrl).host],
      appOf: ({ appleServicesId }) => appleServicesId || null,
      notices: createAppleNotices(flow),
      begin: async ({ appId, redirectUri, state }) => ({
        kind: 'ok',
        ...(await flow.begin({
          clientId: appId,
          redirectUri,
          state,
          // No name, no e-mail: what is not asked for need not be kept.
          scope: 'openid',
          usesPkce: false,
          extra: { response_type: 'code id_token', response_mode: 'form_post' },
        })),
      }),
      finish: async ({ appId, redirectUri, state, kept, brought }) => {
        let clientSecret: string;
        try {
          clientSecret = await writeSecret(appId);
        } catch {
          return { kind: 'unavailable', reason: 'PRIVATE_KEY is no key of ours' };
        }
        const nonce = kept['nonce'] ?? '';
        const shown = await flow.prove(brought['identity_token'] ?? '', { clientId: appId, nonce });
        if (shown.kind !== 'ok') return shown;
        const proven = await flow.finish({
          clientId: appId,
          clientSecret,
          redirectUri,
          state,
          code: brought['authorization_code'] ?? '',
          kept: kept as OidcKept,
        });
        if (proven.kind !== 'ok') return proven;
        // The token could be replayed, the code could be somebody else's: only together do they prove this login.
        if (proven.claims.sub !== shown.claims.sub) return { kind: 'refused', reason: 'code and token of two players' };
        return { kind: 'ok', subject: proven.claims.sub, name: null };
      },
    };
  },
};
