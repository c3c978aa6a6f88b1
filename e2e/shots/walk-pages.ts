// Walks the pages before the purchase, and the pages and popups beside it.
import { openGame } from '../simulators.ts';
import type { Walk } from './walk.ts';

const ERROR_REASONS = ['network', 'query', 'cookies'] as const;

export async function walkVisitor({ camera, shop, brand, take, player }: Walk): Promise<void> {
  const { page } = shop;
  await camera.step('my, not logged in', async () => {
    await shop.open('/my');
    await take('10-my-anonymous');
  });
  await camera.step('back from a payment, not logged in', async () => {
    if (brand.isClassic) return;
    await shop.open('/', { billing_no: '01HZY3C2X5VYH3M2Q1G8TK7N4A' });
    await page.getByRole('dialog').waitFor();
    await take('07-stranger');
    await shop.dismiss();
  });
  await camera.step('country', async () => {
    await shop.open('/');
    const picker = page.getByRole('button', { name: shop.named('country.title') }).first();
    if (!(await picker.isVisible())) return;
    await picker.click();
    await shop.popup('country.title').waitFor();
    await take('09-country');
    await shop.dismiss();
  });
  await camera.step('login', async () => {
    await shop.button('login.submit', page.getByRole('banner')).click();
    await shop.popup('login.title').waitFor();
    await take('01-login');
    await shop.fillLogin(player, 'not-the-password');
    await shop.popup('login.title').getByText(shop.text('error.wrong_credentials')).waitFor();
    await take('01-login-wrong');
    await shop.dismiss();
    await shop.logIn(player);
    if (!brand.asksRealName) return;
    const realName = shop.popup('real_name.title');
    await realName.waitFor();
    await take('01-real-name');
    await shop.button('real_name.start', realName).click();
    await page.waitForURL(/\/game\/real-name/);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByRole('heading', { name: shop.text('real_name.verified_title') }).waitFor();
    await take('01-real-name-verified');
    await shop.open('/');
  });
}

async function walkGifts({ camera, shop, brand, players, take }: Walk): Promise<void> {
  const { page } = shop;
  await camera.step('gift tab', async () => {
    await shop.open('/selectGoods', { tab: 'gift' });
    // Its part comes by itself, after the page; brands without the tab show the goods instead.
    const check = shop.button('gift.check');
    await check.or(page.getByRole('radiogroup')).first().waitFor();
    if (!(await check.isVisible())) return;
    await take('15-gift', { isWhole: true });
    const card = await players.issueCard(brand.currency, 5000, 'card');
    await page.getByLabel(shop.text('recharge.card_number'), { exact: true }).fill(card.cardId);
    await page.getByLabel(shop.text('recharge.card_password'), { exact: true }).fill(card.password);
    await shop.button('gift.check').click();
    await page.getByRole('region', { name: shop.text('gift.worth') }).waitFor();
    await take('15-gift-money', { isWhole: true });
  });
}

async function walkReplenish({ camera, shop, brand, player, players, take }: Walk): Promise<void> {
  const { page } = shop;
  const open = async (whose: string) => {
    // For the game that is played: that of another is another account's, and is shown by the second picture.
    const game = await page.evaluate(() => localStorage.getItem('refill.game_info'));
    const { value } = JSON.parse(game ?? '{}') as { value?: { client_id?: string } };
    const id = await players.openReplenish(brand.key, whose, value?.client_id ?? '', 3600);
    await shop.open('/replenishGoods', { replenish_id: id });
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  };
  await camera.step('make-up payment', async () => {
    await open(player);
    await take('16-replenish', { isWhole: true });
  });
  await camera.step("another account's make-up payment", async () => {
    const other = `${player}other`;
    await players.save(brand.key, other, 'refill-demo');
    await open(other);
    await take('16-replenish-other');
  });
}

export async function walkPages(walk: Walk): Promise<void> {
  const { camera, shop, brand, player, take } = walk;
  const { page } = shop;
  await camera.step('my', async () => {
    await shop.open('/my');
    await page.waitForLoadState('networkidle');
    await take('10-my', { isWhole: true });
    const order = page
      .getByRole('region', { name: shop.text('my.history') })
      .getByRole('list')
      .getByRole('button')
      .first();
    if (!(await order.isVisible())) return;
    await order.click();
    await shop.popup('receipt.title').waitFor();
    await take('11-receipt');
    await shop.dismiss();
  });
  await camera.step('own cap', async () => {
    const own = page.getByRole('region', { name: shop.text('spending.title') });
    await own.getByRole('button', { name: new RegExp(shop.text('spending.day')) }).click();
    await page.getByRole('dialog').waitFor();
    await take('10-my-cap');
    await shop.dismiss();
  });
  await camera.step('erase', async () => {
    await shop.button('privacy.erase', page.getByRole('main')).click();
    await shop.popup('privacy.erase').waitFor();
    await take('10-my-erase');
    await shop.dismiss();
  });
  await camera.step('password', async () => {
    const change = shop.button('password.title', page.getByRole('main'));
    if (!(await change.isVisible())) return;
    await change.click();
    await page.getByRole('dialog').waitFor();
    await take('11-password');
    await shop.dismiss();
  });
  await camera.step('menu', async () => {
    await shop.userMenu(player).click();
    await take('09-menu');
    await page.getByRole('button', { name: shop.text('logout.confirm'), exact: true }).click();
    await shop.popup('logout.title').waitFor();
    await take('09-logout');
    await shop.dismiss();
  });
  await camera.step('notice', async () => {
    if (brand.notices.length === 0) return;
    await shop.button(`footer.${brand.notices[0]}`).click();
    await page.getByRole('dialog').waitFor();
    await take('09-notice');
    await shop.dismiss();
  });
  await camera.step('report', async () => {
    await shop.open('/my');
    await shop.button('report.title').click();
    await page.getByRole('dialog').waitFor();
    await take('09-report');
    await shop.dismiss();
  });
  await camera.step('no game', async () => {
    await shop.open(brand.isClassic ? '/selectGame' : '/', { client_id: '99999' });
    await page.getByRole('heading', { name: shop.named('game.lost_title') }).waitFor();
    await take('12-no-game');
  });
  await camera.step('not found', async () => {
    await shop.open('/nowhere');
    await take('12-not-found');
  });
  await camera.step('not area', async () => {
    await shop.open('/notArea');
    await take('13-not-area');
  });
  await camera.step('events', async () => {
    await shop.open('/activity');
    await take('10-events');
  });
  await camera.step('vip', async () => {
    await shop.open('/userCenter');
    // Brands without the VIP version have no such page.
    if ((await page.getByRole('heading', { name: shop.named('not_found.title') }).count()) > 0) return;
    await take('10-vip');
    const game = await camera.context.newPage();
    await openGame(game, { brand: brand.key, client: brand.clientOfCodes, user: player, lang: shop.language });
    await game.getByRole('button', { name: 'Shop', exact: true }).click();
    await game.frameLocator('#frame').getByRole('banner').waitFor();
    const frame = await (await game.locator('#frame').elementHandle())?.contentFrame();
    if (!frame) throw new Error('the sample game shows no frame');
    await frame.getByRole('heading', { level: 1 }).waitFor();
    await take('10-vip-in-game', { page: game, frame });
    await game.close();
  });
  await camera.step('code of a game', async () => {
    await shop.open('/code');
    await take('12-code');
    const field = page.getByLabel(shop.text('code.label'), { exact: true });
    await field.fill('WDJB-MJHT');
    await shop.button('code.submit').click();
    await page.getByText(shop.text('code.refused')).waitFor();
    await take('12-code-wrong');
    const game = await camera.context.newPage();
    // Somebody else's, or the shop would not ask.
    await openGame(game, { brand: brand.key, client: brand.clientOfCodes, user: 'kestrel', lang: shop.language });
    await game.getByRole('button', { name: 'Shop on another device' }).click();
    await game.locator('#code').filter({ hasText: '-' }).waitFor();
    await field.fill(await game.locator('#code').innerText());
    await game.close();
    await shop.button('code.submit').click();
    await page.getByRole('heading', { name: shop.text('account.switch_title') }).waitFor();
    await take('12-code-asks');
    await page.getByRole('button', { name: player }).click();
  });
  await camera.step('real name', async () => {
    await shop.open('/certifiedReal');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await take('13-real-name');
  });
  for (const reason of ERROR_REASONS)
    await camera.step(`error ${reason}`, async () => {
      await shop.open('/showError', { reason });
      await take(`14-error-${reason}`);
    });
  await walkGifts(walk);
  await walkReplenish(walk);
  await camera.step('error replenish', async () => {
    await shop.open('/errorReplenish');
    await take('14-error-replenish');
  });
  await camera.step('offline', async () => {
    await shop.open('/my');
    await page.waitForLoadState('networkidle');
    await camera.context.setOffline(true);
    await page.getByText(shop.text('network.offline')).waitFor();
    await take('12-offline');
    await camera.context.setOffline(false);
  });
}
