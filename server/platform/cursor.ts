// Encodes the start of a list's next page: the sort key of the last row that was shown, as a text that callers hand
// back unread. Rows that come meanwhile shift nothing.
import { readInstant } from '#kernel/calendar.ts';

/** @param at PostgreSQL's own text of the moment, so that microseconds stay */
export type Cursor = { readonly at: string; readonly id: string };

/** Day, time of day, offset as PostgreSQL reads it, id. */
const FORM = /^([\d-]{10}) ([\d:.]{8,15})([+-](?:0\d|1[0-5])(?::[0-5]\d){0,2})\/([\w-]{1,64})$/;

function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at}/${id}`).toString('base64url');
}

/** Null for anything that no list of ours wrote. */
export function readCursor(text: string): Cursor | null {
  const plain = /^[A-Za-z0-9_-]{8,200}$/.test(text) ? Buffer.from(text, 'base64url').toString() : '';
  const [, day, time, offset, id] = FORM.exec(plain) ?? [];
  if (id === undefined || readInstant(`${day}T${time}Z`) === null) return null;
  return { at: `${day} ${time}${offset}`, id };
}

/**
 * One page of rows that were asked for with one more than fit.
 * @returns next: null on the last page
 */
export function pageOf<Row extends { cursor_at: string }>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
): { rows: Omit<Row, 'cursor_at'>[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(({ cursor_at: _at, ...row }) => row),
    next: rows.length > limit && last ? writeCursor({ at: last.cursor_at, id: idOf(last) }) : null,
  };
}
