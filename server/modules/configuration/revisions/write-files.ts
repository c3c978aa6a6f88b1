// The files of a configuration written into a folder: what the database has of them, so without comments and without
// the sources of pictures.
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import type { ConfigurationFiles } from '#server/modules/configuration/configuration.ts';
import { pathInside } from '#server/platform/path-inside.ts';
import { makeFolders } from '#server/platform/make-folders.ts';

/** By path from the root. */
function writeTexts({ brands, games, channels, regions, messages = {} }: ConfigurationFiles): Map<string, string> {
  const yaml = (body: unknown) => stringify(body, { lineWidth: 0, aliasDuplicateObjects: false });
  return new Map([
    ...[...brands].map(([key, body]) => [`brands/${key}/brand.yaml`, yaml(body)] as const),
    ...[...games].map(([id, body]) => [`games/${id}/game.yaml`, yaml(body)] as const),
    ['channels/channels.yaml', yaml(channels)],
    ...(Object.keys(regions).length > 0 ? [['regions/regions.yaml', yaml(regions)] as const] : []),
    ...Object.entries(messages).map(
      ([language, texts]) => [`messages/${language}.json`, `${JSON.stringify(texts, null, 2)}\n`] as const,
    ),
  ]);
}

/** @returns the paths, from `root` */
export async function writeFiles(root: string, files: ConfigurationFiles): Promise<string[]> {
  const texts = writeTexts(files);
  for (const [path, text] of texts) {
    const target = pathInside(root, path);
    await makeFolders(dirname(target));
    await writeFile(target, text);
  }
  return [...texts.keys()];
}
