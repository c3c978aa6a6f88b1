// Weighs the files that a phone has to load, from the bundler's own list of parts, compressed as the build does it
// (brotli 11).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Version } from '#contracts/documents.ts';

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean };
export type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes after brotli, and how many files they come in. */
export type Weight = { readonly scriptBytes: number; readonly scripts: number; readonly styleBytes: number };
/** Weighs the first page, and everything from there to the result. */
export type Weights = { readonly landing: Weight; readonly wholeWay: Weight };

/** By source file: what the first page needs beside the entry, and what follows between it and the result. */
const WAYS: Readonly<Record<Version, { landing: readonly string[]; rest: readonly string[] }>> = {
  new: {
    landing: [],
    rest: [
      'web/features/games/roles/RolePopup.tsx',
      'web/features/accounts/login/LoginPopup.tsx',
      'web/screens/order-with-coupon.tsx',
      'web/screens/recharge-with-coupon.tsx',
      'web/features/orders/result/ResultPopup.tsx',
    ],
  },
  classic: {
    landing: ['web/screens/classic/select-game.tsx'],
    rest: [
      'web/features/accounts/login/LoginPopup.tsx',
      'web/screens/classic/select-goods.tsx',
      'web/screens/classic/recharge.tsx',
      'web/screens/classic/result.tsx',
    ],
  },
};

/** @param folder the built storefront */
export async function weighStorefront(folder: string): Promise<Record<Version, Weights>> {
  const manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error('the manifest has no entry');
  const weighWay = async (version: Version): Promise<Weights> => {
    const { landing, rest } = WAYS[version];
    const first = [entry, ...landing];
    return {
      landing: await weigh(folder, listFiles(manifest, first)),
      wholeWay: await weigh(folder, listFiles(manifest, [...first, ...rest])),
    };
  };
  return { new: await weighWay('new'), classic: await weighWay('classic') };
}

/**
 * The files that these sources need at once, each once.
 * Throws when a source is no longer where it was, or the figure would be too good.
 */
export function listFiles(manifest: Manifest, keys: readonly string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visited = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the manifest has no ${key}`);
    if (visited.has(key)) return;
    visited.add(key);
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return { scripts: [...scripts], styles: [...styles] };
}

async function weigh(folder: string, files: ReturnType<typeof listFiles>): Promise<Weight> {
  const total = async (names: readonly string[]): Promise<number> => {
    const sizes = await Promise.all(names.map(async (name) => compress(await readFile(join(folder, name)))));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return {
    scriptBytes: await total(files.scripts),
    scripts: files.scripts.length,
    styleBytes: await total(files.styles),
  };
}

/** Bytes of `content` after brotli at its best. */
export function compress(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;
}
