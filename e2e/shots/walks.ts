// The ways through the shop on which pictures are taken.
import { randomBytes } from 'node:crypto';
import { createShopPage } from '../shop-page.ts';
import { payOnProvider } from '../provider-page.ts';
import type { Language } from '../texts.ts';
import type { TestPlayers } from '#testing/players.ts';
import type { Camera } from './camera.ts';
import type { ShotBrand } from './shot-brands.ts';

const PASSWORD = 'refill-demo';
const ERROR_REASONS = ['network', 'query', 'expired', 'cookies'];

const shopOf = (camera: Camera, brand: ShotBrand, language = brand.languages[0]) =>
  createShopPage(camera.page, { brand: brand.key, language: language as Language });

async function makePlayer(players: TestPlayers, brand: ShotBrand): Promise<string> {
  const name = `player${randomBytes(5).toString('hex')}`;
  await players.save(brand.key, name, PASSWORD);
  return name;
}

export async function walkLanding(camera: Camera, brand: ShotBrand): Promise<void> {
  const shop = shopOf(camera, brand);
  await camera.step('landing', async () => {
    await shop.open('/');
    const decline = shop.button('tracking.decline');
    if (await decline.isVisible()) {
      await camera.take('00-consent');
      await decline.click();
    }
    await camera.take('00-landing', { isWhole: true });
  });
}

export async function walkBrand(camera: Camera, brand: ShotBrand, players: TestPlayers): Promise<void> {
  await walkLanding(camera, brand);
  const shop = shopOf(camera, brand);
  const player = await makePlayer(players, brand);
  await camera.step('login', async () => {
    await shop.button('login.submit', camera.page.getByRole('banner')).click();
    await shop.popup('login.title').waitFor();
    await camera.take('01-login');
    await camera.page.keyboard.press('Escape');
    await shop.logIn(player);
  });
  if (brand.isClassic) await walkClassic(camera, shop);
  else await walkNew(camera, shop);
  await walkPages(camera, brand);
}

type Shop = ReturnType<typeof createShopPage>;

async function walkNew(camera: Camera, shop: Shop): Promise<void> {
  await camera.step('character', async () => {
    await shop.openCharacters();
    await camera.take('02-characters');
    await shop.takeCharacter();
  });
  await camera.step('goods', async () => {
    await shop.chooseGoods('320');
    await camera.take('03-chosen', { isWhole: true });
    await shop.payButton.click();
    await shop.recharge.getByRole('radio').first().waitFor();
    await camera.take('04-checkout');
  });
  await camera.step('pending', async () => {
    await shop.recharge.getByRole('radio').first().check();
    await camera.take('05-checkout-chosen');
    const placed = await shop.confirmPay();
    await camera.page.bringToFront();
    await shop.result.waitFor();
    await camera.take('06-pending');
    await payOnProvider(placed.window, 'Pay');
    await shop.expectResult('result.success_title', 30_000);
    await camera.take('07-success');
    await shop.dismiss();
  });
  await camera.step('games', async () => {
    await shop.openCharacters();
    await shop.button('game.other', shop.popup('role.title')).click();
    await shop.popup('game.choose').waitFor();
    await camera.take('08-games');
    await camera.page.keyboard.press('Escape');
  });
}

async function walkClassic(camera: Camera, shop: Shop): Promise<void> {
  const { page, text } = shop;
  const main = page.getByRole('main');
  const onPath = (path: string) => page.waitForURL((url) => url.pathname === path);
  await camera.step('character and goods', async () => {
    await shop.open('/selectGame');
    const game = main.locator('button:not([aria-expanded])').first();
    if (!(await game.isVisible())) await main.locator('button[aria-expanded=false]').first().click();
    await game.click();
    await onPath('/selectGoods');
    const character = page
      .getByRole('group', { name: text('role.character') })
      .getByRole('radio')
      .first();
    await character.or(shop.button('receiver.change', shop.receiver)).waitFor();
    await camera.take('02-characters', { isWhole: true });
    if (await character.isVisible()) await character.click();
    await shop.button('receiver.change', shop.receiver).waitFor();
    await page.getByRole('radiogroup').getByRole('radio', { disabled: false }).first().click();
    await camera.take('03-chosen', { isWhole: true });
  });
  await camera.step('recharge', async () => {
    await shop.payButton.click();
    await onPath('/recharge');
    await main.getByRole('radio').first().waitFor();
    await camera.take('04-checkout');
    await main.getByRole('radio').first().click();
    await camera.take('05-checkout-chosen');
  });
  await camera.step('result', async () => {
    const opening = page.context().waitForEvent('page');
    await shop.payButton.click();
    const window = await opening;
    await onPath('/result');
    await page.bringToFront();
    await page.getByRole('heading', { name: text('result.pending_title') }).waitFor();
    await camera.take('06-pending');
    await payOnProvider(window, 'Pay');
    await page.bringToFront();
    await page.getByRole('heading', { name: text('result.success_title') }).waitFor({ timeout: 30_000 });
    await camera.take('07-success');
  });
  await camera.step('replenish', async () => {
    await shop.open('/replenishGoods');
    await camera.take('08-replenish');
  });
}

async function walkPages(camera: Camera, brand: ShotBrand): Promise<void> {
  const shop = shopOf(camera, brand);
  await camera.step('my', async () => {
    await shop.open('/my');
    await camera.take('10-my', { isWhole: true });
    const order = camera.page.getByRole('main').getByRole('list').getByRole('button').first();
    if (!(await order.isVisible())) return;
    await order.click();
    await shop.popup('receipt.title').waitFor();
    await camera.take('11-receipt');
  });
  await camera.step('not found', async () => {
    await shop.open('/nowhere');
    await camera.take('12-not-found');
  });
  await camera.step('not area', async () => {
    await shop.open('/notArea');
    await camera.take('13-not-area');
  });
  for (const reason of ERROR_REASONS)
    await camera.step(`error ${reason}`, async () => {
      await shop.open('/showError', { reason });
      await camera.take(`14-error-${reason}`);
    });
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
    await camera.take(`${language}-2-login`);
    await camera.page.keyboard.press('Escape');
    await shop.logIn(player);
    await shop.chooseCharacter();
    await shop.chooseGoods('320');
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
