// One purchase, as a player makes it: in a browser, by the words on the page.
import { chromium, type Page } from '@playwright/test';
import { loadTexts } from '#server/platform/texts.ts';
import { findBrowser } from '#scripts/find-browser.ts';
import { PLAYER } from './make-shop.ts';
import type { Step, World } from './run-steps.ts';

/** Goods and own words of make-shop.ts. */
const PRODUCT = '550';
const OWN_PAY = /^Get it for \$5\.49$/;
const WAIT_MS = 60_000;

const texts = loadTexts();
const text = (key: string): string => texts('en', key);

export const buyStep: Step = {
  name: 'buy',
  about: 'a player logs in, chooses, pays by card, and has the goods (Chromium)',
  async run(world) {
    const { args, env, executablePath } = await findBrowser();
    const browser = await chromium.launch({ executablePath, args, env });
    world.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(world.facts.url ?? '');
    await logIn(page);
    await choose(page);
    await pay(page);
    await page
      .getByRole('dialog')
      .getByText(/^Delivered! 550 Gems/)
      .waitFor();
    await page.screenshot({ path: `${world.scratch}/delivered.png` });
    world.facts.billingNo = await findDelivered(world);
    return `order ${world.facts.billingNo} is delivered`;
  },
};

async function logIn(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: text('login.submit'), exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: text('login.title') });
  await dialog.getByLabel(text('login.username'), { exact: true }).fill(PLAYER.username);
  await dialog.getByLabel(text('login.password'), { exact: true }).fill(PLAYER.password);
  await dialog.getByRole('button', { name: text('login.submit'), exact: true }).click();
  await page.getByLabel(text('user.menu').replace('{name}', PLAYER.username), { exact: true }).waitFor();
  // The page starts again half a second after a login; what is pressed before would be lost.
  await page
    .getByRole('status')
    .getByText(text('login.done').replace('{name}', PLAYER.username))
    .waitFor({ state: 'hidden' });
}

async function choose(page: Page): Promise<void> {
  const receiver = page.getByRole('region', { name: text('receiver.label') });
  await receiver.getByRole('button', { name: text('receiver.choose_button'), exact: true }).click();
  const dialog = page.getByRole('dialog', { name: text('role.title') });
  await dialog
    .getByRole('group', { name: text('role.character') })
    .getByRole('radio')
    .first()
    .check();
  await dialog.getByRole('button', { name: text('role.confirm'), exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByRole('radio', { name: new RegExp(`(^|[^\\d])${PRODUCT}([^\\d]|$)`) })
    .first()
    .click();
}

async function pay(page: Page): Promise<void> {
  const order = page.getByRole('region', { name: text('order.title') });
  await order.getByRole('radio', { name: new RegExp(`^\\s*${text('method.card')}`) }).check();
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: OWN_PAY }).filter({ visible: true }).click();
  const provider = await opening;
  await provider.getByRole('button', { name: 'Pay', exact: true }).click();
}

async function findDelivered(world: World): Promise<string> {
  const found = JSON.parse(await world.refill(['order', 'find', '--player', PLAYER.username, '--json'])) as {
    orders: { billing_no: string; state: string }[];
  };
  const [order] = found.orders;
  if (found.orders.length !== 1 || order?.state !== 'delivered')
    throw new Error(`expected one delivered order, found ${JSON.stringify(found.orders)}`);
  return order.billing_no;
}
