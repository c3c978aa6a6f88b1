// Compares the time zones of brands and games in Node's data and in the database's. Pages tell days by the one, limits and caps
// count by the other: a new law that only one of them knows makes a day begin at two moments.
import { DAY_MS, zoneOffset } from '#kernel/time.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { ill, type Look, well } from './look.ts';

/** Our choice: clocks that change a week earlier or later than expected are seen. */
const STEP_MS = 7 * DAY_MS;
const YEAR_MS = 366 * DAY_MS;

/** @param offsetHere minutes from UTC by Node's data; another one in tests */
export async function lookAtZones(
  db: Db,
  { brands, games }: Pick<Configuration, 'brands' | 'games'>,
  now: number,
  offsetHere: (at: number, zone: string) => number = zoneOffset,
): Promise<Look> {
  const named = [...brands.values(), ...games.values()].flatMap(({ file }) => file.timeZone ?? []);
  const zones = [...new Set(named)].toSorted();
  const moments = Array.from({ length: Math.ceil(YEAR_MS / STEP_MS) }, (_, step) => now + step * STEP_MS);
  const known = await query<{ zone: string }>(
    db,
    'doctor_known_zones',
    `select zone from unnest($1::text[]) as zone
       where exists (select from pg_timezone_names where lower(name) = lower(zone))`,
    [zones],
  );
  const rows = await query<{ zone: string; at: number; minutes: number }>(
    db,
    'doctor_zones',
    `select zone, at::float8 as at, round(extract(epoch from
         (to_timestamp(at / 1000.0) at time zone zone) - (to_timestamp(at / 1000.0) at time zone 'UTC')) / 60)::integer
         as minutes
       from unnest($1::text[]) as zone cross join unnest($2::bigint[]) as at order by zone, at`,
    [known.map(({ zone }) => zone), moments.map(Math.round)],
  );
  const differing = zones.flatMap((zone) => {
    const own = rows.filter((row) => row.zone === zone);
    if (own.length === 0) return [`the database does not know ${zone}`];
    const first = own.find(({ at, minutes }) => minutes !== offsetHere(at, zone));
    return first ? [`${zone} from ${new Date(first.at).toISOString().slice(0, 10)} on`] : [];
  });
  const name = 'time zones of brands and games';
  const data = `tz ${process.versions.tz}`;
  if (differing.length === 0)
    return well('clock', name, `are the same here (${data}) and in the database for a year: ${zones.join(', ')}`);
  return ill('clock', 'warning', {
    name,
    reason: `differ between this program (${data}) and the database: ${differing.join('; ')}`,
    remedy:
      "update the older data: the package tzdata of the database's machine, then restart PostgreSQL, or Refill, whose " +
      'Node brings its own. Until then days of limits, caps and events may begin an hour apart from what pages say',
  });
}
