// The gift tab by clicking: the card that `npm start` prints becomes its goods, a card that is money buys some and
// leaves its rest in the balance. Both versions, Japanese among them.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectDelivered, orderRow } from './proof.ts';
import { runningShop } from './running-shop.ts';
import type { ShopPage } from './shop-page.ts';

async function openGiftTab({ page, text }: ShopPage): Promise<void> {
  // In the tabs of phones, in the header's row of wide screens.
  await page
    .getByRole('link', { name: text('nav.gift'), exact: true })
    .filter({ visible: true })
    .click();
  await expect(page).toHaveURL(/tab=gift/);
}

async function enterCard({ page, text, button }: ShopPage, number: string, password: string): Promise<void> {
  await page.getByLabel(text('recharge.card_number'), { exact: true }).fill(number);
  await expect(button('gift.check')).toBeDisabled();
  await page.getByLabel(text('recharge.card_password'), { exact: true }).fill(password);
  await button('gift.check').click();
}

test.describe('the printed card', { tag: '@desktop' }, () => {
  test('L57 L116 L121 L177 L207 becomes its goods, with the extra gems, for the chosen character', async ({
    shopPage,
    returning: player,
  }) => {
    const { page, text, named, button } = shopPage;
    const look = createLook(page, 'giftcards-watt-en');
    const card = runningShop().cards?.find(({ number }) => number.startsWith('DEMOGEMS'));
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await openGiftTab(shopPage);
    await look('form', { isWholePage: true });
    await enterCard(shopPage, card?.number ?? '', card?.password ?? '');
    const worth = page.getByRole('region', { name: text('gift.worth') });
    await expect(worth).toContainText(text('gift.extra'));
    const gets = (await worth.locator('dd').nth(1).textContent()) ?? '';
    await look('worth', { isWholePage: true });
    await worth.getByRole('button', { name: named('gift.take') }).click();
    await button('gift.confirm', shopPage.popup('gift.confirm_title')).click();
    await shopPage.expectResult('result.success_title');
    await expect(page.locator('[data-bag]').locator('xpath=preceding-sibling::p')).toContainText(`+${gets}`);
    await expectDelivered(await shopPage.billingNo(), player);
    await button('result.success_done').click();
    await expect(page.getByText(named('gift.card_end'))).toBeVisible();
    await look('history', { isWholePage: true });
  });
});

const PLACES = [
  { brand: 'acenetJp', language: 'ja', currency: 'JPY', face: 5000 },
  { brand: 'joynet', language: 'en', currency: 'USD', face: 2000 },
] as const;

for (const { currency, face, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: '@thorough' }, () => {
    test.use(place);

    test('L119 a card that is money says what it buys, and its rest goes to the balance', async ({
      shopPage,
      returning: player,
      players,
    }) => {
      const { page, text, named, button } = shopPage;
      const look = createLook(page, `giftcards-${place.brand}-${place.language}`);
      const card = await players.issueCard(currency, face, 'card');
      await shopPage.open('/my');
      await openGiftTab(shopPage);
      await shopPage.chooseCharacter();
      await enterCard(shopPage, card.cardId, card.password);
      const worth = page.getByRole('region', { name: text('gift.worth') });
      await look('money', { isWholePage: true });
      await worth.getByRole('listitem').first().getByRole('button').click();
      const sure = shopPage.popup('recharge.card_confirm_title');
      await expect(sure).toContainText(named('gift.rest'));
      await sure.getByRole('button', { name: named('recharge.pay') }).click();
      // The area's final confirmation comes before anything is paid.
      if (place.language === 'ja') {
        const last = shopPage.popup('confirm.title');
        await look('last-look');
        await last.getByRole('button', { name: named('recharge.pay') }).click();
      }
      await shopPage.expectResult('result.success_title');
      await expectDelivered(await shopPage.billingNo(), player);
      await button('result.success_done').click();
      await expect(page.getByText(named('gift.rest_went'))).toBeVisible();
      await look('used', { isWholePage: true });
    });
  });
}

test.describe('a deal', { tag: ['@phone', '@thorough'] }, () => {
  test('costs with a card what it costs in the shop', async ({ shopPage, returning: _player, players }) => {
    const { page, text, named } = shopPage;
    const card = await players.issueCard('USD', 2000, 'card');
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await openGiftTab(shopPage);
    await enterCard(shopPage, card.cardId, card.password);
    const deal = page
      .getByRole('region', { name: text('gift.worth') })
      .getByRole('listitem')
      .filter({ hasText: '$3.99' });
    await expect(deal.locator('s')).toContainText('$3.99');
    await deal.getByRole('button', { name: '$2.79' }).click();
    const sure = shopPage.popup('recharge.card_confirm_title');
    await expect(sure).toContainText('($2.79)');
    await sure.getByRole('button', { name: named('recharge.pay') }).click();
    await shopPage.expectResult('result.success_title');
    const billingNo = await shopPage.billingNo();
    await expect
      .poll(() => orderRow(billingNo))
      .toMatchObject({
        state: 'delivered',
        amount: 279,
        coupon_code: expect.stringMatching(/^offer:emberfall\/daily_keys\./),
      });
  });
});
