// SQL of the stored sizes.
import { query, type Queryable } from '#server/platform/database/db.ts';
import { MEDIA_TYPES, type PictureFormat } from './picture-types.ts';

/** Hashes of all sizes that are there. */
export async function readPictureHashes(db: Queryable): Promise<Set<string>> {
  const rows = await query<{ hash: string }>(db, 'picture-hashes', 'select hash from picture_file');
  return new Set(rows.map(({ hash }) => hash));
}

/** Adds sizes; the same content under the same hash stays as it is. */
export async function writePictures(
  db: Queryable,
  pictures: readonly { readonly hash: string; readonly format: PictureFormat; readonly bytes: Buffer }[],
): Promise<void> {
  // One by one: as parameters of their own the bytes travel as they are, in a list they would be written out as text.
  for (const { hash, format, bytes } of pictures) {
    await query(
      db,
      'picture-write',
      'insert into picture_file (hash, media_type, bytes) values ($1, $2, $3) on conflict (hash) do nothing',
      [hash, MEDIA_TYPES[format], bytes],
    );
  }
}

/** Our choice: pages that were open at an apply are closed by then. */
const KEPT_UNUSED = '1 day';

/** Marks what no applied picture names any more, and removes what was marked long enough ago. */
export async function retirePictures(db: Queryable, used: readonly string[]): Promise<void> {
  await query(
    db,
    'picture-retire',
    `update picture_file set unused_since = case when hash = any($1::text[]) then null else now() end
     where (unused_since is null) <> (hash = any($1::text[]))`,
    [used],
  );
  await query(db, 'picture-remove', `delete from picture_file where unused_since < now() - interval '${KEPT_UNUSED}'`);
}

export async function readPicture(db: Queryable, hash: string): Promise<{ mediaType: string; bytes: Buffer } | null> {
  const rows = await query<{ mediaType: string; bytes: Buffer }>(
    db,
    'picture-read',
    'select media_type as "mediaType", bytes from picture_file where hash = $1',
    [hash],
  );
  return rows[0] ?? null;
}
