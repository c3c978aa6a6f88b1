// Offers: on the card, after a purchase, and one that the game gives; each paid at its price, once, and in the books.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectDelivered, expectRewarded, orderRow } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { runningShop } from './running-shop.ts';

const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@wide-later'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@thorough'] },
] as const;

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('the deal of a card, and the offer after a purchase', async ({ shopPage, returning: player }) => {
      // Three purchases.
      test.slow();
      const { page, button } = shopPage;
      const look = createLook(page, `offers-${place.brand}-${place.language}`);
      const card = page.locator('label').filter({ has: page.locator('input[value="ember_keys"]') });
      await shopPage.open('/');
      await expect(card).toContainText('−30%');
      await shopPage.chooseCharacter();

      // On the card and in the order; the price that is shown is the price that is paid.
      await page.locator('input[value="ember_keys"]').first().click();
      await shopPage.openCheckout();
      const line = shopPage.checkout.locator('[data-offer]');
      await expect(line).toBeVisible();
      await shopPage.chooseChannel('paypal');
      await look('order');
      const first = await shopPage.confirmPay();
      await payOnProvider(first.window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await button('result.success_done').click();
      await expect
        .poll(() => orderRow(first.billingNo))
        .toMatchObject({ state: 'delivered', coupon_code: expect.stringMatching(/^offer:emberfall\/daily_keys\./) });
      await expect(card).not.toContainText('−30%');

      // A purchase opens one: two presses from its result to the provider.
      await shopPage.chooseGoods('680');
      const second = await shopPage.pay('paypal');
      await payOnProvider(second.window, 'Pay');
      await shopPage.expectResult('result.success_title');
      const after = shopPage.result.locator('[data-offer]');
      await expect(after).toBeVisible();
      await look('after');
      await after.getByRole('button').click();
      // Until the sheet has come, the button of the bar below it has the same words.
      await expect(shopPage.checkout.getByRole('radio').first()).toBeVisible();
      const third = await shopPage.confirmPay();
      await payOnProvider(third.window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await button('result.success_done').click();
      await expectDelivered(second.billingNo, player);
      await expect
        .poll(() => orderRow(third.billingNo))
        .toMatchObject({ state: 'delivered', coupon_code: expect.stringMatching(/^offer:emberfall\/one_more\./) });
    });

    test(
      'one that the game gives, by clicking on its page',
      { tag: '@thorough' },
      async ({ shopPage, returning: player }) => {
        const { page, text, button } = shopPage;
        const look = createLook(page, `offers-${place.brand}-${place.language}-personal`);
        await shopPage.open('/');
        await shopPage.chooseCharacter();
        const game = await page.context().newPage();
        await game.goto(`${runningShop().simulatorsUrl}/game/offers`);
        await game.getByLabel('Brand').fill(place.brand);
        await game.getByLabel('User id').fill(player);
        await game.getByLabel('Name of the player').fill(player);
        await game.getByLabel('Price').fill('USD 0.50');
        await game.getByLabel('What the player reads').fill('');
        await game.getByRole('button', { name: 'Give it' }).click();
        await expect(game.getByRole('status')).toContainText('"is_new":true');
        await game.close();
        await page.bringToFront();
        await shopPage.open('/');
        const own = page.getByRole('region', { name: text('offer.row') }).locator('[data-offer]');
        await expect(own).toContainText(text('offer.personal'));
        await look('personal');
        await own.getByRole('button').click();
        await shopPage.openCheckout();
        await shopPage.chooseChannel('paypal');
        const placed = await shopPage.confirmPay();
        await payOnProvider(placed.window, 'Pay');
        await shopPage.expectResult('result.success_title');
        await button('result.success_done').click();
        await expect
          .poll(() => orderRow(placed.billingNo))
          .toMatchObject({ state: 'delivered', coupon_code: expect.stringMatching(/^offer:emberfall\/@offer-/) });
        await expect(own).toHaveCount(0);
      },
    );

    test(
      'the reward of the day is claimed once, in the game',
      { tag: '@thorough' },
      async ({ shopPage, returning: player }) => {
        const { page, text, button } = shopPage;
        await shopPage.open('/activity');
        await shopPage.chooseCharacter();
        await page.getByRole('tab', { name: text('events.tab_daily'), exact: true }).click();
        await button('events.receive').click();
        await expect(page.getByText(text('events.daily_done'))).toBeVisible();
        await createLook(page, `offers-${place.brand}-${place.language}`)('daily', { isWholePage: true });
        await expect(button('events.receive')).toHaveCount(0);
        await expectRewarded(player, ['ember_campfire_1']);
      },
    );
  });
}
