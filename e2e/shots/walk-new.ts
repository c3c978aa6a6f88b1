// The purchase of the new version, and the faces of a result.
import { addressOf } from '../running-shop.ts';
import { payOnProvider } from '../provider-page.ts';
import { declineInGames, mendGames, stopGames } from '../simulators.ts';
import { choosePack, type Walk } from './walk.ts';

export async function walkNew(walk: Walk): Promise<void> {
  const { camera, shop, take } = walk;
  await camera.step('character', async () => {
    await shop.openCharacters();
    await take('02-characters');
    await shop.takeCharacter();
  });
  await camera.step('goods', async () => {
    await choosePack(shop, 'middle');
    await take('03-chosen', { isWhole: true });
    await openSheet(walk);
    await take('04-checkout');
    await chooseMethod(walk);
    await take('05-checkout-chosen', { isWhole: true });
  });
  await camera.step('results', () => takeResults(walk));
  await camera.step('failed', () => takeFailure(walk));
  await camera.step('unfinished', async () => {
    await choosePack(shop, 'small');
    const placed = await payFirst(walk);
    await placed.window.close();
    await shop.dismiss();
    await shop.open('/selectGoods');
    await shop.button('result.unfinished_show').waitFor();
    await take('07-unfinished');
  });
  await camera.step('second choice', () => takeSecondChoice(walk));
  await camera.step('games', async () => {
    await shop.openCharacters();
    await shop.button('game.other', shop.popup('role.title')).click();
    await shop.popup('game.choose').waitFor();
    await take('08-games');
    await camera.page.keyboard.press('Escape');
  });
  await camera.step('coupons', () => takeCoupons(walk));
}

/** Claimed on My, and chosen in the sheet; brands that are not VIP show none. */
async function takeCoupons(walk: Walk): Promise<void> {
  const { camera, shop, take, players, player } = walk;
  await players.giveCoupon(shop.brand, player);
  await players.giveCoupon(shop.brand, player);
  await shop.open('/my');
  const claim = shop.button('coupon.claimable').first();
  await shop.page.getByRole('heading', { name: shop.named('my.history') }).waitFor();
  await shop.page.waitForTimeout(500);
  if (!(await claim.isVisible())) return;
  await claim.click();
  await take('10-my-coupons', { isWhole: true });
  await shop.open('/selectGoods');
  await choosePack(shop, 'large');
  await openSheet(walk);
  await camera.page.locator('[data-coupon] button').last().click();
  await shop.popup('coupon.title').waitFor();
  await take('05-coupons');
  await camera.page.keyboard.press('Escape');
  await shop.dismiss();
}

/** The camera is a phone's wherever something is pressed: the sheet, never the panel. */
async function openSheet({ shop }: Walk): Promise<void> {
  if (!(await shop.recharge.isVisible())) await shop.payButton.first().click();
  await shop.recharge.getByRole('radio').first().waitFor();
}

/** Cards, where they stand at once: a refused card is known to be refused, of others the order goes on waiting. */
async function chooseMethod({ shop }: Walk): Promise<void> {
  const radios = shop.recharge.getByRole('radio', { disabled: false });
  const card = radios.and(shop.page.locator('[value="card"]'));
  const method = (await card.count()) > 0 ? card : radios.first();
  if (!(await method.isChecked())) await method.check();
}

async function payFirst(walk: Walk) {
  await openSheet(walk);
  await chooseMethod(walk);
  return walk.shop.confirmPay();
}

async function takeResults(walk: Walk): Promise<void> {
  const { camera, shop, take, player } = walk;
  const placed = await shop.confirmPay();
  await camera.page.bringToFront();
  await shop.result.waitFor();
  await take('06-pending');
  await payOnProvider(placed.window, 'Decline');
  await shop.expectResult('result.declined_title');
  await take('06-declined');
  const opening = camera.context.waitForEvent('page');
  // The promise is left alone when an earlier step fails.
  opening.catch(() => {});
  const again = shop.result.getByRole('link', { name: shop.named('result.recharge_continue') });
  if (await again.isVisible()) {
    await again.click();
  } else {
    // Declined for good: the sheet makes a new try.
    await shop.result.getByRole('button', { name: shop.named('result.recharge_continue') }).click();
    await payFirst(walk);
  }
  const page = await opening;
  await stopGames(player);
  await payOnProvider(page, 'Pay');
  await shop.expectResult('result.delivering_title');
  await take('06-delivering');
  await camera.step('returned', async () => {
    // A tab that the shop did not open stays, and says that the order goes on elsewhere.
    const tab = await camera.context.newPage();
    const number = (await shop.billingNo()).replaceAll(/\s/g, '');
    const query = new URLSearchParams({ billing_no: number, spec_lang: shop.language });
    await tab.goto(addressOf(shop.brand, `/result?${query.toString()}`));
    await tab.getByRole('dialog').waitFor();
    await take('07-returned', { page: tab });
    await tab.close();
  });
  await mendGames(player);
  await shop.expectResult('result.success_title', 40_000);
  await take('07-success');
  await shop.dismiss();
}

async function takeFailure(walk: Walk): Promise<void> {
  const { shop, take, player } = walk;
  await choosePack(shop, 'large');
  const placed = await payFirst(walk);
  await declineInGames(player);
  try {
    await payOnProvider(placed.window, 'Pay');
    await shop.page.bringToFront();
    // The payment fails where the game is asked before money moves; else it is refunded or under review.
    await shop.result.getByRole('heading').nth(1).waitFor();
    await shop.page.waitForTimeout(4000);
    await take('07-failed');
  } finally {
    await mendGames(player);
  }
  await shop.dismiss();
}

/** The first method that asks for a second choice, where the country has one. */
async function takeSecondChoice(walk: Walk): Promise<void> {
  const { camera, shop, take } = walk;
  await choosePack(shop, 'middle');
  await openSheet(walk);
  for (const id of ['recharge.change', 'recharge.more_ways']) {
    const fold = shop.recharge.getByRole('button', { name: shop.named(id), expanded: false });
    if ((await fold.count()) > 0) await fold.click();
  }
  const radios = await shop.recharge.getByRole('radio', { disabled: false }).all();
  for (const radio of radios) {
    await radio.click();
    const second = camera.page.getByRole('dialog').filter({ hasNot: shop.recharge }).last();
    await camera.page.waitForTimeout(250);
    if ((await camera.page.getByRole('dialog').count()) > 1 || !(await shop.recharge.isVisible())) {
      await second.waitFor();
      await take('04-checkout-second');
      await camera.page.keyboard.press('Escape');
      break;
    }
  }
  await shop.dismiss();
}
