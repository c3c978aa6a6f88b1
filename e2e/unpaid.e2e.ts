// Orders that are not paid: refused before there is one, left at the provider, without a page of the provider, cancelled.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { stateOf } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

test.use({ brand: 'watt', language: 'en' });

/**
 * Returns true when the words of a toast are the uppermost thing at their place: they let presses through, so it is not
 * found by a press.
 */
const isOnTop = (page: Page, words: string) =>
  page.evaluate((text) => {
    const toast = [...document.querySelectorAll('[aria-live] p')].find((one) => one.textContent?.includes(text));
    if (!(toast instanceof HTMLElement)) return null;
    toast.style.pointerEvents = 'auto';
    const { x, y, width, height } = toast.getBoundingClientRect();
    return toast.contains(document.elementFromPoint(x + width / 2, y + height / 2)) && !toast.closest('[inert]');
  }, words);

test('a refused press says why over the sheet, and above the button', async ({ shopPage, returning }) => {
  void returning;
  const { page } = shopPage;
  const look = createLook(page, 'unpaid-watt-en');
  const words = 'Not today, thank you.';
  await page.route('**/api/pay/paypal_pay', (route) =>
    route.fulfill({ json: { code: -1014, msg: words, content: null } }),
  );
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  await shopPage.openCheckout();
  await shopPage.chooseChannel('paypal');
  await shopPage.payButton.click();
  await expect.poll(() => isOnTop(page, words)).toBe(true);
  await expect(shopPage.checkout.getByRole('alert')).toContainText(words);
  const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const toast = await boxOf(page.getByRole('status').getByText(words));
  const pay = await boxOf(shopPage.payButton);
  // Account, character, total and the box of the refusal take some 200 px above the button.
  expect(toast.y + toast.height < pay.y - 250 || toast.x + toast.width < pay.x).toBe(true);
  await look('refused');
});

test('who leaves the provider’s page reads so, and cancels the order', async ({ shopPage, returning }) => {
  void returning;
  const { page, text, button, popup } = shopPage;
  const look = createLook(page, 'unpaid-watt-en');
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  const { billingNo, window } = await shopPage.pay('paypal');
  await payOnProvider(window, 'Decline');
  await shopPage.expectResult('result.left_title');
  await look('left');
  await button('result.cancel_order', shopPage.result).click();
  await button('result.cancel_order', popup('result.cancel_title')).click();
  await shopPage.expectResult('result.cancelled_title');
  await expect(shopPage.result).toContainText(text('result.cancelled_text'));
  await look('cancelled');
  expect(await stateOf(billingNo)).toBe('cancelled');
});

test('an order without a page of its provider says so, and leads to another way to pay', async ({
  shopPage,
  returning,
}) => {
  void returning;
  const { page } = shopPage;
  const look = createLook(page, 'unpaid-watt-en');
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  // As the shop answers while a provider is away; a fault of the simulated one would be that of all flows.
  await page.evaluate(() => {
    const ask = globalThis.fetch;
    globalThis.fetch = async (...call) => {
      const answer = await ask(...call);
      if (!/adyen_pay|getOrderInfo/.test(String(call[0])) || sessionStorage.getItem('back')) return answer;
      const said = (await answer.json()) as { content: object };
      return Response.json({ ...said, content: { ...said.content, url: '' } });
    };
  });
  await shopPage.openCheckout();
  await shopPage.chooseChannel('adyen-card');
  await shopPage.payButton.click();
  await shopPage.expectResult('result.no_page_title');
  await expect(shopPage.button('result.recharge_done', shopPage.result)).toHaveCount(0);
  await look('no-page');
  await page.evaluate(() => sessionStorage.setItem('back', '1'));
  await shopPage.button('result.change_recharge_way', shopPage.result).click();
  await shopPage.chooseChannel('paypal');
  const { window } = await shopPage.confirmPay();
  await payOnProvider(window, 'Pay');
  await shopPage.expectResult('result.success_title');
});
