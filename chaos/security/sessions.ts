// Tests 4 to 9: the session's token, its life and its end.
import { CODES } from '#contracts/errors.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { TestShop } from '#testing/shop.ts';
import { OVER_TLS, LOGOUT, WHO, holding, logIn, makeAccount, tokenOf, whoIs } from './people.ts';
import { LEGACY_BRAND } from './test-harness.ts';
import type { SecurityTest } from './security-test.ts';

const GONE = CODES.notLoggedIn.code;

const randomTokens: SecurityTest = {
  number: '4',
  asvs: '7.2.3',
  about: 'sessions opened: tokens of 256 bits, none twice, none in the database',
  run: async ({ harness, times, holds }) => {
    const shop = await harness.shop();
    // Of several players: a player has ten live ones at most, and ending the oldest takes the time.
    const players = await Promise.all(Array.from({ length: 50 }, () => shop.logIn()));
    const count = times({ short: 300, full: 10_000 });
    const tokens: string[] = [];
    for (let n = 0; n < count; n += 50) {
      const lot = players.map(({ playerId }) =>
        openSession(shop.db, {
          playerId,
          brandKey: 'watt' as BrandKey,
          kind: 'web',
          authMethod: 'password',
          replaces: null,
        }),
      );
      tokens.push(...(await Promise.all(lot)).map(({ token }) => token));
    }
    // One player everywhere at once: the oldest of the same few end, and nobody waits for each other in a circle.
    const rush = Array.from({ length: 60 }, () =>
      openSession(shop.db, {
        playerId: players[0]?.playerId as PlayerId,
        brandKey: 'watt' as BrandKey,
        kind: 'web',
        authMethod: 'password',
        replaces: null,
      }),
    );
    holds('sixty logins of one player at once', (await Promise.all(rush)).length === 60);
    holds('no token twice', new Set(tokens).size === count, new Set(tokens).size);
    for (const token of tokens)
      holds(
        '43 characters after the prefix',
        /^rf1_[A-Za-z0-9_-]{43}$/.test(token) && Buffer.from(token.slice(4), 'base64url').length === 32,
        token.length,
      );
    const { rows } = await shop.db.query<{ row: string }>(
      'select s::text as row from session s where player_id = any ($1)',
      [players.map(({ playerId }) => playerId)],
    );
    holds('every session has its row', rows.length > count, rows.length);
    const kept = rows.map(({ row }) => row).join('\n');
    const clear = tokens.filter(
      (token) =>
        kept.includes(token.slice(4)) || kept.includes(Buffer.from(token.slice(4), 'base64url').toString('hex')),
    );
    holds('no token stands in the database', clear.length === 0, clear.length);
  },
};

const logout: SecurityTest = {
  number: '5',
  asvs: '7.4.1',
  about: 'after logout: the cookie, the token in the query, the token as Bearer, the token for backup hosts',
  run: async ({ harness, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop, undefined, LEGACY_BRAND);
    const token = tokenOf(await logIn(shop, account));
    // An account may be asked about from a game's view, so each way is tried before as well.
    const ways = {
      'the cookie': () => whoIs(shop, token, LEGACY_BRAND),
      'the query': () => shop.get(`${WHO}&oauth_token=${token}`, { brand: LEGACY_BRAND }),
      Bearer: () => shop.get(WHO, { brand: LEGACY_BRAND, headers: { authorization: `Bearer ${token}` } }),
    };
    const before = Object.entries(ways);
    for (const [name, ask] of before) {
      const { code } = await ask();
      // A query that takes no token of browsers has nothing to lose.
      if (name === 'the query' && code === GONE) continue;
      allowed(`${name} before logout`, code === 1, code);
    }
    const answer = await shop.post(LOGOUT, {}, { session: holding(token, LEGACY_BRAND) });
    holds('logout clears the cookie', /refill-demo=;/.test(String(answer.headers['set-cookie'])), answer.headers);
    for (const [name, ask] of before) {
      const { code } = await ask();
      refused(`${name} after logout`, code === GONE, code);
    }

    // A page on the brand's own host, and the brand's backup host that it asks when that is silent.
    const live = await harness.liveShop();
    const player = await live.logIn();
    const page = {
      ...OVER_TLS,
      host: 'pay.watt.example',
      headers: { ...OVER_TLS.headers, cookie: `__Host-refill=${player.token}` },
    };
    const given = await live.post<{ token: string }>('/util/login/backup_token', {}, page);
    const backup = live.configuration.brands.get('watt' as BrandKey)?.file.backupHosts[0] ?? '';
    const askBackup = () =>
      live.get(WHO, {
        host: backup,
        headers: { authorization: `Bearer ${given.content?.token}`, origin: `https://${page.host}` },
      });
    allowed('the backup host before logout', (await askBackup()).code === 1, given.text);
    await live.post(LOGOUT, {}, page);
    const { code } = await askBackup();
    refused('the backup host after logout', code === GONE, code);
  },
};

const rotation: SecurityTest = {
  number: '6',
  asvs: '7.2.4',
  about: 'a login while logged in: a new token, the old one is dead',
  run: async ({ harness, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const first = tokenOf(await logIn(shop, account));
    const second = tokenOf(await logIn(shop, account, { session: holding(first) }));
    holds('the token is new', first !== '' && second !== '' && first !== second);
    refused('the old token', (await whoIs(shop, first)).code === GONE);
    allowed('the new token', (await whoIs(shop, second)).code === 1);
    // Another account in the same browser: the session of the first is over.
    const other = tokenOf(await logIn(shop, await makeAccount(shop), { session: holding(second) }));
    refused('the token of the account before', (await whoIs(shop, second)).code === GONE);
    allowed('the other account', (await whoIs(shop, other)).code === 1);
  },
};

/** A session that is `hours` older in every respect. */
async function age(shop: TestShop, publicId: string, hours: number): Promise<void> {
  await shop.db.query(
    `update session set created_at = created_at - $2::interval, seen_at = seen_at - $2::interval,
       idle_until = idle_until - $2::interval,
       absolute_until = absolute_until - $2::interval where public_id = $1`,
    [publicId, `${hours} hours`],
  );
}

const lives: SecurityTest = {
  number: '7',
  asvs: '7.3.1, 7.3.2',
  about: 'sessions left alone past their idle time, and used steadily past their absolute time',
  run: async ({ harness, allowed, refused }) => {
    const shop = await harness.shop();
    const { playerId } = await shop.logIn();
    for (const { kind, idle, absolute } of [
      { kind: 'web', idle: 7 * 24, absolute: 30 * 24 },
      { kind: 'sdk', idle: 2, absolute: 12 },
      { kind: 'replenish', idle: 24, absolute: 24 },
    ] as const) {
      const open = () =>
        openSession(shop.db, { playerId, brandKey: 'watt' as BrandKey, kind, authMethod: 'password', replaces: null });
      const left = await open();
      await age(shop, left.publicId, idle - 0.1);
      // Looked at without being used: asking would prolong it.
      const { rowCount } = await shop.db.query('select from session where public_id = $1 and idle_until > now()', [
        left.publicId,
      ]);
      allowed(`${kind} just before its idle time`, rowCount === 1);
      await age(shop, left.publicId, 0.2);
      refused(`${kind} past its idle time`, (await whoIs(shop, left.token)).code === GONE);

      const used = await open();
      const step = Math.min(idle, absolute) * 0.8;
      let hours = 0;
      for (; hours + step < absolute - 0.1; hours += step) {
        await age(shop, used.publicId, step);
        allowed(`${kind} in steady use after ${hours + step} h`, (await whoIs(shop, used.token)).code === 1);
      }
      await age(shop, used.publicId, absolute - hours + 0.1);
      refused(`${kind} in steady use past ${absolute} h`, (await whoIs(shop, used.token)).code === GONE);
    }
  },
};

const disabled: SecurityTest = {
  number: '8',
  asvs: '7.4.2',
  about: 'an account is disabled: its very next call, and every way back in',
  run: async ({ harness, allowed, refused }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const token = tokenOf(await logIn(shop, account));
    const elsewhere = tokenOf(await logIn(shop, account));
    allowed('the session before', (await whoIs(shop, token)).code === 1);
    await shop.db.query('update player set disabled_at = now() where username = $1', [account.username]);
    for (const one of [token, elsewhere]) refused('the next call', (await whoIs(shop, one)).code === GONE);
    refused('a new login', tokenOf(await logIn(shop, account)) === '');
  },
};

const cookie: SecurityTest = {
  number: '9',
  asvs: '3.3.1-3.3.4',
  about: 'the cookie of a login, and connections that must get none',
  run: async ({ harness, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const answer = await logIn(shop, account, OVER_TLS);
    const lines = [answer.headers['set-cookie'] ?? []].flat();
    const line = lines.find((one) => one.startsWith('__Host-refill=')) ?? '';
    allowed('a login by TLS', answer.code === 1 && line !== '', answer.text);
    for (const wanted of [/; Secure(;|$)/, /; HttpOnly(;|$)/, /; SameSite=Lax(;|$)/, /; Path=\/(;|$)/])
      holds(`${wanted}`, wanted.test(line), line);
    holds('no Domain', !lines.some((one) => /Domain/i.test(one)), lines);
    for (const other of lines)
      holds(
        'every cookie is __Host-, Secure and HttpOnly',
        /^__Host-.*; HttpOnly/.test(other) && other.includes('; Secure'),
        other,
      );
    holds('the body has no token', !answer.text.includes('rf1_') && !answer.text.includes(tokenOf(answer)));
    for (const sent of [{ host: 'pay-demo.watt.example' }, { ...OVER_TLS, remoteAddress: '203.0.113.5' }]) {
      const plain = await logIn(shop, account, sent);
      refused(
        `a cookie over plain http for ${sent.host}`,
        plain.headers['set-cookie'] === undefined && plain.code !== 1,
        plain.text,
      );
    }
  },
};

export const SESSION_TESTS: readonly SecurityTest[] = [randomTokens, logout, rotation, lives, disabled, cookie];
