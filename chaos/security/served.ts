// A storefront that listens on loopback, and pages of it in Chromium, whose complaints and calls are kept.
import type { BrowserContext, Page } from '@playwright/test';
import type { TestPlayer, TestShop } from '#testing/shop.ts';
import { serve } from './test-harness.ts';
import type { Round } from './security-test.ts';

export type Served = {
  readonly port: number;
  addressOf(path: string, brand?: string): string;
  /** A browser of its own; logged in where a player is named. */
  openBrowser(player?: TestPlayer): Promise<BrowserContext>;
};

export async function openServed(round: Round, shop: TestShop): Promise<Served> {
  const app = await round.harness.makePages(shop);
  round.defer(() => app.close());
  const port = await serve(app);
  const browser = await round.harness.browser();
  const addressOf = (path: string, brand = 'watt') => `http://${brand.toLowerCase()}.demo.localhost:${port}${path}`;
  return {
    port,
    addressOf,
    openBrowser: async (player) => {
      const context = await browser.newContext({ locale: 'en-US' });
      round.defer(() => context.close());
      context.setDefaultTimeout(20_000);
      if (player)
        await context.addCookies([
          {
            name: 'refill-demo',
            value: player.token,
            url: addressOf('/', player.brand),
            httpOnly: true,
            sameSite: 'Lax',
          },
        ]);
      return context;
    },
  };
}

/** Opens a page and waits until its own code has drawn it. */
export async function openDrawn(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page
    .getByRole('banner')
    .getByRole('combobox')
    .or(page.getByRole('banner').getByRole('button'))
    .first()
    .waitFor();
}
