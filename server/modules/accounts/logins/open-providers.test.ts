// Which providers are on, and settings with which a shop must not start.
import { expect, test } from 'vitest';
import type { Environment } from '#kernel/environment.ts';
import { loginProviders } from '#server/providers/identity/registry.ts';
import { createLog } from '#server/platform/log.ts';
import { openLoginProviders } from './open-providers.ts';

const open = (settings: Record<string, Record<string, string>>, environment: Environment = 'live') =>
  openLoginProviders({
    environment,
    providers: loginProviders,
    settingsOf: (owner) => settings[owner] ?? {},
    outbound: async () => {
      throw new Error('nothing is called here');
    },
    log: createLog('silent'),
    now: Date.now,
  });
const brand = {
  kinds: ['vk', 'google', 'ios', 'facebook', 'twitter', 'huawei'] as const,
  googleClientId: 'a.apps',
  appleServicesId: 'shop.web',
  facebookAppId: '1',
  vkAppId: '5',
};
const logins = { ...brand, kinds: [...brand.kinds] };
const COMPLETE = {
  'login-google': { CLIENT_SECRET: 's' },
  'login-apple': { TEAM_ID: 'T', KEY_ID: 'K', PRIVATE_KEY: 'p' },
  'login-facebook': { APP_SECRETS: '1=s' },
  'login-twitter': { CONSUMER_KEY: 'k', CONSUMER_SECRET: 's' },
  'login-vk': { ON: '1' },
  'login-huawei': { CLIENT_ID: '1', CLIENT_SECRET: 's' },
};

test('without settings nothing is on; complete ones switch on, in the order of the brand', () => {
  expect(open({}).offered(logins)).toEqual([]);
  const openProviders = open(COMPLETE);
  expect(openProviders.offered(logins)).toEqual(brand.kinds);
  expect(openProviders.offered({ kinds: ['vk', 'google'] })).toEqual([]);
  expect([...new Set(openProviders.apiHosts())].toSorted()).toEqual([
    'api.x.com',
    'appleid.apple.com',
    'graph.facebook.com',
    'id.vk.ru',
    'oauth-login.cloud.huawei.com',
    'oauth2.googleapis.com',
    'www.googleapis.com',
  ]);
});

test.each(
  Object.entries(COMPLETE).flatMap(([key, settings]) => Object.keys(settings).map((name) => [key, name] as const)),
)('%s without %s is off', (key, name) => {
  const { [name]: _, ...rest } = COMPLETE[key as keyof typeof COMPLETE] as Record<string, string>;
  const offered = open({ ...COMPLETE, [key]: rest }).offered(logins);
  expect(offered).toHaveLength(5);
});

test('a secret for one client alone is none for the others', () => {
  const openProviders = open({
    'login-google': { CLIENT_SECRETS: 'b.apps=s' },
    'login-facebook': { APP_SECRETS: '2=s' },
  });
  expect(openProviders.offered(logins)).toEqual([]);
  expect(openProviders.offered({ ...logins, googleClientId: 'b.apps' })).toEqual(['google']);
});

test.each([
  ['login-google', 'TOKEN_URL'],
  ['login-google', 'JWKS_URL'],
  ['login-google', 'ISSUER'],
  ['login-google', 'AUTHORIZE_URL'],
  ['login-apple', 'TOKEN_URL'],
  ['login-facebook', 'GRAPH_BASE'],
  ['login-facebook', 'DIALOG_BASE'],
  ['login-twitter', 'API_BASE'],
  ['login-twitter', 'AUTHORIZE_BASE'],
  ['login-vk', 'BASE'],
  ['login-vk', 'AUTHORIZE_BASE'],
  ['login-huawei', 'JWKS_URL'],
])('%s: a live %s elsewhere stops the start; in the demo it is a simulator', (owner, name) => {
  const key = owner as keyof typeof COMPLETE;
  for (const address of ['http://127.0.0.1:9/x', 'https://simulator.example/x', 'https://id.vk.ru.example/x']) {
    expect(() => open({ ...COMPLETE, [key]: { ...COMPLETE[key], [name]: address } })).toThrow(/must be https at/);
  }
  expect(() => open({ [key]: { ...COMPLETE[key], [name]: 'http://127.0.0.1:9/x' } }, 'demo')).not.toThrow();
});

test('a key that is no key fails the login, not the start', async () => {
  const login = open(COMPLETE).get('ios')?.login;
  const attempt = { appId: 'shop.web', redirectUri: 'https://x.example/', state: 's', kept: { nonce: 'n' } };
  expect(
    await login?.finish({ ...attempt, brought: { authorization_code: 'c', identity_token: 'a.b.c' } }),
  ).toMatchObject({
    kind: 'unavailable',
  });
});
