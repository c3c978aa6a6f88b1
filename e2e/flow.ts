// `test` of every flow: a player nobody knows yet, or one who is logged in, a shop page, and a browser that must not
// have complained at the end.
import { randomBytes } from 'node:crypto';
import { expect, test as base } from '@playwright/test';
import { openTestPlayers, type TestPlayers } from '#testing/players.ts';
import { enter } from './enter.ts';
import { runningShop } from './running-shop.ts';
import { createShopPage, type ShopPage } from './shop-page.ts';
import type { Language } from './texts.ts';
import { type Watch, watchPages } from './watch.ts';

/** Password of every account of the simulated games; the shop's own test accounts take the same. */
export const PASSWORD = 'refill-demo';

type Options = { brand: string; language: Language };
type Fixtures = {
  watch: Watch;
  /** Name of this flow's player: one character in every game, so there is none to choose. */
  player: string;
  /** The same player, logged in before the flow begins. For every flow that is not about the login. */
  returning: string;
  /** Another player, who has several characters to choose from. */
  chooser: string;
  /** A third one, who has no character yet. */
  newcomer: string;
  /** Logs in without drawing it: the pages opened from here on are this player's. */
  enterAs: (name: string) => Promise<void>;
  shopPage: ShopPage;
};

/**
 * A name that nobody had before. What characters somebody has in the simulated games follows from its beginning.
 */
export const newName = (beginning: 'solo' | 'player' | 'newcomer'): string =>
  beginning + randomBytes(5).toString('hex');

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
  player: async ({ players, brand }, use) => {
    const name = newName('solo');
    await players.save(brand, name, PASSWORD);
    await use(name);
  },
  chooser: async ({ players, brand }, use) => {
    const name = newName('player');
    await players.save(brand, name, PASSWORD);
    await use(name);
  },
  newcomer: async ({ players, brand }, use) => {
    const name = newName('newcomer');
    await players.save(brand, name, PASSWORD);
    await use(name);
  },
  enterAs: async ({ players, brand, context }, use) => {
    await use((name) => enter(context, { brand, name, password: PASSWORD, clientId: players.clientOf(brand) }));
  },
  returning: async ({ player, enterAs }, use) => {
    await enterAs(player);
    await use(player);
  },
  // After the watch, so that nothing of the page is missed.
  shopPage: async ({ page, brand, language, watch }, use) => {
    void watch;
    await use(createShopPage(page, { brand, language }));
  },
});

export { expect };
