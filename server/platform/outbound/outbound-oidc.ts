// The authorization code flow of OpenID Connect, all calls through Outbound. Which provider, and what its
// subjects mean, is not known here.
import { timingSafeEqual } from 'node:crypto';
import { type JWTPayload, createRemoteJWKSet, customFetch as joseFetch, errors as joseErrors, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { asFetch } from './outbound-fetch.ts';
import { type Outbound, OutboundError } from './outbound.ts';

export type OidcServer = {
  /** Exact value of `iss`. */
  readonly issuer: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly jwksUrl: string;
  /** JWS algorithms an id_token may be signed with; never "none", never HS*. */
  readonly algorithms: readonly string[];
};

export type OidcRequest = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  readonly usesPkce: boolean;
  /** Parameters of this provider alone. */
  readonly extra?: Readonly<Record<string, string>>;
};

/** The login attempt keeps these values between its two halves. */
export type OidcKept = { readonly nonce: string; readonly verifier?: string };

export type OidcReturn = {
  readonly clientId: string;
  /** Sent in the form of the token call. */
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly code: string;
  /** Came back with the code; checked when the provider sends it (RFC 9207, mix-up). */
  readonly iss?: string | undefined;
  readonly kept: OidcKept;
};

/** `refused`: the provider or a check said no. `unavailable`: no clear answer came. Reasons hold no tokens. */
export type OidcOutcome =
  | { readonly kind: 'ok'; readonly claims: JWTPayload & { readonly sub: string } }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** @source OpenID Connect providers' advice and ASVS 9.2.1: clocks may differ by a minute; a login is over in ten */
const SKEW_SECONDS = 60;
const MAX_TOKEN_AGE = '10m';
/**
 * Apple signs its notices for this long: they are sent again until they are accepted. @source exp and iat of notices
 * that were seen, forums of Apple, thread 655485
 */
const MAX_NOTICE_AGE = '1d';
/** Our choice: the browser gives up at 10 s, and two calls may follow each other. */
const TIMEOUT_MS = 5000;

export type OidcFlow = {
  begin(request: OidcRequest): Promise<{ url: string; kept: OidcKept }>;
  /** Exchanges the code, once, and proves the id_token that comes for it. */
  finish(back: OidcReturn): Promise<OidcOutcome>;
  /** Proves an id_token that came through the browser. */
  prove(idToken: string, expected: { clientId: string; nonce: string }): Promise<OidcOutcome>;
  /** Proves a token that the provider sent by itself, about somebody and to one of these apps. */
  proveNotice(token: string, apps: readonly string[]): Promise<NoticeProof>;
};

export type NoticeProof =
  | { readonly kind: 'ok'; readonly claims: JWTPayload }
  | Exclude<OidcOutcome, { readonly kind: 'ok' }>;

/** @param keysOutbound for the keys alone: forged notices must not open the circuit breaker of logins */
export function createOidcFlow(server: OidcServer, outbound: Outbound, keysOutbound: Outbound = outbound): OidcFlow {
  const fetchOut = asFetch(outbound, TIMEOUT_MS);
  const fetchKeys = asFetch(keysOutbound, TIMEOUT_MS);
  const isPlain = [server.authorizeUrl, server.tokenUrl].some((url) => url.startsWith('http:'));
  // One set for the life of the process: it is fetched again for an unknown key at most every
  // 30 s, whatever `kid` is sent.
  const keys = createRemoteJWKSet(new URL(server.jwksUrl), { timeoutDuration: TIMEOUT_MS, [joseFetch]: fetchKeys });

  const configure = (clientId: string, clientSecret: string | null): oidc.Configuration => {
    const made = new oidc.Configuration(
      {
        issuer: server.issuer,
        authorization_endpoint: server.authorizeUrl,
        token_endpoint: server.tokenUrl,
        jwks_uri: server.jwksUrl,
        id_token_signing_alg_values_supported: [...server.algorithms],
      },
      clientId,
      { [oidc.clockTolerance]: SKEW_SECONDS },
      // The first half only writes an address.
      clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret),
    );
    made[oidc.customFetch] = fetchOut as oidc.CustomFetch;
    if (isPlain) oidc.allowInsecureRequests(made);
    return made;
  };

  const prove: OidcFlow['prove'] = async (idToken, { clientId, nonce }) => {
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer: server.issuer,
        audience: clientId,
        algorithms: [...server.algorithms],
        clockTolerance: SKEW_SECONDS,
        maxTokenAge: MAX_TOKEN_AGE,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      });
      if (!isSame(payload['nonce'], nonce)) return { kind: 'refused', reason: 'another nonce' };
      if (!payload.sub) return { kind: 'refused', reason: 'no subject' };
      return { kind: 'ok', claims: { ...payload, sub: payload.sub } };
    } catch (error) {
      return describe(error);
    }
  };

  return {
    begin: async ({ clientId, redirectUri, state, scope, usesPkce, extra }) => {
      const nonce = oidc.randomNonce();
      const verifier = usesPkce ? oidc.randomPKCECodeVerifier() : undefined;
      const url = oidc.buildAuthorizationUrl(configure(clientId, null), {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        ...(verifier
          ? { code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
          : {}),
        ...extra,
      });
      return { url: url.href, kept: { nonce, ...(verifier ? { verifier } : {}) } };
    },
    finish: async ({ clientId, clientSecret, redirectUri, state, code, iss, kept }) => {
      // The address as the provider called it, out of what was kept: the browser's word counts for code and iss only.
      const called = new URL(redirectUri);
      called.search = new URLSearchParams({ code, state, ...(iss ? { iss } : {}) }).toString();
      let idToken: string | undefined;
      try {
        const answer = await oidc.authorizationCodeGrant(configure(clientId, clientSecret), called, {
          expectedState: state,
          expectedNonce: kept.nonce,
          idTokenExpected: true,
          ...(kept.verifier ? { pkceCodeVerifier: kept.verifier } : {}),
        });
        idToken = answer.id_token;
      } catch (error) {
        return describe(error);
      }
      // The specification lets a token that came by TLS go unproven; the signature is checked all
      // the same. @source ASVS 6.8.2
      return prove(idToken ?? '', { clientId, nonce: kept.nonce });
    },
    prove,
    proveNotice: async (token, apps) => {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: server.issuer,
          audience: [...apps],
          algorithms: [...server.algorithms],
          clockTolerance: SKEW_SECONDS,
          maxTokenAge: MAX_NOTICE_AGE,
          requiredClaims: ['iat', 'jti'],
        });
        return { kind: 'ok', claims: payload };
      } catch (error) {
        return describe(error);
      }
    },
  };
}

/** Constant time. */
function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Describes an error by the libraries' own codes: their messages may quote a token. */
function describe(error: unknown): Exclude<OidcOutcome, { kind: 'ok' }> {
  const chain = [error, (error as Error).cause, ((error as Error).cause as Error | undefined)?.cause];
  const outside = chain.find((one) => one instanceof OutboundError);
  if (outside) return { kind: 'unavailable', reason: outside.message };
  if (error instanceof joseErrors.JWKSTimeout) return { kind: 'unavailable', reason: 'the keys did not come in time' };
  const named = error as { code?: unknown; error?: unknown; claim?: unknown; name?: unknown };
  const parts = [named.error, named.code, named.claim].filter((part) => typeof part === 'string');
  return { kind: 'refused', reason: parts.join(' ').slice(0, 100) || String(named.name) };
}
