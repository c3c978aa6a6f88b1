// The four pages of the classic version.
import { payOnProvider } from '../provider-page.ts';
import { mendGames, stopGames } from '../simulators.ts';
import type { Walk } from './walk.ts';

export async function walkClassic(walk: Walk): Promise<void> {
  const { camera, shop, take } = walk;
  const { page, text } = shop;
  const main = page.getByRole('main');
  const onPath = (path: string) => page.waitForURL((url) => url.pathname === path);
  await camera.step('character and goods', async () => {
    await shop.open('/selectGame');
    const game = main.locator('button:not([aria-expanded])').first();
    const folded = main.locator('button[aria-expanded=false]').first();
    await game.or(folded).first().waitFor();
    if (!(await game.isVisible())) await folded.click();
    await game.click();
    await onPath('/selectGoods');
    const character = page
      .getByRole('group', { name: text('role.character') })
      .getByRole('radio')
      .first();
    const change = shop.button('receiver.change', shop.receiver);
    await character.or(change).first().waitFor();
    await take('02-characters', { isWhole: true });
    if (await character.isVisible()) await character.click();
    await change.waitFor();
    await page.getByRole('radiogroup').getByRole('radio', { disabled: false }).first().click();
    await take('03-chosen', { isWhole: true });
  });
  await camera.step('recharge', async () => {
    await shop.payButton.first().click();
    await onPath('/recharge');
    await main.getByRole('radio').first().waitFor();
    await take('04-checkout', { isWhole: true });
    await chooseMethod(walk);
    await take('05-checkout-chosen');
  });
  await camera.step('result', () => takeResults(walk));
  await camera.step('replenish', async () => {
    await shop.open('/replenishGoods');
    await take('08-replenish');
  });
}

/** The first that can be paid at once: some ask for a second choice. */
async function chooseMethod({ shop }: Walk): Promise<void> {
  const { page } = shop;
  for (const radio of await page.getByRole('main').getByRole('radio', { disabled: false }).all()) {
    await radio.click();
    await page.waitForTimeout(300);
    if (!(await page.getByRole('dialog').isVisible())) return;
    await shop.dismiss();
  }
}

async function takeResults({ camera, shop, take, player }: Walk): Promise<void> {
  const { page, named } = shop;
  const heading = (id: string) => page.getByRole('heading', { name: named(id) });
  const [window] = await Promise.all([page.context().waitForEvent('page'), shop.payButton.first().click()]);
  await page.waitForURL((url) => url.pathname === '/result');
  await page.bringToFront();
  await heading('result.pending_title').waitFor();
  await take('06-pending', { isWhole: true });
  await stopGames(player);
  try {
    await payOnProvider(window, 'Pay');
    await page.bringToFront();
    await heading('result.delivering_title').waitFor({ timeout: 30_000 });
    await take('06-delivering');
  } finally {
    await mendGames(player);
  }
  await camera.step('success', async () => {
    await heading('result.success_title').waitFor({ timeout: 40_000 });
    await take('07-success', { isWhole: true });
  });
}
