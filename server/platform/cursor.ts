// Encodes the start of a list's next page: the sort key of the last row that was shown, as a text that callers hand
// back unread. Rows that come meanwhile shift nothing.

/** @param at PostgreSQL's own text of the moment, so that microseconds stay */
export type Cursor = { readonly at: string; readonly id: string };

function writeCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at}/${id}`).toString('base64url');
}

/** Null for anything that no list of ours wrote. */
export function readCursor(text: string): Cursor | null {
  const plain = /^[A-Za-z0-9_-]{8,200}$/.test(text) ? Buffer.from(text, 'base64url').toString() : '';
  const [, at, id] = /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-][\d:]{2,8})\/([\w-]{1,64})$/.exec(plain) ?? [];
  return at === undefined || id === undefined ? null : { at, id };
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
