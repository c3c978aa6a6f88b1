// The brand's own drawings, put into the page once as symbols, so that they take its colours and are not
// sent twice. What is no plain drawing stays a file behind an address: an <img> shows it, and nothing in it reaches the
// page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrandPicture, PagePicture } from '#contracts/boot.ts';
import type { Log } from '#server/platform/log.ts';
import { readDrawing } from '../modules/configuration/service.ts';

/** @returns what the page knows of the picture, and the symbol's mark-up (empty for a file) */
export function placePicture(picture: BrandPicture): { page: PagePicture; symbol: string } {
  if ('url' in picture) return { page: picture, symbol: '' };
  const { symbol, viewBox, markup } = picture;
  return { page: { symbol, viewBox }, symbol: `<symbol id="${symbol}" viewBox="${viewBox}">${markup}</symbol>` };
}

/** Our choice: a file that is not there yet is looked for again after this, and complained of no more often. */
const RETRY_MS = 10_000;

export type PictureReader = (brandKey: string, file: string, symbol: string) => Promise<BrandPicture>;

/**
 * Reads each picture once; one that could not be read is tried again, for it may be on its way.
 * @param brands folder of the brands
 */
export function createPictureReader(brands: string, log: Log, now: () => number = Date.now): PictureReader {
  const known = new Map<string, { picture: Promise<BrandPicture>; until: number }>();
  return (brandKey, file, symbol) => {
    const url = `/brands/${brandKey}/${file}`;
    if (!file.endsWith('.svg')) return Promise.resolve({ url });
    const key = `${url} ${symbol}`;
    const before = known.get(key);
    if (before && before.until > now()) return before.picture;
    const entry = { picture: read(), until: Infinity };
    known.set(key, entry);
    return entry.picture;

    async function read(): Promise<BrandPicture> {
      const text = await readFile(join(brands, brandKey, 'assets', file), 'utf8').catch((error: unknown) => {
        log.warn({ err: error, picture: url }, 'a picture of a brand cannot be read; pages show its address instead');
        return null;
      });
      if (text === null) entry.until = now() + RETRY_MS;
      const drawn = text === null ? null : readDrawing(text);
      if (drawn?.kind === 'refused')
        log.error({ picture: url, faults: drawn.faults }, 'a drawing is not plain; it stays out of pages');
      if (drawn?.kind !== 'drawing') return { url };
      const { viewBox, writeInner } = drawn.drawing;
      return { symbol, viewBox, markup: writeInner(`${symbol}-`) };
    }
  };
}
