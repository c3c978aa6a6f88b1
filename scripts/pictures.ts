// npm run check -- pictures: pictures/ holds the sizes of the product's own pictures, of today's art, made by today's
// code. `npm run dump -- pictures` makes them.
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from '#server/modules/configuration/pictures/encode.ts';
import { readFiles } from '#server/modules/configuration/files/read-files.ts';
import { listPictures } from '#server/modules/configuration/pictures/list-rules.ts';
import { makePictures, SHIPPED_PICTURES, sourceOf } from '#server/modules/configuration/pictures/make-pictures.ts';
import type { MadePicture, WantedPicture } from '#server/modules/configuration/pictures/picture-types.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { projectRoot } from './run-tool.ts';

/** Says which code made the sizes. */
const MADE_BY = 'made-by.json';
/** Their text decides what a size looks like, as does the library. */
const CODE = ['encode.ts', 'pictures-rules.ts'].map((file) => `server/modules/configuration/pictures/${file}`);

type MadeBy = { readonly code: string; readonly library: string };

/**
 * @param wanted by the path of its source, the name that its sizes are kept under
 * @returns one sentence for each fault of the folder
 */
export async function findStale(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  { code, library }: MadeBy,
): Promise<string[]> {
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name)).catch(() => Buffer.of());
  const madeBy = JSON.parse((await read(MADE_BY)).toString() || '{}') as Partial<MadeBy>;
  const faults = [
    ...(madeBy.code === code ? [] : ['the code that makes sizes has changed since they were made']),
    ...(madeBy.library === library ? [] : [`they were made by sharp ${madeBy.library}, and ${library} is here`]),
  ];
  const expected = new Set([MADE_BY]);
  for (const [path, source] of wanted) {
    expected.add(`${source}.json`);
    const manifest = (await read(`${source}.json`)).toString();
    if (manifest === '') faults.push(`${path} has no sizes, or has changed since they were made`);
    for (const { hash, format } of manifest === '' ? [] : (JSON.parse(manifest) as MadePicture).files) {
      expected.add(`${hash}.${format}`);
      if (hashOf(await read(`${hash}.${format}`)) !== hash)
        faults.push(`${hash}.${format} of ${path} is missing, or is not what was made`);
    }
  }
  const strays = (await readdir(folder).catch(() => [])).filter((name) => !expected.has(name));
  return [...faults, ...strays.map((name) => `${name} is no size of a picture that a file names`)];
}

async function listWanted(): Promise<WantedPicture[]> {
  const read = await readFiles(projectRoot, { providers: shopProviders });
  if (!read.ok) throw new Error(read.faults.map(({ sentence }) => sentence).join('\n'));
  return listPictures(read.files);
}

async function readMadeBy(): Promise<MadeBy> {
  const code = createHash('sha256');
  for (const file of CODE) code.update(await readFile(join(projectRoot, file)));
  const library = await readFile(join(projectRoot, 'node_modules', 'sharp', 'package.json'), 'utf8');
  return { code: code.digest('hex'), library: (JSON.parse(library) as { version: string }).version };
}

/** Makes all of them from the start, whatever was made before. */
export async function shipPictures(): Promise<number> {
  await rm(SHIPPED_PICTURES, { recursive: true, force: true });
  const wanted = await listWanted();
  const { findings } = await makePictures(projectRoot, wanted, undefined, SHIPPED_PICTURES, SHIPPED_PICTURES);
  if (findings.length > 0) throw new Error(findings.map(({ reason }) => reason).join('\n'));
  await writeFile(join(SHIPPED_PICTURES, MADE_BY), `${JSON.stringify(await readMadeBy(), null, 2)}\n`);
  return wanted.length;
}

if (import.meta.main) {
  const sources = new Map<string, string>();
  for (const picture of await listWanted())
    sources.set(`${picture.role} ${picture.path}`, sourceOf(picture, await readFile(join(projectRoot, picture.path))));
  const faults = await findStale(SHIPPED_PICTURES, sources, await readMadeBy());
  if (faults.length > 0) {
    console.error(`${faults.join('\n')}\nRun \`npm run dump -- pictures\` and commit pictures/.`);
    process.exitCode = 1;
  }
}
