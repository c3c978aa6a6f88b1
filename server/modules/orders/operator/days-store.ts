// Days of a time zone as moments, by the database's own calendar: rows are sorted into days by the same.
import { type Queryable, query } from '#server/platform/database/db.ts';

/** @param span days `YYYY-MM-DD` in `zone`, from the first to before the second */
export async function readSpan(
  db: Queryable,
  { since, until, zone }: { since: string; until: string; zone: string },
): Promise<{ from: Date; to: Date }> {
  const [row] = await query<{ from: Date; to: Date }>(
    db,
    'days_span',
    'select start_of_day($1::date, $3) as from, start_of_day($2::date, $3) as to',
    [since, until, zone],
  );
  if (!row) throw new Error('the database knows no days');
  return row;
}
