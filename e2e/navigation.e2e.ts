// Ways through the shop: addresses that lead on, popups and the back button, lost lines and lost sessions.
import type { Page } from '@playwright/test';
import { endSessions } from './proof.ts';
import { expect, test } from './flow.ts';
import { addressOf } from './running-shop.ts';
import { createShopPage } from './shop-page.ts';

const PHONE = '@phone';
const DESKTOP = '@desktop';
/** Both screens behave alike here: on a phone in the short run, on both by `npm run e2e`. */
const WIDE_LATER = '@wide-later';

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const queryOf = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

// Here everything moves, so that steps which come during a transition are seen too.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.describe('addresses', () => {
  for (const [from, to] of [
    ['/', '/selectGoods'],
    ['/selectGame', '/selectGoods'],
    ['/layoutGame', '/selectGoods'],
    ['/layoutGame/selectGoods', '/selectGoods'],
    ['/layoutGame/activity', '/activity'],
    ['/result', '/selectGoods'],
  ] as const) {
    test(`${from} leads to ${to}`, { tag: DESKTOP }, async ({ shopPage }) => {
      await shopPage.open(from);
      await expect.poll(() => pathOf(shopPage.page)).toBe(to);
    });
  }

  test('a game code leads to the goods of that game', { tag: PHONE }, async ({ shopPage }) => {
    await shopPage.open('/@nomads', { utm_source: 'card' });
    await expect.poll(() => pathOf(shopPage.page)).toBe('/selectGoods');
    expect(queryOf(shopPage.page)).toMatchObject({ client_id: '70022', utm_source: 'card' });
    await expect(shopPage.receiver).toContainText('Nomads');
  });

  test(
    'L32 a game code that this brand does not have is not found',
    { tag: WIDE_LATER },
    async ({ shopPage, watch }) => {
      watch.allow(/404/);
      const [answer] = await Promise.all([
        shopPage.page.waitForResponse((one) => new URL(one.url()).pathname === '/@nosuchcode'),
        shopPage.open('/@nosuchcode'),
      ]);
      expect(answer.status()).toBe(404);
      await expect(shopPage.page.getByRole('heading', { name: 'Not Found' })).toBeVisible();
      expect(pathOf(shopPage.page)).toBe('/@nosuchcode');
    },
  );

  test(
    'L32 a game code sets the area that the brand gives the client, else leaves it',
    { tag: DESKTOP },
    async ({ page }) => {
      const old = createShopPage(page, { brand: 'ssgame', language: 'en' });
      await old.open('/@nomads');
      expect(queryOf(page)).toMatchObject({ client_id: '70022', domain_area: 'hk' });
      const own = createShopPage(page, { brand: 'watt', language: 'en' });
      await own.open('/@nomads');
      expect(queryOf(page)['domain_area']).toBeUndefined();
    },
  );

  test(
    'L191 a game of another brand shows no goods of ours: the player chooses',
    { tag: WIDE_LATER },
    async ({ page }) => {
      const shopPage = createShopPage(page, { brand: 'acenetJp', language: 'en' });
      await shopPage.open('/', { client_id: '70031' });
      await expect(page.getByRole('heading', { name: shopPage.text('game.lost_title') })).toBeVisible();
      await expect(page.getByRole('radio')).toHaveCount(0);
      await page
        .getByRole('region', { name: shopPage.text('game.choose') })
        .getByRole('button')
        .first()
        .click();
      await expect(page.getByRole('heading', { name: shopPage.text('game.lost_title') })).toBeHidden();
      expect(queryOf(page)['client_id']).not.toBe('70031');
    },
  );

  test('an address that is none of ours', { tag: WIDE_LATER }, async ({ shopPage, watch }) => {
    watch.allow(/404/);
    await shopPage.open('/nowhere');
    await expect(shopPage.page.getByRole('heading', { name: 'Not Found' })).toBeVisible();
    await expect(shopPage.page.getByText('This page may be missing or has the wrong URL.')).toBeVisible();
    await shopPage.page.getByRole('link', { name: shopPage.text('not_found.home') }).click();
    await expect(shopPage.goods('320')).toBeVisible();
    expect(pathOf(shopPage.page)).toBe('/selectGoods');
  });

  test('the keys of a visit travel from page to page, others do not', { tag: PHONE }, async ({ shopPage }) => {
    const visit = {
      client_id: '70021',
      utm_source: 'mail',
      utm_medium: 'news',
      utm_campaign: 'spring',
      utm_content: 'a',
      utm_pay: 'kf',
      idfv: 'device-1',
    };
    await shopPage.open('/', { ...visit, somebody: 'else' });
    await expect.poll(() => pathOf(shopPage.page)).toBe('/selectGoods');
    await navigate(shopPage.page, shopPage.text('nav.my'));
    await expect.poll(() => pathOf(shopPage.page)).toBe('/my');
    expect(queryOf(shopPage.page)).toEqual(visit);
  });

  test(
    'a character of the address is taken; one that is not there is told',
    { tag: PHONE },
    async ({ shopPage, chooser, enterAs }) => {
      await enterAs(chooser);
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      const stored = await shopPage.page.evaluate(() => localStorage.getItem('refill.game_info') ?? '');
      const { roles } = (JSON.parse(stored) as { value: { roles: Record<string, Record<string, string>> } }).value;
      const [[clientId, role] = ['', {}]] = Object.entries(roles);
      await shopPage.page.evaluate(() => localStorage.removeItem('refill.game_info'));
      const serverId = role['server_id']?.replace(/^s/, '') ?? '';
      await shopPage.open('/', { client_id: clientId, server_id: serverId, role_id: role['role_id'] ?? '' });
      await expect(shopPage.button('receiver.change', shopPage.receiver)).toBeVisible();
      await shopPage.open('/', { client_id: clientId, server_id: serverId, role_id: '1' });
      await expect(shopPage.receiver.getByText(shopPage.text('receiver.not_found'))).toBeVisible();
    },
  );
});

test.describe('regions', () => {
  test(
    'a region that is not sold in leads to the choice of those that are',
    { tag: WIDE_LATER },
    async ({ shopPage }) => {
      await shopPage.open('/', { domain_area: 'atlantis' });
      await expect(shopPage.page.getByRole('heading', { name: shopPage.text('not_area.title') })).toBeVisible();
      expect(pathOf(shopPage.page)).toBe('/notArea');
      await shopPage.page.getByRole('button', { name: shopPage.text('region.ja') }).click();
      await expect(shopPage.goods('320').first()).toHaveAccessibleName(/¥800/);
      await shopPage.page.reload();
      await expect(shopPage.goods('320').first()).toHaveAccessibleName(/¥800/);
    },
  );

  test.describe('of a brand with one', () => {
    test.use({ brand: 'product' });
    test(
      'it is taken without a question, and one language needs no picker',
      { tag: WIDE_LATER },
      async ({ shopPage }) => {
        await shopPage.open('/');
        await expect(shopPage.goods('320').first()).toHaveAccessibleName(/\$4\.99/);
        await expect(shopPage.page.getByRole('banner').getByRole('combobox')).toHaveCount(0);
      },
    );
  });
});

test.describe('popups', () => {
  test('back closes the popup and nothing else, the focus returns', { tag: WIDE_LATER }, async ({ shopPage }) => {
    const { page } = shopPage;
    await shopPage.open('/');
    const before = page.url();
    const opener = shopPage.button('login.submit', page.getByRole('banner'));
    await opener.click();
    await expect(shopPage.popup('login.title')).toBeVisible();
    await page.goBack();
    await expect(shopPage.popup('login.title')).toBeHidden();
    expect(page.url()).toBe(before);
    await expect(opener).toBeFocused();
  });

  test('of two popups back closes the upper one', { tag: PHONE }, async ({ shopPage, returning: _player }) => {
    const { page } = shopPage;
    await shopPage.open('/');
    await shopPage.openCharacters();
    await shopPage.button('game.other', shopPage.popup('role.title')).click();
    await expect(shopPage.popup('game.choose')).toBeVisible();
    await page.goBack();
    await expect(shopPage.popup('game.choose')).toBeHidden();
    await expect(shopPage.popup('role.title')).toBeVisible();
    await page.goBack();
    await expect(shopPage.popup('role.title')).toBeHidden();
    await expect(shopPage.receiver).toBeVisible();
    expect(pathOf(page)).toBe('/selectGoods');
  });

  test(
    'Escape closes, the focus returns; what is typed into a login is not lost to a press outside',
    { tag: WIDE_LATER },
    async ({ shopPage }) => {
      const { page } = shopPage;
      await shopPage.open('/');
      const opener = shopPage.button('login.submit', page.getByRole('banner'));
      await opener.click();
      await shopPage.popup('login.title').getByLabel(shopPage.text('login.username'), { exact: true }).fill('someone');
      await page.mouse.click(8, 8);
      await expect(shopPage.popup('login.title')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(shopPage.popup('login.title')).toBeHidden();
      await expect(opener).toBeFocused();
    },
  );
});

test.describe('without motion', () => {
  // Moves become jumps then, also away from under a press.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test(
    'the order stays in reach while reading on, and takes a press where it is',
    { tag: PHONE },
    async ({ shopPage }) => {
      const { page } = shopPage;
      await shopPage.open('/');
      await shopPage.chooseGoods('60');
      const entry = page
        .getByRole('navigation', { name: shopPage.text('nav.label'), exact: true })
        .getByRole('link', { name: shopPage.text('nav.my'), exact: true });
      await expect(entry).toBeInViewport();
      await page.mouse.wheel(0, 500);
      await expect(entry).not.toBeInViewport();
      await shopPage.payButton.click();
      await expect(shopPage.popup('login.title')).toBeVisible();
    },
  );
});

test.describe('when the line is bad', () => {
  test('a call that fails three times is made a fourth time', { tag: PHONE }, async ({ shopPage, watch }) => {
    watch.allow(/getPayChannelList|ERR_FAILED/);
    const { page } = shopPage;
    let calls = 0;
    await page.route('**/api/pay/getPayChannelList*', (route) => {
      calls += 1;
      return calls <= 3 ? route.abort() : route.continue();
    });
    // Twelve seconds of waiting pass at once.
    await page.clock.install();
    await shopPage.open('/', { client_id: '70021' });
    await page.getByRole('radio').first().check();
    for (const fallen of [1, 2, 3]) {
      await expect.poll(() => calls).toBe(fallen);
      await page.clock.runFor(4000);
    }
    await expect.poll(() => calls).toBe(4);
  });

  test(
    'then a backup host of the brand answers a visitor who has no login',
    { tag: DESKTOP },
    async ({ shopPage, watch }) => {
      watch.allow(/getPayChannelList|ERR_FAILED/);
      const { page } = shopPage;
      const own = new URL(addressOf('watt')).host;
      const asked: string[] = [];
      // Like a proxy that is gone: it touches no call to the backup host, which the shop itself answers.
      await page.context().route(`http://${own}/api/pay/getPayChannelList*`, (route) => route.abort());
      page.on('request', (request) => {
        if (request.url().includes('getPayChannelList')) asked.push(new URL(request.url()).host);
      });
      await page.clock.install();
      await shopPage.open('/');
      await shopPage.chooseGoods();
      await expect(async () => {
        await page.clock.runFor(4000);
        await expect(page.getByRole('radio', { name: /^PayPal/ })).toBeVisible({ timeout: 300 });
      }).toPass();
      expect(asked).toEqual([own, own, own, own, own.replace('watt', 'pay2.watt')]);
    },
  );

  test(
    'for good: it is told where the answer is missing, and asked again on demand',
    { tag: DESKTOP },
    async ({ shopPage, watch }) => {
      watch.allow(/getPayChannelList|ERR_FAILED/);
      const { page } = shopPage;
      const asked = new Set<string>();
      await page.context().route('**/api/pay/getPayChannelList*', (route) => {
        asked.add(new URL(route.request().url()).host);
        return route.abort();
      });
      await page.clock.install();
      await shopPage.open('/');
      await shopPage.chooseGoods();
      await expect(async () => {
        await page.clock.runFor(4000);
        await expect(page.getByText(shopPage.text('recharge.load_error'))).toBeVisible({ timeout: 300 });
      }).toPass();
      // The brand has a live backup host as well: a demo keeps to itself.
      const own = new URL(page.url()).host;
      expect([...asked]).toEqual([own, own.replace('watt', 'pay2.watt')]);
      await page.context().unroute('**/api/pay/getPayChannelList*');
      await shopPage.button('goods.retry').click();
      await expect(page.getByRole('radio', { name: /^PayPal/ })).toBeVisible();
    },
  );

  test('being offline is said for as long as it lasts', { tag: WIDE_LATER }, async ({ shopPage, context }) => {
    await shopPage.open('/');
    const notice = shopPage.page.getByText(shopPage.text('network.offline'));
    // The parts that the page fetches ahead are not what is looked at here.
    await shopPage.page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    await context.setOffline(false);
    await expect(notice).toBeHidden();
  });

  test(
    'a payment whose answer was lost is found again, not made twice',
    { tag: PHONE },
    async ({ shopPage, returning: _player, watch }) => {
      watch.allow(/paypal_pay|ERR_FAILED/);
      const { page } = shopPage;
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      await shopPage.chooseGoods();
      const made: string[] = [];
      await page.route('**/api/pay/paypal_pay', async (route) => {
        const answer = await route.fetch({
          url: route
            .request()
            .url()
            .replace(/\/\/[^:/]+/, '//127.0.0.1'),
          headers: { ...(await route.request().allHeaders()), host: new URL(page.url()).host },
        });
        made.push(((await answer.json()) as { content: { billing_no: string } }).content.billing_no);
        return made.length === 1 ? route.abort() : route.fulfill({ response: answer });
      });
      await shopPage.openCheckout();
      await shopPage.chooseChannel('paypal');
      await shopPage.payButton.click();
      // The same call goes out again by itself, under the same key.
      await expect(shopPage.result).toBeVisible({ timeout: 20_000 });
      const billingNo = await shopPage.billingNo();
      expect(made).toEqual([billingNo, billingNo]);
    },
  );
});

test.describe('logging in and out', () => {
  test(
    'a wrong password is told in the popup; the right one goes on to what was wanted',
    { tag: WIDE_LATER },
    async ({ shopPage, chooser: player }) => {
      await shopPage.open('/');
      await shopPage.chooseGoods();
      await shopPage.payButton.click();
      const dialog = shopPage.popup('login.title');
      await expect(dialog.getByText(shopPage.text('login.first'))).toBeVisible();
      await expect(shopPage.button('login.submit', dialog)).toBeDisabled();
      await shopPage.fillLogin(player, 'not-the-password');
      await expect(dialog.getByText(shopPage.text('error.wrong_credentials'))).toBeVisible();
      await shopPage.fillLogin(player);
      await shopPage.expectLoggedIn(player);
      // The press of Pay leads on: the choice of a character opens, then the checkout.
      await shopPage.takeCharacter();
      await expect(shopPage.checkout.getByRole('radio').first()).toBeVisible();
      await expect(shopPage.checkout).toContainText('320');
    },
  );

  test(
    'logging out asks first, and counts in every window',
    { tag: WIDE_LATER },
    async ({ shopPage, returning: player, context }) => {
      await shopPage.open('/');
      const second = createShopPage(await context.newPage(), shopPage);
      await second.open('/my');
      await expect(second.userMenu(player)).toBeVisible();
      await shopPage.page.bringToFront();
      const askToLogOut = async () => {
        await shopPage.userMenu(player).click();
        await shopPage.page.getByRole('button', { name: shopPage.text('logout.confirm'), exact: true }).click();
      };
      await askToLogOut();
      await shopPage.button('account.cancel', shopPage.popup('logout.title')).click();
      await expect(shopPage.userMenu(player)).toBeVisible();
      await askToLogOut();
      await shopPage.button('logout.confirm', shopPage.popup('logout.title')).click();
      await expect(shopPage.button('login.submit', shopPage.page.getByRole('banner'))).toBeVisible();
      await second.page.bringToFront();
      await expect(second.page.getByRole('heading', { name: second.text('my.login_title') })).toBeVisible();
    },
  );

  test(
    'a session that ended elsewhere brings up the login',
    { tag: DESKTOP },
    async ({ shopPage, returning: player }) => {
      await shopPage.open('/');
      await expect(shopPage.userMenu(player)).toBeVisible();
      // Nothing is asked any more, so it is the next page that learns of it.
      await shopPage.page.waitForLoadState('networkidle');
      await endSessions(player);
      await navigate(shopPage.page, shopPage.text('nav.my'));
      await expect(shopPage.popup('login.title')).toBeVisible();
      await expect(shopPage.userMenu(player)).toBeHidden();
      await shopPage.fillLogin(player);
      await shopPage.expectLoggedIn(player);
    },
  );
});

test.describe('the header', { tag: DESKTOP }, () => {
  for (const [path, title] of [
    ['/selectGoods', 'nav.topup'],
    ['/my', 'nav.my'],
    ['/userCenter', 'nav.vip'],
  ] as const)
    test(`L48 L51 ${path} has its title and icon, and a footer where navigation is`, async ({ shopPage }) => {
      await shopPage.open(path);
      const { page, text } = shopPage;
      const where = page.getByRole('banner').getByRole('link', { name: text(title), exact: true });
      await expect(where).toHaveAttribute('aria-current', 'page');
      await expect(where).toBeVisible();
      await expect(where.locator('svg')).toBeVisible();
      await expect(page.getByRole('contentinfo')).toHaveCount(path === '/userCenter' ? 0 : 1);
    });
});

/** Goes to a page by its entry in the navigation, at the foot on phones and at the head on desktops. */
async function navigate(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).filter({ visible: true }).first().click();
}
