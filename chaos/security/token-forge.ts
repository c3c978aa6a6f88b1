// A token endpoint and a key set on loopback that hand out whatever id_token a test has forged, and count how
// often their keys are fetched.
import { type KeyObject, constants, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const FORGED_PROVIDERS = { google: 'RS256', apple: 'RS256', huawei: 'PS256' } as const;
export type ForgedProvider = keyof typeof FORGED_PROVIDERS;

export type Wanted = { readonly audience: string; readonly nonce: string; readonly otherBrandsAudience: string };

type Parts = { header: Record<string, unknown>; claims: Record<string, unknown>; key: KeyObject | 'none' | 'hmac' };

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** An attacker's own. */
const strange = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Lists wrong tokens, by the words of a person. @source RFC 8725 (JWT best current practices), section 2 */
export const FORGERIES: Readonly<Record<string, (parts: Parts, wanted: Wanted, now: number) => void>> = {
  'a wrong signature': (parts) => { parts.key = strange.privateKey; },
  'no signature (none)': (parts) => { parts.header['alg'] = 'none'; parts.key = 'none'; },
  'HS256 by the public key': (parts) => { parts.header['alg'] = 'HS256'; parts.key = 'hmac'; },
  'an unknown kid': (parts) => { parts.header['kid'] = randomUUID(); parts.key = strange.privateKey; },
  'keys of its own (jku, jwk)': (parts) => {
    Object.assign(parts.header, { jku: 'https://evil.example/keys', jwk: strange.publicKey.export({ format: 'jwk' }) });
    parts.key = strange.privateKey;
  },
  expired: ({ claims }, _wanted, now) => { claims['iat'] = now - 400; claims['exp'] = now - 200; },
  'not yet valid (nbf)': ({ claims }, _wanted, now) => { claims['nbf'] = now + 3600; },
  'another issuer': ({ claims }) => { claims['iss'] = 'https://issuer.example'; },
  'another audience': ({ claims }) => { claims['aud'] = 'somebody-elses-app'; },
  'the audience of another brand': ({ claims }, { otherBrandsAudience }) => { claims['aud'] = otherBrandsAudience; },
  'no subject': ({ claims }) => { delete claims['sub']; },
  'another nonce': ({ claims }) => { claims['nonce'] = 'of another login'; },
}; /* a row a line */ // prettier-ignore

export type TokenForge = {
  readonly url: string;
  /** Fetches of a provider's keys. */
  readonly keyFetches: Record<ForgedProvider, number>;
  issuerOf(provider: ForgedProvider): string;
  /** @param forgery a key of FORGERIES; null: a good token */
  forge(provider: ForgedProvider, wanted: Wanted, forgery: string | null): string;
  close(): Promise<void>;
};

export async function openTokenForge(): Promise<TokenForge> {
  let next = '';
  const keyFetches: Record<ForgedProvider, number> = { google: 0, apple: 0, huawei: 0 };
  const server = createServer((request, response) => {
    const [, provider = '', what] = (request.url ?? '').split('/');
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (what === 'jwks') {
      keyFetches[provider as ForgedProvider] += 1;
      const alg = FORGED_PROVIDERS[provider as ForgedProvider];
      return response.end(
        JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg, use: 'sig' }] }),
      );
    }
    return response.end(JSON.stringify({ access_token: 'at', token_type: 'Bearer', expires_in: 600, id_token: next }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuerOf = (provider: ForgedProvider) => `${url}/${provider}`;
  return {
    url,
    keyFetches,
    issuerOf,
    forge: (provider, wanted, forgery) => {
      const now = Math.floor(Date.now() / 1000);
      const parts: Parts = {
        header: { alg: FORGED_PROVIDERS[provider], typ: 'JWT', kid: 'k1' },
        claims: { iss: issuerOf(provider), aud: wanted.audience, sub: 'player-1', nonce: wanted.nonce, iat: now, exp: now + 300 },
        key: privateKey,
      };
      if (forgery !== null) FORGERIES[forgery]?.(parts, wanted, now);
      next = write(parts);
      return next;
    },
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(() => resolve()); }),
  }; /* a row a line */ // prettier-ignore
}

function write({ header, claims, key }: Parts): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  if (key === 'none') return `${text}.`;
  if (key === 'hmac') {
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
  }
  const isPss = header['alg'] === 'PS256';
  const made = sign('sha256', Buffer.from(text), {
    key,
    ...(isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}),
  });
  return `${text}.${made.toString('base64url')}`;
}
