// Signing keys of an OpenID simulator, and id_tokens that are wrong on purpose.

import { constants, createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';

export type SigningAlgorithm = 'RS256' | 'PS256';

/** A private key as JWK; made once and kept. */
export function makeSigningKey(alg: SigningAlgorithm): JsonWebKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `${alg}-1`, alg, use: 'sig' } as JsonWebKey;
}

/** An id_token may be wrong in these ways, by the word that a test queues. */
export const tokenFaults = {
  'other-audience': (claims: Record<string, unknown>) => ({ ...claims, aud: 'somebody-elses-app' }),
  'other-issuer': (claims: Record<string, unknown>) => ({ ...claims, iss: 'https://issuer.example' }),
  'other-nonce': (claims: Record<string, unknown>) => ({ ...claims, nonce: 'of another login' }),
  'other-subject': (claims: Record<string, unknown>) => ({ ...claims, sub: 'somebody-else' }),
  'no-subject': (claims: Record<string, unknown>) => ({ ...claims, sub: undefined }),
  expired: (claims: Record<string, unknown>) => ({
    ...claims,
    iat: Number(claims['iat']) - 7200,
    exp: Number(claims['iat']) - 3600,
  }),
  old: (claims: Record<string, unknown>) => ({ ...claims, iat: Number(claims['iat']) - 3600 }),
  'bad-signature': (claims: Record<string, unknown>) => claims,
  unsigned: (claims: Record<string, unknown>) => claims,
} as const;

export type TokenFault = keyof typeof tokenFaults;

export function isTokenFault(word: string | undefined): word is TokenFault {
  return word !== undefined && Object.hasOwn(tokenFaults, word);
}

/** The same token with the fault in it, signed again with the provider's own key unless the signature is the fault. */
export function spoilToken(token: string, fault: TokenFault, key: JsonWebKey, alg: SigningAlgorithm): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const claims = tokenFaults[fault](JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>);
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  if (fault === 'unsigned') return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
  if (fault === 'bad-signature') return `${head}.${payload}.${signature.slice(0, -8)}AAAAAAAA`;
  const made = sign('sha256', Buffer.from(`${head}.${payload}`), {
    key: createPrivateKey({ key, format: 'jwk' }),
    ...(alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}),
  });
  return `${head}.${payload}.${made.toString('base64url')}`;
}
