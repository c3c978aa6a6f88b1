// Comma separated values for spreadsheets.

/** Excel takes a CSV for UTF-8 by it alone. */
export const BYTE_ORDER_MARK = '\ufeff';

/** @source RFC 4180; a cell that a spreadsheet would take for a formula gets an apostrophe (OWASP, "CSV injection") */
export function writeCsv(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown): string => {
    const text = value instanceof Date ? value.toISOString() : String(value ?? '');
    // A number begins no formula, and with an apostrophe it could not be summed.
    const isNumber = /^[+-]?\d+(?:\.\d+)?$/.test(text);
    const safe = typeof value === 'string' && !isNumber && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [head.map((name) => name.toLowerCase()), ...rows].map((row) => row.map(cell).join(',')).join('\n');
}
