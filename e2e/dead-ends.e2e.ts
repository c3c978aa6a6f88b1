// Walks into everything that could stop a purchase or leave a player without a way on: refused windows, second presses,
// limits, unpaid orders, two tabs of one shop, cookies, and the messages of the specification's section 8, each with
// the way that leads to it and the way out.
import type { Page, Route } from '@playwright/test';
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';

const PHONE = '@phone';
const DESKTOP = '@desktop';
/** On a desktop by `npm run e2e` only. */
const LATER = '@wide-later';

const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** A product in the order of a player who is logged in. */
async function prepare(shopPage: ShopPage, product = '320'): Promise<void> {
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods(product);
}

const heading = ({ page, text }: ShopPage, id: string) => page.getByRole('heading', { name: text(id) });
const toPay = ({ result, text }: ShopPage) => result.getByRole('link', { name: text('result.to_pay'), exact: true });

/** Fetches the server's answer to change it; *.localhost leads to this machine in a browser only. */
async function answerOf(route: Route, page: Page) {
  const url = route
    .request()
    .url()
    .replace(/\/\/[^:/]+/, '//127.0.0.1');
  return route.fetch({ url, headers: { ...(await route.request().allHeaders()), host: new URL(page.url()).host } });
}

const say = (code: number) => (route: Route) =>
  route.fulfill({ json: { code, msg: 'says the server', content: null } });

/** As an app has them that allows one window only: `open` leads the page itself away, and answers it. */
const VIEW_OF_APP =
  'Mozilla/5.0 (Linux; Android 13; SM-A135F; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
  'Chrome/126.0.0.0 Mobile Safari/537.36';

test.describe('where no window opens', () => {
  for (const [where, tag, open] of [
    ['in a browser', '@thorough', 'window.open = () => null'],
    ['in a view of an app', LATER, 'window.open = (url) => (url && location.assign(url), window)'],
  ] as const)
    test(
      `L92 ${where} the page itself goes to the provider and comes back to the order`,
      { tag },
      async ({ shopPage, returning: player }) => {
        const { page } = shopPage;
        await page.addInitScript(open);
        if (tag === LATER) {
          const session = await page.context().newCDPSession(page);
          await session.send('Network.setUserAgentOverride', { userAgent: VIEW_OF_APP });
        }
        await prepare(shopPage);
        await shopPage.openCheckout();
        await shopPage.chooseChannel('paypal');
        await shopPage.payButton.click();
        await expect(page.getByRole('note')).toContainText('no real money');
        // Back without having paid: the link leads there again, in this page too.
        await page.goBack();
        await shopPage.open('/');
        await shopPage.button('result.unfinished_show').click();
        await expect(shopPage.result.getByText(shopPage.text('result.pending_hint_1'))).toHaveCount(0);
        const billingNo = await shopPage.billingNo();
        await toPay(shopPage).click();
        await payOnProvider(page, 'Pay');
        await shopPage.expectResult('result.success_title');
        expect(await shopPage.billingNo()).toBe(billingNo);
        await expectDelivered(billingNo, player);
      },
    );
});

test.describe('a second press', () => {
  for (const ms of [120, 400, 900]) {
    test(
      `L94 on Pay after ${ms} ms changes nothing and opens nothing`,
      { tag: ms === 400 ? PHONE : [PHONE, '@thorough'] },
      async ({ shopPage, returning: _player, context }) => {
        const { page } = shopPage;
        await prepare(shopPage);
        await shopPage.openCheckout();
        await shopPage.chooseChannel('paypal');
        const box = await shopPage.payButton.last().boundingBox();
        if (!box) throw new Error('Pay is nowhere.');
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await expect(shopPage.payButton.last()).toBeEnabled();
        await page.waitForTimeout(700);
        await page.mouse.click(x, y);
        await page.waitForTimeout(ms);
        await page.mouse.click(x, y);
        await expect(shopPage.result).toBeVisible();
        await page.waitForTimeout(700);
        await expect(shopPage.result).toBeVisible();
        await expect(shopPage.recharge).toBeHidden();
        const spare = context.pages().filter((one) => one.url() === 'about:blank');
        expect(spare).toEqual([]);
        // No way out stands where Pay was.
        const out = await shopPage.button('result.change_recharge_way', shopPage.result).boundingBox();
        expect(out === null || out.y + out.height <= y || out.y >= y).toBe(true);
      },
    );
  }
});

test.describe('limits', () => {
  test(
    'L199 the last one that was bought is not payable any more',
    { tag: LATER },
    async ({ shopPage, returning: player }) => {
      const { page } = shopPage;
      await prepare(shopPage, 'Newcomer');
      // Another tab that does not know it yet.
      const late = createShopPage(await page.context().newPage(), shopPage);
      await late.open('/');
      await late.chooseGoods('Newcomer');
      const { billingNo, window } = await shopPage.pay('paypal');
      await payOnProvider(window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await shopPage.button('result.success_done').click();
      await expectDelivered(billingNo, player);
      // Paid goods are not chosen any more, and used-up ones cannot be chosen again.
      await expect(shopPage.goods('Newcomer').first()).not.toBeChecked();
      await expect(shopPage.goods('Newcomer').first()).toBeDisabled();
      await expect(shopPage.payButton).toHaveCount(0);

      await late.page.bringToFront();
      await late.openCheckout();
      await late.chooseChannel('paypal');
      await late.payButton.click();
      await expect(late.page.getByRole('status').getByText(late.text('error.limit_reached'))).toBeVisible();
      await expect(late.payButton).toHaveCount(0);
    },
  );
});

test.describe('an order that waits', () => {
  test(
    'L199 an unpaid order of the same product says when it was begun, and leads on',
    { tag: LATER },
    async ({ shopPage, returning: player }) => {
      await prepare(shopPage);
      const first = await shopPage.pay('paypal');
      await first.window.close();
      await shopPage.dismiss();
      await shopPage.openCheckout();
      await shopPage.chooseChannel('paypal');
      await shopPage.payButton.click();
      await expect(heading(shopPage, 'result.begun_title')).toBeVisible();
      await expect(shopPage.result).toContainText(/You started this order at \S?\d{4}\/\d\d\/\d\d \d\d:\d\d UTC/);
      await expect(shopPage.result.getByText(shopPage.text('result.pending_hint_1'))).toHaveCount(0);
      expect(await shopPage.billingNo()).toBe(first.billingNo);
      const again = await shopPage.openPayPage('waiting');
      await payOnProvider(again, 'Pay');
      await shopPage.expectResult('result.success_title');
      await expectDelivered(first.billingNo, player);
    },
  );

  test('closed by going back it is noted at once', { tag: PHONE }, async ({ shopPage, returning: _player }) => {
    await prepare(shopPage);
    const { window } = await shopPage.pay('paypal');
    await window.close();
    await shopPage.page.goBack();
    await expect(shopPage.result).toBeHidden();
    await expect(shopPage.button('result.unfinished_show')).toBeVisible();
  });
});

test.describe('two tabs', () => {
  test(
    'the provider’s tab closes itself when the first one goes on',
    { tag: LATER },
    async ({ shopPage, returning: player }) => {
      await prepare(shopPage);
      const { billingNo, window } = await shopPage.pay('paypal');
      await payOnProvider(window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await expect.poll(() => window.isClosed()).toBe(true);
      await expectDelivered(billingNo, player);
    },
  );

  test(
    'one that may not close itself says that it may be closed',
    { tag: DESKTOP },
    async ({ shopPage, returning: _player, watch }) => {
      watch.allow(/Scripts may close only/);
      await prepare(shopPage);
      const { billingNo, window } = await shopPage.pay('paypal');
      await window.close();
      const tab = createShopPage(await shopPage.page.context().newPage(), shopPage);
      // With a history of its own no script closes it.
      await tab.open('/my');
      await tab.open('/', { billing_no: billingNo });
      await expect(heading(tab, 'result.returned_title')).toBeVisible();
      await tab.button('result.returned_stay').click();
      await tab.expectResult('result.pending_title');
      expect(await tab.billingNo()).toBe(billingNo);
    },
  );
});

test.describe('cookies', () => {
  test('L127 refused: the login explains instead of asking for a password', { tag: LATER }, async ({ shopPage }) => {
    const { page } = shopPage;
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false });
    });
    await shopPage.open('/');
    await shopPage.button('login.submit', page.getByRole('banner')).click();
    await expect(heading(shopPage, 'show_error.cookies_title')).toBeVisible();
    await expect(page.getByText(shopPage.text('show_error.cookies_text'))).toBeVisible();
    expect(pathOf(page)).toBe('/showError');
    await expect(shopPage.popup('login.title')).toBeHidden();
  });

  test('L127 lost after a login: the popup says what to do', { tag: PHONE }, async ({ shopPage, player, watch }) => {
    watch.allow(/401/);
    const { page } = shopPage;
    await shopPage.open('/');
    await page.route('**/util/login/auth', async (route) => {
      const answer = await answerOf(route, page);
      const { 'set-cookie': _lost, ...headers } = answer.headers();
      await route.fulfill({ response: answer, headers });
    });
    await page.context().clearCookies();
    await shopPage.button('login.submit', page.getByRole('banner')).click();
    await shopPage.fillLogin(player);
    await expect(shopPage.popup('login.title').getByText(shopPage.text('error.cookie_lost'))).toBeVisible();
    await page.unroute('**/util/login/auth');
    await shopPage.fillLogin(player);
    await shopPage.expectLoggedIn(player);
  });
});

test.describe('messages', () => {
  test(
    'L199 query error: return home, where everything is there again',
    { tag: LATER },
    async ({ shopPage, watch }) => {
      watch.allow(/getGameListV2/);
      const { page } = shopPage;
      await shopPage.open('/');
      await page.route('**/api/pay/getGameListV2*', say(-9));
      // Another language is another list of games.
      const japanese = createShopPage(page, { ...shopPage, language: 'ja' });
      await page.getByRole('banner').getByRole('combobox').selectOption('ja');
      await expect(heading(japanese, 'show_error.query_title')).toBeVisible();
      expect(pathOf(page)).toBe('/showError');
      await page.unroute('**/api/pay/getGameListV2*');
      await page.getByRole('link', { name: japanese.text('not_found.home') }).click();
      await expect(shopPage.goods('320').first()).toBeVisible();
    },
  );

  test('L199 network error: try later', { tag: PHONE }, async ({ shopPage, watch }) => {
    watch.allow(/getGameListV2|ERR_FAILED/);
    const { page } = shopPage;
    await page.clock.install();
    await shopPage.open('/');
    await page.route('**/api/pay/getGameListV2*', (route) => route.abort());
    const japanese = createShopPage(page, { ...shopPage, language: 'ja' });
    await page.getByRole('banner').getByRole('combobox').selectOption('ja');
    await expect(async () => {
      await page.clock.runFor(4000);
      await expect(heading(japanese, 'show_error.network_title')).toBeVisible({ timeout: 300 });
    }).toPass();
    await page.unroute('**/api/pay/getGameListV2*');
    await page.getByRole('link', { name: japanese.text('not_found.home') }).click();
    await expect(shopPage.goods('320').first()).toBeVisible();
  });

  test('L199 parameter error: back to the game, or to customer service', { tag: PHONE }, async ({ shopPage }) => {
    const { page } = shopPage;
    await shopPage.open('/');
    await page.route('**/api/pay/getPayChannelList*', say(-3016));
    await shopPage.chooseGoods();
    await expect(heading(shopPage, 'error_params.title')).toBeVisible();
    await expect(page.getByText(shopPage.text('error_params.text'))).toBeVisible();
    expect(pathOf(page)).toBe('/errorReplenish');
  });

  test('L199 character not found: choose again', { tag: PHONE }, async ({ shopPage, chooser, enterAs }) => {
    await enterAs(chooser);
    await shopPage.open('/', { server_id: '1', role_id: '1' });
    await expect(shopPage.receiver.getByText(shopPage.text('receiver.not_found'))).toBeVisible();
    await shopPage.button('receiver.reselect', shopPage.receiver).click();
    await shopPage.takeCharacter();
    await expect(shopPage.button('receiver.change', shopPage.receiver)).toBeVisible();
  });

  for (const [what, id, fields] of [
    ['the channel does not exist', 'recharge.payway_id_is_no_exist', { pay_id: 'nothing', channel_id: 'nothing' }],
    ['incorrect payment parameters', 'recharge.bad_parameters', { product_id: '' }],
    ['the character is gone', 'error.role_not_found', { role_id: '1' }],
  ] as const) {
    test(`L199 ${what}`, { tag: PHONE }, async ({ shopPage, returning: _player, watch }) => {
      watch.allow(/paypal_pay|400/);
      const { page } = shopPage;
      await prepare(shopPage);
      // An old page, or one with a changed address, would send these fields.
      await page.route('**/api/pay/paypal_pay', async (route) => {
        const changed = { ...(route.request().postDataJSON() as Record<string, string>), ...fields };
        const url = route
          .request()
          .url()
          .replace(/\/\/[^:/]+/, '//127.0.0.1');
        const { 'content-length': _length, ...sent } = await route.request().allHeaders();
        const headers = { ...sent, host: new URL(page.url()).host };
        await route.fulfill({ response: await route.fetch({ url, headers, postData: JSON.stringify(changed) }) });
      });
      await shopPage.openCheckout();
      await shopPage.chooseChannel('paypal');
      await shopPage.payButton.click();
      await expect(page.getByRole('status').getByText(shopPage.text(id))).toBeVisible();
      // The window that was opened for the provider closes again, a moment later on a busy machine.
      await expect.poll(() => page.context().pages().length).toBe(1);
    });
  }

  test('L199 L118 a link that may not be opened is told', { tag: PHONE }, async ({ shopPage, returning: _player }) => {
    const { page } = shopPage;
    await prepare(shopPage);
    await page.route('**/api/pay/paypal_pay', async (route) => {
      const answer = await answerOf(route, page);
      const body = (await answer.json()) as { content: { url: string } };
      body.content.url = 'http://elsewhere.example/pay';
      await route.fulfill({ response: answer, json: body });
    });
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    await shopPage.payButton.click();
    await expect(page.getByRole('status').getByText(shopPage.text('recharge.link_invalid'))).toBeVisible();
    await expect(shopPage.result).toBeVisible();
    await expect.poll(() => page.context().pages().length).toBe(1);
  });

  test('L197 L199 a login that failed at its provider is told once', { tag: PHONE }, async ({ shopPage }) => {
    const { page } = shopPage;
    await shopPage.open('/', { login_result: 'failed' });
    await expect(page.getByRole('status').getByText(shopPage.text('error.login_failed'))).toBeVisible();
    expect(new URL(page.url()).searchParams.has('login_result')).toBe(false);
  });
});
