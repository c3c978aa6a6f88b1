// The ways through the shop on which pictures are taken: the landing, the whole of a brand, the purchase in a language.
import { randomBytes } from 'node:crypto';
import { createShopPage } from '../shop-page.ts';
import { payOnProvider } from '../provider-page.ts';
import type { Language } from '../texts.ts';
import type { TestPlayers } from '#testing/players.ts';
import type { Camera } from './camera.ts';
import type { ShotBrand } from './shot-brands.ts';
import { choosePack, type Walk } from './walk.ts';
import { walkClassic } from './walk-classic.ts';
import { walkNew } from './walk-new.ts';
import { walkPages, walkVisitor } from './walk-pages.ts';

const PASSWORD = 'refill-demo';

const shopOf = (camera: Camera, brand: ShotBrand, language: string) =>
  createShopPage(camera.page, { brand: brand.key, language: language as Language });

async function makePlayer(players: TestPlayers, brand: ShotBrand): Promise<string> {
  const name = `player${randomBytes(5).toString('hex')}`;
  await players.save(brand.key, name, PASSWORD);
  return name;
}

export async function walkLanding(camera: Camera, brand: ShotBrand, language: string): Promise<void> {
  const shop = shopOf(camera, brand, language);
  await camera.step('landing', async () => {
    await shop.open('/');
    const decline = shop.button('tracking.decline');
    if (brand.asksConsent) {
      await decline.waitFor();
      await camera.take('00-consent');
      await decline.click();
    }
    await shop.page.waitForTimeout(300);
    if (await shop.page.getByRole('dialog').isVisible()) {
      await camera.take('00-banner');
      await camera.page.keyboard.press('Escape');
    }
    await camera.take('00-landing', { isWhole: true });
  });
}

/** @param language the brand's own first one, or another one it has */
export async function walkBrand(
  camera: Camera,
  brand: ShotBrand,
  language: string,
  players: TestPlayers,
): Promise<void> {
  await walkLanding(camera, brand, language);
  const shop = shopOf(camera, brand, language);
  const player = await makePlayer(players, brand);
  const walk: Walk = { camera, shop, brand, player, players, take: (name, options) => camera.take(name, options) };
  await walkVisitor(walk);
  await (brand.isClassic ? walkClassic(walk) : walkNew(walk));
  await walkPages(walk);
}

/** The purchase in one language. */
export async function walkLanguage(
  camera: Camera,
  brand: ShotBrand,
  language: string,
  players: TestPlayers,
): Promise<void> {
  const shop = shopOf(camera, brand, language);
  const player = await makePlayer(players, brand);
  await camera.step(`purchase in ${language}`, async () => {
    await shop.open('/');
    await camera.take(`${language}-1-landing`, { isWhole: true });
    await shop.button('login.submit', camera.page.getByRole('banner')).click();
    await shop.popup('login.title').waitFor();
    await camera.take(`${language}-2-login`);
    await camera.page.keyboard.press('Escape');
    await shop.logIn(player);
    await shop.chooseCharacter();
    await choosePack(shop, 'middle');
    await shop.payButton.click();
    await shop.recharge.getByRole('radio').first().waitFor();
    await camera.take(`${language}-3-checkout`);
    await shop.recharge.getByRole('radio').first().check();
    const placed = await shop.confirmPay();
    await camera.page.bringToFront();
    await shop.result.waitFor();
    await camera.take(`${language}-4-pending`);
    await payOnProvider(placed.window, 'Pay');
    await shop.expectResult('result.success_title', 30_000);
    await camera.take(`${language}-5-success`);
  });
}
