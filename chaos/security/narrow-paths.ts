// Tests 63 to 67: ways past a check that stands in another place: backup hosts, old logins, keys, names and forms.
import type { BrandKey } from '#kernel/ids.ts';
import { CODES } from '#contracts/errors.ts';
import { loadCommonPasswords } from '#server/modules/accounts/passwords/common-passwords.ts';
import { findPasswordFault } from '#server/modules/accounts/passwords/password-rules.ts';
import { readRevision } from '#server/modules/configuration/service.ts';
import { findCaller, makeKey } from '#server/operator/admin/keys.ts';
import { createNamedTexts } from '#server/platform/outbound/outbound-named.ts';
import { findAddressFault } from '#server/platform/outbound/outbound-public.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { PAY, PAY_BODY, showRoles } from '#testing/pay.ts';
import { credentials } from '#testing/shop.ts';
import { LOGIN, logIn, makeAccount } from './people.ts';
import { PROXY } from './test-harness.ts';
import type { SecurityTest } from './security-test.ts';

const ACTS = [
  '/util/login/change_password', '/util/login/unlink', '/util/login/start', '/util/login/end_session', '/util/login/end_other_sessions',
  '/util/login/backup_token', '/api/privacy/export', '/api/privacy/erase', '/api/privacy/keep', '/api/spending/declareAge', '/api/rsys/evoke',
]; /* a row a line */ // prettier-ignore

const backupActs: SecurityTest = {
  number: '63',
  asvs: '7.5.1, 8.3.1',
  about: 'the quarter-hour token of a backup host: acts on the account, and what is personal, are refused there',
  run: async ({ harness, defer, refused, allowed }) => {
    const shop = await harness.makeShop({
      environment: { REFILL_ENVIRONMENT: 'live', REFILL_TRUSTED_PROXIES: PROXY },
      brands: { watt: { backupHosts: ['pay2.watt.example'] } },
    });
    defer(() => shop.close());
    const player = await shop.logIn();
    const own = {
      host: 'pay.watt.example',
      remoteAddress: PROXY,
      headers: {
        'x-forwarded-proto': 'https',
        cookie: `__Host-refill=${player.token}`,
        origin: 'https://pay.watt.example',
      },
    };
    const { content } = await shop.post<{ token: string }>('/util/login/backup_token', {}, own);
    const there = { host: 'pay2.watt.example', headers: { authorization: `Bearer ${content.token}` } };
    allowed('who it is', (await shop.get('/util/login/get_user_info?client_id=70021', there)).code === 1);
    for (const path of ACTS) refused(path, (await shop.post(path, {}, there)).status === 403);
    for (const path of ['/util/login/sessions', '/util/login/identities', '/api/privacy/state'])
      refused(path, (await shop.get(path, there)).status === 403);
  },
};

const oldLogins: SecurityTest = {
  number: '64',
  asvs: '3.5.1, 6.3.3',
  about: 'a login by GET from a foreign page in an old browser, which names it by Referer or Origin alone',
  run: async ({ harness, defer, refused, allowed }) => {
    const shop = await harness.makeShop({ brands: { watt: { legacyGet: true } } });
    defer(() => shop.close());
    const { username, password } = await makeAccount(shop);
    const url = `${LOGIN}?${new URLSearchParams(credentials(username, password)).toString()}`;
    const from = async (headers: object) =>
      (await shop.get(url, { headers: { 'sec-fetch-site': undefined, ...headers } })).code;
    for (const headers of [
      { referer: 'https://evil.example/x' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', referer: 'http://watt.demo.localhost/' },
    ])
      refused(JSON.stringify(headers), (await from(headers)) !== CODES.success.code);
    allowed('a game, which names no page', (await from({})) === CODES.success.code);
  },
};

const keysAndNames: SecurityTest = {
  number: '65',
  asvs: '5.3.2, 13.4.1, 16.3.2',
  about:
    'stored names that are paths, keys named without a signature, files of brands on other hosts, inside addresses',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const names = ['../../../x', '/etc/x', '..', 'a/b', 'a\0b'].filter((name) => !name.includes('\0'));
    for (const [index, key] of names.entries()) {
      await shop.db.query(
        `insert into configuration_history (revision, applied_by, summary, files) values ($1, 'x', '{}', $2::json)`,
        [9000 + index, JSON.stringify([{ kind: 'brand', key, body: {} }])],
      );
      refused(`a brand named ${key}`, !(await readRevision(shop.db, 9000 + index)).ok);
    }

    const secrets = ['a-root-of-secrets-that-is-long-enough-1'];
    const key = await makeKey(shop.db, secrets, { name: 'k', scopes: ['read'], days: 1, by: 'x' });
    if (!key || key === 'taken') throw new Error('no key');
    const headers = { id: 'a', timestamp: String(Math.floor(Date.now() / 1000)), signature: 'v1,AAAA' };
    const call = { keyId: key.keyId, method: 'GET', host: 'x', target: '/', headers, body: Buffer.alloc(0) };
    refused('a key without its signature', (await findCaller(shop.db, secrets, call, Date.now())) === null);
    const { rows } = await shop.db.query('select seen_at from admin_key where key_id = $1', [key.keyId]);
    holds('and it is not its last call', rows[0]?.seen_at === null, rows);

    const app = await harness.makePages(shop);
    defer(() => app.close());
    const picture = async (path: string, host: string) =>
      (await app.inject({ url: path, headers: { host } })).statusCode;
    const icon = `/brands/watt/${shop.configuration.brands.get('watt' as BrandKey)?.file.art.icon}`;
    allowed('a picture at its brand', (await picture(icon, 'watt.demo.localhost')) === 200);
    for (const host of ['product.demo.localhost', 'pay.watt.example', 'evil.example', '127.0.0.1'])
      refused(`the picture at ${host}`, (await picture(icon, host)) === 404);

    for (const address of [
      'https://[::127.0.0.1]/',
      'https://[::8.8.8.8]/',
      'https://169.254.169.254/',
      'https://[fe80::1]/',
    ])
      refused(`a webhook to ${address}`, findAddressFault(address, new Set()) !== null);
  },
};

const forms: SecurityTest = {
  number: '66',
  asvs: '2.2.1, 6.2.4, 6.2.8',
  about: 'Idempotency-Keys of another form, the passwords that everybody tries first, one password in two spellings',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const player = await shop.logIn();
    await showRoles(shop, player);
    const orders = async () => (await shop.db.query('select from orders')).rowCount;
    for (const key of ['abc', 'x'.repeat(101), 'order 12345', 'order,12345', 'twice-the-same, twice-the-same', ''])
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await shop.post(PAY, PAY_BODY, { session: player, headers: { 'idempotency-key': key } });
        refused(`the key ${JSON.stringify(key)}`, answer.status === 400, answer.code);
      }
    holds('nothing was bought', (await orders()) === 0);

    const common = [await loadCommonPasswords()];
    for (const password of [
      'qwerty12345',
      'iloveyou2',
      'password12345',
      'sunshine1',
      'monkey123',
      '1qazxsw2',
      'Passw0rd',
    ])
      refused(password, findPasswordFault(password, [], common) === 'too_common');
    const account = await makeAccount(shop, 'Pässwörter-é-한글'.normalize('NFD'));
    for (const form of ['NFC', 'NFD'] as const)
      allowed(
        `the password in ${form}`,
        (await logIn(shop, { ...account, password: account.password.normalize(form) })).code === 1,
      );
  },
};

const lockouts: SecurityTest = {
  number: '67',
  asvs: '6.1.1, 6.5.5, 13.1.3',
  about: 'strangers who shut a card by wrong passwords, and keep a certificate out by invented ones: owners go on',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const [card] = await issueTestCards(shop.db, 1);
    if (!card) throw new Error('no card');
    const check = async (password: string, session: Awaited<ReturnType<typeof shop.logIn>>) =>
      shop.post('/api/pay/card_info', { client_id: '70021', card_info: cardInfo(card.cardId, password) }, { session });
    const owner = await shop.logIn();
    allowed('the owner', (await check(card.password, owner)).code === 1);
    const wrong = card.password.startsWith('A') ? `B${card.password.slice(1)}` : `A${card.password.slice(1)}`;
    for (let n = 0; n < 30; n += 1) await check(wrong, owner);
    allowed('the owner after thirty typing errors', (await check(card.password, owner)).code === 1);
    for (let n = 0; n < 12; n += 1) await check(`GUESS${n}`, await shop.logIn());
    refused('a stranger, with the right one', (await check(card.password, await shop.logIn())).code !== 1);
    allowed('the owner after twelve guesses of strangers', (await check(card.password, owner)).code === 1);

    let time = 0;
    const called: string[] = [];
    const outbound = async (url: string) => {
      called.push(url);
      return { status: url.endsWith('real') ? 200 : 404, text: 'good', headers: {} };
    };
    const texts = createNamedTexts(outbound as never, () => time);
    const read = (url: string, ip: string) => texts.read(`https://certs.example/${url}`, ip, () => true);
    await read('real', '198.51.100.1');
    for (let day = 0; day < 3; day += 1) {
      time += 25 * 3_600_000;
      for (let n = 0; n < 40; n += 1) await read(`invented-${day}-${n}`, `203.0.113.${n}`);
      allowed(`the real certificate on day ${day + 1}`, (await read('real', '198.51.100.1')).kind === 'text');
    }
    holds('few calls were made for all of them', called.length < 30, called.length);
  },
};

export const NARROW_PATH_TESTS: readonly SecurityTest[] = [backupActs, oldLogins, keysAndNames, forms, lockouts];
