// The landing page of every brand at every size and with text twice as large: nothing stands out of the screen, nothing is
// cut off or covered, nothing is too small for a thumb.
import { expect, test } from './flow.ts';
import { settle } from './look.ts';
import { findFaults } from './shots/faults.ts';
import { readBrands } from './shots/shot-brands.ts';
import type { Language } from './texts.ts';

const SIZES = [[390, 844], [320, 568], [844, 390], [820, 1180], [1440, 900]] as const; // prettier-ignore

for (const { key, languages } of readBrands()) {
  test.describe(`the landing page of ${key}`, () => {
    test.use({ brand: key, language: (languages[0] ?? 'en') as Language });

    test('fits every size', { tag: ['@desktop', '@thorough'] }, async ({ shopPage, page }) => {
      await shopPage.open('/');
      const goods = page.getByRole('radio').or(page.getByRole('main').getByRole('heading', { level: 2 }));
      await expect(goods.first()).toBeVisible();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await settle(page);
        expect.soft(await findFaults(page), `${width}x${height}`).toEqual([]);
      }
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      await page.setViewportSize({ width: 390, height: 844 });
      await settle(page);
      const outside = (await findFaults(page)).filter((fault) => /wider than the screen/.test(fault));
      expect.soft(outside, 'text twice as large').toEqual([]);
    });
  });
}
