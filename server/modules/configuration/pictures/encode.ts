// One file of a publisher becomes the sizes of a page: AVIF and WebP, small enough or refused. The
// only place that knows sharp.
import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import { readDrawing } from '#server/modules/configuration/drawings/drawing.ts';
import {
  explainSize,
  MAX_FILE_BYTES,
  type MadeFile,
  type MadePicture,
  type PictureFormat,
  type WantedPicture,
} from './picture-types.ts';
import { FIRST_LOOK, QUALITIES, RECIPES, tellOverBudget, webpQuality, widthsFor } from './pictures-rules.ts';

export type Encoded =
  | { readonly ok: true; readonly made: MadePicture; readonly bytes: ReadonlyMap<string, Buffer> }
  /** `reason` names the file and says what to do; `line` is that of a drawing. */
  | { readonly ok: false; readonly reason: string };

/** Our choice: what a camera or a drawing program gives; more is a mistake, and a decoder's memory. */
const MAX_PIXELS = 40_000_000;
/**
 * Measured on the shipped art: 3 and above take three times as long for two in a hundred fewer bytes; large
 * sizes are rare on slow lines.
 */
const AVIF_EFFORT = { small: 2, large: 1 } as const;
const WEBP_EFFORT = 2;

/** Loaded when a picture is made: a running shop makes none, and the library costs it 30 MB. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp');
  // Pictures are made side by side (make-pictures.ts); threads inside one would only wait for each other.
  sharp.concurrency(1);
  return sharp;
};

/** @param source what the result is kept under */
export async function encodePicture(wanted: WantedPicture, file: Buffer, source: string): Promise<Encoded> {
  const refusal = refuseFile(wanted.path, file);
  if (refusal !== null) return { ok: false, reason: refusal };
  const sharp = await loadSharp();
  const isDrawing = wanted.path.endsWith('.svg');
  const options: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error' };
  try {
    const given = await sharp(file, options).metadata();
    const { width: sourceWidth } = given.autoOrient;
    const widths = widthsFor(wanted.role, sourceWidth, isDrawing);
    const open = (width: number): Sharp => {
      // A drawing is made at the size that is wanted; 72 is where its own pixels are one to one.
      const density = isDrawing ? Math.min(2400, Math.max(1, (72 * width) / sourceWidth)) : undefined;
      return sharp(file, density === undefined ? options : { ...options, density })
        .autoOrient()
        .resize({ width });
    };
    const bases = await Promise.all(
      widths.map(async (width) => ({ width, pixels: await open(width).png({ compressionLevel: 1 }).toBuffer() })),
    );
    const [small] = bases;
    if (!small) throw new Error('no size is wanted');
    const chroma = wanted.role === 'hero' ? '4:2:0' : '4:4:4';
    const avif = (pixels: Buffer, quality: number, size: 'small' | 'large') =>
      sharp(pixels).avif({ quality, effort: AVIF_EFFORT[size], chromaSubsampling: chroma }).toBuffer();
    const fitted = await fit(RECIPES[wanted.role].budgetBytes, QUALITIES, (quality) =>
      avif(small.pixels, quality, 'small'),
    );
    if (!fitted.isWithin) {
      const measured = { bytes: fitted.bytes.length, width: small.width, quality: fitted.quality };
      return { ok: false, reason: tellOverBudget(wanted, measured) };
    }
    const bytes = new Map<string, Buffer>();
    const files: MadeFile[] = [];
    const add = (format: PictureFormat, width: number, content: Buffer) => {
      const hash = hashOf(content);
      bytes.set(hash, content);
      files.push({ hash, format, width });
    };
    for (const { width, pixels } of bases)
      add('avif', width, pixels === small.pixels ? fitted.bytes : await avif(pixels, fitted.quality, 'large'));
    for (const { width, pixels } of bases)
      add(
        'webp',
        width,
        await sharp(pixels)
          .webp({ quality: webpQuality(fitted.quality), effort: WEBP_EFFORT })
          .toBuffer(),
      );
    const firstLook = wanted.role === 'hero' ? await drawFirstLook(sharp(small.pixels)) : undefined;
    const { isOpaque } = await sharp(small.pixels).stats();
    const { width = 0, height = 0 } = await sharp(bases.at(-1)?.pixels).metadata();
    const color = await readColour(sharp(small.pixels), wanted.role === 'hero' ? 3 : 1);
    return {
      ok: true,
      bytes,
      made: {
        source,
        width,
        height,
        color,
        isOpaque,
        smallBytes: fitted.bytes.length,
        files,
        ...(firstLook && { firstLook }),
      },
    };
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n');
    return { ok: false, reason: `${wanted.path} cannot be read as a picture (${first}); save it anew` };
  }
}

/** @returns base64 of an AVIF */
async function drawFirstLook(picture: Sharp): Promise<string> {
  const { width, budgetBytes, qualities } = FIRST_LOOK;
  const small = picture.resize({ width, withoutEnlargement: true });
  const draw = (quality: number) =>
    small.clone().avif({ quality, effort: AVIF_EFFORT.small, chromaSubsampling: '4:2:0' }).toBuffer();
  return (await fit(budgetBytes, qualities, draw)).bytes.toString('base64');
}

/** Lowers the quality until the budget holds, or to the floor. */
async function fit(budget: number, qualities: readonly number[], encode: (quality: number) => Promise<Buffer>) {
  let last: { bytes: Buffer; quality: number; isWithin: boolean } | null = null;
  for (const quality of qualities) {
    const bytes = await encode(quality);
    last = { bytes, quality, isWithin: bytes.length <= budget };
    if (last.isWithin) break;
  }
  if (!last) throw new Error('no quality is allowed');
  return last;
}

/** 96 bits are enough to tell one operator's pictures apart, and short in a page that names a hundred. */
export function hashOf(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64url').slice(0, 16);
}

function refuseFile(path: string, file: Buffer): string | null {
  if (file.length > MAX_FILE_BYTES)
    return `${path} ${explainSize(file.length)}`;
  if (!path.endsWith('.svg')) return isRaster(file) ? null : `${path} is no PNG, JPEG, WebP or AVIF; save it as one`;
  const text = file.toString('utf8');
  const read = readDrawing(text);
  if (read.kind === 'refused') return read.faults.map(({ line, sentence }) => `${path}:${line}: ${sentence}`).join('\n');
  const unknown = /\b(var|light-dark|color-mix)\s*\(/.exec(text);
  return unknown ? `${path} uses ${unknown[1]}(), which only drawings inside a page know; write literal colours` : null;
}

/** By its first bytes: a name says nothing, and a decoder would take a drawing under the name of a PNG. */
function isRaster(file: Buffer): boolean {
  const at = (start: number, end: number) => file.toString('latin1', start, end);
  return (
    at(0, 4) === '\x89PNG' ||
    at(0, 3) === '\xFF\xD8\xFF' ||
    (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') ||
    (at(4, 8) === 'ftyp' && /^(avif|avis|mif1|miaf)/.test(at(8, 12)))
  );
}

/** The mean colour of what is not transparent, in bands from top to bottom. */
async function readColour(picture: Sharp, bands: number): Promise<string> {
  const columns = 8;
  const rows = bands * 4;
  const { data } = await picture
    .resize({ width: columns, height: rows, fit: 'fill' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: bands }, (_, band) => {
    const pixels = data.subarray(band * 4 * columns * 4, (band + 1) * 4 * columns * 4);
    const sums = [0, 0, 0, 0];
    for (let at = 0; at < pixels.length; at += 4) {
      const alpha = pixels[at + 3] ?? 0;
      for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (pixels[at + channel] ?? 0) * alpha;
      sums[3] = (sums[3] ?? 0) + alpha;
    }
    const [red = 0, green = 0, blue = 0, weight = 0] = sums;
    return `#${[red, green, blue].map((sum) => hex(weight === 0 ? 0 : sum / weight)).join('')}`;
  }).join(' ');
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0');
}
