// Days, moments, zones and pages, as `--since`, `--date`, `--zone` and `--before` of every command take them.
import { isDay, readInstant, readTimeZone } from '#kernel/calendar.ts';
import { type Cursor, readCursor } from '#server/platform/cursor.ts';
import { DAY_MS } from '#kernel/time.ts';
import { InputFault } from './terminal.ts';

/** Days by their word; any other text is null. */
function readWord(text: string, zone: string): string | null {
  if (text === 'today') return dayIn(zone, Date.now());
  return text === 'yesterday' ? dayIn(zone, Date.now() - DAY_MS) : null;
}

/** `YYYY-MM-DD`. @param time epoch milliseconds */
export const dayIn = (zone: string, time: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(time);

/** A day, `today`, `yesterday` or a moment; a day begins at midnight UTC. @throws InputFault for anything else, also for 30 February */
export function readTime(option: string, written: string): Date {
  const text = readWord(written, 'UTC') ?? written;
  const time = readInstant(isDay(text) ? `${text}T00:00:00Z` : text);
  if (time === null) throw new InputFault(`${option} "${text}": write 2026-11-21 or 2026-11-21T08:30:00Z.`);
  return new Date(time);
}

/** Null: it was not said. @throws InputFault for what is no moment, and for an end that is not after the beginning */
export function readTimes({ since, until }: { since?: string | undefined; until?: string | undefined }): {
  since: Date | null;
  until: Date | null;
} {
  const read = {
    since: since === undefined ? null : readTime('--since', since),
    until: until === undefined ? null : readTime('--until', until),
  };
  if (read.since && read.until && read.until <= read.since)
    throw new InputFault(`--until "${until}": it must be after ${since}.`);
  return read;
}

/** A day, `today` or `yesterday` of a zone. @throws InputFault for anything else */
export function readDay(option: string, written: string, zone = 'UTC'): string {
  const text = readWord(written, zone) ?? written;
  if (!isDay(text)) throw new InputFault(`${option} "${text}": it must be a day, e.g. 2026-11-21.`);
  return text;
}

/** An IANA name. @throws InputFault for anything else, also for an offset */
export function readZone(text: string): string {
  const zone = readTimeZone(text);
  if (zone === null)
    throw new InputFault(`--zone "${text}": it must be the name of a time zone, e.g. UTC or Asia/Tokyo.`);
  return zone;
}

/** The page behind one that was shown. @throws InputFault for what no list wrote */
export function readPage(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  if (!cursor) throw new InputFault(`--before "${text}": it must be what the page before named as its next.`);
  return cursor;
}
