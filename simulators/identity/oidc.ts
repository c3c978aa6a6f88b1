// An OpenID provider of the strict kind (codes once, PKCE where it is demanded, `iss` with the
// answer), with a login page of ours.
// Google, Apple and Huawei are this with their own ways.

import type { JsonWebKey } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { cut } from '#simulators/kit/answer.ts';
import { waitFor } from '#simulators/kit/clock.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import type { Look } from '#simulators/kit/page.ts';
import { type IdentityContext, isKnownShop } from './context.ts';
import { readName, sendLoginPage, sendRefusal } from './login-page.ts';
import { createMemoryAdapter } from './oidc-memory.ts';
import { type SigningAlgorithm, type TokenFault, isTokenFault, makeSigningKey, spoilToken } from './oidc-keys.ts';

export type OidcWays = {
  provider: string;
  look: Look;
  alg: SigningAlgorithm;
  demandsPkce: boolean;
  subjectOf(name: string): string;
  /** Claims beside the subject. */
  claimsOf(name: string): Record<string, string>;
  /** Null: every client has the secret of the account. */
  isSecret: ((clientId: string, secret: string) => boolean | Promise<boolean>) | null;
};

type App = { clientSecret: string };
/** `signingKey`: what the provider signs everything with. */
type MountedOidc = App & { signingKey: () => JsonWebKey };
type Keys = { cookieKey: string; key: JsonWebKey };

const day = 86_400;

/** Longer than the 5 s after which a shop stops waiting. */
const hangMs = 12_000;

export function mountOidc(context: IdentityContext, ways: OidcWays): MountedOidc {
  const { app, name, clock, faults, pageBase } = context;
  const registered = context.account<App>('app', () => ({ clientSecret: randomHex(20) }));
  // Made at the first login: an RSA key takes a start longer than anything else here.
  let kept: Keys | undefined;
  const keys = () =>
    (kept ??= context.account<Keys>('keys', () => ({ cookieKey: randomHex(20), key: makeSigningKey(ways.alg) })));
  const names = new Map<string, string>();
  let made: Promise<Provider> | undefined;
  // At the first call: the address is known by then, and a start that nobody logs in to need not pay for it.
  const provider = () => (made ??= makeProvider(pageBase(), ways, { ...registered, ...keys() }, names));
  const path = `/identity/${name}`;

  /** Tokens and keys are asked by programs: they may be slow, wrong or away. The pages are always well. */
  const forward = async (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request;
    const inner = (raw.url ?? '/').slice(path.length) || '/';
    const fault = /^\/(token|jwks)/.test(inner)
      ? faults.take(inner.startsWith('/token') ? 'token' : 'jwks')
      : undefined;
    if (fault === 'error500') return reply.code(500).send({ error: 'server_error' });
    if (fault === 'html') return reply.type('text/html').send('<!doctype html><title>Maintenance</title><p>Back soon.');
    if (fault === 'reset') return cut(reply);
    if (fault === 'hang' || fault === 'timeout') {
      await waitFor(clock, hangMs);
      return cut(reply);
    }
    const answer = (await provider()).callback();
    void reply.hijack();
    // Everybody is asked anew: a demonstration that remembers its player shows its login page once only.
    if (inner.startsWith('/auth?')) delete raw.headers.cookie;
    if (isTokenFault(fault)) spoilAnswer(reply.raw, fault, keys().key, ways.alg);
    Object.assign(raw, { originalUrl: raw.url, url: inner });
    await answer(raw, reply.raw);
    return reply;
  };
  // The provider reads bodies by itself, so nothing here may have read them before.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({ method: ['GET', 'POST', 'OPTIONS'], url: `${path}/*`, handler: forward });
  });

  app.get<{ Params: { uid: string } }>(`${path}/interaction/:uid`, async (request, reply) => {
    try {
      const { params } = await (await provider()).interactionDetails(request.raw, reply.raw);
      return sendLoginPage(reply, {
        provider: ways.provider,
        look: ways.look,
        app: params.client_id,
        action: `${path}/interaction/${request.params.uid}`,
      });
    } catch {
      return sendRefusal(reply, ways.provider, 'This login has ended. Please start again in the shop.');
    }
  });
  app.post<{ Params: { uid: string } }>(`${path}/interaction/:uid`, async (request, reply) => {
    const op = await provider();
    const { params } = await op.interactionDetails(request.raw, reply.raw);
    const given = readName(request.body);
    let result: object = { error: 'access_denied', error_description: 'The player pressed Cancel' };
    if (given !== null) {
      const accountId = ways.subjectOf(given);
      names.set(accountId, given);
      const grant = new op.Grant({ accountId, clientId: params.client_id });
      grant.addOIDCScope('openid profile');
      result = { login: { accountId, remember: false }, select_account: {}, consent: { grantId: await grant.save() } };
    }
    const next = await op.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.redirect(next, 303);
  });
  return { ...registered, signingKey: () => keys().key };
}

async function makeProvider(
  issuer: string,
  ways: OidcWays,
  account: App & Keys,
  names: ReadonlyMap<string, string>,
): Promise<Provider> {
  const { default: Made, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  const { pathname } = new URL(issuer);
  const op = new Made(issuer, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [account.key] },
    cookies: { keys: [account.cookieKey] },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `${pathname}/interaction/${uid}` },
    pkce: { required: () => ways.demandsPkce },
    responseTypes: ['code', 'code id_token'],
    // Names are in the id_token itself, as the real ones have them.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name', 'nickname', 'display_name'] },
    ttl: { AccessToken: 3600, AuthorizationCode: 300, Grant: day, IdToken: 600, Interaction: 3600, Session: day },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...ways.claimsOf(names.get(id) ?? '') }),
    }),
  });
  const clients = new Map<string, InstanceType<Provider['Client']>>();
  op.Client.find = async (id) => {
    const known = clients.get(id);
    if (known) return known;
    const client = new op.Client({
      client_id: id,
      client_secret: account.clientSecret,
      // Stands for what the operator registers; `redirectUriAllowed` below is what decides.
      redirect_uris: ['https://shop.example/util/login/callback'],
      response_types: ['code', 'code id_token'],
      grant_types: ['authorization_code', 'implicit'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: ways.alg,
    });
    clients.set(id, client);
    return client;
  };
  op.Client.prototype.redirectUriAllowed = isKnownShop;
  const { isSecret } = ways;
  if (isSecret) {
    op.Client.prototype.compareClientSecret = function (secret) {
      return isSecret(this.clientId, secret);
    };
  }
  return op;
}

/** Changes the id_token of an answer on its way out. */
function spoilAnswer(response: ServerResponse, fault: TokenFault, key: JsonWebKey, alg: SigningAlgorithm): void {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = ((body?: unknown) => {
    const text = Buffer.isBuffer(body) || typeof body === 'string' ? body.toString() : '';
    const spoiled = text.replace(
      /"id_token":"([^"]+)"/,
      (_all, token: string) => `"id_token":"${spoilToken(token, fault, key, alg)}"`,
    );
    response.setHeader('content-length', Buffer.byteLength(spoiled));
    return end(spoiled);
  }) as ServerResponse['end'];
}
