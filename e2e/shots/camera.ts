// Takes each screen in every size, and goes on where a screen cannot be reached: that is written down instead.
import { join } from 'node:path';
import { settle } from '../look.ts';
import type { Browser, BrowserContext, Page } from '@playwright/test';

export type Size = { readonly width: number; readonly height: number };

export type Camera = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Pictures of what stands there, one a size. */
  take(name: string, options?: { isWhole?: boolean }): Promise<void>;
  /** Runs a part of a walk; what fails is told at the end and the walk goes on. */
  step(name: string, part: () => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
};

export async function createCamera(
  browser: Browser,
  options: { folder: string; scheme: 'light' | 'dark'; sizes: readonly Size[]; missed: string[] },
): Promise<Camera> {
  const { folder, scheme, sizes, missed } = options;
  const first = sizes[0] ?? { width: 390, height: 844 };
  const context = await browser.newContext({
    viewport: first,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const fileOf = (name: string, { width, height }: Size) => join(folder, `${name}-${scheme}-${width}x${height}.png`);

  const take: Camera['take'] = async (name, { isWhole = false } = {}) => {
    for (const size of sizes) {
      await page.setViewportSize(size);
      // A size takes a moment: listeners of media queries draw anew.
      await page.waitForTimeout(150);
      await settle(page);
      await page.screenshot({ path: fileOf(name, size), scale: 'css' });
      if (isWhole) await page.screenshot({ path: fileOf(`${name}-whole`, size), scale: 'css', fullPage: true });
    }
    await page.setViewportSize(first);
  };
  const step: Camera['step'] = async (name, part) => {
    try {
      await part();
      return true;
    } catch (error) {
      const [line = ''] = (error as Error).message.split('\n');
      missed.push(`${folder.split('/').at(-1)} ${scheme} ${name}: ${line}`);
      await page.screenshot({ path: fileOf(`missed-${name}`, first) }).catch(() => {});
      return false;
    }
  };
  return { page, context, take, step, close: () => context.close() };
}
