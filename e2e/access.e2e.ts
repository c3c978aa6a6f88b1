// The shop by keyboard and reader alone: both versions from the landing page to the provider and back. Every screen on
// the way names what is on it, the focus is seen at each stop, and no step loses it.
import { expect, test } from './flow.ts';
import { payOnProvider } from './provider-page.ts';
import { expectReadable, listStops, pressOn, tabTo } from './reader.ts';
import type { ShopPage } from './shop-page.ts';

const DESKTOP = '@desktop';
const THOROUGH = '@thorough';

async function logInByKeys(shop: ShopPage, player: string): Promise<void> {
  const { page, text } = shop;
  await pressOn(page, shop.button('login.submit', page.getByRole('banner')), 'Enter');
  const login = shop.popup('login.title');
  // The first field has the focus, without a press.
  await expect(login.getByLabel(text('login.username'), { exact: true })).toBeFocused();
  await expectReadable(page, 'login');
  await page.keyboard.type(player);
  await tabTo(page, login.getByLabel(text('login.password'), { exact: true }));
  await page.keyboard.type('refill-demo');
  await page.keyboard.press('Enter');
  await shop.expectLoggedIn(player);
  // Over the reload that follows a login: the button is gone, the player's menu is in its place.
  await expect(shop.userMenu(player)).toBeFocused();
}

async function chooseGoodsByKeys(shop: ShopPage): Promise<void> {
  const { page } = shop;
  await tabTo(page, page.getByRole('radiogroup').getByRole('radio').first());
  const wanted = shop.goods('320').first();
  for (let presses = 0; presses < 20 && !(await wanted.isChecked()); presses += 1)
    await page.keyboard.press('ArrowDown');
  await expect(wanted).toBeChecked();
}

test('a purchase by keyboard alone, to the provider and back', { tag: DESKTOP }, async ({ shopPage: shop, player }) => {
  const { page, text } = shop;
  await shop.open('/');
  await expectReadable(page, 'landing');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: text('nav.skip') })).toBeFocused();
  await logInByKeys(shop, player);

  await pressOn(page, shop.receiver.getByRole('button').last(), 'Enter');
  const characters = shop.popup('role.title');
  await expect(characters.getByRole('radio').first()).toBeVisible();
  await expectReadable(page, 'characters');
  await pressOn(page, characters.getByRole('radio').first(), 'Space');
  await pressOn(page, shop.button('role.confirm', characters), 'Enter');
  await expect(characters).toBeHidden();

  await chooseGoodsByKeys(shop);
  const ways = shop.checkout.getByRole('radio');
  await expect(ways.first()).toBeVisible();
  await tabTo(page, ways.first());
  await page.keyboard.press('Space');
  await expectReadable(page, 'order');
  const opening = page.context().waitForEvent('page');
  await pressOn(page, shop.payButton, 'Enter');
  const provider = await opening;
  await expect(shop.result).toBeVisible();
  await expectReadable(page, 'waiting');
  await payOnProvider(provider, 'Pay');
  await shop.expectResult('result.success_title', 30_000);
  await expectReadable(page, 'delivered');
  // The focus is in the popup, not under it; closed, it is back where Pay was pressed.
  expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(shop.result).toBeHidden();
  expect(await page.evaluate(() => document.activeElement?.closest('main, aside') !== null)).toBe(true);
});

test.describe('of the classic version', () => {
  test.use({ brand: 'joynet' });
  test(
    'L38 a purchase by keyboard alone, to the provider and back',
    { tag: DESKTOP },
    async ({ shopPage: shop, player }) => {
      const { page, text } = shop;
      const atStep = async (id: string) => {
        await expect(page.getByRole('heading', { name: shop.named(id), level: 1 })).toBeFocused();
        await expectReadable(page, id);
      };
      await shop.open('/');
      await expectReadable(page, 'games');
      await logInByKeys(shop, player);
      await pressOn(page, page.getByRole('main').getByRole('button', { name: 'Emberfall' }), 'Enter');
      await atStep('steps.select_goods');
      const character = page
        .getByRole('group', { name: text('role.character') })
        .getByRole('radio')
        .first();
      await expect(character.or(shop.button('receiver.change', shop.receiver))).toBeVisible();
      if (await character.isVisible()) await pressOn(page, character, 'Space');
      await chooseGoodsByKeys(shop);
      await pressOn(page, shop.payButton, 'Enter');
      await atStep('recharge.title');
      await pressOn(page, page.getByRole('main').getByRole('radio').first(), 'Space');
      const opening = page.context().waitForEvent('page');
      await pressOn(page, shop.payButton, 'Enter');
      const provider = await opening;
      await atStep('result.title');
      await payOnProvider(provider, 'Pay');
      await page.bringToFront();
      await expect(page.getByRole('heading', { name: shop.named('result.success_title') })).toBeVisible({
        timeout: 30_000,
      });
      await expectReadable(page, 'delivered');
    },
  );
});

for (const brand of ['watt', 'joynet'])
  test.describe(`the stops of the Tab key on ${brand}`, () => {
    test.use({ brand });
    for (const path of ['/', '/my', '/nowhere', '/notArea', '/showError', '/errorReplenish'])
      test(`are all named and seen on ${path}`, { tag: [DESKTOP, THOROUGH] }, async ({ shopPage: shop, watch }) => {
        watch.allow(/404/);
        await shop.open(path);
        await shop.page.waitForLoadState('networkidle');
        await expectReadable(shop.page, path);
        const stops = await listStops(shop.page);
        expect(stops[0]?.name).toBe(shop.text('nav.skip'));
        expect(stops.length).toBeGreaterThan(3);
        expect(stops.filter(({ name, isSeen }) => name === '' || !isSeen)).toEqual([]);
      });
  });
