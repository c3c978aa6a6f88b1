// Tests 32, 33, 35 and 37: attempts in the wrong browser, codes used twice, and what only Facebook and X do.
import type { LoginKind } from '#contracts/logins.ts';
import { openLoginBrowser, refuseLogin } from './login-walk.ts';
import type { Round, SecurityTest } from './security-test.ts';

const KINDS: readonly LoginKind[] = ['google', 'ios', 'facebook', 'twitter', 'vk', 'huawei'];

const attempts: SecurityTest = {
  number: '32',
  asvs: '10.1.2',
  about: 'a login ended in another browser, ended twice, ended after its ten minutes; six providers',
  run: async (round) => {
    const shop = await round.harness.loginShop();
    for (const kind of KINDS) {
      const mine = openLoginBrowser(shop);
      const { message } = await mine.walk(kind, `Attempt ${kind}`);
      const empty = openLoginBrowser(shop);
      refuseLogin(
        round,
        shop,
        empty,
        `${kind}: a browser that began nothing`,
        await empty.finish(kind, message.fields),
        undefined,
      );
      const theirs = openLoginBrowser(shop);
      await theirs.begin(kind);
      refuseLogin(
        round,
        shop,
        theirs,
        `${kind}: a browser with an attempt of its own`,
        await theirs.finish(kind, message.fields),
        undefined,
      );
      const first = await mine.finish(kind, message.fields);
      round.allowed(`${kind}: the browser that began it`, first.code === 1, first.text);
      refuseLogin(
        round,
        shop,
        mine,
        `${kind}: a second time`,
        await mine.finish(kind, message.fields),
        mine.jar.get('refill-demo'),
      );
      const late = openLoginBrowser(shop);
      const walked = await late.walk(kind, `Late ${kind}`);
      await shop.db.query(
        `update login_attempt set expires_at = expires_at - interval '10 minutes' where used_at is null`,
      );
      refuseLogin(
        round,
        shop,
        late,
        `${kind}: after ten minutes`,
        await late.finish(kind, walked.message.fields),
        undefined,
      );
    }
  },
};

const codeTwice: SecurityTest = {
  number: '33',
  asvs: '10.5.1',
  about: 'one authorization code under two attempts: the second fails, the first session stays; six providers',
  run: async (round) => {
    const shop = await round.harness.loginShop();
    for (const kind of KINDS) {
      const first = openLoginBrowser(shop);
      const one = await first.walk(kind, `Code ${kind}`);
      round.allowed(`${kind}: the first`, (await first.finish(kind, one.message.fields)).code === 1);
      const second = openLoginBrowser(shop);
      const two = await second.walk(kind, `Victim ${kind}`);
      const { state, oauth_token: token } = two.message.fields;
      const mixed = { ...one.message.fields, ...(state ? { state } : {}), ...(token ? { oauth_token: token } : {}) };
      refuseLogin(round, shop, second, `${kind}: the same code again`, await second.finish(kind, mixed), undefined);
      round.allowed(`${kind}: the first session afterwards`, (await first.who()).code === 1);
    }
  },
};

/** The next answer of a simulator is wrong in this way. */
async function spoil({ harness }: Round, name: string, on: string, fault: string): Promise<void> {
  await fetch(`${(await harness.simulators()).url}/control/login/${name}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on, fault, times: 1 }),
  });
}

const facebook: SecurityTest = {
  number: '35',
  asvs: '10.3.1',
  about: 'Facebook: a token of another app, an invalid one, one of another player, a wrong appsecret_proof',
  run: async (round) => {
    const shop = await round.harness.loginShop();
    for (const [what, on, fault] of [
      ['the token of another app', 'debug', 'other-app'],
      ['is_valid false', 'debug', 'not-valid'],
      ['an expired token', 'debug', 'expired'],
      ['user_id is not me.id', 'me', 'other-player'],
    ] as const) {
      const browser = openLoginBrowser(shop);
      const { message } = await browser.walk('facebook', 'Faces');
      await spoil(round, 'facebook', on, fault);
      refuseLogin(round, shop, browser, what, await browser.finish('facebook', message.fields), undefined);
    }
    const good = openLoginBrowser(shop);
    const { message } = await good.walk('facebook', 'Faces');
    round.allowed('a good one', (await good.finish('facebook', message.fields)).code === 1);
    // A secret that is not this app's: its proofs are wrong, and so is every token it asks about.
    const { environment } = await round.harness.simulators();
    const wrong = await round.harness.makeShop({
      environment: { ...environment, REFILL_LOGIN_FACEBOOK_DEMO_APP_SECRET: 'f'.repeat(32) },
    });
    round.defer(() => wrong.close());
    const browser = openLoginBrowser(wrong);
    const walked = await browser.walk('facebook', 'Faces');
    refuseLogin(
      round,
      wrong,
      browser,
      'a wrong appsecret_proof',
      await browser.finish('facebook', walked.message.fields),
      undefined,
    );
  },
};

const x: SecurityTest = {
  number: '37',
  asvs: '10.2.1',
  about: "X: another browser's request token, `denied`, and its oauth_token on our own pages",
  run: async (round) => {
    const { allowed, refused, holds, harness } = round;
    const shop = await harness.loginShop();
    const theirs = openLoginBrowser(shop);
    const { message } = await theirs.walk('twitter', 'Bird');
    const mine = openLoginBrowser(shop);
    await mine.begin('twitter');
    refuseLogin(
      round,
      shop,
      mine,
      "another browser's request token",
      await mine.finish('twitter', message.fields),
      undefined,
    );
    const denied = openLoginBrowser(shop);
    const back = await denied.walk('twitter', null);
    refused(
      'denied opens nothing and is told as cancelled',
      back.message.error === 'cancelled' && Object.keys(back.message.fields).length === 0,
      back.message,
    );

    const logged = openLoginBrowser(shop);
    const walked = await logged.walk('twitter', 'Bird');
    allowed('a good login', (await logged.finish('twitter', walked.message.fields)).code === 1);
    const token = walked.message.fields['oauth_token'] ?? '';
    const pages = await harness.makePages(shop);
    round.defer(() => pages.close());
    const cookie = `refill-demo=${logged.jar.get('refill-demo')}`;
    for (const path of ['/', '/selectGoods', '/userCenter', '/my']) {
      const answer = await pages.inject({
        url: `${path}?oauth_token=${token}&oauth_verifier=abc`,
        headers: { host: 'watt.demo.localhost', accept: 'text/html', cookie },
      });
      refused(
        `${path} with X's oauth_token`,
        answer.statusCode === 303 && !String(answer.headers.location).includes('oauth_token'),
        answer.statusCode,
      );
      holds(
        'the session is untouched',
        (await logged.who()).code === 1 && !JSON.stringify(answer.headers['set-cookie'] ?? '').includes('refill-demo='),
        answer.headers['set-cookie'],
      );
    }
  },
};

export const IDENTITY_TESTS: readonly SecurityTest[] = [attempts, codeTwice, facebook, x];
