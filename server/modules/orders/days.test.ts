// Days of a brand begin at the same moment in SQL and in TypeScript, on nights that skip midnight or have it twice.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalTime, momentOf, periodAt, showDate } from '#kernel/calendar.ts';
import { HOUR_MS } from '#kernel/time.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer } from '#testing/orders.ts';
import { readMoneyReport } from './operator/money-report-store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(2));
});
afterAll(() => drop());

/** @source IANA tzdata 2025b; midnights are those of its rules for each zone */
const DAYS: readonly [zone: string, day: string, startsAt: string, about: string][] = [
  ['America/Santiago', '2026-09-05', '2026-09-05T04:00Z', 'the day before'],
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00Z', 'midnight is skipped'],
  ['America/Santiago', '2026-09-07', '2026-09-07T03:00Z', 'the day after'],
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00Z', 'the hour before midnight comes twice'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00Z', 'midnight is skipped'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00Z', 'midnight comes twice'],
  ['America/Havana', '2026-11-02', '2026-11-02T05:00Z', 'the day after'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00Z', 'midnight is skipped'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00Z', 'midnight comes twice'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00Z', 'midnight is skipped east of Greenwich'],
  ['Asia/Beirut', '2026-10-25', '2026-10-24T22:00Z', 'the hour before midnight comes twice'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00Z', 'midnight is skipped'],
  ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00Z', 'the hour before midnight comes twice'],
  ['America/Nuuk', '2026-03-29', '2026-03-29T01:00Z', 'the hour before midnight is skipped'],
  ['America/Nuuk', '2026-10-25', '2026-10-25T02:00Z', 'the hour before midnight comes twice'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z', 'clocks change later in the day'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00Z', 'clocks change later in the day'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00Z', 'clocks change later in the day'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00Z', 'the day after'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00Z', 'half an hour comes twice'],
  ['Australia/Lord_Howe', '2026-10-05', '2026-10-04T13:00Z', 'the day after half an hour was skipped'],
  ['Antarctica/Troll', '2026-03-30', '2026-03-29T22:00Z', 'the day after two hours were skipped'],
  ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00Z', 'the day before'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z', 'a day that never was'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00Z', 'the day after'],
  ['Pacific/Kwajalein', '1993-08-21', '1993-08-21T12:00Z', 'a day that never was'],
  ['Asia/Kolkata', '2026-03-29', '2026-03-28T18:30Z', 'clocks never change'],
  ['Asia/Tokyo', '2026-03-29', '2026-03-28T15:00Z', 'clocks never change'],
  ['UTC', '2026-03-29', '2026-03-29T00:00Z', 'clocks never change'],
]; /* a row a line */ // prettier-ignore

const iso = (epochMs: number) => `${new Date(epochMs).toISOString().slice(0, 16)}Z`;
const readMoment = async (sql: string, ...values: unknown[]): Promise<string> => {
  const { rows } = await db.query<{ at: Date }>(`select ${sql} as at`, values);
  return iso(rows[0]?.at.getTime() ?? Number.NaN);
};
const localOf = (day: string): LocalTime => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, day: date };
};

test.each(DAYS)('%s: %s begins at %s (%s)', async (zone, day, startsAt) => {
  expect(iso(momentOf(localOf(day), zone))).toBe(startsAt);
  expect(await readMoment('start_of_day($2::date, $1)', zone, day)).toBe(startsAt);
});

describe.each(DAYS)('%s around %s', (zone, _day, startsAt) => {
  const moments = Array.from({ length: 24 }, (_, quarter) => Date.parse(startsAt) + (quarter - 12) * (HOUR_MS / 4));

  test('every moment lies in its day, and a limit of a day ends with it', async () => {
    for (const at of moments) {
      const { endsAt, startsAt: begins } = periodAt('day', at, zone);
      expect([begins <= at, at < endsAt, showDate(begins, zone)]).toEqual([true, true, showDate(at, zone)]);
    }
    const { rows } = await db.query<{ period: string; ends: Date }>(
      `select limit_period(1, $1, at) as period, limit_period_end(1, $1, at) as ends
       from unnest($2::timestamptz[]) with ordinality as m (at, place) order by place`,
      [zone, moments.map((at) => new Date(at))],
    );
    const daysSince2024 = (at: number) => (Date.parse(showDate(at, zone)) - Date.UTC(2024, 0, 1)) / (24 * HOUR_MS);
    expect(rows.map(({ ends, period }) => [period, iso(ends.getTime())])).toEqual(
      moments.map((at) => [`d1:${daysSince2024(at)}`, iso(periodAt('day', at, zone).endsAt)]),
    );
  });

  test.each(['week', 'month'] as const)('a %s of a level ends with its last day', async (period) => {
    for (const at of moments) {
      const expected = periodAt(period, at, zone);
      const read = await db.query<{ begins_at: Date; ends_at: Date }>(
        'select begins_at, ends_at from level_period($1, $2, $3)',
        [period, zone, new Date(at)],
      );
      const [row] = read.rows;
      expect([row?.begins_at.getTime(), row?.ends_at.getTime()]).toEqual([expected.startsAt, expected.endsAt]);
    }
  });
});

describe('in the first hour of a day whose midnight comes twice', () => {
  const zone = 'America/Havana';

  test('a report has what is of its day', async () => {
    await db.query(`insert into ledger_archived values
      ('2026-10', '2026-11-01T03:30Z', 'watt', 'g', 'CU', 'm', 'p', 'delivered', 'revenue', 'USD', 1, -300, 0),
      ('2026-11', '2026-11-01T04:30Z', 'watt', 'g', 'CU', 'm', 'p', 'delivered', 'revenue', 'USD', 1, -500, 0)`);
    const reportOf = async (since: string, until: string) =>
      (await readMoneyReport(db, { kind: 'revenue', since, until, zone, by: ['day'], brand: null })).map(
        ({ amount_minor: minor, day }) => `${day} ${minor}`,
      );
    expect(await reportOf('2026-10-31', '2026-11-01')).toEqual(['2026-10-31 300']);
    expect(await reportOf('2026-11-01', '2026-11-02')).toEqual(['2026-11-01 500']);
  });

  test("a player's cap ends with its day", async () => {
    const player = await makePlayer(db);
    await db.query(`insert into spending_cap (player_id, currency, period, cap_minor) values ($1, 'USD', 'day', 100)`, [
      player,
    ]);
    const endOf = (at: string) =>
      readMoment(
        `(select ends_at from spending_limits($1, $2::jsonb, 'USD', $3::timestamptz, null))`,
        player,
        JSON.stringify({ age_caps: null, time_zone: zone }),
        at,
      );
    expect(await endOf('2026-11-01T03:30Z')).toBe('2026-11-01T04:00Z');
    expect(await endOf('2026-11-01T04:30Z')).toBe('2026-11-02T05:00Z');
  });
});
