// Tests 31 and 34: tokens of other companies that prove nothing, and a subject that several of them know.
import type { LoginKind } from '#contracts/logins.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { TestShop } from '#testing/shop.ts';
import { openLoginBrowser, refuseLogin } from './login-walk.ts';
import type { SecurityTest } from './security-test.ts';
import { FORGERIES, FORGED_PROVIDERS, type ForgedProvider, openTokenForge } from './token-forge.ts';

const KIND: Readonly<Record<ForgedProvider, LoginKind>> = { google: 'google', apple: 'ios', huawei: 'huawei' };

const forgedTokens: SecurityTest = {
  number: '31',
  asvs: '9.1.x, 9.2.x',
  about: 'twelve forged id_tokens each of Google, Apple and Huawei; keys fetched again at most every 30 s',
  run: async (round) => {
    const { harness, defer, allowed, holds } = round;
    const forge = await openTokenForge();
    defer(forge.close);
    const environment = { ...(await harness.simulators()).environment };
    for (const provider of Object.keys(FORGED_PROVIDERS) as ForgedProvider[]) {
      const base = forge.issuerOf(provider);
      const ends = {
        ISSUER: base,
        AUTHORIZE_URL: `${base}/auth`,
        TOKEN_URL: `${base}/token`,
        JWKS_URL: `${base}/jwks`,
      };
      for (const [name, value] of Object.entries(ends))
        environment[`REFILL_LOGIN_${provider.toUpperCase()}_DEMO_${name}`] = value;
    }
    const shop = await harness.makeShop({ environment });
    defer(() => shop.close());
    const began = performance.now();
    const brands = shop.configuration.brands;
    for (const provider of Object.keys(FORGED_PROVIDERS) as ForgedProvider[]) {
      const kind = KIND[provider];
      const attempt = async (forgery: string | null) => {
        const browser = openLoginBrowser(shop);
        const { content } = await browser.begin(kind);
        const asked = new URL(content.url).searchParams;
        const others = brands.get('brandEn' as BrandKey)?.file.logins;
        const wanted = {
          audience: asked.get('client_id') ?? '',
          nonce: asked.get('nonce') ?? '',
          // Huawei has one audience for all brands: there another app of the same company stands in.
          otherBrandsAudience:
            (provider === 'google'
              ? others?.googleClientId
              : provider === 'apple'
                ? others?.appleServicesId
                : '102030406') ?? '',
        };
        const token = forge.forge(provider, wanted, forgery);
        const fields = {
          authorization_code: 'a-code',
          state: content.state,
          ...(provider === 'apple' ? { identity_token: token } : {}),
        };
        return { browser, answer: await browser.finish(kind, fields) };
      };
      const good = await attempt(null);
      allowed(`${provider}: a good token`, good.answer.code === 1, good.answer.text);
      for (const forgery of Object.keys(FORGERIES)) {
        const { browser, answer } = await attempt(forgery);
        refuseLogin(round, shop, browser, `${provider}: ${forgery}`, answer, undefined);
      }
      for (let n = 0; n < 8; n += 1) {
        const { browser, answer } = await attempt('an unknown kid');
        refuseLogin(round, shop, browser, `${provider}: a new unknown kid`, answer, undefined);
      }
      const most = 2 + Math.floor((performance.now() - began) / 30_000);
      holds(
        `${provider}: its keys are fetched at most every 30 s`,
        forge.keyFetches[provider] >= 1 && forge.keyFetches[provider] <= most,
        forge.keyFetches,
      );
    }
  },
};

const sameSubject: SecurityTest = {
  number: '34',
  asvs: '6.8.1, 10.5.2',
  about: 'one subject at Google, Apple and Huawei: as many identities',
  run: async (round) => {
    const { harness, defer, allowed, holds } = round;
    const forge = await openTokenForge();
    defer(forge.close);
    const environment = { ...(await harness.simulators()).environment };
    for (const provider of Object.keys(FORGED_PROVIDERS) as ForgedProvider[])
      for (const [name, end] of [
        ['ISSUER', ''],
        ['AUTHORIZE_URL', '/auth'],
        ['TOKEN_URL', '/token'],
        ['JWKS_URL', '/jwks'],
      ] as const)
        environment[`REFILL_LOGIN_${provider.toUpperCase()}_DEMO_${name}`] = forge.issuerOf(provider) + end;
    const shop = await harness.makeShop({ environment });
    defer(() => shop.close());
    const suids: string[] = [];
    for (const brand of ['watt', 'brandEn']) {
      for (const provider of Object.keys(FORGED_PROVIDERS) as ForgedProvider[]) {
        const browser = openLoginBrowser(shop, brand, brand === 'watt' ? '70021' : clientOf(shop, brand));
        const { content } = await browser.begin(KIND[provider]);
        const asked = new URL(content.url).searchParams;
        const token = forge.forge(
          provider,
          { audience: asked.get('client_id') ?? '', nonce: asked.get('nonce') ?? '', otherBrandsAudience: '' },
          null,
        );
        const answer = await browser.finish(KIND[provider], {
          authorization_code: 'a-code',
          state: content.state,
          ...(provider === 'apple' ? { identity_token: token } : {}),
        });
        allowed(`${brand}, ${provider}`, answer.code === 1, answer.text);
        suids.push(`${brand}/${answer.content?.suid}`);
      }
    }
    holds('all of them are different players', new Set(suids).size === suids.length, suids);
    const { rows } = await shop.db.query<{ players: number; identities: number }>(
      `select count(distinct player_id)::integer as players, count(*)::integer as identities from player_identity
        where subject like '%player-1'`,
    );
    holds(
      'an identity and a player each',
      rows[0]?.players === suids.length && rows[0].identities === suids.length,
      rows[0],
    );
  },
};

function clientOf(shop: TestShop, brand: string): string {
  const game = shop.configuration.games.get(shop.configuration.brands.get(brand as BrandKey)?.file.games[0] as never);
  return game?.file.subGames?.[0]?.clientId ?? game?.file.clients.web ?? '';
}

export const TOKEN_TESTS: readonly SecurityTest[] = [forgedTokens, sameSubject];
