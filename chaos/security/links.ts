// Tests 44, 45 and 52: links and names that decide by themselves whose account it is, and where a browser goes.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { CODES } from '#contracts/errors.ts';
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { signCall } from '#server/modules/wallet/signature.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { TestPlayer, TestShop } from '#testing/shop.ts';
import { WHO, whoIs } from './people.ts';
import { LEGACY_BRAND } from './test-harness.ts';
import type { SecurityTest } from './security-test.ts';

const HOST = `${LEGACY_BRAND}.demo.localhost`;
const GAME_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const CREDIT_KEY = 'credit-key-for-tests-0123456789';
export const GAME = {
  REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:1/game',
  REFILL_GAME_STARLANE_DEMO_SECRETS: GAME_SECRET,
};

export type Pages = Awaited<ReturnType<Parameters<SecurityTest['run']>[0]['harness']['makePages']>>;

/** The session that a page address left in the browser; empty for none. */
async function follow(app: Pages, url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers: { host: HOST, accept: 'text/html', ...headers } });
  const cookies = answer.cookies as { name: string; value: string }[];
  const named = (name: string) => cookies.find((one) => one.name === name)?.value ?? '';
  return { to: String(answer.headers.location), session: named('refill-demo'), question: named('refill-demo-link') };
}

const handOut = async (shop: TestShop, player: TestPlayer, bound: Bound = { client_id: '70021' }) =>
  (
    await openSession(shop.db, {
      playerId: player.playerId,
      brandKey: player.brand as BrandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: null,
      bound,
      isAddressToken: true,
    })
  ).token;

/** A ticket or a code for this player, as a game's server asks for it. */
export async function askTicket(app: Pages, userId: string, host: string, signedFor = host, kind = 'ticket') {
  const id = `msg_${randomUUID()}`;
  const body = JSON.stringify({ to: `${signedFor}/service/tickets/70021`, user_id: userId, username: 'x', kind });
  const answer = await app.inject({
    method: 'POST',
    url: '/service/tickets/70021',
    headers: {
      host,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Webhook(GAME_SECRET).sign(id, new Date(), body),
    },
    payload: body,
  });
  const { ticket = '', code = '' } = answer.json<{ ticket?: string; code?: string }>();
  return { status: answer.statusCode, ticket, code };
}

const links: SecurityTest = {
  number: '52',
  asvs: '7.6.2, 14.2.1',
  about: 'a link opens no account by itself: tokens of browsers, arrivals from other sites, tickets sent elsewhere',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop({ environment: GAME });
    defer(() => shop.close());
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const attacker = await shop.logIn({ brand: LEGACY_BRAND });

    const own = await follow(app, `/?oauth_token=${attacker.token}`);
    refused("the token of the attacker's own browser, in an address", own.session === '' && own.question === '', own);
    const call = await shop.get(`${WHO}&oauth_token=${attacker.token}`, { brand: LEGACY_BRAND });
    refused('the same in a call', call.code === CODES.notLoggedIn.code, call.text);

    const token = await handOut(shop, attacker);
    await shop.services.accounts.saveAccount({
      brandKey: LEGACY_BRAND as BrandKey,
      username: 'The Attacker',
      suid: 'attacker-1',
      password: 'correct horse',
    });
    for (const [name, headers] of [
      ['from another site', { 'sec-fetch-site': 'cross-site' }],
      ['from another name of this site', { 'sec-fetch-site': 'same-site' }],
      ['from another site by its Referer', { referer: 'https://evil.example/' }],
      ['in a frame of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
    ] as const)
      for (const [kind, key] of [
        ['token', `oauth_token=${token}`],
        ['ticket', `ticket=${(await askTicket(app, 'attacker-1', HOST)).ticket}`],
      ] as const) {
        const met = await follow(app, `/selectGoods?${key}`, headers);
        refused(`a ${kind} ${name}`, met.session === '' && met.to === '/login-link', met);
      }
    const asked = await follow(app, `/selectGoods?oauth_token=${token}`, { 'sec-fetch-site': 'cross-site' });
    const page = await app.inject({
      url: '/login-link',
      headers: { host: HOST, cookie: `refill-demo-link=${asked.question}` },
    });
    holds('the page names the account', page.body.includes(attacker.username), page.body.length);
    holds('and nobody frames it', String(page.headers['content-security-policy']).includes("frame-ancestors 'none'"));
    const opened = await follow(app, `/?oauth_token=${token}`, { 'sec-fetch-site': 'none' });
    allowed('the same link opened by the game', (await whoIs(shop, opened.session, LEGACY_BRAND)).code === 1, opened);

    const elsewhere = await askTicket(app, 'attacker-1', HOST, 'watt.demo.localhost');
    refused('a call for a ticket that was signed for another brand', elsewhere.status === 401, elsewhere);
    const there = await askTicket(app, 'attacker-1', HOST);
    allowed('the same for this one', there.status === 200, there);
  },
};

const names: SecurityTest = {
  number: '44',
  asvs: '8.2.2, 8.3.1',
  about: 'credits go to an id: a nickname neither receives nor blocks one, and a call is good at one host only',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const credit = async (who: Record<string, string>, signedFor = 'watt.demo.localhost') => {
      const body = JSON.stringify({
        external_id: randomUUID(),
        ...who,
        currency: 'USD',
        amount_minor: 777,
        kind: 'paid',
        reason: 'test',
      });
      const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
      const path = '/internal/wallet/credit';
      const signature = signCall(CREDIT_KEY, {
        method: 'POST',
        host: signedFor,
        path,
        timestamp,
        nonce,
        body: Buffer.from(body),
      });
      const headers = {
        host: 'watt.demo.localhost',
        'content-type': 'application/json',
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': signature,
      };
      return (await shop.app.inject({ method: 'POST', url: path, headers, payload: body })).statusCode;
    };
    const balanceOf = async ({ playerId }: TestPlayer) =>
      (
        await shop.db.query(
          `select coalesce(sum(balance_minor), 0)::integer as sum from wallet_account
            where player_id = $1 and kind = 'paid'`,
          [playerId],
        )
      ).rows[0].sum;
    const thief = await shop.logIn();
    await shop.db.query(`update player set username = '917953001' where player_id = $1`, [thief.playerId]);
    for (const who of [{ user_id: '917953001' }, { login: '917953001' }, { account: '917953001' }])
      refused(`a credit by ${Object.keys(who)[0]} for a nickname`, (await credit(who)) !== 200);
    const owner = await shop.logIn();
    await shop.db.query(`update player set suid = '917953001' where player_id = $1`, [owner.playerId]);
    allowed('the credit of its owner', (await credit({ user_id: '917953001' })) === 200);
    holds('arrives there and nowhere else', (await balanceOf(owner)) === 777 && (await balanceOf(thief)) === 0);
    refused(
      'a call that was signed for another shop',
      (await credit({ user_id: '917953001' }, 'joynet.demo.localhost')) === 401,
    );
  },
};

/** As `encodeURI` would not leave them: what a hostile link has in its path. */
const NASTY = [
  '//evil.example/x',
  '/\\evil.example/x',
  '/.//evil.example/x',
  '/x/..//evil.example/x',
  '/%2e//evil.example/x',
  '/x/%2e%2e//evil.example/x',
  '//evil.example%2f@x',
  '/%5cevil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
];

const redirects: SecurityTest = {
  number: '45',
  asvs: '3.7.2',
  about: 'nasty paths in a link, before and behind the question: every redirect stays on this host',
  run: async ({ harness, defer, refused, holds }) => {
    const shop = await harness.shop();
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const stays = (to: string) => new URL(to, `http://${HOST}/login-link`).host === HOST && !/[\r\n]/.test(to);
    for (const path of NASTY) {
      const player = await shop.logIn({ brand: LEGACY_BRAND });
      const url = `${path}?oauth_token=${await handOut(shop, player)}`;
      for (const choice of ['switch', 'stay', 'gone']) {
        const asked = await follow(app, url, { 'sec-fetch-site': 'cross-site' });
        refused(`${path}: the link itself`, stays(asked.to), asked.to);
        if (asked.question === '') continue;
        const headers = { host: HOST, cookie: `refill-demo-link=${asked.question}`, 'sec-fetch-site': 'same-origin' };
        if (choice === 'gone') await shop.db.query(`update login_link set expires_at = now()`);
        const answer = await app.inject({
          method: 'POST',
          url: '/login-link',
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          payload: `choice=${choice}`,
        });
        const to = String(answer.headers.location);
        refused(`${path}: behind "${choice}"`, stays(to) && !to.startsWith('//'), to);
      }
    }
    const { rows } = await shop.db.query<{ return_to: string }>('select return_to from login_link');
    holds(
      'the database keeps paths of ours only',
      rows.every((row) => stays(row.return_to)),
      rows.length,
    );
  },
};

export const LINK_TESTS: readonly SecurityTest[] = [links, names, redirects];
