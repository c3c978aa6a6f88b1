// Files that name the newest version for an operator who copies from them: an image's tag.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version follows this text, once or more often. */
const VERSION_PLACES: readonly { readonly file: string; readonly before: string }[] = [
  { file: 'deploy/kubernetes/kustomization.yaml', before: 'newTag: ' },
];

/** @returns the places that do not name this version */
export async function findStrays(root: string, version: string): Promise<string[]> {
  const found = await Promise.all(
    VERSION_PLACES.map(async ({ before, file }) => {
      const text = await readFile(join(root, file), 'utf8').catch(() => '');
      const named = text.split(before).slice(1);
      const isWell = named.length > 0 && named.every((rest) => /^[\d.]*\d/.exec(rest)?.[0] === version);
      return isWell ? [] : [`${file} does not name ${version} after "${before.trim()}"`];
    }),
  );
  return found.flat();
}

/** @returns the files that were written */
export async function writePlaces(root: string, from: string, to: string): Promise<string[]> {
  for (const { before, file } of VERSION_PLACES) {
    const path = join(root, file);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(`${before}${from}`, `${before}${to}`));
  }
  return VERSION_PLACES.map(({ file }) => file);
}
