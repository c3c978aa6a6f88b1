// Tests 14, 38 and 39: what other origins, other players and other brands get, and fields that nobody asked for.
import { CODES } from '#contracts/errors.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { PAY, PAY_BODY, orderInfo, pay, placeOrder, showRoles } from '#testing/pay.ts';
import type { Answered, TestPlayer } from '#testing/shop.ts';
import { callsOf } from '../kit/routes.ts';
import { encodeQuery } from './encode-query.ts';
import { WHO } from './people.ts';
import type { SecurityTest } from './security-test.ts';

const PAGE_HOST = 'pay.watt.example';
const TLS = { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-proto': 'https' } };

const crossOrigin: SecurityTest = {
  number: '14',
  asvs: '3.4.2',
  about: 'calls from other origins: only the brand’s own page may read a backup host',
  run: async ({ harness, refused, allowed, holds }) => {
    const shop = await harness.liveShop();
    const backup = shop.configuration.brands.get('watt' as BrandKey)?.file.backupHosts[0] ?? '';
    holds('the brand has a backup host', backup !== '');
    const ours = `https://${PAGE_HOST}`;
    const foreign = [
      'https://evil.example',
      'null',
      `https://evil.${PAGE_HOST}`,
      `https://${PAGE_HOST}.evil.example`,
      `http://${PAGE_HOST}`,
      `https://${PAGE_HOST}:8443`,
      'https://pay.product.example',
      `https://${backup}`,
      'https://watt.example',
      'http://watt.demo.localhost',
    ];
    const ask = (method: 'GET' | 'OPTIONS' | 'POST', host: string, path: string, origin: string) =>
      shop.app.inject({
        method,
        url: path,
        remoteAddress: TLS.remoteAddress,
        headers: {
          ...TLS.headers,
          host,
          origin,
          ...(method === 'OPTIONS'
            ? {
                'access-control-request-method': 'POST',
                'access-control-request-headers': 'authorization,content-type,x-refill',
              }
            : {}),
        },
      });
    for (const host of [PAGE_HOST, backup])
      for (const path of [WHO, PAY, '/api/pay/getGoodsList?client_id=70021', '/nowhere', '/healthz'])
        for (const origin of foreign)
          for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
            const { headers } = await ask(method, host, path, origin);
            refused(
              `${method} ${path} at ${host} for ${origin}`,
              headers['access-control-allow-origin'] === undefined,
              headers,
            );
            holds('never with credentials', headers['access-control-allow-credentials'] === undefined);
          }
    // At its own host the page needs no leave, so none is given.
    refused(
      'the brand at its own host',
      (await ask('GET', PAGE_HOST, WHO, ours)).headers['access-control-allow-origin'] === undefined,
    );
    const preflight = await ask('OPTIONS', backup, PAY, ours);
    const { headers } = preflight;
    allowed(
      'the preflight of our page to the backup host',
      preflight.statusCode < 300 && headers['access-control-allow-origin'] === ours,
      [preflight.statusCode, headers],
    );
    holds(
      'it names our headers and nothing else',
      /authorization/i.test(String(headers['access-control-allow-headers'])) &&
        /x-refill/i.test(String(headers['access-control-allow-headers'])) &&
        !String(headers['access-control-allow-headers']).includes('*'),
      headers,
    );
    holds('its answer differs by Origin', /\borigin\b/i.test(String(headers['vary'])), headers['vary']);
    const answer = await ask('GET', backup, '/api/pay/getGoodsList?client_id=70021', ours);
    allowed(
      'our page reads the backup host',
      answer.headers['access-control-allow-origin'] === ours && /\borigin\b/i.test(String(answer.headers['vary'])),
      answer.headers,
    );
    const unlisted = await ask('GET', backup, '/api/pay/getGoodsList?client_id=70021', 'https://evil.example');
    holds(
      'a refusal differs by Origin too',
      /\borigin\b/i.test(String(unlisted.headers['vary'])),
      unlisted.headers['vary'],
    );
    holds('and without credentials', answer.headers['access-control-allow-credentials'] === undefined);
  },
};

const others: SecurityTest = {
  number: '38',
  asvs: '8.2.2, 8.4.1',
  about: "another player's orders, coupons, sessions and characters; another brand's token; forged hosts",
  run: async ({ harness, refused, allowed, times }) => {
    const shop = await harness.shop();
    for (let turn = 0; turn < times({ short: 2, full: 20 }); turn += 1) {
      const victim = await placeOrder(shop);
      const coupon = await giveTestCoupon(shop.db, victim.player.playerId);
      const thief = await shop.logIn();
      await showRoles(shop, thief);
      const nothing = await orderInfo(shop, { player: thief, billingNo: '01JGZZZZZZZZZZZZZZZZZZZZZZ' });
      const order = await orderInfo(shop, { player: thief, billingNo: victim.billingNo });
      refused("another's order", order.code === CODES.orderNotFound.code && order.text === nothing.text, order.text);
      allowed('one’s own', (await orderInfo(shop, victim)).code === 1);
      const paid = await pay(shop, thief, { body: { coupon_code: coupon, price_minor: undefined } });
      refused("another's coupon", paid.code === CODES.illegalCoupon.code, paid.text);
      const claimed = await shop.get(`/api/coupons/couponList?client_id=70021&use_category=claim,avail,lock,history`, {
        session: thief,
      });
      refused("another's coupons in the list", !claimed.text.includes(coupon), claimed.text);
      const role = await pay(shop, thief, { body: { role_id: 'r-of-somebody-else' } });
      refused("another's character", role.code === CODES.roleNotFound.code, role.text);
      const { rows } = await shop.db.query<{ public_id: string }>(
        'select public_id from session where player_id = $1',
        [victim.player.playerId],
      );
      await shop.post('/util/login/end_session', { id: rows[0]?.public_id ?? '' }, { session: thief });
      allowed("another's session goes on", (await shop.get(WHO, { session: victim.player })).code === 1);
      const history = await shop.get('/api/orders/history', { session: thief });
      refused(
        "another's orders in the history",
        history.code === 1 && !history.text.includes(victim.billingNo),
        history.text,
      );
      // Back from the provider's page with another's reference, and its page on the way there.
      const relay = await shop.get(`/pay/paypal/${victim.reference}`, { session: thief });
      refused("another's way to the provider", relay.status === 303, relay.status);
      const answer = await shop.get(WHO, { session: { ...victim.player, brand: 'product' } });
      refused(
        "the token at another brand's host",
        answer.code === CODES.notLoggedIn.code && answer.content === null,
        answer.text,
      );
      const elsewhere = await shop.get(`/api/pay/getOrderInfo?billing_no=${victim.billingNo}`, {
        brand: 'product',
        headers: { authorization: `Bearer ${victim.player.token}` },
      });
      refused('the same as Bearer', elsewhere.code === CODES.notLoggedIn.code, elsewhere.text);
    }
    const player = await shop.logIn();
    for (const [name, host, headers] of [
      ['a host of nobody', 'evil.example', {}],
      ['X-Forwarded-Host of a stranger', 'evil.example', { 'x-forwarded-host': 'watt.demo.localhost' }],
      ['another brand by X-Forwarded-Host', 'product.demo.localhost', { 'x-forwarded-host': 'watt.demo.localhost' }],
      ['another brand by Forwarded', 'product.demo.localhost', { forwarded: 'host=watt.demo.localhost' }],
      [
        'another brand by X-Original-Host',
        'product.demo.localhost',
        { 'x-original-host': 'watt.demo.localhost', 'x-host': 'watt.demo.localhost' },
      ],
      ['two hosts in one', 'watt.demo.localhost@evil.example', {}],
      ['a user in the host', 'evil.example#watt.demo.localhost', {}],
    ] as const) {
      const answer = await shop.get(WHO, {
        host,
        headers: { ...headers, cookie: `refill-demo=${player.token}`, authorization: `Bearer ${player.token}` },
      });
      refused(name, answer.code !== 1 && !answer.text.includes(player.username), answer.text);
    }
    const domain = await pay(shop, await ready(), { body: { domain_area: 'nowhere' } });
    refused('a region that the brand has not', domain.code === CODES.wrongDomain.code, domain.text);

    async function ready(): Promise<TestPlayer> {
      const made = await shop.logIn();
      await showRoles(shop, made);
      return made;
    }
  },
};

/** An attacker might set these beside the fields that a call asks for. */
const EXTRA = {
  price: '0.01',
  price_minor_paid: 1,
  amount_minor: 1,
  currency: 'VND',
  status: 1,
  state: 'delivered',
  stage: 'delivered',
  discount: 100,
  discount_rate: '0.01',
  points: 1_000_000,
  player_id: '00000000-0000-4000-8000-000000000000',
  suid: 'somebody',
  brand_key: 'product',
  environment: 'live',
  isAdmin: true,
  is_admin: true,
  role: 'admin',
  kind_of: 'web',
  disabled_at: null,
  billing_no_of: 'x',
};
const POLLUTION = [
  '"__proto__":{"isAdmin":true,"price_minor":1}',
  '"constructor":{"prototype":{"isAdmin":true}}',
  '"prototype":{"isAdmin":true}',
  '"toString":"x","hasOwnProperty":1,"valueOf":null',
];

const extraFields: SecurityTest = {
  number: '39',
  asvs: '15.3.3, 15.3.6, 15.3.7',
  about: 'on every call: fields nobody asked for, __proto__, arrays and objects for texts, keys that come twice',
  run: async ({ harness, defer, refused, allowed, holds, size }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const player = await shop.logIn();
    await showRoles(shop, player);
    await pay(shop, player);
    await showRoles(shop, player);
    const fine = (what: string, { status, text, content, code }: Answered<unknown>) =>
      refused(
        what,
        status < 500 &&
          (status === 303 ||
            (code !== 0 && (code === 1 || content === null || code === 10)) ||
            !/^\/(api|util)/.test(what.split(' ')[1] ?? '')),
        [status, text.slice(0, 200)],
      );
    // In short every fourth call: they are alike.
    const calls = callsOf(shop.app).filter((_, n) => size === 'full' || n % 4 === 0);
    for (const { method, path, keys, input } of calls) {
      // Ending the player's own session would end the test.
      const session = path.endsWith('/logout') ? null : player;
      const name = `${method} ${path}`;
      if (method === 'POST') {
        fine(`${name} with extra fields`, await shop.post(path, { ...PAY_BODY, ...EXTRA, ...input }, { session }));
        const text = JSON.stringify({ ...PAY_BODY, ...input }).slice(0, -1);
        for (const pollution of POLLUTION)
          fine(`${name} with ${pollution.slice(0, 20)}`, await shop.post(path, `${text},${pollution}}`, { session }));
        for (const key of Object.keys(keys)) {
          for (const odd of [[input[key] ?? 'x'], { a: 1 }, null, 1e21, -0, true, '\u0000', '\ud800'])
            fine(
              `${name} with ${key} as ${JSON.stringify(odd)}`,
              await shop.post(path, { ...PAY_BODY, ...input, [key]: odd }, { session }),
            );
        }
        fine(
          `${name} with a key twice`,
          await shop.post(path, `${text},"client_id":"70021","client_id":"70021"}`, { session }),
        );
      }
      const query = encodeQuery(input);
      for (const odd of [
        '__proto__=x',
        '__proto__[isAdmin]=true',
        'constructor.prototype.isAdmin=1',
        'client_id[]=70021',
        'client_id=1&client_id=2&client_id=70021',
        'price=0&status=1',
        '%00=%00',
        '=&&&=',
        'a%ff=%ff',
      ])
        fine(`${name} with ${odd}`, await shop.get(`${path}?${query}&${odd}`, { session }));
    }
    holds(
      'no object has learned a thing',
      ({} as { isAdmin?: unknown }).isAdmin === undefined &&
        ({} as { price_minor?: unknown }).price_minor === undefined,
    );
    const { rows } = await shop.db.query<{
      amount_minor: number;
      currency: string;
      state: string;
      brand_key: string;
      is_own: boolean;
    }>('select o.amount_minor, o.currency, o.state, o.brand_key, o.player_id = $1 as is_own from orders o', [
      player.playerId,
    ]);
    allowed('orders were placed meanwhile', rows.length > 0, rows.length);
    for (const row of rows)
      holds(
        'at the list’s price, in one’s own name',
        row.amount_minor === 99 &&
          row.currency === 'USD' &&
          row.brand_key === 'watt' &&
          row.is_own &&
          ['created', 'pending', 'paid'].includes(row.state),
        row,
      );
    // Of a key that comes twice the last one counts, in the query and in the body.
    const last = await shop.get<{ gp_id: string }>('/util/login/get_user_info?client_id=70013&client_id=70021', {
      session: player,
    });
    allowed('the last value of a query', last.content?.gp_id === '70021', last.text);
    holds(
      'a message for a person, none for a machine',
      !/\bat .*\.ts|node_modules|Error:/.test(
        JSON.stringify(shop.logLines.filter((line) => line.includes('"level":50'))),
      ),
      shop.logLines.find((line) => line.includes('"level":50')),
    );
  },
};

export const BORDER_TESTS: readonly SecurityTest[] = [crossOrigin, others, extraFields];
