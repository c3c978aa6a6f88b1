// id_tokens that must not be believed, made with real keys; and how often the keys are asked for.
import { type JWTPayload, SignJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OidcFlow, createOidcFlow } from './outbound-oidc.ts';
import { type Outbound, OutboundError } from './outbound.ts';

const ISSUER = 'https://id.example';
const SERVER = {
  issuer: ISSUER,
  authorizeUrl: `${ISSUER}/auth`,
  tokenUrl: `${ISSUER}/token`,
  jwksUrl: `${ISSUER}/keys`,
  algorithms: ['RS256'],
};
const KEPT = { nonce: 'n-1', verifier: 'v'.repeat(43) };
const BACK = {
  clientId: 'app',
  clientSecret: 's',
  redirectUri: 'https://shop.example/cb',
  state: 'st',
  code: 'c',
  kept: KEPT,
};

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let others: typeof keys;
let publicText: string;
let jwks: string;
beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  others = await generateKeyPair('RS256', { extractable: true });
  publicText = await exportSPKI(keys.publicKey);
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] });
});

let calls: { url: string; body: string }[];
let answer: (url: string) => { status: number; text: string } | Error;
let flow: OidcFlow;
let idToken: string;
beforeEach(async () => {
  calls = [];
  idToken = await sign({});
  answer = (url) => ({
    status: 200,
    text: url.endsWith('/keys') ? jwks : JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: idToken }),
  });
  const outbound: Outbound = async (url, { body }) => {
    calls.push({ url, body: body ?? '' });
    const given = answer(url);
    if (given instanceof Error) throw given;
    return { ...given, headers: { 'content-type': 'application/json' } };
  };
  flow = createOidcFlow(SERVER, outbound);
});

const now = () => Math.floor(Date.now() / 1000);
const sign = (claims: JWTPayload, header: object = {}, key: CryptoKey = keys.privateKey) =>
  new SignJWT({ iss: ISSUER, aud: 'app', sub: 'p-1', nonce: 'n-1', iat: now(), exp: now() + 300, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
    .sign(key);
const prove = async (token: string) => flow.prove(token, { clientId: 'app', nonce: 'n-1' });
const keyCalls = () => calls.filter(({ url }) => url.endsWith('/keys')).length;

describe('a token', () => {
  test('that is right is believed, also a minute off', async () => {
    expect(await prove(await sign({}))).toMatchObject({ kind: 'ok', claims: { sub: 'p-1' } });
    expect(await prove(await sign({ iat: now() + 50, exp: now() + 300 }))).toMatchObject({ kind: 'ok' });
    expect(await prove(await sign({ aud: ['other', 'app'] }))).toMatchObject({ kind: 'ok' });
  });

  test.each<[string, () => Promise<string>]>([
    ['signed by another key', () => sign({}, {}, others.privateKey)],
    ['of an unknown key', () => sign({}, { kid: 'k9' })],
    ['that names its own keys', () => sign({}, { jku: 'https://evil.example/keys', kid: 'k1' }, others.privateKey)],
    ['that has expired', () => sign({ exp: now() - 61 })],
    ['that begins later', () => sign({ nbf: now() + 120 })],
    ['that is an hour old', () => sign({ iat: now() - 3600 })],
    ['of another issuer', () => sign({ iss: 'https://id.example.evil' })],
    ['for another app', () => sign({ aud: 'other' })],
    ['without a subject', () => sign({ sub: undefined as never })],
    ['with an empty subject', () => sign({ sub: '' })],
    ['of another login', () => sign({ nonce: 'n-2' })],
    ['without a nonce', () => sign({ nonce: undefined })],
    ['without a time', () => sign({ iat: undefined as never })],
    [
      'signed with the public key as a password',
      () =>
        new SignJWT({ iss: ISSUER, aud: 'app', sub: 'p-1', nonce: 'n-1', iat: now(), exp: now() + 300 })
          .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
          .sign(new TextEncoder().encode(publicText)),
    ],
    [
      'that is not signed',
      async () =>
        `${Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url')}.${(await sign({})).split('.')[1]}.`,
    ],
    ['that is none', async () => 'x.y.z'],
  ])('%s is refused, by the browser and by the provider', async (_name, make) => {
    const token = await make();
    const shown = await prove(token);
    expect(shown).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(shown)).not.toContain(token.slice(0, 40));
    idToken = token;
    expect(await flow.finish(BACK)).toMatchObject({ kind: 'refused' });
  });
});

describe('a notice', () => {
  const notice = (claims: JWTPayload = {}, header: object = {}, key: CryptoKey = keys.privateKey) =>
    new SignJWT({ iss: ISSUER, aud: 'app', jti: 'j-1', iat: now(), exp: now() + 86_400, events: '{}', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(key);
  const receive = async (token: string, apps = ['other-app', 'app']) => flow.proveNotice(token, apps);

  test('that is right is believed, for a day', async () => {
    expect(await receive(await notice())).toMatchObject({ kind: 'ok', claims: { jti: 'j-1', events: '{}' } });
    expect(await receive(await notice({ iat: now() - 86_000 }))).toMatchObject({ kind: 'ok' });
    expect(await receive(await notice({ exp: undefined as never }))).toMatchObject({ kind: 'ok' });
  });

  test.each<[string, () => Promise<string>]>([
    ['signed by another key', () => notice({}, {}, others.privateKey)],
    ['of an unknown key', () => notice({}, { kid: 'k9' })],
    ['that has expired', () => notice({ exp: now() - 61 })],
    ['that is older than a day', () => notice({ iat: now() - 86_500 })],
    ['of another issuer', () => notice({ iss: 'https://id.example.evil' })],
    ['for another app', () => notice({ aud: 'else' })],
    ['without an id', () => notice({ jti: undefined as never })],
    ['without a time', () => notice({ iat: undefined as never })],
    ['that is an id_token', () => sign({})],
  ])('%s is refused', async (_name, make) => {
    const outcome = await receive(await make());
    expect(outcome).toMatchObject({ kind: 'refused' });
  });

  test('to nobody is refused, and is no id_token either', async () => {
    expect(await receive(await notice(), [])).toMatchObject({ kind: 'refused' });
    expect(await prove(await notice({ sub: 'p-1' }))).toMatchObject({ kind: 'refused' });
  });
});

describe('the exchange', () => {
  test('sends code, secret and verifier in the form, and nothing of the browser’s but the code', async () => {
    expect(await flow.finish(BACK)).toMatchObject({ kind: 'ok', claims: { sub: 'p-1' } });
    const { url, body } = calls[0] ?? { url: '', body: '' };
    expect(url).toBe(SERVER.tokenUrl);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: BACK.redirectUri,
      client_id: 'app',
      client_secret: 's',
      code_verifier: KEPT.verifier,
    });
  });

  test('a code with `+`, `/` and `=` arrives as it is', async () => {
    await flow.finish({ ...BACK, code: 'DQB6e3x9zFqHIf+/Ab==' });
    expect(calls[0]?.body).toContain('code=DQB6e3x9zFqHIf%2B%2FAb%3D%3D');
  });

  test('an answer of another issuer is refused before the code goes anywhere', async () => {
    expect(await flow.finish({ ...BACK, iss: 'https://other.example' })).toMatchObject({ kind: 'refused' });
    expect(calls).toEqual([]);
    expect(await flow.finish({ ...BACK, iss: ISSUER })).toMatchObject({ kind: 'ok' });
  });

  test.each<[string, { status: number; text: string } | Error, string]>([
    ['a used code', { status: 400, text: '{"error":"invalid_grant"}' }, 'refused'],
    ['a wrong secret', { status: 401, text: '{"error":"invalid_client"}' }, 'refused'],
    ['no id_token', { status: 200, text: '{"access_token":"a","token_type":"Bearer"}' }, 'refused'],
    ['a page', { status: 200, text: '<!doctype html>' }, 'refused'],
    ['a breakdown', { status: 500, text: '{"error":"server_error"}' }, 'unavailable'],
    ['too many', { status: 429, text: '' }, 'unavailable'],
    ['silence', new OutboundError('timeout', true, 'id.example did not answer in time'), 'unavailable'],
  ])('%s: %s', async (_name, given, kind) => {
    answer = (url) => (url.endsWith('/token') ? given : { status: 200, text: jwks });
    expect(await flow.finish(BACK)).toMatchObject({ kind });
    expect(calls.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1);
  });
});

describe('the keys', () => {
  test('are asked for once, whatever keys are named', async () => {
    for (let n = 0; n < 20; n += 1) await prove(await sign({}, { kid: `invented-${n}` }));
    expect(await prove(await sign({}))).toMatchObject({ kind: 'ok' });
    expect(keyCalls()).toBe(1);
  });

  test('are asked for by a way of their own', async () => {
    const asked: string[] = [];
    const other: Outbound = async (url) => {
      asked.push(url);
      return { status: 200, headers: { 'content-type': 'application/json' }, text: jwks };
    };
    const own = createOidcFlow(SERVER, async () => ({ status: 500, headers: {}, text: '' }), other);
    expect(await own.prove(await sign({}), { clientId: 'app', nonce: 'n-1' })).toMatchObject({ kind: 'ok' });
    expect(asked).toEqual([SERVER.jwksUrl]);
  });

  test('that cannot be had make no verdict', async () => {
    answer = () => ({ status: 503, text: '' });
    expect(await prove(await sign({}))).toMatchObject({ kind: 'unavailable' });
  });
});

test('the first half has a new nonce and verifier every time, and keeps the verifier to itself', async () => {
  const request = { clientId: 'app', redirectUri: BACK.redirectUri, state: 'st', scope: 'openid', usesPkce: true };
  const [one, two] = [await flow.begin(request), await flow.begin(request)];
  const query = Object.fromEntries(new URL(one.url).searchParams);
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: 'app',
    scope: 'openid',
    state: 'st',
    code_challenge_method: 'S256',
    nonce: one.kept.nonce,
  });
  expect(one.url).not.toContain(one.kept.verifier);
  expect([one.kept.nonce, one.kept.verifier]).not.toEqual([two.kept.nonce, two.kept.verifier]);
  expect(one.kept.nonce.length).toBeGreaterThanOrEqual(43);
  const plain = await flow.begin({ ...request, usesPkce: false });
  expect(new URL(plain.url).searchParams.has('code_challenge')).toBe(false);
});
