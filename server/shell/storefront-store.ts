// SQL of the storefront's built files: kept by every release, so that pages of another one find theirs.
import { type Queryable, query } from '#server/platform/database/db.ts';

/** The names of `paths` that are not kept yet. */
export async function listMissingFiles(db: Queryable, paths: readonly string[]): Promise<string[]> {
  const rows = await query<{ path: string }>(
    db,
    'storefront-missing-files',
    `select wanted.path from unnest($1::text[]) as wanted (path)
     where not exists (select from storefront_file kept where kept.path = wanted.path)`,
    [paths],
  );
  return rows.map(({ path }) => path);
}

/** @param body brotli */
export async function keepFile(db: Queryable, path: string, body: Buffer): Promise<void> {
  await query(
    db,
    'storefront-keep-file',
    'insert into storefront_file (path, body) values ($1, $2) on conflict (path) do nothing',
    [path, body],
  );
}

/** Notes that a running release uses the files; those that none has used for `hours` go. */
export async function renewFiles(db: Queryable, paths: readonly string[], hours: number): Promise<void> {
  // In one order, so that two replicas never wait for each other.
  await query(
    db,
    'storefront-renew-files',
    `update storefront_file set seen_at = now() from
       (select path from storefront_file where path = any ($1::text[]) order by path for update) mine
     where storefront_file.path = mine.path`,
    [paths],
  );
  await query(
    db,
    'storefront-drop-files',
    `delete from storefront_file where path in
       (select path from storefront_file where seen_at < now() - make_interval(hours => $1)
        order by path for update skip locked)`,
    [hours],
  );
}

/** Names of all files that are kept. */
export async function listFiles(db: Queryable): Promise<string[]> {
  const rows = await query<{ path: string }>(db, 'storefront-files', 'select path from storefront_file');
  return rows.map(({ path }) => path);
}

/** The brotli bytes, or null when nothing of that name is kept. */
export async function readFileBody(db: Queryable, path: string): Promise<Buffer | null> {
  const rows = await query<{ body: Buffer }>(
    db,
    'storefront-file',
    'select body from storefront_file where path = $1',
    [path],
  );
  return rows[0]?.body ?? null;
}
