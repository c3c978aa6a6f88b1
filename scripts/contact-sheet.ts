// Lays every drawing of the shop out on one page, light and dark, to look at: a palette can only be judged by eye.
// node scripts/contact-sheet.ts <stylesheet with the tokens> <page to write>
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parse } from 'yaml';
import type { BrandFile } from '#contracts/brand-file.ts';

const PHONE_HERO = { width: 390, height: 234 };
const MODES = ['light', 'dark'] as const;

const FRAME = `
  body { margin: 0; background: #888; font: 12px system-ui; }
  main { display: grid; grid-template-columns: repeat(auto-fill, 390px); gap: 8px; padding: 8px; }
  .brand { background: var(--surface); color: var(--text); }
  .hero { position: relative; overflow: hidden; width: ${PHONE_HERO.width}px; height: ${PHONE_HERO.height}px; background: var(--s0); }
  .hero > svg { position: absolute; inset-block: 0; inset-inline-end: -92px; height: 100%; aspect-ratio: 1200 / 420; }
  .marks, .goods { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; padding: 10px; }
  .marks svg { width: 40px; } .marks svg + svg { width: 24px; } .goods svg { width: 84px; height: 63px; }
  .ic { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .wide { grid-column: 1 / -1; } .wide > svg { display: block; width: 100%; }`;

/** The dials of a brand as inline custom properties; a plain coin alone while a brand has art but no file yet. */
function writeDials(folder: string): string {
  const file = `${folder}/brand.yaml`;
  if (!existsSync(file)) return '--cur-brilliant:inline';
  const { theme, look } = parse(readFileSync(file, 'utf8')) as Pick<BrandFile, 'theme' | 'look'>;
  return `--brand:${theme};--shift:${look.shift};--tint:${look.tint};--cur-${look.coin}:inline`;
}

function listSymbols(sprite: string, prefix: RegExp): string[] {
  return [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id ?? '').filter((id) => prefix.test(id));
}

function drawBrand(folder: string, mode: string, goods: string[]): string {
  const key = basename(folder);
  const logo = readFileSync(`${folder}/assets/logo.svg`, 'utf8');
  const hero = readFileSync(`${folder}/assets/hero.svg`, 'utf8');
  const pictures = goods.map((id) => `<svg viewBox="0 0 160 120"><use href="#${id}"/></svg>`).join('');
  const icon = `<img width="48" alt="" src="file://${resolve(folder, 'assets/icon.svg')}">`;
  return `<section class="brand" data-brand="${key}" data-mode="${mode}" style="${writeDials(folder)}">
    <div class="hero">${hero}</div><div class="marks">${logo}${logo}${icon}<b>${key}</b></div><div class="goods">${pictures}</div></section>`;
}

function drawSheet(tokens: string): string {
  const sprites = ['goods', 'states', 'icons', 'idp']
    .map((name) => readFileSync(`web/art/${name}.svg`, 'utf8'))
    .join('');
  const goods = listSymbols(sprites, /^(?:pack|item|st)-/);
  const icons = listSymbols(sprites, /^(?:ic|idp)-/).map(
    (id) => `<svg class="ic" viewBox="0 0 24 24"><use href="#${id}"/></svg>`,
  );
  const folders = globSync('brands/*').filter((folder) => existsSync(`${folder}/assets/hero.svg`));
  const plain = globSync('{channels,games/*}/assets/*.svg').map(
    (file) => `<img width="92" alt="" src="file://${resolve(file)}">`,
  );
  const brands = MODES.flatMap((mode) => folders.map((folder) => drawBrand(folder, mode, goods)));
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>${tokens}${FRAME}</style><body>${sprites}
    <main>${brands.join('')}<div class="brand goods wide">${icons.join('')}${plain.join('')}</div></main>`;
}

const [tokensFile, page] = process.argv.slice(2);
if (tokensFile === undefined || page === undefined) {
  console.error('Say where the tokens are and where to write: contact-sheet.ts <tokens.css> <page.html>');
  process.exitCode = 1;
} else {
  writeFileSync(page, drawSheet(readFileSync(tokensFile, 'utf8')));
}
