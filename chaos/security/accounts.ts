// Tests 59, 60 and 71: a user id of one game used at another, an account made anew by taking its login away, and one
// account at several brands.
import { CODES } from '#contracts/errors.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { operateAccount } from '#server/modules/accounts/operate-account.ts';
import { PAY_BODY } from '#testing/pay.ts';
import { type TestPlayer, credentials } from '#testing/shop.ts';
import { openLoginBrowser } from './login-walk.ts';
import type { SecurityTest } from './security-test.ts';

/** Client ids of two games of the brand "dragon", whose games keep the accounts; 70020 and 70021 are of one game. */
const BRAND = 'dragon';
const CLIENTS = { emberfall: ['70013'], starlane: ['70020', '70021'] } as const;

const otherGame: SecurityTest = {
  number: '59',
  asvs: '8.2.2, 8.3.1',
  about:
    'the same user id at two games of a brand: a login at one of them reads, buys and receives nothing at the other',
  run: async ({ harness, refused, allowed, holds, times, defer }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    shop.game.script.authenticate = (username) => ({ kind: 'ok', userId: `u-${username}`, username });
    const logIn = async (client: string, name: string): Promise<TestPlayer> => {
      const { cookies, code } = await shop.post('/util/login/auth', credentials(name, 'secret', client), {
        brand: BRAND,
      });
      allowed(`the login at ${client}`, code === CODES.success.code);
      return { brand: BRAND, token: cookies[0]?.value ?? '' } as TestPlayer;
    };
    for (let round = 0; round < times({ short: 1, full: 20 }); round += 1)
      for (const { at, there } of [
        { at: CLIENTS.emberfall, there: CLIENTS.starlane },
        { at: CLIENTS.starlane, there: CLIENTS.emberfall },
      ]) {
        const name = `wolf-${round}`;
        const session = await logIn(at[0], name);
        for (const client of at) {
          const { code } = await shop.get(`/api/system/allRoleList?client_id=${client}`, { session });
          allowed(`its own characters at ${client}`, code === CODES.success.code, code);
        }
        for (const client_id of there) {
          const gift = { type: 'daily', activity_id: 'x', gift_id: 'all' };
          const place = { client_id, server_id: 's1', role_id: 'r1' };
          const asked = { ...shop.game.calls };
          const answers = [
            await shop.get(`/api/system/allRoleList?client_id=${client_id}`, { session }),
            await shop.get(`/api/pay/getRoleList?client_id=${client_id}&server_id=s1`, { session }),
            await shop.get(`/api/rsys/state?client_id=${client_id}`, { session }),
            await shop.get(`/util/login/get_user_info?client_id=${client_id}`, { session }),
            await shop.post('/api/pay/paypal_pay', { ...PAY_BODY, ...place }, { session }),
            await shop.post('/api/cumulative/receiveActivityGift', { ...place, ...gift }, { session }),
            await shop.post('/util/login/start', { kind: 'google', client_id, purpose: 'link' }, { session }),
          ]; /* a call a line */ // prettier-ignore
          for (const [index, { code, text }] of answers.entries())
            refused(
              `call ${index} of ${at[0]} at ${client_id}`,
              code !== CODES.success.code && !text.includes(name),
              text,
            );
          holds('the game is asked nothing', JSON.stringify(asked) === JSON.stringify({ ...shop.game.calls }));
        }
      }
    const { rowCount } = await shop.db.query('select from orders where brand_key = $1', [BRAND]);
    holds('nothing was ordered', rowCount === 0, rowCount);
  },
};

const madeAnew: SecurityTest = {
  number: '60',
  asvs: '6.3.1, 8.2.2, 8.3.1',
  about:
    'the login that an account was made by is taken away and used again: no second account for the same characters',
  run: async ({ harness, refused, allowed, holds }) => {
    const shop = await harness.loginShop();
    for (const kind of ['google', 'huawei'] as const) {
      const name = `Anew ${kind}`;
      const logIn = async () => {
        const browser = openLoginBrowser(shop);
        const { message } = await browser.walk(kind, name);
        return { browser, answer: await browser.finish(kind, message.fields) };
      };
      const { browser, answer } = await logIn();
      const { suid } = answer.content;
      const players = async () =>
        (await shop.db.query<{ player_id: PlayerId }>('select player_id from player where suid = $1', [suid])).rows;
      const [player] = await players();
      if (!player) throw new Error('no player was made');
      await shop.db.query(
        `insert into player_identity (brand_key, provider, subject, player_id) values ('watt', 'vk', $1, $2)`,
        [`throwaway-${kind}`, player.player_id],
      );
      const taken = await browser.post('/util/login/unlink', { kind });
      refused(`${kind}: taking it away`, taken.code === CODES.foundingLogin.code, taken.text);
      // As versions before did, and with the account blocked meanwhile.
      await shop.db.query(`delete from player_identity where player_id = $1 and provider <> 'vk'`, [player.player_id]);
      const back = await Promise.all([logIn(), logIn(), logIn()]);
      for (const one of back) allowed(`${kind}: the same account again`, one.answer.content?.suid === suid);
      holds(`${kind}: one player`, (await players()).length === 1);
      await shop.db.query(`delete from player_identity where player_id = $1 and provider <> 'vk'`, [player.player_id]);
      await operateAccount(shop.db, player.player_id, 'disable', null);
      const blocked = await logIn();
      refused(`${kind}: a blocked account`, blocked.answer.code === CODES.loginFailed.code, blocked.answer.text);
      holds(`${kind}: still one player`, (await players()).length === 1);
    }
  },
};

const EMBERFALL = { client_id: '70013', server_id: 's1', role_id: 'r1' };

const severalBrands: SecurityTest = {
  number: '71',
  asvs: '2.3.2, 2.3.3',
  about: 'one account of a game at two brands at the same moment: limited goods, bonus and daily reward are had once',
  run: async ({ harness, refused, allowed, times, defer }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    shop.game.script.authenticate = (username) => ({ kind: 'ok', userId: `u-${username}`, username });
    const logIn = async (brand: string, name: string): Promise<TestPlayer> => {
      const { cookies, code } = await shop.post('/util/login/auth', credentials(name, 'secret', '70013'), { brand });
      allowed(`the login at ${brand}`, code === CODES.success.code);
      const session = { brand, token: cookies[0]?.value ?? '' } as TestPlayer;
      await shop.get('/api/system/allRoleList?client_id=70013', { session });
      return session;
    };
    for (let round = 0; round < times({ short: 2, full: 20 }); round += 1) {
      const sessions = [await logIn('dragon', `fox-${round}`), await logIn('ssgame', `fox-${round}`)];
      const atOnce = async (path: string, body: object) =>
        (
          await Promise.all(
            [...sessions, ...sessions].map((session) => shop.post(path, { ...EMBERFALL, ...body }, { session })),
          )
        ).filter(({ code }) => code === CODES.success.code).length;
      const gift = { type: 'daily', activity_id: 'ember_campfire', gift_id: 'all' };
      await atOnce('/api/cumulative/receiveActivityGift', gift);
      await atOnce('/api/pay/paypal_pay', { product_id: 'ember_newcomer' });
      await atOnce('/api/pay/paypal_pay', { product_id: 'ember_3280', first_bonus: '1' });
      const { rows } = await shop.db.query<{ what: string; count: number }>(
        `select kind as what, count(*)::integer as count from reservation r join player p using (player_id)
           where p.suid = $1 and kind in ('limit', 'bonus') group by 1
         union all select 'reward', count(*)::integer from reward where suid = $1`,
        [`u-fox-${round}`],
      );
      allowed('something was had of each', rows.length === 3, rows);
      for (const { what, count } of rows) refused(`${what}: a second one`, count === 1, count);
    }
  },
};

export const ACCOUNT_TESTS: readonly SecurityTest[] = [otherGame, madeAnew, severalBrands];
