// Which pictures there are beside the files, and whether an SVG is more than a drawing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetFacts } from '#server/modules/configuration/checks/finding-types.ts';

/** Script, event handlers, foreign documents, and references that leave the file: none of it belongs in a drawing. */
const ACTIVE = [
  /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|embed|object)\b/i,
  /[\s/"']on[a-z]+\s*=/i,
  /javascript:|<!ENTITY|@import/i,
  /(?:href|src)\s*=\s*["']\s*(?!#|data:image\/(?:png|jpeg|webp|avif);)/i,
  /url\(\s*["']?\s*(?!#|data:image\/(?:png|jpeg|webp|avif);)[^\s"']/i,
  // An animation may set what a plain attribute may not.
  /attributeName\s*=\s*["']\s*(?:[\w-]+:)?(?:href|on)/i,
];

/** @returns facts by path from the root, e.g. "brands/watt/assets/logo.svg" */
export async function readAssets(root: string, folders: readonly string[]): Promise<Map<string, AssetFacts>> {
  const found = await Promise.all(folders.map((folder) => readFolder(root, folder)));
  return new Map(found.flat());
}

async function readFolder(root: string, folder: string): Promise<[string, AssetFacts][]> {
  const names = await readdir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return Promise.all(
    names.map(async (name): Promise<[string, AssetFacts]> => {
      const isDrawing = name.endsWith('.svg');
      const isActive = isDrawing && holdsActive(await readFile(join(root, folder, name), 'utf8'));
      return [`${folder}/${name}`, { isActive }];
    }),
  );
}

function holdsActive(svg: string): boolean {
  return ACTIVE.some((pattern) => pattern.test(svg));
}
