// Looks at a screen twice: with axe for what people with disabilities would miss, and with a
// picture for people to judge.
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { projectRoot } from '#scripts/run-tool.ts';

/**
 * The rules of WCAG 2.2 up to AA. @source
 * https://github.com/dequelabs/axe-core/blob/develop/doc/API.md, "Axe-core tags"
 */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** `without`: what an open menu lies over, by selector; half a button behind it is no small button. */
export type Look = (name: string, options?: { isWholePage?: boolean; without?: string }) => Promise<void>;

/** @param folder below .data/e2e/screens; pictures are numbered in the order they are taken */
export function createLook(page: Page, folder: string): Look {
  let count = 0;
  return async (name, { isWholePage = false, without } = {}) => {
    count += 1;
    await settle(page);
    const path = join(projectRoot, '.data/e2e/screens', folder, `${String(count).padStart(2, '0')}-${name}.png`);
    await page.screenshot({ path, scale: 'css', fullPage: isWholePage });
    // A page without frames is judged in itself; else a page of its own is opened to put the parts together.
    const builder = new AxeBuilder({ page }).withTags(RULES).setLegacyMode(page.frames().length === 1);
    const { violations } = await (without === undefined ? builder : builder.exclude(without)).analyze();
    const found = violations.flatMap((rule) =>
      rule.nodes.map(
        (node) => `${rule.id} at ${node.target.join(' ')}: ${node.failureSummary?.replaceAll(/\s+/g, ' ')}`,
      ),
    );
    expect.soft(found, `${folder}/${name}`).toEqual([]);
  };
}

/** Waits until pictures and letters are there and nothing moves that ever ends. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const images = [...document.images].filter((image) => image.loading !== 'lazy');
    await Promise.all(images.map((image) => image.decode().catch(() => {})));
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  });
}
