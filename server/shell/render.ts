// The HTML of a page: who it is for, what it looks like before its script runs, and the data the script starts from.
import type { BootData, PageData } from '#contracts/boot.ts';
import { CLASSIC_STEPS } from '#contracts/documents.ts';
import { directionOf, toBcp47 } from '#kernel/languages.ts';
import type { BuiltAssets } from './assets.ts';
import { placePicture } from './drawings.ts';
import { stepOfPage } from './classic-picture.ts';
import { keyArtOf, writeFirstLook, writePlaceholder, writePreload } from './key-art.ts';
import { drawFirstAid, START_ID, writeFirstAid } from './first-aid.ts';
import { drawFirstPicture, isLandingPath } from './first-picture.ts';
import { escapeJson, escapeText } from '#kernel/escape.ts';
import { readTexts } from './picture-texts.ts';
import { writeBarColours, writeTheme } from './theme.ts';

/**
 * The whole document.
 * @param nonce of the response's content policy; on every script and style in it
 * @param path of the document, without its query
 */
export function renderShell(boot: BootData, assets: BuiltAssets, nonce: string, path = '/'): string {
  const { iconUrl, firstLook, noticeItems: _noticeItems, ...rest } = boot;
  const logo = placePicture(boot.brand.logo);
  const own = boot.brand.hero.picture;
  const hero = own && !('avif' in own) ? placePicture(own) : { page: own, symbol: '' };
  const texts = readTexts(boot);
  const step = stepOfPage(boot, path);
  const hasHero = isLandingPath(path, boot.brand.version) || step === 1;
  const art = hasHero ? keyArtOf(boot) : null;
  const page: PageData = {
    ...rest,
    brand: { ...boot.brand, logo: logo.page, hero: { ...boot.brand.hero, picture: hero.page } },
    nonce,
  };
  const drawings = `<svg width="0" height="0" display="none" aria-hidden="true">${logo.symbol}${hero.symbol}</svg>`;
  const of = step > 0 ? assets.steps[CLASSIC_STEPS[step - 1] ?? ''] : undefined;
  // The bundler's loader fetches no style sheet that the page names already; what is in this one stands in the page.
  const sheets = (of?.sheets ?? []).map((url) => `<link rel="stylesheet" href="${url}" disabled>`).join('');
  const preloads = [...assets.preloads, assets.entry, ...(of?.preloads ?? [])]
    .map((url) => `<link rel="modulepreload" href="${url}" nonce="${nonce}">`)
    .join('');
  return [
    `<!doctype html><html lang="${toBcp47(boot.language)}" dir="${directionOf(boot.language)}" ` +
      `data-stage="${boot.brand.look.stage}" ` +
      `data-card="${boot.brand.look.card}"${boot.isBeta ? ' data-beta' : ''}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">',
    // How the bundler's loader learns the nonce for what it adds later.
    `<meta property="csp-nonce" nonce="${nonce}">`,
    `<title>${escapeText(boot.brand.title)}</title>`,
    `<link rel="icon" href="${escapeText(iconUrl)}">`,
    writeBarColours(boot.brand),
    '<meta name="format-detection" content="telephone=no">',
    art ? writePreload(art) : '',
    `<style nonce="${nonce}">${writeTheme(boot.brand)}${art ? writePlaceholder(art) + writeFirstLook(art, firstLook) : ''}${assets.css}${of?.css ?? ''}</style>`,
    sheets,
    // Before what it listens to.
    writeFirstAid(nonce),
    preloads,
    `</head><body>${drawFirstAid(texts.aid)}${drawings}${assets.icons}<div id="root">${drawFirstPicture(page, path, texts)}</div>`,
    `<script id="boot" type="application/json" nonce="${nonce}">${escapeJson(page)}</script>`,
    `<script id="${START_ID}" type="module" nonce="${nonce}">${writeStart(assets)}</script></body></html>`,
  ].join('');
}

/**
 * Runs the libraries, and the entry in a task of its own after them: as the entry's imports they would run in its task,
 * and for twice as long no press would be answered. A browser runs several scripts of one page in one task as well.
 */
function writeStart({ preloads, entry }: BuiltAssets): string {
  const libraries = preloads.map((url) => `import${JSON.stringify(url)};`).join('');
  // Its loss is told to the mark of this script, as that of the libraries is by the browser (first-aid.ts).
  const tell = `document.getElementById("${START_ID}").dispatchEvent(new Event("error"))`;
  return `${libraries}setTimeout(()=>import(${JSON.stringify(entry)}).catch(()=>${tell}))`;
}
