// Real names: asked for after a login, demanded by the payment, checked at the game, and told with every result.
import type { Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

test.use({ brand: 'rhinosJp', language: 'ja' });

/** Decides as the player on the simulated page of whoever checks. */
async function decide(page: Page, button: 'Verify' | 'Refuse' | 'Cancel'): Promise<void> {
  await page.waitForURL(/\/game\/real-name/);
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.waitForURL(/\/certifiedReal/);
}

test(
  'L158 L188 no payment before the check, which the next login leads to; then all is well',
  { tag: '@wide-later' },
  async ({ shopPage, player }) => {
    const { page, text, button, popup } = shopPage;
    await shopPage.open('/');
    await shopPage.logIn(player);
    await button('real_name.later', popup('real_name.title')).click();
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    await shopPage.payButton.click();
    const why = popup('real_name.cleared_title');
    await expect(why).toBeVisible();
    await expect(page).toHaveURL(/\/selectGoods/);
    await expect(shopPage.userMenu(player)).toBeHidden();
    await button('login.submit', why).click();
    await shopPage.fillLogin(player);
    await decide(page, 'Cancel');
    await expect(page.getByRole('heading', { name: text('real_name.unfinished_title') })).toBeVisible();
    await button('real_name.start').click();
    await decide(page, 'Refuse');
    await expect(page.getByRole('heading', { name: text('real_name.refused_title') })).toBeVisible();
    await button('real_name.again').click();
    await decide(page, 'Verify');
    await expect(page.getByRole('heading', { name: text('real_name.verified_title') })).toBeVisible();
    await page.getByRole('link', { name: text('real_name.home') }).click();
    await expect(page).toHaveURL(/\/selectGoods/);
    await shopPage.chooseGoods();
    const { billingNo, window } = await shopPage.pay('paypal');
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await expectDelivered(billingNo, player);
  },
);

test('L16 My leads to the check before anything is refused', { tag: '@thorough' }, async ({ shopPage, player }) => {
  const { page, text, button, popup } = shopPage;
  await shopPage.open('/');
  await shopPage.logIn(player);
  await button('real_name.later', popup('real_name.title')).click();
  await shopPage.open('/my');
  // Asked once a login.
  await expect(popup('real_name.title')).toHaveCount(0);
  await button('real_name.start').click();
  await decide(page, 'Verify');
  await expect(page.getByRole('heading', { name: text('real_name.verified_title') })).toBeVisible();
  await shopPage.open('/my');
  await expect(button('real_name.start')).toHaveCount(0);
});
