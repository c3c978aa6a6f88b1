// All SQL of error reports.
import type { Report } from '#contracts/reports.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

/**
 * Keeps a report; a second one with the same reference adds the player's words to the first, once.
 * @returns false when there was nothing to add
 */
export async function addReport(db: Queryable, brandKey: string, report: Report): Promise<boolean> {
  const rows = await query(
    db,
    'report_add',
    `insert into error_report as r (brand_key, reference, kind, path, code, page, language, build, note, at, request)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (brand_key, reference) do update set note = excluded.note
       where r.note = '' and excluded.note <> '' and r.received_at > now() - interval '1 day'
     returning reference`,
    [brandKey, report.reference, report.kind, report.path, report.code, report.page, report.language, report.build,
      report.note, new Date(report.time), report.request ?? ''] /* grouped as in the statement */, // prettier-ignore
  );
  return rows.length > 0;
}

export type ReportRow = Omit<Report, 'time' | 'request'> & {
  brand_key: string;
  /** Empty: none. */
  request: string;
  at: Date | null;
  received_at: Date;
};

/** The newest first; null for no bound. */
export function listReports(
  db: Queryable,
  filter: { brandKey: string | null; since: Date | null; until: Date | null },
  limit: number,
): Promise<ReportRow[]> {
  return query<ReportRow>(
    db,
    'report_list',
    `select reference, brand_key, kind, path, code, request, page, language, build, note, at, received_at
     from error_report
     where ($1::text is null or brand_key = $1) and ($2::timestamptz is null or received_at >= $2)
       and ($3::timestamptz is null or received_at < $3)
     order by received_at desc, reference limit $4`,
    [filter.brandKey, filter.since, filter.until, limit],
  );
}
