// The checkout on its three sizes: sheet on a phone, sheet on a phone held sideways, panel beside the
// goods. Methods, not processors.
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import type { ShopPage } from './shop-page.ts';

const PHONE = '@phone';
const DESKTOP = '@desktop';

test.use({ brand: 'watt' });

async function prepare(shopPage: ShopPage): Promise<void> {
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
}

const namesIn = (shopPage: ShopPage) =>
  shopPage.checkout
    .getByRole('radio')
    .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));

test(
  'Card is there once, PayPal and the balance beside it, the rest behind a fold',
  { tag: PHONE },
  async ({ shopPage, returning: _player }) => {
    await prepare(shopPage);
    await shopPage.openCheckout();
    expect(await namesIn(shopPage)).toEqual(['google_pay', 'card', 'paypal', 'balance']);
    await expect(shopPage.payButton.last()).toBeDisabled();
    await expect(shopPage.payButton.last()).toHaveText(/^Choose how to pay · \$/);
    // Off, and yet not mute: it leads to the list.
    await shopPage.payButton.last().dispatchEvent('click');
    await expect(shopPage.checkout.getByRole('radio').first()).toBeFocused();
    await shopPage.checkout.getByRole('button', { name: shopPage.named('recharge.more_ways') }).click();
    const all = await namesIn(shopPage);
    expect(all).toEqual([
      'google_pay',
      'card',
      'paypal',
      'balance',
      'alipay',
      'other',
      'prepaid_card',
      'card43',
      'travellet',
    ]);
    // The unfolded part is in sight: the sheet was full before.
    await expect(shopPage.checkout.getByRole('radio').last().locator('..')).toBeInViewport({ ratio: 1 });
    await shopPage.chooseChannel('card');
    // Its fields stand in its row, in sight and ready to be typed into.
    await expect(shopPage.checkout.getByLabel(shopPage.text('recharge.card_number'))).toBeInViewport({ ratio: 1 });
    await expect(shopPage.checkout.getByLabel(shopPage.text('recharge.card_number'))).toBeFocused();
  },
);

test.describe('held sideways', () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test('a method and a live button are in sight together', { tag: PHONE }, async ({ shopPage, returning: player }) => {
    await prepare(shopPage);
    await shopPage.openCheckout();
    await shopPage.chooseChannel('adyen-card');
    await expect(shopPage.method('adyen-card').locator('..')).toBeInViewport({ ratio: 1 });
    await expect(shopPage.method('paypal').locator('..')).toBeInViewport({ ratio: 1 });
    const pay = shopPage.recharge.getByRole('button', { name: shopPage.named('recharge.pay') });
    await expect(pay).toBeInViewport({ ratio: 1 });
    await expect(pay).toBeEnabled();
    await expect(shopPage.recharge.locator('[data-payer]').filter({ visible: true })).toContainText(player);
    await expectWaySeen(shopPage);
  });
});

/** A live button never pays by what is out of sight: the line above it is whole in the window, and nothing covers it. */
async function expectWaySeen({ page, text, payButton }: ShopPage, name = 'Card'): Promise<void> {
  await expect(payButton.last()).toBeEnabled();
  const line = page.locator('[data-paid-by]').filter({ visible: true });
  await expect(line).toContainText(name);
  await expect(line).toContainText(text('recharge.change'));
  const isClear = () =>
    line.evaluate((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const isInside = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
      const spots = [...one.querySelectorAll('b, button')].map((part) => part.getBoundingClientRect());
      const isFree = spots.every((spot) => {
        const top = document.elementFromPoint(spot.x + spot.width / 2, spot.y + spot.height / 2);
        return top !== null && one.contains(top);
      });
      return isInside && isFree;
    });
  await expect.poll(isClear, { message: 'the way to pay lies in sight' }).toBe(true);
}

const SMALL = { width: 320, height: 568 };
for (const { what, brand, viewport, letters } of [
  { what: 'on a small phone', brand: 'watt', viewport: SMALL, letters: 16 },
  { what: 'with letters of twice the size', brand: 'watt', viewport: { width: 390, height: 844 }, letters: 32 },
  { what: 'on a small phone, in step 3', brand: 'joynet', viewport: SMALL, letters: 16 },
  {
    what: 'with letters of twice the size, in step 3',
    brand: 'joynet',
    viewport: { width: 390, height: 844 },
    letters: 32,
  },
]) {
  test.describe(`the way to pay ${what}`, { tag: [PHONE] }, () => {
    test.use({ brand, viewport });

    test('stands above the button that pays', async ({ shopPage, returning: player, players }) => {
      const { page } = shopPage;
      await players.credit(brand, player, 'USD', 100_000);
      await page.addInitScript(() => localStorage.setItem('refill.pay_method', '{"value":"balance","until":0}'));
      const session = await page.context().newCDPSession(page);
      if (brand === 'watt') await prepare(shopPage);
      else {
        await shopPage.open('/selectGoods', { client_id: '70011' });
        await shopPage.chooseGoods();
      }
      await session.send('Page.setFontSizes', { fontSizes: { standard: letters, fixed: letters - 3 } });
      await shopPage.payButton.click();
      // The way of the last payment is chosen already: the next press pays.
      await expectWaySeen(shopPage, 'Store balance');
      await shopPage.page.locator('[data-paid-by] button').filter({ visible: true }).click();
      await expect(page.getByRole('radio', { name: /^\s*PayPal/ }).filter({ visible: true })).toBeAttached();
    });
  });
}

test(
  'the panel pays by itself; next time the method is chosen already',
  { tag: DESKTOP },
  async ({ shopPage, returning: player }) => {
    await prepare(shopPage);
    await expect(shopPage.payButton).toBeDisabled();
    await expect(shopPage.checkout.locator('[data-payer]')).toContainText(player);
    await shopPage.chooseChannel('paypal');
    const { billingNo, window } = await shopPage.confirmPay();
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await shopPage.button('result.success_done').click();
    await expectDelivered(billingNo, player);
    await shopPage.open('/');
    await shopPage.chooseGoods();
    await expect(shopPage.method('paypal')).toBeChecked();
    expect(await namesIn(shopPage)).toEqual(['paypal']);
    // The country has a "Change" of its own, above the methods.
    await shopPage.checkout
      .locator('fieldset')
      .getByRole('button', { name: shopPage.text('recharge.change') })
      .click();
    expect(await namesIn(shopPage)).toEqual(['paypal', 'card', 'balance']);
  },
);

test(
  'whoever comes back is two presses from the page of the provider, and types nothing',
  { tag: [PHONE, '@thorough'] },
  async ({ shopPage, returning: _player, context }) => {
    await prepare(shopPage);
    const first = await shopPage.pay('paypal');
    await payOnProvider(first.window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await shopPage.open('/');
    const again = shopPage.page.getByRole('region', { name: shopPage.text('again.title') });
    await again.getByRole('button').first().click();
    await expect(shopPage.method('paypal')).toBeChecked();
    const opening = context.waitForEvent('page');
    await shopPage.payButton.last().click();
    await payOnProvider(await opening, 'Pay');
    await shopPage.expectResult('result.success_title');
  },
);
