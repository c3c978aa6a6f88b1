// A player downloads what the shop holds about them and has the account erased; the books are the same before and
// after.
import { readFile } from 'node:fs/promises';
import { carryOutErasure } from '#testing/erasures.ts';
import { expect, test } from './flow.ts';
import { booksOf, expectDelivered, namesOf } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import { runningShop } from './running-shop.ts';

test(
  'exported and erased by clicking, with the books equal before and after',
  { tag: '@phone' },
  async ({ shopPage, returning: player }) => {
    const { page } = shopPage;
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    const { billingNo, window } = await shopPage.pay('paypal');
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
    await expectDelivered(billingNo, player);

    await shopPage.open('/my');
    const download = page.waitForEvent('download');
    await shopPage.button('privacy.download').click();
    const text = await readFile(await (await download).path(), 'utf8');
    const { data } = JSON.parse(text) as { data: Record<string, Record<string, unknown>[]> };
    expect(data.orders).toMatchObject([{ billing_no: billingNo, username: player, state: 'delivered' }]);
    expect(text).not.toMatch(/rf1_|\$argon2/);

    const { playerId } = await namesOf(billingNo);
    const before = await booksOf(playerId);
    await shopPage.button('privacy.erase').click();
    const popup = shopPage.popup('privacy.erase');
    await popup.getByRole('textbox').fill(player);
    await shopPage.button('privacy.erase', popup).click();
    await expect(shopPage.button('privacy.keep')).toBeVisible();
    const [erasureNo = ''] = /ER-[0-9A-Z]{26}/.exec((await page.locator('main').textContent()) ?? '') ?? [];
    await carryOutErasure(runningShop().databaseUrl, erasureNo);

    await shopPage.open('/my');
    await expect(page.getByText(erasureNo)).toBeVisible();
    await expect(shopPage.button('privacy.keep')).toBeHidden();
    expect(await booksOf(playerId)).toEqual(before);
    for (const name of (await namesOf(billingNo)).names) expect(name).toMatch(/^erased-[0-9a-f]{16}$/);
  },
);
