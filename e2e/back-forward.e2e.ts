// Back, forward and a reload at every step of the new version: what was chosen stays until it is paid. The
// classic version: classic.e2e.ts, L63.
import type { Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { payOnProvider } from './provider-page.ts';
import { grantsOf } from './simulators.ts';
import type { ShopPage } from './shop-page.ts';

const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** The goods with pack and character as they were chosen, and nothing over them. */
async function atGoods(shopPage: ShopPage): Promise<void> {
  const { page, goods, button, receiver } = shopPage;
  await expect.poll(() => pathOf(page)).toBe('/selectGoods');
  await expect(goods('320').first()).toBeChecked();
  await expect(button('receiver.change', receiver)).toBeVisible();
  await expect(shopPage.payButton.first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The checkout with PayPal ticked, as it was chosen; on a phone it is opened for that, and closed by going back. */
async function expectPaypal(shopPage: ShopPage, hasPanel: boolean): Promise<void> {
  await shopPage.openCheckout();
  await expect(shopPage.method('paypal')).toBeChecked();
  if (hasPanel) return;
  await shopPage.page.goBack();
  await atGoods(shopPage);
}

test.use({ brand: 'watt', language: 'en' });

test(
  'back, forward and a reload lose nothing at any step',
  { tag: '@wide-later' },
  async ({ shopPage, returning: _player }, { project }) => {
    // A dozen pages, most of them drawn twice.
    test.setTimeout(120_000);
    const hasPanel = project.name === 'desktop';
    const { page, button, result } = shopPage;
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods('320');
    await atGoods(shopPage);
    await page.reload();
    await atGoods(shopPage);

    // The way to pay. A popup closed by going back does not come again by going forward: the page stays what it is.
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    if (!hasPanel) {
      await page.goBack();
      await atGoods(shopPage);
      await page.goForward();
      await atGoods(shopPage);
      await shopPage.openCheckout();
    }
    await page.reload();
    await atGoods(shopPage);
    await expectPaypal(shopPage, hasPanel);

    // Another page and back.
    await page
      .getByRole('navigation')
      .getByRole('link', { name: shopPage.text('nav.my'), exact: true })
      .filter({ visible: true })
      .first()
      .click();
    const atMy = async () => {
      await expect.poll(() => pathOf(page)).toBe('/my');
      await expect(page.getByRole('heading', { name: shopPage.text('my.history') })).toBeVisible();
    };
    await atMy();
    await page.reload();
    await atMy();
    await page.goBack();
    await atGoods(shopPage);
    await page.goForward();
    await atMy();
    await page.goBack();
    await page.reload();
    await atGoods(shopPage);
    await expectPaypal(shopPage, hasPanel);

    // The order that waits: gone from sight it is noted, and leads back to the same payment.
    await shopPage.openCheckout();
    const { billingNo, window } = await shopPage.confirmPay();
    await window.close();
    const showAgain = async () => {
      await button('result.unfinished_show').click();
      await expect(result).toBeVisible();
      expect(await shopPage.billingNo()).toBe(billingNo);
    };
    await page.goBack();
    await atGoods(shopPage);
    await showAgain();
    await page.goBack();
    await page.goForward();
    await atGoods(shopPage);
    await showAgain();
    await page.reload();
    await atGoods(shopPage);
    await showAgain();

    await payOnProvider(await shopPage.openPayPage('waiting'), 'Pay');
    await shopPage.expectResult('result.success_title');
    await page.reload();
    // Paid goods are not chosen any more: nobody buys them twice by one press.
    await expect.poll(() => pathOf(page)).toBe('/selectGoods');
    await expect(shopPage.goods('320').first()).not.toBeChecked();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button('result.unfinished_show')).toHaveCount(0);
    expect(await grantsOf(billingNo)).toHaveLength(1);
  },
);
