// npm run build: messages, storefront, and compressed copies of every file. Does nothing when
// nothing it is made of has changed.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hashFiles, listFiles } from './hash-files.ts';
import { checkCatalogues, compileCatalogues, generateTypes, readCatalogues } from './messages.ts';
import { projectRoot } from './run-tool.ts';
import { watchFolders } from './start/start-dev.ts';
import { answerHelp } from './usage.ts';

const dist = join(projectRoot, 'web', 'dist');
const STAMP = 'built-from.txt';

/** The storefront is built from these. */
const INPUTS = [
  'web',
  'kernel',
  'contracts',
  'messages',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.ts',
  'scripts/compile-ahead.ts',
  'scripts/messages.ts',
  'scripts/strip-schemas.ts',
  'scripts/compile-ahead.ts',
  'scripts/browsers/oldest.ts',
];
const SOURCES = ['web', 'kernel', 'contracts', 'messages'];

type Options = {
  /**
   * For a demonstration and for who edits: the quick minifier and light compression, a seventh of the work for a
   * sixth more bytes. Everything that is measured, tested or released has the best.
   */
  readonly isQuick?: boolean;
};

/**
 * Builds unless web/dist was built from exactly what is there now; a quick build does only for a quick one, the best
 * for both.
 */
export async function buildIfStale({ isQuick = false }: Options = {}): Promise<{ built: boolean }> {
  const inputs = await hashInputs();
  const known = await readFile(join(dist, STAMP), 'utf8').catch(() => '');
  if (isFresh(known, inputs, isQuick)) return { built: false };
  await buildStorefront({ isQuick });
  return { built: true };
}

/** Builds everything. Throws with one sentence for each fault of the messages, or with the bundler's own. */
export async function buildStorefront({ isQuick = false }: Options = {}): Promise<void> {
  const inputs = await hashInputs();
  const catalogues = await readCatalogues();
  const faults = checkCatalogues(catalogues, null);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await generateTypes(catalogues.get('en') ?? {});
  // Made beside the one in use and put in its place at the end: a running server never meets half a storefront.
  const next = join(projectRoot, '.data', `storefront-${process.pid}`);
  await rm(next, { recursive: true, force: true });
  await bundle(next, isQuick);
  await compileCatalogues(catalogues, join(next, 'messages'));
  await copyIcons(next);
  await compressAll(next, isQuick);
  await writeFile(join(next, STAMP), stampOf(inputs, isQuick));
  await swapIn(next);
}

/** Packs the React of players, whatever NODE_ENV says where it is built. */
async function bundle(outDir: string, isQuick: boolean): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    // Loaded only for a build: a start whose storefront is fresh need not wait for it.
    const { build } = await import('vite');
    await build({
      configFile: join(projectRoot, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir, ...(isQuick && { minify: 'oxc' }) },
    });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

async function swapIn(next: string): Promise<void> {
  const old = `${next}-old`;
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(next, dist);
  await rm(old, { recursive: true, force: true });
}

/**
 * Builds now and after every change.
 * @param rebuild wraps each later build: says that it runs, and survives its failure
 * @returns what stops the watching
 */
export async function watchStorefront(
  rebuild: (build: () => Promise<void>) => Promise<void>,
): Promise<{ close: () => void }> {
  await buildIfStale({ isQuick: true });
  return watchFolders(SOURCES, async (files) => {
    if (files.every((file) => join(projectRoot, file).startsWith(dist))) return;
    await rebuild(() => buildStorefront({ isQuick: true }));
  });
}

/** The line icons go into every page, without their comments. */
async function copyIcons(out: string): Promise<void> {
  const text = await readFile(join(projectRoot, 'web', 'art', 'icons.svg'), 'utf8');
  await writeFile(join(out, 'icons.svg'), text.replaceAll(/<!--[\s\S]*?-->/g, '').replaceAll(/\n\s*/g, ''));
}

async function compressAll(folder: string, isQuick: boolean): Promise<void> {
  const files = (await listFiles(folder)).filter((file) => /\.(js|css|svg|json)$/.test(file));
  await Promise.all(files.map((file) => compressFile(file, isQuick)));
}

async function compressFile(file: string, isQuick: boolean): Promise<void> {
  const content = await readFile(file);
  const quality = isQuick ? 4 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: isQuick ? 4 : 9 }));
}

/** @param known the stamp of the build that is there */
export const isFresh = (known: string, inputs: string, isQuick: boolean): boolean =>
  known === stampOf(inputs, false) || (isQuick && known === stampOf(inputs, true));

const stampOf = (inputs: string, isQuick: boolean): string => `${inputs}${isQuick ? ' quick' : ''}`;

const hashInputs = (): Promise<string> =>
  hashFiles(projectRoot, INPUTS, (file) => file.startsWith(dist) || /\.test\.tsx?$/.test(file));

if (import.meta.main) {
  answerHelp(`Usage: npm run build [-- --force]

Builds the storefront into web/dist when a source of it has changed; --force: in any case.`);
  const { built } = process.argv.includes('--force')
    ? await buildStorefront().then(() => ({ built: true }))
    : await buildIfStale();
  console.log(built ? 'Built the storefront.' : 'The storefront is up to date.');
}
