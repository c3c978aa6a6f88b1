// Every script and style sheet that comes later gets lost once, without a line and as a 404: the page stays,
// says so, and goes on when asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { projectRoot } from '#scripts/run-tool.ts';
import { expect, test } from './flow.ts';
import { payOnProvider } from './provider-page.ts';
import type { ShopPage } from './shop-page.ts';

const PHONE = '@phone';

type Chunk = { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };
type Manifest = Record<string, Chunk>;

/** Parts that come with the first picture are not lazy. */
function listEager(manifest: Manifest): Set<string> {
  const found = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const file of chunk.css ?? []) found.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);
  return found;
}

type Way = {
  /**
   * Goes to the part as a player does. The login popup of a player who is logged in cannot be seen, so each says what
   * it needs.
   */
  go: (shopPage: ShopPage) => Promise<void>;
  /** There once the part has come. */
  there: (shopPage: ShopPage) => Locator;
  isLoggedIn?: boolean;
  /** Comes by itself when the line is back. */
  isQuiet?: boolean;
};

const heading = (id: string) => (shopPage: ShopPage) =>
  shopPage.page.getByRole('heading', { name: shopPage.text(id) }).first();
const login: Way = {
  go: (shopPage) => shopPage.button('login.submit', shopPage.page.getByRole('banner')).click(),
  there: (shopPage) => shopPage.popup('login.title'),
};

/**
 * Maps the source of a part to the way there. Those that are not named are lost while the login is opened and My is
 * looked at.
 */
const WAYS: Record<string, Way> = {
  'web/features/accounts/login/LoginPopup.tsx': login,
  'web/features/games/list/GameListPopup.tsx': {
    go: async (shopPage) => {
      await shopPage.receiver.getByRole('button', { name: shopPage.text('game.other') }).click();
    },
    there: (shopPage) => shopPage.popup('game.choose'),
  },
  'web/features/games/roles/RolePopup.tsx': {
    isLoggedIn: true,
    go: async (shopPage) => {
      await shopPage.receiver.getByRole('button').last().click();
    },
    there: (shopPage) => shopPage.popup('role.title'),
  },
  'web/platform/popups/ConfirmPopup.tsx': {
    isLoggedIn: true,
    go: async (shopPage) => {
      await shopPage.page.getByRole('banner').getByLabel(shopPage.named('user.menu')).click();
      await shopPage.page.getByRole('button', { name: shopPage.text('logout.confirm'), exact: true }).click();
    },
    there: (shopPage) => shopPage.popup('logout.title'),
  },
  'web/features/orders/result/ResultPopup.tsx': {
    isLoggedIn: true,
    go: (shopPage) => shopPage.open('/', { billing_no: '01HZY3C2X5VYH3M2Q1G8TK7N4A' }),
    there: (shopPage) => shopPage.result,
  },
  'web/screens/order-with-coupon.tsx': {
    go: (shopPage) => shopPage.chooseGoods(),
    there: (shopPage) => shopPage.payButton,
  },
  'web/screens/my.tsx': {
    go: async (shopPage) => {
      const { page, text } = shopPage;
      await page
        .getByRole('navigation')
        .getByRole('link', { name: text('nav.my'), exact: true })
        .first()
        .click();
    },
    there: heading('my.login_title'),
  },
  'web/screens/activity.tsx': { go: (shopPage) => shopPage.open('/activity'), there: heading('nav.event') },
  'web/screens/gift/gift.tsx': {
    go: (shopPage) => shopPage.open('/selectGoods', { tab: 'gift' }),
    there: heading('gift.login_title'),
  },
  'web/screens/replenish/replenish-goods.tsx': {
    go: (shopPage) => shopPage.open('/replenishGoods', { rp_client_id: '70021' }),
    there: heading('replenish.login_title'),
  },
  'web/screens/notices/pages.ts': {
    go: (shopPage) => shopPage.open('/showError'),
    there: heading('show_error.query_title'),
  },
  // Base UI, and the sheet with its style: what every popup needs.
  _popups: login,
  _PopupSheet: login,
};

const manifest = JSON.parse(
  readFileSync(join(projectRoot, 'web', 'dist', '.vite', 'manifest.json'), 'utf8'),
) as Manifest;
const eager = listEager(manifest);
/** Names without their hashes, so that a test keeps its name from build to build; the builder cuts them short. */
const nameOf = (key: string) => key.replace(/-[\w-]{7}\.(js|css)$/, '').replace(/^_(.*)\.m[odule]*$/, '_$1');
const lazyFiles = Object.entries(manifest).flatMap(([key, { file, css = [] }]) =>
  file.endsWith('.svg') || eager.has(file) ? [] : [file, ...css].map((one) => ({ key: nameOf(key), file: one })),
);
/** Each file once; chunks of one name are told apart by their place. */
const files = [...new Map(lazyFiles.map((one) => [one.file, one])).values()].map((one, index, all) => {
  const nth = all.slice(0, index).filter(({ key }) => key === one.key).length;
  return { ...one, title: nth === 0 ? one.key : `${one.key} ${nth + 1}` };
});

/** Loses a file, in one of the two manners, until it is found again. */
async function lose(page: Page, file: string, isOffline: boolean): Promise<() => Promise<void>> {
  await page.route(`**/${file}`, (route) =>
    isOffline ? route.abort('internetdisconnected') : route.fulfill({ status: 404, body: 'Not Found' }),
  );
  return () => page.unroute(`**/${file}`);
}

const lostText = ({ page, text }: ShopPage) => page.getByText(text('part.lost_title')).filter({ visible: true });

test('the build has parts that come later', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(files.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(WAYS)));
});

for (const [manner, isOffline] of [
  ['without a line', true],
  ['as a 404', false],
] as const) {
  for (const [index, { key, file, title }] of files.entries()) {
    const way = WAYS[key];
    // Names carry no hash: the source and the kind are enough.
    const kind = file.endsWith('.css') ? 'style sheet' : 'script';
    test(
      `${kind} of ${title} lost ${manner}`,
      // All parts in both manners by `npm run e2e`; `npm test` has every third of those with a way, one manner each.
      { tag: [PHONE, ...(way && index % 3 === 0 && isOffline === (index % 2 === 0) ? [] : ['@thorough'])] },
      async ({ shopPage, player, watch, enterAs }) => {
        const { page } = shopPage;
        watch.allow(/./);
        const find = await lose(page, file, isOffline);
        const { go, there, isLoggedIn } = way ?? login;
        // Without the popup: that is what some of these lose.
        if (isLoggedIn) await enterAs(player);
        await shopPage.open('/');
        if (isLoggedIn) await expect(shopPage.userMenu(player)).toBeVisible();
        await go(shopPage);
        // Lost parts are told or done without; never is the page empty.
        await expect(there(shopPage).or(lostText(shopPage)).first()).toBeVisible();
        if (way) await expect(lostText(shopPage).first()).toBeVisible();
        expect((await page.locator('body').innerText()).length).toBeGreaterThan(20);
        await find();
        const retry = page
          .getByRole('button', { name: shopPage.text('goods.retry'), exact: true })
          .filter({ visible: true });
        // A bar that tries by itself may have come as far as the reload already.
        if (await retry.first().isVisible()) await retry.first().click();
        // Some browsers remember a script that did not come: there the way on is the reload.
        const reload = shopPage.button('part.reload').filter({ visible: true });
        await expect(there(shopPage).or(reload).first()).toBeVisible();
        if (await reload.first().isVisible()) {
          await reload.first().click();
          await expect(lostText(shopPage)).toHaveCount(0);
          if (!(await there(shopPage).isVisible())) await go(shopPage);
        }
        await expect(there(shopPage)).toBeVisible();
        await expect(lostText(shopPage)).toHaveCount(0);
        if (way && kind === 'style sheet') expect(await hasStyle(page, file)).toBe(true);
      },
    );
  }
}

test(
  'a reload after two losses keeps product and character, and the order goes on',
  { tag: PHONE },
  async ({ shopPage, returning: _player, watch }) => {
    const { page } = shopPage;
    watch.allow(/recharge-with-coupon|Failed to|404/);
    const [, chunk] = Object.entries(manifest).find(([key]) => key.endsWith('/recharge-with-coupon.tsx')) ?? [];
    const file = chunk?.file ?? 'none';
    const find = await lose(page, file, false);
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    await shopPage.payButton.click();
    const retry = shopPage.button('goods.retry');
    await retry.click();
    await find();
    await shopPage.button('part.reload').click();
    await expect(shopPage.goods('320').first()).toBeChecked();
    await expect(shopPage.button('receiver.change', shopPage.receiver)).toBeVisible();
    const { window } = await shopPage.pay('paypal');
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title');
  },
);

const hasStyle = (page: Page, file: string): Promise<boolean> =>
  page.evaluate(
    (name) =>
      [...document.styleSheets].some((sheet) => sheet.href?.endsWith(name) === true && sheet.cssRules.length > 0),
    file,
  );
