// Tests 3, 10, 18 and 36: what leaves the browser, links of another account, and the windows of other companies.
import type { Page } from '@playwright/test';
import { DOCUMENT_PATHS } from '#contracts/documents.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { TestShop } from '#testing/shop.ts';
import { makeAccount, whoIs } from './people.ts';
import { openLoginBrowser, refuseLogin } from './login-walk.ts';
import { openDrawn, openServed } from './served.ts';
import type { SecurityTest } from './security-test.ts';

/** Whose session the browser holds; asked beside the page, whose policy may let nothing out. */
async function nameOf(page: Page, shop: TestShop): Promise<string> {
  const held = (await page.context().cookies()).find(({ name }) => name === 'refill-demo')?.value ?? '';
  return (await whoIs(shop, held)).content?.username ?? '';
}

const nothingLeaves: SecurityTest = {
  number: '3',
  asvs: '14.2.1',
  about: 'every page in a browser, a login by hand: no address and no Referer has a token or a password',
  needsBrowser: true,
  run: async (round) => {
    const { harness, allowed, refused, holds } = round;
    const shop = await harness.shop();
    const served = await openServed(round, shop);
    const account = await makeAccount(shop, 'hunter2 hunter2');
    const context = await served.openBrowser();
    const seen: { url: string; referer: string }[] = [];
    context.on('request', (request) => seen.push({ url: request.url(), referer: request.headers()['referer'] ?? '' }));
    const page = await context.newPage();
    await openDrawn(page, served.addressOf('/'));
    await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username', { exact: true }).fill(account.username);
    await dialog.getByLabel('Password', { exact: true }).fill(account.password);
    // The page starts again after a login; what is opened before would be cut off by that.
    const startedAgain = page.waitForEvent('load');
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await startedAgain;
    allowed('a login by hand', (await nameOf(page, shop)) === account.username);
    const session = (await context.cookies()).find(({ name }) => name === 'refill-demo')?.value ?? '';
    for (const path of DOCUMENT_PATHS) {
      await page.goto(served.addressOf(`${path}?client_id=70021`), { waitUntil: 'load' });
      await page.locator('#root > *').first().waitFor();
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      );
      refused(
        `${path}: the token where a script can read it`,
        !kept.includes(session) && !kept.includes('rf1_') && !kept.includes('hunter2'),
        kept,
      );
    }
    holds('many requests were seen', seen.length > 50 && session.startsWith('rf1_'), seen.length);
    for (const secret of [
      session,
      session.slice(4),
      'hunter2',
      encodeURIComponent('hunter2 hunter2'),
      Buffer.from('hunter2 hunter2').toString('base64'),
    ]) {
      const leak = seen.find(({ url, referer }) => url.includes(secret) || referer.includes(secret));
      refused('a secret in an address or Referer', leak === undefined, leak);
    }
    refused(
      'any Referer at all',
      seen.every(({ referer }) => referer === ''),
      seen.find(({ referer }) => referer !== ''),
    );
  },
};

const otherAccount: SecurityTest = {
  number: '10',
  asvs: '7.6.2',
  about: 'logged in, a link with the token of another account: asked first; without a yes nothing changes',
  needsBrowser: true,
  run: async (round) => {
    const { harness, allowed, refused } = round;
    const shop = await harness.shop();
    const served = await openServed(round, shop);
    const [mine, theirs] = [await shop.logIn(), await shop.logIn()];
    const link = async () => {
      const { token } = await openSession(shop.db, {
        playerId: theirs.playerId,
        brandKey: 'watt' as BrandKey,
        kind: 'sdk',
        authMethod: 'game',
        replaces: null,
        isAddressToken: true,
      });
      return served.addressOf(`/selectGoods?client_id=70021&oauth_token=${token}`);
    };
    const context = await served.openBrowser(mine);
    const page = await context.newPage();
    await page.goto(await link(), { waitUntil: 'load' });
    refused('the other account by the link alone', (await nameOf(page, shop)) === mine.username, page.url());
    const question = page.getByRole('button').filter({ hasText: theirs.username });
    allowed(
      'the page asks, and names both',
      (await question.count()) === 1 && (await page.getByText(mine.username).count()) > 0,
      page.url(),
    );
    // Gone away without an answer, and answered by a foreign page.
    await page.goto(served.addressOf('/'), { waitUntil: 'load' });
    refused('the other account after leaving the question', (await nameOf(page, shop)) === mine.username);
    await page.goto(await link(), { waitUntil: 'load' });
    const forged = await shop.app.inject({
      method: 'POST',
      url: '/login-link',
      headers: {
        host: `watt.demo.localhost:${served.port}`,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
        cookie: (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
      },
      payload: 'choice=switch',
    });
    refused(
      'a yes by a foreign form',
      !JSON.stringify(forged.headers['set-cookie'] ?? '').includes('refill-demo=rf1_') &&
        (await nameOf(page, shop)) === mine.username,
      forged.headers,
    );
    await page.getByRole('button').filter({ hasText: mine.username }).click();
    await page.waitForLoadState();
    refused('the other account after a no', (await nameOf(page, shop)) === mine.username);
    await page.goto(await link(), { waitUntil: 'load' });
    await page.getByRole('button').filter({ hasText: theirs.username }).click();
    await page.waitForLoadState();
    allowed('the other account after a yes', (await nameOf(page, shop)) === theirs.username);
  },
};

const popup: SecurityTest = {
  number: '18',
  asvs: '3.4.8',
  about: 'a login by the window of another company, under the headers of production',
  needsBrowser: true,
  run: async (round) => {
    const { harness, allowed, holds } = round;
    const shop = await harness.loginShop();
    const served = await openServed(round, shop);
    const context = await served.openBrowser();
    const page = await context.newPage();
    const answer = await page.goto(served.addressOf('/'));
    const headers = answer?.headers() ?? {};
    holds('the page keeps its windows', headers['cross-origin-opener-policy'] === 'same-origin-allow-popups', headers);
    await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).click();
    const opening = context.waitForEvent('page');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Google/ })
      .first()
      .click();
    const window = await opening;
    const finished = page.waitForResponse((response) => response.url().includes('/util/login/google_auth'));
    await window.getByLabel('Name').fill('Ada Window');
    await window.getByRole('button', { name: 'Continue' }).click();
    const login = (await (await finished).json()) as { code: number };
    allowed('the message is received and the login ends well', login.code === 1, login);
    if (!window.isClosed()) await window.waitForEvent('close', { timeout: 10_000 });
    allowed('the window is closed', window.isClosed());
    await page.waitForLoadState();
    allowed('the session is set', (await nameOf(page, shop)) === 'Ada Window');
  },
};

const vk: SecurityTest = {
  number: '36',
  asvs: '10.1.2, 3.5.5',
  about: 'VK: the uid of somebody else; messages from a wrong origin, source and state, and of a wrong shape',
  needsBrowser: true,
  run: async (round) => {
    const { harness, refused, allowed, holds } = round;
    const shop = await harness.loginShop();
    const simulators = await harness.simulators();
    const browser = openLoginBrowser(shop);
    const walked = await browser.walk('vk', 'Owner');
    await fetch(`${simulators.url}/control/login/vk/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on: 'info', fault: 'other-player', times: 1 }),
    });
    refuseLogin(
      round,
      shop,
      browser,
      'a token whose owner is another',
      await browser.finish('vk', walked.message.fields),
      undefined,
    );
    const brought = openLoginBrowser(shop);
    const { content } = await brought.begin('vk');
    refuseLogin(
      round,
      shop,
      brought,
      'a token with the uid of somebody else',
      await brought.finish('vk', { state: content.state, vk_access_token: 'vk2.a.invented', uid: '1' }),
      undefined,
    );

    const served = await openServed(round, shop);
    const context = await served.openBrowser();
    const page = await context.newPage();
    const ends: string[] = [];
    page.on('request', (request) => void (request.url().includes('vk_auth') && ends.push(request.postData() ?? '')));
    await openDrawn(page, served.addressOf('/'));
    await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).click();
    const opening = context.waitForEvent('page');
    const starting = page.waitForResponse((response) => response.url().includes('/util/login/start'));
    await page.getByRole('dialog').getByRole('button', { name: /VK/ }).first().click();
    const window = await opening;
    const { content: begun } = (await (await starting).json()) as { content: { state: string } };
    await window.getByLabel('Name').waitFor();
    const good = {
      type: 'refill-login',
      kind: 'vk',
      state: begun.state,
      error: null,
      fields: { state: begun.state, authorization_code: 'forged', device_id: 'forged' },
    };
    // By the provider's own window, which is of another origin.
    const send = (from: Page, message: unknown) =>
      from.evaluate(
        (one) => (globalThis as unknown as { opener: Window | null }).opener?.postMessage(one, '*'),
        message,
      );
    await send(window, good);
    refused('a message from a wrong origin', (await quiet(page)) && ends.length === 0, ends);
    for (const [what, message] of [
      ['a wrong source', good],
      ['a wrong state', { ...good, state: 'somebody-elses' }],
      ['no shape', 'refill-login'],
      ['no fields', { ...good, fields: null }],
      ['fields that are none', { ...good, fields: [1, 2] }],
      ['a wrong kind', { ...good, kind: 'myspace' }],
      ['a wrong type', { ...good, type: 'refill' }],
      ['null', null],
    ] as const) {
      await page.evaluate((one) => globalThis.postMessage(one, location.origin), message);
      refused(`a message with ${what}`, (await quiet(page)) && ends.length === 0, ends);
    }
    await window.getByLabel('Name').fill('Right Window');
    await window.getByRole('button', { name: 'Continue' }).click();
    await page.waitForResponse((response) => response.url().includes('/util/login/vk_auth'));
    await page.waitForLoadState();
    allowed('the right message afterwards', ends.length === 1 && !ends[0]?.includes('forged'), ends);
    holds('and it is heard once', (await quiet(page)) && ends.length === 1, ends);
  },
};

/** Time enough for a message to be heard and for a call to be made. */
async function quiet(page: Page): Promise<boolean> {
  await page.waitForTimeout(150);
  return true;
}

export const WINDOW_TESTS: readonly SecurityTest[] = [nothingLeaves, otherAccount, popup, vk];
