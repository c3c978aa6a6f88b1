// The oldest browsers that the shop works in buy as all others do, older ones are told, and a page whose first scripts
// were lost on the way comes again or says so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { projectRoot } from '#scripts/run-tool.ts';
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

const PHONE = '@phone';

/** These came to one of them after its version in scripts/browsers/oldest.ts. */
const LACKS = `Map.groupBy Object.groupBy Promise.withResolvers Promise.try Array.fromAsync AbortSignal.any URL.canParse
  URL.parse Intl.Segmenter Intl.DurationFormat Iterator scheduler navigation requestIdleCallback cancelIdleCallback
  Document.prototype.startViewTransition Element.prototype.checkVisibility HTMLElement.prototype.showPopover
  CSSStartingStyleRule Set.prototype.union Set.prototype.intersection Set.prototype.difference`.split(/\s+/);

async function lack(page: Page, names: readonly string[]): Promise<void> {
  await page.addInitScript((paths) => {
    for (const path of paths) {
      const keys = path.split('.');
      const name = keys.pop() ?? '';
      const owner = keys.reduce<unknown>((one, key) => (one as Record<string, unknown>)[key], window);
      if (owner) Reflect.deleteProperty(owner as object, name);
    }
  }, names);
}

test('a browser of 2023 shows the goods, pays and is delivered', { tag: PHONE }, async ({ shopPage, returning }) => {
  await lack(shopPage.page, LACKS);
  await shopPage.open('/');
  expect(await shopPage.page.evaluate(() => 'groupBy' in Map || 'any' in AbortSignal || 'canParse' in URL)).toBe(false);
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  const { billingNo, window } = await shopPage.pay('paypal');
  await payOnProvider(window, 'Pay');
  await shopPage.expectResult('result.success_title');
  await expectDelivered(billingNo, returning);
  await expect(shopPage.page.getByText(shopPage.text('shell.old_browser'))).toBeHidden();
});

test.describe('an older browser', () => {
  test.use({ language: 'ja' });

  test('reads one sentence in its language', { tag: PHONE }, async ({ shopPage, watch }) => {
    watch.allow(/./);
    const { page, text } = shopPage;
    await lack(page, ['Array.prototype.toSorted']);
    await shopPage.visit('/');
    await expect(page.getByText(text('shell.old_browser'))).toBeVisible();
    await createLook(page, 'phone/oldest')('too-old');
  });
});

type Chunk = { file: string; isEntry?: boolean; imports?: string[] };
const manifest = JSON.parse(readFileSync(join(projectRoot, 'web', 'dist', '.vite', 'manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;
const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
const first = entry ? [entry, ...(entry.imports ?? []).flatMap((key) => manifest[key] ?? [])] : [];

test('a page that lost one of its first scripts comes again by itself', { tag: PHONE }, async ({ shopPage, watch }) => {
  watch.allow(/404/);
  const { page } = shopPage;
  expect(first.length).toBeGreaterThan(1);
  for (const { file } of first) {
    let losses = 0;
    await page.route(`**/${file}`, (route) => {
      losses += 1;
      return losses === 1 ? route.fulfill({ status: 404, body: 'Not Found' }) : route.continue();
    });
    await shopPage.visit('/');
    await expect(page.getByRole('radio').first()).toBeVisible();
    await expect(page.getByText(shopPage.text('shell.lost'))).toBeHidden();
    expect(losses).toBeGreaterThan(0);
    await page.unroute(`**/${file}`);
  }
});

test('lost for longer, it says so with a button', { tag: [PHONE, '@thorough'] }, async ({ shopPage, watch }) => {
  watch.allow(/404/);
  const { page } = shopPage;
  const file = `**/${first.at(-1)?.file ?? 'none'}`;
  let losses = 0;
  await page.route(file, (route) => {
    losses += 1;
    return route.fulfill({ status: 404, body: 'Not Found' });
  });
  await shopPage.visit('/');
  const notice = page.getByRole('alert').filter({ hasText: shopPage.text('shell.lost') });
  await expect(notice).toBeVisible();
  await createLook(page, 'phone/oldest')('lost');
  // It is loaded again by itself once, not for ever.
  expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().type)).toBe('reload');
  expect(losses).toBeLessThan(5);
  await page.unroute(file);
  await shopPage.button('part.reload', notice).click();
  await expect(page.getByRole('radio').first()).toBeVisible();
  await expect(notice).toBeHidden();
});
