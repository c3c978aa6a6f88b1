// A page that the browser translates while it is used: each text lies in elements of the browser's own, as Google
// Translate puts them there, before every press.
import type { Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

const PHONE = '@phone';

/** Wraps what is there and what comes, in the turn after it came, as the browser does. */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const skipped = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'OPTION', 'FONT']);
    const wrap = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        if (text.data.trim() !== '' && !skipped.has(text.parentElement?.tagName ?? 'SCRIPT')) found.push(text);
      }
      for (const text of found) {
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    let isDue = false;
    const later = () => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        wrap();
      }, 50);
    };
    addEventListener('DOMContentLoaded', () => {
      new MutationObserver(later).observe(document.body, { childList: true, subtree: true, characterData: true });
      later();
    });
  });
}

const fonts = (page: Page) => page.locator('font').count();

test('goods are chosen, changed, paid and delivered', { tag: PHONE }, async ({ shopPage, chooser }) => {
  const { page } = shopPage;
  await translate(page);
  await shopPage.open('/');
  await shopPage.logIn(chooser);
  await shopPage.chooseCharacter();
  for (const what of ['320', '680', '1,280', '320']) {
    await shopPage.chooseGoods(what);
    await page.waitForTimeout(120);
  }
  await shopPage.openCheckout();
  await shopPage.chooseChannel('paypal');
  const { billingNo, window } = await shopPage.confirmPay();
  await payOnProvider(window, 'Pay');
  await shopPage.expectResult('result.success_title');
  expect(await fonts(page)).toBeGreaterThan(20);
  await expect(page.getByText(shopPage.text('part.lost_title'))).toHaveCount(0);
  await expectDelivered(billingNo, chooser);
});

test.describe('the classic version', () => {
  test.use({ brand: 'joynet' });

  test('goes from the game to the result', { tag: [PHONE, '@thorough'] }, async ({ shopPage, returning }) => {
    const { page, text, named } = shopPage;
    await translate(page);
    await shopPage.open('/');
    await page.getByRole('main').getByRole('button', { name: 'Emberfall' }).click();
    for (const what of ['320', '680', '320']) await shopPage.chooseGoods(what);
    await shopPage.payButton.click();
    const method = page.getByRole('radio', { name: /^\s*PayPal/ }).first();
    await method.click();
    const opening = page.context().waitForEvent('page');
    await shopPage.payButton.click();
    await payOnProvider(await opening, 'Pay');
    await expect(page.getByRole('heading', { name: named('result.success_title') })).toBeVisible({ timeout: 15_000 });
    expect(await fonts(page)).toBeGreaterThan(10);
    await expect(page.getByText(text('part.lost_title'))).toHaveCount(0);
    await expectDelivered(new URL(page.url()).searchParams.get('billing_no') ?? '', returning);
  });
});
