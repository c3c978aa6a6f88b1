// What a phone has to load, from the bundler's own list of what belongs to what, compressed as
// the build does it (brotli 11).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean };
type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes after brotli, and how many files they come in. */
export type Weight = { readonly scriptBytes: number; readonly scripts: number; readonly styleBytes: number };

/** The popups between the goods and the result, by their source files. */
const WAY = [
  'web/features/games/RolePopup.tsx',
  'web/features/accounts/login/LoginPopup.tsx',
  'web/features/payments/RechargePopup.tsx',
  'web/features/orders/result/ResultPopup.tsx',
];

/**
 * @param folder the built storefront; throws when a popup of the way is no longer where it was, or
 * the figure would be too good
 */
export async function weighStorefront(folder: string): Promise<{ landing: Weight; wholeWay: Weight }> {
  const manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error('the manifest has no entry');
  return { landing: await weigh(folder, manifest, [entry]), wholeWay: await weigh(folder, manifest, [entry, ...WAY]) };
}

async function weigh(folder: string, manifest: Manifest, keys: readonly string[]): Promise<Weight> {
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
  const total = async (files: Iterable<string>): Promise<number> => {
    const sizes = await Promise.all([...files].map(async (file) => compress(await readFile(join(folder, file)))));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return { scriptBytes: await total(scripts), scripts: scripts.size, styleBytes: await total(styles) };
}

/** Bytes of `content` after brotli at its best. */
export function compress(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
    .length;
}
