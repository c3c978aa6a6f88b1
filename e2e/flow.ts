// `test` of every flow: a player nobody knows yet, a shop page, and a browser that must not have complained at the end.
import { randomBytes } from 'node:crypto';
import { expect, test as base } from '@playwright/test';
import { openTestPlayers, type TestPlayers } from '#testing/players.ts';
import { runningShop } from './running-shop.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';
import type { Language } from './texts.ts';
import { type Watch, watchPages } from './watch.ts';

/** Password of every account of the simulated games; the shop's own test accounts take the same. */
export const PASSWORD = 'refill-demo';

type Options = { brand: string; language: Language };
type Fixtures = {
  watch: Watch;
  /** Makes a player with an account in `brand`; the name is new in every game. */
  newPlayer: (brand?: string) => Promise<string>;
  /** Name of this flow's player. */
  player: string;
  shopPage: ShopPage;
};

export const test = base.extend<Options & Fixtures, { players: TestPlayers }>({
  brand: ['watt', { option: true }],
  language: ['en', { option: true }],
  players: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures out of this pattern
    async ({}, use) => {
      const players = await openTestPlayers(runningShop().databaseUrl);
      await use(players);
      await players.close();
    },
    { scope: 'worker' },
  ],
  watch: [
    async ({ context }, use) => {
      const watch = await watchPages(context);
      await use(watch);
      expect(watch.complaints(), 'what the browser complained about').toEqual([]);
    },
    { auto: true },
  ],
  newPlayer: async ({ players, brand: own }, use) => {
    await use(async (brand = own) => {
      const name = `player${randomBytes(5).toString('hex')}`;
      await players.save(brand, name, PASSWORD);
      return name;
    });
  },
  player: async ({ newPlayer }, use) => use(await newPlayer()),
  // After the watch, so that nothing of the page is missed.
  shopPage: async ({ page, brand, language, watch }, use) => {
    void watch;
    await use(createShopPage(page, { brand, language }));
  },
});

export { expect };
