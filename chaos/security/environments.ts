// Tests 41 and 41.1: two shops, a demo and a live one, each with a database of its own and the variables
// of both. Nothing of the one is readable, usable or countable in the other; the openings that were found once come
// first.
import { Webhook } from 'standardwebhooks';
import { toOwnPath } from '#kernel/own-path.ts';
import { cardInfo } from '#testing/cards.ts';
import { PAY, PAY_BODY, callBack, eventOn, stateOf } from '#testing/pay.ts';
import { openFacts, sealFacts } from '#server/modules/orders/service.ts';
import { listRoutes } from '../kit/all-routes.ts';
import { type Call, callsOf } from '../kit/routes.ts';
import { WHO } from './people.ts';
import { fingerprint } from './rows.ts';
import type { Round, SecurityTest } from './security-test.ts';
import { HOSTS, SECRETS, type Side, openSides } from './environment-sides.ts';

const HISTORY = '/api/orders/history';
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const COUNTED = `select coalesce(sum(used), 0)::bigint as used from product_stock`;

const knownHoles: SecurityTest = {
  number: '41',
  asvs: '8.4.1, 2.2.3, 2.3.2',
  about: 'H1 a demo opens, pays, uses up and shows nothing in production',
  run: async (round) => {
    const { refused, allowed, holds } = round;
    const { demo, live } = await openSides(round);

    for (const [from, to] of [
      [demo, live],
      [live, demo],
    ] as const) {
      const here = await from.shop.get(WHO, { session: from.player });
      allowed(`H1 a session of ${from.name} at home`, here.code === 1, here.text);
      const there = await to.shop.get(WHO, bearer(from.player.token));
      refused(`H1 a session of ${from.name} as Bearer in ${to.name}`, there.code === -600, there.text);

      for (const brand of to.shop.configuration.brands.values())
        for (const host of [...brand.liveHosts, ...brand.demoHosts].filter(
          (one) => one.includes('demo') === (from.name === 'demo'),
        )) {
          const answer = await to.shop.get('/', { host });
          refused(`H1 ${to.name} at ${host}`, answer.status === 404 && answer.text === 'Not Found', answer.text);
        }

      const id = `msg_of_${from.name}`;
      const body = JSON.stringify({ user_id: to.player.suid, username: 'x' });
      for (const host of [...HOSTS[to.name]('watt'), ...HOSTS[from.name]('watt')]) {
        const { statusCode } = await to.shop.app.inject({
          method: 'POST',
          url: '/service/tickets/70021',
          payload: body,
          headers: {
            host,
            'content-type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
            'webhook-signature': new Webhook(SECRETS[from.name]).sign(id, new Date(), body),
          },
        });
        refused(`H1 a ticket call of ${from.name} at ${host} in ${to.name}`, statusCode === 401 || statusCode === 404);
      }
      refused(`H1 a ticket of ${from.name} in ${to.name}`, (await enter(to, 'ticket', from.ticket)) === 'stays');
      refused(
        `H1 a token of ${from.name} in an address of ${to.name}`,
        (await enter(to, 'oauth_token', from.player.token)) === 'stays',
      );
      allowed(`H1 a ticket of ${from.name} at home`, (await enter(from, 'ticket', from.ticket)) === 'opened');

      // The one secret that is named without its environment: both may have the same by mistake.
      const shared = ['one-secret-of-both-sides-0123456789abcd'];
      const text = sealFacts(from.name, shared, { billing_no: 'B', player_id: from.player.playerId }) ?? '';
      allowed(`H1 the facts of an order of ${from.name} at home`, openFacts(from.name, shared, text) !== null);
      refused(`H1 the facts of an order of ${from.name} in ${to.name}`, openFacts(to.name, shared, text) === null);
    }

    // A person whom the demo's game accepts under somebody else's user id, at a brand whose games keep the accounts.
    const stolen = await demo.shop.logIn({ brand: 'dragon' });
    await demo.shop.db.query(`update player set suid = 'victim4711' where player_id = $1`, [stolen.playerId]);
    await live.shop.db.query(
      `insert into player (player_id, brand_key, suid, username)
        values (gen_random_uuid(), 'dragon', 'victim4711', 'victim')`,
    );
    for (const path of [WHO, HISTORY]) {
      const answer = await live.shop.get(path, { brand: 'dragon', ...bearer(stolen.token) });
      refused(`H1 ${path} as a user id of the demo's game`, answer.code === -600, answer.text);
    }

    // Both have an unpaid order for the same goods and character, of the same user id: each its own.
    holds('H1 the live order is a new one', live.billingNo !== demo.billingNo);
    const attempts = await demo.shop.db.query('select provider from payment_attempt');
    holds('H1 the live payment is no attempt of the demo order', attempts.rowCount === 1, attempts.rows);
    const paid = await callBack(live.shop, eventOn({ reference: `${live.billingNo}-1` }, 'paid'));
    allowed(
      'H1 the live payment pays the live order',
      (await stateOf(live.shop, live.billingNo)).state === 'paid',
      paid.text,
    );
    holds('H1 and not the demo order', (await stateOf(demo.shop, demo.billingNo)).state === 'pending');

    for (const [own, other] of [
      [demo, live],
      [live, demo],
    ] as const) {
      const { text } = await own.shop.get(HISTORY, { session: own.player });
      allowed(`H1 the history of ${own.name}`, text.includes(own.billingNo), text);
      refused(`H1 the history of ${own.name} shows ${other.name}`, !text.includes(other.billingNo), text);
    }

    const bought = await buyStock(demo);
    allowed('H1 stock is bought in the demo', bought === 1, bought);
    holds('H1 and is used there', (await demo.shop.db.query(COUNTED)).rows[0].used === 1);
    holds('H1 and not in production', (await live.shop.db.query(COUNTED)).rows[0].used === 0);
    const counters = await live.shop.db.query(`select from reservation where kind in ('stock', 'limit', 'coupon')`);
    holds('H1 no limit, stock or coupon is reserved in production', counters.rowCount === 0, counters.rowCount);
  },
};

/** As a page address would: what becomes of a key in it. */
async function enter({ shop }: Side, key: 'ticket' | 'oauth_token', value: string): Promise<string> {
  const site = shop.services.siteOf(HOSTS[shop.services.config.environment]('watt')[0] ?? '');
  if (!site) throw new Error('the shop does not know its own host');
  const caller = {
    site,
    language: 'en',
    session: null,
    origin: 'https://x',
    ip: '192.0.2.7',
    userAgent: '',
    idempotencyKey: null,
  } as const;
  return (
    await shop.services.loginLinks.redeem(caller, {
      key,
      value,
      arrival: 'direct',
      cookieToken: null,
      returnTo: toOwnPath('/'),
    })
  ).kind;
}

async function buyStock({ shop, player }: Side): Promise<number> {
  await shop.get('/api/system/allRoleList?client_id=70013', { session: player });
  const body = { ...PAY_BODY, client_id: '70013', product_id: 'ember_phoenix', price_minor: undefined };
  return (await shop.post(PAY, body, { session: player })).code;
}

/** Written by whoever knocks, and counted by address or typed text: nothing of a player. */
const KNOCKS = [
  'callback_inbox',
  'callback_refused',
  'card_failed_attempt',
  'error_report',
  'track_call',
  'card_try',
  'login_attempt',
  'login_guard',
  'known_device',
  'wallet_nonce',
];
/** Served by the process itself, whoever asks. */
const OF_THE_PROCESS = ['/healthz', '/healthz/details', '/readyz'];

const everyRoute: SecurityTest = {
  number: '41.1',
  asvs: '8.4.1, 8.2.2, 13.2.2',
  about: 'H1 every route with sessions, keys, cards, coupons and numbers of the other environment',
  run: async (round) => {
    const { demo, live } = await openSides(round);
    for (const [from, to] of [
      [demo, live],
      [live, demo],
    ] as const)
      await walk(round, from, to);
  },
};

async function walk({ refused, holds }: Round, from: Side, to: Side): Promise<void> {
  const before = [await fingerprint(from.shop), await fingerprint(to.shop, KNOCKS)];
  const calls = new Map(callsOf(to.shop.app).map((call) => [`${call.method} ${call.path}`, call]));
  let walked = 0;
  for (const { method, path } of listRoutes(to.shop.app)) {
    const filled = path
      .replace(':reference', `${from.billingNo}-1`)
      .replace(/:(provider|kind|topic|clientId)/g, (_all, name: string) => VALUES[name] ?? 'x');
    const input = inputOf(from, calls.get(`${method} ${path}`));
    for (const [way, headers, more] of waysOf(from)) {
      for (const host of [...HOSTS[to.name]('watt'), ...HOSTS[from.name]('watt')]) {
        const given = { ...input, ...more };
        const query = new URLSearchParams(Object.entries(given).map(([key, value]) => [key, String(value)])).toString();
        const answer = await to.shop.app.inject({
          method,
          url: method === 'GET' ? `${filled}?${query}` : filled,
          headers: { host, 'x-refill': '1', 'sec-fetch-site': 'same-origin', 'idempotency-key': from.key, ...headers },
          ...(method === 'POST' ? { payload: given } : {}),
        });
        walked += 1;
        const seen = `${answer.statusCode} ${answer.body.slice(0, 300)}`;
        const { location, ...headersOf } = answer.headers;
        // Whoever names an order in an address is sent to the page that asks about it; that page tells nothing.
        const isEcho = location === `/result?billing_no=${from.billingNo}`;
        const shown = `${answer.body} ${JSON.stringify(headersOf)} ${isEcho ? '' : String(location)}`;
        const what = `${method} ${path} by ${way} at ${host} in ${to.name}`;
        refused(`${what} tells of ${from.name}`, !from.marks.some((mark) => shown.includes(mark)), seen);
        refused(`${what} is an error of ours`, answer.statusCode < 500 || path === '/readyz', seen);
        if (!OF_THE_PROCESS.includes(path) && HOSTS[from.name]('watt').includes(host))
          refused(`${what} is an address`, answer.statusCode === 404 && answer.body === 'Not Found', seen);
      }
    }
  }
  holds(`all routes of ${to.name} were walked`, walked > 1000, walked);
  const after = [await fingerprint(from.shop), await fingerprint(to.shop, KNOCKS)];
  holds(`nothing of ${from.name} was used in ${to.name}`, before[0] === after[0], after[0]);
  holds(`nothing of ${to.name} was changed by ${from.name}`, before[1] === after[1], after[1]);
}

const VALUES: Readonly<Record<string, string>> = { provider: 'paypal', kind: 'google', topic: 'x', clientId: '70021' };

/** An input that fits, with whatever the other side's player has in place of what it asks for. */
function inputOf(from: Side, call: Call | undefined): Record<string, unknown> {
  const own: Record<string, unknown> = {
    billing_no: from.billingNo,
    coupon_code: from.coupon,
    code: from.coupon,
    card_info: cardInfo(from.card.cardId, from.card.password),
    ref: `${from.billingNo}-1`,
  };
  if (!call) return own;
  const asked = Object.keys(call.keys).flatMap((key) => (key in own ? [[key, own[key]] as const] : []));
  return { ...call.input, ...Object.fromEntries(asked) };
}

/** How a caller could show what the other side gave: name, headers, keys of query or body. */
function waysOf({ player, betaKey, backupToken, ticket }: Side) {
  const cookies = ['refill-demo', '__Host-refill'].flatMap((name) => [
    `${name}=${player.token}`,
    `${name}-beta-user=${player.token}`,
    `${name}-beta=${betaKey}`,
    `${name}-entry=${ticket}`,
  ]);
  return [
    ['Bearer', { authorization: `Bearer ${player.token}` }, {}],
    ['Bearer in super mode', { authorization: `Bearer ${player.token}`, 'x-refill-beta': betaKey }, {}],
    ['Bearer of a backup host', { authorization: `Bearer ${backupToken}` }, {}],
    ['every cookie', { cookie: cookies.join('; ') }, {}],
    ['keys of an address', {}, { oauth_token: player.token, ticket, beta_key: betaKey }],
  ] as const;
}

export const ENVIRONMENT_TESTS: readonly SecurityTest[] = [knownHoles, everyRoute];
