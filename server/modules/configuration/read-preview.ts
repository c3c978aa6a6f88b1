// The files of a folder as a shop would run on them, with the sizes of their pictures in memory: for who looks at a
// change before it is applied. Touches no database.
import { buildConfiguration, type Configuration } from './configuration.ts';
import type { Fault } from './checks/finding-types.ts';
import { readFiles, type ReadOptions } from './files/read-files.ts';
import { listPictures } from './pictures/list-rules.ts';
import { makePictures } from './pictures/make-pictures.ts';
import { MEDIA_TYPES } from './pictures/picture-types.ts';
import type { PictureShelf } from './pictures/serve-pictures.ts';

type Preview = {
  readonly ok: true;
  readonly configuration: Configuration;
  readonly pictures: PictureShelf;
  readonly warnings: readonly Fault[];
};

/** @param now epoch milliseconds: prices are those of that moment */
export async function readPreview(
  root: string,
  options: ReadOptions,
  now: number,
): Promise<Preview | { readonly ok: false; readonly faults: readonly Fault[] }> {
  const read = await readFiles(root, options);
  if (!read.ok) return read;
  const { made, lacking, findings } = await makePictures(root, listPictures(read.files));
  if (findings.length > 0) return { ok: false, faults: findings.map(read.locate) };
  const shelf = new Map(lacking.map(({ hash, format, bytes }) => [hash, { mediaType: MEDIA_TYPES[format], bytes }]));
  return {
    ok: true,
    configuration: buildConfiguration({ ...read.files, pictures: made }, 0, now),
    pictures: { find: async (hash) => shelf.get(hash) ?? null },
    warnings: read.warnings,
  };
}
