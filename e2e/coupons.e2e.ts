// Coming back with a coupon: claimed on My, taken by the order, on every price, and in the database at the end.
import { expect, test } from './flow.ts';
import { orderRow } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@phone'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@desktop', '@thorough'] },
] as const;

/** "$7.99" of the button that pays; digits alone, for Arabic writes the sign elsewhere. */
const priceIn = (text: string): number => Number(/\d+[.,]?\d*/.exec(text)?.[0]?.replace(',', '.'));

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, () => {
    test.use(place);

    test(
      'L105 L109 L174 a claimed coupon pays its part of an order, once',
      { tag: [...tag] },
      async ({ shopPage, returning: player, players }) => {
        const { page, text, button } = shopPage;
        const code = await players.giveCoupon(place.brand, player);
        await shopPage.open('/my');
        await button('coupon.claimable').click();
        await button('coupon.use').click();
        await expect(page).toHaveURL(/selectGoods/);
        await shopPage.chooseCharacter();
        await shopPage.chooseGoods('680');
        await shopPage.openCheckout();
        await shopPage.chooseChannel('paypal');

        // The full price without it, and the calculated one with it.
        const line = shopPage.checkout.locator('[data-coupon] button').first();
        await expect(line).toContainText('−');
        const reduced = priceIn(await shopPage.payButton.last().innerText());
        await line.click();
        await button('coupon.cancel').click();
        await expect(line).not.toContainText('−');
        const full = priceIn(await shopPage.payButton.last().innerText());
        expect(reduced).toBeCloseTo(full * 0.8, 1);
        await shopPage.payButton.last().click();
        await expect(shopPage.popup('recharge.no_coupon_title')).toBeVisible();
        await button('account.cancel', shopPage.popup('recharge.no_coupon_title')).click();
        await line.click();
        await button('coupon.use').click();
        await expect(line).toContainText('−');

        const { billingNo, window } = await shopPage.confirmPay();
        await payOnProvider(window, 'Pay');
        await shopPage.expectResult('result.success_title');
        await shopPage.button('result.success_done').click();
        await expect
          .poll(() => orderRow(billingNo))
          .toMatchObject({
            state: 'delivered',
            coupon_code: code,
            amount: reduced * 100,
            discount: (full - reduced) * 100,
          });

        await shopPage.open('/my');
        await button('coupon.history').click();
        await expect(page.getByText(text('coupon.used'), { exact: true })).toBeVisible();
        await button('coupon.back').click();
        // The coupons there now belong to the level that the purchase has reached.
        await expect(page.getByText(text('coupon.used'), { exact: true })).toHaveCount(0);
        await expect(button('coupon.claimable').first()).toBeVisible();
      },
    );
  });
}
