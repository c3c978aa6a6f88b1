// What `--since`, `--until`, `--zone` and `--before` take.
import { type Cursor, readCursor } from '#server/platform/cursor.ts';
import { InputFault } from './terminal.ts';

/** A day or a moment; a day begins at midnight UTC. @throws InputFault for anything else */
export function readTime(option: string, text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InputFault(`${option} "${text}": write 2026-11-21 or 2026-11-21T08:30:00Z.`);
  return time;
}

/** A day of any zone. @throws InputFault for anything else */
export function readDay(option: string, text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);
  if (!isDay) throw new InputFault(`${option} "${text}": it must be a day, e.g. 2026-11-21.`);
  return text;
}

/** An IANA name. @throws InputFault for anything else */
export function readZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new InputFault(`--zone "${text}": it must be a time zone, e.g. UTC or Asia/Tokyo.`);
  }
}

/** The page behind one that was shown. @throws InputFault for what no list wrote */
export function readPage(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  if (!cursor) throw new InputFault(`--before "${text}": it must be what the page before named as its next.`);
  return cursor;
}
