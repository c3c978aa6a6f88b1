// Every channel of the shipped file through its own page, as a person pays on it: from the
// list to the goods in the game.
// A channel that is added there is bought with here, in the first place of its brand that offers it: all of them by
// `npm run e2e -- channels`, one of each manner of paying in every run of the tests.
import { devices } from '@playwright/test';
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { listPlaces, listManners } from './places.ts';

for (const place of process.env['REFILL_E2E_ALL'] ? listPlaces() : listManners()) {
  test.describe(place.channel, () => {
    test.use({ brand: place.brand, ...(place.isIosOnly ? { userAgent: devices['iPhone 15'].userAgent } : {}) });

    // Apple Pay is offered where the browser has it, and Chromium has not.
    if (place.isIosOnly)
      test.beforeEach(({ page }) =>
        page.addInitScript(() => Object.assign(window, { ApplePaySession: { canMakePayments: () => true } })),
      );

    test(`a purchase by ${place.channel} arrives in the game @phone`, async ({ shopPage, returning: player }) => {
      await shopPage.prefer(place.channel);
      await shopPage.open('/', { domain_area: place.region, spec_lang: 'en' });
      await shopPage.chooseCharacter();
      await shopPage.chooseCountry(place.country);
      await shopPage.chooseGoods();
      const { billingNo, window } = await shopPage.pay(place.channel);
      await shopPage.expectResult('result.pending_title');
      await payOnProvider(window, 'Pay');
      await shopPage.expectResult('result.success_title', 20_000);
      await shopPage.button('result.success_done').click();
      await expect(shopPage.result).toBeHidden();
      await expectDelivered(billingNo, player);
    });
  });
}

test.describe('without a page', () => {
  test.use({ brand: 'watt' });

  for (const channel of ['card', 'card43'] as const) {
    test(`a prepaid card by the channel ${channel} @phone`, async ({ shopPage, returning: player, players }) => {
      const card = await players.issueCard('USD', 999, channel);
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      await shopPage.chooseGoods();
      await shopPage.openCheckout();
      await shopPage.chooseChannel(channel);
      const fields = shopPage.checkout;
      await expect(shopPage.payButton.last()).toBeDisabled();
      await fields.getByLabel(shopPage.text('recharge.card_number')).fill(card.cardId);
      await fields.getByLabel(shopPage.text('recharge.card_password'), { exact: true }).fill(card.password);
      await fields.getByRole('button', { name: shopPage.named('recharge.pay') }).click();
      const question = shopPage.popup('recharge.card_confirm_title');
      await expect(question).toContainText('$9.99');
      await question.getByRole('button', { name: shopPage.named('recharge.pay') }).click();
      await shopPage.expectResult('result.success_title', 20_000);
      await expectDelivered(await shopPage.billingNo(), player);
    });
  }

  test('the balance @phone', async ({ shopPage, returning: player, players }) => {
    await shopPage.open('/');
    await players.credit('watt', player, 'USD', 5000);
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    await shopPage.openCheckout();
    await expect(shopPage.method('platform').locator('..')).toContainText('$50.00, enough');
    await shopPage.chooseChannel('platform');
    await shopPage.payButton.last().click();
    await shopPage.expectResult('result.success_title', 20_000);
    await expectDelivered(await shopPage.billingNo(), player);
  });
});

test.describe('on a desktop', () => {
  // The provider's own script, on a page of ours. @source specification section 7: "A separate payment script loads for
  // the Korean brand on desktop"
  test('Welcome Payments lays its window over ours @desktop', async ({ shopPage, returning: player }) => {
    await shopPage.open('/', { domain_area: 'kr' });
    await shopPage.prefer('welcome/card');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    const { billingNo, window } = await shopPage.pay('welcome/card');
    await payOnProvider(window.frameLocator('iframe'), 'Pay');
    await shopPage.expectResult('result.success_title', 20_000);
    await expectDelivered(billingNo, player);
  });
});
