// All pictures that the files name, made or found: in the database, in the folder of what
// was made before, else made now.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '#server/modules/configuration/checks/finding-types.ts';
import { type Encoded, encodePicture, hashOf } from './encode.ts';
import { keyOfPicture, type MadePicture, type PictureFormat, type WantedPicture } from './picture-types.ts';
import { RECIPE_VERSIONS } from './pictures-rules.ts';

/** Lists the pictures that the database has: these need neither making nor reading. */
export type KnownPictures = {
  /** By source. */
  readonly bySource: ReadonlyMap<string, MadePicture>;
  readonly hashes: ReadonlySet<string>;
};
export const NOTHING_KNOWN: KnownPictures = { bySource: new Map(), hashes: new Set() };

export type PictureBytes = { readonly hash: string; readonly format: PictureFormat; readonly bytes: Buffer };

export type MadePictures = {
  /** By keyOfPicture. */
  readonly made: ReadonlyMap<string, MadePicture>;
  /** Lists the pictures that the database lacks. */
  readonly lacking: readonly PictureBytes[];
  readonly findings: readonly Finding[];
};

const project = join(import.meta.dirname, '..', '..', '..', '..');
/** Caches made sizes between runs, so that a second start, or the next test, makes nothing. Losing it costs seconds. */
const CACHE = join(project, '.data', 'pictures');
/** Holds the sizes of the product's own pictures, so that a first start makes none of them (scripts/pictures.ts). */
export const SHIPPED_PICTURES = join(project, 'pictures');

/**
 * @param root folder that holds brands/ and games/
 * @param cache folder of what was made before, and where more is kept; it need not exist nor be writable
 * @param shipped another such folder, which is only read
 */
export async function makePictures(
  root: string,
  wanted: readonly WantedPicture[],
  known: KnownPictures = NOTHING_KNOWN,
  cache: string = CACHE,
  shipped: string = SHIPPED_PICTURES,
): Promise<MadePictures> {
  const made = new Map<string, MadePicture>();
  const lacking = new Map<string, PictureBytes>();
  const findings: Finding[] = [];
  await inParallel(wanted, async (picture) => {
    const file = await readFile(join(root, picture.path));
    const source = sourceOf(picture, file);
    const found = (await find(source, known, cache)) ?? (await find(source, known, shipped));
    const result = found ?? (await encodePicture(picture, file, source));
    if (!result.ok)
      return void findings.push({ level: 'fault', file: picture.file, at: picture.at, reason: result.reason });
    if (!found) await keep(result, cache);
    made.set(keyOfPicture(picture.role, picture.path), result.made);
    for (const { hash, format } of result.made.files) {
      const bytes = result.bytes.get(hash);
      if (bytes) lacking.set(hash, { hash, format, bytes });
    }
  });
  // In the order of the files: they were made in any.
  const inOrder = wanted.map(({ role, path }) => keyOfPicture(role, path));
  return {
    made: new Map(inOrder.flatMap((key) => (made.has(key) ? [[key, made.get(key) as MadePicture]] : []))),
    lacking: [...lacking.values()],
    findings,
  };
}

/** The name that a picture's sizes are kept under. */
export const sourceOf = ({ role }: WantedPicture, file: Buffer): string =>
  hashOf(String(RECIPE_VERSIONS[role]), role, file);

type Made = Extract<Encoded, { ok: true }>;

/** @returns with bytes of what the database lacks alone; null when it has to be made */
async function find(source: string, known: KnownPictures, cache: string): Promise<Made | null> {
  const made = known.bySource.get(source) ?? (await readManifest(cache, source));
  if (made === null) return null;
  const missing = made.files.filter(({ hash }) => !known.hashes.has(hash));
  const read = await Promise.all(
    missing.map(
      async ({ hash, format }) => [hash, await readFile(join(cache, `${hash}.${format}`)).catch(() => null)] as const,
    ),
  );
  const bytes = new Map(
    read.flatMap(([hash, content]) => (content && hashOf(content) === hash ? [[hash, content]] : [])),
  );
  return bytes.size === missing.length ? { ok: true, made, bytes } : null;
}

async function readManifest(cache: string, source: string): Promise<MadePicture | null> {
  try {
    return JSON.parse(await readFile(join(cache, `${source}.json`), 'utf8')) as MadePicture;
  } catch {
    return null;
  }
}

async function keep({ made, bytes }: Made, cache: string): Promise<void> {
  try {
    await mkdir(cache, { recursive: true });
    for (const { hash, format } of made.files) await put(join(cache, `${hash}.${format}`), bytes.get(hash) ?? '');
    await put(join(cache, `${made.source}.json`), JSON.stringify(made));
  } catch {
    // A folder that cannot be written to: the next run makes them again.
  }
}

/** Whole or not at all: another process may be reading. */
async function put(path: string, content: Buffer | string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content);
  await rename(draft, path);
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
