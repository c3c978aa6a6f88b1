// One press of Pay leads to the checkout, whatever has to be asked on the way: a login, a character, or both. A press
// that was given up opens nothing later.
import type { Page, Route } from '@playwright/test';
import { expect, test } from './flow.ts';
import type { ShopPage } from './shop-page.ts';

const PHONE = '@phone';

/** The versions differ in the way to the goods, in where characters are chosen and in the place of the checkout. */
type Version = {
  name: string;
  brand: string;
  toGoods: (shop: ShopPage) => Promise<void>;
  takeCharacter: (shop: ShopPage) => Promise<void>;
  expectCheckout: (shop: ShopPage) => Promise<void>;
  /** Holds the characters, or the sentence that there are none. */
  chooser: (shop: ShopPage) => ReturnType<Page['locator']>;
};

const VERSIONS: Version[] = [
  {
    name: 'the new version',
    brand: 'watt',
    toGoods: (shop) => shop.open('/'),
    takeCharacter: (shop) => shop.takeCharacter(),
    expectCheckout: ({ recharge }) => expect(recharge.getByRole('radio').first()).toBeVisible(),
    chooser: (shop) => shop.popup('role.title'),
  },
  {
    name: 'the classic version',
    brand: 'joynet',
    toGoods: async (shop) => {
      await shop.open('/');
      await shop.page.getByRole('main').getByRole('button', { name: 'Emberfall' }).click();
      await expect(shop.goods('320').first()).toBeVisible();
    },
    takeCharacter: async ({ page, text }) => {
      await page
        .getByRole('group', { name: text('role.character') })
        .getByRole('radio')
        .first()
        .click();
    },
    expectCheckout: async ({ page, text }) => {
      await expect.poll(() => new URL(page.url()).pathname).toBe('/recharge');
      const ways = page.getByRole('group', { name: text('recharge.choose'), exact: true });
      await expect(ways.getByRole('radio').first()).toBeVisible();
    },
    chooser: (shop) => shop.page.getByRole('region', { name: shop.text('role.title') }),
  },
];

for (const { name, brand, toGoods, takeCharacter, expectCheckout, chooser } of VERSIONS) {
  test.describe(`one press of Pay in ${name}`, { tag: [PHONE] }, () => {
    test.use({ brand });

    /** Chooses goods and presses Pay: the only press on it in a flow. */
    async function pressPayOnce(shop: ShopPage): Promise<void> {
      await toGoods(shop);
      await shop.chooseGoods();
      const { page, text } = shop;
      // The classic version says on the button what is missing. It is `aria-disabled` then, and answers all the same.
      const missing = page.getByRole('button', { name: text('receiver.choose') }).filter({ visible: true });
      await shop.payButton.or(missing).click({ force: true });
    }

    test('of a visitor with several characters', async ({ shopPage, chooser: player }) => {
      await pressPayOnce(shopPage);
      await shopPage.fillLogin(player);
      await takeCharacter(shopPage);
      await expectCheckout(shopPage);
    });

    test('of a visitor with one character', async ({ shopPage, player }) => {
      await pressPayOnce(shopPage);
      await shopPage.fillLogin(player);
      await expectCheckout(shopPage);
    });

    test('of a visitor with no character yet, who makes one', async ({ shopPage, newcomer }) => {
      const { page, text } = shopPage;
      await pressPayOnce(shopPage);
      // The page starts again after a login.
      await Promise.all([page.waitForEvent('load'), shopPage.fillLogin(newcomer)]);
      await expect(chooser(shopPage)).toContainText(text('receiver.none', { game: 'Emberfall' }));
      // The game has one now.
      await page.route('**/api/system/allRoleList*', answerOneRole);
      await shopPage.button('goods.retry', chooser(shopPage)).click();
      await expectCheckout(shopPage);
      await expect(chooser(shopPage)).toBeHidden();
    });

    test('of a player who has chosen no character, also over a reload', async ({
      shopPage,
      chooser: player,
      enterAs,
    }) => {
      await enterAs(player);
      await pressPayOnce(shopPage);
      await expect(chooser(shopPage).getByRole('radio').first()).toBeVisible();
      await shopPage.page.reload();
      await takeCharacter(shopPage);
      await expectCheckout(shopPage);
    });

    test('of a visitor who logs in at another company', { tag: ['@thorough'] }, async ({ shopPage }) => {
      const { page, popup } = shopPage;
      await pressPayOnce(shopPage);
      const opening = page.context().waitForEvent('page');
      await popup('login.title').getByRole('button', { name: 'Google', exact: true }).click();
      const window = await opening;
      await window.getByLabel('Name', { exact: true }).fill('google player');
      await window.getByRole('button', { name: 'Continue', exact: true }).click();
      await takeCharacter(shopPage);
      await expectCheckout(shopPage);
    });
  });
}

test.describe('a press of Pay that is given up', { tag: [PHONE] }, () => {
  test('at the login', async ({ shopPage, player }) => {
    const { page, recharge, popup } = shopPage;
    await shopPage.open('/');
    await shopPage.chooseGoods();
    await shopPage.payButton.click();
    await expect(popup('login.title')).toBeVisible();
    await shopPage.dismiss();
    await shopPage.logIn(player);
    await expectNothing(page, recharge);
  });

  test('at the choice of a character, also after a reload', async ({ shopPage, chooser, enterAs }) => {
    const { page, recharge, popup } = shopPage;
    await enterAs(chooser);
    await shopPage.open('/');
    await shopPage.chooseGoods();
    await shopPage.payButton.click();
    await expect(popup('role.title').getByRole('radio').first()).toBeVisible();
    await shopPage.dismiss();
    await page.reload();
    await shopPage.chooseCharacter();
    await expectNothing(page, recharge);
    // The goods are still chosen, and one press leads on.
    await shopPage.payButton.click();
    await expect(recharge.getByRole('radio').first()).toBeVisible();
    // Back closes the sheet and nothing else.
    const address = page.url();
    await page.goBack();
    await expect(recharge).toBeHidden();
    expect(page.url()).toBe(address);
  });

  test.describe('at the page of another company, inside an app', () => {
    test.use({
      userAgent:
        'Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) AppleWebKit/537.36 Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/500.0.0.0;]',
    });
    test('and one that is not', { tag: ['@thorough'] }, async ({ shopPage, player }) => {
      const { page, recharge, popup } = shopPage;
      const toProvider = async () => {
        await shopPage.payButton.click();
        await popup('login.title').getByRole('button', { name: 'X', exact: true }).click();
        await expect(page.getByRole('heading', { name: /^Sign in with/ })).toBeVisible();
      };
      await shopPage.open('/');
      await shopPage.chooseGoods();
      await toProvider();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(shopPage.payButton).toBeVisible();
      await shopPage.logIn(player);
      await expectNothing(page, recharge);
      await page.context().clearCookies();
      await shopPage.open('/');
      await toProvider();
      await page.getByLabel('Name', { exact: true }).fill('x player');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await shopPage.takeCharacter();
      await expect(recharge.getByRole('radio').first()).toBeVisible();
    });
  });
});

/** Long enough for everything that a page does by itself after a login. */
async function expectNothing(page: Page, sheet: ReturnType<Page['locator']>): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const ROLE = { display: 'Fledgling', value: '10000000101', level: 1, server_id: 's1', server_name: 'S1', area_id: '' };

const answerOneRole = (route: Route): Promise<void> =>
  route.fulfill({ json: { code: 1, msg: '', content: { list: [ROLE] } } });
