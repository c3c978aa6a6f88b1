// Tests the refusals of a start, as tables: the variables that an operator set, and the faults that are reported.
import { expect, test } from 'vitest';
import { inspectConfig } from '#server/platform/config.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import { DEMO_SETTINGS } from '#server/platform/settings/published.ts';
import { loginProviders } from '#server/providers/identity/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { warnOfMachine } from './check-machine.ts';
import { checkNames } from './check-names.ts';
import { listKnownGames, listKnownOwners } from './known-settings.ts';
import { formOf } from '#kernel/setting-form.ts';
import { isOwnMachine } from './own-machine.ts';
import { checkSettings } from './preflight.ts';

const DATABASE_URL = 'postgres://shop@127.0.0.1/refill';
const GOOD = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const KEY = 'q8Xz1LrW0vYc5TnB7mKd3GhJ9pAs2EfU';
const PAYPAL = {
  REFILL_PAYPAL_LIVE_CLIENT_ID: 'AbCdEfGhIj',
  REFILL_PAYPAL_LIVE_CLIENT_SECRET: 'EfGhIjKlMnOpQrSt',
  REFILL_PAYPAL_LIVE_WEBHOOK_ID: '8PT597110X687430L',
};

function look(variables: Record<string, string>, environment: 'live' | 'demo' = 'live'): string[] {
  const { config, findings } = inspectConfig({
    DATABASE_URL,
    REFILL_ENVIRONMENT: environment,
    REFILL_SHOP: '/srv/my-shop',
    ...variables,
  });
  const parts = { config, environment, providers: shopProviders, logins: loginProviders, now: Date.now };
  return [...findings, ...checkSettings(parts)].map(describeFinding);
}

test('a shop that is set up well has no fault', () => {
  expect(
    look({
      ...PAYPAL,
      REFILL_GAME_STARLANE_LIVE_URL: 'https://game.publisher.com/refill',
      REFILL_GAME_STARLANE_LIVE_SECRETS: `${GOOD}, whsec_+VRQUUWlCvhmXd4CYEhsP3KpiDwXgbUtFX5JYPgt9Q8=`,
      REFILL_WALLET_LIVE_CREDIT_KEY: KEY,
      REFILL_CARD_LIVE_PEPPER: KEY.toLowerCase(),
      REFILL_LOGIN_GOOGLE_LIVE_CLIENT_SECRETS: 'app.example=GOCSPX-1234567890,other=GOCSPX-0987654321',
      REFILL_TRUSTED_PROXIES: '127.0.0.1',
    }),
  ).toEqual([]);
});

test.each([
  ['', 'REFILL_SHOP is missing: name the folder of your shop, as --shop does.'],
  [process.cwd(), /^REFILL_SHOP is the folder of the program, whose brands are a demonstration: /],
])('the demonstration is none for a live shop: REFILL_SHOP "%s"', (shop, sentence) => {
  expect(look({ REFILL_SHOP: shop })).toEqual([expect.stringMatching(sentence)]);
  expect(look({ REFILL_SHOP: shop }, 'demo')).toEqual([]);
});

const SECRETS = 'REFILL_GAME_STARLANE_LIVE_SECRETS';
test.each([
  ['a guessable word', SECRETS, 'changeme', /has 6 bytes, which is shorter than 24/],
  ['a letter', SECRETS, 'x', /has 0 bytes/],
  ['a prefix without a secret', SECRETS, 'whsec_', /has 0 bytes/],
  ['a second secret that is none', SECRETS, `${GOOD},whsec_short`, /has \d+ bytes, which is shorter/],
  ['no base64', SECRETS, 'whsec_my-secret!my-secret!my-secret!', /is no base64/],
  ['the example of the contract', SECRETS, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /is published/],
  ['one letter', SECRETS, `whsec_${'A'.repeat(32)}`, /repeats a few characters/],
  ['a short key', 'REFILL_WALLET_LIVE_CREDIT_KEY', 'x', /has 1 bytes, which is shorter than 32/],
  ['a short second key', 'REFILL_WALLET_LIVE_CREDIT_KEY', `${KEY},short`, /has 5 bytes, which is shorter than 32/],
  ['the demo key', 'REFILL_WALLET_LIVE_CREDIT_KEY', DEMO_SETTINGS.REFILL_WALLET_DEMO_CREDIT_KEY, /is published/],
  ['the demo pepper', 'REFILL_CARD_LIVE_PEPPER', DEMO_SETTINGS.REFILL_CARD_DEMO_PEPPER, /is published/],
  ['the demo password', 'REFILL_PAYPAL_LIVE_CLIENT_SECRET', 'refill-demo', /is published/],
  ['a provider secret of a word', 'REFILL_PAYPAL_LIVE_CLIENT_SECRET', 'secret', /has 6 bytes, which is shorter than 8/],
])('a live secret may not be %s', (_what, name, value, reason) => {
  const faults = look({ [name]: value });
  expect(faults).toEqual([expect.stringMatching(reason)]);
  expect(faults[0]).toMatch(new RegExp(`^${name} `));
  // A letter and the prefix stand in any sentence.
  expect(value.length > 6 && faults[0]?.includes(value)).toBe(false);
  expect(look({ [name.replace('_LIVE_', '_DEMO_')]: value }, 'demo').filter((one) => !one.includes('base64'))).toEqual(
    [],
  );
});

test.each([
  [SECRETS, GOOD],
  ['REFILL_WALLET_LIVE_CREDIT_KEY', KEY],
  ['REFILL_XSOLLA_LIVE_PROJECT_SECRET', 'abcdefgh12345678'],
])('%s may not be the same in demo', (name, value) => {
  const twin = name.replace('_LIVE_', '_DEMO_');
  expect(look({ [name]: value, [twin]: `other-secret-of-demo,${value}` })).toEqual([
    expect.stringContaining(`${name} is the same as ${twin}`),
  ]);
});

const FUNTAP = {
  REFILL_FUNTAP_DEMO_CREATE_URL: 'http://localhost:9/pay',
  REFILL_FUNTAP_DEMO_MERCHANT_ID: 'm',
  REFILL_FUNTAP_DEMO_SECRET: 's',
};

test.each([
  ['REFILL_PAYPAL_DEMO_CALLS_PER_SECOND', 'ten', 'is "ten": it must be a whole number from 1 to 999999'],
  ['REFILL_PAYPAL_DEMO_CALLS_PER_SECOND', '0', 'is "0": it must be'],
  ['REFILL_PAYPAL_DEMO_CALLS_PER_SECOND', '1000000', 'is "1000000": it must be'],
  ['REFILL_AIRWALLEX_DEMO_WEBHOOK_MAX_AGE_SECONDS', '5m', 'is "5m": it must be a whole number from 1 to 604800'],
  ['REFILL_PAGSMILE_DEMO_NOTIFY_MAX_AGE_SECONDS', '-1', 'is "-1": it must be a whole number from 1 to 604800'],
  ['REFILL_MYCARD_DEMO_CALLBACK_IPS', '218.32.37.0/24', 'has "218.32.37.0/24": it must be IP addresses'],
  ['REFILL_MYCARD_DEMO_PATH_VERSION', 'v2', 'is "v2": it must be one of api, v1.1, v1.2, v1.6'],
  ['REFILL_ADYEN_DEMO_HMAC_KEYS', `${'ab'.repeat(32)},xyz`, 'cannot be used: it must be keys in hex, by commas'],
  ['REFILL_RAZER_DEMO_CHANNEL_PIN', 'pin', 'is "pin": it must be 1 to 6 digits'],
  ['REFILL_CODAPAY_DEMO_PROJECT_ID', '28 9', 'is "28 9": it must be 1 to 15 digits'],
  ['REFILL_XSOLLA_DEMO_PROJECT_ID', 'watt', 'is "watt": it must be 1 to 15 digits'],
  ['REFILL_ALIPAY_DEMO_PUBLIC_KEY', 'abc', 'has "abc": it must be public RSA keys, by commas'],
  ['REFILL_EBANX_DEMO_CERTIFICATES', '-----BEGIN CERTIFICATE-----x', 'it must be one or more certificates in PEM'],
  ['REFILL_PAYPAL_DEMO_PAY_HOSTS', 'https://pay.example', 'has "https://pay.example": it must be hosts'],
  ['REFILL_PAYPAL_DEMO_API_BASE', 'api.example', 'is no address: write it with https:// in front, or unset it'],
  ['REFILL_LOGIN_GOOGLE_DEMO_CLIENT_SECRETS', 'app.example', 'cannot be used: it must be id=secret by commas or lines'],
  ['REFILL_LOGIN_HUAWEI_DEMO_PKCE', 'no', 'is "no": it must be one of on, off'],
])('%s may not be "%s", in demo either', (name, value, words) => {
  expect(look({ [name]: value }, 'demo')).toEqual([expect.stringMatching(`^${name} .*`)]);
  expect(look({ [name]: value }, 'demo')[0]).toContain(words);
  expect(look({ [name.replace('_DEMO_', '_LIVE_')]: value }, 'demo')).toEqual([]);
});

test.each(['USD', 'USD=', 'USD=0x1', 'USd=0', 'USD=4', 'XYZ=0', 'VND=0,VND=2'])('decimals may not be "%s"', (value) => {
  const name = 'REFILL_FUNTAP_DEMO_DECIMALS';
  expect(look({ ...FUNTAP, [name]: value }, 'demo')).toEqual([expect.stringMatching(`^${name} has `)]);
});

test('all faults of one provider are told at once, those of single settings and of all together', () => {
  const faults = look(
    {
      ...FUNTAP,
      REFILL_FUNTAP_DEMO_DECIMALS: 'USD=',
      REFILL_FUNTAP_DEMO_MAX_SKEW_S: '5m',
      REFILL_FUNTAP_DEMO_CALLS_PER_SECOND: 'many',
      REFILL_KAKAO_LIVE_CID: 'TC0ONETIME',
    },
    'demo',
  );
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'REFILL_FUNTAP_DEMO_DECIMALS',
    'REFILL_FUNTAP_DEMO_MAX_SKEW_S',
    'REFILL_FUNTAP_DEMO_CALLS_PER_SECOND',
  ]);
  const kakao = { REFILL_KAKAO_LIVE_SECRET_KEY: 'EfGhIjKlMnOpQrSt', REFILL_KAKAO_LIVE_CID: 'TC0ONETIME' };
  expect(look({ ...kakao, REFILL_KAKAO_LIVE_CALLS_PER_SECOND: '-' })).toEqual([
    expect.stringContaining('REFILL_KAKAO_LIVE_CALLS_PER_SECOND is "-"'),
    expect.stringContaining('live CID cannot be TC0ONETIME'),
  ]);
});

test('a setting that says it is a list or a number has a form', () => {
  const settings = listKnownOwners().flatMap(({ owner, settings: all }) => all.map((one) => ({ owner, ...one })));
  // `checkSecrets` reads those of real names, as of games.
  const described = settings.filter(({ about }) => /commas?\b|seconds|a second/i.test(about));
  expect(described.length).toBeGreaterThan(60);
  expect(described.filter((one) => !formOf(one)).map(({ name, owner }) => `${owner} ${name}`)).toEqual([
    'REALNAME SECRETS',
  ]);
});

const PAYPAL_API = 'REFILL_PAYPAL_LIVE_API_BASE';
test.each([
  ['the sandbox of PayPal', PAYPAL_API, 'https://api-m.sandbox.paypal.com', /leads to a sandbox \(api-m.sandbox/],
  ['a stranger', PAYPAL_API, 'https://api-m.paypal.com.evil.example', /which is no official host/],
  ['plain http', PAYPAL_API, 'http://api-m.paypal.com', /is not https/],
  ['this machine', PAYPAL_API, 'https://127.0.0.1:4430', /leads to this machine/],
  ['this machine by name', PAYPAL_API, 'https://paypal.localhost', /leads to this machine/],
  ['this machine in IPv6', PAYPAL_API, 'https://[::1]', /leads to this machine/],
  ['no address', PAYPAL_API, 'api-m.paypal.com', /is no address/],
  ['a pay page in the sandbox', 'REFILL_PAYPAL_LIVE_PAY_HOSTS', 'www.sandbox.paypal.com', /leads to a sandbox/],
  ['certificates of this machine', 'REFILL_PAYPAL_LIVE_CERT_HOSTS', 'localhost:9', /leads to this machine/],
  ['the test API of Adyen', 'REFILL_ADYEN_LIVE_API_BASE', 'https://checkout-test.adyen.com/v72', /leads to a sandbox/],
  ['the UAT of PayerMax', 'REFILL_PAYERMAX_LIVE_API_BASE', 'https://pay-gate-uat.payermax.com', /leads to a sandbox/],
  [
    'a sandbox by its name',
    'REFILL_FUNTAP_LIVE_CREATE_URL',
    'https://sandbox.funtap.example/pay',
    /leads to a sandbox/,
  ],
  ['a page that only the browser opens', 'REFILL_MYCARD_LIVE_PAY_BASE', 'https://test.mycard520.com.tw/x', /sandbox/],
])('a live address may not be %s', (_what, name, value, reason) => {
  expect(look({ [name]: value })).toEqual([expect.stringMatching(reason)]);
});

test.each([
  ['the official host', { [PAYPAL_API]: 'https://api-m.paypal.com' }],
  ['another region of Alipay', { REFILL_ALIPAY_LIVE_API_BASE: 'https://open-de-global.alipay.com' }],
  [
    'an own prefix of Adyen',
    { REFILL_ADYEN_LIVE_API_BASE: 'https://1797a841fbb37ca7-x-checkout-live.adyenpayments.com/checkout/v72' },
  ],
  [
    'the host that a contract names',
    { [PAYPAL_API]: 'https://api.partner.com', REFILL_PAYPAL_LIVE_ALLOW_HOST: 'api.partner.com' },
  ],
  ['an address that is published nowhere', { REFILL_FUNTAP_LIVE_CREATE_URL: 'https://pay.funtap.example/pay' }],
  ['the shop itself', { REFILL_PAGSMILE_LIVE_WEBSITE_URL: 'https://pay.watt.example' }],
])('a live address may be %s', (_what, variables) => {
  expect(look(variables)).toEqual([]);
});

test('every official address that an adapter knows by itself is accepted when it is written out', () => {
  for (const provider of shopProviders) {
    const bases = provider.settings.filter(({ name }) => name === 'API_BASE');
    for (const { name } of bases) {
      let hosts: readonly string[] = [];
      try {
        hosts = provider.apiHosts({}, 'live');
      } catch {
        continue;
      }
      const variable = `REFILL_${provider.name.toUpperCase()}_LIVE_${name}`;
      expect(look({ [variable]: `https://${hosts[0]}` })).toEqual([]);
    }
  }
});

test.each([
  ['plain http', 'http://game.publisher.com', /is not https/],
  ['this machine', 'https://localhost:8443/game', /leads to this machine/],
  ['no address', 'game.publisher.com', /is no address/],
])('a live game may not be at %s', (_what, value, reason) => {
  expect(look({ REFILL_GAME_STARLANE_LIVE_URL: value })).toEqual([expect.stringMatching(reason)]);
});

test('settings that an adapter refuses are told before they are used, in both environments', () => {
  const kakao = { REFILL_KAKAO_LIVE_SECRET_KEY: 'PRD1234567890', REFILL_KAKAO_LIVE_CID: 'TC0ONETIME' };
  expect(look(kakao)).toEqual([expect.stringMatching(/^REFILL_KAKAO_LIVE_\* cannot be used: .*TC0ONETIME/)]);
  const google = { REFILL_LOGIN_GOOGLE_DEMO_ISSUER: 'ftp://x', REFILL_LOGIN_GOOGLE_DEMO_CLIENT_SECRET: 'y' };
  expect(look(google, 'demo')).toEqual([
    expect.stringMatching(/^REFILL_LOGIN_GOOGLE_DEMO_\* cannot be used: .*ISSUER/),
  ]);
});

test('certificates are always checked in live', () => {
  expect(look({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is 0/),
  ]);
  expect(look({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
});

test.each([
  ['REFILL_ROEL', 'did you mean REFILL_ROLE?'],
  ['REFILL_TRUSTED_PROXY', 'did you mean REFILL_TRUSTED_PROXIES?'],
  ['REFILL_PAYPAL_LVIE_CLIENT_ID', 'did you mean REFILL_PAYPAL_LIVE_CLIENT_ID?'],
  ['REFILL_PAYPAL_LIVE_CLIENTID', 'did you mean REFILL_PAYPAL_LIVE_CLIENT_ID?'],
  ['REFILL_PAYPAL_LIVE_PASSWORD', 'paypal has CLIENT_ID, CLIENT_SECRET'],
  ['REFILL_PAYPAL_DEMO_ALLOW_HOST', 'paypal has'],
  ['REFILL_PAYPLA_LIVE_WEBHOOK_IDS', 'did you mean REFILL_PAYPAL_LIVE_WEBHOOK_IDS?'],
  ['REFILL_GAME_STARLANE_LIVE_BASE', 'game starlane has URL, SECRETS'],
  ['REFILL_GMAE_STARLANE_LIVE_URL', 'did you mean REFILL_GAME_STARLANE_LIVE_URL?'],
  ['REFILL_GAME_STARLINE_LIVE_URL', 'did you mean REFILL_GAME_STARLANE_LIVE_URL?'],
  ['REFILL_GAME_OTHER_LIVE_URL', 'there are GAME_STARLANE'],
  ['REFILL_LOGIN_GOGLE_LIVE_CLIENT_SECRET', 'did you mean REFILL_LOGIN_GOOGLE_LIVE_CLIENT_SECRET?'],
  ['REFILL_PAYPAL_SANDBOX_CLIENT_ID', 'docs/settings.md'],
])('%s is no setting', (name, remedy) => {
  const owners = [...listKnownOwners(), ...listKnownGames(['starlane'])];
  expect(checkNames([name, 'PATH', 'HOME'], owners, true)).toEqual([
    { name, reason: 'is no setting', remedy: expect.stringContaining(remedy) as string },
  ]);
});

test('unknown names stop a demonstration as well, and a game is any while nothing is applied', () => {
  expect(look({ REFILL_ROEL: 'web' }, 'demo')).toEqual(['REFILL_ROEL is no setting: did you mean REFILL_ROLE?']);
  const known = [
    'REFILL_DATA',
    'DATABASE_URL_FILE',
    'REFILL_ADYEN_LIVE_API_KEY_FILE',
    'REFILL_GAME_ANY_LIVE_SECRETS_FILE',
  ];
  expect(checkNames(known, listKnownOwners(), false)).toEqual([]);
});

test.each([
  ['postgres://u:p@db.example/refill', true],
  ['postgres://u:p@db.example/refill?sslmode=disable', true],
  ['postgres://u:p@db.example/refill?sslmode=verify-full', false],
  ['postgres://u:p@127.0.0.1/refill', false],
  ['postgres://u:p@localhost/refill', false],
  ['postgres:///refill?host=/var/run/postgresql', false],
])('the way to %s is in clear: %s', (url, isWarned) => {
  const { config } = inspectConfig({
    DATABASE_URL: url,
    REFILL_DATA: '/var/lib/refill',
    REFILL_TRUSTED_PROXIES: '127.0.0.1',
  });
  expect(warnOfMachine(config).map(({ name }) => name)).toEqual(isWarned ? ['DATABASE_URL'] : []);
  expect(JSON.stringify(warnOfMachine(config))).not.toContain(':p@');
});

test.each([
  ['127.0.0.1', '1', '/var/lib/refill/callbacks', []],
  ['::1', '1', '/var/lib/refill/callbacks', []],
  ['0.0.0.0', '1', '/var/lib/refill/callbacks', ['REFILL_OPERATOR_HOST']],
  ['::', '1', '/var/lib/refill/callbacks', ['REFILL_OPERATOR_HOST']],
  ['10.0.0.7', '1', '/var/lib/refill/callbacks', ['REFILL_OPERATOR_HOST']],
  ['0.0.0.0', '0', '/var/lib/refill/callbacks', []],
  ['127.0.0.1', '1', '/tmp/refill', ['REFILL_CALLBACK_RECORD']],
  ['127.0.0.1', '1', '/dev/shm/x', ['REFILL_CALLBACK_RECORD']],
])("the operator's port %s:%s and callbacks in %s: %j", (host, port, folder, names) => {
  const { config } = inspectConfig({
    DATABASE_URL,
    REFILL_TRUSTED_PROXIES: '127.0.0.1',
    REFILL_OPERATOR_HOST: host,
    REFILL_OPERATOR_PORT: port,
    REFILL_CALLBACK_RECORD: folder,
  });
  expect(warnOfMachine(config).map(({ name }) => name)).toEqual(names);
});

test.each([
  [{ REFILL_OPERATOR_TOKEN: 'x'.repeat(24) }, /^REFILL_OPERATOR_TOKEN repeats a few characters/],
  [{ REFILL_OPERATOR_TOKEN: KEY, REFILL_KEY_SECRETS: KEY }, /^REFILL_KEY_SECRETS is the same as REFILL_OPERATOR_TOKEN/],
  [
    { REFILL_WALLET_LIVE_CREDIT_KEY: KEY, REFILL_CARD_LIVE_PEPPER: KEY },
    /^REFILL_(WALLET_LIVE_CREDIT_KEY|CARD_LIVE_PEPPER) is the same as REFILL_/,
  ],
  [{ REFILL_KEY_SECRETS: KEY, REFILL_CARD_LIVE_PEPPER: KEY }, /^REFILL_KEY_SECRETS is the same as REFILL_CARD/],
  [{ REFILL_WEBHOOK_PRIVATE_HOSTS: '169.254.169.254' }, /^REFILL_WEBHOOK_PRIVATE_HOSTS names 169\.254\.169\.254/],
  [{ REFILL_GAME_STARLANE_LIVE_URL: 'https://169.254.169.254/x' }, /leads to the credentials of a machine/],
])('%j is refused in live', (variables, reason) => {
  const faults = look(variables as Record<string, string>);
  expect(faults).toEqual([expect.stringMatching(reason)]);
  expect(faults[0]).not.toContain(KEY);
});

test('games of one server may share its secret', () => {
  const shared = { REFILL_GAME_STARLANE_LIVE_SECRETS: GOOD, REFILL_GAME_EMBERFALL_LIVE_SECRETS: GOOD };
  expect(look(shared)).toEqual([]);
});

test('a live web process without a proxy is warned of, a worker is not', () => {
  const warnings = (role: string) =>
    warnOfMachine(inspectConfig({ DATABASE_URL, REFILL_DATA: '/var/lib/refill', REFILL_ROLE: role }).config);
  expect(warnings('all').map(({ name }) => name)).toEqual(['REFILL_TRUSTED_PROXIES']);
  expect(warnings('worker')).toEqual([]);
});

test.each(['localhost', 'LOCALHOST.', 'a.localhost', '127.9.9.9', '0.0.0.0', '[::1]', '::', ''])(
  '%s is this machine',
  (host) => {
    expect(isOwnMachine(host)).toBe(true);
  },
);

test.each(['10.0.0.1', 'localhost.example', '128.0.0.1', '[2001:db8::1]'])('%s is another machine', (host) => {
  expect(isOwnMachine(host)).toBe(false);
});
