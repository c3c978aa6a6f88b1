// Tests 11 to 14: who may change something, and who may read an answer from another origin.
import { type Call, callsOf } from '../kit/routes.ts';
import type { TestPlayer, TestShop } from '#testing/shop.ts';
import { PAY, PAY_BODY, showRoles } from '#testing/pay.ts';
import { encodeQuery } from './encode-query.ts';
import { fingerprint } from './rows.ts';
import type { Round, SecurityTest } from './security-test.ts';

type Headers = Readonly<Record<string, string | undefined>>;

async function prepare({ harness }: Round): Promise<{ shop: TestShop; player: TestPlayer; changes: readonly Call[] }> {
  const shop = await harness.shop();
  const player = await shop.logIn();
  await showRoles(shop, player);
  // Callbacks and the way back from a provider's page have a proof of their own, and no cookie counts there.
  const isOurs = ({ method, path }: Call) => method === 'POST' && /^\/(api|util)\//.test(path);
  return { shop, player, changes: callsOf(shop.app).filter(isOurs) };
}

const changeByGet: SecurityTest = {
  number: '11',
  asvs: '3.5.3',
  about: 'GET on every call that changes something, with the cookie alone',
  run: async (round) => {
    const { shop, player, changes } = await prepare(round);
    const paths = new Set(changes.map(({ path }) => path));
    for (const known of [
      '/api/pay/paypal_pay',
      '/api/pay/card_pay',
      '/api/coupons/receiveCoupons',
      '/util/login/logout',
    ])
      round.holds(`${known} is among them`, paths.has(known));
    const before = await fingerprint(shop);
    for (const { path, input } of changes) {
      const { status, code } = await shop.get(`${path}?${encodeQuery({ ...PAY_BODY, ...input })}`, { session: player });
      round.refused(`GET ${path}`, (status === 405 || status === 404) && code < 0, { status, code });
    }
    round.holds('no row has changed', (await fingerprint(shop)) === before);
  },
};

/** Posts everything that changes something in one way; nothing may come of it. */
async function postEverywhere(round: Round, name: string, headers: Headers): Promise<void> {
  const { shop, player, changes } = await prepare(round);
  const before = await fingerprint(shop);
  for (const { path, input } of changes) {
    const { status, text } = await shop.post(path, { ...PAY_BODY, ...input }, { session: player, headers });
    round.refused(`POST ${path} ${name}`, status === 403 || status === 400 || status === 415, text);
  }
  round.holds(`no row has changed ${name}`, (await fingerprint(shop)) === before);
}

const foreignForm: SecurityTest = {
  number: '12',
  asvs: '3.5.1',
  about: 'calls from a foreign page: as a form, as text/plain, by fetch without our header',
  run: async (round) => {
    const { shop, player } = await prepare(round);
    const before = await fingerprint(shop);
    const foreign = { 'x-refill': undefined, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', encodeQuery(PAY_BODY)],
      [
        'multipart/form-data; boundary=x',
        `--x\r\ncontent-disposition: form-data; name="client_id"\r\n\r\n70021\r\n--x--\r\n`,
      ],
      ['text/plain', JSON.stringify(PAY_BODY)],
      ['text/plain; application/json', JSON.stringify(PAY_BODY)],
      ['', JSON.stringify(PAY_BODY)],
    ]) {
      // A browser without Fetch Metadata as well, and one that was talked out of its Origin.
      for (const over of [{}, { 'sec-fetch-site': undefined }, { 'sec-fetch-site': undefined, origin: 'null' }]) {
        const headers = { ...foreign, ...over, 'content-type': type };
        const { status, text } = await shop.post(PAY, body ?? '', { session: player, headers });
        round.refused(`a payment as ${type || 'nothing'}`, status >= 400 && status < 500, text);
      }
    }
    round.holds('no row has changed', (await fingerprint(shop)) === before);
    await postEverywhere(round, 'by fetch without our header', foreign);
    await postEverywhere(round, 'from our own page without our header', { 'x-refill': undefined });
    const ours = await shop.post(PAY, PAY_BODY, { session: player });
    round.allowed("the brand's own page", ours.code === 1, ours.text);
  },
};

const fetchMetadata: SecurityTest = {
  number: '13',
  asvs: '3.5.2',
  about: 'our header in the wrong surroundings: Sec-Fetch-Site, Origin, neither',
  run: async (round) => {
    const ways: Readonly<Record<string, Headers>> = {
      'with Sec-Fetch-Site cross-site': { 'sec-fetch-site': 'cross-site' },
      'with Sec-Fetch-Site same-site': { 'sec-fetch-site': 'same-site' },
      'with Sec-Fetch-Site none': { 'sec-fetch-site': 'none' },
      'with a foreign site and our Origin': { 'sec-fetch-site': 'cross-site', origin: 'http://watt.demo.localhost' },
      'with a wrong Origin alone': { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      'with the Origin of another brand': { 'sec-fetch-site': undefined, origin: 'http://product.demo.localhost' },
      'with our Origin by another scheme': { 'sec-fetch-site': undefined, origin: 'https://watt.demo.localhost' },
      'with neither': { 'sec-fetch-site': undefined },
    };
    for (const [name, headers] of Object.entries(ways)) await postEverywhere(round, name, headers);
    const { shop, player } = await prepare(round);
    const headers = { 'sec-fetch-site': undefined, origin: 'http://watt.demo.localhost' };
    const ours = await shop.post(PAY, PAY_BODY, { session: player, headers });
    round.allowed('our own Origin where a browser sends no Fetch Metadata', ours.code === 1, ours.text);
  },
};

export const CHANGING_TESTS: readonly SecurityTest[] = [changeByGet, foreignForm, fetchMetadata];
