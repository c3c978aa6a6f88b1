// Takes each screen in every size, notes the faults that need no eye, and goes on where a screen cannot be reached:
// that is written down instead.
import { join } from 'node:path';
import { settle } from '../look.ts';
import type { Browser, BrowserContext, Frame, Page } from '@playwright/test';
import { findFaults } from './faults.ts';
import { PANEL_WIDTH } from '../shop-page.ts';

export type Size = { readonly width: number; readonly height: number };

/** `forced`: the colours of the device; `large`: text twice as large, as a player may set it. */
export const SCHEMES = ['light', 'dark', 'forced', 'large'] as const;
export type Scheme = (typeof SCHEMES)[number];

/** A run reports these at its end. */
export type Notes = { readonly missed: string[]; readonly faults: string[] };

export type Camera = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Names of the pictures taken so far. */
  readonly taken: ReadonlySet<string>;
  /**
   * Pictures of what stands there, one a size. `page`: another one than the camera's own; `frame`: what is judged of
   * it, where the page around the shop is somebody else's.
   */
  take(name: string, options?: { isWhole?: boolean; page?: Page; frame?: Frame }): Promise<void>;
  /** Runs a part of a walk; what fails is told at the end and the walk goes on. */
  step(name: string, part: () => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
};

export type CameraOptions = { folder: string; scheme: Scheme; sizes: readonly Size[]; notes: Notes };

export async function createCamera(browser: Browser, options: CameraOptions): Promise<Camera> {
  const { folder, scheme, sizes, notes } = options;
  // Walked where the checkout is a sheet, whatever sizes the pictures have.
  const first = sizes.find(({ width }) => width < PANEL_WIDTH) ?? { width: 390, height: 844 };
  const context = await browser.newContext({
    viewport: first,
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced' ? 'active' : 'none',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const session = scheme === 'large' ? await context.newCDPSession(page) : null;
  const taken = new Set<string>();
  const reported = new Set<string>();
  const place = folder.split('/').at(-1);
  const fileOf = (name: string, { width, height }: Size) => join(folder, `${name}-${scheme}-${width}x${height}.png`);

  const take: Camera['take'] = async (name, { isWhole = false, page: shown = page, frame } = {}) => {
    taken.add(name);
    // A page that was loaded anew has forgotten it.
    await session?.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const size of sizes) {
      await shown.setViewportSize(size);
      // A size takes a moment: listeners of media queries draw anew.
      await shown.waitForTimeout(150);
      await settle(shown);
      await shown.screenshot({ path: fileOf(name, size), scale: 'css' });
      if (isWhole) await shown.screenshot({ path: fileOf(`${name}-whole`, size), scale: 'css', fullPage: true });
      for (const fault of await findFaults(frame ?? shown)) {
        // The header is on every screen: once is enough.
        if (reported.has(`${size.width} ${fault}`)) continue;
        reported.add(`${size.width} ${fault}`);
        notes.faults.push(`${place} ${name} ${scheme} ${size.width}x${size.height}: ${fault}`);
      }
    }
    await shown.setViewportSize(first);
  };
  const step: Camera['step'] = async (name, part) => {
    try {
      await part();
      return true;
    } catch (error) {
      const [line = ''] = (error as Error).message.split('\n');
      notes.missed.push(`${place} ${scheme} ${name}: ${line}`);
      await page.screenshot({ path: fileOf(`missed-${name}`, first) }).catch(() => {});
      return false;
    }
  };
  return { page, context, taken, take, step, close: () => context.close() };
}
