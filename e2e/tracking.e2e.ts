// Moments of a visit in a real browser: nothing leaves it before a yes, and what leaves it then is taken.
import type { Locator } from '@playwright/test';
import { expect, test } from './flow.ts';

const DESKTOP = '@desktop';
const PHONE = '@phone';

for (const tag of [PHONE, DESKTOP])
  test(`L85 a visit is told after a yes, and nothing before (${tag})`, { tag }, async ({ shopPage }) => {
    const { page } = shopPage;
    const calls: { path: string; status: number }[] = [];
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname.startsWith('/service/')) calls.push({ path: pathname, status: answer.status() });
    });
    await shopPage.open();
    const ask = page.getByRole('region', { name: shopPage.text('footer.tracking') });
    await expect(ask).toBeVisible();
    // Nobody has to answer: a product can be chosen meanwhile.
    await page.getByRole('radio').first().click({ trial: true });
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    expect(calls).toEqual([]);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /uuid|track|traffic/.test(key))),
    ).toEqual([]);
    await ask.getByRole('button', { name: shopPage.text('tracking.accept') }).click();
    await expect(ask).toBeHidden();
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await expect
      .poll(() => calls)
      .toEqual([
        { path: '/service/recharge/api.php', status: 200 },
        { path: '/service/recharge/dot.php', status: 200 },
      ]);
    // Taken back in the footer, where it is found again.
    await page
      .getByRole('contentinfo')
      .or(page.locator('footer'))
      .getByRole('button', { name: shopPage.text('footer.tracking') })
      .click();
    await ask.getByRole('button', { name: shopPage.text('tracking.decline') }).click();
    expect(await page.evaluate(() => localStorage.getItem('refill.uuid'))).toBeNull();
  });

/** Lists the elements under a box of the page, which keeps them from being read or pressed. */
const liesOn = (box: Locator, wanted: string) =>
  box.evaluate((one, selector) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [...document.querySelectorAll(selector)].flatMap((part) => {
      const place = part.getBoundingClientRect();
      const isOff = place.width === 0 || one.contains(part) || part.closest('.vh') !== null;
      const isApart = place.right <= left || place.left >= right || place.bottom <= top || place.top >= bottom;
      return isOff || isApart ? [] : [part.textContent];
    });
  }, wanted);

for (const [brand, ...tag] of [
  ['watt', PHONE],
  ['rhinos', PHONE, '@thorough'],
] as const)
  test.describe(`the question about visits on ${brand}`, { tag: [...tag] }, () => {
    test.use({ brand });

    test('lies on no headline, and on no button that pays', async ({ shopPage, returning: _player }) => {
      const { page, text } = shopPage;
      await shopPage.open('/');
      const ask = page.getByRole('region', { name: text('footer.tracking') });
      await expect(ask).toBeVisible();
      expect(await liesOn(ask, 'h1, [data-hero] img, [data-dock] :is(button, a)')).toEqual([]);
      await shopPage.chooseGoods(brand === 'watt' ? '320' : '540');
      await expect(shopPage.payButton).toBeVisible();
      // The order's bar stands there now: the question waits.
      await expect(ask).toBeHidden();
    });
  });

test.describe('in the view of a game, held sideways', { tag: PHONE }, () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test('the question and the news of events lie on no button', async ({ shopPage, returning: _player }) => {
    const { page, text } = shopPage;
    await shopPage.open('/userCenter', { visit: 'sdk' });
    const ask = page.getByRole('region', { name: text('footer.tracking') });
    await expect(ask).toBeAttached();
    await expect(page.getByRole('main')).toBeVisible();
    expect(await liesOn(ask, 'main :is(button, a)')).toEqual([]);
    await shopPage.open('/', { visit: 'sdk' });
    // A dot says that there is an event; nothing lies over the goods.
    await expect(page.locator('[data-new-mark]').filter({ visible: true })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveCount(0);
    expect(await liesOn(page.locator('[data-new-mark]').filter({ visible: true }), 'main :is(button, a)')).toEqual([]);
  });
});
