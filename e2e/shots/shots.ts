// npm run shots [-- brand ...] [options]: pictures of every screen and popup of every brand in .data/shots, with a
// contact sheet a brand, one of all landings in greyscale, and faults.txt: what is wrong without an eye having looked.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { announceShop, isShopRunning, runningShop } from '../running-shop.ts';
import { startShop } from '../start-shop.ts';
import { openTestPlayers, type TestPlayers } from '#testing/players.ts';
import { findBrowser } from '#scripts/find-browser.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { answerHelp } from '#scripts/usage.ts';
import { type Camera, createCamera, type Notes, type Scheme, SCHEMES, type Size } from './camera.ts';
import { PICTURES } from './pictures.ts';
import { readBrands, type ShotBrand } from './shot-brands.ts';
import { makeGreyscaleSheet, makeSheet } from './sheets.ts';
import { walkBrand, walkLanding, walkLanguage } from './walks.ts';

const OUT = join(projectRoot, '.data', 'shots');
const SIZES = ['390x844', '320x568', '844x390', '820x1180', '1440x900'];
/** Sells in every language. */
const BRAND_OF_LANGUAGES = 'watt';

const USAGE = `Usage: npm run shots [-- brand ...] [options]

  --sizes <list>      ${SIZES.join(',')}
  --schemes <list>    light,dark; also forced (colours of the device), large (text twice as large)
  --language <code>   walks in this language; else in each brand's first
  --languages <which> all: the purchase in every language; none; or a list
  --landing           the landing pages alone, phone and desktop
  --purchase          the purchase in the languages alone`;

type Choice = {
  brands: ShotBrand[];
  sizes: Size[];
  schemes: Scheme[];
  language: string | undefined;
  languages: string[];
  isLanding: boolean;
  isPurchase: boolean;
};

/** @throws RangeError with the usage, for what is no option of it */
function parseOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        sizes: { type: 'string', default: SIZES.join(',') },
        schemes: { type: 'string', default: 'light,dark' },
        language: { type: 'string' },
        languages: { type: 'string', default: 'all' },
        landing: { type: 'boolean', default: false },
        purchase: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new RangeError(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

function readChoice(): Choice {
  const { values, positionals } = parseOptions();
  const all = readBrands();
  const unknown = positionals.find((name) => !all.some(({ key }) => key === name));
  if (unknown !== undefined)
    throw new RangeError(`There is no brand ${unknown}: ${all.map(({ key }) => key).join(', ')}.`);
  const brands = positionals.length > 0 ? all.filter(({ key }) => positionals.includes(key)) : all;
  const speaker = brands.find(({ key }) => key === BRAND_OF_LANGUAGES);
  const languages = values.languages === 'all' ? (speaker?.languages ?? []) : values.languages.split(',');
  return {
    brands,
    sizes: (values.landing ? '390x844,1440x900' : values.sizes).split(',').map(readSize),
    schemes: values.schemes.split(',').map(readScheme),
    language: values.language,
    languages: values.landing || values.languages === 'none' || !speaker ? [] : [...languages],
    isLanding: values.landing,
    isPurchase: values.purchase,
  };
}

type Studio = { browser: Browser; players: TestPlayers; notes: Notes; choice: Choice };

async function main(): Promise<number> {
  const choice = readChoice();
  const started = isShopRunning() ? null : await startShop();
  if (started) announceShop(started.shop);
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env });
  const players = await openTestPlayers(runningShop().databaseUrl);
  const notes: Notes = { missed: [], faults: [] };
  const studio: Studio = { browser, players, notes, choice };
  try {
    if (!choice.isPurchase) {
      for (const brand of choice.brands) await shootBrand(studio, brand);
      const keys = choice.brands.map(({ key }) => key);
      await makeGreyscaleSheet(browser, OUT, keys);
      console.log(`greyscale: ${join(OUT, 'greyscale-phone.png')}, ${join(OUT, 'greyscale-desktop.png')}`);
    }
    if (choice.languages.length > 0) await shootLanguages(studio);
  } finally {
    await players.close();
    await browser.close();
    await started?.stop();
  }
  await writeFile(join(OUT, 'faults.txt'), `${notes.faults.join('\n')}\n`);
  console.log(`${notes.faults.length} faults: ${join(OUT, 'faults.txt')}`);
  for (const line of notes.missed) console.error(`not reached: ${line}`);
  return notes.missed.length > 0 ? 1 : 0;
}

const cameraOf = ({ browser, notes, choice }: Studio, folder: string, scheme: Scheme): Promise<Camera> =>
  createCamera(browser, { folder, scheme, sizes: choice.sizes, notes });

async function shootBrand(studio: Studio, brand: ShotBrand): Promise<void> {
  const { choice, players, notes } = studio;
  const language = choice.language ?? brand.languages[0] ?? 'en';
  if (!brand.languages.includes(language))
    throw new RangeError(`${brand.key} does not speak ${language}: ${brand.languages.join(', ')}.`);
  const folder = await emptyFolder(choice.language === undefined ? brand.key : `${brand.key}-${language}`);
  for (const scheme of choice.schemes) {
    const camera = await cameraOf(studio, folder, scheme);
    if (choice.isLanding) {
      await walkLanding(camera, brand, language);
    } else {
      await walkBrand(camera, brand, language, players);
      for (const name of expectedOf(brand))
        if (!camera.taken.has(name)) notes.missed.push(`${brand.key} ${scheme}: no picture of ${name}`);
    }
    await camera.close();
  }
  await makeSheet(studio.browser, folder, brand.key);
  console.log(`${brand.key}: ${join(folder, 'sheet.png')}`);
}

function expectedOf(brand: ShotBrand): string[] {
  return Object.entries(PICTURES).flatMap(([name, picture]) => {
    const isOwn = picture.of === 'both' || (picture.of === 'classic') === brand.isClassic;
    return isOwn && !('isRare' in picture) ? [name] : [];
  });
}

async function shootLanguages(studio: Studio): Promise<void> {
  const { choice, players } = studio;
  const speaker = choice.brands.find(({ key }) => key === BRAND_OF_LANGUAGES);
  if (!speaker) return;
  const folder = await emptyFolder('languages');
  for (const language of choice.languages) {
    const camera = await createCamera(studio.browser, {
      folder,
      scheme: 'light',
      sizes: choice.sizes.slice(0, 1),
      notes: studio.notes,
    });
    await walkLanguage(camera, speaker, language, players);
    await camera.close();
  }
  await makeSheet(studio.browser, folder, 'languages');
  console.log(`languages: ${join(folder, 'sheet.png')}`);
}

async function emptyFolder(name: string): Promise<string> {
  const folder = join(OUT, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

function readSize(text: string): Size {
  const [width = 0, height = 0] = text.split('x').map(Number);
  if (!(width >= 200 && width <= 4000 && height >= 200 && height <= 4000))
    throw new RangeError(`--sizes has "${text}": a size is written as ${SIZES[0]}.\n\n${USAGE}`);
  return { width, height };
}

function readScheme(text: string): Scheme {
  const scheme = SCHEMES.find((one) => one === text);
  if (!scheme) throw new RangeError(`--schemes has "${text}": ${SCHEMES.join(', ')}.\n\n${USAGE}`);
  return scheme;
}

answerHelp(USAGE);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof RangeError ? error.message : error);
  process.exitCode = 2;
}
