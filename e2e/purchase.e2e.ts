// Buying, from the goods to the game: every provider, everything that may go wrong on the way,
// and what the game and the books say at the end. The happy ways run on both screens and in both writing directions
// (inside `npm test` on a desktop from right to left only), each fault on one screen.
import { expect, test } from './flow.ts';
import { expectDelivered, expectNotDelivered, stateOf } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';
import { callbacksOf, mendGames, settleLater, slowGames, stopGames } from './simulators.ts';

/** Screens that a flow runs on when one is enough: playwright.config.ts leaves it out on the others. */
const PHONE = '@phone';
const DESKTOP = '@desktop';

/** Channels by the region they are offered in; the one of Xsolla lies inside another. */
const WAYS = [
  { provider: 'Adyen', channel: 'adyen-card', query: {} },
  { provider: 'Xsolla', channel: 'xsolla-local-sea/9101', query: { domain_area: 'sea' } },
];

async function buy(shopPage: ShopPage, channel: string, player: string): Promise<void> {
  await shopPage.chooseGoods();
  const { billingNo, window } = await shopPage.pay(channel);
  await shopPage.expectResult('result.pending_title');
  await payOnProvider(window, 'Pay');
  await shopPage.expectResult('result.success_title');
  await shopPage.button('result.success_done').click();
  await expect(shopPage.result).toBeHidden();
  await expectDelivered(billingNo, player);
}

/** In the short run English on a phone, Arabic on a desktop. */
const PLACES = [
  { brand: 'watt', language: 'en', tag: ['@wide-later'] },
  { brand: 'rhinosSea', language: 'ar', tag: ['@narrow-later'] },
] as const;

for (const { tag, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('a purchase with PayPal arrives in the game, from the login on', async ({ shopPage, chooser }) => {
      await shopPage.open('/');
      await expect(shopPage.page.locator('html')).toHaveAttribute('dir', place.language === 'ar' ? 'rtl' : 'ltr');
      await shopPage.logIn(chooser);
      await shopPage.chooseCharacter();
      await buy(shopPage, 'paypal', chooser);
    });

    for (const { provider, channel, query } of WAYS) {
      test(`a purchase with ${provider} arrives in the game`, async ({ shopPage, returning }) => {
        await shopPage.open('/', query);
        await shopPage.chooseCharacter();
        await buy(shopPage, channel, returning);
      });
    }
  });
}

test.describe('when something goes wrong', () => {
  test.afterEach(({ player }) => mendGames(player));

  /** A pack in the order of a player who is logged in. */
  async function prepare(shopPage: ShopPage): Promise<void> {
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
  }

  test('declined at the provider, paid at the second try', { tag: PHONE }, async ({ shopPage, returning: player }) => {
    await shopPage.prefer('xsolla');
    await prepare(shopPage);
    const { billingNo, window } = await shopPage.pay('xsolla');
    await payOnProvider(window, 'Decline');
    await shopPage.expectResult('result.declined_title');
    await expectNotDelivered(billingNo, 'pending');
    const again = await shopPage.openPayPage('declined');
    await payOnProvider(again, 'Pay');
    await shopPage.expectResult('result.success_title');
    await expectDelivered(billingNo, player);
  });

  test(
    'the shop is closed while paying and opened again',
    { tag: DESKTOP },
    async ({ shopPage, returning: player, context }) => {
      await prepare(shopPage);
      const { billingNo, window } = await shopPage.pay('adyen-card');
      // Long enough that nothing is delivered before the shop is gone.
      await slowGames(player, 4000);
      await shopPage.page.close();
      await payOnProvider(window, 'Pay');
      await expect(window.getByRole('heading', { name: 'Payment successful' })).toBeVisible();
      expect(await stateOf(billingNo)).not.toBe('delivered');
      await window.close();
      await mendGames(player);
      await expectDelivered(billingNo, player);
      const back = createShopPage(await context.newPage(), shopPage);
      await back.open('/');
      await back.button('result.unfinished_show').click();
      await back.expectResult('result.success_title');
      expect(await back.billingNo()).toBe(billingNo);
    },
  );

  test(
    'another way to pay is chosen while the first is open',
    { tag: PHONE },
    async ({ shopPage, returning: player }) => {
      await prepare(shopPage);
      const first = await shopPage.pay('adyen-card');
      await first.window.close();
      await shopPage.button('result.change_recharge_way', shopPage.result).click();
      await shopPage.chooseChannel('paypal');
      const second = await shopPage.confirmPay();
      expect(second.billingNo).toBe(first.billingNo);
      await payOnProvider(second.window, 'Pay');
      await shopPage.expectResult('result.success_title');
      await expectDelivered(first.billingNo, player);
    },
  );

  test('the same callback three times at once', { tag: DESKTOP }, async ({ shopPage, returning: player }) => {
    await prepare(shopPage);
    const { billingNo, window } = await shopPage.pay('adyen-card');
    await window.close();
    const again = await shopPage.openPayPage('waiting');
    await payOnProvider(again, 'Pay', 'duplicate');
    await shopPage.expectResult('result.success_title');
    await expect.poll(async () => (await callbacksOf('adyen', billingNo)).length).toBe(3);
    await expectDelivered(billingNo, player);
  });

  test(
    'a callback that never comes: asking finds the payment',
    { tag: PHONE },
    async ({ shopPage, returning: player }) => {
      await prepare(shopPage);
      const { billingNo, window } = await shopPage.pay('adyen-card');
      await payOnProvider(window, 'Pay', 'lost');
      await shopPage.button('result.recharge_done', shopPage.result).click();
      await shopPage.expectResult('result.success_title', 30_000);
      expect(await callbacksOf('adyen', billingNo)).toEqual([]);
      await expectDelivered(billingNo, player);
    },
  );

  test('the game is away for 20 seconds', { tag: [DESKTOP, '@thorough'] }, async ({ shopPage, returning: player }) => {
    await prepare(shopPage);
    const { billingNo, window } = await shopPage.pay('adyen-card');
    await stopGames(player, 20);
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.delivering_title');
    await expectNotDelivered(billingNo, 'delivering');
    await shopPage.expectResult('result.success_title', 45_000);
    await expectDelivered(billingNo, player);
  });

  test(
    'paid later: nothing is handed over before the money is there',
    { tag: PHONE },
    async ({ shopPage, returning: player }) => {
      await prepare(shopPage);
      const { billingNo, window } = await shopPage.pay('adyen-card');
      await payOnProvider(window, 'Pay later');
      await expect(window.getByRole('heading', { name: 'Payment pending' })).toBeVisible();
      await shopPage.button('result.recharge_done', shopPage.result).click();
      await shopPage.expectResult('result.pending_title');
      await expectNotDelivered(billingNo, 'pending');
      await settleLater('adyen', billingNo);
      await shopPage.expectResult('result.success_title');
      await expectDelivered(billingNo, player);
    },
  );

  test('a smaller amount than asked for goes to review', { tag: DESKTOP }, async ({ shopPage, returning: _player }) => {
    await prepare(shopPage);
    const { billingNo, window } = await shopPage.pay('paypal');
    await payOnProvider(window, 'Pay', 'wrong-amount');
    await shopPage.expectResult('result.review_payment_title');
    await expect(shopPage.result.getByText(shopPage.text('result.review_ask'))).toBeVisible();
    await expectNotDelivered(billingNo, 'review');
  });
});
