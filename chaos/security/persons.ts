// Test 58: other people's data: downloading it, and having them erased.
import { CODES } from '#contracts/errors.ts';
import type { ErasureState } from '#contracts/privacy.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import { eraseDue } from '#server/modules/privacy/service.ts';
import { placeOrder } from '#testing/pay.ts';
import type { TestPlayer } from '#testing/shop.ts';
import type { SecurityTest } from './security-test.ts';

const [EXPORT, ERASE, KEEP] = ['/api/privacy/export', '/api/privacy/erase', '/api/privacy/keep'];
const ACTS = [EXPORT, ERASE, KEEP] as const;

export const persons: SecurityTest = {
  number: '58',
  asvs: '3.5.1, 7.5.3, 8.2.2, 14.2.1',
  about:
    "a person's data: downloaded or erased from a foreign page, by a stolen old session, by a token of a game, " +
    "by another's number, by a confirmation sent again",
  run: async ({ harness, refused, allowed, holds }) => {
    const shop = await harness.shop();
    const { player: victim, billingNo } = await placeOrder(shop);
    const thief = await shop.logIn();
    const isThere = async () =>
      (await shop.db.query('select from player where player_id = $1 and erased_at is null', [victim.playerId]))
        .rowCount === 1;
    const asked = async () =>
      (await shop.db.query('select from erasure where player_id = $1', [victim.playerId])).rowCount !== 0;
    const body = { name: victim.username, gives_up_balance: 1, player_id: victim.playerId, suid: victim.suid };

    // A thief with a session of their own names somebody else.
    for (const path of [EXPORT, `${EXPORT}?player_id=${victim.playerId}`]) {
      const { text } = await shop.post(path, body, { session: thief });
      refused(`another's data by ${path}`, !text.includes(billingNo) && !text.includes(victim.playerId));
    }
    refused("another's name typed", (await shop.post(ERASE, body, { session: thief })).code !== CODES.success.code);

    // From a foreign page, with the victim's cookie.
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': undefined, 'x-refill': undefined, 'content-type': 'application/x-www-form-urlencoded' },
      { 'sec-fetch-site': 'cross-site', 'x-refill': undefined, 'content-type': 'text/plain' },
    ])
      for (const path of ACTS) {
        const { status, text } = await shop.post(path, body, { session: victim, headers });
        refused(`${path} from a foreign page`, [400, 403, 415].includes(status) && !text.includes(billingNo), status);
      }
    for (const path of ACTS) {
      const { status, text } = await shop.get(`${path}?name=${victim.username}`, { session: victim });
      refused(`${path} by an address`, [404, 405].includes(status) && !text.includes(billingNo), status);
    }

    // Opens sessions as a game and as a card do.
    const open = async (kind: 'sdk' | 'web', authMethod: string, bound: { client_id: string } | null) => {
      const { token } = await openSession(shop.db, {
        playerId: victim.playerId,
        brandKey: victim.brand as BrandKey,
        kind,
        authMethod,
        replaces: null,
        bound,
      });
      return { ...victim, token } as TestPlayer;
    };
    for (const session of [
      await open('sdk', 'game', { client_id: '70021' }),
      await open('sdk', 'game', null),
      await open('web', 'game', { client_id: '70021' }),
      await open('web', 'card', null),
    ])
      for (const path of ACTS)
        refused(
          `${path} by a game or a card`,
          (await shop.post(path, body, { session })).code === CODES.loginAgain.code,
        );

    // A session that was found, ten minutes after the login.
    const old = await open('web', 'password', null);
    await shop.db.query(
      `update session set created_at = created_at - interval '10 minutes' where player_id = $1 and kind = 'web'`,
      [victim.playerId],
    );
    for (const path of [EXPORT, ERASE])
      refused(
        `${path} by an old session`,
        (await shop.post(path, body, { session: old })).code === CODES.loginAgain.code,
      );
    holds('nobody was erased, and nothing was asked', (await isThere()) && !(await asked()));

    // The right person, and the same confirmation sent again.
    const owner = await shop.logIn();
    const wish = { name: owner.username };
    const first = await shop.post<ErasureState>(ERASE, wish, { session: owner });
    allowed('the own wish', first.code === CODES.success.code, first.text);
    const again = await shop.post<ErasureState>(ERASE, wish, { session: owner });
    holds('a wish sent again is the same wish', again.content?.erasure_no === first.content.erasure_no);
    // The owner comes back: whoever sends the confirmation once more, with the session of before, gets nowhere.
    await openSession(shop.db, {
      playerId: owner.playerId,
      brandKey: owner.brand as BrandKey,
      kind: 'web',
      authMethod: 'password',
      replaces: owner.token,
    });
    refused(
      'a confirmation after a new login',
      (await shop.post(ERASE, wish, { session: owner })).code === CODES.notLoggedIn.code,
    );
    await shop.db.query(`update erasure set next_at = now() where player_id = $1`, [owner.playerId]);
    await eraseDue(shop.services);
    const { rows } = await shop.db.query('select erased_at from player where player_id = $1', [owner.playerId]);
    refused('the wish of before the login', (rows[0] as { erased_at: Date | null }).erased_at === null);
  },
};
