// Contact sheets: all pictures of a folder on one page, and the landing pages of all brands without their colours.
import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';

const FRAME = `body { margin: 0; background: #777; font: 12px system-ui; color: #fff; }
  main { display: flex; flex-wrap: wrap; gap: 8px; padding: 8px; align-items: flex-start; }
  figure { margin: 0; } figcaption { max-inline-size: 240px; overflow-wrap: anywhere; }
  img { display: block; max-block-size: 420px; max-inline-size: 640px; }`;

export async function makeSheet(browser: Browser, folder: string, title: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.png') && !name.startsWith('sheet'))
    .toSorted();
  await print(
    browser,
    title,
    FRAME,
    files.map((name) => ({ file: join(folder, name), name })),
    join(folder, 'sheet.png'),
    2400,
  );
}

/** Brands that can only be told apart by their colour look alike here. */
export async function makeGreyscaleSheet(browser: Browser, out: string, keys: readonly string[]): Promise<void> {
  const sizes = [
    ['phone', '390x844', 4],
    ['desktop', '1440x900', 4],
  ] as const;
  for (const [name, size] of sizes) {
    const pictures = keys
      .map((key) => ({ file: join(out, key, `00-landing-light-${size}.png`), name: key }))
      .filter(({ file }) => existsSync(file));
    const style = `${FRAME} img { filter: grayscale(1); max-block-size: ${name === 'phone' ? 620 : 360}px; }`;
    await print(browser, name, style, pictures, join(out, `greyscale-${name}.png`), 2400);
  }
}

type Picture = { readonly file: string; readonly name: string };

async function print(
  browser: Browser,
  title: string,
  style: string,
  pictures: readonly Picture[],
  path: string,
  width: number,
): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const figures = pictures
    .map(
      ({ file, name }) =>
        `<figure><img alt="" src="${pathToFileURL(file).href}"><figcaption>${name}</figcaption></figure>`,
    )
    .join('');
  // A page of about:blank may not show files: the sheet is one itself.
  const html = `${path}.html`;
  await writeFile(
    html,
    `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style><main>${figures}</main>`,
  );
  await page.goto(pathToFileURL(html).href);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  // Hundreds of pictures take a busy machine a while.
  await page.screenshot({ path, fullPage: true, timeout: 180_000 });
  await rm(html);
  await page.close();
}
