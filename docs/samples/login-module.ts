// A login of a shop's own: the publisher's account server, which speaks OAuth 2 with PKCE.
// Copy it to modules/id.ts of your shop, name it in modules.yaml, and write into the brand's file: logins: { kinds:
// [own], ownName: Acme ID }
import { createHash, randomBytes } from 'node:crypto';
import type { LoginProvider, OwnModule } from 'refill/ports';

const own: LoginProvider = {
  kind: 'own',
  name: 'acmeid',
  settings: [
    { name: 'CLIENT_ID', isRequired: true, isSecret: false, about: 'Id of the client at the account server.' },
    { name: 'CLIENT_SECRET', isRequired: true, isSecret: true, about: 'Its secret.' },
    {
      name: 'ISSUER',
      isRequired: true,
      isSecret: false,
      about: 'Address of the account server, https://id.acme.example',
    },
  ],
  open({ outbound, settings }) {
    const { CLIENT_ID = '', CLIENT_SECRET = '', ISSUER = '' } = settings;
    return {
      apiHosts: [new URL(ISSUER).host],
      appOf: () => CLIENT_ID,
      async begin({ redirectUri, state }) {
        const verifier = randomBytes(32).toString('base64url');
        const url = new URL('/authorize', ISSUER);
        url.search = new URLSearchParams({
          response_type: 'code',
          client_id: CLIENT_ID,
          redirect_uri: redirectUri,
          state,
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
        }).toString();
        return { kind: 'ok', url: url.href, kept: { verifier } };
      },
      async finish({ brought, kept, redirectUri }) {
        const answer = await outbound(`${ISSUER}/token`, {
          method: 'POST',
          timeoutMs: 10_000,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code: brought['authorization_code'] ?? '',
            redirect_uri: redirectUri,
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
            code_verifier: kept['verifier'] ?? '',
          }).toString(),
        });
        if (answer.status >= 500) return { kind: 'unavailable', reason: `HTTP ${answer.status}` };
        if (answer.status !== 200) return { kind: 'refused', reason: `HTTP ${answer.status}` };
        const { account, name } = JSON.parse(answer.text) as { account?: string; name?: string };
        return account
          ? { kind: 'ok', subject: account, name: name ?? null }
          : { kind: 'refused', reason: 'no account' };
      },
    };
  },
};

export default { ports: 1, logins: [own] } satisfies OwnModule;
