// Events, from a purchase to the reward in the game: both kinds, receive all and receive, on both screens and in both
// writing directions.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectDelivered, expectRewarded } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@wide-later'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@thorough'] },
] as const;

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('L110 a top-up reaches steps of both kinds, and their rewards arrive in the game', async ({
      shopPage,
      returning: player,
    }) => {
      const { page, text, button } = shopPage;
      const look = createLook(page, `events-${place.brand}-${place.language}`);
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      await shopPage.chooseGoods('1,280');
      const { billingNo, window } = await shopPage.pay('paypal');
      await payOnProvider(window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await button('result.success_done').click();
      await expectDelivered(billingNo, player);

      // On a phone the order's bar lies where the entries are, until one scrolls up again.
      await page.mouse.wheel(0, -5000);
      await page
        .getByRole('navigation')
        .getByRole('link', { name: shopPage.named('nav.event') })
        .filter({ visible: true })
        .first()
        .click();
      await page.getByRole('tab', { name: text('events.tab_total'), exact: true }).click();
      const steps = page.getByRole('tabpanel').getByRole('listitem');
      const all = page.getByRole('button', { name: text('events.receive_all', { count: '2' }), exact: true });
      await expect(all).toBeVisible();
      await look('receivable', { isWholePage: true });
      await all.click();
      await expect(steps.getByText(text('events.received'), { exact: true })).toHaveCount(2);
      await expectRewarded(player, ['ember_total_1', 'ember_total_2']);
      await look('received', { isWholePage: true });

      await page.getByRole('tab', { name: text('events.tab_days'), exact: true }).click();
      await button('events.receive').click();
      await expect(steps.getByText(text('events.received'), { exact: true })).toHaveCount(1);
      await look('days', { isWholePage: true });
      await expectRewarded(player, ['ember_days_1', 'ember_total_1', 'ember_total_2']);
    });
  });
}
