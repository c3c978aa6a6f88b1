// The shop inside a game's page: by clicking from the simulators' front page, with third-party cookies kept away, from
// the game's ticket to the goods; and the code that opens the shop on another device.
import type { Frame, Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { endSessions, expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { addressOf, runningShop } from './running-shop.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';
import { textOf } from './texts.ts';

const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@wide-later'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@narrow-later'] },
] as const;

/** Opens the sample game by its link, and plays there as this player. */
async function play(page: Page, choice: { brand: string; user: string; lang: string }): Promise<void> {
  await keepCookiesAway(page);
  await page.goto(runningShop().simulatorsUrl);
  await page.getByRole('link', { name: 'Sample game' }).click();
  await page.getByText('Who plays, and in which shop').click();
  await page.locator('#brand').selectOption(choice.brand);
  await page.locator('#user').fill(choice.user);
  await page.locator('#lang').selectOption(choice.lang);
  await page.getByRole('button', { name: 'Play' }).click();
}

/** Third-party cookies are refused in this page and its frames, as browsers do that a player has told to. */
async function keepCookiesAway(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
  // It counts from the next page on.
  await page.reload();
}

async function openInside(page: Page): Promise<Frame> {
  await page.getByRole('button', { name: 'Shop', exact: true }).click();
  const handle = await page.locator('#frame').elementHandle();
  const frame = await handle?.contentFrame();
  if (!frame) throw new Error('the sample game shows no frame');
  return frame;
}

/** The same words and parts as on a page of its own. A frame has every way of a page that these flows use. */
const shopIn = (frame: Frame, page: Page, given: { brand: string; language: ShopPage['language'] }): ShopPage =>
  createShopPage(
    new Proxy(page, {
      get: (target, name) => {
        const owner = name in frame && !['viewportSize', 'context'].includes(String(name)) ? frame : target;
        const value: unknown = Reflect.get(owner, name);
        return typeof value === 'function' ? value.bind(owner) : value;
      },
    }),
    given,
  );

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('L30 L134 a game shows the shop in a frame: ticket, languages, goods paid at the top, a lost login renewed', async ({
      page,
      player,
      brand,
      language,
    }) => {
      await play(page, { brand, user: player, lang: language });
      const look = createLook(page, `sdk-${brand}-${language}`);
      const frame = await openInside(page);
      const shop = shopIn(frame, page, { brand, language });
      await expect(shop.userMenu(player)).toBeVisible();
      await expect(page.locator('#log').getByText('the shop is open', { exact: true })).toBeAttached();
      expect(frame.url()).not.toContain('ticket');
      expect(await frame.evaluate(() => ((document.cookie = 'a=1; SameSite=None; Secure'), document.cookie))).toBe('');
      const languages = frame.getByRole('banner').getByRole('combobox').locator('option');
      await expect(languages.first()).toHaveAttribute('value', language);
      await look('vip');

      // By the brand's mark to the goods, in the frame.
      await frame.getByRole('banner').getByRole('link').first().click();
      await shop.chooseGoods('680');
      await shop.openCheckout();
      await look('checkout');
      const { billingNo, window } = await shop.pay('paypal');
      expect(window).not.toBe(page);
      await payOnProvider(window, 'Pay');
      // Its tab knows nobody: it says where the order goes on, and asks for no password by itself.
      await expect(window.getByRole('heading', { name: textOf('en', 'result.stranger_title') })).toBeVisible();
      await createLook(window, `sdk-${brand}-${language}-back`)('back');
      await page.bringToFront();
      await shop.expectResult('result.success_title');
      await look('paid');
      await expectDelivered(billingNo, player);
      await expect(page.getByText(`order ${billingNo}: delivered`)).toBeAttached();
      await shop.button('result.success_done').click();

      // The game's page is asked for another ticket, and the player stays who they are.
      await endSessions(player);
      await frame
        .getByRole('link', { name: shop.text('nav.my'), exact: true })
        .filter({ visible: true })
        .first()
        .click();
      // Asked once more where a second call of the page had begun with the lost login.
      await expect(page.getByText('a ticket is wanted: ended').first()).toBeAttached();
      await expect(frame.getByRole('main').getByText(shop.text('order.stage_delivered')).first()).toBeVisible();
      await expect(shop.userMenu(player)).toBeVisible();
    });
  });
}

test(
  'a page that the operator does not allow shows nothing of it',
  { tag: ['@desktop', '@thorough'] },
  async ({ page, brand, watch }) => {
    watch.allow(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE/);
    const view = addressOf(brand, '/userCenter?visit=sdk');
    // Another origin of this machine, by a page without a policy of its own.
    await page.goto(`${runningShop().simulatorsUrl.replace('localhost', 'evil.localhost')}/control/game`);
    await page.setContent(`<iframe src="${view}"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  },
);

test(
  'a code of the game opens the shop on another device, after a question',
  { tag: '@phone' },
  async ({ page, shopPage, player, brand, browser }) => {
    const { text, button } = shopPage;
    const game = await (await browser.newContext()).newPage();
    await play(game, { brand, user: player, lang: 'en' });
    await game.getByRole('button', { name: 'Shop on another device' }).click();
    await expect(game.locator('#code')).not.toBeEmpty();
    const code = (await game.locator('#code').innerText()).trim();
    const link = (await game.locator('#link').innerText()).trim();

    // From the login popup to the page of codes.
    const look = createLook(page, 'sdk-code');
    await shopPage.open('/');
    await button('login.submit', page.getByRole('banner')).click();
    await look('login');
    await page.getByRole('link', { name: text('code.offer'), exact: true }).click();
    await page.getByLabel(text('code.label'), { exact: true }).fill('BCDF-GHJK');
    await button('code.submit').click();
    await expect(page.getByText(text('code.refused'))).toBeVisible();
    await look('refused');
    await page.getByLabel(text('code.label'), { exact: true }).fill(code.toLowerCase());
    await button('code.submit').click();
    await expect(page.getByRole('heading', { name: text('account.go_on_title') })).toBeVisible();
    await look('asks');
    await page.getByRole('button', { name: player, exact: true }).click();
    await expect(shopPage.userMenu(player)).toBeVisible();

    // The link of the QR says that this very code was used.
    await page.goto(link);
    await expect(page.getByText(text('code.refused'))).toBeVisible();
    expect(page.url()).not.toContain('#');
    await game.context().close();
  },
);
