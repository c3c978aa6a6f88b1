// A CSV text as cells with their lines. Knows no columns.
import { CsvError, parse } from 'csv-parse/sync';
import type { CsvLine } from './sheet-types.ts';

export type ReadCsv =
  | { readonly ok: true; readonly lines: readonly CsvLine[]; readonly delimiter: string }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Excel's own first line, which names the delimiter. */
const DELIMITER_LINE = /^\uFEFF?sep=([,;\t])(?:\r?\n|$)/i;

/** Spreadsheets of half of Europe write semicolons, and some tabs: what follows the first name of the head counts. */
export function readCsv(text: string): ReadCsv {
  const [delimiterLine = '', named] = DELIMITER_LINE.exec(text) ?? [];
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = named ?? /^\uFEFF?"?[\w ]*"?([,;\t])/.exec(head)?.[1] ?? ',';
  try {
    const records = parse(text.slice(delimiterLine.length), {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    const lines = records.map(({ record, info }) => ({
      // Counted where a record ends; one that a text with line ends fills began before.
      line: info.lines - record.join('').split('\n').length + (named === undefined ? 1 : 2),
      cells: record.map(cleanCell),
    }));
    return { ok: true, lines: lines.filter(({ cells }) => cells.some((cell) => cell !== '')), delimiter };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { lines?: number };
    return { ok: false, line: named === undefined ? lines : lines + 1, reason: `${error.message}; correct the quotes` };
  }
}

/** Without the apostrophe that keeps a spreadsheet from taking a text for a formula (cli/csv.ts). */
function cleanCell(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}
