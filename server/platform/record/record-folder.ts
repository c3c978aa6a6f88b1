// The folder of a durable record: files that only grow, each of one process. What is told as written outlives a power
// cut. Tests hand in folders of their own, to say when a disk is slow, full or torn.
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '#server/platform/make-folders.ts';

export type RecordFile = {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since somebody wrote to it or touched it. */
  readonly idleMs: number;
};

export type OpenRecordFile = {
  write(text: string): Promise<void>;
  /** Resolves when everything written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
};

export type RecordFolder = {
  /** Nothing when there is no such folder. */
  list(): Promise<RecordFile[]>;
  /** A new file; its name is on the disk before it resolves. */
  create(name: string): Promise<OpenRecordFile>;
  /** The text in pieces, however they were written. */
  read(name: string): AsyncIterable<string>;
  /** False: it is not there any more. One caller of many at once hears true. */
  rename(from: string, to: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Says that its process lives. False: it is not there any more. */
  touch(name: string): Promise<boolean>;
};

export function openRecordFolder(path: string): RecordFolder {
  const at = (name: string) => join(path, name);
  const syncFolder = async () => {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  };
  return {
    list: async () => {
      const names = await orMissing(readdir(path), []);
      const now = Date.now();
      const files = await Promise.all(
        names.map(async (name) => {
          const found = await orMissing(stat(at(name)), null);
          return found?.isFile() ? [{ name, bytes: found.size, idleMs: Math.max(0, now - found.mtimeMs) }] : [];
        }),
      );
      return files.flat();
    },
    create: async (name) => {
      await makeFolders(path, 0o700);
      const handle = await open(at(name), 'ax', 0o600);
      try {
        await syncFolder();
      } catch (error) {
        await handle.close();
        throw error;
      }
      return {
        write: (text) => handle.appendFile(text, 'utf8'),
        sync: () => handle.datasync(),
        close: () => handle.close(),
      };
    },
    read: (name) => createReadStream(at(name), 'utf8') as AsyncIterable<string>,
    rename: async (from, to) => {
      const isThere = await orMissing(
        rename(at(from), at(to)).then(() => true),
        false,
      );
      if (isThere) await syncFolder();
      return isThere;
    },
    remove: (name) => rm(at(name), { force: true }),
    touch: async (name) => {
      const now = new Date();
      return orMissing(
        utimes(at(name), now, now).then(() => true),
        false,
      );
    },
  };
}

async function orMissing<Value, Other>(work: Promise<Value>, other: Other): Promise<Value | Other> {
  try {
    return await work;
  } catch (error) {
    // A file in the way of a folder: nothing can lie there either.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return other;
    throw error;
  }
}
