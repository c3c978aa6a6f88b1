// Moments of a visit in a real browser: nothing leaves it before a yes, and what leaves it then is taken.
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
