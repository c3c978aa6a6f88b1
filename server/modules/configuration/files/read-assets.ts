// Which pictures there are beside the files, and why an SVG among them is more than a plain drawing.
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { AssetFacts } from '#server/modules/configuration/checks/finding-types.ts';
import { readDrawing } from '#server/modules/configuration/drawings/drawing.ts';
import { explainSize, MAX_FILE_BYTES } from '#server/modules/configuration/pictures/picture-types.ts';
import { readUtf8, type TextFault } from '#server/platform/utf8.ts';

export type Assets = {
  /** By path from the root, e.g. "brands/watt/assets/logo.svg". */
  readonly files: ReadonlyMap<string, AssetFacts>;
  /** Paths of symbolic links, of files and of folders: none is followed, for it may lead out of the shop. */
  readonly links: readonly string[];
};

export async function readAssets(root: string, folders: readonly string[]): Promise<Assets> {
  const found = await Promise.all(folders.map((folder) => readFolder(root, folder)));
  return { files: new Map(found.flatMap(({ files }) => files)), links: found.flatMap(({ links }) => links) };
}

async function readFolder(
  root: string,
  folder: string,
): Promise<{ files: [string, AssetFacts][]; links: readonly string[] }> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const namesOf = (some: readonly Dirent[]): string[] =>
    some.map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const files = await Promise.all(
    namesOf(entries.filter((entry) => entry.isFile())).map(async (name): Promise<[string, AssetFacts]> => {
      const path = join(root, folder, name);
      const faults = name.endsWith('.svg') ? judge(await readUtf8(path)) : judgeSize((await stat(path)).size);
      return [`${folder}/${name}`, { faults }];
    }),
  );
  const links = namesOf(entries.filter((entry) => entry.isSymbolicLink()));
  return { files, links: links.map((name) => `${folder}/${name}`) };
}

function judge(svg: string | TextFault): AssetFacts['faults'] {
  if (typeof svg !== 'string') return [{ line: svg.line, sentence: svg.reason }];
  const read = readDrawing(svg);
  return read.kind === 'drawing' ? [] : read.faults;
}

const judgeSize = (bytes: number): AssetFacts['faults'] =>
  bytes > MAX_FILE_BYTES ? [{ line: 1, sentence: explainSize(bytes) }] : [];
