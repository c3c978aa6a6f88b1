// Tests 1 and 2: tokens in addresses, and what the log keeps of everything secret that passes by.
import { randomBytes } from 'node:crypto';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { PAY, callBack, eventOn, pay, placeOrder, showRoles } from '#testing/pay.ts';
import { callsOf } from '../kit/routes.ts';
import { encodeQuery } from './encode-query.ts';
import { logIn, makeAccount, tokenOf, whoIs } from './people.ts';
import { LEGACY_BRAND, serve } from './test-harness.ts';
import type { SecurityTest } from './security-test.ts';

/** Pages that a game may open with a token of its own. @source specification section 2 */
const ENTRIES = ['/', '/selectGoods', '/userCenter', '/my', '/@starlane'];

const tokenInAddress: SecurityTest = {
  number: '1',
  asvs: '14.2.1',
  about: 'pages opened with a token in their address: 303 without it, a cookie, nothing left in the page',
  needsBrowser: true,
  run: async ({ harness, defer, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const { playerId } = await shop.logIn({ brand: LEGACY_BRAND });
    const open = () =>
      openSession(shop.db, {
        playerId,
        brandKey: LEGACY_BRAND as BrandKey,
        kind: 'sdk',
        authMethod: 'sdk',
        replaces: null,
        isAddressToken: true,
      });
    const host = `${LEGACY_BRAND}.demo.localhost`;
    for (const path of ENTRIES) {
      const { token } = await open();
      const answer = await app.inject({
        url: `${path}?client_id=70021&oauth_token=${token}&domain_area=global`,
        headers: { host, accept: 'text/html' },
      });
      const to = String(answer.headers.location);
      refused(
        `${path}: the token in the address`,
        answer.statusCode === 303 && !to.includes(token) && !to.includes('oauth_token'),
        [answer.statusCode, to],
      );
      holds(`${path}: the other keys stay`, to.includes('client_id=70021') && to.includes('domain_area=global'), to);
      holds(
        `${path}: no-store, no-referrer, noindex`,
        answer.headers['cache-control'] === 'no-store' &&
          answer.headers['referrer-policy'] === 'no-referrer' &&
          answer.headers['x-robots-tag'] === 'noindex',
        answer.headers,
      );
      const cookie = (answer.cookies as { name: string; value: string }[]).find(({ name }) => name === 'refill-demo');
      allowed(
        `${path}: a session in a cookie`,
        cookie !== undefined && (await whoIs(shop, cookie.value, LEGACY_BRAND)).code === 1,
        answer.headers['set-cookie'],
      );
      const wrong = await app.inject({
        url: `${path}?oauth_token=rf1_${randomBytes(32).toString('base64url')}`,
        headers: { host, accept: 'text/html' },
      });
      refused(
        `${path}: a token that nobody has`,
        wrong.statusCode === 303 && !JSON.stringify(wrong.headers['set-cookie'] ?? '').includes('refill-demo='),
        wrong.headers,
      );
    }

    const port = await serve(app);
    const browser = await harness.browser();
    const context = await browser.newContext();
    defer(() => context.close());
    const page = await context.newPage();
    const { token } = await open();
    const sent: string[] = [];
    page.on(
      'request',
      (request) =>
        void request.allHeaders().then(
          (headers) => sent.push(`${request.url()} ${headers['referer'] ?? ''}`),
          () => undefined,
        ),
    );
    await page.goto(`http://${host}:${port}/selectGoods?oauth_token=${token}&client_id=70021`, {
      waitUntil: 'networkidle',
    });
    const left = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        document.referrer,
        performance.getEntries().map(({ name }) => name),
        history.state,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
      ]),
    );
    holds(
      'nothing of the page has the token',
      !left.includes(token) && left.includes('/selectGoods?client_id=70021'),
      left,
    );
    const after = sent.filter((one) => one.includes(token));
    holds('no request but the first carries it', after.length === 1 && sent.length > 3, after);
  },
};

const NAMES = [
  'oauth_token',
  'ticket',
  'code',
  'authorization_code',
  'identity_token',
  'fb_access_token',
  'vk_access_token',
  'oauth_verifier',
  'state',
  'password',
  'card_info',
  'card_password',
];

const silentLog: SecurityTest = {
  number: '2',
  asvs: '16.2.5',
  about:
    'twelve secrets in queries, bodies and headers of every call, a login, a payment, faults and 404s: the log ' +
    'knows none',
  run: async ({ harness, defer, allowed, refused, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const secrets = Object.fromEntries(NAMES.map((name) => [name, `zz${randomBytes(12).toString('hex')}`]));
    const header = {
      bearer: `rf1_${randomBytes(32).toString('base64url')}`,
      cookie: randomBytes(16).toString('hex'),
      key: randomBytes(16).toString('hex'),
    };
    const headers = {
      authorization: `Bearer ${header.bearer}`,
      cookie: `refill-demo=${header.cookie}; other=${header.cookie}`,
      'x-api-key': header.key,
    };
    const query = encodeQuery(secrets);
    for (const { method, path, input } of callsOf(shop.app)) {
      await shop.get(`${path}?${query}`, { headers });
      if (method === 'POST') await shop.post(path, { ...input, ...secrets }, { headers });
    }
    for (const path of [
      '/',
      '/nowhere',
      '/selectGoods',
      '/api/nowhere',
      '/%zz',
      '/util/login/callback/google',
      '/util/login/callback/nobody',
      '/return/paypal',
      '/pay/paypal/x',
      '/assets/x.js',
    ]) {
      for (const accept of ['text/html', '*/*']) {
        const answer = await app.inject({
          url: `${path}?${query}`,
          headers: { host: 'watt.demo.localhost', accept, ...headers },
        });
        refused(
          `${path} says nothing of it`,
          answer.statusCode === 303 ||
            !Object.values(secrets).some((secret) => answer.body.includes(secret)) ||
            path.startsWith('/util/login/callback/'),
          answer.body,
        );
      }
      await app.inject({
        method: 'POST',
        url: `${path}?${query}`,
        headers: { host: 'watt.demo.localhost', 'content-type': 'application/json', ...headers },
        payload: secrets,
      });
    }
    // A whole login and a whole payment, and the faults that may befall them.
    const account = await makeAccount(shop, secrets['password']);
    const token = tokenOf(await logIn(shop, account));
    allowed('a login', token !== '');
    refused('a wrong password', (await logIn(shop, { ...account, password: `${secrets['password']}x` })).code !== 1);
    const [card] = await issueTestCards(shop.db, 1);
    if (!card) throw new Error('no card');
    const player = await shop.logIn();
    await showRoles(shop, player);
    const info = cardInfo(card.cardId, card.password);
    await shop.post('/api/pay/card_info', { client_id: '70021', card_info: info }, { session: player });
    await shop.post(
      '/api/pay/card_info',
      { client_id: '70021', card_info: cardInfo(card.cardId, secrets['card_password'] ?? '') },
      { session: player },
    );
    const order = await placeOrder(shop);
    allowed('a payment', (await callBack(shop, eventOn(order, 'paid'))).status === 202);
    await callBack(shop, eventOn(order, 'paid'), { signature: header.key });
    const say = () => {
      throw new Error(
        `it broke: password=${secrets['password']}, "card_info": "${info}", Authorization: ${header.bearer}, ` +
          `code=${secrets['code']}`,
      );
    };
    shop.paypal.script.readCallback = say;
    shop.paypal.script.create = say;
    refused('a callback that breaks', (await callBack(shop, eventOn(order, 'paid'))).status === 500);
    const other = await shop.logIn();
    await showRoles(shop, other);
    await pay(shop, other, { path: PAY });
    const log = shop.logLines.join('\n');
    holds(
      'the log was written',
      log.includes('a request failed') && log.includes('login_failed') && log.includes('card_refused'),
      log.length,
    );
    for (const [name, secret] of Object.entries({
      ...secrets,
      ...header,
      token: token.slice(4),
      'session of the player': player.token.slice(4),
      card: card.password,
      'card text': info,
    }))
      holds(
        `the log has no ${name}`,
        !log.includes(secret) &&
          !log.includes(encodeURIComponent(secret)) &&
          !log.includes(Buffer.from(secret).toString('base64')),
        log.slice(Math.max(0, log.indexOf(secret) - 200), log.indexOf(secret) + 80),
      );
  },
};

export const SECRET_TESTS: readonly SecurityTest[] = [tokenInAddress, silentLog];
