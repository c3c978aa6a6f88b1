// SQL of what was applied before: when, by whom, what it changed, and the bodies of its files.
import { query, type Queryable } from '#server/platform/database/db.ts';
import type { StoredFile } from '#server/modules/configuration/store.ts';

export type RevisionRow = {
  readonly revision: number;
  readonly applied_at: Date;
  readonly applied_by: string;
  /** The lines of its plan. */
  readonly summary: readonly string[];
  /** False for one whose files are not kept: an old one, or one of a version that kept none. */
  readonly is_kept: boolean;
};

/** The newest first. */
export function listRevisions(db: Queryable, limit: number): Promise<RevisionRow[]> {
  return query(
    db,
    'configuration-revisions',
    `select revision, applied_at, applied_by, summary, files is not null as is_kept from configuration_history
     order by revision desc limit $1`,
    [limit],
  );
}

/** Null: there is no such revision. `files` null: they are not kept. */
export async function readRevisionFiles(
  db: Queryable,
  revision: number,
): Promise<(RevisionRow & { readonly files: StoredFile[] | null }) | null> {
  const rows = await query<RevisionRow & { files: StoredFile[] | null }>(
    db,
    'configuration-revision-files',
    `select revision, applied_at, applied_by, summary, files is not null as is_kept, files
     from configuration_history where revision = $1`,
    [revision],
  );
  return rows[0] ?? null;
}

/**
 * Our choice: a shop that applies every day finds the last quarter of a year. A revision takes some tens of kilobytes.
 */
const KEPT_REVISIONS = 100;

/** Keeps the files of a revision that is written in this transaction, and drops those of old ones. */
export async function keepRevisionFiles(db: Queryable, revision: number, files: readonly StoredFile[]): Promise<void> {
  await query(db, 'configuration-keep-files', 'update configuration_history set files = $2::json where revision = $1', [
    revision,
    JSON.stringify(files),
  ]);
  await query(
    db,
    'configuration-drop-files',
    `update configuration_history set files = null where revision <= $1 and files is not null`,
    [revision - KEPT_REVISIONS],
  );
}
