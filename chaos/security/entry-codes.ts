// Test 56: guessing at the codes that games show, and giving a stranger one's own.
import { CODES } from '#contracts/errors.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { GAME, type Pages, askTicket } from './links.ts';
import { whoIs } from './people.ts';
import type { SecurityTest } from './security-test.ts';

const BRAND = 'watt';
const HOST = `${BRAND}.demo.localhost`;
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const guess = () => Array.from({ length: 8 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('');

type Person = { address: string; cookie?: string; host?: string; headers?: Record<string, string> };

async function typeCode(app: Pages, code: string, { address, cookie = '', host = HOST, headers = {} }: Person) {
  const answer = await app.inject({
    method: 'POST',
    url: '/util/login/code_auth',
    remoteAddress: address,
    headers: {
      host,
      cookie,
      'content-type': 'application/json',
      'x-refill': '1',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: JSON.stringify({ code }),
  });
  const names = (answer.cookies as { name: string }[]).map(({ name }) => name);
  return { code: answer.json<{ code: number }>().code, names };
}

export const entryCodes: SecurityTest = {
  number: '56',
  asvs: '6.5.2, 6.6.3, 7.6.2',
  about:
    'a code of a game: guessed from many addresses, by one account, used by many at once, at another brand, or ' +
    'given to a stranger',
  run: async ({ harness, defer, refused, allowed, holds, times }) => {
    const shop = await harness.makeShop({ environment: GAME });
    defer(() => shop.close());
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const userId = 'code-owner-1';
    for (const brandKey of [BRAND, 'joynet'] as BrandKey[])
      await shop.services.accounts.saveAccount({
        brandKey,
        username: 'Owner',
        suid: userId,
        password: 'correct horse',
      });
    const ask = async () => (await askTicket(app, userId, HOST, HOST, 'code')).code;
    const ok = CODES.success.code;

    const live = await ask();
    const addresses = Array.from({ length: times({ short: 5, full: 40 }) }, (_, n) => `198.51.100.${n + 1}`);
    for (const address of addresses) {
      for (let n = 0; n < 12; n += 1)
        refused(`a guess from ${address}`, (await typeCode(app, guess(), { address })).code !== ok);
      refused(`the right code after them from ${address}`, (await typeCode(app, live, { address })).code !== ok);
    }
    const account = await shop.logIn({ brand: BRAND });
    const cookie = `refill-demo=${account.token}`;
    for (let n = 0; n < 12; n += 1)
      refused(
        'a guess by one account',
        (await typeCode(app, guess(), { address: `203.0.113.${n + 1}`, cookie })).code !== ok,
      );
    refused(
      'the right code by that account',
      (await typeCode(app, live, { address: '203.0.113.99', cookie })).code !== ok,
    );
    refused(
      'the code at another brand',
      (await typeCode(app, live, { address: '192.0.2.1', host: 'joynet.demo.localhost' })).code !== ok,
    );
    refused(
      'the code from a page of another site',
      (await typeCode(app, live, { address: '192.0.2.2', headers: { 'sec-fetch-site': 'cross-site' } })).code !== ok,
    );

    const many = await Promise.all(
      Array.from({ length: 20 }, (_, n) => typeCode(app, live, { address: `192.0.2.${n + 10}` })),
    );
    holds('of twenty at once one is asked', many.filter(({ code }) => code === ok).length === 1, many);
    refused('the code once more', (await typeCode(app, live, { address: '192.0.2.90' })).code !== ok);

    // Somebody else than the account that guessed: that one may not try for a while.
    const stranger = await shop.logIn({ brand: BRAND });
    const theirs = `refill-demo=${stranger.token}`;
    const given = await typeCode(app, await ask(), { address: '192.0.2.91', cookie: theirs });
    allowed('a stranger may type it', given.code === ok, given);
    holds('and gets a question, no session', given.names.join() === 'refill-demo-link', given.names);
    holds('and is who they were', (await whoIs(shop, stranger.token, BRAND)).code === ok);
    holds('no code in the log', !shop.logLines.join('').includes(live.replace('-', '')));
  },
};
