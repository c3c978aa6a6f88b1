// The newest backup, as the database knows it: what makes one writes it down here when it is complete, and the
// doctor and the metrics tell its age. A restored database knows the backup before the one that it came of.
import { type Queryable, query } from './db.ts';

export type BackupRecord = {
  /** The moment whose state it holds: before the dump begins, the database's `now()`. */
  readonly takenAt: Date;
  /** `dump`: by pg_dump; `base`: a copy of the cluster, to which archived WAL is added. */
  readonly kind: 'dump' | 'base';
  readonly bytes: number;
};

/** An older one never takes the place of a newer one. */
export async function recordBackup(db: Queryable, { takenAt, kind, bytes }: BackupRecord): Promise<void> {
  await query(
    db,
    'backup_record_write',
    `insert into backup_record (taken_at, kind, bytes) values ($1, $2, $3)
     on conflict (is_the_row) do update set taken_at = excluded.taken_at, kind = excluded.kind, bytes = excluded.bytes
     where backup_record.taken_at < excluded.taken_at`,
    [takenAt, kind, bytes],
  );
}

/** Null: none was ever recorded. The age is by the database's clock. */
export async function readNewestBackup(db: Queryable): Promise<(BackupRecord & { ageSeconds: number }) | null> {
  const [row] = await query<{ takenAt: Date; kind: BackupRecord['kind']; bytes: number; ageSeconds: number }>(
    db,
    'backup_record_read',
    `select taken_at as "takenAt", kind, bytes, extract(epoch from now() - taken_at)::float8 as "ageSeconds"
     from backup_record`,
  );
  return row ?? null;
}
