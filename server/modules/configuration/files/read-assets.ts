// Which pictures there are beside the files, and why an SVG among them is more than a plain drawing.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { AssetFacts } from '#server/modules/configuration/checks/finding-types.ts';
import { readDrawing } from '#server/modules/configuration/drawings/drawing.ts';

/** @returns facts by path from the root, e.g. "brands/watt/assets/logo.svg" */
export async function readAssets(root: string, folders: readonly string[]): Promise<Map<string, AssetFacts>> {
  const found = await Promise.all(folders.map((folder) => readFolder(root, folder)));
  return new Map(found.flat());
}

async function readFolder(root: string, folder: string): Promise<[string, AssetFacts][]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return Promise.all(
    names.map(async (name): Promise<[string, AssetFacts]> => {
      const fault = name.endsWith('.svg') ? judge(await readFile(join(root, folder, name), 'utf8')) : null;
      return [`${folder}/${name}`, { fault }];
    }),
  );
}

function judge(svg: string): AssetFacts['fault'] {
  const read = readDrawing(svg);
  return read.kind === 'drawing' ? null : read;
}
