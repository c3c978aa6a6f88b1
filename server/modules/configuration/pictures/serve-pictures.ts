// Sizes of pictures for the page: out of memory, else out of the database. An address names its content,
// so nothing here grows stale.
import type { Db } from '#server/platform/database/db.ts';
import { readPicture } from './picture-store.ts';

export type StoredPicture = { readonly mediaType: string; readonly bytes: Buffer };
export type PictureShelf = { find(hash: string): Promise<StoredPicture | null> };

/**
 * Our choice: the three games of the demonstration take 5 MB; a large shop's landing pages fit, its rest is read again.
 */
const MAX_BYTES = 32_000_000;

export function createPictureShelf(db: Db, maxBytes: number = MAX_BYTES): PictureShelf {
  // In the order of their last use: a Map keeps the order in which keys came.
  const kept = new Map<string, StoredPicture>();
  const coming = new Map<string, Promise<StoredPicture | null>>();
  let size = 0;
  const keep = (hash: string, picture: StoredPicture) => {
    kept.set(hash, picture);
    size += picture.bytes.length;
    for (const [oldest, { bytes }] of kept) {
      if (size <= maxBytes) break;
      kept.delete(oldest);
      size -= bytes.length;
    }
  };
  return {
    find: (hash) => {
      const here = kept.get(hash);
      if (here) {
        kept.delete(hash);
        kept.set(hash, here);
        return Promise.resolve(here);
      }
      // A landing page that a thousand players open at once asks the database once.
      const before = coming.get(hash);
      if (before) return before;
      const reading = readPicture(db, hash)
        .then((picture) => {
          if (picture) keep(hash, picture);
          return picture;
        })
        .finally(() => coming.delete(hash));
      coming.set(hash, reading);
      return reading;
    },
  };
}
