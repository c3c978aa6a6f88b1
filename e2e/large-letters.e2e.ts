// Letters of twice the size, as a player may set them in the browser, on a phone: goods, checkout, result and My, with
// the balance. Nothing stands out of the screen, is cut off, or lies over something else. And in the colours of a device
// what is told from its ground by a shadow alone has an edge.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './flow.ts';
import type { Language } from './texts.ts';
import { settle } from './look.ts';
import { findFaults } from './shots/faults.ts';

test.describe('letters of twice the size', { tag: ['@phone'] }, () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const { brand, language } of [
    { brand: 'watt', language: 'ru' },
    { brand: 'rhinosSea', language: 'ar' },
  ] as const)
    test.describe(`${brand} in ${language}`, () => {
      test.use({ brand, language: language as Language });

      test('lie over nothing from the goods to My', async ({ shopPage, returning: player, players }) => {
        const { page } = shopPage;
        const session = await page.context().newCDPSession(page);
        const judge = async (name: string) => {
          // A page that was loaded anew has forgotten it.
          await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
          await settle(page);
          const found = (await findFaults(page)).filter((fault) => /wider than|cut off|covered/.test(fault));
          expect.soft([...found, ...(await findOverlaps(page))], name).toEqual([]);
        };
        await players.credit(brand, player, 'USD', 123_456);
        await shopPage.open('/');
        // The question about visits lies over the page until it is answered.
        const consent = shopPage.button('tracking.decline');
        if (brand === 'watt') await consent.click();
        await shopPage.chooseCharacter();
        await judge('goods');
        await shopPage.chooseGoods();
        await shopPage.openCheckout();
        await judge('checkout');
        await shopPage.chooseChannel('platform');
        await judge('checkout, chosen');
        await shopPage.payButton.last().click();
        await shopPage.expectResult('result.success_title', 20_000);
        await judge('result');
        await shopPage.open('/my');
        await expect(shopPage.page.getByRole('main').getByText('$1,2').first()).toBeVisible();
        await judge('My');
      });
    });
});

test.describe('letters that the page itself shows at twice their size', { tag: ['@phone'] }, () => {
  test.use({ viewport: { width: 390, height: 844 }, brand: 'watt', language: 'en' });

  test('break no word and cut none off, and the question about visits leaves room', async ({ shopPage, chooser }) => {
    const { page, receiver, button, text } = shopPage;
    await shopPage.open('/');
    await shopPage.logIn(chooser);
    await double(page);
    const consent = page.getByRole('region', { name: text('footer.tracking') });
    expect((await consent.boundingBox())?.height).toBeLessThan(844 / 4);
    await button('tracking.decline', consent).click();
    const [words, press] = [receiver.locator('b'), button('receiver.choose_button', receiver)];
    const below = async () => ((await press.boundingBox())?.y ?? 0) - bottomOf(await words.boundingBox());
    expect(await below()).toBeGreaterThan(0);
    await shopPage.chooseGoods();
    const bar = page.getByRole('region', { name: text('order.title') }).filter({ visible: true });
    await expect(bar).toBeVisible();
    for (const room of [page.getByRole('banner'), bar]) expect(await findCut(room)).toEqual([]);
  });
});

/** Not the browser's setting: no media query knows of it. */
const double = (page: Page) => page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Infinity);

/** Words that an ellipsis, or the last of so many lines, cuts off. */
const findCut = (room: Locator) =>
  room.locator('b, span').evaluateAll((all) =>
    all
      .filter((one) => getComputedStyle(one).overflow === 'hidden' && !one.closest('.vh'))
      .filter(
        (one) =>
          one.scrollWidth > one.clientWidth + 1 ||
          one.scrollHeight - one.clientHeight > parseFloat(getComputedStyle(one).fontSize) / 2,
      )
      .map((one) => one.textContent),
  );

test.describe('colours of the device', { tag: ['@phone'] }, () => {
  test.use({ brand: 'ko', language: 'ko', contextOptions: { forcedColors: 'active' } });

  test('the form above the button that pays has an edge', async ({ shopPage, returning: _player }) => {
    const { page, text, checkout } = shopPage;
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await page.getByRole('main').getByRole('radio').filter({ visible: true }).first().click();
    await shopPage.openCheckout();
    await checkout.getByRole('radio').first().check();
    await expect(checkout.getByRole('region', { name: text('confirm.title') })).toHaveCSS('border-top-width', '1px');
  });
});

/** Texts that lie over each other, of what stands in the flow of one page or sheet. */
async function findOverlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const sheet = [...document.querySelectorAll('[role=dialog]')].findLast((one) => one.checkVisibility());
    const room = sheet ?? document.querySelector('main') ?? document.body;
    const lines: { box: DOMRect; words: string }[] = [];
    const walker = document.createTreeWalker(room, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.nodeValue?.trim() ?? '';
      const parent = node.parentElement;
      if (words === '' || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (parent.closest('.vh,option,script,style')) continue;
      // Bars stay in view over what is scrolled; a foot of a sheet as well.
      const isPinned = (one: Element): boolean =>
        /sticky|fixed/.test(getComputedStyle(one).position) ||
        (one !== room && !!one.parentElement && isPinned(one.parentElement));
      if (isPinned(parent)) continue;
      // Names of other games are hidden in their icons on a phone.
      if (parent.closest('ul[class*=game-row] [aria-pressed=false]')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (box.width > 2) lines.push({ box, words });
    }
    // Lines of letters touch by their leading: a third of a line is another text.
    const over = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 3;
    return lines.flatMap((one, at) =>
      lines
        .slice(at + 1)
        .filter((other) => other.words !== one.words && over(one.box, other.box))
        .map((other) => `"${one.words.slice(0, 40)}" lies over "${other.words.slice(0, 40)}"`),
    );
  });
}
