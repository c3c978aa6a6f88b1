// Files of the archive: a folder a month, a file a table, gzipped lines of JSON, and a manifest that says how many rows
// and which bytes each has. Nothing but zlib is needed to read them in ten years.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline as pipelineOf } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Environment } from '#kernel/environment.ts';
import { type ArchivedTable } from '#server/modules/orders/operator/archive-rows-store.ts';
import { type Month, type Sums } from '#server/modules/orders/operator/archive-store.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { pathInside } from '#server/platform/path-inside.ts';
import { type Pace, createPace } from '#server/platform/pace.ts';

/** Something in the files is not what it must be, or a month cannot be archived; told in one sentence. */
export class ArchiveFault extends Error {}

const FORMAT = 'refill archive 1';
const MANIFEST = 'manifest.json';

export type TableFile = { readonly file: string; readonly rows: number; readonly sha256: string };
export type Manifest = {
  readonly format: typeof FORMAT;
  readonly environment: Environment;
  readonly month: Month;
  readonly written_at: string;
  /** The hash is of the lines, not of how zlib packed them. */
  readonly tables: Readonly<Record<ArchivedTable, TableFile>>;
  /** Of ledger_entry, by account and currency, in minor units. */
  readonly sums: Sums;
};

/** @param pace the one that `batches` rests by: it rests after each of them */
export async function writeTable(
  folder: string,
  table: ArchivedTable,
  batches: AsyncIterable<string[]>,
  pace: Pace,
): Promise<TableFile> {
  await makeFolders(folder, 0o700);
  const file = `${table}.jsonl.gz`;
  const hash = createHash('sha256');
  let rows = 0;
  const path = join(folder, file);
  const gzip = createGzip();
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600 }));
  // Whoever waits for a piece knows of a disk that is full; at the end it is thrown in any case.
  written.catch(() => undefined);
  const packed = async (text: string): Promise<void> => {
    // One after the other: packing beside the next reading would take two processors at once.
    await Promise.race([written, new Promise<void>((settle) => gzip.write(text, () => settle()))]);
  };
  try {
    for await (const lines of batches) {
      if (lines.length > 0) {
        const text = `${lines.join('\n')}\n`;
        hash.update(text);
        rows += lines.length;
        await packed(text);
      }
      await pace();
    }
    gzip.end();
  } catch (error) {
    gzip.destroy(error as Error);
  }
  await written;
  await syncToDisk(path);
  return { file, rows, sha256: hash.digest('hex') };
}

/** @returns its hash, by which it is known from then on */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<string> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  const draft = join(folder, `${MANIFEST}.part`);
  await writeFile(draft, text, { mode: 0o600 });
  await syncToDisk(draft);
  await rename(draft, join(folder, MANIFEST));
  return hashOf(text);
}

/** @throws ArchiveFault when it is not the one that was written */
export async function readManifest(folder: string, sha256: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ArchiveFault(`The archive ${folder} cannot be read here: bring its folder back, or read it where it is.`);
  });
  if (hashOf(text) !== sha256)
    throw new ArchiveFault(`${path} is not what was written: take another copy of this archive.`);
  return JSON.parse(text) as Manifest;
}

/** Every row of a table's file. @throws ArchiveFault at the end, when rows or bytes are not those of the manifest */
export async function* readTable(folder: string, listed: TableFile): AsyncGenerator<string> {
  const path = pathInside(folder, listed.file);
  const hash = createHash('sha256');
  let rows = 0;
  try {
    // A pipeline and no pipe, for a file that is not there: its error would end the process.
    const bytes = pipelineOf(createReadStream(path), createGunzip(), () => undefined);
    for await (const line of createInterface({ input: bytes })) {
      hash.update(`${line}\n`);
      rows += 1;
      yield line;
    }
  } catch (cause) {
    throw new ArchiveFault(`${path} cannot be read: ${(cause as Error).message}.`, { cause });
  }
  if (rows !== listed.rows || hash.digest('hex') !== listed.sha256)
    throw new ArchiveFault(`${path} is not what was written: take another copy of this archive.`);
}

/** Reads every file to its end and adds the books up again. @throws ArchiveFault when anything differs */
export async function verifyFiles(folder: string, manifest: Manifest): Promise<void> {
  const sums: Record<string, number> = {};
  const pace = createPace();
  for (const [table, listed] of Object.entries(manifest.tables))
    for await (const line of readTable(folder, listed)) {
      await pace();
      if (table !== 'ledger_entry') continue;
      const entry = JSON.parse(line) as { account: string; currency: string; amount_minor: number };
      const key = `${entry.account} ${entry.currency}`;
      sums[key] = (sums[key] ?? 0) + entry.amount_minor;
    }
  if (!hasSameSums(sums, manifest.sums))
    throw new ArchiveFault(`The books in ${folder} do not add up to what the database has.`);
}

export function hasSameSums(one: Sums, other: Sums): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => one[key] === other[key]);
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
