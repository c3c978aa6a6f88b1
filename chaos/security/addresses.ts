// Tests 48 and 49: which addresses others are told, and what the Host header, the proxy's headers and the
// request line can do to them.
import { connect } from 'node:net';
import type { LoginStart } from '#contracts/logins.ts';
import { showRoles } from '#testing/pay.ts';
import type { TestShop } from '#testing/shop.ts';
import { WHO, holding, makeAccount, logIn, tokenOf } from './people.ts';
import { PROXY, serve } from './test-harness.ts';
import type { SecurityTest } from './security-test.ts';

const EVIL = 'evil.example';
const LIVE = { host: 'pay.watt.example', remoteAddress: PROXY, headers: { 'x-forwarded-proto': 'https' } };

const addresses: SecurityTest = {
  number: '48',
  asvs: '4.1.3, 10.1.2',
  about: 'a Host with another port, X-Forwarded-Host and -Port: no provider, login or page is told of them',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const demo = await harness.makeShop();
    defer(() => demo.close());
    const live = await harness.liveShop();
    const login = await harness.loginShop();
    const originsSent = async (shop: TestShop, sent: Parameters<TestShop['post']>[2]) => {
      const player = await shop.logIn();
      await showRoles(shop, player);
      const before = shop.paypal.calls.create.length;
      const cookie = `${sent?.host?.includes('demo') ? 'refill-demo' : '__Host-refill'}=${player.token}`;
      await shop.post(
        '/api/pay/paypal_pay',
        { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'star_50', price_minor: 99 },
        { ...sent, headers: { ...sent?.headers, cookie } },
      );
      const made = shop.paypal.calls.create[before];
      return made ? [made.returnUrl, made.cancelUrl, made.notifyUrl].map((url) => new URL(url).origin) : [];
    };
    const port = demo.services.config.port;
    const forged = { 'x-forwarded-host': `${EVIL}:6666`, 'x-forwarded-port': '6666', forwarded: `host=${EVIL}` };
    const cases: [string, TestShop, Parameters<TestShop['post']>[2], string][] = [
      ['the demo', demo, { host: `watt.demo.localhost:${port}` }, `http://watt.demo.localhost:${port}`],
      ['another port', demo, { host: 'watt.demo.localhost:6666' }, `http://watt.demo.localhost:${port}`],
      [
        'a forwarded host',
        demo,
        { host: 'watt.demo.localhost', remoteAddress: PROXY, headers: forged },
        `http://watt.demo.localhost:${port}`,
      ],
      ['the live shop', live, LIVE, 'https://pay.watt.example'],
      ['another port, live', live, { ...LIVE, host: 'pay.watt.example:6666' }, 'https://pay.watt.example'],
      [
        'a forwarded host, live',
        live,
        { ...LIVE, headers: { ...LIVE.headers, ...forged } },
        'https://pay.watt.example',
      ],
    ];
    for (const [name, shop, sent, origin] of cases) {
      const origins = await originsSent(shop, sent);
      const isOwn = origins.length === 3 && origins.every((one) => one === origin);
      if (name.startsWith('the ')) allowed(`${name}: the provider is told of ${origin}`, isOwn, origins);
      else refused(`${name}, in what the provider is told`, isOwn, origins);
    }
    for (const kind of ['google', 'facebook', 'twitter']) {
      const answer = await login.post<LoginStart>(
        '/util/login/start',
        { kind, client_id: '70021' },
        { host: 'watt.demo.localhost:6666', headers: forged, remoteAddress: PROXY },
      );
      const { redirect_uri: uri = '', url = '' } = answer.content ?? {};
      refused(
        `another port, in what ${kind} is told`,
        uri.startsWith(`http://watt.demo.localhost:${login.services.config.port}/`) && !`${uri}${url}`.includes('6666'),
        answer.text,
      );
    }

    // The brand, its pages and its cookies: Host alone says whose they are.
    const from = (host: string, claimed: string) => ({
      ...LIVE,
      host,
      headers: { ...LIVE.headers, 'x-forwarded-host': claimed },
    });
    const stranger = await live.get(WHO, from('nobody.example', 'pay.watt.example'));
    refused('a brand by X-Forwarded-Host', stranger.status === 404, stranger.text);
    const player = await live.logIn({ brand: 'product' });
    const cookie = `__Host-refill=${player.token}`;
    const other = from('pay.product.example', 'pay.watt.example');
    const who = await live.get(WHO, { ...other, headers: { ...other.headers, cookie } });
    allowed('the brand of Host, whatever is claimed', who.code === 1, who.text);
    const plain = await demo.post(
      '/util/login/logout',
      {},
      { host: 'pay.watt.example', remoteAddress: PROXY, headers: { 'x-forwarded-host': 'watt.demo.localhost' } },
    );
    refused('a plain cookie by X-Forwarded-Host', plain.status === 404, plain.text);
    const account = await makeAccount(demo);
    const token = tokenOf(await logIn(demo, account, { headers: forged, remoteAddress: PROXY }));
    holds('a login beside forged headers', (await demo.get(WHO, { session: holding(token) })).code === 1);
  },
};

const targets: SecurityTest = {
  number: '49',
  asvs: '4.2.1, 3.4.4',
  about: 'request targets in absolute form, and what is no HTTP: refused, with the headers of every answer',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const port = await serve(shop.app);
    const host = `watt.demo.localhost:${port}`;
    const get = (target: string, named = host) =>
      send(port, `GET ${target} HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`);
    const api = '/api/pay/getGameListV2?client_id=70021';
    allowed('a path', /^HTTP\/1.1 200/.test(await get(api)));
    allowed('the same in absolute form', /^HTTP\/1.1 200/.test(await get(`http://${host}${api}`)));
    for (const target of [
      `http://${EVIL}${api}`,
      `http://product.demo.localhost:${port}${api}`,
      `http://watt.demo.localhost:6666${api}`,
      `http://watt.demo.localhost${api}`,
      `HTTP://${EVIL}${api}`,
      `https://x@${host}${api}`,
      `http:///${api}`,
    ]) {
      const answer = await get(target);
      refused(`the target ${target}`, /^HTTP\/1.1 400/.test(answer), answer.slice(0, 300));
    }
    for (const [name, bytes] of [
      ['no HTTP', 'HELLO\r\n\r\n'],
      ['a header without end', `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['two lengths', `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
      ['another host in the target', `GET http://${EVIL}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ] as const) {
      const answer = (await send(port, bytes)).toLowerCase();
      refused(name, /^http\/1.1 4\d\d/.test(answer), answer.slice(0, 300));
      for (const header of [
        'x-content-type-options: nosniff',
        "content-security-policy: default-src 'none'",
        'cache-control: no-store',
        'referrer-policy: no-referrer',
      ])
        holds(`${name}: ${header}`, answer.includes(header), answer.slice(0, 600));
    }
  },
};

/** All that comes back until the line is closed. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

export const ADDRESS_TESTS: readonly SecurityTest[] = [addresses, targets];
