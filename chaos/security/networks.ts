// Tests 53 to 55: what many behind one address, many addresses of one network, and one game's
// sessions may do to the others.
import { CODES } from '#contracts/errors.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { type TestPlayer, credentials } from '#testing/shop.ts';
import { LOGIN, logIn, makeAccount, whoIs } from './people.ts';
import type { SecurityTest } from './security-test.ts';

const cardNetworks: SecurityTest = {
  number: '53',
  asvs: '6.1.1, 6.6.3',
  about:
    'typing errors of many players behind one address: others pay on; a hundred slow those of the network down ' +
    'who failed too, and say so',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const [card] = await issueTestCards(shop.db, 1);
    const check = async (info: string, remoteAddress = '203.0.113.9', who?: TestPlayer) =>
      shop.post(
        '/api/pay/card_info',
        { client_id: '70021', card_info: info },
        { session: who ?? (await shop.logIn()), remoteAddress },
      );
    const mistyped = await shop.logIn();
    const good = cardInfo(card?.cardId ?? '', card?.password ?? '');
    for (let n = 0; n < 5; n += 1) await check(cardInfo(`TYPO${n}`, 'X'));
    allowed('a good card after five typing errors of five players', (await check(good)).code === 1);
    for (let n = 5; n < 99; n += 1) await check(cardInfo(`TYPO${n}`, 'X'));
    await check(cardInfo('TYPO99', 'X'), '203.0.113.10', mistyped);
    const slowed = await check(good, '203.0.113.9', mistyped);
    allowed('who has not failed, after a hundred', (await check(good)).code === 1);
    refused('who has failed, after a hundred', slowed.code === CODES.tooManyCardAttempts.code, slowed.text);
    holds('not told as a bad card', slowed.msg !== (await check(cardInfo('TYPO', 'X'), '192.0.2.1')).msg, slowed.msg);
    allowed('the card elsewhere', (await check(good, '198.51.100.1')).code === 1);
  },
};

const openings: SecurityTest = {
  number: '54',
  asvs: '7.1.2, 8.2.3',
  about: 'twelve openings by a game: the session of the browser stays, and a bound one sees nothing of the account',
  run: async ({ harness, refused, allowed }) => {
    const shop = await harness.shop();
    const player = await shop.logIn();
    const open = () =>
      openSession(shop.db, {
        playerId: player.playerId,
        brandKey: 'watt' as BrandKey,
        kind: 'sdk',
        authMethod: 'game',
        replaces: null,
        bound: { client_id: '70021', role_id: 'r1' },
      });
    let last = await open();
    for (let n = 1; n < 12; n += 1) last = await open();
    allowed('the browser after twelve openings', (await whoIs(shop, player.token)).code === 1);
    const bound = { ...player, token: last.token };
    const sessions = await shop.get<{ list: unknown[] }>('/util/login/sessions', { session: bound });
    refused('the other sessions', sessions.content.list.length === 1, sessions.text);
    const identities = await shop.get<{ isFresh: boolean }>('/util/login/identities', { session: bound });
    refused('changing how one logs in', !identities.content.isFresh, identities.text);
  },
};

const wideNetworks: SecurityTest = {
  number: '55',
  asvs: '6.3.1, 15.3.4',
  about: 'sixty logins from sixty networks of one /48, every spelling of an address, and a known device in a flood',
  run: async ({ harness, defer, refused, allowed, holds }) => {
    const shop = await harness.makeShop({ environment: { REFILL_LOGINS_PER_MINUTE: '20' } });
    defer(() => shop.close());
    const account = await makeAccount(shop);
    const first = await logIn(shop, account, { remoteAddress: '192.0.2.10' });
    const device = (first.cookies as { name: string; value: string }[])
      .filter(({ name }) => name !== 'refill-demo')
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const tries = [];
    for (let n = 0; n < 60; n += 1)
      tries.push(await shop.post(LOGIN, credentials(`wide ${n}`, 'wrong'), { remoteAddress: `2001:db8:5:${n}::1` }));
    const looked = tries.filter(({ code }) => code === CODES.wrongCredentials.code).length;
    holds('twice as many as one address', looked === 40, looked);
    for (const { status } of tries.slice(40)) refused('beyond them', status === 429, status);
    for (let n = 0; n < 24; n += 1) {
      const remoteAddress = n % 2 ? '::ffff:203.0.113.40' : '203.0.113.40';
      const { status } = await shop.post(LOGIN, credentials(`mapped ${n}`, 'wrong'), { remoteAddress });
      if (n < 20) allowed('an address', status === 200, status);
      else refused('the same address in another spelling', status === 429, status);
    }
    // More at once than the queue of passwords holds: strangers are refused, the browser that is known is not.
    const flood = Array.from({ length: 150 }, (_, n) =>
      shop.post(LOGIN, credentials(`flood ${n}`, 'wrong'), { remoteAddress: `198.51.${n}.7` }),
    );
    const known = logIn(shop, account, { headers: { cookie: device }, remoteAddress: '192.0.2.10' });
    allowed('a known device in a flood', (await known).code === 1, (await known).text);
    const answers = await Promise.all(flood);
    holds(
      'the flood was more than the queue',
      answers.some(({ status }) => status === 503),
      answers.length,
    );
  },
};

export const NETWORK_TESTS: readonly SecurityTest[] = [cardNetworks, openings, wideNetworks];
