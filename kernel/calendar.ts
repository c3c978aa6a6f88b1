// Days, weeks and months of a place: the calendar of a time zone, across its changes of clocks. No clock: the present
// is always a parameter.
import { DAY_MS } from './time.ts';

/** A moment of a calendar, without its zone. Months and days may be out of range: day 32 is in the next month. */
export type LocalTime = {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
};

/**
 * The IANA name of a time zone; null: there is none of this name. An offset is no name, though Intl takes one:
 * PostgreSQL counts "+09:00" to the west, as POSIX does, so that days would begin 18 hours apart.
 */
export function readTimeZone(name: string): string | null {
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return /^[+-]/.test(zone) ? null : zone;
  } catch {
    return null;
  }
}

export type Period = 'day' | 'week' | 'month';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one costs far more than using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** The calendar's fields at a moment, as the epoch milliseconds that they would be in UTC. */
function asIfUtc(epochMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * Epoch milliseconds of a moment of a zone's calendar. One that a change of clocks skips is as long after the change as
 * it would have been before it; of one that comes twice it is the first, so that no part of a day is before its start.
 * `start_of_day` is its twin in SQL.
 */
export function momentOf({ year, month, day, hour = 0, minute = 0 }: LocalTime, timeZone: string): number {
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  // A day away from it on either side is before and after any change near it, however far east or west the zone lies.
  const offset = (epochMs: number) => asIfUtc(epochMs, timeZone) - epochMs;
  const byOldClocks = wanted - offset(wanted - DAY_MS);
  const byNewClocks = wanted - offset(wanted + DAY_MS);
  if (byOldClocks === byNewClocks) return byOldClocks;
  const isReal = (epochMs: number) => asIfUtc(epochMs, timeZone) === wanted;
  return isReal(byNewClocks) && !isReal(byOldClocks) ? byNewClocks : byOldClocks;
}

/** The date of a moment in a zone; `weekday` is 0 for Monday. */
export function dateOf(
  epochMs: number,
  timeZone: string,
): { year: number; month: number; day: number; weekday: number } {
  const local = new Date(asIfUtc(Math.floor(epochMs / 1000) * 1000, timeZone));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: (local.getUTCDay() + 6) % 7,
  };
}

/** "2026-11-23", the date of a moment in a zone. */
export function showDate(epochMs: number, timeZone: string): string {
  const { year, month, day } = dateOf(epochMs, timeZone);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/**
 * The day, week (from Monday) or month that a moment lies in: its first moment and the first of the next one.
 * @param back how many periods before that one
 */
export function periodAt(
  period: Period,
  epochMs: number,
  timeZone: string,
  back = 0,
): { startsAt: number; endsAt: number } {
  const { year, month, day, weekday } = dateOf(epochMs, timeZone);
  const begin = (step: number): LocalTime =>
    period === 'month'
      ? { year, month: month + step, day: 1 }
      : { year, month, day: period === 'day' ? day + step : day - weekday + 7 * step };
  return { startsAt: momentOf(begin(-back), timeZone), endsAt: momentOf(begin(1 - back), timeZone) };
}

/** "2026-11-23 18:00" or a date alone as a moment of a zone's calendar; null for a text that is no such moment. */
export function readLocalTime(text: string): LocalTime | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2}))?$/.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const read = new Date(Date.UTC(year, month - 1, day, hour, minute));
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day && hour < 24 && minute < 60;
  // The calendar has no year 0, and PostgreSQL reads none.
  return isReal && year > 0 ? { year, month, day, hour, minute } : null;
}

/** Returns true when a text is a day that exists: "2026-11-23", and not "2026-02-30". */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && readLocalTime(text) !== null;
}

/** A moment as files and tables write it: with its offset, or of the calendar of `timeZone`. Null for anything else. */
export function readMoment(text: string, timeZone: string): number | null {
  const instant = readInstant(text);
  if (instant !== null) return instant;
  const local = readLocalTime(text);
  return local && momentOf(local, timeZone);
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Epoch milliseconds of "2026-11-23T18:00:00Z", or with another offset; seconds may be left out. Null for a text that is
 * no such moment: `Date.parse` would make 2 March of 30 February, and take one without offset for the machine's own time.
 */
export function readInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  return match && readLocalTime(`${match[1]} ${match[2]}`) ? Date.parse(text) : null;
}
