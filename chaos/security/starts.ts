// Tests 43 and 51: starts that would open production to anybody, and a demonstration on somebody else's database.
import type { BrandKey } from '#kernel/ids.ts';
import { assignDatabase } from '#scripts/start/start-database.ts';
import { addAccount } from '#server/modules/accounts/operate-account.ts';
import { inspectConfig } from '#server/platform/config.ts';
import { transaction } from '#server/platform/database/db.ts';
import { assignForDemonstration } from '#server/platform/database/demonstration.ts';
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_SETTINGS } from '#server/platform/settings/published.ts';
import { loginProviders } from '#server/providers/identity/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { checkTraces } from '#server/serve/check-database.ts';
import { checkSettings } from '#server/serve/preflight.ts';
import type { SecurityTest } from './security-test.ts';

const LIVE = {
  DATABASE_URL: 'postgres://shop@127.0.0.1/refill',
  REFILL_ENVIRONMENT: 'live',
  REFILL_SHOP: '/srv/my-shop',
};
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const SHARED = 'q8Xz1LrW0vYc5TnB7mKd3GhJ9pAs2EfU';

/** Production was seen to start with these, each with the hole that it opened. */
const UNSAFE: readonly (readonly [what: string, variables: Readonly<Record<string, string>>])[] = [
  ['a game secret of six bytes: any account by a ticket', { REFILL_GAME_STARLANE_LIVE_SECRETS: 'changeme' }],
  ['a game secret of a letter', { REFILL_GAME_STARLANE_LIVE_SECRETS: 'x' }],
  ['a game secret of nothing', { REFILL_GAME_STARLANE_LIVE_SECRETS: 'whsec_' }],
  [
    'one game secret for both sides',
    { REFILL_GAME_STARLANE_LIVE_SECRETS: SECRET, REFILL_GAME_STARLANE_DEMO_SECRETS: SECRET },
  ],
  ['the example of the contract', { REFILL_GAME_STARLANE_LIVE_SECRETS: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  ['a credit key of a letter: money for anybody', { REFILL_WALLET_LIVE_CREDIT_KEY: 'x' }],
  ['the published credit key', { REFILL_WALLET_LIVE_CREDIT_KEY: DEMO_SETTINGS.REFILL_WALLET_DEMO_CREDIT_KEY }],
  ['the published pepper of cards', { REFILL_CARD_LIVE_PEPPER: DEMO_SETTINGS.REFILL_CARD_DEMO_PEPPER }],
  ["a token of one letter: the operator's port for anybody", { REFILL_OPERATOR_TOKEN: 'x'.repeat(24) }],
  ['one secret for keys and cards', { REFILL_KEY_SECRETS: SHARED, REFILL_CARD_LIVE_PEPPER: SHARED }],
  ['one secret for cards and balances', { REFILL_WALLET_LIVE_CREDIT_KEY: SHARED, REFILL_CARD_LIVE_PEPPER: SHARED }],
  ['webhooks to the credentials of the machine', { REFILL_WEBHOOK_PRIVATE_HOSTS: '169.254.169.254' }],
  ['a pepper of a letter', { REFILL_CARD_LIVE_PEPPER: 'x' }],
  [
    'the sandbox of a provider: goods for play money',
    { REFILL_PAYPAL_LIVE_API_BASE: 'https://api-m.sandbox.paypal.com' },
  ],
  ['a provider on this machine', { REFILL_ADYEN_LIVE_API_BASE: 'https://localhost:9/v72' }],
  ['a provider without TLS', { REFILL_XSOLLA_LIVE_API_BASE: 'http://api.xsolla.com' }],
  ['a provider that is a stranger', { REFILL_PAYERMAX_LIVE_API_BASE: 'https://pay-gate.payermax.com.evil.example' }],
  ['a game without TLS: passwords in clear', { REFILL_GAME_STARLANE_LIVE_URL: 'http://game.publisher.example' }],
  ['certificates that nobody checks', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
  ['a proxy list that is one address by accident', { REFILL_TRUSTED_PROXIES: '1' }],
  ['a proxy list of everybody', { REFILL_TRUSTED_PROXIES: '0.0.0.0/0' }],
  ['a proxy list of everybody in two halves', { REFILL_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }],
  ['a proxy by its name', { REFILL_TRUSTED_PROXIES: 'proxy.internal' }],
  ['the demonstration brands of the program', { REFILL_SHOP: '.' }],
  ['a misspelt name: the setting stays at its default', { REFILL_TRUSTED_PROXY: '10.0.0.1' }],
];

const unsafeStarts: SecurityTest = {
  number: '43',
  asvs: '13.2.2, 11.2.3',
  about: 'live starts with weak, published or shared secrets, sandbox or plain addresses, open proxies',
  run: async ({ refused, allowed, holds }) => {
    const faultsOf = (variables: Readonly<Record<string, string>>): string[] => {
      const { config, findings } = inspectConfig({ ...LIVE, ...variables });
      const parts = {
        config,
        environment: 'live',
        providers: shopProviders,
        logins: loginProviders,
        now: Date.now,
      } as const;
      return [...findings, ...checkSettings(parts)].map((one) => `${one.name} ${one.reason}: ${one.remedy}`);
    };
    for (const [what, variables] of UNSAFE) {
      const faults = faultsOf(variables);
      refused(what, faults.length > 0, variables);
      for (const value of Object.values(variables).filter((one) => one.length > 6 && !one.includes('/')))
        holds(
          `${what}: the value is not told`,
          !/SECRETS|KEY|PEPPER/.test(Object.keys(variables)[0] ?? '') || !faults.join().includes(value),
        );
    }
    const good = {
      REFILL_GAME_STARLANE_LIVE_URL: 'https://game.publisher.example',
      REFILL_GAME_STARLANE_LIVE_SECRETS: SECRET,
      REFILL_TRUSTED_PROXIES: '10.0.0.0/24',
    };
    allowed('settings with which nothing is wrong', faultsOf(good).length === 0, faultsOf(good));
    const contract = {
      REFILL_PAYPAL_LIVE_API_BASE: 'https://api.partner.example',
      REFILL_PAYPAL_LIVE_ALLOW_HOST: 'api.partner.example',
    };
    allowed('a host that the operator names outright', faultsOf(contract).length === 0, faultsOf(contract));
  },
};

const foreignDatabase: SecurityTest = {
  number: '51',
  asvs: '6.3.2, 13.4.1',
  about: 'a demonstration on the database of a shop; published accounts in a live one',
  run: async ({ harness, refused, allowed, holds, defer }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    for (const environment of [undefined, 'demo']) {
      const fault = await assignDatabase(shop.databaseUrl, environment).then(
        () => null,
        (error: Error) => error.message,
      );
      refused('npm start on the database of a shop', fault !== null);
      holds('it says what to use instead', /refill -- serve/.test(fault ?? ''), fault);
    }
    const traces = () => checkTraces(shop.db, shop.configuration);
    allowed('a database without traces', (await traces()).length === 0, await traces());
    const [brand] = [...shop.configuration.brands.values()].filter(({ file }) => file.accounts === 'builtin');
    for (const login of DEMO_LOGINS)
      await transaction(shop.db, (client) =>
        addAccount(client, { brandKey: brand?.key as BrandKey, username: login, suid: login, password: DEMO_PASSWORD }),
      );
    const found = await traces();
    refused(
      'a live start on published accounts',
      found.some(({ reason }) => DEMO_LOGINS.every((login) => reason.includes(login))),
      found,
    );
    await assignForDemonstration(shop.databaseUrl, 'any');
    refused('a live start on a demonstration', (await traces()).length > found.length, await traces());
  },
};

export const START_TESTS: readonly SecurityTest[] = [unsafeStarts, foreignDatabase];
