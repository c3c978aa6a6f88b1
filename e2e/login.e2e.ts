// Every login, as a player does it on a phone: a game account, a prepaid card, six companies; giving
// up on the way; browsers inside apps; the logins and the devices on My.
import type { BrowserContext, Page } from '@playwright/test';
import { issueCardTo } from '#testing/login-cards.ts';
import { expect, PASSWORD, test } from './flow.ts';
import { createLook } from './look.ts';
import { endSessions } from './proof.ts';
import { runningShop } from './running-shop.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';

const PHONE = '@phone';

const PROVIDERS = [
  ['google', 'Google'],
  ['ios', 'Apple'],
  ['facebook', 'Facebook'],
  ['twitter', 'X'],
  ['vk', 'VK'],
  ['huawei', 'Huawei'],
] as const;

/** Demo brand that offers all six. */
test.use({ brand: 'watt' });

async function openPopup(shopPage: ShopPage): Promise<void> {
  await shopPage.button('login.submit', shopPage.page.getByRole('banner')).click();
  await expect(shopPage.popup('login.title')).toBeVisible();
}

const providerButton = (shopPage: ShopPage, name: string) =>
  shopPage.popup('login.title').getByRole('button', { name, exact: true });

/** Presses a provider's button and answers its window. */
async function openProvider(shopPage: ShopPage, name: string): Promise<Page> {
  const opening = shopPage.page.context().waitForEvent('page');
  await providerButton(shopPage, name).click();
  const window = await opening;
  await expect(window.getByRole('heading', { name: `Sign in with ${name}` })).toBeVisible();
  return window;
}

/** On the provider's page: says who one is. */
async function signIn(page: Page, name: string): Promise<void> {
  // The page may still be the shop's own, which has fields as well.
  await expect(page.getByRole('heading', { name: /^Sign in with/ })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

const nameOfMenu = (shopPage: ShopPage) => shopPage.page.getByRole('banner').getByLabel(shopPage.named('user.menu'));

test('a game account logs in', { tag: PHONE }, async ({ shopPage, player }) => {
  await shopPage.open('/');
  await shopPage.logIn(player);
});

test('a login that ended before Pay says so, and the checkout opens again', async ({ shopPage, returning }) => {
  const { page, text, popup } = shopPage;
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  await shopPage.openCheckout();
  await shopPage.chooseChannel('paypal');
  await page.context().clearCookies();
  await shopPage.payButton.click();
  await expect(popup('login.title')).toContainText(text('login.ended'));
  await shopPage.fillLogin(returning);
  await expect(popup('login.title')).toBeHidden();
  // The goods themselves are hidden from readers behind the sheet, once it is open.
  await expect(shopPage.checkout).toContainText('320');
  await expect(shopPage.checkout.getByRole('radio').first()).toBeVisible();
});

test('a prepaid card logs in to the account it was issued to', { tag: PHONE }, async ({ shopPage, player }) => {
  const card = await issueCardTo(runningShop().databaseUrl, shopPage.brand, player);
  await shopPage.open('/');
  await openPopup(shopPage);
  const dialog = shopPage.popup('login.title');
  await dialog.getByRole('tab', { name: shopPage.text('login.by_card') }).click();
  const submit = shopPage.button('login.submit', dialog);
  await expect(submit).toBeDisabled();
  await dialog.getByLabel(shopPage.text('login.card_number'), { exact: true }).fill(card.cardId);
  await expect(submit).toBeDisabled();
  const password = dialog.getByLabel(shopPage.text('login.card_password'), { exact: true });
  await password.fill(card.password);
  await shopPage.button('login.show_password', dialog).click();
  await expect(password).toHaveAttribute('type', 'text');
  await submit.click();
  await shopPage.expectLoggedIn(player);
});

for (const [kind, name] of PROVIDERS) {
  // Of the short run: one that answers in the address, and Apple, which answers by a form.
  const tag = kind === 'google' || kind === 'ios' ? [PHONE] : [PHONE, '@thorough'];
  test(`${name} logs in, in a window of its own`, { tag }, async ({ shopPage }) => {
    await shopPage.open('/');
    await openPopup(shopPage);
    const window = await openProvider(shopPage, name);
    const ends = Promise.all([window.waitForEvent('close'), shopPage.page.waitForEvent('load')]);
    await signIn(window, `${kind} player`);
    await ends;
    await expect(shopPage.popup('login.title')).toBeHidden();
    // Written by the server into the page that has started again. Apple is not asked for a name.
    await expect(nameOfMenu(shopPage)).toContainText(kind === 'ios' ? /Player \d{4}/ : `${kind} player`);
  });
}

test('a player who gives up at the provider is back at the buttons', { tag: PHONE }, async ({ shopPage }) => {
  await shopPage.open('/');
  await openPopup(shopPage);
  const cancelled = await openProvider(shopPage, 'Google');
  const status = shopPage.popup('login.title').getByRole('status');
  await expect(status).toContainText('Google');
  await cancelled.getByRole('button', { name: 'Cancel' }).click();
  await expect(status).toBeEmpty();
  await expect(shopPage.page.getByText(shopPage.text('error.login_failed'))).toHaveCount(0);

  const closed = await openProvider(shopPage, 'VK');
  await closed.close();
  await expect(status).toBeEmpty();

  const dropped = await openProvider(shopPage, 'X');
  const gone = dropped.waitForEvent('close');
  await shopPage.button('account.cancel', status).click();
  await gone;
  await expect(status).toBeEmpty();
});

test('a provider that fails is told, and another way is open', { tag: PHONE }, async ({ shopPage }) => {
  await shopPage.page.route('**/util/login/google_auth', (route) =>
    route.fulfill({ json: { code: -1041, msg: 'Login failed. Please try again.', content: null } }),
  );
  await shopPage.open('/');
  await openPopup(shopPage);
  await signIn(await openProvider(shopPage, 'Google'), 'nobody');
  await expect(shopPage.page.getByText(shopPage.text('error.login_failed'))).toBeVisible();
  await signIn(await openProvider(shopPage, 'Huawei'), 'somebody');
  await expect(nameOfMenu(shopPage)).toContainText('somebody');
});

test(
  'without the configuration there are no buttons, and the account works',
  { tag: PHONE },
  async ({ shopPage, player }) => {
    await shopPage.page.route('**/util/login/login_config**', (route) =>
      route.fulfill({ json: { code: -1500, msg: 'No.', content: null } }),
    );
    await shopPage.open('/');
    await openPopup(shopPage);
    await expect(shopPage.popup('login.title').getByText(shopPage.text('login.ways_failed'))).toBeVisible();
    await expect(providerButton(shopPage, 'Google')).toHaveCount(0);
    await shopPage.fillLogin(player);
    await shopPage.expectLoggedIn(player);
  },
);

test.describe('inside an app', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
      'Version/4.0 Chrome/130.0.6723.83 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/488.0.0.62.79;IABMV/1;]',
    permissions: ['clipboard-read', 'clipboard-write'],
  });

  test(
    'a company that refuses it is told, with the link to take along',
    { tag: PHONE },
    async ({ shopPage, context }) => {
      await shopPage.open('/', { domain_area: 'sea', client_id: '70021', utm_source: 'feed', idfv: 'device-1' });
      await openPopup(shopPage);
      const pages = context.pages().length;
      await providerButton(shopPage, 'Google').click();
      const notice = shopPage.popup('login.tips');
      await expect(notice).toContainText(shopPage.text('login.tip_login_env_error'));
      await createLook(shopPage.page, 'phone/login-in-app')('told');
      await shopPage.button('login.copy', notice).click();
      await expect(shopPage.page.getByText(shopPage.text('login.copied'))).toBeVisible();
      const copied = await shopPage.page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(`${new URL(shopPage.page.url()).origin}/?domain_area=sea&client_id=70021`);
      await providerButton(shopPage, 'Facebook').click();
      await shopPage.button('account.cancel', notice).click();
      await expect(notice).toBeHidden();
      expect(context.pages()).toHaveLength(pages);
    },
  );

  test(
    'where the clipboard is shut the link is selected to be copied by hand',
    { tag: PHONE },
    async ({ shopPage }) => {
      const { page } = shopPage;
      await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      await shopPage.open('/', { client_id: '70021' });
      await openPopup(shopPage);
      await providerButton(shopPage, 'Google').click();
      await shopPage.button('login.copy', shopPage.popup('login.tips')).click();
      const field = shopPage.popup('login.copy').getByLabel(shopPage.text('result.copy_by_hand'));
      await expect(field).toBeFocused();
      await createLook(page, 'phone/login-in-app')('by-hand');
      const selected = await page.evaluate(() => getSelection()?.toString());
      expect(selected).toBe(await field.inputValue());
      expect(selected).toContain('client_id=70021');
    },
  );

  test(
    'others take the whole page and bring it back, logged in or not',
    { tag: PHONE },
    async ({ shopPage, context }) => {
      await shopPage.open('/my', { client_id: '70021' });
      const { page } = shopPage;
      await openPopup(shopPage);
      await providerButton(shopPage, 'VK').click();
      await expect(page.getByRole('heading', { name: 'Sign in with VK' })).toBeVisible();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(/\/my\?client_id=70021$/);
      await openPopup(shopPage);
      await providerButton(shopPage, 'Apple').click();
      await signIn(page, 'whole page');
      await expect(page).toHaveURL(/\/my\?client_id=70021$/);
      await expect(nameOfMenu(shopPage)).toContainText(/Player \d{4}/);
      expect(context.pages()).toHaveLength(1);
    },
  );

  test('a failure there is told here', { tag: PHONE }, async ({ shopPage, watch }) => {
    watch.allow(/login_result/);
    await shopPage.open('/', { login_result: 'failed' });
    await expect(shopPage.page.getByText(shopPage.text('error.login_failed'))).toBeVisible();
    await expect(shopPage.page).not.toHaveURL(/login_result/);
  });
});

test('inside the view of a game a lost login is the game’s to renew', { tag: PHONE }, async ({ shopPage, player }) => {
  await shopPage.open('/', { visit: 'sdk' });
  await shopPage.logIn(player);
  await endSessions(player);
  const my = shopPage.page
    .getByRole('link', { name: shopPage.text('nav.my'), exact: true })
    .filter({ visible: true })
    .first();
  const notice = shopPage.popup('sdk.reopen_title');
  // A call that the page makes by itself may notice first, and its popup lies over the link then.
  await expect(async () => {
    if (await notice.isHidden()) await my.click({ timeout: 1000 });
    await expect(notice).toBeVisible({ timeout: 3000 });
  }).toPass();
  await expect(notice).toContainText(shopPage.text('sdk.reopen_text'));
  await shopPage.dismiss();
  await expect(nameOfMenu(shopPage)).toContainText(player);
  await expect(shopPage.popup('login.title')).toHaveCount(0);
});

test.describe('on My', () => {
  const section = (shopPage: ShopPage, id: string) =>
    shopPage.page.getByRole('region', { name: shopPage.text(id), exact: true });

  test('a company is linked, logs in, and is removed', { tag: PHONE }, async ({ shopPage, player, browser }) => {
    await shopPage.open('/my');
    await shopPage.logIn(player);
    const ways = section(shopPage, 'account.linked_title');
    const row = ways.getByRole('listitem').filter({ hasText: 'Google' });
    const opening = shopPage.page.context().waitForEvent('page');
    await row.getByRole('button', { name: `${shopPage.text('account.link')} Google` }).click();
    await signIn(await opening, `friend of ${player}`);
    await expect(row.getByRole('button', { name: `${shopPage.text('account.unlink')} Google` })).toBeVisible();
    const other = await openElsewhere(browser.newContext());
    await other.page.goto(shopPage.page.url());
    await other.page
      .getByRole('banner')
      .getByRole('button', { name: shopPage.text('login.submit') })
      .click();
    const second = other.context.waitForEvent('page');
    await other.page.getByRole('dialog').getByRole('button', { name: 'Google', exact: true }).click();
    await signIn(await second, `friend of ${player}`);
    await expect(other.page.getByLabel(shopPage.text('user.menu', { name: player }), { exact: true })).toBeVisible();
    await other.context.close();

    await row.getByRole('button', { name: `${shopPage.text('account.unlink')} Google` }).click();
    await shopPage.button('account.unlink', shopPage.popup('account.unlink_title')).click();
    await expect(row).toContainText(shopPage.text('account.not_linked'));
  });

  test('a device is logged out from another one', { tag: PHONE }, async ({ shopPage, player, browser }) => {
    await shopPage.open('/my');
    await shopPage.logIn(player);
    const other = await openElsewhere(browser.newContext());
    const elsewhere = { ...shopPage, page: other.page };
    await other.page.goto(shopPage.page.url());
    await other.page
      .getByRole('banner')
      .getByRole('button', { name: shopPage.text('login.submit') })
      .click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByLabel(shopPage.text('login.username'), { exact: true }).fill(player);
    await dialog.getByLabel(shopPage.text('login.password'), { exact: true }).fill('refill-demo');
    await shopPage.button('login.submit', dialog).click();
    await expect(nameOfMenu(elsewhere)).toContainText(player);

    await shopPage.page.reload();
    const devices = section(shopPage, 'account.sessions_title');
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await expect(devices.getByRole('listitem').first()).toContainText(shopPage.text('account.session_current'));
    await devices.getByRole('button').click();
    await shopPage.button('logout.confirm', shopPage.popup('account.end_title')).click();
    await expect(devices.getByRole('listitem')).toHaveCount(1);
    await other.page.reload();
    await expect(
      other.page.getByRole('banner').getByRole('button', { name: shopPage.text('login.submit') }),
    ).toBeVisible();
    await expect(nameOfMenu(shopPage)).toContainText(player);
    await other.context.close();
  });

  test('a new password logs out other devices and logs in', { tag: PHONE }, async ({ shopPage, player, browser }) => {
    const fresh = 'quiet green river';
    await shopPage.open('/my');
    await shopPage.logIn(player);
    const { page } = shopPage;
    const elsewhere = await openElsewhere(browser.newContext());
    const other = createShopPage(elsewhere.page, shopPage);
    await other.open('/my');
    await other.logIn(player);

    await shopPage.button('password.title', section(shopPage, 'login.password')).click();
    const dialog = shopPage.popup('password.title');
    const field = (id: string) => dialog.getByLabel(shopPage.text(id), { exact: true });
    const save = shopPage.button('password.save', dialog);
    await expect(save).toBeDisabled();
    await expect(field('password.new')).toHaveAccessibleDescription(shopPage.text('password.rules'));
    // By the keyboard alone: from field to eye to field to eye to button.
    await field('password.current').focus();
    await page.keyboard.type('not the one');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(fresh);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(field('password.new')).toHaveAttribute('type', 'text');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText(shopPage.text('password.wrong'));
    await expect(field('password.current')).toBeFocused();
    await expect(field('password.current')).toHaveAccessibleDescription(shopPage.text('password.wrong'));
    await createLook(page, 'phone/login-password')('refused');
    await field('password.current').fill(PASSWORD);
    await field('password.new').fill('short77');
    await save.click();
    await expect(dialog.getByRole('alert')).toHaveText(shopPage.text('error.weak_password'));
    await expect(field('password.new')).toBeFocused();
    await page.keyboard.type(fresh);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').getByText(shopPage.text('password.done'))).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(section(shopPage, 'account.sessions_title').getByRole('listitem')).toHaveCount(1);

    await other.page.reload();
    await other.button('login.submit', other.page.getByRole('banner')).click();
    await other.fillLogin(player);
    await expect(other.popup('login.title').getByRole('alert')).toHaveText(other.text('error.wrong_credentials'));
    await other.fillLogin(player, fresh);
    await other.expectLoggedIn(player);
    await page.reload();
    await expect(nameOfMenu(shopPage)).toContainText(player);
    await elsewhere.context.close();
  });
});

/** Another device of the same player. */
async function openElsewhere(opening: Promise<BrowserContext>): Promise<{ context: BrowserContext; page: Page }> {
  const context = await opening;
  return { context, page: await context.newPage() };
}

for (const [brand, language, scheme, screen, ...more] of [
  ['brandEn', 'en', 'light', 'phone'],
  ['watt', 'en', 'dark', 'phone', '@thorough'],
  ['rhinosSea', 'ar', 'dark', 'phone', '@thorough'],
  ['acenetJp', 'ja', 'light', 'phone', '@thorough'],
  ['brandEn', 'en', 'dark', 'desktop', '@thorough'],
] as const) {
  test.describe(`the look in ${brand}, ${language}, ${scheme}, on a ${screen}`, () => {
    test.use({ brand, language, colorScheme: scheme });

    test('of the popup and of My', { tag: [`@${screen}`, ...more] }, async ({ shopPage, player }) => {
      const look = createLook(shopPage.page, `${screen}/login-${brand}-${language}-${scheme}`);
      await shopPage.open('/my');
      await openPopup(shopPage);
      const dialog = shopPage.popup('login.title');
      await expect(dialog.getByRole('button', { name: 'Google', exact: true })).toBeVisible();
      await look('account');
      await dialog.getByRole('tab', { name: shopPage.text('login.by_card') }).click();
      await look('card');
      const window = await openProvider(shopPage, 'Google');
      await look('waiting');
      await window.close();
      await shopPage.page.keyboard.press('Escape');
      await shopPage.logIn(player);
      await expect(shopPage.page.getByRole('region', { name: shopPage.text('account.sessions_title') })).toBeVisible();
      await look('my', { isWholePage: true });
      await shopPage.button('password.title').click();
      await expect(shopPage.popup('password.title')).toBeVisible();
      await look('password');
    });
  });
}
