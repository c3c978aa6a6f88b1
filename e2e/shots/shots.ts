// npm run shots [-- brand ...] [--sizes 390x844,...] [--schemes light,dark] [--languages all|none]
// [--landing]: pictures of every screen and popup of every brand in .data/shots, with a contact sheet a brand and one
// of all landings in greyscale.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { announceShop } from '../running-shop.ts';
import { startShop } from '../start-shop.ts';
import { openTestPlayers } from '#testing/players.ts';
import { findBrowser } from '#scripts/find-browser.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { readBrands, type ShotBrand } from './shot-brands.ts';
import { makeGreyscaleSheet, makeSheet } from './sheets.ts';
import { type Camera, type Size, createCamera } from './camera.ts';
import { walkBrand, walkLanding, walkLanguage } from './walks.ts';

const OUT = join(projectRoot, '.data', 'shots');
const SIZES = ['390x844', '320x568', '844x390', '820x1180', '1440x900'];
const SCHEMES = ['light', 'dark'] as const;
/** Sells in every language. */
const BRAND_OF_LANGUAGES = 'watt';

const USAGE = `Usage: npm run shots [-- brand ...] [options]

  --sizes <list>      ${SIZES.join(',')}
  --schemes <list>    light,dark
  --languages <which> all: the purchase in every language; none
  --landing           the landing pages alone, phone and desktop`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sizes: { type: 'string', default: SIZES.join(',') },
      schemes: { type: 'string', default: SCHEMES.join(',') },
      languages: { type: 'string', default: 'all' },
      landing: { type: 'boolean', default: false },
    },
  });
  const all = readBrands();
  const unknown = positionals.find((name) => !all.some(({ key }) => key === name));
  if (unknown !== undefined)
    throw new RangeError(`There is no brand ${unknown}: ${all.map(({ key }) => key).join(', ')}.`);
  const sizes = (values.landing ? '390x844,1440x900' : values.sizes).split(',').map(readSize);
  const schemes = values.schemes.split(',').map(readScheme);
  if (!['all', 'none'].includes(values.languages))
    throw new RangeError(`--languages is "${values.languages}": all or none.\n\n${USAGE}`);
  const brands = positionals.length > 0 ? all.filter(({ key }) => positionals.includes(key)) : all;

  const { shop, stop } = await startShop();
  announceShop(shop);
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env });
  const players = await openTestPlayers(shop.databaseUrl);
  const missed: string[] = [];
  const cameraOf = (brand: ShotBrand, scheme: 'light' | 'dark', of = sizes): Promise<Camera> =>
    createCamera(browser, { folder: join(OUT, brand.key), scheme, sizes: of, missed });
  try {
    for (const brand of brands) {
      await rm(join(OUT, brand.key), { recursive: true, force: true });
      await mkdir(join(OUT, brand.key), { recursive: true });
      for (const scheme of schemes) {
        const camera = await cameraOf(brand, scheme);
        await (values.landing ? walkLanding(camera, brand) : walkBrand(camera, brand, players));
        await camera.close();
      }
      await makeSheet(browser, join(OUT, brand.key), brand.key);
      console.log(`${brand.key}: ${join(OUT, brand.key, 'sheet.png')}`);
    }
    const speaker = brands.find(({ key }) => key === BRAND_OF_LANGUAGES);
    if (speaker && values.languages === 'all' && !values.landing) {
      const folder = { ...speaker, key: 'languages' };
      await rm(join(OUT, folder.key), { recursive: true, force: true });
      await mkdir(join(OUT, folder.key), { recursive: true });
      for (const language of speaker.languages) {
        const camera = await cameraOf(folder, 'light', sizes.slice(0, 1));
        await walkLanguage(camera, speaker, language, players);
        await camera.close();
      }
      await makeSheet(browser, join(OUT, folder.key), folder.key);
      console.log(`languages: ${join(OUT, folder.key, 'sheet.png')}`);
    }
    await makeGreyscaleSheet(
      browser,
      OUT,
      brands.map(({ key }) => key),
    );
    console.log(`greyscale: ${join(OUT, 'greyscale-phone.png')}, ${join(OUT, 'greyscale-desktop.png')}`);
  } finally {
    await players.close();
    await browser.close();
    await stop();
  }
  for (const line of missed) console.error(`not reached: ${line}`);
  return missed.length > 0 ? 1 : 0;
}

function readSize(text: string): Size {
  const [width = 0, height = 0] = text.split('x').map(Number);
  if (!(width >= 200 && width <= 4000 && height >= 200 && height <= 4000))
    throw new RangeError(`--sizes has "${text}": a size is written as ${SIZES[0]}.\n\n${USAGE}`);
  return { width, height };
}

function readScheme(text: string): 'light' | 'dark' {
  if (text === 'light' || text === 'dark') return text;
  throw new RangeError(`--schemes has "${text}": light or dark.\n\n${USAGE}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof RangeError ? error.message : error);
  process.exitCode = 2;
}
