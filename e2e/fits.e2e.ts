// The landing page and the events of every brand at every size, the landing page with text twice as large, and every
// screen and popup of one brand of each version: nothing stands out of the screen, nothing is cut off or covered, nothing
// is too small for a thumb.
import { join } from 'node:path';
import { projectRoot } from '#scripts/run-tool.ts';
import { expect, test } from './flow.ts';
import { settle } from './look.ts';
import { createCamera, type Notes, type Scheme } from './shots/camera.ts';
import { findFaults } from './shots/faults.ts';
import { readBrands } from './shots/shot-brands.ts';
import { walkBrand } from './shots/walks.ts';
import type { Language } from './texts.ts';

/** The last is what a window of 1280 x 800 has for the page at 200 % zoom. */
const SIZES = [
  [390, 844],
  [320, 568],
  [844, 390],
  [820, 1180],
  [1440, 900],
  [640, 400],
] as const;

for (const { key, languages } of readBrands()) {
  test.describe(`landing page and events of ${key}`, () => {
    test.use({ brand: key, language: (languages[0] ?? 'en') as Language });

    test('fits every size', { tag: ['@desktop', '@thorough'] }, async ({ shopPage, page }) => {
      await shopPage.open('/');
      const goods = page.getByRole('radio').or(page.getByRole('main').getByRole('heading', { level: 2 }));
      await expect(goods.first()).toBeVisible();
      const judge = async (what: string) => {
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          await settle(page);
          expect.soft(await findFaults(page), `${what} ${width}x${height}`).toEqual([]);
        }
      };
      await judge('landing');
      await shopPage.open('/activity');
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await judge('events');
      await shopPage.open('/');
      await expect(goods.first()).toBeVisible();
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      await page.setViewportSize({ width: 390, height: 844 });
      await settle(page);
      const outside = (await findFaults(page)).filter((fault) => /wider than the screen/.test(fault));
      expect.soft(outside, 'text twice as large').toEqual([]);
    });
  });
}

const WALKS: { brand: string; scheme: Scheme; width: number; height: number }[] = [
  { brand: 'watt', scheme: 'light', width: 390, height: 844 },
  { brand: 'watt', scheme: 'light', width: 640, height: 400 },
  { brand: 'watt', scheme: 'forced', width: 390, height: 844 },
  { brand: 'joynet', scheme: 'light', width: 390, height: 844 },
  { brand: 'joynet', scheme: 'light', width: 640, height: 400 },
  { brand: 'joynet', scheme: 'forced', width: 390, height: 844 },
  { brand: 'joynet', scheme: 'large', width: 390, height: 844 },
];

/** With letters of twice the size a name may break and a bar may be high; nothing stands out of the screen. */
const isFault = (scheme: Scheme) => (fault: string) => scheme !== 'large' || /wider than the screen/.test(fault);

for (const { brand: key, scheme, ...size } of WALKS) {
  test(
    `every screen and popup of ${key} fits ${size.width}x${size.height}, ${scheme}`,
    { tag: ['@desktop', '@thorough'] },
    async ({ browser, players }) => {
      test.setTimeout(600_000);
      const brand = readBrands().find((one) => one.key === key);
      if (!brand) throw new Error(`no brand ${key}`);
      const notes: Notes = { missed: [], faults: [] };
      const folder = join(projectRoot, '.data/e2e/fits', key);
      const camera = await createCamera(browser, { folder, scheme, sizes: [size], notes });
      await walkBrand(camera, brand, brand.languages[0] ?? 'en', players);
      await camera.close();
      expect({ missed: notes.missed, faults: notes.faults.filter(isFault(scheme)) }).toEqual({
        missed: [],
        faults: [],
      });
    },
  );
}

for (const key of ['acenet', 'rhinos', 'watt'] as const)
  test.describe(`the order beside the goods of ${key}`, { tag: ['@desktop'] }, () => {
    test.use({ viewport: { width: 1280, height: 800 }, brand: key });

    test('shows two ways to pay on a laptop’s screen', async ({ shopPage, returning: _player }) => {
      const { page, text } = shopPage;
      await shopPage.open('/');
      await shopPage.chooseCharacter();
      await page.getByRole('main').getByRole('radio').nth(2).click();
      const panel = page.getByRole('region', { name: text('order.title') });
      await expect(panel.getByRole('radio').nth(1)).toBeVisible();
      // The page at its beginning: further down the panel has the room of the hero as well.
      await page.evaluate(() => scrollTo(0, 0));
      const room = async () => {
        const second = await panel.locator('label:has([type=radio])').nth(1).boundingBox();
        const foot = await panel.locator('[data-payer]').boundingBox();
        return (foot?.y ?? 0) - (second?.y ?? 0) - (second?.height ?? 0);
      };
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await expect.poll(room).toBeGreaterThan(0);
    });
  });
