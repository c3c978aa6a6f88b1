// Declares the three stages of a picture from a publisher's file to a page: wanted, made, shown. Pure.
import type { KeyArt, Picture } from '#contracts/pictures.ts';

export type PictureRole = 'hero' | 'goods' | 'currency';
export type PictureFormat = 'avif' | 'webp';

/** One size as it is stored. */
export type MadeFile = { readonly hash: string; readonly format: PictureFormat; readonly width: number };

/** Holds the sizes made of one file; the database stores it as the body of a `picture` row. */
export type MadePicture = {
  /** Hash of the file, its role and the recipe: as long as it stays, nothing is made again. */
  readonly source: string;
  readonly width: number;
  readonly height: number;
  /** One to three hex colours, spaces between them. */
  readonly color: string;
  readonly isOpaque: boolean;
  /** Bytes of the small size as AVIF, which the budget counts. */
  readonly smallBytes: number;
  readonly files: readonly MadeFile[];
  /** Of key art: a small AVIF for the page's HTML, in base64. Left out of what was made before there was one. */
  readonly firstLook?: string;
};

/** A picture that a file of the configuration names. */
export type WantedPicture = {
  readonly role: PictureRole;
  /** From the root, e.g. "games/emberfall/assets/hero.svg". */
  readonly path: string;
  /** Which file names it, and where in it. */
  readonly file: string;
  readonly at: readonly (string | number)[];
};

/** The key of a picture's row: one file may be wanted in two roles. */
export function keyOfPicture(role: PictureRole, path: string): string {
  return `${role} ${path}`;
}

export const MEDIA_TYPES: Readonly<Record<PictureFormat, string>> = { avif: 'image/avif', webp: 'image/webp' };

/** The address of a stored size. */
function addressOf({ hash, format }: Pick<MadeFile, 'hash' | 'format'>): string {
  return `/pictures/${hash}.${format}`;
}

/** As the page has it. */
export function toPicture({ width, height, color, isOpaque, files }: MadePicture): Picture {
  const srcset = (format: PictureFormat) =>
    files
      .filter((file) => file.format === format)
      .map((file) => `${addressOf(file)} ${file.width}w`)
      .join(', ');
  return { avif: srcset('avif'), webp: srcset('webp'), width, height, color, is_opaque: isOpaque };
}

export function toKeyArt(made: MadePicture, focus: string | undefined): KeyArt {
  return { ...toPicture(made), focus: focus ?? '50% 50%' };
}

/**
 * A brand's hero that is a drawing goes into the page in the page's own colours; all other pictures are made in sizes.
 */
/** Our choice: a photograph of 2000 pixels has a tenth of it. */
export const MAX_FILE_BYTES = 10_000_000;

/** @param bytes more than `MAX_FILE_BYTES` */
export const explainSize = (bytes: number): string =>
  `has ${Math.round(bytes / 1e6)} MB, ${MAX_FILE_BYTES / 1e6} at most; save it 2000 pixels wide`;

export function isPageDrawing(file: string): boolean {
  return file.endsWith('.svg');
}

export function pathOfGame(id: string, picture: string): string {
  return `games/${id}/assets/${picture}`;
}

export function pathOfBrand(key: string, picture: string): string {
  return `brands/${key}/assets/${picture}`;
}
