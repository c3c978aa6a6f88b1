// A player comes back: a purchase reaches a level, its coupon of the week pays a part of the next one, points rise, and
// a step of an event is there to be received.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectRewarded, orderRow } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@wide-later'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@thorough'] },
] as const;

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('L12 L105 L206 a level, its coupon of the week, points and rewards', async ({
      shopPage,
      returning: player,
    }) => {
      // Two purchases and three pages.
      test.slow();
      const { page, text, button } = shopPage;
      const look = createLook(page, `vip-${place.brand}-${place.language}`);
      const buy = async (goods: string): Promise<string> => {
        await shopPage.chooseGoods(goods);
        const { billingNo, window } = await shopPage.pay('paypal');
        await payOnProvider(window, 'Pay');
        await shopPage.expectResult('result.success_title');
        await button('result.success_done').click();
        return billingNo;
      };
      const points = async (): Promise<number> => {
        // Under the name of the level; the words change with the number.
        const shown = await page.locator('h1 + p').first().innerText();
        return Number(shown.replace(/\D/g, ''));
      };
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      await buy('3,280');

      await shopPage.open('/userCenter');
      await expect(page.getByText(text('vip.your_level'), { exact: true })).toBeVisible();
      const earned = await points();
      expect(earned).toBeGreaterThan(0);
      const weekly = page.getByRole('listitem').filter({ hasText: text('vip.week') });
      await look('level', { isWholePage: true });
      await button('coupon.claimable', weekly.first()).click();
      await expect(weekly.first()).toContainText(text('vip.claimed'));

      await shopPage.open('/');
      const withCoupon = await buy('680');
      await expect
        .poll(() => orderRow(withCoupon))
        .toMatchObject({ state: 'delivered', coupon_code: expect.stringMatching(/week\.\d{4}-\d\d-\d\d$/) });
      await shopPage.open('/userCenter');
      await expect.poll(points).toBeGreaterThan(earned);

      await shopPage.open('/activity');
      await page.getByRole('tab', { name: text('events.tab_total'), exact: true }).click();
      await page.getByRole('button', { name: shopPage.named('events.receive_all') }).click();
      await expect(page.getByRole('button', { name: shopPage.named('events.receive_all') })).toHaveCount(0);
      await look('received', { isWholePage: true });
      await expectRewarded(player, ['ember_total_1', 'ember_total_2', 'ember_total_3']);
    });
  });
}
