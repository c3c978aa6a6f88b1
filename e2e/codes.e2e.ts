// Promo codes and the bonus of a first purchase: a code in a link buys with it, the bonus comes once and is shown no
// more; a typed code of a creator on a desktop, in Arabic.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { orderRow } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { grantsOf } from './simulators.ts';

/** "$7.99" of the button that pays; digits alone, for Arabic writes the sign elsewhere. */
const priceIn = (text: string): number => Number(/\d+[.,]?\d*/.exec(text)?.[0]?.replace(',', '.'));

test.describe('watt in English', { tag: '@phone' }, () => {
  test.use({ brand: 'watt', language: 'en' });

  test('a code in a link buys with it, and the first-time bonus comes once', async ({ shopPage, player }) => {
    const { page, text, button } = shopPage;
    const look = createLook(page, 'codes-watt-en');
    const chip = page.getByText(text('goods.first_bonus', { bonus: '+3,280 Bonus crystals' }), { exact: true });
    await shopPage.open('/', { promo_code: 'ember10' });
    await expect(chip).toBeVisible();
    await shopPage.logIn(player);
    await shopPage.chooseCharacter();
    await expect(chip).toBeVisible();
    await shopPage.chooseGoods('3,280');
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    const line = shopPage.checkout.locator('[data-promo]');
    await expect(line).toContainText('EMBER10');
    await expect(line).toContainText('−');
    await expect(shopPage.checkout.locator('[data-first]')).toContainText('3,280');
    await look('sheet');
    const reduced = priceIn(await shopPage.payButton.last().innerText());
    await button('promo.remove').click();
    await expect(line).not.toContainText('−');
    const full = priceIn(await shopPage.payButton.last().innerText());
    expect(reduced).toBeCloseTo(full * 0.9, 1);
    await button('promo.add').click();
    await line.getByRole('textbox').fill('nosuchcode');
    await button('promo.apply').click();
    await expect(line).toContainText(text('promo.unknown'));
    // Not applied: it stays in its field, to be mended.
    await expect(line.getByRole('textbox')).toHaveValue('nosuchcode');
    await expect(line.locator('[data-priced]')).toHaveCount(0);
    await look('refused');
    await button('promo.remove').click();
    await button('promo.add').click();
    await line.getByRole('textbox').fill('EMBER10');
    await button('promo.apply').click();
    await expect(line).toContainText('−');

    const { billingNo, window } = await shopPage.confirmPay();
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await look('result');
    await button('result.success_done').click();
    await expect
      .poll(() => orderRow(billingNo))
      .toMatchObject({
        state: 'delivered',
        promo_code: 'EMBER10',
        creator: null,
        coupon_code: null,
        amount: Math.round(reduced * 100),
      });
    const [grant] = await grantsOf(billingNo);
    expect(JSON.stringify(grant)).toContain('ember_first');
    // Had once: nobody promises it again.
    await expect(chip).toHaveCount(0);
    await shopPage.open('/');
    await expect(shopPage.goods('3,280').first()).toBeVisible();
    await expect(chip).toHaveCount(0);
  });
});

test.describe('rhinosSea in Arabic', { tag: '@desktop' }, () => {
  test.use({ brand: 'rhinosSea', language: 'ar' });

  test("a typed code pays its creator's share", async ({ shopPage, returning: _player }) => {
    const { page, button } = shopPage;
    const look = createLook(page, 'codes-rhinosSea-ar');
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods('680');
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    const line = shopPage.checkout.locator('[data-promo]');
    await button('promo.add').click();
    await line.getByRole('textbox').fill('savanna');
    await button('promo.apply').click();
    await expect(line).toContainText('−');
    await look('panel');
    const { billingNo, window } = await shopPage.confirmPay();
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await expect
      .poll(() => orderRow(billingNo))
      .toMatchObject({ state: 'delivered', promo_code: 'SAVANNA', creator: 'savanna-live' });
  });
});
