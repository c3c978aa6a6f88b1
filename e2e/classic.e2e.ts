// The classic version: four pages from the game to the result, each with its way back, forward and through a reload.
import type { Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';
import type { ShopPage } from './shop-page.ts';

const PHONE = '@phone';
const DESKTOP = '@desktop';

test.use({ brand: 'joynet' });

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const onPath = (page: Page, path: string) => expect.poll(() => pathOf(page)).toBe(path);

const stepBar = ({ page, text }: ShopPage) => page.getByRole('navigation', { name: text('steps.label'), exact: true });

/** The step that the bar calls the present one. */
async function expectStep(shop: ShopPage, path: string, id: string): Promise<void> {
  await onPath(shop.page, path);
  await expect(stepBar(shop).getByRole('listitem').and(shop.page.locator('[aria-current=step]'))).toHaveText(
    shop.text(id),
  );
}

const atGames = (shop: ShopPage) => expectStep(shop, '/selectGame', 'steps.select_game');
const atGoods = (shop: ShopPage) => expectStep(shop, '/selectGoods', 'steps.select_goods');
const atRecharge = (shop: ShopPage) => expectStep(shop, '/recharge', 'steps.recharge');
const atResult = (shop: ShopPage) => expectStep(shop, '/result', 'steps.result');

const characters = ({ page, text }: ShopPage) => page.getByRole('group', { name: text('role.character') });
const WAYS = { card: /^\s*Card/, paypal: /^\s*PayPal/ } as const;
const way = ({ page }: ShopPage, name: keyof typeof WAYS) => page.getByRole('radio', { name: WAYS[name] }).first();

/** The last used method stands alone, and other methods may be folded. */
async function showWay(shop: ShopPage, name: keyof typeof WAYS): Promise<void> {
  const unfold = shop.page.getByRole('group', { name: shop.text('recharge.choose'), exact: true }).getByRole('button');
  for (let presses = 0; presses < 2; presses += 1) {
    await expect(way(shop, name).or(unfold).first()).toBeVisible();
    if (!(await way(shop, name).isVisible())) await unfold.first().click();
  }
}

async function chooseGame({ page }: ShopPage, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name }).click();
}

/** Whoever has one character only has no choice to make. */
async function chooseCharacter(shop: ShopPage): Promise<void> {
  const first = characters(shop).getByRole('radio').first();
  await expect(first.or(shop.button('receiver.change', shop.receiver))).toBeVisible();
  if (await first.isVisible()) await first.click();
  await expect(shop.button('receiver.change', shop.receiver)).toBeVisible();
}

/** From the first page to the ways to pay. */
async function goToRecharge(shop: ShopPage): Promise<void> {
  await shop.open('/');
  await atGames(shop);
  await chooseGame(shop, 'Emberfall');
  await atGoods(shop);
  await chooseCharacter(shop);
  await shop.chooseGoods();
  await shop.payButton.click();
  await atRecharge(shop);
}

/** Pays with what is chosen; the provider's page opens in its own window. */
async function payIn(shop: ShopPage, name: keyof typeof WAYS): Promise<Page> {
  await showWay(shop, name);
  await way(shop, name).click();
  const opening = shop.page.context().waitForEvent('page');
  await shop.payButton.click();
  const window = await opening;
  await atResult(shop);
  return window;
}

/** The draft as the browser keeps it. */
const draftOf = ({ page }: ShopPage) =>
  page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('refill.order_info') ?? 'null') as {
      value: { draft: unknown };
    } | null;
    return kept?.value.draft;
  });

const heading = ({ page, named }: ShopPage, id: string) => page.getByRole('heading', { name: named(id) });
const numberOf = async ({ page }: ShopPage) => (await page.getByRole('code').innerText()).trim();

test('L36 a purchase, page by page, arrives in the game', async ({ shopPage: shop, chooser: player }, { project }) => {
  // Six looks with axe on a busy machine.
  test.setTimeout(120_000);
  const look = createLook(shop.page, `${project.name}/classic`);
  await shop.open('/');
  await atGames(shop);
  await look('games', { isWholePage: true });
  await chooseGame(shop, 'Emberfall');
  await atGoods(shop);
  await look('goods-anonymous');
  await shop.chooseGoods();
  await shop.payButton.click();
  await shop.fillLogin(player);
  await shop.expectLoggedIn(player);
  // Logged in on the way to pay: the goods are still chosen, a character is all that is missing.
  await expect(shop.goods('320').first()).toBeChecked();
  const character = characters(shop).getByRole('radio').first();
  await expect(character.or(heading(shop, 'recharge.title'))).toBeVisible();
  if (await character.isVisible()) {
    await look('goods-character');
    await character.click();
  }
  await atRecharge(shop);
  await expect(heading(shop, 'recharge.title')).toBeFocused();
  await look('recharge');
  const window = await payIn(shop, 'card');
  await expect(heading(shop, 'result.pending_title')).toBeVisible();
  const billingNo = await numberOf(shop);
  await look('pending');
  await payOnProvider(window, 'Pay');
  await shop.page.bringToFront();
  await expect(heading(shop, 'result.success_title')).toBeVisible({ timeout: 15_000 });
  await look('success');
  await expectDelivered(billingNo, player);
  await shop.button('result.success_done').click();
  await atGoods(shop);
  await expect(shop.goods('320').first()).not.toBeChecked();
  await shop.page
    .getByRole('link', { name: shop.text('nav.my'), exact: true })
    .filter({ visible: true })
    .first()
    .click();
  const history = shop.page.getByRole('region', { name: shop.text('my.history'), exact: true });
  await expect(history.getByRole('listitem').first()).toContainText('320');
});

test(
  'L63 back, forward and a reload lose nothing at any step',
  { tag: '@wide-later' },
  async ({ shopPage: shop, chooser: player, enterAs }) => {
    // Fifteen pages, each drawn twice.
    test.setTimeout(120_000);
    const { page } = shop;
    // A player who chooses a character has said which area, too.
    await enterAs(player);
    await goToRecharge(shop);
    await way(shop, 'paypal').click();
    await expect(way(shop, 'paypal')).toBeChecked();

    const pair = { display: expect.stringMatching(/./), value: expect.stringMatching(/./) };
    await expect
      .poll(() => draftOf(shop))
      .toMatchObject({
        gameName: 'Emberfall',
        clientId: expect.stringMatching(/^\d+$/),
        gameProductId: expect.stringMatching(/^\d+$/),
        area: pair,
        server: pair,
        realServer: expect.stringMatching(/^s/),
        role: pair,
        goods: { ...pair, price: '4.99' },
        region: 'sea',
        rechargeInfo: { name: expect.stringMatching(/./), pay_id: expect.stringMatching(/./) },
        rechargeKey: expect.stringMatching(/./),
        billing_no: '',
      });
    const draft = await draftOf(shop);

    // Each page again as it was: at once, and after a reload.
    const steps = [
      async () => {
        await atRecharge(shop);
        await expect(way(shop, 'paypal')).toBeChecked();
        await expect(shop.payButton).toBeVisible();
      },
      async () => {
        await atGoods(shop);
        await expect(shop.goods('320').first()).toBeChecked();
        await expect(shop.button('receiver.change', shop.receiver)).toBeVisible();
      },
      async () => {
        await atGames(shop);
        await expect(page.getByRole('main').locator('button[aria-current=true]')).toContainText('Emberfall');
      },
    ];
    for (const [index, look] of steps.entries()) {
      if (index > 0) await page.goBack();
      await look();
      await page.reload();
      await look();
    }
    for (const look of steps.toReversed().slice(1)) {
      await page.goForward();
      await look();
      await page.reload();
      await look();
    }

    expect(await draftOf(shop)).toEqual(draft);
    const window = await payIn(shop, 'paypal');
    await window.close();
    const billingNo = await numberOf(shop);
    expect(await draftOf(shop)).toEqual({ ...(draft as object), billing_no: billingNo });
    await page.reload();
    await atResult(shop);
    await expect(page.getByRole('code')).toHaveText(billingNo);
    await page.goBack();
    await atRecharge(shop);
    await expect(way(shop, 'paypal')).toBeChecked();
    await page.goForward();
    await atResult(shop);
    await expect(page.getByRole('code')).toHaveText(billingNo);
    await shop.button('result.change_recharge_way').click();
    await atRecharge(shop);
    const second = await payIn(shop, 'card');
    expect(await numberOf(shop)).toBe(billingNo);
    await payOnProvider(second, 'Pay');
    await page.bringToFront();
    await expect(heading(shop, 'result.success_title')).toBeVisible({ timeout: 15_000 });
    await expectDelivered(billingNo, player);
  },
);

test(
  'a step back from what is paid leads to the goods, with nothing chosen to be bought again',
  { tag: PHONE },
  async ({ shopPage: shop, returning: _player }) => {
    await goToRecharge(shop);
    const window = await payIn(shop, 'card');
    await payOnProvider(window, 'Pay');
    await shop.page.bringToFront();
    await expect(heading(shop, 'result.success_title')).toBeVisible({ timeout: 15_000 });
    await shop.page.goBack();
    await atGoods(shop);
    await expect(shop.goods('320').first()).not.toBeChecked();
    await expect(shop.payButton).toHaveCount(0);
  },
);

test(
  'without a character the button that pays says so, and a press leads to the first one',
  { tag: PHONE },
  async ({ shopPage: shop, chooser: player, enterAs }) => {
    await enterAs(player);
    await shop.open('/');
    await chooseGame(shop, 'Emberfall');
    await atGoods(shop);
    await expect(characters(shop).getByRole('radio').first()).toBeVisible();
    await shop.chooseGoods();
    // A press is answered although the button says that it cannot pay yet.
    await shop.page.getByRole('button', { name: `${shop.text('receiver.choose')} · $4.99` }).click({ force: true });
    await expect(characters(shop).getByRole('radio').first()).toBeFocused();
    await expect(shop.page.getByRole('alert')).toHaveText(shop.text('receiver.choose'));
    await characters(shop).getByRole('radio').first().click();
    // The press is not forgotten: on to what was wanted.
    await atRecharge(shop);
  },
);

test('L49 the step bar leads back to what is done', { tag: PHONE }, async ({ shopPage: shop, returning: _player }) => {
  await goToRecharge(shop);
  await stepBar(shop).getByRole('link').nth(1).click();
  await atGoods(shop);
  await stepBar(shop).getByRole('link').first().click();
  await atGames(shop);
  await expect(stepBar(shop).getByRole('link')).toHaveCount(0);
  // Another game is another order.
  await chooseGame(shop, 'Pocket Pitch');
  await atGoods(shop);
  await expect(shop.payButton).toHaveCount(0);
});

test(
  'the fields of a prepaid card open above the foot, the first one focused',
  { tag: PHONE },
  async ({ shopPage: shop, returning: _player }) => {
    await goToRecharge(shop);
    const { page, text } = shop;
    const card = page.locator('label').filter({ has: page.locator('input[value=prepaid_card]') });
    const more = page.getByRole('button', { name: shop.named('recharge.more_ways'), expanded: false });
    await expect(card.or(more).first()).toBeVisible();
    if (await more.isVisible()) await more.click();
    await card.click();
    await expect(page.getByLabel(text('recharge.card_number'), { exact: true })).toBeFocused();
    // Whole: what lies under the foot cannot be pressed.
    const password = page.getByLabel(text('recharge.card_password'), { exact: true });
    await expect
      .poll(() =>
        password.evaluate((field) => {
          const { left, bottom } = field.getBoundingClientRect();
          return document.elementFromPoint(left + 20, bottom - 2) === field;
        }),
      )
      .toBe(true);
  },
);

test('L42 a step without what comes before leads back to it', { tag: DESKTOP }, async ({ shopPage: shop }) => {
  for (const path of ['/recharge', '/result', '/selectGoods']) {
    await shop.open(path, { utm_source: 'mail' });
    await atGames(shop);
    expect(new URL(shop.page.url()).search).toBe('?utm_source=mail');
  }
  await chooseGame(shop, 'Emberfall');
  await atGoods(shop);
  await shop.open('/recharge');
  await atGoods(shop);
});

test(
  'L43 a link to an order from My shows it, and leads back there',
  { tag: PHONE },
  async ({ shopPage: shop, returning: _player }) => {
    await goToRecharge(shop);
    const window = await payIn(shop, 'card');
    await payOnProvider(window, 'Decline');
    await shop.page.bringToFront();
    await expect(heading(shop, 'result.declined_title')).toBeVisible({ timeout: 15_000 });
    const billingNo = await numberOf(shop);
    // Still on its way back when this page is left, it would go on with the order itself.
    await window.close();
    await shop.open('/my');
    // Not the first list of the page: before the orders are here, that is another one.
    const history = shop.page.getByRole('region', { name: shop.text('my.history'), exact: true });
    await history.getByRole('listitem').first().getByRole('button').click();
    await shop.button('receipt.open_order').click();
    await atResult(shop);
    await expect(shop.page.getByRole('code')).toHaveText(billingNo);
    // From elsewhere than step 3: the goods begin a new way, by the character that is known.
    await shop.button('result.change_recharge_way').click();
    await atRecharge(shop);
  },
);

test('L38 a make-up payment without a good link says so, without steps', { tag: PHONE }, async ({ shopPage: shop }) => {
  await shop.open('/replenishGoods', { replenish_id: '7', rp_client_id: '70021' });
  await expect(heading(shop, 'error_params.title')).toBeVisible();
  await expect(stepBar(shop)).toHaveCount(0);
  expect(new URL(shop.page.url()).search).toBe('?replenish_id=7&rp_client_id=70021');
});

for (const [brand, game] of [
  ['ssgame', 'Emberfall'],
  ['spotJp', 'ポケットピッチ'],
] as const) {
  test.describe(`${brand}, without a step bar`, () => {
    test.use({ brand });
    test(
      'L49 has the same pages',
      { tag: brand === 'ssgame' ? [PHONE] : [PHONE, '@thorough'] },
      async ({ shopPage: shop }) => {
        await shop.open('/');
        await onPath(shop.page, '/selectGame');
        await expect(stepBar(shop)).toHaveCount(0);
        await chooseGame(shop, game);
        await onPath(shop.page, '/selectGoods');
        await expect(shop.page.getByRole('radiogroup').getByRole('radio').first()).toBeVisible();
        await expect(shop.page.getByRole('listitem').and(shop.page.locator('[aria-current=step]'))).toHaveCount(0);
      },
    );
  });
}

test('L191 a game that is not here is told on the first page', { tag: DESKTOP }, async ({ shopPage: shop }) => {
  await shop.open('/selectGoods', { client_id: '99999' });
  await atGames(shop);
  await expect(heading(shop, 'game.lost_title')).toBeVisible();
  await chooseGame(shop, 'Emberfall');
  await atGoods(shop);
});

test(
  "L191 events and gift cards of another brand's game let the player choose one",
  { tag: PHONE },
  async ({ shopPage: shop, returning: _player }) => {
    const pages = [
      ['/activity', {}],
      ['/selectGoods', { tab: 'gift' }],
    ] as const;
    for (const [path, tab] of pages) {
      await shop.open(path, { client_id: '99999', ...tab });
      await expect(heading(shop, 'game.lost_title')).toBeVisible();
      await chooseGame(shop, 'Emberfall');
      await expect(heading(shop, 'game.lost_title')).toBeHidden();
      await onPath(shop.page, path);
    }
  },
);

test.describe('a brand that asks before it counts visits', () => {
  test.use({ brand: 'joyage' });
  test(
    'the question lies over nothing that stays at the foot of a page',
    { tag: ['@wide-later'] },
    async ({ shopPage: shop, returning: _player }) => {
      const { page } = shop;
      const ask = page.getByRole('region', { name: shop.text('footer.tracking') });
      /** Buttons in the foot of a page that a press would not reach. */
      const covered = async (kind: string) => {
        await expect(ask).toBeAttached();
        const pressed = page.locator(`[data-foot="${kind}"] .classic-foot :is(button, a):visible`);
        await expect(pressed.last()).toBeVisible();
        return pressed.evaluateAll((all) =>
          all.flatMap((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            const top = document.elementFromPoint(x + width / 2, y + height / 2);
            return top === null || one.contains(top) ? [] : [one.textContent];
          }),
        );
      };
      await shop.open('/');
      await chooseGame(shop, 'Pocket Pitch');
      await atGoods(shop);
      await page.getByRole('radiogroup').getByRole('radio').first().click();
      await shop.payButton.click();
      await atRecharge(shop);
      // The page's own foot lies over its payment methods, so it is scrolled past.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await covered('pay')).toEqual([]);
      await payIn(shop, 'card');
      await expect(heading(shop, 'result.pending_title')).toBeVisible();
      expect(await covered('other')).toEqual([]);
    },
  );
});

test('L36 a brand of the new version has no such pages', { tag: DESKTOP }, async ({ page, watch }) => {
  watch.allow(/404/);
  const { addressOf } = await import('./running-shop.ts');
  const answer = await page.goto(addressOf('watt', '/recharge'));
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible();
});
