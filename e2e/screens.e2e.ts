// Every screen and popup, judged by axe and kept as a picture in .data/e2e/screens: a light
// and a dark shop, one of them in
// Arabic; a Japanese one; and the landing page of every brand in its own language, on a phone light and dark.
// Inside `npm test` without those tagged @thorough, mostly what differs least from another one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '#scripts/run-tool.ts';
import { expect, test } from './flow.ts';
import { createLook, type Look } from './look.ts';
import { payOnProvider } from './provider-page.ts';
import type { ShopPage } from './shop-page.ts';
import type { Language } from './texts.ts';
import { declineInGames, mendGames, stopGames } from './simulators.ts';

const brands = readdirSync(join(projectRoot, 'brands'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Languages of a brand, its own first. */
function languagesOf(brand: string): string[] {
  const file = parse(readFileSync(join(projectRoot, 'brands', brand, 'brand.yaml'), 'utf8')) as { languages: string[] };
  return file.languages;
}

const THOROUGH = ['@thorough'];
const LATER = ['@wide-later'];

type Walk = {
  brand: string;
  language: Language;
  scheme: 'light' | 'dark';
  other: string;
  query: Record<string, string>;
  second?: string;
  tags: Record<'visitor' | 'player' | 'results' | 'pages', string[]>;
};

/** `other` is a language of the brand to switch to and back; `second` a way inside a method that asks for one. */
const WALKS: Walk[] = [
  { brand: 'acenet', language: 'en', scheme: 'light', other: 'ko', query: { domain_area: 'twhk' },
    tags: { visitor: LATER, player: [], results: LATER, pages: LATER } },
  { brand: 'rhinosSea', language: 'ar', scheme: 'dark', other: 'th', query: { domain_area: 'sea' },
    tags: { visitor: LATER, player: LATER, results: ['@phone', ...THOROUGH], pages: THOROUGH } },
  { brand: 'acenetJp', language: 'ja', scheme: 'light', other: 'en', query: {}, second: 'xsolla-store-jp/9212',
    tags: { visitor: THOROUGH, player: LATER, results: ['@phone', ...THOROUGH], pages: THOROUGH } },
]; /* a row a line */ // prettier-ignore

test.afterEach(({ player }) => mendGames(player));

for (const { brand, language, scheme, other, query, second, tags } of WALKS) {
  test.describe(`${brand} in ${language}, ${scheme}`, () => {
    test.use({ brand, language, colorScheme: scheme });
    const folderOf = (project: string, part: string) => `${project}/${brand}-${language}-${scheme}/${part}`;

    test('a visitor, from the goods to the login', { tag: tags.visitor }, async ({ shopPage, player }, { project }) => {
      const look = createLook(shopPage.page, folderOf(project.name, 'visit'));
      await shopPage.open('/', query);
      await look('goods-anonymous');
      await look('goods-anonymous-whole', { isWholePage: true });
      const picker = shopPage.page.getByRole('combobox', { name: shopPage.text('language.choose') });
      await picker.selectOption(other);
      await expect(shopPage.page.locator('html')).toHaveAttribute('lang', new RegExp(`^${other}`));
      await look(`language-${other}`);
      await shopPage.page.getByRole('banner').getByRole('combobox').selectOption(language);
      await shopPage.chooseGoods();
      await look('goods-chosen-anonymous');
      await shopPage.payButton.click();
      await expect(shopPage.popup('login.title')).toBeVisible();
      await look('login');
      await shopPage.fillLogin(player, 'not-the-password');
      await expect(shopPage.popup('login.title').getByText(shopPage.text('error.wrong_credentials'))).toBeVisible();
      await look('login-wrong-password');
      await shopPage.page.keyboard.press('Escape');
      await shopPage.page.getByRole('navigation', { name: shopPage.text('footer.label') }).scrollIntoViewIfNeeded();
      await look('footer');
      if (brand === 'acenetJp') {
        await shopPage.button('footer.trade').click();
        await expect(shopPage.page.getByRole('dialog')).toBeVisible();
        await look('notice');
      }
    });

    test(
      'a player, from the character to the provider',
      { tag: tags.player },
      async ({ shopPage, chooser, enterAs }, { project }) => {
        const look = createLook(shopPage.page, folderOf(project.name, 'order'));
        const { page } = shopPage;
        await enterAs(chooser);
        await shopPage.open('/', query);
        await expect(shopPage.userMenu(chooser)).toBeVisible();
        await look('goods-logged-in');
        await shopPage.openCharacters();
        await look('characters');
        await shopPage.button('game.other', shopPage.popup('role.title')).click();
        await expect(shopPage.popup('game.choose')).toBeVisible();
        await look('games');
        await page.keyboard.press('Escape');
        await shopPage.takeCharacter();
        await shopPage.chooseGoods();
        await look('goods-chosen');
        await shopPage.openCheckout();
        await look('recharge');
        if (second) {
          await shopPage.openSecondChoice(second);
          await look('recharge-second');
          await shopPage.takeSecondChoice(second);
        } else {
          await shopPage.chooseChannel('adyen-card');
        }
        await look('recharge-chosen');
        await shopPage.dismiss();
        await shopPage.userMenu(chooser).click();
        await look('user-menu', { without: 'main' });
        await page.getByRole('button', { name: shopPage.text('logout.confirm'), exact: true }).click();
        await expect(shopPage.popup('logout.title')).toBeVisible();
        await look('logout');
      },
    );

    // The longest walk: on a desktop in one brand only.
    test('results and history', { tag: tags.results }, async ({ shopPage, player, enterAs }, { project }) => {
      // Four orders and a dozen looks.
      test.setTimeout(150_000);
      const look = createLook(shopPage.page, folderOf(project.name, 'result'));
      await shopPage.open('/my', query);
      await look('my-anonymous');
      await enterAs(player);
      await shopPage.open('/my');
      await expect(shopPage.page.getByRole('heading', { name: shopPage.text('my.empty_title') })).toBeVisible();
      await look('my-empty');
      await shopPage.open('/selectGoods');
      await shopPage.chooseCharacter();
      await lookAtResults(shopPage, look, player);
      await shopPage.open('/my');
      const orders = shopPage.page.getByRole('list').getByRole('button');
      await expect(orders.first()).toBeVisible();
      await look('my-orders');
      await orders.first().click();
      await expect(shopPage.popup('receipt.title')).toBeVisible();
      await look('receipt');
    });

    test('pages that explain something', { tag: tags.pages }, async ({ shopPage, watch, context }, { project }) => {
      watch.allow(/404/);
      const look = createLook(shopPage.page, folderOf(project.name, 'pages'));
      await shopPage.open('/nowhere', query);
      await look('not-found');
      await shopPage.open('/notArea');
      await look('not-area');
      for (const reason of ['network', 'query', 'cookies']) {
        await shopPage.open('/showError', { reason });
        await look(`error-${reason}`);
      }
      await shopPage.open('/errorReplenish');
      await look('error-replenish');
      await shopPage.open('/activity');
      await look('activity');
      await shopPage.open('/userCenter');
      await look('user-center');
      await shopPage.open('/', query);
      // The parts that the page fetches ahead are not what is looked at here.
      await shopPage.page.waitForLoadState('networkidle');
      await context.setOffline(true);
      await expect(shopPage.page.getByText(shopPage.text('network.offline'))).toBeVisible();
      await look('offline');
      await context.setOffline(false);
    });
  });
}

/** Pending, declined, delivering, success, failed and review, each from an order of its own. */
async function lookAtResults(shopPage: ShopPage, look: Look, player: string): Promise<void> {
  // A page that can be paid again after a no.
  await shopPage.prefer('xsolla');
  await shopPage.chooseGoods('60');
  const first = await shopPage.pay('xsolla');
  await shopPage.page.unroute('**/api/pay/getPayChannelList*');
  await shopPage.expectResult('result.pending_title');
  await look('pending');
  await payOnProvider(first.window, 'Decline');
  await shopPage.expectResult('result.declined_title');
  await look('declined');
  const again = await shopPage.openPayPage('declined');
  await stopGames(player);
  await payOnProvider(again, 'Pay');
  await shopPage.expectResult('result.delivering_title');
  await look('delivering');
  await mendGames(player);
  await shopPage.expectResult('result.success_title', 30_000);
  await look('success');
  await shopPage.button('result.success_done').click();
  await expect(shopPage.result).toBeHidden();

  await shopPage.chooseGoods('320');
  const failing = await shopPage.pay('paypal');
  await declineInGames(player);
  await payOnProvider(failing.window, 'Pay');
  await shopPage.expectResult('result.recharge_fail');
  await mendGames(player);
  await look('failed');
  await shopPage.dismiss();

  await shopPage.chooseGoods('680');
  const wrong = await shopPage.pay('adyen-card');
  await payOnProvider(wrong.window, 'Pay', 'wrong-amount');
  await shopPage.expectResult('result.review_payment_title');
  await look('review');
  // In some languages the cross in the corner has the same name.
  await shopPage.button('result.close').last().click();
  await expect(shopPage.result).toBeHidden();

  await shopPage.chooseGoods('320');
  const open = await shopPage.pay('adyen-card');
  await open.window.close();
  await shopPage.dismiss();
  await shopPage.open('/selectGoods');
  await expect(shopPage.button('result.unfinished_show')).toBeVisible();
  await look('unfinished');
}

/** The classic version begins with the games, where there is nothing to tick. */
async function chooseSomething({ page }: ShopPage): Promise<void> {
  const third = page.getByRole('radio').nth(2);
  if ((await page.getByRole('radio').count()) > 2) await third.check();
}

for (const [index, brand] of brands.entries()) {
  test.describe(`the landing page of ${brand}`, () => {
    test.use({ brand });

    test(
      'light and dark',
      { tag: index % 4 === 0 ? ['@phone'] : ['@phone', ...THOROUGH] },
      async ({ shopPage }, { project }) => {
        const look = createLook(shopPage.page, `${project.name}/landing/${brand}`);
        await shopPage.page.emulateMedia({ colorScheme: 'light' });
        await shopPage.open('/', { spec_lang: languagesOf(brand)[0] ?? 'en' });
        await chooseSomething(shopPage);
        await look('light', { isWholePage: true });
        await shopPage.page.emulateMedia({ colorScheme: 'dark' });
        await look('dark', { isWholePage: true });
      },
    );

    test(
      'in one of both',
      { tag: index % 5 === 1 ? ['@desktop'] : ['@desktop', ...THOROUGH] },
      async ({ shopPage }, { project }) => {
        const colorScheme = index % 2 === 0 ? 'light' : 'dark';
        const look = createLook(shopPage.page, `${project.name}/landing/${brand}`);
        await shopPage.page.emulateMedia({ colorScheme });
        await shopPage.open('/', { spec_lang: languagesOf(brand)[0] ?? 'en' });
        await chooseSomething(shopPage);
        await look(colorScheme, { isWholePage: true });
      },
    );
  });
}
