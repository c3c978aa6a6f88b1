// A CSV text as cells with their lines. Knows no columns.
import { CsvError, parse } from 'csv-parse/sync';

export type CsvLine = { readonly line: number; readonly cells: readonly string[] };
export type ReadCsv =
  | { readonly ok: true; readonly lines: readonly CsvLine[] }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Spreadsheets of half of Europe write semicolons, and some tabs: what follows the first name of the head counts. */
export function readCsv(text: string): ReadCsv {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = /^\uFEFF?"?[\w ]*"?([,;\t])/.exec(head)?.[1] ?? ',';
  try {
    const records = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    const lines = records.map(({ record, info }) => ({
      // Counted where a record ends; one that a text with line ends fills began before.
      line: info.lines - record.join('').split('\n').length + 1,
      cells: record.map(cleanCell),
    }));
    return { ok: true, lines: lines.filter(({ cells }) => cells.some((cell) => cell !== '')) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { lines?: number };
    return { ok: false, line: lines, reason: `${error.message}; correct the quotes` };
  }
}

/** Without the apostrophe that keeps a spreadsheet from taking a text for a formula (cli/csv.ts). */
function cleanCell(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}
