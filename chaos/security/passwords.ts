// Tests 21 to 23, 27 and 28: what a stranger learns from a login, how often one may try,
// and what is kept of a password.
import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { CODES } from '#contracts/errors.ts';
import { type Answered, type TestShop, credentials } from '#testing/shop.ts';
import { type Account, LOGIN, logIn, makeAccount, tokenOf, whoIs } from './people.ts';
import type { SecurityTest } from './security-test.ts';

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

/**
 * Our choice: on a machine with other work a median may lie; what is told apart by the code is told apart every time.
 */
const TIMING_ROUNDS = 4;

const noNames: SecurityTest = {
  number: '21',
  asvs: '6.3.8',
  about: 'wrong password and unknown account, in turn: equal in status, code, text and time',
  run: async ({ harness, times, refused, holds, size }) => {
    const shop = await harness.shop();
    const count = times({ short: 12, full: 50 });
    const accounts: Account[] = [];
    for (let n = 0; n < count; n += 1) accounts.push(await makeAccount(shop));
    const answers = new Set<string>();
    const tell = ({ status, headers, text }: Answered<unknown>) =>
      JSON.stringify([status, text, Object.keys(headers).toSorted(), headers['content-length'], headers['set-cookie']]);
    const ratios: number[] = [];
    // Within fifteen of a hundred, by the list; the short form only asks for the same work.
    const widest = size === 'full' ? 1.15 : 2;
    const isClose = (ratio: number) => ratio < widest && ratio > 1 / widest;
    for (let turn = 0; turn < TIMING_ROUNDS && !ratios.some(isClose); turn += 1) {
      const took = { known: [] as number[], unknown: [] as number[] };
      for (const [n, account] of accounts.entries()) {
        for (const [kind, username] of [
          ['known', account.username],
          ['unknown', `nobody ${turn} ${n}`],
        ] as const) {
          const began = performance.now();
          const answer = await shop.post(LOGIN, credentials(username, 'wrong password'));
          took[kind].push(performance.now() - began);
          refused(`${kind}`, answer.code === CODES.wrongCredentials.code, answer.text);
          answers.add(tell(answer));
        }
        // Beyond the fifth failure an account would wait.
        await shop.db.query(`delete from rate_limit where key like 'login_%'`);
      }
      ratios.push(median(took.known) / median(took.unknown));
    }
    holds('one answer for both', answers.size === 1, [...answers]);
    holds(`medians of time within ${Math.round((widest - 1) * 100)} %`, ratios.some(isClose), ratios);
  },
};

const guardOf = ({ brand, username }: Account): Buffer => createHash('sha256').update(`${brand}/${username}`).digest();

/** Milliseconds that an account has still to wait. */
async function waitOf(shop: TestShop, account: Account): Promise<number> {
  const { rows } = await shop.db.query<{ wait: number }>(
    `select (extract(epoch from blocked_until - clock_timestamp()) * 1000)::float8 as wait
      from login_guard where account_hash = $1`,
    [guardOf(account)],
  );
  return rows[0]?.wait ?? 0;
}

const endWait = (shop: TestShop, account: Account) =>
  shop.db.query('update login_guard set blocked_until = now() where account_hash = $1', [guardOf(account)]);

const growingDelay: SecurityTest = {
  number: '22',
  asvs: '6.3.1',
  about: 'up to twelve wrong passwords on one account from changing addresses: 1, 2, 4 s and so on',
  run: async ({ harness, times, refused, allowed, holds }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const failures = times({ short: 8, full: 12 });
    let address = 0;
    const attempt = (password: string) =>
      shop.post(LOGIN, credentials(account.username, password), { remoteAddress: `198.51.100.${(address += 1)}` });
    for (let n = 1; n <= failures; n += 1) {
      const wrong = await attempt('wrong');
      refused(`failure ${n}`, wrong.code === CODES.wrongCredentials.code, wrong.text);
      const wait = await waitOf(shop, account);
      const wanted = n <= 5 ? 0 : 2 ** (n - 6) * 1000;
      holds(`after failure ${n} the wait is ${wanted} ms`, wait <= wanted && wait > wanted - 900, wait);
      if (wanted === 0) continue;
      const right = await attempt(account.password);
      refused(
        'the right password in the wait',
        right.status === 429 && Number(right.headers['retry-after']) > 0 && tokenOf(right) === '',
        right.text,
      );
      await endWait(shop, account);
    }
    allowed('the right password after the wait', (await attempt(account.password)).code === 1);
    refused('one failure after it', (await attempt('wrong')).code === CODES.wrongCredentials.code);
    holds('success has reset the count', (await waitOf(shop, account)) <= 0);
    await shop.db.query('update login_guard set failures = 1000 where account_hash = $1', [guardOf(account)]);
    refused('one failure of a thousand', (await attempt('wrong')).code === CODES.wrongCredentials.code);
    const longest = await waitOf(shop, account);
    holds('the longest wait is a quarter of an hour', longest <= 900_000 && longest > 899_100, longest);
  },
};

const noLockOut: SecurityTest = {
  number: '23',
  asvs: '6.1.1',
  about: 'a stranger fails on an account until it waits; its player logs in from a device that is known',
  run: async ({ harness, refused, allowed }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const first = await logIn(shop, account, { remoteAddress: '192.0.2.10' });
    allowed('the player, the first time', first.code === 1);
    // The device as its browser knows it: everything that the login has left there, the session gone.
    const cookies = first.cookies as { name: string; value: string }[];
    const device = cookies
      .filter(({ name }) => name !== 'refill-demo')
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    for (let n = 0; n < 9; n += 1)
      await shop.post(LOGIN, credentials(account.username, 'wrong'), { remoteAddress: `198.51.100.${n}` });
    const stranger = await logIn(shop, account, { remoteAddress: '203.0.113.77' });
    refused('the right password from a device that nobody knows', stranger.status === 429, stranger.text);
    const forged = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const liar = await logIn(shop, account, { headers: { cookie: forged }, remoteAddress: '203.0.113.78' });
    refused('a forged device', liar.status === 429, liar.text);
    // Another player's device is none of this one's.
    const other = await logIn(shop, await makeAccount(shop), { remoteAddress: '192.0.2.11' });
    const theirs = (other.cookies as { name: string; value: string }[])
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const borrowed = await logIn(shop, account, { headers: { cookie: theirs }, remoteAddress: '192.0.2.11' });
    refused("another player's device", borrowed.status === 429, borrowed.text);
    const player = await logIn(shop, account, { headers: { cookie: device }, remoteAddress: '192.0.2.10' });
    allowed('the player from the known device', player.code === 1, player.text);
    allowed('and is logged in', (await whoIs(shop, tokenOf(player))).code === 1);
  },
};

const passwordForms: SecurityTest = {
  number: '27',
  asvs: '6.2.8, 6.2.9',
  about: 'passwords with blanks, emoji, 64 and 1024 characters, 1 MB',
  run: async ({ harness, refused, allowed, holds }) => {
    const shop = await harness.shop();
    for (const [name, password] of Object.entries({
      emoji: 'ünïcode 🔑 пароль 密碼',
      '64 characters': 'aB3$'.repeat(16),
      '1024 characters': 'x7_'.repeat(341) + 'z',
      'inner blanks': 'two  words and three',
      accents: 'é-ünïcode-한글',
    })) {
      const account = await makeAccount(shop, password);
      allowed(name, (await logIn(shop, account)).code === 1);
      // Blanks around a password are cut off on both sides alike.
      allowed(`${name}, with outer blanks`, (await logIn(shop, { ...account, password: ` ${password} ` })).code === 1);
      // One password whatever keyboard typed it.
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
        allowed(
          `${name} in ${form}`,
          (await logIn(shop, { ...account, password: password.normalize(form) })).code === 1,
        );
      const nearly = [
        password.slice(0, -1),
        `${password}x`,
        password.toUpperCase() === password ? password.toLowerCase() : password.toUpperCase(),
        password.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      ];
      for (const other of nearly.filter((one) => one !== password)) {
        const answer = await logIn(shop, { ...account, password: other });
        refused(`${name}, nearly`, answer.code === CODES.wrongCredentials.code, answer.text);
        await endWait(shop, account);
      }
    }
    const account = await makeAccount(shop);
    for (const [name, length] of [
      ['1025 bytes', 1025],
      ['60 kB', 45_000],
      ['1 MB', 1_000_000],
    ] as const) {
      const answer = await logIn(shop, { ...account, password: 'x'.repeat(length) });
      refused(name, answer.code < 0 && answer.status < 500 && (length < 100_000 || answer.status === 413), answer.text);
    }
    const statements = await shop.countStatements(() => logIn(shop, { ...account, password: 'x'.repeat(1_000_000) }));
    holds('1 MB reaches no database', statements.length === 0, statements);
  },
};

const rehash: SecurityTest = {
  number: '28',
  asvs: '11.4.2',
  about: 'logins with hashes of old parameters: replaced by today’s, once',
  run: async ({ harness, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const stored = async ({ username }: Account) =>
      (
        await shop.db.query<{ row: string }>(
          `select a::text as row from player p join player_password a on a.player_id = p.player_id
            where p.username = $1`,
          [username],
        )
      ).rows[0]?.row ?? '';
    for (const [memoryCost, timeCost, parallelism] of [
      [8192, 1, 1],
      [12_288, 3, 1],
      [19_456, 1, 1],
    ] as const) {
      const account = await makeAccount(shop);
      const old = await hash(account.password, { memoryCost, timeCost, parallelism });
      await shop.db.query(
        'update player_password set hash = $2 where player_id = (select player_id from player where username = $1)',
        [account.username, old],
      );
      refused(
        'a wrong password changes nothing',
        (await logIn(shop, { ...account, password: 'no' })).code !== 1 && (await stored(account)).includes(old),
      );
      allowed(`a login with m=${memoryCost},t=${timeCost}`, (await logIn(shop, account)).code === 1);
      const now = await stored(account);
      holds('the row has the parameters of today', now.includes('$argon2id$v=19$m=19456,t=2,p=1$'), now);
      allowed('the next login', (await logIn(shop, account)).code === 1);
      holds('and is not written again', (await stored(account)) === now);
    }
  },
};

export const PASSWORD_TESTS: readonly SecurityTest[] = [noNames, growingDelay, noLockOut, passwordForms, rehash];
